"""Where the source gives an amount and its change, the amount before follows from the two.

Here: ``Movements``. 17億円増加し、1,241億円 says that it was 1,224億円: so 前期の1,224億円 is right, 前期の17億円
tells a change as an amount, and 1,224億円 as this year's is the year before's. Only modules of
this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import LONGEST_SENTENCE, Found
from g2_pipelines.evaluation.evidence import Evidence
from g2_pipelines.evaluation.figures import rounds_to
from g2_pipelines.evaluation.items import items_differ
from g2_pipelines.evaluation.labels import Label
from g2_pipelines.evaluation.pairs import pairs
from g2_pipelines.evaluation.senses import is_compared, is_planned, role_of
from g2_pipelines.evaluation.times import time_of
from g2_pipelines.evaluation.verdicts import Sentence, Verdict
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number

_MOST = 24  # figures of one place
_WAY = re.compile(
    r"(?:から|より|に対して?|に比べて?|と比べて?|と比較して?)、?(?:大幅に|大きく|わずかに)?"
    r"(?:(?P<up>増加|増収|増益|増大|上昇|拡大|増え|増と)|(?P<down>減少|減収|減益|低下|下落|縮小|減り|減と))"
)
_REACH = 60  # characters between an amount and its change


class Movement(NamedTuple):
    """``now`` and ``before`` in their common unit; ``found`` are the two figures given."""

    now: Decimal
    before: Decimal
    unit: str
    quantum: Decimal
    found: tuple[Found, Found]
    item: str | None

    @property
    def change(self) -> Decimal:
        """What was added, signed."""
        return self.now - self.before


class Movements:
    """The movements that the places of one corpus tell, read once a place."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._told: dict[int, list[Movement]] = {}

    def verdict(self, sentence: Sentence, number: Number, label: Label) -> Verdict | None:
        """What the movement that the sentence tells makes of a figure; None where it tells none.

        The sentence must have another figure of the movement, so that it is the same one.
        """
        if not number.unit or number.value < 0:
            return None
        before, after = _sides(sentence, number)
        if role_of(before, after, number) == "change":
            turned = (_turned(sentence, number, told) for told in self._of(sentence, label))
            return next((verdict for verdict in turned if verdict is not None), None)
        earlier = is_compared(before, after) or time_of(label.period or "current").base == -1
        verdicts = [
            verdict
            for movement in self._of(sentence, label)
            if (verdict := _judged(sentence, number, movement, earlier=earlier)) is not None
        ]
        fine = [verdict for verdict in verdicts if verdict.status == "derived"]
        return next(iter([*fine, *verdicts]), None)

    def _of(self, sentence: Sentence, label: Label) -> Iterator[Movement]:
        for place in sentence.places:
            for movement in self._in(place):
                both = label.item is not None and movement.item is not None
                if not (both and items_differ(label.item or "", movement.item or "")):
                    yield movement
        if label.item is None:
            return
        for pair in pairs(self.evidence, sentence.places, label.item, label.segment):
            now, old = pair.now.number, pair.before.number
            quantum = max(now.quantum, old.quantum)
            both_found = (pair.now, pair.before)
            yield Movement(now.value, old.value, now.unit, quantum, both_found, label.item)

    def _in(self, place: int) -> Sequence[Movement]:
        if place not in self._told:
            text = self.evidence.corpus.text(place)
            plain = "\t" not in text and len(text) <= LONGEST_SENTENCE and not is_planned(text)
            self._told[place] = list(self._read(place)) if plain else []
        return self._told[place]

    def _read(self, place: int) -> Iterator[Movement]:
        figures = self.evidence.local([place])[:_MOST]
        for change in figures:
            number = change.number
            if not number.change or number.unit in {"%", "倍"} or number.value <= 0:
                continue
            unit = "%" if number.unit == "ポイント" else number.unit
            item = self.evidence.label(change).item
            near = [
                level
                for level in figures
                if level.number.unit == unit
                and not level.number.change
                and level.number.value >= 0
                and self._is_now(level, item)
                and abs(level.number.start - number.start) <= _REACH
            ]
            if not near:
                continue
            now = min(near, key=lambda level: abs(level.number.start - number.start))
            value, old = now.number.value, now.number.value - number.signed
            quantum = max(now.number.quantum, number.quantum)
            if old > 0:
                yield Movement(value, old, unit, quantum, (now, change), item)

    def _is_now(self, level: Found, item: str | None) -> bool:
        label = self.evidence.label(level)
        same = label.item is None or item is None or not items_differ(label.item, item)
        if not same or self.evidence.role(level) == "change":
            return False
        return time_of(label.period or "current").base != -1


def _judged(sentence: Sentence, number: Number, told: Movement, *, earlier: bool) -> Verdict | None:
    beside = [n for n in sentence.figures if n is not number]
    if number.unit != told.unit:
        return None
    has_now = any(_is(n, told.now, told) for n in beside)
    has_change = any(_is(n, abs(told.change), told) and n.change for n in beside)
    a, b = (found.number.text for found in told.found)
    if earlier and (has_now or has_change):
        if _is(number, told.before, told):
            if _way(sentence, number) * told.change < 0:
                note = f"the source goes from {told.before} to {told.now}"
                return Verdict("sign_conflict", told.found, note)
            return Verdict("derived", told.found, f"a - b: a = {a}, b = {b}")
        if _is(number, abs(told.change), told):
            note = "the amount itself here, a change in the source"
            return Verdict("altered", told.found, note)
    elif (
        not earlier
        and has_change
        and _is(number, told.before, told)
        and not _is(number, told.now, told)
    ):
        note = f"period: current here, previous in the source, which has {a} for it"
        return Verdict("altered", told.found, note)
    return None


def _turned(sentence: Sentence, number: Number, told: Movement) -> Verdict | None:
    """A change told the other way round: 318百万円増加し、6,404百万円 for 318百万円減少し、6,404百万円."""
    beside = [n for n in sentence.figures if n is not number]
    if not number.change or not _is(number, abs(told.change), told):
        return None
    if not any(_is(n, told.now, told) and not n.change for n in beside):
        return None
    if number.change * told.change > 0:
        return None
    note = f"the source goes from {told.before} to {told.now}"
    return Verdict("sign_conflict", told.found, note)


def _way(sentence: Sentence, number: Number) -> int:
    """Which way the words go that compare with the figure (前期の48.6％から上昇), 0 where none do."""
    match = _WAY.match(fold_text(_sides(sentence, number)[1][:24]))
    if match is None:
        return 0
    return 1 if match["up"] else -1


def _is(number: Number, value: Decimal, told: Movement) -> bool:
    """Whether a figure is ``value``, or it rounded."""
    alike = number.unit == told.unit or (number.unit, told.unit) == ("ポイント", "%")
    if not alike:
        return False
    return abs(number.value) == abs(value) or rounds_to(abs(value), told.quantum, number)


def _sides(sentence: Sentence, number: Number) -> tuple[str, str]:
    start, end = number.start - sentence.start, number.end - sentence.start
    return sentence.text[:start], sentence.text[end:]
