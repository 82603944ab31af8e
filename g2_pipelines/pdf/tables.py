"""Cells of tables: from drawn rules, from an engine's HTML, from another engine's boxes.

Here: the three readers in the order in which they are trusted, the check that cells hold the
characters of their region, header rows, the table's text (cells by tab, rows by newline) and
the joining of a table that goes on over pages. Pure functions; for the modules of ``pdf``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

from g2_pipelines.pdf.borders import border_places, open_sides, spans_at, underlines
from g2_pipelines.pdf.cut_heads import with_whole_heads
from g2_pipelines.pdf.geometry import Block, Box, Rule, Run
from g2_pipelines.pdf.stacked import cut_rows, is_unit, is_value, merged_rows
from g2_pipelines.tables.rows import Cell

#: Cells must hold at least this share of the region's characters, and no more than its inverse.
CELLS_SHARE = 0.95
MAX_CELLS = 20_000
#: More of a grid's rows than this without height for a line: shades behind lines of text.
MAX_THIN, THIN = 0.3, 4.0
_NUMBER = re.compile(r"[\s\d.,%％△▲+−–\-()（）/:¥$€]*\d[\s\d.,%％△▲+−–\-()（）/:¥$€]*")

_YEAR = re.compile(r"(?:19|20)\d\d")


def grid_cells(region: Box, runs: Sequence[Run], rules: Sequence[Rule]) -> list[Cell]:
    """Cells of a ruled table; empty when the rules do not close a grid of 2 × 2 or more.

    A table whose left and right sides are open, as papers set them, ends where its lying rules
    do; its cells are given only from three columns on and when no rows of it seem merged.
    """
    inside = [rule for rule in rules if region.grown(4).shared(rule.box.grown(0.5)) > 0]
    standing = [rule.box for rule in inside if not rule.horizontal]
    drawn = [rule.box for rule in inside if rule.horizontal]
    lying = [box for box in drawn if not underlines(box, runs, standing)]
    glyphs = [glyph.box.centre for run in runs for glyph in run.glyphs]
    ys = border_places([box.centre[1] for box in lying], [y for _, y in glyphs])
    sides = open_sides(lying, standing, runs)
    standing += sides
    xs = border_places([box.centre[0] for box in standing], [x for x, _ in glyphs])
    if len(ys) < 3 or len(xs) < 3 or len(ys) * len(xs) > MAX_CELLS:
        return []
    if sum(b - a < THIN for a, b in pairwise(ys)) > MAX_THIN * len(ys):
        return []
    lines = spans_at(ys, [(box.centre[1], box.x0, box.x1) for box in lying])
    posts = spans_at(xs, [(box.centre[0], box.y0, box.y1) for box in standing])
    cells = _filled(xs, ys, _merged_cells(xs, ys, lines, posts), runs)
    cells = with_whole_heads(cells, xs, ys, runs)
    return [] if sides and (len(xs) < 4 or merged_rows(cells, runs)) else cells


def _merged_cells(
    xs: list[float],
    ys: list[float],
    lines: list[list[tuple[float, float]]],
    posts: list[list[tuple[float, float]]],
) -> dict[tuple[int, int], tuple[int, int]]:
    """Per grid place the top-left place of the cell it belongs to: no rule between, one cell."""
    owners: dict[tuple[int, int], tuple[int, int]] = {}
    for r in range(len(ys) - 1):
        for c in range(len(xs) - 1):
            owner = (r, c)
            middle_x, middle_y = (xs[c] + xs[c + 1]) / 2, (ys[r] + ys[r + 1]) / 2
            if c and not _drawn(posts[c], middle_y):
                owner = owners[r, c - 1]
            elif r and not _drawn(lines[r], middle_x):
                owner = owners[r - 1, c]
            owners[r, c] = owner
    return owners


def _drawn(spans: Sequence[tuple[float, float]], at: float) -> bool:
    return any(start <= at <= end for start, end in spans)


def _filled(
    xs: list[float],
    ys: list[float],
    owners: dict[tuple[int, int], tuple[int, int]],
    runs: Sequence[Run],
) -> list[Cell]:
    from g2_pipelines.pdf.blocks import part_of

    owners, rest = _rectangles(owners)
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    for (r, c), owner in owners.items():
        down, across = spans.get(owner, (1, 1))
        spans[owner] = (max(down, r - owner[0] + 1), max(across, c - owner[1] + 1))
    parts: dict[tuple[int, int], list[Run]] = {}
    for run in runs:
        places = [_place(xs, ys, glyph.box) for glyph in run.glyphs]
        if None in places:
            return []
        cells = [owners[place] for place in places if place is not None]
        start = 0
        for k in range(1, len(cells) + 1):
            if k == len(cells) or cells[k] != cells[start]:
                parts.setdefault(cells[start], []).append(part_of(run, start, k))
                start = k
    # Text beside the rectangle means that a rule was missed: then the grid is not trusted.
    return [] if rest & parts.keys() else cut_rows(xs, spans, parts)


def _rectangles(
    owners: Mapping[tuple[int, int], tuple[int, int]],
) -> tuple[dict[tuple[int, int], tuple[int, int]], set[tuple[int, int]]]:
    """The places' owners with cells that are no rectangles cut into such, and the new cells.

    A cell runs down beside the rows that say what of it is what («of which …»).
    """
    groups: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for place, owner in owners.items():
        groups.setdefault(owner, set()).add(place)
    result: dict[tuple[int, int], tuple[int, int]] = {}
    rest: set[tuple[int, int]] = set()
    for first, group in groups.items():
        left = set(group)
        while left:
            top, start = owner = min(left)
            end, bottom = start, top
            while (top, end + 1) in left:
                end += 1
            while all((bottom + 1, c) in left for c in range(start, end + 1)):
                bottom += 1
            places = {(r, c) for r in range(top, bottom + 1) for c in range(start, end + 1)}
            result.update(dict.fromkeys(places, owner))
            rest |= set() if owner == first else {owner}
            left -= places
    return result, rest


def _place(xs: list[float], ys: list[float], box: Box) -> tuple[int, int] | None:
    x, y = box.centre
    col, row = bisect_right(xs, x + 1) - 1, bisect_right(ys, y + 1) - 1
    outside = not (0 <= col < len(xs) - 1 and 0 <= row < len(ys) - 1)
    return None if outside else (row, col)


class _TableReader(HTMLParser):
    """Rows of (text, rowspan, colspan, header) of the first table of an engine's HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[tuple[str, int, int, bool]]] = []
        self._text: list[str] | None = None
        self._spans = (1, 1, False)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            given = dict(attrs)
            self._spans = (_span(given.get("rowspan")), _span(given.get("colspan")), tag == "th")
            self._text = []
        elif tag == "br" and self._text is not None:
            self._text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._text is not None:
            if not self.rows:
                self.rows.append([])
            text = " ".join("".join(self._text).split())
            self.rows[-1].append((text, *self._spans))
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)


