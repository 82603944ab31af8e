"""Group or parent company, quarter or year: on what basis a number is told and stands.

Here: ``other_bases``. The answer's sentence says the basis, else the question does; the source's
nearest word for it counts: column, row, group of rows, caption, section. Only where both say one
and they differ is a number faulted. Used by ``checks``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from g2_pipelines.qa.agreement import Place, Sources
from g2_pipelines.qa.amounts import Held
from g2_pipelines.qa.told import folded_sentences, told
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.periods import periods

Basis = Literal["group", "parent", ""]
_OWNERS = re.compile(
    r"(?:owners?|shareholders?|equity holders?|attributable)[^.;:|]{0,30}\bparent(?: company)?"
    r"|(?:consolidated|group) (?:companies|entities)|(?:age|control|peer|focus|test|user) groups?"
)
_PARENT = re.compile(
    r"\b(?:non-?consolidated|unconsolidated|stand-?alone|parent(?:[- ](?:company|only))|parent's)\b"
    r"|単体(?!試験)|非連結|個別(?=財務|業績|損益|貸借|決算|ベース|の(?:売上|営業|経常|当期|純))"
)
_GROUP = re.compile(
    r"(?<!non-)(?<!non)(?<!un)\bconsolidated\b|\b(?:the )?group(?:'s)?\b|(?<!非)連結(?!子会社)"
)
_PART = re.compile(r"-([QH])\d$|^([QH])\d$")
_PART_WORDS = re.compile(r"四半期|上期|下期|半期|中間|quarter|half|\b[qh][1-4]\b|[1-4]q\b|months")
_FISCAL = re.compile(r"^(?:FY)?\d{4}(?:-\d\d)?(?:-full)?$")


def basis_of(text: str) -> Basis:
    """The one basis that a folded text names, "" where it names none or both."""
    plain = _OWNERS.sub(" ", text)
    parent = _PARENT.search(plain) is not None
    group = _GROUP.search(_PARENT.sub(" ", plain)) is not None
    if parent == group:
        return ""
    return "parent" if parent else "group"


def other_bases(answer: str, sources: Sources, *, asked: str, free: Held) -> list[str]:
    """Numbers of ``answer`` (folded) that stand on another basis than it or the question says."""
    question = fold_text(asked)
    spans = folded_sentences(answer)
    faults: list[str] = []
    for said in told(answer):
        if free.support(said.amount):
            continue
        start, end = spans[said.sentence]
        sentence = answer[start:end]
        places = sources.places(said.amount)
        basis = basis_of(sentence) or basis_of(question)
        own = {_basis_at(place, sources) for place in places}
        if basis and own and own <= {"group", "parent"} - {basis}:
            word = "consolidated" if basis == "group" else "the parent company's"
            faults.append(f"{said.amount.text.strip()} is not {word} in what is cited")
        part = _part(sentence) or _part(question)
        if part and places and all(_of_year(place, sources) for place in places):
            faults.append(f"{said.amount.text.strip()} is a year's, not {part}'s, in what is cited")
    return faults


def _part(text: str) -> str:
    """The one quarter or half that a folded text speaks of; "" beside a whole year."""
    found = {one.key for one in periods(text)}
    parts = {match[0].lstrip("-") for key in found if (match := _PART.search(key))}
    whole = [key for key in found if _FISCAL.match(key) and not _of_part(key, found)]
    return next(iter(parts)) if len(parts) == 1 and not whole else ""


def _of_part(key: str, found: set[str]) -> bool:
    """Whether the year is the one that the quarter is of: 2031年3月期 第1四半期 in two pieces."""
    return any(_PART.search(one) and (one.startswith(key) or one[0] in "QH") for one in found)


def _basis_at(place: Place, sources: Sources) -> Basis:
    return next((found for text in _around(place, sources) if (found := basis_of(text))), "")


def _of_year(place: Place, sources: Sources) -> bool:
    """Whether the number stands in a column of a fiscal year, and no part of a year is named."""
    if place.amount.cell is None:
        return False
    around = _around(place, sources)
    keys = {one.key for one in periods(around[0])} or set(re.findall(r"^(?:19|20)\d\d$", around[0]))
    return (
        bool(keys)
        and all(_FISCAL.match(key) for key in keys)
        and not any(_PART_WORDS.search(text) for text in around)
    )


def _around(place: Place, sources: Sources) -> Sequence[str]:
    """What stands around an amount, folded, the nearest first."""
    if place.amount.cell is None:
        text = sources.held.texts[place.text] if place.told else ""
        spans = folded_sentences(text)
        if place.told is None or place.told.sentence >= len(spans):
            return ("",)
        start, end = spans[place.told.sentence]
        return (text[start:end],)
    name, row, column = place.amount.cell
    grid = sources.held.grids[name]
    node = grid.node
    around = (grid.column_header(column), grid.row_label(row), grid.groups[row])
    beside = (node.caption or "", grid.above.title, *reversed(node.section_path))
    return [fold_text(text).strip() for text in (*around, *beside)]
