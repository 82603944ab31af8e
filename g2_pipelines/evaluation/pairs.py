"""An item now and the year before, where the sources give both, and what follows from the two.

Here: ``Pair``, ``pairs`` and ``by_pair``. From two figures of one item any number of digits
makes a change; ``derivations`` needs more, since it takes any two figures of a place. Only
modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Found
from g2_pipelines.evaluation.evidence import Evidence
from g2_pipelines.evaluation.figures import polarity, rounds_to
from g2_pipelines.evaluation.items import items_differ
from g2_pipelines.evaluation.labels import Label
from g2_pipelines.evaluation.times import time_of
from g2_pipelines.evaluation.verdicts import Verdict
from g2_pipelines.text.numbers import Number

_MOST = 40  # figures of one place that are paired
_FROM = re.compile(r"[ ]?(?:から|より)(?!も)|,? (?:up|down) from ")


class Pair(NamedTuple):
    """Two figures of one item in one unit; ``now`` is a year after ``before``."""

    now: Found
    before: Found
    label: Label

    @property
    def difference(self) -> Decimal:
        """What was added in the year."""
        return self.now.number.value - self.before.number.value


def pairs(
    evidence: Evidence, places: Sequence[int], item: str, segment: str | None
) -> Iterator[Pair]:
    """Every pair of ``item`` in ``places``, place by place."""
    for place in dict.fromkeys(places):
        figures = evidence.local([place])[:_MOST]
        if len(figures) < 2:
            continue
        labelled = [(found, evidence.label(found)) for found in figures]
        same = [
            (found, label)
            for found, label in labelled
            if label.item is not None
            and not items_differ(item, label.item)
            and label.segment == segment
            and not evidence.in_changes(found)
        ]
        for at, (before, old) in enumerate(same):
            after = [pair for i, pair in enumerate(same) if i != at]
            for now, new in after:
                if now.number.unit != before.number.unit:
                    continue
                if _a_year_later(old, new) or (
                    now.number.start > before.number.start and _from(evidence, before, new)
                ):
                    yield Pair(now, before, new)


def _a_year_later(old: Label, new: Label) -> bool:
    a, b = time_of(old.period or "current"), time_of(new.period or "current")
    if a.scheme != b.scheme or a.part != b.part or a.base is None or b.base is None:
        return False
    if a.scheme == "word":
        return a.base == -1 and b.base == 0
    return b.base - a.base == (12 if a.scheme == "month" else 1)


def _from(evidence: Evidence, before: Found, new: Label) -> bool:
    """62.0％から63.5％: the figure that another one comes from."""
    text = evidence.corpus.sources[before.source].text
    told = time_of(new.period or "current")
    return told.base in {None, 0} and _FROM.match(text, before.number.end) is not None


def by_pair(number: Number, pair: Pair) -> Verdict | None:
    """``derived`` where ``number`` is the pair's change or ratio; a conflict where its way is not."""
    made = _made(number, pair)
    if not made:
        return None
    a, b = pair.now.number, pair.before.number
    way = polarity(number)
    evidence = [pair.now, pair.before]
    if (
        way
        and min(a.value, b.value) >= 0
        and pair.difference
        and (way > 0) != (pair.difference > 0)
    ):
        told = "more" if pair.difference > 0 else "less"
        note = f"the source has {a.text}, {told} than {b.text} the year before"
        return Verdict("sign_conflict", evidence, note)
    return Verdict("derived", evidence, f"{made}: a = {a.text}, b = {b.text}")


def _made(number: Number, pair: Pair) -> str:
    now, before = pair.now.number, pair.before.number
    step = max(now.quantum, before.quantum)
    change = abs(pair.difference)
    if number.unit == now.unit or (number.unit == "ポイント" and now.unit == "%"):
        if change and (change == abs(number.value) or rounds_to(change, step, number)):
            return "a - b"
        return ""
    if not before.value or now.unit in {"%", "倍", "ポイント"}:
        return ""
    fine = number.quantum / 1000
    if number.unit == "%" and change:
        rate = change / abs(before.value) * 100
        return "(a - b) / b" if rate == abs(number.value) or rounds_to(rate, fine, number) else ""
    ratio = abs(now.value / before.value)
    if number.unit == "倍" and (ratio == number.value or rounds_to(ratio, fine, number)):
        return "a / b"
    return ""
