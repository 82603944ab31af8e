"""Rows of a table that share one ruled row: cut apart where sure, else said.

Here: ruled rows that hold several rows of values (a rule only after every fifth row, or one
under the header alone), full-width ruled rows whose columns only the header's rules show, and
the warning for tables that hold more lines of values than rows. Pure functions; for
``tables`` and ``document``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence

from g2_pipelines.pdf.geometry import Run, around
from g2_pipelines.pdf.glyphs import join_row, join_runs, visual_lines
from g2_pipelines.tables.rows import Cell

Place = tuple[int, int]
#: One or more figures or marks for none, each with a footnote's mark or letters (74cd, 80.7*).
_VALUE = re.compile(
    r"(?:[(（]?[△▲+−–\-¥$€£]*\d[\d.,:/]*\s?[%％)）*†‡]*[a-e]{0,5}[)）]?|[-–—−―－]+|n/?a|…)"
    r"(?:[\s±]+(?:[(（]?[△▲+−–\-¥$€£]*\d[\d.,:/]*\s?[%％)）*†‡]*[a-e]{0,5}[)）]?|[-–—−―－]+|n/?a|…))*",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
#: What may stand over a ruled row's figures as a line of its own.
_UNITS = re.compile(r"(?:(?:[百千十]?[万億]?円|円\s*銭|[%％倍株人社件台]|ポイント)\s*)+")
#: From so many lines on cells of as many lines each are rows.
EVEN_LINES = 3
#: Share of a column's lines that must be values.
VALUES = 0.8


def is_value(text: str) -> bool:
    """True for figures and marks for none, nothing else."""
    return _VALUE.fullmatch(text.strip()) is not None


def is_unit(text: str) -> bool:
    """True for the units of a column's figures (百万円, ％, 円 銭), nothing else."""
    return _UNITS.fullmatch(text.strip()) is not None


def cut_rows(
    xs: Sequence[float], spans: Mapping[Place, Place], parts: Mapping[Place, Sequence[Run]]
) -> list[Cell]:
    """The grid's cells, with a ruled row that holds several rows of values cut into them.

    ``xs``: the grid's borders; ``spans``: cell → rows and columns it takes; ``parts``: cell →
    its runs.
    """
    cells: list[Cell] = []
    more = 0
    for r in range(max(row for row, _ in spans) + 1):
        row = {place: span for place, span in sorted(spans.items()) if place[0] == r}
        crossed = any(d > 1 and k <= r < k + d for (k, _), (d, _) in spans.items())
        runs = {place: list(parts.get(place, [])) for place in row}
        if not crossed and len(row) == 1 and (wide := _wide_rows(xs, runs[r, 0])):
            cells.extend(cell.model_copy(update={"row": r + more + cell.row}) for cell in wide)
            more += wide[-1].row
            continue
        centres = [] if crossed else _centres(list(runs.values()))
        for (_, c), (down, across) in row.items():
            shared = bool(centres) and _is_shared(runs[r, c], centres)
            groups = [runs[r, c]] if shared or not centres else _near(runs[r, c], centres)
            tall = len(centres) if shared else down
            cells.extend(
                Cell(row=r + more + k, col=c, rowspan=tall, colspan=across, text=join_runs(group))
                for k, group in enumerate(groups)
            )
        more += max(0, len(centres) - 1)
    return cells


def _near(runs: Sequence[Run], centres: Sequence[float]) -> list[list[Run]]:
    """The runs by the nearest row; where every row's line is there, what is below goes on in it."""
    groups: list[list[Run]] = [[] for _ in centres]
    begins = len(visual_lines(runs)) > len(centres) and all(
        any(abs(run.box.centre[1] - y) < 0.5 * run.box.height for run in runs) for y in centres
    )
    for run in runs:
        y = run.box.centre[1] + (0.5 * run.box.height if begins else 0.0)
        rows = [k for k, at in enumerate(centres) if at <= y] if begins else range(len(centres))
        groups[min(rows or [0], key=lambda k: abs(centres[k] - y))].append(run)
    return groups


def _is_shared(runs: Sequence[Run], centres: Sequence[float]) -> bool:
    """True for one line half-way between the first and the last of the stacked rows."""
    if len(visual_lines(runs)) != 1:
        return False
    pitch = (centres[-1] - centres[0]) / (len(centres) - 1)
    middle = (centres[0] + centres[-1]) / 2
    y = around(run.box for run in runs).centre[1]
    # With an odd number of rows the middle is a row of its own: that line may be just its.
    return len(centres) % 2 == 0 and abs(y - middle) < 0.25 * pitch


def _centres(cells: Sequence[Sequence[Run]]) -> list[float]:
    """Heights of the rows stacked in one ruled row, empty when it is one row.

    Most cells beside the labels hold equally many lines, level with each other, and these are
    values with figures among them; every one has its label, in a line or in more lines. The
    lines of a wrapped header or of text are one row. Cells of one line before the labels, set
    half-way between the rows, belong to all of them.
    """
    found = [visual_lines(cell) for cell in cells if cell]
    units = _units_over(found)
    if units is not None:
        found = [found[0], *(lines[1:] for lines in found[1:])]
    rows = _rows_in(found, least=1 if units is not None else 2)
    return [units, *rows] if units is not None and rows else rows


def _units_over(found: Sequence[Sequence[Sequence[Run]]]) -> float | None:
    """The height of a line of units over the figures of all cells but the labels', else None."""
    if len(found) < 2 or any(len(lines) < 2 for lines in found[1:]):
        return None
    firsts = [lines[0] for lines in found[1:]]
    if not all(is_unit(join_row(line)[0]) for line in firsts):
        return None
    boxes = [around(run.box for run in line) for line in firsts]
    y, height = boxes[0].centre[1], max(box.height for box in boxes)
    labels = around(run.box for run in found[0][0])
    level = all(abs(box.centre[1] - y) < 0.6 * height for box in boxes)
    return y if level and labels.centre[1] > y + 0.6 * height else None


