"""The process that reads PDFs one after another, each in a fork: ``python -m g2_pipelines.pdf.reader``.

Here: loading the engines once and forking for each request that comes on stdin, the path of a
request's file a line. It answers ``{"pid": n}`` when the fork has begun and ``{"status": …,
"cpu_s": …, "peak_mb": …}`` when it and all it started are gone. This process itself opens no
document, so that nothing of one reaches the next. It ends when its stdin does, and kills what it
runs; idle, it ends by itself. Started by ``readers`` only.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TextIO

from g2_pipelines.pdf import layout, layout_engine, worker
from g2_pipelines.pdf.contain import die_with_parent, limit_memory
from g2_pipelines.pdf.values import WorkerRequest

#: Seconds without a document after which the process gives its memory back.
IDLE_S = 120.0
#: The collector's threshold while one document is read: its objects live to its end anyway.
GC_OBJECTS = 100_000


def load() -> None:
    """Imports all that a document may need, but OCR: half a second, once for all documents."""
    import PIL.PngImagePlugin  # noqa: F401

    import g2_pipelines.pdf.chunks
    import g2_pipelines.pdf.document
    import g2_pipelines.pdf.nodes
    import g2_pipelines.pdf.pdfium_page
    import g2_pipelines.pdf.picture_text
    import g2_pipelines.pdf.pictures
    import g2_pipelines.pdf.table_cells  # noqa: F401

    for engine in layout_engine.ENGINES:
        layout_engine.load(engine)


def serve(out: TextIO) -> None:
    """Reads documents until stdin ends."""
    wake, ring = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(ring, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ring)
    gc.collect()
    gc.freeze()
    while select.select([0], [], [], IDLE_S)[0]:
        path = _line()
        if not path:
            return
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for descriptor in (out.fileno(), wake, ring):
                os.close(descriptor)
            _read(Path(path))
        _say(out, {"pid": child})
        if not _ended(child, wake):
            return
        _, status, used = os.wait4(child, 0)
        code = os.waitstatus_to_exitcode(status)
        cpu_s = round(used.ru_utime + used.ru_stime, 4)
        _say(out, {"status": code, "cpu_s": cpu_s, "peak_mb": used.ru_maxrss // 1024})


def _line() -> str:
    """The next line of stdin, "" at its end; one byte at a time, so that none is kept back."""
    read = b""
    while not read.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            return ""
        read += byte
    return os.fsdecode(read[:-1])


def _say(out: TextIO, message: dict[str, int | float]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


def _ended(child: int, wake: int) -> bool:
    """Waits for the fork and ends its group; False when the caller is gone."""
    while True:
        # Not reaped yet: its number, and so its group's, is not another process's.
        over = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        heard = [] if over else select.select([0, wake], [], [])[0]
        if over or 0 in heard:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            return over
        with suppress(BlockingIOError):
            os.read(wake, 4096)


def _read(path: Path) -> NoReturn:
    """The fork's life: one document."""
    code = 1
    try:
        os.setsid()
        die_with_parent()
        work = path.parent
        errors = os.open(work / "stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(errors, 2)
        request = WorkerRequest.model_validate_json(path.read_bytes())
        os.environ.clear()
        os.environ.update(request.environment)
        tempfile.tempdir = None
        limit_memory(request.limits.memory_mb)
        # Before the first byte of the document is read: the engines begin as clean as this fork.
        layout.prepare(layout_engine.ENGINES)
        gc.set_threshold(GC_OBJECTS, 20, 20)
        worker.work(request)
        code = 0
    except BaseException:  # noqa: BLE001 - a fork must never go on as its parent
        traceback.print_exc()
    finally:
        os._exit(code)


def main() -> None:
    """Loads the engines and serves; see the module's docstring."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The engines print what they like; only this descriptor reaches the caller.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        load()
        serve(out)


if __name__ == "__main__":
    main()
    sys.exit(0)
