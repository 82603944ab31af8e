"""The first look at a PDF: pages and title, or a failure that names the file."""

from pathlib import Path

import pytest

from g2_pipelines.pdf.errors import (
    EmptyPdfError,
    NotAPdfError,
    PasswordPdfError,
    PdfTimeoutError,
    PdfTooLongError,
)
from g2_pipelines.pdf.inspect import inspect_pdf
from g2_pipelines.pdf.values import PdfLimits

SAMPLES = Path(__file__).parents[2] / "g2_pipelines" / "corpus" / "pdfs"


def test_a_pdf_has_its_pages_and_title() -> None:
    facts = inspect_pdf(SAMPLES / "minato_cold_chain_en.pdf")
    assert facts.pages >= 4


def test_a_long_pdf_is_refused_by_its_limit() -> None:
    with pytest.raises(PdfTooLongError, match="more than 2"):
        inspect_pdf(SAMPLES / "minato_cold_chain_en.pdf", limits=PdfLimits(max_pages=2))


def test_a_slow_one_ends_in_time() -> None:
    with pytest.raises(PdfTimeoutError):
        inspect_pdf(SAMPLES / "minato_cold_chain_en.pdf", limits=PdfLimits(timeout_s=0.01))


@pytest.mark.parametrize(
    ("content", "error"), [(b"", EmptyPdfError), (b"\xff\xd8\xff\xe0 jpeg", NotAPdfError)]
)
def test_what_is_no_pdf_is_named(content: bytes, error: type[Exception], tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    with pytest.raises(error, match=r"report\.pdf"):
        inspect_pdf(path)


def test_a_password_is_said(shared_data: Path) -> None:
    with pytest.raises(PasswordPdfError, match="protected by a password"):
        inspect_pdf(shared_data / "pdf" / "odl_password.pdf")
