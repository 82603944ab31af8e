"""Readers serve many documents; what one document does to its fork costs only that document."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from g2_pipelines.pdf import readers
from g2_pipelines.pdf.errors import BrokenPdfError, PdfMemoryError, PdfTimeoutError
from g2_pipelines.pdf.parse import worker_environment
from g2_pipelines.pdf.readers import PdfReaderStartError, close_readers, readers_usage, run_reader
from g2_pipelines_tests.pdf.conftest import SAMPLES, read
from g2_pipelines_tests.pdf.test_parse import _running, pdf_of

pytestmark = pytest.mark.slow


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf_of("3 0 R"))
    return path


def _pids() -> list[int]:
    return [reader._process.pid for reader in readers._pool.idle]


def test_one_process_reads_document_after_document(page_file: Path, tmp_path: Path) -> None:
    close_readers()
    before = readers_usage()["cpu_s"]
    results = []
    for number in range(3):
        results.append(read(page_file, tmp_path / str(number)))
        assert len(_pids()) == 1
    assert len({result.model_dump_json() for result in results}) == 1
    assert results[0].nodes[0].text == "A page that can be read"
    assert readers_usage()["cpu_s"] > before
    assert readers_usage()["peak_mb"] > 10


def test_a_document_that_dies_costs_only_itself(page_file: Path, tmp_path: Path) -> None:
    read(page_file, tmp_path / "a")
    before = _pids()
    with pytest.raises(PdfMemoryError):
        read(page_file, tmp_path / "b", memory_mb=60)
    assert _pids() == before
    assert read(page_file, tmp_path / "c").nodes


def test_after_a_document_that_took_too_long_the_next_is_read(
    page_file: Path, tmp_path: Path
) -> None:
    with pytest.raises(PdfTimeoutError):
        read(SAMPLES / "minato_cold_chain_en.pdf", tmp_path / "a", timeout_s=0.1)
    assert read(page_file, tmp_path / "b").nodes


def test_a_reader_that_ended_while_it_had_no_work_is_replaced(
    page_file: Path, tmp_path: Path
) -> None:
    read(page_file, tmp_path / "a")
    gone = _pids()
    for pid in gone:
        os.kill(pid, signal.SIGKILL)
    assert read(page_file, tmp_path / "b").nodes
    assert not set(gone) & set(_pids())


def test_all_kept_readers_may_have_ended(page_file: Path, tmp_path: Path) -> None:
    close_readers()
    kept = [readers._Reader(worker_environment(tmp_path)) for _ in range(3)]
    for reader in kept:
        reader._process.kill()
        reader._process.wait()
    readers._pool.idle.extend(kept)
    assert read(page_file, tmp_path / "a").nodes
    assert len(_pids()) == 1


def test_a_reader_killed_at_its_work_is_a_failure_of_that_document(
    page_file: Path, tmp_path: Path
) -> None:
    close_readers()
    with ThreadPoolExecutor(1) as pool:
        read(page_file, tmp_path / "a")
        [pid] = _pids()
        slow = pool.submit(read, SAMPLES / "minato_cold_chain_en.pdf", tmp_path / "b")
        # Its fork has forked the engines: by then the caller has heard of it.
        while not any(_children(int(child)) for child in _children(pid)):
            time.sleep(0.005)
        time.sleep(0.2)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(BrokenPdfError):
            slow.result()
    assert read(page_file, tmp_path / "c").nodes


def test_threads_read_at_the_same_time(page_file: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda k: read(page_file, tmp_path / str(k)), range(4)))
    assert len({result.model_dump_json() for result in results}) == 1
    assert len(_pids()) <= readers.KEPT


def test_a_reader_that_cannot_start_says_why(tmp_path: Path) -> None:
    close_readers()
    environment = {"PATH": os.defpath, "PYTHONPATH": str(tmp_path), "PYTHONNOUSERSITE": "1"}
    (tmp_path / "pypdfium2.py").write_text("raise ImportError('no such library here')")
    with pytest.raises(PdfReaderStartError, match="no such library here"):
        run_reader(tmp_path / "request.json", environment=environment, timeout_s=5)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_readers_end_with_their_killed_caller(page_file: Path, tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path;"
        "from g2_pipelines.pdf.parse import parse_pdf; from g2_pipelines.pdf import readers;"
        f"parse_pdf(Path({str(page_file)!r}), document_id='d', images_dir=Path({str(tmp_path / 'i')!r}));"
        "print(readers._pool.idle[0]._process.pid, flush=True); time.sleep(60)"
    )
    caller = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert caller.stdout is not None
    pid = int(caller.stdout.readline())
    assert _running(pid)
    caller.kill()
    caller.wait()
    deadline = time.monotonic() + 20
    while _running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(pid)


def _children(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
