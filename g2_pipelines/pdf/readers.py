"""The caller's side of ``reader``: its processes, kept for the next document of this process.

Here: starting them, one document at a time in each, the limit of time, and what reading cost.
Threads may read at the same time: each takes a reader of its own. A reader that fails in any
way is ended and never used again. For ``parse``.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from g2_pipelines.errors import G2Error

#: Readers kept without work; more only while more documents are read at the same time.
KEPT = 2
#: Seconds in which a reader must have loaded its engines, on a machine busy with other things.
START_S = 120.0


class PdfReaderStartError(G2Error):
    """The process that reads PDFs could not be started: a fault of the installation."""

    code = "pdf_reader_start"


class _GoneError(Exception):
    """The reader ended before the document's fork began."""


class _Reader:
    """One process of ``reader``."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        self._rest = b""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "g2_pipelines.pdf.reader"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            start_new_session=True,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("both were asked for")
        self._ask, self._told = self._process.stdin, self._process.stdout

    def read(self, request: Path, timeout_s: float) -> dict[str, Any] | None:
        """How the document's fork ended, None when its time was up and it was killed.

        Raises:
            _GoneError: The document was not begun.
        """
        try:
            self._ask.write(os.fsencode(request) + b"\n")
        except OSError as error:
            raise _GoneError from error
        begun = self._answer(START_S)
        if not begun:
            raise _GoneError
        ended = self._answer(timeout_s)
        if ended is None:
            # Its number is its own until the reader has waited for it: that comes next.
            with suppress(ProcessLookupError):
                os.killpg(begun["pid"], signal.SIGKILL)
        return ended

    def _answer(self, timeout_s: float) -> dict[str, Any] | None:
        """The next line of the process; None when the time is up, empty when it is gone."""
        end = time.monotonic() + timeout_s
        while b"\n" not in self._rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._told], [], [], left)[0]:
                return None
            read = os.read(self._told.fileno(), 4096)
            if not read:
                return {}
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def last_words(self) -> str:
        """The last line that the process wrote to stderr, once it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else "no message"

    def close(self) -> None:
        """Ends the process, and with it the fork that it runs."""
        self._ask.close()
        self._told.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()


class _Pool:
    """The readers without work, and what all reading cost."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.idle: list[_Reader] = []
        self.used = {"cpu_s": 0.0, "peak_mb": 0.0}


_pool = _Pool()


def run_reader(
    request: Path, *, environment: dict[str, str], timeout_s: float
) -> dict[str, Any] | None:
    """Reads the document of a request's file in a fork of a reader.

    ``environment`` is the readers' whole environment. Returns the fork's ``status`` (negative:
    the signal that ended it), ``cpu_s`` and ``peak_mb``; nothing of it when the reader went down
    with the document; None when the time was up.

    Raises:
        PdfReaderStartError: No reader could be started.
    """
    while True:  # ends: kept readers that have ended are used up, a fresh one reads or raises
        with _pool.lock:
            reader = _pool.idle.pop() if _pool.idle else None
        fresh = reader is None
        reader = reader or _Reader(environment)
        healthy = False
        try:
            answer = reader.read(request, timeout_s)
            healthy = bool(answer)
        except _GoneError:
            # A kept reader may have ended by itself while it had no work.
            if fresh:
                raise PdfReaderStartError(
                    f"The PDF reader did not start ({reader.last_words()})",
                    file=str(request),
                    remedy="Run `g2 doctor`, and install the project's packages again",
                ) from None
            continue
        finally:
            _put_back(reader, healthy=healthy)
        if answer:
            with _pool.lock:
                _pool.used["cpu_s"] += answer["cpu_s"]
                _pool.used["peak_mb"] = max(_pool.used["peak_mb"], answer["peak_mb"])
        return answer


def _put_back(reader: _Reader, *, healthy: bool) -> None:
    with _pool.lock:
        kept = healthy and len(_pool.idle) < KEPT
        if kept:
            _pool.idle.append(reader)
    if not kept:
        reader.close()


def readers_usage() -> dict[str, float]:
    """``cpu_s`` of all documents read by this process so far, ``peak_mb`` of the largest process."""
    with _pool.lock:
        return dict(_pool.used)


def close_readers() -> None:
    """Ends the readers that wait for work."""
    with _pool.lock:
        waiting, _pool.idle = _pool.idle, []
    for reader in waiting:
        reader.close()


def _forget() -> None:
    """In a fork of this process: the readers are the parent's, and the lock may be taken."""
    _pool.lock = threading.Lock()
    _pool.idle.clear()


atexit.register(close_readers)
os.register_at_fork(after_in_child=_forget)
