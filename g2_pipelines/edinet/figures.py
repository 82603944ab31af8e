"""Names of facts: our table of known elements, the main figures of the year among them.

Here: ``labels.csv`` (element by local name → figure, Japanese label) and the figure that a
label names where a filer uses an element of its own. Not here: the filer's own linkbase
(``segments``), captions of table rows (``captions``). Used by ``facts``.

The table is ours, in the words of the forms and statements; nothing is downloaded. Every
element in it stands in the taxonomy of 2022-11-01 or was seen in a real filing (later years',
``ifrs-full`` of before, filers' own). Other names are not guessed: a filer's own element has a
label, and that tells its figure. A trap it knows:
``EquityToAssetRatioIFRS…`` is an amount per share, the ratio is ``RatioOfOwnersEquity…``.
"""

from __future__ import annotations

import csv
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

_SUMMARY = ("SummaryOfBusinessResults", "KeyFinancialData")
#: Figures by label for elements of the filer's own, in 主要な経営指標等の推移 alone.
_BY_LABEL = {
    "売上高": "sales",
    "売上収益": "sales",
    "売上高及び営業収益": "sales",
    "営業収益": "sales",
    "営業収入": "sales",
    "経常収益": "sales",
    "収益": "sales",
    "完成工事高": "sales",
    "純収益": "sales",
    "正味収入保険料": "net_premiums",
    "営業利益": "operating_profit",
    "事業利益": "business_profit",
    "コア営業利益": "core_operating_profit",
    "経常利益": "ordinary_profit",
    "税引前利益": "pretax_profit",
    "税引前当期利益": "pretax_profit",
    "税引前当期純利益": "pretax_profit",
    "当期純利益": "net_profit",
    "親会社の所有者に帰属する当期利益": "net_profit",
    "総資産額": "total_assets",
    "資産合計": "total_assets",
    "純資産額": "net_assets",
    "資本合計": "net_assets",
    "従業員数": "employees",
}
#: What statements add where an item may be a loss: 又は…損失（△）, （△は損失）.
_LOSS = re.compile(r"(?:又は[^()（）]*損失)?(?:[(（][^()（）]*△[^()（）]*[)）])?$")
#: How the taxonomy's verbose labels end, and filers' with them: 営業利益（IFRS）、経営指標等.
_VERBOSE = re.compile(r"(?:[(（](?:IFRS|US GAAP|JMIS)[)）])?(?:、経営指標等)?(?:、保険業)?$")


class Known(NamedTuple):
    """What the table says of an element; ``figure`` is "" for one that is no main figure."""

    figure: str
    label: str


@cache
def _table() -> dict[str, Known]:
    text = files("g2_pipelines.edinet").joinpath("labels.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["element"]: Known(row["figure"], row["label"]) for row in rows}


def known(local: str) -> Known | None:
    """The table's row of an element by local name, in any namespace."""
    return _table().get(local)


@lru_cache(maxsize=8192)
def figure_of(local: str, label: str | None) -> str | None:
    """The main figure that an element is, by the table or, in the summary, by its label."""
    row = known(local)
    if row is not None:
        return row.figure or None
    if label is None or not local.endswith(_SUMMARY):
        return None
    return _BY_LABEL.get(_LOSS.sub("", _VERBOSE.sub("", label, count=1), count=1))
