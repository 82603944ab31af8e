"""The process around the parser: its limits, and that the caller survives."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from g2_pipelines.pdf.contain import forked
from g2_pipelines.pdf.errors import BrokenPdfError, PdfMemoryError, PdfTimeoutError, PdfTooLongError
from g2_pipelines.pdf.geometry import DAMAGED
from g2_pipelines.pdf.parse import PdfLimits, parse_pdf
from g2_pipelines.pdf.values import WorkerReply, WorkerRequest
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


def pdf_of(kids: str) -> bytes:
    """A PDF whose page tree names ``kids``; object 3 is a page that says so."""
    content = b"BT /F 24 Tf 50 100 Td (A page that can be read) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {kids.count('R')} /Kids [{kids}] >>".encode(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R "
        b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"(no page at all)",
    ]
    body = b"%PDF-1.4\n"
    for number, item in enumerate(objects, 1):
        body += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    return body + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def in_this_process(path: Path, folder: Path) -> WorkerReply:
    """The worker's own steps without its process, with no time left for the layout engine."""
    request = WorkerRequest(
        path=str(path),
        name=path.name,
        document_id="d",
        staging=str(folder),
        reply=str(folder / "reply.json"),
        limits=PdfLimits(timeout_s=1),
        environment={"PYTHONPATH": ":".join(sys.path)},
    )
    return answer(request, started=-1000.0)


def test_a_damaged_page_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    path = tmp_path / "damaged.pdf"
    path.write_bytes(pdf_of("3 0 R 5 0 R"))
    result = in_this_process(path, tmp_path).result
    assert result is not None
    assert [page.warnings[0] for page in result.pages][1] == DAMAGED
    assert [node.text for node in result.nodes] == ["A page that can be read"]


def test_a_document_of_damaged_pages_only_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "damaged.pdf"
    path.write_bytes(pdf_of("5 0 R"))
    failure = in_this_process(path, tmp_path).failure
    assert failure is not None
    assert (failure.code, failure.file) == ("pdf_broken", "damaged.pdf")


def test_without_time_for_a_layout_the_pages_are_read_as_plain_lines(tmp_path: Path) -> None:
    reply = in_this_process(ENGLISH, tmp_path)
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


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's promise is Linux's")
def test_a_worker_dies_with_its_killed_parent() -> None:
    """Else a cancelled run leaves a parser behind that works on for minutes."""
    child = (
        "import time; from g2_pipelines.pdf.contain import die_with_parent;"
        "die_with_parent(); print('up', flush=True); time.sleep(60)"
    )
    code = (
        "import subprocess, sys, time;"
        f"p = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True,"
        " stdout=subprocess.PIPE); p.stdout.readline(); print(p.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while _running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(pid)


def _running(pid: int) -> bool:
    """True while the process exists and is no zombie that nobody has waited for."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_page_without_a_size_is_read_and_not_drawn(tmp_path: Path) -> None:
    path = tmp_path / "flat.pdf"
    path.write_bytes(pdf_of("3 0 R").replace(b"[0 0 400 200]", b"[0 0 0 0]    "))
    result = in_this_process(path, tmp_path).result
    if result is not None and min(result.pages[0].width_pt, result.pages[0].height_pt) == 0:
        assert result.pages[0].image is None
        assert "no page picture" in " ".join(result.pages[0].warnings)
    assert not list(tmp_path.glob("page-*.png")) or result is not None


def test_a_title_of_half_a_character_is_none(tmp_path: Path) -> None:
    path = tmp_path / "title.pdf"
    content = pdf_of("3 0 R").replace(b"(no page at all)", b"<< /Title <FEFFD800> >>")
    path.write_bytes(content.replace(b"/Root 1 0 R", b"/Root 1 0 R /Info 5 0 R"))
    result = in_this_process(path, tmp_path).result
    assert result is not None
    assert result.nodes[0].text == "A page that can be read"


def test_characters_outside_the_page_are_left_out_and_said(tmp_path: Path) -> None:
    path = tmp_path / "marks.pdf"
    path.write_bytes(
        pdf_of("3 0 R").replace(b"BT /F 24", b"BT /F 9 Tf 50 -40 Td (slug) Tj ET BT /F 24")
    )
    result = in_this_process(path, tmp_path).result
    assert result is not None
    assert [node.text for node in result.nodes] == ["A page that can be read"]
    assert result.pages[0].warnings[0].startswith("4 characters outside the page")
    assert result.quality.kept_share == 1.0


def test_embedded_files_and_scripts_are_said(tmp_path: Path) -> None:
    path = tmp_path / "more.pdf"
    names = (
        b"/Names << /EmbeddedFiles << /Names [(a.exe) << /Type /Filespec /F (a.exe) >>] >> "
        b"/JavaScript << /Names [(x) << /S /JavaScript /JS (while\\(1\\);) >>] >> >> /Pages"
    )
    path.write_bytes(pdf_of("3 0 R").replace(b"/Pages 2 0 R", names + b" 2 0 R", 1))
    result = in_this_process(path, tmp_path).result
    assert result is not None
    assert result.quality.warnings[:2] == ["1 embedded files are not read", "1 scripts are not run"]


def test_a_fork_that_raises_ends_there() -> None:
    """Else it goes on as its parent and both write the same answers."""

    def fails() -> object:
        raise ValueError

    pid = os.getpid()
    assert forked(fails, 5) == (None, "failed")
    assert os.getpid() == pid
    assert forked(lambda: [1, "二"], 5) == ('[1, "二"]', "")


def test_importing_the_parser_loads_no_engine() -> None:
    code = (
        "import sys, g2_pipelines.pdf.parse, g2_pipelines.pdf.markdown;"
        "assert not {'pypdfium2', 'docvortex', 'liteparse', 'PIL'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
