"""What stands above a table and belongs to it: the years of its columns, its unit of measure.

Here: ``ABOVE``, which finds such lines, ``above`` for one table, and ``scale_of``, which reads
the scale that a header, caption or line states («In millions, except per share data»,
単位：百万円). Parsers leave these lines beside the table as often as in it. Used by ``find``
and ``grids``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text

_YEAR = r"(?:fiscal\s+|fy\s?)?(?:19|20)\d\d(?:年度?)?"
_SCALE_EN = r"\bin (?P<en>millions|thousands|billions)\b"
_YEN = r"[千百十]*[万億兆]?円"
_SCALE_JA = rf"単位\s*[:：]\s*(?P<named>{_YEN}|[^\s()〔〕\[\]【】、,]{{1,8}})"
_CODES = {"eur": "euros", "usd": "dollars", "us$": "dollars", "jpy": "yen"}
#: «(EUR millions)», as captions say it.
_SCALE_CODE = r"\((?P<code>eur|usd|us\$|jpy) (?P<coded>millions?|thousands?|billions?)\)"
_SCALE = re.compile(rf"{_SCALE_EN}|{_SCALE_CODE}|{_SCALE_JA}|^\s*\(\s*(?P<alone>{_YEN})\s*\)\s*$")
_CURRENCY = re.compile(r"\b(?P<name>(?:u\.?s\.? )?dollars|yen|euros)\b")
_EXCEPT = re.compile(r"\bexcept\b(?P<what>.*)")
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
#: «year ended May 31,»: of which periods the years below are
_PERIOD = rf"(?:[^\n]{{0,24}}\b)?{_MONTH}\s+\d{{1,2}},?\s*"
_YEARS = re.compile(rf"\s*{_YEAR}(?:\s+{_YEAR})*\s*")
_ONE_YEAR = re.compile(_YEAR)
#: Folded lines that may stand above a table: years alone, or a unit of measure.
ABOVE = rf"^{_YEARS.pattern}(?:\([^()\n]{{0,40}}\)\s*)?$|^{_PERIOD}$|^[^\n]{{0,60}}(?:{_SCALE_EN.replace('?P<en>', '?:')}|単位\s*[:：]|\({_YEN}\)\s*$)"
_BRACKETED = re.compile(r"[(\[（〔][^()\[\]（）〔〕]*[)\]）〕]")
_FAR = 8  #: nodes above the table
_SHORT = 60  #: letters of a title
_LONGEST = 600  #: letters of a paragraph that introduces a table
_LONG = 120  #: a longer text is no line of a head


@dataclass(frozen=True)
class Scale:
    """``name``: million, 百万円, "" for none; ``currency``: dollars where the line says so."""

    name: str = ""
    currency: str = ""
    shares: bool = False  #: the line excepts numbers of shares too


@dataclass(frozen=True)
class Above:
    """The columns' years from left to right, as printed, the line of the unit, their nodes.

    ``title``: the short line right above, where it is none of these. ``told``: what the table's
    section says before it, back to the table before. Neither is part of ``nodes``.
    """

    years: tuple[str, ...] = ()
    unit_line: str = ""
    title: str = ""
    told: tuple[DocumentNode, ...] = ()
    nodes: tuple[DocumentNode, ...] = ()


def above(table: DocumentNode, nodes: Sequence[DocumentNode]) -> Above:
    """The lines right above ``table`` on its page, among ``nodes`` of any documents."""
    near = {
        node.order: node
        for node in nodes
        if node.document_id == table.document_id
        and node.page == table.page
        and table.order - _FAR <= node.order < table.order
    }
    years: list[str] = []
    used: list[DocumentNode] = []
    unit = title = ""
    gap = False
    for order in range(table.order - 1, table.order - _FAR - 1, -1):
        node = near.get(order)
        if node is None:
            gap = True
            continue
        if node.kind == "table":
            break
        text = fold_text(node.text).strip()
        if len(text) > _LONG:
            break
        beside = _BRACKETED.sub("", text) if _SCALE.search(text) else text
        if not gap and _YEARS.fullmatch(beside):
            years[:0] = _ONE_YEAR.findall(beside)
            used.insert(0, node)
            unit = unit or (node.text if beside != text else "")
        elif not unit and _SCALE.search(text):
            unit = node.text
            used.insert(0, node)
        elif not gap and not title and order >= table.order - len(used) - 1:
            title = _title(node)
    return Above(tuple(years), unit, title, _told(table, near), tuple(used))


def _told(table: DocumentNode, near: Mapping[int, DocumentNode]) -> tuple[DocumentNode, ...]:
    found: list[DocumentNode] = []
    for order in range(table.order - 1, table.order - _FAR - 1, -1):
        node = near.get(order)
        if node is not None and (node.kind == "table" or node.section_path != table.section_path):
            break
        if node is not None and len(node.text) <= _LONGEST:
            found.insert(0, node)
    return tuple(found)


def _title(node: DocumentNode) -> str:
    """A line that can name a table: short, and no end of a sentence."""
    text = " ".join(node.text.split())
    whole = text.endswith((".", "。", ";", "；"))
    short = node.kind in ("paragraph", "heading", "caption") and len(text) <= _SHORT
    return text if short and not whole else ""


def scale_of(text: str) -> Scale:
    """The scale that ``text`` states, an empty one for none."""
    folded = fold_text(text)
    found = _SCALE.search(folded)
    if found is None:
        return Scale()
    if found["code"]:
        return Scale(found["coded"].removesuffix("s"), _CODES[found["code"]])
    if found["en"] is None:
        return Scale(found["named"] or found["alone"])
    currency = _CURRENCY.search(folded)
    but = _EXCEPT.search(folded)
    shares = but is not None and re.search(r"\bshares?\b(?<!per share)", but["what"]) is not None
    name = found["en"].removesuffix("s")
    return Scale(name, currency["name"].removeprefix("u.s. ") if currency else "", shares)
