"""Asks a layout engine for the blocks of pages, and takes what comes before the time is up.

Here: running ``layout_engine``, in a fork that was made before the document was opened or in
an interpreter of its own, and reading its answers line by line. Pages that it gave up, or had
no time for, come back with the reason; ``document`` then lays them out from PDFium's lines.
Runs inside the worker process; all processes stay in its group, so that one signal ends them
all.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from g2_pipelines.pdf import layout_engine


@dataclass(frozen=True)
class Layout:
    """Per page (from 1) the engine's blocks; pages it gave up with the reason."""

    pages: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)
    #: Pages whose blocks are not docvortex's: the engine's name.
    by: dict[int, str] = field(default_factory=dict)


class _Helper:
    """A fork that waits for its one request: an engine that is loaded already."""

    def __init__(self, engine: str) -> None:
        asked, self._ask = os.pipe()
        self._told, told = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            code = 1
            try:
                os.close(self._ask)
                os.close(self._told)
                layout_engine.helper(engine, asked, told)
                code = 0
            finally:
                os._exit(code)
        os.close(asked)
        os.close(told)

    def ask(self, path: str, pages: Sequence[int]) -> None:
        """Gives it its request."""
        with suppress(BrokenPipeError), os.fdopen(self._ask, "w", encoding="utf-8") as request:
            request.write(json.dumps([path, list(pages)]) + "\n")

    def answers(self) -> Iterator[str]:
        """Its answers, a line each, until it ends."""
        with os.fdopen(self._told, encoding="utf-8") as answers:
            yield from answers

    def kill(self) -> None:
        """Ends it now."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def end(self) -> None:
        """Ends it and waits for it."""
        self.kill()
        os.waitpid(self._pid, 0)


class _Process:
    """A new interpreter that runs the engine."""

    def __init__(
        self, engine: str, environment: Mapping[str, str], path: str, pages: Sequence[int]
    ) -> None:
        command = [sys.executable, "-P", "-m", "g2_pipelines.pdf.layout_engine", engine, path]
        self._process = subprocess.Popen(  # noqa: S603
            [*command, *map(str, pages)],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    def answers(self) -> Iterator[str]:
        """Its answers, a line each, until it ends."""
        yield from self._process.stdout or ()

    def kill(self) -> None:
        """Ends it now."""
        self._process.kill()

    def end(self) -> None:
        """Ends it and waits for it."""
        self._process.kill()
        self._process.wait()


_helpers: dict[str, _Helper] = {}


def prepare(engines: Sequence[str]) -> None:
    """Forks a helper for each of the engines, for the next ``read_layout`` that asks for it.

    For a process that has the engines loaded and has read nothing of a document yet.
    """
    for engine in engines:
        _helpers[engine] = _Helper(engine)


def read_layout(
    engine: str,
    path: str,
    pages: Sequence[int],
    *,
    environment: Mapping[str, str],
    deadline: float,
) -> Layout:
    """Blocks of ``pages`` (from 1) by ``engine``; never waits past ``deadline`` (monotonic)."""
    layout = Layout()
    if not pages:
        return layout
    numbers = [page - 1 for page in pages]
    process: _Helper | _Process
    if (helper := _helpers.pop(engine, None)) is not None:
        helper.ask(path, numbers)
        process = helper
    else:
        process = _Process(engine, environment, path, numbers)
    timer = threading.Timer(max(0.0, deadline - time.monotonic()), process.kill)
    timer.start()
    try:
        for line in process.answers():
            _take(layout, line)
    finally:
        timer.cancel()
        process.end()
    late = f"no time left for {engine}" if time.monotonic() >= deadline else f"{engine} failed"
    for page in pages:
        if page not in layout.pages:
            layout.failed.setdefault(page, late)
    return layout


def _take(layout: Layout, line: str) -> None:
    if not line.endswith("\n"):
        return  # cut off by the kill
    answer = json.loads(line)
    numbers = [page + 1 for page in answer["pages"]]
    if "failed" in answer:
        layout.failed.update(dict.fromkeys(numbers, answer["failed"]))
    else:
        layout.pages.update(zip(numbers, answer["blocks"], strict=True))