def _rows_in(found: Sequence[Sequence[Sequence[Run]]], least: int) -> list[float]:
    """The heights of the rows in the cells' lines, ``least`` or more of them, else nothing."""
    first = next((k for k, lines in enumerate(found) if len(lines) > 1), 0)
    shared, found = found[:first], found[first:]
    if len(found) < 2:
        return []
    labels, columns = found[0], found[1:]
    # Two figures under each other with no label of their own may be one value and its error.
    if shared and _mostly_values(labels):
        return []
    valued = [lines for lines in columns if _mostly_values(lines)]
    # As many lines in all cells, each level with the others: rows, whatever is in them.
    even = len({len(lines) for lines in found}) == 1 and len(labels) >= EVEN_LINES
    if not valued or (len(valued) < 0.6 * len(columns) and not even):
        return _labelled_rows(labels, columns, valued)
    most, times = Counter(len(lines) for lines in valued).most_common(1)[0]
    if most < least or times < 0.6 * len(valued) or len(labels) < most:
        return []
    lead = next(lines for lines in valued if len(lines) == most)
    centres = [around(run.box for run in line).centre[1] for line in lead]
    height = max(run.box.height for line in lead for run in line)
    if not all(
        _level(lines, centres, height) for lines in (labels, *(columns if even else valued))
    ):
        return []
    if not all(_is_shared(lines[0], centres) for lines in shared):
        return []
    named = {min(centres, key=lambda y: abs(y - line[0].box.centre[1])) for line in labels}
    return centres if len(named) == most else []


def _labelled_rows(
    labels: Sequence[Sequence[Run]],
    columns: Sequence[Sequence[Sequence[Run]]],
    valued: Sequence[Sequence[Sequence[Run]]],
) -> list[float]:
    """The labels' heights where most columns have one line level with each, values among them,
    and the others begin there and go on in lines below.
    """
    if len(labels) < EVEN_LINES or not valued:
        return []
    centres = [around(run.box for run in line).centre[1] for line in labels]
    height = max(run.box.height for line in labels for run in line)
    exact = [lines for lines in columns if len(lines) == len(labels)]
    if len(exact) < max(2, 0.6 * len(columns)):
        return []
    if not all(_level(lines, centres, height) for lines in exact):
        return []
    begun = all(
        min(abs(around(run.box for run in line).centre[1] - y) for line in lines) < 0.6 * height
        for lines in columns
        for y in centres
    )
    return centres if begun else []


def _level(lines: Sequence[Sequence[Run]], centres: Sequence[float], height: float) -> bool:
    middles = (around(run.box for run in line).centre[1] for line in lines)
    return all(min(abs(y - middle) for y in centres) < 0.6 * height for middle in middles)


def _mostly_values(lines: Sequence[Sequence[Run]]) -> bool:
    texts = [join_row(line)[0] for line in lines]
    values = sum(is_value(text) for text in texts)
    return values >= VALUES * len(texts) and any(_DIGIT.search(text) for text in texts)


def _wide_rows(xs: Sequence[float], runs: Sequence[Run]) -> list[Cell]:
    """Rows of a full-width ruled row by the grid's columns; empty when its lines do not fit."""
    if len(xs) < 3 or not runs:
        return []
    rows = [columns_of_line(xs, line) for line in visual_lines(runs)]
    data = [row for row in rows if row is not None and len(row) > 1]
    values = sum(any(is_value(join_runs(row[c])) for c in sorted(row)[1:]) for row in data)
    if len(data) < 2 or values < VALUES * len(data):
        return []
    cells: list[Cell] = []
    wide: list[Run] = []
    at = 0
    for line, row in zip(visual_lines(runs), rows, strict=True):
        if row is None or len(row) < 2:
            wide += line
            continue
        if wide:
            cells.append(Cell(row=at, col=0, colspan=len(xs) - 1, text=join_runs(wide)))
            wide, at = [], at + 1
        cells.extend(
            Cell(row=at, col=c, text=join_runs(row.get(c, []))) for c in range(len(xs) - 1)
        )
        at += 1
    if wide:
        cells.append(Cell(row=at, col=0, colspan=len(xs) - 1, text=join_runs(wide)))
    return cells


def columns_of_line(xs: Sequence[float], line: Sequence[Run]) -> dict[int, list[Run]] | None:
    """The line's runs by column, None when a word or a sentence goes over a border."""
    from g2_pipelines.pdf.blocks import part_of

    columns: dict[int, list[Run]] = {}
    for run in line:
        places = [bisect_right(xs, glyph.box.centre[0]) - 1 for glyph in run.glyphs]
        start = 0
        for k in range(1, len(places) + 1):
            if k < len(places) and places[k] == places[start]:
                continue
            if k < len(places):
                before, after = run.glyphs[k - 1].box, run.glyphs[k].box
                if after.x0 - before.x1 < 0.5 * run.box.height:
                    return None
            column = min(max(places[start], 0), len(xs) - 2)
            columns.setdefault(column, []).append(part_of(run, start, k))
            start = k
    return columns


def merged_rows(cells: Sequence[Cell], runs: Sequence[Run]) -> str | None:
    """A warning when the table has clearly more lines of values than rows, else None."""
    lines = sum(
        len(line) > 1 and any(_DIGIT.search(run.text) and is_value(run.text) for run in line[1:])
        for line in visual_lines(runs)
    )
    rows = len({cell.row for cell in cells if cell.text})
    if not cells or lines <= rows or lines < 1.3 * rows:
        return None
    return f"rows may be merged: {lines} lines of figures in {rows} rows"
