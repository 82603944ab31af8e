"""A table's unit in the words of its caption or heads: (EUR thousands), (百万円), in € million.

Here: ``stated_unit``, for cells that ``grids`` gives no unit. The nearest place that states one
unit counts: the column's head, the row's label, the caption, the corner, the line above, the
section's heading. Where a place states two, nothing is known. Used by ``amounts``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from g2_pipelines.qa.grids import Grid
from g2_pipelines.text.fold import fold_text

_SIZE = r"(?P<{0}>thousands?|millions?|billions?|mn|bn|k|m|'?000s?)"
_MONEY = r"(?P<{0}>us\$|usd|eur(?:os?)?|jpy|yen|gbp|dollars?|[€$¥£])"
_EN = re.compile(
    rf"[\[(](?:all |amounts |figures |stated |expressed )*(?:in )?(?:{_MONEY.format('m1')}[ ]?{_SIZE.format('s1')}"
    rf"|{_SIZE.format('s2')}(?: of)?[ ]{_MONEY.format('m2')})(?:,? except[^()\[\]]*|,? unless[^()\[\]]*)?[\])]"
    rf"|\bin {_MONEY.format('m3')}[ ]?(?P<s3>thousands?|millions?|billions?|mn|bn)\b"
)
_JA = re.compile(
    r"[\[(〔【]\s*(?P<unit>[十百千]?[万億兆]?(?:円|ドル|ユーロ)|百万(?:円|ドル|ユーロ))\s*[\])〕】]"
)
_SHARE = re.compile(r"[\[(]\s*(?:in )?(?:%|percent|per cent)\s*[\])]")
_SIZES = {
    "t": "thousand",
    "m": "million",
    "b": "billion",
    "k": "thousand",
    "'": "thousand",
    "0": "thousand",
}
_MONEYS = {"€": "euros", "$": "dollars", "¥": "yen", "£": "gbp"}
#: Rows that are no money, or no money of that scale, whatever the caption says.
_NO_MONEY = re.compile(
    r"\bper\b|%|percent|ratio|margin|\brate\b|employee|staff|headcount|people|persons?\b|number of"
    r"|shares?\b|units?\b|customers?|stores?|days?\b|比率|割合|[率%数]|1株|一株|従業員|人員|店舗"
)


def stated_unit(grid: Grid, row: int, column: int) -> str:
    """The unit for one cell of the body, "" where none is stated or it is no amount of it."""
    head, label = grid.column_header(column), grid.row_label(row)
    own = fold_text(f"{label} {head} {grid.groups[row]}")
    near = (head, label, *_around(grid))
    for text in near:
        units = _units(text)
        if units:
            unit = units[0] if len(units) == 1 else ""
            return "" if unit not in ("", "%") and _NO_MONEY.search(own) else unit
    return ""


def _around(grid: Grid) -> tuple[str, ...]:
    sections = grid.node.section_path
    return (grid.node.caption or "", grid.corner, grid.above.unit_line, *sections[-1:])


@lru_cache(maxsize=4096)
def _units(text: str) -> tuple[str, ...]:
    plain = fold_text(text)
    found = [match["unit"] for match in _JA.finditer(plain)]
    for match in _EN.finditer(plain):
        size = match["s1"] or match["s2"] or match["s3"]
        money = match["m1"] or match["m2"] or match["m3"]
        found.append(f"{_SIZES[size[0]]} {_MONEYS.get(money, money)}")
    found += ["%" for _ in _SHARE.finditer(plain)]
    return tuple(dict.fromkeys(found))
