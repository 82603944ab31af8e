"""The sample corpus: invented companies, filings, transcripts and documents."""
