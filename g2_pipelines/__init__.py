"""g2_pipelines: documents into knowledge, as a Dagster project.

Line 1 writes company briefs from annual reports and earnings-call transcripts; line 2
reads PDFs into a content graph and answers questions with cited pages. The domain
packages are plain typed functions on plain data; only ``defs`` knows Dagster.
"""

__version__ = "0.1.0"
