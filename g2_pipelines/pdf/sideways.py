"""Text that runs up or down the side of a chart or table on an upright page.

PDFium gives its letters one by one, and read as lines they would stand in the wrong order, one
a line. Here: ``with_sideways``, which puts them together again. A whole page that stands
sideways is turned before. Pure; for ``pdfium_page``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.pdf.geometry import Box, Glyph, Run, around

#: So many letters stacked make a text; of them this share must be wider than high by so much,
#: which letters that stand upright are not.
LEAST, LYING_SHARE, LYING = 3, 0.7, 1.15
#: Between letters: at most this share of their size, and from that share on a space.
REACH, SPACE = 1.0, 0.12
#: So many sideways runs, level within this (points), tell that letters beside them lie too.
BESIDE, SAME = 3, 1.0


def with_sideways(runs: Sequence[Run]) -> list[Run]:
    """The runs with letters stacked in the layer's order, up or down, as one run each."""
    pieces: list[list[Run]] = []
    stack: list[Run] = []
    for run in runs:
        if stack and not _goes_on(stack, run):
            pieces.append(stack)
            stack = []
        if len(run.glyphs) == 1:
            stack.append(run)
        else:
            pieces.append([run])
    pieces.append(stack)
    settled = [_settled(piece) for piece in pieces]
    beside = [run.box for piece in settled for run in piece if is_sideways(run)]
    return [run for piece in settled for run in _level(piece, beside)]


def is_sideways(run: Run) -> bool:
    """True for a run of several letters that is higher than wide."""
    return len(run.glyphs) >= LEAST and run.box.height > 2 * run.box.width


def _goes_on(stack: Sequence[Run], run: Run) -> bool:
    if len(run.glyphs) != 1:
        return False
    before, box = stack[-1].box, run.box
    if before.across(box) < 0.7 * min(before.width, box.width):
        return False
    if not -0.3 * box.width < -before.down(box) < REACH * max(before.width, box.width):
        return False
    if len(stack) == 1:
        return True
    return (stack[-2].box.centre[1] > before.centre[1]) == (before.centre[1] > box.centre[1])


def _settled(stack: Sequence[Run]) -> list[Run]:
    lying = sum(run.box.width > LYING * run.box.height for run in stack)
    if len(stack) < LEAST or lying < LYING_SHARE * len(stack):
        return list(stack)
    return [_one(stack)]


def _level(stack: Sequence[Run], beside: Sequence[Box]) -> list[Run]:
    """The letters as one run where they begin or end with several sideways runs as wide: «WSJ»
    lies as these do, though its letters are as high as wide.
    """
    if len(stack) < LEAST or not beside:
        return list(stack)
    box = around(run.box for run in stack)
    level = sum(
        abs(other.width - box.width) < SAME
        and min(abs(other.y0 - box.y0), abs(other.y1 - box.y1)) < SAME
        for other in beside
    )
    return [_one(stack)] if level >= BESIDE and box.height > 2 * box.width else list(stack)


def _one(stack: Sequence[Run]) -> Run:
    glyphs = tuple(glyph for run in stack for glyph in run.glyphs)
    return Run(_text(glyphs), around(glyph.box for glyph in glyphs), glyphs)


def _text(glyphs: Sequence[Glyph]) -> str:
    text = glyphs[0].text
    for before, glyph in pairwise(glyphs):
        gap = -before.box.down(glyph.box)
        text += (" " if gap > SPACE * glyph.box.width else "") + glyph.text
    return text
