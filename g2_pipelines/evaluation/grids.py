"""Tables inside a source's text: which row and which columns' heads a figure stands under.

Here: ``heads``. Clean text has a table's rows as lines and its cells as tabs, without spans:
a head is bound by its place from the right where rows are of different lengths, since what is
merged is mostly the first column. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_HEAD_ROWS = 4
_LONGEST = 40  # characters of a cell that is a figure; it also bounds the pattern's time
_FIGURE = re.compile(
    r"^[\s(（]*[△▲+＋\-−–]?[\s¥￥]*[\d０-９][\d０-９,，.．]*[\s%％)）円倍人名台]*$|^[\-–－―—]+$"
)


class Cell(NamedTuple):
    """[start, end) of the source's text."""

    start: int
    end: int
    text: str


class Heads(NamedTuple):
    """What names a figure's cell: its row's first words, and the heads above, outermost first."""

    row: str
    columns: tuple[str, ...]


def tables(text: str) -> Iterator[list[list[Cell]]]:
    """Runs of two or more lines with tabs, as rows of cells."""
    rows: list[list[Cell]] = []
    at = 0
    for line in text.split("\n"):
        if "\t" in line:
            rows.append(_cells(line, at))
        else:
            if len(rows) > 1:
                yield rows
            rows = []
        at += len(line) + 1
    if len(rows) > 1:
        yield rows


def _cells(line: str, at: int) -> list[Cell]:
    out: list[Cell] = []
    for part in line.split("\t"):
        out.append(Cell(at, at + len(part), part.strip()))
        at += len(part) + 1
    return out


def is_figure(cell: Cell) -> bool:
    """Whether a cell holds a figure, or the dash that stands for none."""
    return len(cell.text) <= _LONGEST and _FIGURE.match(cell.text) is not None


def heads(text: str) -> dict[int, Heads]:
    """Start of a cell with a figure → what names it."""
    found: dict[int, Heads] = {}
    for rows in tables(text):
        above: list[list[Cell]] = []
        in_body = False
        for row in rows:
            figures = [i for i, cell in enumerate(row) if is_figure(cell)]
            if figures:
                in_body = True
                name = " ".join(cell.text for cell in row[: figures[0]] if cell.text)
                for i in figures:
                    columns = tuple(
                        _head(head, i, row, figures[0], below)
                        for head, below in zip(above, [*above[1:], None], strict=False)
                    )
                    found[row[i].start] = Heads(name, columns)
            elif sum(bool(cell.text) for cell in row) > 1:  # one cell alone is a part's title
                above = [row] if in_body or len(above) == _HEAD_ROWS else [*above, row]
                in_body = False
    return found


def _head(
    head: list[Cell], index: int, row: list[Cell], first: int, below: list[Cell] | None
) -> str:
    """The cell of ``head`` over the cell ``index`` of ``row``; '' where none is sure.

    ``below`` is the row of heads under it: 金額 金額 伸び率 under two years says where each year
    begins.
    """
    if len(head) == len(row):
        return head[index].text
    width, at = len(row) - first, index - first
    parts = [cell.text for cell in below[-width:]] if below and len(below) >= width else []
    starts = [i for i, text in enumerate(parts) if text == parts[0]]
    # As written, the first columns have heads of their own, or one left out.
    for body in (head[first:], head):
        names = [cell.text for cell in body if cell.text]
        if names and len(starts) == len(names):
            return names[sum(start <= at for start in starts) - 1]
        if names and width % len(names) == 0 and (not parts or len(names) == 1):
            return names[at // (width // len(names))]  # merged over as many columns each
    return ""
