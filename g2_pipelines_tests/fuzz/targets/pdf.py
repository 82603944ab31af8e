"""PDFs: each read as the worker reads it, in a fork that may die without taking the reader down.

``pdf`` runs the worker's own code with docvortex and liteparse in a fork of a process that has
them loaded, so that thousands of inputs take minutes; ``pdf-process`` starts the processes as
``parse_pdf`` does. What dies inside is the parser's containment at work and counted; a Python
fault of ours, a broken invariant or a use of the network is a finding.
"""

from __future__ import annotations

import io
import os
import random
import resource
import signal
import tempfile
import time
import traceback
from contextlib import suppress
from functools import cache
from pathlib import Path

from g2_pipelines.pdf import layout, layout_engine, worker
from g2_pipelines.pdf.errors import BrokenPdfError, PdfTimeoutError
from g2_pipelines.pdf.parse import parse_pdf
from g2_pipelines.pdf.values import ParsedPdf, PdfLimits, WorkerReply, WorkerRequest
from g2_pipelines_tests.fuzz import harness
from g2_pipelines_tests.fuzz.harness import Target
from g2_pipelines_tests.fuzz.pdfs import odd_pdf

#: Seconds of wall time after which the worker is killed; a typed failure, as in production.
TIMEOUT_S = 15.0
LIMITS = PdfLimits(
    timeout_s=TIMEOUT_S, max_pages=60, max_pixels=400_000, ocr_pages=0, ocr_pictures=0
)


@cache
def _load() -> None:
    """The engines, once a process."""
    import docvortex.analyzers.native.models
    import docvortex.document.source  # noqa: F401
    import liteparse  # noqa: F401

    import g2_pipelines.pdf.document
    import g2_pipelines.pdf.pdfium  # noqa: F401

    layout_engine.load("docvortex")


def _read_layout(engine: str, path: str, pages: list[int], **_: object) -> layout.Layout:
    """``layout.read_layout`` without a new interpreter: forks of this one, as the engine's."""
    out, found = io.StringIO(), layout.Layout()
    layout_engine.answer_pages(engine, path, [page - 1 for page in pages], out)
    for line in out.getvalue().splitlines(keepends=True):
        layout._take(found, line)
    return found


def read_forked(content: bytes) -> str:
    """The outcome of the worker's code on a PDF, in a fork with the time limit of a document."""
    _load()
    with tempfile.TemporaryDirectory(prefix="g2-fuzz-") as folder:
        work = Path(folder)
        (work / "staging").mkdir()
        (work / "a.pdf").write_bytes(content)
        request = WorkerRequest(
            path=str(work / "a.pdf"),
            name="a.pdf",
            document_id="d",
            staging=str(work / "staging"),
            reply=str(work / "reply.json"),
            limits=LIMITS,
            environment={},
        )
        child = os.fork()
        if child == 0:
            _answer(request, work)
        status = _status(child)
        if (work / "fault").exists():
            raise AssertionError((work / "fault").read_text(encoding="utf-8"))
        if status != 0 or not (work / "reply.json").exists():
            raise BrokenPdfError("The reader died inside", file="a.pdf", remedy="Print it anew")
        reply = WorkerReply.model_validate_json((work / "reply.json").read_bytes())
        return reply.failure.code if reply.failure else checked(reply.result)


def _answer(request: WorkerRequest, work: Path) -> None:
    """Never returns: the fork's life."""
    os.setsid()
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    seconds = int(2 * TIMEOUT_S)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    layout.read_layout = _read_layout  # type: ignore[assignment]
    harness._USED.clear()  # what threads of the parent did is none of the worker's
    try:
        reply = worker.answer(request, started=time.monotonic())
        assert not harness._USED, "the worker tried to use the network"
        Path(request.reply).write_text(reply.model_dump_json(), encoding="utf-8")
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is a finding
        if not any(sign in repr(error) for sign in ("MemoryError", "alloc", "new thread")):
            text = "".join(traceback.format_exception(error)[-4:])
            (work / "fault").write_text(text, encoding="utf-8")
    finally:
        os._exit(0)


def _status(child: int) -> int:
    """How the fork ended; killed with all it started when its time is up."""
    end = time.monotonic() + TIMEOUT_S
    try:
        while time.monotonic() < end:
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                return status
            time.sleep(0.005)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise PdfTimeoutError("Reading took too long", file="a.pdf", remedy="Split it")


def read_in_process(content: bytes) -> str:
    """The outcome of ``parse_pdf`` itself."""
    with tempfile.TemporaryDirectory(prefix="g2-fuzz-") as folder:
        path = Path(folder) / "a.pdf"
        path.write_bytes(content)
        images = Path(folder) / "images"
        return checked(parse_pdf(path, document_id="d", images_dir=images, limits=LIMITS))


def checked(parsed: ParsedPdf | None) -> str:
    """``read``, when the result keeps its promises."""
    assert parsed is not None
    assert 1 <= len(parsed.pages) <= LIMITS.max_pages
    sizes = {page.page: (page.width_pt, page.height_pt) for page in parsed.pages}
    assert sorted(sizes) == list(range(1, len(sizes) + 1))
    assert len({node.node_id for node in parsed.nodes}) == len(parsed.nodes)
    orders = [node.order for node in parsed.nodes if node.order >= 0]
    assert orders == list(range(len(orders)))
    for node in parsed.nodes:
        for region in node.regions:
            width, height = sizes[region.page]
            box = region.bbox
            assert 0 <= box.x0 <= box.x1 <= width + 0.01
            assert 0 <= box.y0 <= box.y1 <= height + 0.01
        for cell in node.cells:
            assert node.text[cell.start : cell.end] == cell.text
    return "read"


def make(rng: random.Random) -> bytes:
    """One odd PDF."""
    return odd_pdf(rng)


TARGETS = [
    Target("pdf", make, read_forked, share=1.6),
    Target("pdf-process", make, read_in_process, share=0.04),
]
