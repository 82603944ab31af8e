"""Which rows of a table are its header, where the markup does not say.

Here: the evidence and the decision. Not here: the cells (``clean``). EDINET's tables are made
of ``td`` throughout; ``th`` is believed where it stands.

A header is what stands above the first row with amounts: rows of words, of which there are
three at most, over at least two columns, with amounts below that are in the columns that they
name. A table without amounts, or that begins with them, has none: none is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_AMOUNT = re.compile(
    r"^[(（△▲+＋\-−－]?\s*[(（]?[\d０-９][\d０-９,，]*(?:[.．][\d０-９]+)?"
    r"\s*[)）]?\s*(?:[%％]|百万円|千円|億円|円|株|名|人|倍|ポイント)?[)）]?$"
)
_YEAR = re.compile(r"^(?:19|20|１９|２０)[\d０-９]{2}$")
#: A dash says that there is no amount: it stands in a row of amounts.
_DASH = re.compile(r"^[-－―—–‐ー]+$")
_MOST_ROWS = 3

#: row, col, rowspan, colspan, text
Place = tuple[int, int, int, int, str]


def is_amount(text: str) -> bool:
    """Whether a cell holds an amount; a year by itself is a heading."""
    plain = text.strip()
    return bool(_AMOUNT.match(plain)) and not _YEAR.match(plain)


def _in_data(text: str) -> bool:
    return is_amount(text) or bool(_DASH.match(text.strip()))


def header_rows(cells: Sequence[Place]) -> int:
    """How many rows at the top are the table's header; 0 where there is no evidence of one."""
    amounts = [place for place in cells if place[1] > 0 and is_amount(place[4])]
    if not amounts:
        return 0
    first = min(place[0] for place in cells if place[1] > 0 and _in_data(place[4]))
    above = [place for place in cells if place[0] < first and place[4].strip()]
    # A title over the whole width or a unit alone names no column.
    columns = {col for _, col, _, colspan, _ in above for col in range(col, col + colspan)}
    if not 0 < first <= _MOST_ROWS or any(is_amount(text) for *_, text in above):
        return 0
    named = {place[1] for place in above if place[1] > 0}
    if len({place[1] for place in above}) < 2 or not named:
        return 0
    return first if {col for _, col, *_ in amounts} <= columns else 0
