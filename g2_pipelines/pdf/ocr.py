"""Pages without usable text, read by OCR: which they are, the request, lines as runs.

Here: what counts as unusable (no text layer under a picture, or a layer whose fonts name no
characters), the budget of pages, and recognised lines as the runs that a text layer would
have given. Running ``ocr_engine``, whose answers are taken as they come, so that what is read
before the time is up counts. Runs inside the worker process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from g2_pipelines.pdf.geometry import Box, Glyph, PageText, Rule, Run, turned
from g2_pipelines.pdf.glyphs import is_cjk

#: A layer of which more characters than this have no Unicode value is nonsense.
GARBLED_SHARE = 0.5
Line = tuple[str, Box]


@dataclass(frozen=True)
class AreaRead:
    """Lines of text of an area and, of a whole page, its straight lines."""

    lines: list[Line]
    rules: list[Box] = field(default_factory=list)


def needs_ocr(page: PageText) -> bool:
    """True for a drawable page whose text stands in pictures or in fonts without characters."""
    if not page.drawable:
        return False
    if not page.chars:
        return bool(page.images or page.rules)
    return page.unmapped > GARBLED_SHARE


def read_areas(
    path: str,
    areas: Sequence[tuple[int, Box | None]],
    *,
    environment: Mapping[str, str],
    deadline: float,
    max_pixels: int,
) -> tuple[dict[int, AreaRead], dict[int, str]]:
    """What was read by number of area, and why others were not read; never waits past ``deadline``.

    ``areas``: page (from 1) and box in points of the displayed page, None for all of it.
    """
    found: dict[int, AreaRead] = {}
    failed: dict[int, str] = {}
    if not areas:
        return found, failed
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-P", "-m", "g2_pipelines.pdf.ocr_engine", path, str(max_pixels)],
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    timer = threading.Timer(max(0.0, deadline - time.monotonic()), process.kill)
    timer.start()
    try:
        if process.stdin is not None:
            # Killed before it read: without time left, the reason stands below.
            with suppress(BrokenPipeError), process.stdin as request:
                json.dump([[page, *(box or ())] for page, box in areas], request)
        for line in process.stdout or ():
            if line.endswith("\n"):
                answer = json.loads(line)
                if "failed" in answer:
                    failed[answer["area"]] = answer["failed"]
                else:
                    read = answer["read"]
                    found[answer["area"]] = AreaRead(
                        [(text, Box(*box)) for text, *box in read["lines"]],
                        [Box(*box) for box in read["rules"]],
                    )
    finally:
        timer.cancel()
        process.kill()
        process.wait()
    late = "no time left for OCR" if time.monotonic() >= deadline else "rapidocr failed"
    for k in range(len(areas)):
        if k not in found:
            failed.setdefault(k, late)
    return found, failed


def with_ocr(
    pages: Sequence[PageText],
    path: str,
    *,
    environment: Mapping[str, str],
    deadline: float,
    max_pixels: int,
    budget: int,
) -> list[PageText]:
    """``pages`` with those that need it read by OCR, the first ``budget`` of them.

    A page that was read has ``ocr`` set and its runs replaced; one that was not keeps what it
    had, with the reason as a warning.
    """
    wanted = [page.page for page in pages if needs_ocr(page)]
    asked = wanted[:budget]
    found, failed = read_areas(
        path,
        [(page, None) for page in asked],
        environment=environment,
        deadline=deadline,
        max_pixels=max_pixels,
    )
    over = f"OCR's budget of {budget} pages is used up: not read"
    reasons = {**dict.fromkeys(wanted, over), **{asked[k]: failed[k] for k in failed}}
    reads = {asked[k]: found[k] for k in found}
    result = []
    for page in pages:
        if page.page in reads:
            result.append(_read(page, reads[page.page]))
        elif page.page in reasons:
            result.append(replace(page, warnings=(*page.warnings, reasons[page.page])))
        else:
            result.append(page)
    return result


def _read(page: PageText, read: AreaRead) -> PageText:
    lines = [line for line in read.lines if line[0].strip()]  # a recogniser may return blank ones
    if not lines:
        return replace(page, warnings=(*page.warnings, "OCR found no text on the page"))
    why = "no text layer" if not page.chars else "the text layer is nonsense"
    size = page.shown_size
    runs = tuple(line_run(text, turned(box, page.turn, *size)) for text, box in lines)
    rules = tuple(Rule(turned(box, page.turn, *size)) for box in read.rules)
    return replace(
        page,
        runs=runs,
        rules=rules,
        shapes=(),
        ocr=True,
        warnings=(*page.warnings, f"{why}: read by OCR"),
    )


def line_run(text: str, box: Box) -> Run:
    """A recognised line as a run, its characters spread evenly (Japanese ones twice as wide)."""
    clean = " ".join(text.split())
    widths = [2.0 if is_cjk(char) else 1.0 for char in clean]
    unit = box.width / sum(widths)
    glyphs, x = [], box.x0
    for char, width in zip(clean, widths, strict=True):
        if not char.isspace():
            glyphs.append(Glyph(char, Box(x, box.y0, x + width * unit, box.y1)))
        x += width * unit
    return Run(text=clean, box=box, glyphs=tuple(glyphs))
