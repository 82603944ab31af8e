"""The sample PDFs read once a session, and small pages made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from g2_pipelines.pdf.geometry import Box, Glyph, PageText, Run
from g2_pipelines.pdf.parse import ParsedPdf, PdfLimits, parse_pdf

SAMPLES = Path(__file__).parents[2] / "g2_pipelines" / "corpus" / "pdfs"


def read(path: Path, folder: Path, **limits: float) -> ParsedPdf:
    """The PDF read with time enough for a machine that many share, pictures in it unread."""
    chosen = PdfLimits.model_validate({"timeout_s": 600, "ocr_pictures": 0, **limits})
    return parse_pdf(path, document_id="sample", images_dir=folder, limits=chosen)


def run(text: str, x: float, y: float, *, size: float = 10, soft: bool = False) -> Run:
    """A run of square glyphs of ``size`` points, its top left at (x, y)."""
    glyphs, at = [], x
    for char in text:
        if char != " ":
            glyphs.append(Glyph(char, Box(at, y, at + size, y + size)))
        at += size
    return Run(text, Box(x, y, at, y + size), tuple(glyphs), soft_hyphen=soft)


def page(runs: Sequence[Run], *, number: int = 1, height: float = 800) -> PageText:
    """A page of 600 points width that holds ``runs``."""
    return PageText(
        page=number,
        width=600,
        height=height,
        rotation=0,
        chars=sum(r.chars for r in runs),
        runs=tuple(runs),
        images=(),
        rules=(),
    )


@pytest.fixture(scope="session")
def aomine_images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("aomine")


@pytest.fixture(scope="session")
def aomine(aomine_images: Path) -> ParsedPdf:
    """The Japanese sample report."""
    return read(SAMPLES / "aomine_spindle_report_ja.pdf", aomine_images)


@pytest.fixture(scope="session")
def minato(tmp_path_factory: pytest.TempPathFactory) -> ParsedPdf:
    """The English sample paper."""
    return read(SAMPLES / "minato_cold_chain_en.pdf", tmp_path_factory.mktemp("minato"))
