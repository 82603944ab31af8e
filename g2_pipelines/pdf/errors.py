"""The named failures of reading a PDF.

Here: what can go wrong with a PDF as a whole, each with its remedy. A fault of single pages
is a warning on the result, not an error. Raised by ``parse`` and ``worker``; everyone above
``pdf`` may catch them.
"""

from __future__ import annotations

from g2_pipelines.errors import G2Error, InputError, LimitError, NotYetError


class PasswordPdfError(InputError):
    """The PDF opens only with a password."""

    code = "pdf_password"


class NotAPdfError(InputError):
    """The file does not begin as a PDF does."""

    code = "not_a_pdf"


class EmptyPdfError(InputError):
    """The file has no bytes, or the PDF no pages."""

    code = "pdf_empty"


class BrokenPdfError(InputError):
    """PDFium cannot open the file, or crashed on it."""

    code = "pdf_broken"


class PdfTimeoutError(LimitError):
    """Reading took longer than ``PdfLimits.timeout_s``."""

    code = "pdf_timeout"


class PdfMemoryError(LimitError):
    """Reading needed more memory than ``PdfLimits.memory_mb``."""

    code = "pdf_memory"


class PdfTooLongError(LimitError):
    """The PDF has more pages than ``PdfLimits.max_pages``."""

    code = "pdf_too_long"


class PdfReaderError(G2Error):
    """The reading process failed by a fault of ours."""

    code = "pdf_reader"


class DoclingError(InputError):
    """docling's answer is not a document."""

    code = "docling_answer"


class DoclingUnreachableError(NotYetError):
    """The docling server did not answer, or refused."""

    code = "docling_unreachable"


#: By code, for failures that come back from the worker process.
BY_CODE: dict[str, type[G2Error]] = {
    kind.code: kind
    for kind in (
        PasswordPdfError,
        NotAPdfError,
        EmptyPdfError,
        BrokenPdfError,
        PdfTimeoutError,
        PdfMemoryError,
        PdfTooLongError,
        DoclingError,
    )
}
