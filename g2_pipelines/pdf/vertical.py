"""Vertical Japanese: pages whose characters run downwards, columns from right to left.

Here: telling such a page from its characters and turning it so that the rules for horizontal
lines apply: a column becomes a line, the rightmost the topmost, and tiers become columns for
the XY cut. PDFium's own order is of no use here (similarity to the text ≤ .30 on a page of
two tiers). Pure functions; for ``pdfium`` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.pdf.geometry import Box, Glyph, Run, around, turned
from g2_pipelines.pdf.glyphs import Mark, is_cjk

#: Steps from one Japanese character to the next that are judged, and the share going down.
MIN_STEPS, DOWN_SHARE = 20, 0.6
#: A gap of this many glyphs down a column ends a run (the space between two tiers).
GAP = 1.6


def is_vertical(marks: Sequence[Mark]) -> bool:
    """True when most Japanese characters stand under the one before them."""
    boxes = [box for text, box, _ in marks if box is not None and is_cjk(text)]
    down = across = 0
    for before, box in pairwise(boxes):
        size = max(before.height, box.height, 1.0)
        dx = abs(box.centre[0] - before.centre[0])
        dy = box.centre[1] - before.centre[1]
        down += dx < 0.3 * size and 0.4 * size < dy < 2 * size
        across += abs(dy) < 0.3 * size and 0.2 * size < dx < 2 * size
    return down >= MIN_STEPS and down >= DOWN_SHARE * (down + across)


def vertical_runs(marks: Sequence[Mark], width: float, height: float) -> list[Run]:
    """Runs of a vertical page of that size, on the page turned by 270 degrees."""
    glyphs = [
        Glyph(text, turned(box, 270, width, height))
        for text, box, _ in marks
        if box is not None and not text.isspace()
    ]
    columns: list[list[Glyph]] = []
    for glyph in sorted(glyphs, key=lambda g: (g.box.centre[1], g.box.x0)):
        if columns and _same_column(columns[-1][0].box, glyph.box):
            columns[-1].append(glyph)
        else:
            columns.append([glyph])
    return [run for column in columns for run in _column_runs(column)]


def _same_column(first: Box, box: Box) -> bool:
    return abs(first.centre[1] - box.centre[1]) < 0.4 * max(first.height, box.height)


def _column_runs(column: Sequence[Glyph]) -> list[Run]:
    ordered = sorted(column, key=lambda glyph: glyph.box.x0)
    groups = [[ordered[0]]]
    for before, glyph in pairwise(ordered):
        if glyph.box.x0 - before.box.x1 > GAP * max(before.box.width, glyph.box.width):
            groups.append([])
        groups[-1].append(glyph)
    return [
        Run("".join(g.text for g in group), around(g.box for g in group), tuple(group))
        for group in groups
    ]
