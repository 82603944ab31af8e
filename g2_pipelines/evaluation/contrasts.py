"""A second look at a figure that the sources have: is it said there in the same sense?

Here: ``Contrasts``. 26億円 stands in 営業利益は24億円で、前期の26億円から減益, but it is neither this year's
profit nor its increase. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from g2_pipelines.evaluation.corpus import Found
from g2_pipelines.evaluation.evidence import Evidence, around
from g2_pipelines.evaluation.figures import readings
from g2_pipelines.evaluation.items import items_differ
from g2_pipelines.evaluation.labels import Label
from g2_pipelines.evaluation.pairs import by_pair, pairs
from g2_pipelines.evaluation.senses import (
    AMOUNTS,
    bound_of,
    is_compared,
    is_planned,
    role_of,
)
from g2_pipelines.evaluation.times import time_of, times_differ
from g2_pipelines.evaluation.verdicts import Sentence, Verdict
from g2_pipelines.text.numbers import Number

_COMPARED_WITH = re.compile(r"[比対]\s?(?:で|は|が)?\s?$")


class Contrasts:
    """Second looks at the figures of one text."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence

    def conflict(
        self, sentence: Sentence, number: Number, label: Label, verdict: Verdict
    ) -> Verdict | None:
        """``altered`` where ``verdict`` stands on a figure of another sense, else None."""
        if not verdict.evidence:
            return None
        return (
            self._beyond(sentence, number, verdict)
            or self._role(sentence, number, label, verdict)
            or self._time(sentence, number, label, verdict)
        )

    def changed(self, sentence: Sentence, number: Number, label: Label) -> Verdict | None:
        """What the item's figures of two years make of a change, a rate or a ratio."""
        before, after = _sides(sentence, number)
        is_change = role_of(before, after, number) == "change"
        compared = self._of_a_hundred(sentence, number) if is_change else None
        if compared is not None:
            return compared
        if label.item is None or not (is_change or number.unit in {"%", "倍", "ポイント"}):
            return None
        places = [*sentence.places, *self.evidence.rows(label.item, sentence.text)]
        made = (
            by_pair(number, pair)
            for pair in pairs(self.evidence, places, label.item, label.segment)
        )
        verdicts = [verdict for verdict in made if verdict is not None]
        fine = [verdict for verdict in verdicts if verdict.status == "derived"]
        return next(iter([*fine, *verdicts]), None)

    def _of_a_hundred(self, sentence: Sentence, number: Number) -> Verdict | None:
        """8.3％増 for 前期比108.3％."""
        if number.unit != "%" or not number.change:
            return None
        for found in self.evidence.local(sentence.places):
            there = found.number
            if there.unit != "%" or there.change:
                continue
            text = self.evidence.corpus.sources[found.source].text
            if _COMPARED_WITH.search(text, max(0, there.start - 8), there.start) is None:
                continue
            if abs(there.value - 100) == abs(number.value):
                same = (there.value > 100) == (number.change > 0)
                note = f"a - 100: a = {there.text}, b = 100"
                return (
                    Verdict("derived", [found], note)
                    if same
                    else Verdict("sign_conflict", [found], f"the source has {there.text}")
                )
        return None

    def _beyond(self, sentence: Sentence, number: Number, verdict: Verdict) -> Verdict | None:
        """12億円弱 for 1,234百万円: on the wrong side of the bound that the words set."""
        _, after = _sides(sentence, number)
        bound = bound_of(after)
        if not bound or verdict.status != "rounded":
            return None
        for found in verdict.evidence:
            scales = self.evidence.corpus.scales[found.source]
            if found.number.approximate:
                return None
            step = number.quantum
            near = [
                abs(value) - abs(number.value)
                for value, _ in readings(found.number, number.unit, scales)
                if abs(abs(value) - abs(number.value)) <= step
            ]
            if not near or any(value == 0 or (value > 0) == (bound > 0) for value in near):
                return None
        return Verdict(
            "altered", verdict.evidence, f"the source has {verdict.evidence[0].number.text}"
        )

    def _role(
        self, sentence: Sentence, number: Number, label: Label, verdict: Verdict
    ) -> Verdict | None:
        """A change told as the amount itself, or the amount as a change."""
        if number.unit not in AMOUNTS:
            return None
        own = role_of(*_sides(sentence, number), number)
        if not own:
            return None
        found = self._all(sentence, number, verdict)
        roles = {self.evidence.role(item) for item in found}
        if "" in roles or own in roles:
            return None
        if own == "change":
            made = self.changed(sentence, number, label)
            if made is not None:
                return made
        there = "a change" if own == "level" else "the amount itself"
        here = "the amount itself" if own == "level" else "a change"
        return Verdict("altered", verdict.evidence, f"{here} here, {there} in the source")

    def _time(
        self, sentence: Sentence, number: Number, label: Label, verdict: Verdict
    ) -> Verdict | None:
        """Another period's figure, where the sources also have the claimed period's."""
        before, after = _sides(sentence, number)
        if label.item is None or is_compared(before, after):
            return None
        own = role_of(before, after, number)
        if own == "change":
            return None
        told = label.period or ("next" if is_planned(sentence.text) else sentence.carried)
        there: list[tuple[Found, str]] = []
        for found in self._all(sentence, number, verdict):
            contrast = self._contrast(sentence, label, told or "current", found)
            if contrast is None:
                return None
            there.append(contrast)
        if not there:
            return None
        counterpart, period = there[0]
        note = f"period: {told or 'current'} here, {period} in the source"
        if abs(counterpart.number.value) != abs(number.value):
            note += f", which has {counterpart.number.text} for it"
        return Verdict("altered", [*verdict.evidence[:2], counterpart], note)

    def _contrast(
        self, sentence: Sentence, label: Label, told: str, found: Found
    ) -> tuple[Found, str] | None:
        """The claimed period's figure beside ``found``, which is another period's."""
        there = self.evidence.label(found)
        if label.period is None and told != "next" and self._planned(found):
            there = there._replace(period="next")  # a plan's figure told as what was
        if there.item is None or label.item is None or items_differ(label.item, there.item):
            return None
        period = there.period or ("next" if self._planned(found) else "current")
        others = list(self._others(sentence, found, there))
        if time_of(period).scheme == "month" and told == "current":
            # No period is said: the newest of those that stand there, and are no plan, is meant.
            months = [p for _, p in others if time_of(p).scheme == "month"]
            told = max([period, *months], key=lambda key: time_of(key).base or 0)
        if time_of(period).scheme == "word" and self.evidence.corpus.is_reported(told):
            told = "current"
        if not times_differ(told, period):
            return None
        return next(
            (
                (other, period)
                for other, when in others
                if not times_differ(told, when)
                and time_of(told).scheme == time_of(when).scheme
                and (time_of(when).base is not None or time_of(when).part)
            ),
            None,
        )

    def _others(
        self, sentence: Sentence, found: Found, there: Label
    ) -> Iterator[tuple[Found, str]]:
        """Figures of the same item, segment and unit, with their periods."""
        for other in self.evidence.local([found.place, *sentence.places]):
            if other == found or other.number.unit != found.number.unit:
                continue
            label = self.evidence.label(other)
            if label.item != there.item or label.segment != there.segment:
                continue
            if self.evidence.in_changes(other):
                continue
            if other.number.value == found.number.value:
                continue
            planned = self._planned(other)
            if planned and label.period is None:
                yield other, "next"
            elif not (planned and time_of(label.period or "").scheme == "month"):
                yield other, label.period or "current"

    def _planned(self, found: Found) -> bool:
        return is_planned(self.evidence.corpus.text(found.place))

    def _all(self, sentence: Sentence, number: Number, verdict: Verdict) -> Sequence[Found]:
        words = around(sentence.text, number, sentence.start)
        return list(dict.fromkeys([*verdict.evidence, *self.evidence.everywhere(number, words)]))


def _sides(sentence: Sentence, number: Number) -> tuple[str, str]:
    """What stands before and behind a figure in its sentence."""
    start, end = number.start - sentence.start, number.end - sentence.start
    return sentence.text[:start], sentence.text[end:]
