"""Text: sentences, folding with offsets, search terms, BM25, numbers, tokens, splits."""
