"""The process around the parser: its limits, and that the caller survives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from g2_pipelines.pdf.errors import BrokenPdfError, PdfMemoryError, PdfTimeoutError, PdfTooLongError
from g2_pipelines.pdf.parse import PdfLimits, parse_pdf
from g2_pipelines.pdf.values import WorkerRequest
from g2_pipelines.pdf.worker import answer
from g2_pipelines_tests.pdf.conftest import SAMPLES, read

ENGLISH = SAMPLES / "minato_cold_chain_en.pdf"


def test_a_document_that_takes_too_long_is_a_typed_failure_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "images"
    limits = PdfLimits(timeout_s=0.3)
    with pytest.raises(PdfTimeoutError) as caught:
        parse_pdf(ENGLISH, document_id="d", images_dir=folder, limits=limits)
    assert caught.value.file == "minato_cold_chain_en.pdf"
    assert "limit of time" in caught.value.remedy
    assert not folder.exists()
    children = subprocess.run(
        ["ps", "-eo", "args"], capture_output=True, text=True, check=True
    ).stdout
    assert str(tmp_path) not in children


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BrokenPdfError, match="no such file"):
        parse_pdf(tmp_path / "absent.pdf", document_id="d", images_dir=tmp_path)


@pytest.mark.slow
def test_a_document_that_needs_too_much_memory_is_a_typed_failure(tmp_path: Path) -> None:
    with pytest.raises(PdfMemoryError, match="more than 60 MB"):
        read(ENGLISH, tmp_path / "images", memory_mb=60)


@pytest.mark.slow
def test_a_document_with_too_many_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PdfTooLongError, match="4 pages, more than 3"):
        read(ENGLISH, tmp_path / "images", max_pages=3)


@pytest.mark.slow
def test_a_pdf_header_without_a_document_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "cut.pdf"
    path.write_bytes(ENGLISH.read_bytes()[:40])
    with pytest.raises(BrokenPdfError) as caught:
        read(path, tmp_path / "images")
    assert caught.value.file == "cut.pdf"


@pytest.mark.slow
def test_equal_input_gives_equal_rows_and_pictures(tmp_path: Path) -> None:
    first, second = (read(ENGLISH, tmp_path / name) for name in ("one", "two"))
    assert first.model_dump_json() == second.model_dump_json()
    names = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert names == sorted(file.name for file in (tmp_path / "two").iterdir())
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_without_time_for_a_layout_the_pages_are_read_as_plain_lines(tmp_path: Path) -> None:
    """In this process: the worker's own steps, with no time left for the layout engine."""
    request = WorkerRequest(
        path=str(ENGLISH),
        name=ENGLISH.name,
        document_id="d",
        staging=str(tmp_path),
        reply=str(tmp_path / "reply.json"),
        limits=PdfLimits(timeout_s=1),
        environment={"PYTHONPATH": ":".join(sys.path)},
    )
    reply = answer(request, started=-1000.0)
    assert reply.failure is None
    assert reply.result is not None
    assert reply.result.quality.pages_fallback == [1, 2, 3, 4]
    assert reply.result.quality.kept_share > 0.99
    assert "page 1: no time left for docvortex: plain lines" in reply.result.quality.warnings
    texts = [node.text for node in reply.result.nodes if node.order >= 0]
    left, right = "when it is meant to be eaten raw", "An excursion is a period of more"
    assert next(i for i, t in enumerate(texts) if left in t) < next(
        i for i, t in enumerate(texts) if right in t
    )


def test_importing_the_parser_loads_no_engine() -> None:
    code = (
        "import sys, g2_pipelines.pdf.parse, g2_pipelines.pdf.markdown;"
        "assert not {'pypdfium2', 'docvortex', 'liteparse', 'PIL'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
