"""The number or date of a sentence that a question asks for.

Here: ``asked_part`` and ``amounts_of``. Used by ``passages``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Protocol

from g2_pipelines.qa.asking import denial
from g2_pipelines.qa.clauses import of_clause
from g2_pipelines.qa.figures import Figure, figures
from g2_pipelines.qa.forms import tells_change
from g2_pipelines.qa.hits import Scope
from g2_pipelines.qa.item import is_change
from g2_pipelines.qa.matching import stem
from g2_pipelines.qa.number_names import extent, no_value
from g2_pipelines.tables.line2 import CopiedValue, DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.periods import periods

_RESPECTIVELY = re.compile(r"\brespectively\b|それぞれ|各々", re.IGNORECASE)
_FROM_JA = re.compile(r"から[\d\s]")
_FROM = re.compile(r"\bfrom (?:about |some )?$", re.IGNORECASE)


_WHICH_YEAR = re.compile(r"\b(?:which|what) year\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
#: A year before those that ``text.periods`` knows.
_EARLIER = re.compile(r"\b(?:in|since) (1[5-8]\d\d)\b(?![,.]\d)")
#: パラメータ数はいくつ: the noun whose number is asked for.
_NUMBER_OF = re.compile(r"([^\W\d_ぁ-ん]{2,})の?数は(?:いくつ|何|どれ|どの)")
_MEASURED = re.compile(r"\s?[a-zμ%]", re.IGNORECASE)
#: 4040-0004, 20-18179104-8: a code counts nothing.
_CODED = re.compile(r"\d[-‐–]0\d|\d[-‐–]\d+[-‐–]\d")
_AS_NEAR = 1.1  #: two numbers as near as that are both the asked one, or none is
_IN_NAME = re.compile(
    r"[\w,] (?!(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)"
    r"[A-Z][A-Za-z]+ $"
)


class Part(Protocol):
    """A sentence and its node."""

    @property
    def node(self) -> DocumentNode:
        """Where it stands."""
        ...

    @property
    def text(self) -> str:
        """Its characters."""
        ...


def asked_part(scope: Scope, passage: Part) -> tuple[str, CopiedValue | None]:
    """The number or date of a passage that the question asks for, "" if there is none."""
    if scope.asked.kind == "date":
        return _asked_date(scope, passage), None
    if scope.asked.kind != "number":
        return "", None
    number = _asked_number(scope, passage)
    if number is None:
        return "", None
    text = _whole(number, passage.text)
    if scope.asked.counted and _CODED.search(text):
        return "", None
    named = [word.text for word in scope.words if not word.is_figure]
    label = "・".join(named[:4])
    return text, CopiedValue(label=label, text=text, node_id=passage.node.node_id)


def _asked_number(scope: Scope, passage: Part) -> Figure | None:
    """The number with the asked unit that stands nearest to the question's words."""
    found = amounts_of(scope, passage)
    if len(found) > 1 and _RESPECTIVELY.search(passage.text):
        return None  # whose each is hangs on the order, which nearness does not see
    if not (scope.asked.change or tells_change(fold_text(scope.asked.core))):
        found = [number for number in found if not is_change(number, passage.text)]
    if scope.asked.units:
        found = [number for number in found if _has_unit(number, scope.asked.units, passage.text)]
    if not scope.asked.negated:
        found = of_clause(scope, found, passage.text)
    named = _NUMBER_OF.search(fold_text(scope.asked.core))
    if named:
        found = _numbers_of(named[1], found, passage.text)
    if scope.asked.counted:
        found = [number for number in found if _counts(number, scope.asked.counted, passage.text)]
    if not found:
        return None
    denied = denial(scope.asked.negated, passage.text) if scope.asked.negated else None
    if denied is not None:
        return _beside(found, denied)
    places = _places(scope, passage.text)
    near = {number: _nearness(number, places, passage.text) for number in found}
    best = max(found, key=lambda number: (near[number], -number.start))
    rivals = [near[number] for number in found if number.value != best.value]
    return None if near[best] <= _AS_NEAR * max(rivals, default=-1.0) else best


