"""Asks a layout engine for the blocks of pages, page by page bounded in processor time.

Here: starting ``layout_engine``, chunking pages, and what happens when it does not answer:
the chunk's pages are asked alone, and a page that still fails is given up (None), which
``blocks`` then lays out from PDFium's lines. Runs inside the worker process; all processes
stay in its group, so that one signal ends them all.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Pages asked at once: docvortex compares the pages of a chunk to find titles and furniture.
CHUNK_PAGES = 16
START_CPU_S = 4.0
#: Measured: docvortex .28 s a page in the mean; ≤ 5 s any page is this project's limit.
CHUNK_CPU_S_PER_PAGE = 1.0
PAGE_CPU_S = 5.0


@dataclass(frozen=True)
class Engine:
    """An engine's name, its version and the environment its processes get."""

    name: str
    version: str
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Layout:
    """Per page (from 1) the engine's blocks; pages it gave up with the reason."""

    pages: dict[int, list[dict[str, Any]]]
    failed: dict[int, str]


def read_layout(engine: Engine, path: str, pages: Sequence[int], *, deadline: float) -> Layout:
    """Blocks of ``pages`` (from 1) by ``engine``; never waits past ``deadline`` (monotonic)."""
    found: dict[int, list[dict[str, Any]]] = {}
    failed: dict[int, str] = {}
    chunks = [list(pages[i : i + CHUNK_PAGES]) for i in range(0, len(pages), CHUNK_PAGES)]
    while chunks:
        chunk = chunks.pop(0)
        if time.monotonic() >= deadline:
            failed.update(dict.fromkeys(chunk, "time for the document used up"))
            continue
        each = PAGE_CPU_S if len(chunk) == 1 else CHUNK_CPU_S_PER_PAGE * len(chunk)
        answer, reason = _ask(engine, path, chunk, START_CPU_S + each, deadline)
        if answer is not None:
            found.update(zip(chunk, answer, strict=True))
        elif len(chunk) > 1:
            chunks = [[page] for page in chunk] + chunks
        else:
            failed[chunk[0]] = reason
    return Layout(found, failed)


def _ask(
    engine: Engine, path: str, pages: Sequence[int], cpu_s: float, deadline: float
) -> tuple[list[list[dict[str, Any]]] | None, str]:
    command = [
        sys.executable,
        "-P",
        "-m",
        "g2_pipelines.pdf.layout_engine",
        engine.name,
        path,
        str(cpu_s),
        *(str(page - 1) for page in pages),
    ]
    try:
        done = subprocess.run(  # noqa: S603
            command,
            env=dict(engine.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=max(0.1, deadline - time.monotonic()),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"{engine.name} was still running when the document's time was up"
    if done.returncode != 0:
        how = "took too long" if done.returncode in (-24, -9) else "failed"
        return None, f"{engine.name} {how} (exit {done.returncode})"
    answer = json.loads(done.stdout)
    if not isinstance(answer, list) or len(answer) != len(pages):
        return None, f"{engine.name} answered for {len(answer)} of {len(pages)} pages"
    return answer, ""
