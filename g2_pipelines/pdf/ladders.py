"""Tables whose columns have lying rules of their own at the same heights, with white between.

Here: the columns and rows that such rules show, the words right over the first of them as heads,
and a column of painted boxes at the left whose sides stand at some of the heights, as cells over
several rows. Pure functions; for ``grids`` only.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.pdf.columns import Range
from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import join_runs
from g2_pipelines.tables.rows import Cell

#: A column has so many rules at least, none shorter than this (points).
LEAST, MIN_LENGTH = 4, 30.0
#: White between two columns (points); wider apart they are two tables.
GAP = 12.0
#: Heights that differ by less are one (points).
SAME = 1.5


def ladder_tables(page: PageText) -> list[Block]:
    """The page's tables of this kind with their cells."""
    places: dict[tuple[int, int], set[int]] = {}
    for rule in page.rules:
        if rule.horizontal and rule.box.width >= MIN_LENGTH:
            ends = (round(rule.box.x0), round(rule.box.x1))
            places.setdefault(ends, set()).add(round(rule.box.centre[1]))
    by_heights: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for ends, heights in sorted(places.items()):
        if len(heights) >= LEAST:
            by_heights.setdefault(tuple(sorted(heights)), []).append(ends)
    found = []
    for ys, columns in by_heights.items():
        gaps = [b[0] - a[1] for a, b in pairwise(columns)]
        if gaps and all(1 < gap < GAP for gap in gaps):
            stub = _stub(places, columns[0][0], ys)
            table = _table(page, columns, list(ys), stub)
            found += [table] if table else []
    return found


def _stub(
    places: dict[tuple[int, int], set[int]], left: int, ys: Sequence[int]
) -> tuple[tuple[int, int], list[int]] | None:
    """The boxes right left of the columns: their sides and heights; None without any."""
    for ends, heights in sorted(places.items(), reverse=True):
        level = sorted(y for y in heights if any(abs(y - at) < SAME for at in ys))
        if 1 < left - ends[1] < GAP and len(level) > 1 and level[0] - ys[0] < SAME:
            return ends, [*level, *sorted(y for y in heights if y > ys[-1] + SAME)[:1]]
    return None


def _table(
    page: PageText,
    columns: Sequence[Range],
    ys: list[int],
    stub: tuple[tuple[int, int], list[int]] | None,
) -> Block | None:
    """The table, None where a line of text goes over its columns or half of it is empty."""
    if stub is not None and stub[1][-1] > ys[-1]:
        ys.append(stub[1][-1])
    sides = [stub[0], *columns] if stub is not None else list(columns)
    first = len(sides) - len(columns)
    parts = _parts(page, sides, ys, first)
    if parts is None:
        return None
    head = int(any(row == -1 for row, _ in parts))
    cells = [
        Cell(
            row=row + head,
            col=column,
            text=join_runs(parts.get((row, column), [])),
            header=row < 0,
        )
        for row in range(-head, len(ys) - 1)
        for column in range(first, len(sides))
    ]
    if sum(bool(cell.text) for cell in cells) < 0.5 * len(cells):
        return None
    if stub is not None:
        name = join_runs(parts.get((-1, 0), []))
        cells += [Cell(row=0, col=0, text=name, header=True)] if head else []
        cells += _stub_cells(parts, ys, stub[1], head)
    taken = [run for runs in parts.values() for run in runs]
    held = sum(len("".join(cell.text.split())) for cell in cells)
    if held != sum(run.chars for run in taken):
        return None
    return Block(
        kind="table",
        page=page.page,
        box=around(run.box for run in taken),
        runs=taken,
        cells=sorted(cells, key=lambda cell: (cell.row, cell.col)),
        engine="pdfium+grid",
    )


def _parts(
    page: PageText, sides: Sequence[Range], ys: Sequence[int], first: int
) -> dict[tuple[int, int], list[Run]] | None:
    """The runs by row (-1: heads) and column; None where one stands in no column or heads miss."""
    parts: dict[tuple[int, int], list[Run]] = {}
    for run in page.runs:
        row = bisect_right(ys, run.box.centre[1]) - 1
        column = _column(run.box, sides)
        if row == -1:
            over = ys[0] - run.box.y1 < 0.5 * run.box.height
            if over and column is not None:
                parts.setdefault((row, column), []).append(run)
        elif row < len(ys) - 1 and sides[0][0] < run.box.centre[0] < sides[-1][1]:
            if column is None:
                return None
            parts.setdefault((row, column), []).append(run)
    heads = {column for row, column in parts if row == -1 and column >= first}
    heads = heads or {column for row, column in parts if row == -1}
    return parts if not heads or heads == set(range(first, len(sides))) else None


def _stub_cells(
    parts: dict[tuple[int, int], list[Run]], ys: Sequence[int], sides: Sequence[int], above: int
) -> list[Cell]:
    """The cells of the boxes at the left, over the rows between their sides; ``above``: rows of heads."""
    cells = []
    for top, low in pairwise(sides):
        rows = [k for k, y in enumerate(ys[:-1]) if top - SAME < y < low - SAME]
        if rows:
            text = join_runs([run for k in rows for run in parts.get((k, 0), [])])
            cells.append(Cell(row=rows[0] + above, col=0, rowspan=len(rows), text=text))
    return cells


def _column(box: Box, sides: Sequence[Range]) -> int | None:
    """The column in which all of the box stands."""
    for k, (x0, x1) in enumerate(sides):
        if x0 - 3 < box.x0 and box.x1 < x1 + 3:
            return k
    return None