def _whole(number: Figure, text: str) -> str:
    """The number with the range, code or power of ten that it is a part of, and its unit."""
    start, end = extent(text, number.start, number.end)
    inside = [item.end for item in figures(text) if start <= item.start < end]
    return text[start : max([end, *inside])].strip()


def _beside(found: Sequence[Figure], place: re.Match[str]) -> Figure | None:
    """The number nearest to what is denied, which labels of other numbers may adjoin; None
    where one before and one after are as near.
    """
    gaps = sorted(
        (max(place.start() - number.end, number.start - place.end()), order)
        for order, number in enumerate(found)
    )
    if len(gaps) > 1 and gaps[0][0] == gaps[1][0]:
        return None
    return found[gaps[0][1]]


def _counts(number: Figure, noun: str, text: str) -> bool:
    """True when the noun that «how many» names follows the number («26 steel cabins»)."""
    if _IN_NAME.search(text[: number.start]) and number.unit == "":
        return False  # of «Orion 365», which connects 40 users, 365 is no count
    after = re.split(r"[,;:.()]", fold_text(text[number.end : number.end + 40]))[0]
    following = re.findall(r"[a-z-]+", after)[:3]
    return bool(noun) and stem(noun) in {stem(word) for word in following}


def _numbers_of(noun: str, found: Sequence[Figure], text: str) -> list[Figure]:
    """The numbers right before or behind the noun they count, else those without a measure."""
    folded = _folded(text)
    beside = [
        number
        for number in found
        if _folded(text[number.end :]).lstrip("の 個").startswith(noun)
        or re.search(
            rf"{re.escape(noun)}の?数?[はがを:：が約のサイズ\s]{{0,6}}$", folded[: number.start]
        )
    ]
    return beside or [
        number
        for number in found
        if not number.unit and not _MEASURED.match(text[number.end : number.end + 2])
    ]


def _plain(text: str) -> str:
    return re.sub(r"[^\d.]", "", fold_text(text))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _has_unit(number: Figure, units: Sequence[str], text: str) -> bool:
    if number.unit in units or fold_text(number.unit) in units:
        return True
    after = fold_text(text[number.end : number.end + 12]).lstrip()
    own = fold_text(number.text)
    return own.endswith(tuple(units)) or any(
        after.startswith(unit) and not after[len(unit) : len(unit) + 1].isascii() for unit in units
    )


def _places(scope: Scope, text: str) -> list[tuple[int, float]]:
    """Where the question's words end in the text, and how telling each is."""
    folded = _folded(text)
    return [
        (folded.find(word.text) + len(word.text), weight)
        for word, weight in scope.weights.items()
        if word.text in folded and not word.is_figure
    ]


def _nearness(number: Figure, places: Sequence[tuple[int, float]], text: str) -> float:
    """How near the question's words are; one before the number is nearer than one after.

    In «from 32 to 2» the second is where it stands now.
    """
    near = 0.0
    for place, weight in places:
        distance = number.start - place if place <= number.start else 1.5 * (place - number.end) + 2
        near += weight / (1.0 + max(0.0, distance))
    left = _FROM.search(text[: number.start]) or _FROM_JA.match(text, number.end)
    return near * (0.3 if left else 1.0)


def _asked_date(scope: Scope, passage: Part) -> str:
    known = {word.text for word in scope.words if word.is_figure}
    for period in periods(passage.text):
        text = passage.text[period.start : period.end]
        if _WHICH_YEAR.search(scope.asked.core) and not _YEAR.search(fold_text(text)):
            continue
        if not (set(re.findall(r"\d+", fold_text(text))) & known) and re.search(r"\d", text):
            return text
    earlier = _EARLIER.search(passage.text)
    return earlier[1] if earlier and earlier[1] not in known else ""


def amounts_of(scope: Scope, passage: Part) -> list[Figure]:
    """The figures of a passage that the question does not have itself."""
    known = {word.text for word in scope.words if word.is_figure}
    return [
        item
        for item in figures(passage.text)
        if _plain(item.text) not in known and not no_value(passage.text, item.start, item.end)
    ]
