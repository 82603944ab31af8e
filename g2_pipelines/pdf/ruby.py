"""Ruby (furigana): small kana over kanji that say how these are read.

Here: telling them from text, so that they neither cut the lines below nor stand between them;
``document`` keeps a page's readings as one piece of furniture: outside order, index and edges,
but not lost. Brackets after the base, as HTML's fallback has them, would break the search for
the sentence that people see. Pure functions; for ``pdfium`` only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Run

#: A reading is at most this high, as a share of its base (half as a rule).
HEIGHT = 0.62
#: Its lower edge stands at most so many base heights above the base, or this deep in it.
ABOVE, INSIDE = 0.5, 0.3
MAX_READING = 16


def ruby_apart(runs: Sequence[Run]) -> tuple[list[Run], list[Run]]:
    """Text and readings, each in the given order."""
    if not any(_is_kana(run) for run in runs):
        return list(runs), []
    bases = sorted((run for run in runs if _has_kanji(run)), key=lambda run: run.box.y0)
    tops = [run.box.y0 for run in bases]
    text: list[Run] = []
    readings: list[Run] = []
    for run in runs:
        (readings if _is_kana(run) and _has_base(run, bases, tops) else text).append(run)
    return text, readings


def _is_kana(run: Run) -> bool:
    return run.chars <= MAX_READING and all("\u3041" <= g.text <= "\u30ff" for g in run.glyphs)


def _has_kanji(run: Run) -> bool:
    return any(_is_kanji(glyph.text) for glyph in run.glyphs)


def _is_kanji(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or char == "々"


def _has_base(run: Run, bases: Sequence[Run], tops: Sequence[float]) -> bool:
    """Whether kanji of at least 1 / HEIGHT its size stand right below the run."""
    height, x = run.glyphs[0].box.height, run.box.centre[0]
    # A base begins within ABOVE of its own height below the reading; bases are below 100 points.
    for base in bases[bisect_left(tops, run.box.y0) :]:
        if base.box.y0 > run.box.y1 + 100 * ABOVE:
            return False
        for glyph in base.glyphs:
            size = glyph.box.height
            under = -INSIDE * size <= glyph.box.y0 - run.box.y1 <= ABOVE * size
            near = glyph.box.x0 - size <= x <= glyph.box.x1 + size
            if under and near and height <= HEIGHT * size and _is_kanji(glyph.text):
                return True
    return False
