"""Tables that stand as lines of text, in a picture's words or a chart's text, as grids.

Here: ``line_grids``. A head of as many words as the lines below it have figures, then lines of
a label and those figures. What was read by OCR may have lost a sign or a comma, so of such a
table a cell counts only where nothing speaks against it: figures written alike, and, where the
picture shows signs at all, a column of changes that the two figures beside it prove. Cells
that are not sure stay empty. Used by ``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from g2_pipelines.qa.above import Above, scale_of
from g2_pipelines.qa.grids import Grid, is_figure
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text

_KINDS = ("figure", "chart")
_FEWEST_ROWS = 2
_FEWEST_COLUMNS = 2
_MOST_LINES = 400
_LONGEST = 200
_SIGN_APART = re.compile(r"([▲△−＋+-])\s+(?=\d)")
_NONE = re.compile(r"[-–—―ー]|n\.?/?a\.?", re.IGNORECASE)
_SIGNS = re.compile(r"[▲△−]|(?<![\w])-\s?\d|\(\d[\d,.]*\)")
_NUMBER = re.compile(r"[▲△−+-]?(\d{1,3}(?:,\d{3})*|\d+)(\.\d+)?(?:%|pt|倍|円)?", re.IGNORECASE)
_MISREAD = re.compile(r"\d{1,3}\.\d{3}(?!\d)")  #: 38.852 in a column of 38,380
_CHANGE = re.compile(r"前年|前期|前回|増減|比較|\bchange\b|\bdiff")
_UNIT_ABOVE = 2
_TITLE_ABOVE = 3


def line_grids(node: DocumentNode, title: str = "") -> list[Grid]:
    """The grids in the lines of a figure or chart; none for any other node.

    ``title``: a line above the node that may name it.
    """
    if node.kind not in _KINDS:
        return []
    found = _of_text(node, node.text, title, read=False)
    return found + _of_text(node, node.ocr_text or "", title, read=True)


def _of_text(node: DocumentNode, text: str, title: str, *, read: bool) -> list[Grid]:
    lines = [line for line in text.splitlines()[:_MOST_LINES] if line.strip()]
    grids: list[Grid] = []
    place = 0
    while place < len(lines):
        head = _cells(lines[place])
        rows = _rows(lines[place + 1 :], head) if _is_head(head) else []
        if len(rows) < _FEWEST_ROWS and not (rows and _stated(lines, place)):
            place += 1
            continue
        above = Above(
            unit_line=_stated(lines, place),
            title=" ".join([title, *lines[max(0, place - _TITLE_ABOVE) : place]]).strip(),
        )
        wide = len(rows[0])
        corner = ["", *head] if len(head) < wide else head
        body = _sure(corner, rows, text) if read else rows
        grid = [tuple(corner), *(tuple(row) for row in body)]
        grids.append(Grid(node, tuple(grid), header_rows=1, label_columns=1, above=above))
        place += len(rows) + 1
    return grids


def _cells(line: str) -> list[str]:
    return _SIGN_APART.sub(r"\1", line).split() if len(line) <= _LONGEST else []


def _is_head(cells: Sequence[str]) -> bool:
    """True for words that can name columns: no plain amounts among them."""
    years = [re.fullmatch(r"(?:19|20)\d\d", cell) is not None for cell in cells]
    named = [
        any(char.isalpha() for char in cell) or y for cell, y in zip(cells, years, strict=True)
    ]
    return len(cells) >= _FEWEST_COLUMNS and all(named)


def _rows(lines: Sequence[str], head: Sequence[str]) -> list[list[str]]:
    """The lines right below a head that have a label and a figure for each of its columns."""
    rows: list[list[str]] = []
    for line in lines:
        cells = _cells(line)
        values = 0
        while values < len(cells) and _is_value(cells[-1 - values]):
            values += 1
        columns = next((n for n in (len(head), len(head) - 1) if n == values), 0)
        if columns < _FEWEST_COLUMNS or len(cells) == values:
            break
        row = [" ".join(cells[: len(cells) - values]), *cells[len(cells) - values :]]
        if rows and len(row) != len(rows[0]):
            break
        rows.append(row)
    return rows


def _is_value(cell: str) -> bool:
    return is_figure(cell) or _NONE.fullmatch(cell) is not None


def _stated(lines: Sequence[str], place: int) -> str:
    """The line of the unit right above the head, "" for none."""
    near = reversed(lines[max(0, place - _UNIT_ABOVE) : place])
    return next((line for line in near if scale_of(line).name), "")


def _sure(head: Sequence[str], rows: Sequence[Sequence[str]], text: str) -> list[list[str]]:
    """The rows with every cell emptied that may be misread."""
    signed = _SIGNS.search(text) is not None
    change = next((c for c, name in enumerate(head) if _CHANGE.search(fold_text(name))), 0)
    kept: list[list[str]] = []
    for row in rows:
        alike = any("," in cell for cell in row[1:])
        clear = [not (alike and _MISREAD.search(cell)) for cell in row]
        proven = (
            {change - 1, change - 2} if change > _FEWEST_COLUMNS and _proves(row, change) else set()
        )
        kept.append(
            [
                cell if not column or (clear[column] and (not signed or column in proven)) else ""
                for column, cell in enumerate(row)
            ]
        )
    return kept


def _proves(row: Sequence[str], change: int) -> bool:
    """True where the change is the difference of the two figures left of it, but for rounding."""
    late, early, told = (_number(row[c]) for c in (change - 1, change - 2, change))
    if late is None or early is None or told is None:
        return False
    digits = _NUMBER.fullmatch(fold_text(row[change]))
    step = Decimal(1).scaleb(-(len(digits[2]) - 1)) if digits and digits[2] else Decimal(1)
    return told != 0 and abs(abs(late - early) - abs(told)) <= step


def _number(cell: str) -> Decimal | None:
    folded = fold_text(cell)
    if _MISREAD.fullmatch(folded):
        folded = folded.replace(".", "")
    found = _NUMBER.fullmatch(folded)
    if found is None:
        return None
    value = Decimal(found[1].replace(",", "") + (found[2] or ""))
    return -value if folded[0] in "▲△−-" else value
