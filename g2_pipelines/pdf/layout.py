"""Asks a layout engine for the blocks of pages, and takes what comes before the time is up.

Here: running ``layout_engine`` and reading its answers line by line. Pages that it gave up,
or had no time for, come back with the reason; ``document`` then lays them out from PDFium's
lines. Runs inside the worker process; all processes stay in its group, so that one signal
ends them all.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Layout:
    """Per page (from 1) the engine's blocks; pages it gave up with the reason."""

    pages: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)
    #: Pages whose blocks are not docvortex's: the engine's name.
    by: dict[int, str] = field(default_factory=dict)


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
    command = [sys.executable, "-P", "-m", "g2_pipelines.pdf.layout_engine", engine, path]
    process = subprocess.Popen(  # noqa: S603
        [*command, *(str(page - 1) for page in pages)],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    timer = threading.Timer(max(0.0, deadline - time.monotonic()), process.kill)
    timer.start()
    try:
        for line in process.stdout or ():
            _take(layout, line)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
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
