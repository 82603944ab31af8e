"""What ``parse_pdf`` takes and gives, shared with its worker process.

Here: the limits, the result, and the worker's request and reply as they cross the process
border as JSON. ``parse`` re-exports the first two for everyone above.
"""

from __future__ import annotations

from pydantic import Field

from g2_pipelines.tables.line2 import DocumentNode, DocumentPage, DocumentQuality
from g2_pipelines.tables.rows import Row


class PdfLimits(Row):
    """Bounds for reading one PDF.

    timeout_s: wall time of the whole document. memory_mb: address space of each process.
    max_pages: a longer PDF is refused. max_pixels: of one picture, page or crop. ocr_pages:
    pages read by OCR, the first of those that need it; the others are named. ocr_pictures:
    likewise the pictures inside pages that have text, 0 to leave them unread.
    paragraph_tokens: longer paragraphs and lists are cut, 0: none. join_tokens: shorter
    paragraphs are joined within their section, 0: none. tokenizer: what counts for these two.
    """

    timeout_s: float = Field(default=300.0, gt=0)
    memory_mb: int = Field(default=3000, gt=0)
    max_pages: int = Field(default=2000, gt=0)
    max_pixels: int = Field(default=4_000_000, gt=0)
    ocr_pages: int = Field(default=60, ge=0)
    ocr_pictures: int = Field(default=24, ge=0)
    paragraph_tokens: int = Field(default=1000, ge=0)
    join_tokens: int = Field(default=0, ge=0)
    tokenizer: str = "qwen3"


class ParsedPdf(Row):
    """A PDF's title, pages, nodes and quality; pictures lie in ``images_dir``."""

    title: str | None
    pages: list[DocumentPage]
    nodes: list[DocumentNode]
    quality: DocumentQuality


class WorkerRequest(Row):
    """What the worker process is to read, and where its files go."""

    path: str
    name: str
    document_id: str
    staging: str
    reply: str
    limits: PdfLimits
    docling: str = ""  # a file of docling's JSON
    environment: dict[str, str]


class WorkerFailure(Row):
    """A typed failure of the worker, by the code of its class in ``pdf.errors``."""

    code: str
    message: str
    file: str
    place: str = ""
    remedy: str = ""


class WorkerReply(Row):
    """Exactly one of the two is set."""

    result: ParsedPdf | None = None
    failure: WorkerFailure | None = None