def _span(value: str | None) -> int:
    return min(int(value), 500) if value and value.isdigit() and int(value) else 1


def html_cells(html: str) -> list[Cell]:
    """Cells of an engine's HTML table at their grid places; empty when it holds no table."""
    reader = _TableReader()
    reader.feed(html)
    taken: set[tuple[int, int]] = set()
    cells: list[Cell] = []
    for r, row in enumerate(reader.rows):
        c = 0
        for text, down, across, header in row:
            while (r, c) in taken:
                c += 1
            taken.update((r + i, c + j) for i in range(down) for j in range(across))
            if len(taken) > MAX_CELLS:
                return []
            cells.append(Cell(row=r, col=c, rowspan=down, colspan=across, text=text, header=header))
            c += across
    return cells


def box_cells(table: dict[str, Any]) -> list[Cell]:
    """Cells of a liteparse table, rows from top to bottom (it turns some upside down)."""
    rows = [row for row in table["rows"] if row]
    tops = [min((c["bbox"][1] for c in row if c["bbox"]), default=None) for row in rows]
    if all(top is not None for top in tops):
        order = sorted(range(len(rows)), key=lambda k: float(tops[k] or 0))
        rows = [rows[k] for k in order]
    return [
        Cell(row=r, col=c, text=" ".join(cell["text"].split()))
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    ]


