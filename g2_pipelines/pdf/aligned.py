"""Tables without rules that an engine took apart: values under each other beside their labels.

Here: finding lines of values whose columns agree, and cells by the columns' ranges. Used for
pages on which the engine left many single values as paragraphs (odl_bialetti: a statement of
190 pieces). A line that does not fit the columns is a cell over all of them; the table is
taken only when its cells hold all characters of its lines. Pure functions; for ``document``.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise

from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import join_runs, visual_lines
from g2_pipelines.pdf.order import in_place_of_text
from g2_pipelines.pdf.stacked import columns_of_line, is_value
from g2_pipelines.pdf.tables import holds_region
from g2_pipelines.tables.rows import Cell

#: Single values as blocks of their own from which a page is looked at.
LOOSE_VALUES = 8
#: A table has at least so many lines with values in two columns or more.
MIN_LINES = 5
#: A column holds values on at least this share of those lines.
MIN_FILLED = 0.3
#: A wider gap than this many usual line pitches ends a table.
MAX_GAP = 3.0


def with_aligned_table(page: PageText, blocks: Sequence[Block]) -> list[Block]:
    """The page's blocks, those of a table that was taken apart replaced by the table."""
    loose = sum(
        block.kind in ("paragraph", "list") and len(block.runs) == 1 and _single(block.runs[0])
        for block in blocks
    )
    celled = [block for block in blocks if block.kind == "table" and block.cells]
    held = {run.box for block in celled for run in block.runs}
    table = _aligned_table(page, held) if loose >= LOOSE_VALUES else None
    if table is None:
        return list(blocks)
    for block in blocks:
        if block.kind == "table" and block.box.shared(table.box) > 0.4 * table.box.area:
            return list(blocks)
    taken = {run.box for run in table.runs}
    aside = ("figure", "chart", "furniture")
    return in_place_of_text(blocks, table, lambda run: run.box in taken, but=aside)


def _single(run: Run) -> bool:
    return is_value(run.text) and " " not in run.text.strip()


def _aligned_table(page: PageText, held: Container[Box]) -> Block | None:
    """The longest stretch of the page's lines that are rows of values in common columns.

    ``held``: the runs that have cells already.
    """
    lines = visual_lines(run for run in page.runs if run.box not in held)
    columns = _columns(lines)
    if len(columns) < 2:
        return None
    stretch = max(_stretches(lines, columns), key=len, default=[])
    rows = [line for line in stretch if _values_in(line, columns) >= 2]
    if len(rows) < MIN_LINES:
        return None
    runs = [run for line in stretch for run in line]
    box = around(run.box for run in runs)
    label_ends = [run.box.x1 for run in runs if run.box.x1 < columns[0][0]]
    first = (max(label_ends) + columns[0][0]) / 2 if label_ends else columns[0][0] - 1
    between = [(a[1] + b[0]) / 2 for a, b in pairwise(columns)]
    xs = [min(box.x0, first) - 1, first, *between, max(box.x1, columns[-1][1]) + 1]
    cells: list[Cell] = []
    for r, line in enumerate(stretch):
        found = columns_of_line(xs, line)
        if found is None:
            cells.append(Cell(row=r, col=0, colspan=len(xs) - 1, text=join_runs(line)))
        else:
            cells += [
                Cell(row=r, col=c, text=join_runs(found.get(c, []))) for c in range(len(xs) - 1)
            ]
    if not holds_region(cells, sum(run.chars for run in runs)):
        return None
    return Block(
        kind="table", page=page.page, box=box, runs=runs, cells=cells, engine="pdfium+aligned"
    )


def _columns(lines: Sequence[Sequence[Run]]) -> list[tuple[float, float]]:
    """The x ranges in which values stand on many of the lines that hold several of them."""
    valued = [line for line in lines if sum(_single(run) for run in line) >= 2]
    if len(valued) < MIN_LINES:
        return []
    ranges: list[list[float]] = []
    for run in sorted((r for line in valued for r in line if _single(r)), key=lambda r: r.box.x0):
        if ranges and run.box.x0 < ranges[-1][1]:
            ranges[-1][1] = max(ranges[-1][1], run.box.x1)
            ranges[-1][2] += 1
        else:
            ranges.append([run.box.x0, run.box.x1, 1])
    return [(x0, x1) for x0, x1, count in ranges if count >= max(3, MIN_FILLED * len(valued))]


def _values_in(line: Sequence[Run], columns: Sequence[tuple[float, float]]) -> int:
    return sum(
        is_value(run.text) and any(x0 - 1 <= run.box.centre[0] <= x1 + 1 for x0, x1 in columns)
        for run in line
    )


def _stretches(
    lines: Sequence[Sequence[Run]], columns: Sequence[tuple[float, float]]
) -> list[list[list[Run]]]:
    """Runs of lines without a wide gap, from the header above the first values to the last."""
    boxes = [around(run.box for run in line) for line in lines]
    pitches = sorted(b.y0 - a.y0 for a, b in pairwise(boxes) if b.y0 > a.y0)
    limit = MAX_GAP * (pitches[len(pitches) // 2] if pitches else 0.0)
    groups: list[list[int]] = []
    for k, line in enumerate(lines):
        fits = _fits(boxes[k], line, columns)
        if fits and groups and groups[-1][-1] == k - 1 and boxes[k].y0 - boxes[k - 1].y0 <= limit:
            groups[-1].append(k)
        elif fits:
            groups.append([k])
    found = []
    for group in groups:
        rows = [k for k in group if _values_in(lines[k], columns)]
        if rows:
            header = rows[0]
            while header > group[0] and len(lines[header - 1]) > 1:
                header -= 1
            found.append([list(lines[k]) for k in range(header, rows[-1] + 1)])
    return found


def _fits(box: Box, line: Sequence[Run], columns: Sequence[tuple[float, float]]) -> bool:
    """True for a row of the table, or for a label with nothing beside it."""
    return _values_in(line, columns) > 0 or box.x1 < columns[0][1] or len(line) > len(columns) / 2
