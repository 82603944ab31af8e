"""A figure judged by what its sentence's nearest copy has in its place.

Here: ``Counterparts``. What follows where there is no near copy stands in ``number_claims``.
Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.evaluation.conflicts import STATUS_OF, as_said, one_edit
from g2_pipelines.evaluation.corpus import Found, digits
from g2_pipelines.evaluation.derivations import made_here
from g2_pipelines.evaluation.differences import Difference
from g2_pipelines.evaluation.evidence import FALLS, Evidence, around
from g2_pipelines.evaluation.figures import agree, polarity
from g2_pipelines.evaluation.labels import Label, labels_differ
from g2_pipelines.evaluation.verdicts import Sentence, Verdict
from g2_pipelines.text.numbers import Number

_REACH = 14  # characters before a figure in which a word may say that it is a loss
_SIDE = re.compile(r"利益|損失|損益|赤字|黒字")
_BORDER = re.compile(r"[、。)）\n\t]")


class Counterparts:
    """The verdicts that near copies give; ``evidence`` is of one text."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.corpus = evidence.corpus

    def verdict(self, sentence: Sentence, number: Number, label: Label) -> Verdict | None:
        """What the sentence's nearest copy has in the figure's place, if it has any."""
        near, at = sentence.near, number.start - sentence.start
        difference = next((d for d in near.differences if d.start == at), None)
        if difference is not None and self._counts(sentence, number, label, difference):
            replaced = self._replaced(sentence, number, difference)
            if replaced.status == "unit_conflict":
                return replaced
            return made_here(sentence, number, label, self.evidence) or replaced
        parts = near.counterparts.get(at)
        if not parts:
            return None
        words = around(sentence.text, number, sentence.start)
        kinds = self.evidence.agreements(number, words, parts)
        if any(kind == "sign" for kind, _ in kinds) or self._turned(sentence, number, parts):
            return Verdict("sign_conflict", parts, f"the source has {as_said(parts[0])}")
        if at in near.bound:
            bound = near.bound[at]
            note = f"{bound.kind}: {bound.text} here, {bound.other} in the source"
            return made_here(sentence, number, label, self.evidence) or Verdict(
                "altered", parts, note
            )
        if kinds and all(kind == "unit" for kind, _ in kinds):
            return Verdict("unit_conflict", parts, f"the source has {as_said(parts[0])}")
        exact = [found for kind, found in kinds if kind == "exact"]
        there = self.evidence.label((exact or parts)[0])
        if at in near.loose or labels_differ(label, there):
            everywhere = self.evidence.everywhere(number, words)
            wrong = self.evidence.wrong(number, label, [*(exact or parts), *everywhere])
            if wrong is not None:
                return wrong
        return Verdict("supported_local", exact) if exact else Verdict("rounded", parts)

    def _counts(
        self, sentence: Sentence, number: Number, label: Label, difference: Difference
    ) -> bool:
        """Whether another figure in this one's place is a finding.

        Not where the figure only went to its item's other side, nor where two sentences are
        alike in little more than 営業利益は…となりました and the figure stands elsewhere.
        """
        if difference.found is None:
            return False
        if difference.kind == "moved":
            return not self._same_item(label, difference.found)
        if sentence.near.strong:
            return True
        if self.evidence.same(sentence.near.place, number):  # it stands there, in another's place
            return True
        words = around(sentence.text, number, sentence.start)
        everywhere = self.evidence.everywhere(number, words)
        return not everywhere or self.evidence.wrong(number, label, everywhere) is not None

    def _same_item(self, label: Label, found: Found) -> bool:
        """3億円の営業損失 for 営業損失は300百万円: the figure went to its item's other side."""
        there = self.evidence.label(found)
        return label.item is not None and label.item == there.item

    def _turned(self, sentence: Sentence, number: Number, parts: Sequence[Found]) -> bool:
        """Whether the figure goes one way here and its counterpart the other way."""
        way = polarity(number)
        ways = {polarity(found.number) for found in parts}
        if way and ways == {-way}:
            return True
        if way < 0 and ways == {0} and number.value < 0:
            return not any(FALLS.search(self._before(found)) for found in parts)
        if way == 0 and all(found.number.value < 0 for found in parts):
            start = number.start - sentence.start
            said = _SIDE.findall(sentence.text, max(0, start - 80), start)
            if said and said[-1] in {"損失", "赤字"}:
                return False
            return FALLS.search(_clause(sentence.text, start)) is None
        return False

    def _before(self, found: Found) -> str:
        return _clause(self.corpus.sources[found.source].text, found.number.start)

    def _replaced(self, sentence: Sentence, number: Number, difference: Difference) -> Verdict:
        found = difference.found
        assert found is not None  # noqa: S101 - the caller asked
        note = f"the source has {found.number.text}"
        if difference.kind == "moved":
            return Verdict("altered", [found], "at another place in the source's sentence")
        kind = agree(number, found.number, self.corpus.scales[found.source])
        status = STATUS_OF.get(kind, "altered")
        if status == "altered" and number.unit != found.number.unit:
            same = digits(number.value) == digits(found.number.value)
            status = "unit_conflict" if same else status
        if status == "altered" and not one_edit(found.number, number):
            slip = self._slip(sentence, number)
            if slip is not None:  # a figure of which one digit differs is what was meant
                note = f"the source has {slip.number.text}"
                return Verdict("altered", [slip], note)
        return Verdict(status, [found], note)

    def _slip(self, sentence: Sentence, number: Number) -> Found | None:
        local = self.evidence.local(sentence.places)
        return next(
            (f for f in local if f.number.unit == number.unit and one_edit(f.number, number)), None
        )


def _clause(text: str, end: int) -> str:
    """What stands before a figure in its own clause, at most some characters."""
    return _BORDER.split(text[max(0, end - _REACH) : end])[-1]