def holds_region(cells: Sequence[Cell], chars: int) -> bool:
    """True when the cells hold about the region's characters (white space apart)."""
    held = sum(len("".join(cell.text.split())) for cell in cells)
    return bool(cells) and CELLS_SHARE * chars <= held <= chars / CELLS_SHARE


def with_headers(cells: Sequence[Cell]) -> list[Cell]:
    """Cells with header rows marked: the first row, the rows its row spans reach into and a row
    of units below them.
    """
    if any(cell.header for cell in cells) or not cells:
        return list(cells)
    last_row = max(cell.row + cell.rowspan for cell in cells)
    depth = max(cell.rowspan for cell in cells if cell.row == 0)
    if last_row < 2 or depth >= last_row:
        return list(cells)
    # A row's label says nothing of the row: «Total | 59%» is none of heads.
    first = [cell.text for cell in cells if cell.row == 0 and cell.col and cell.text]
    numbers = sum(
        (_NUMBER.fullmatch(text) is not None or is_value(text)) and _YEAR.fullmatch(text) is None
        for text in first
    )
    if first and numbers > len(first) / 2:
        return list(cells)
    below = [cell for cell in cells if cell.row == depth and (cell.col or cell.text)]
    depth += bool(below) and all(cell.col and is_unit(cell.text) for cell in below)
    return [cell.model_copy(update={"header": cell.row < depth}) for cell in cells]


def table_text(cells: Sequence[Cell]) -> tuple[str, list[Cell]]:
    """The table's text, cells by tab and rows by newline, and the cells with their ranges.

    Before a row's last cell a place that another cell spans is empty: columns stay aligned.
    """
    spanned = {
        (row, col)
        for cell in cells
        if cell.rowspan > 1 or cell.colspan > 1
        for row in range(cell.row, cell.row + cell.rowspan)
        for col in range(cell.col, cell.col + cell.colspan)
        if (row, col) != (cell.row, cell.col)
    }
    text, placed = "", []
    before: Cell | None = None
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.col)):
        new_row = before is None or before.row != cell.row
        text += "\n" if new_row and before is not None else ""
        first = 0 if new_row or before is None else before.col + 1
        text += "\t" * sum((cell.row, col) in spanned for col in range(first, cell.col))
        text += "" if new_row else "\t"
        clean = " ".join(cell.text.split())
        placed.append(
            cell.model_copy(
                update={"text": clean, "start": len(text), "end": len(text) + len(clean)}
            )
        )
        text += clean
        before = cell
    return text, placed


def columns_of(cells: Sequence[Cell]) -> int:
    """Number of grid columns."""
    return max((cell.col + cell.colspan for cell in cells), default=0)


def joined(first: Block, second: Block) -> list[Cell] | None:
    """Joins ``second`` to ``first`` when it is the same table going on; None when it is not.

    Returns the cells of the header that ``second`` repeats: they are not in ``first`` again.
    """
    columns = columns_of(first.cells)
    if not first.cells or columns < 2 or columns != columns_of(second.cells):
        return None
    if abs(first.box.x0 - second.box.x0) > 12 or abs(first.box.x1 - second.box.x1) > 12:
        return None
    head = [(c.row, c.col, c.text) for c in first.cells if c.header]
    again = [(c.row, c.col, c.text) for c in second.cells if c.header]
    rows = max(c.row + c.rowspan for c in first.cells)
    drop = max((c.row + 1 for c in second.cells if c.header), default=0) if head == again else 0
    first.cells += [
        cell.model_copy(update={"row": cell.row - drop + rows, "header": False})
        for cell in second.cells
        if cell.row >= drop
    ]
    first.regions += second.regions or [(second.page, second.box)]
    first.runs += second.runs
    first.warnings += [w for w in second.warnings if w not in first.warnings]
    return [cell for cell in second.cells if cell.row < drop]
