"""Heads over several columns of a grid whose standing rules cut through their words.

Here: a ruled row of heads with words that stand over a border made two rows: above what spans
columns, below the head of each. Pure functions; for ``tables`` only.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.pdf.columns import nearest
from g2_pipelines.pdf.geometry import Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.head_spans import spans_of
from g2_pipelines.pdf.phrases import Phrase, line_of
from g2_pipelines.tables.rows import Cell

#: A title's row and one of units may stand over the heads.
HEAD_ROWS = 3
#: Letters nearer than this share of their height are of one word.
WORD_GAP = 0.12
#: A head that spans stands over so many columns at least.
LEAST = 2


def with_whole_heads(
    cells: Sequence[Cell], xs: Sequence[float], ys: Sequence[float], runs: Sequence[Run]
) -> list[Cell]:
    """The grid's cells with the first row of heads that borders cut made two rows.

    As they are where the words are not sure to span columns. ``xs``, ``ys``: the borders.
    """
    columns = list(pairwise(xs))
    for r, (top, low) in enumerate(pairwise(ys[: HEAD_ROWS + 1])):
        row = [cell for cell in cells if cell.row == r]
        if len(row) != len(columns) or any(cell.rowspan > 1 for cell in row):
            continue
        own = [run for run in runs if top <= run.box.centre[1] < low]
        if not any(_is_cut(run, xs) for run in own):
            continue
        heads = _two_rows(own, xs)
        if _chars(heads) != _chars(row):
            return list(cells)
        return [
            *(c.model_copy(update={"header": True}) for c in cells if c.row < r),
            *(cell.model_copy(update={"row": cell.row + r}) for cell in heads),
            *(c.model_copy(update={"row": c.row + 1}) for c in cells if c.row > r),
        ]
    return list(cells)


def _is_cut(run: Run, xs: Sequence[float]) -> bool:
    """True for a run with a border between two letters of one word."""
    return any(
        bisect_right(xs, a.box.centre[0]) != bisect_right(xs, b.box.centre[0])
        and b.box.x0 - a.box.x1 < WORD_GAP * run.box.height
        for a, b in pairwise(run.glyphs)
    )


def _two_rows(runs: Sequence[Run], xs: Sequence[float]) -> list[Cell]:
    """The heads of a first line over the columns they span, then a head a column, or nothing."""
    first, *rest = [line_of(group) for group in visual_lines(runs)]
    columns = list(pairwise(xs))
    names: list[list[Phrase]] = [[] for _ in columns]
    for line in rest:
        for phrase in line.phrases:
            names[nearest(columns, phrase.box)].append(phrase)
    below = {
        k: (around(phrase.box for phrase in found), " ".join(phrase.whole for phrase in found))
        for k, found in enumerate(names)
        if found
    }
    spans = spans_of(first.phrases, columns, below, [], spanning=True)
    if not rest or any(len(span) < LEAST for span in spans):
        return []
    upper = {
        span[0]: (len(span), phrase.whole)
        for phrase, span in zip(first.phrases, spans, strict=True)
    }
    cells, column = [], 0
    while column < len(columns):
        wide, text = upper.get(column, (1, ""))
        cells.append(Cell(row=0, col=column, colspan=wide, text=text, header=True))
        column += wide
    return cells + [
        Cell(row=1, col=k, text=below[k][1] if k in below else "", header=True)
        for k in range(len(columns))
    ]


def _chars(cells: Sequence[Cell]) -> Counter[str]:
    return Counter(char for cell in cells for char in cell.text if not char.isspace())
