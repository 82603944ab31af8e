"""Every figure of a summary, judged: aligned evidence first, then all sources, then facts.

Here: ``number_claims``. A check against the whole of a long report lets 1 corrupted figure in
6 pass, against the aligned sentences 1 in 25 (measured); so the status says which of
the two it was. What the nearest copy of the sentence has in the figure's place decides before
anything else (``near_copy``). Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Corpus, Found, digits
from g2_pipelines.evaluation.evidence import FALLS, Evidence, around
from g2_pipelines.evaluation.fact_claims import fact_conflict, fact_verdict
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.figures import agree, derived_from, polarity, significant
from g2_pipelines.evaluation.labels import Label, label_at, labels_differ
from g2_pipelines.evaluation.near_copy import Difference, NearCopy
from g2_pipelines.evaluation.verdicts import Verdict
from g2_pipelines.tables.line1 import Claim, ClaimStatus
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number

_RATIO = re.compile(
    r"差|比|増|減|倍|割合|占め|率|上昇|低下|改善|total|rise|rose|ratio|share|increas|decreas|grew|up|down"
)
#: What makes an amount one of two others: 29億円増加, 差額は…, 合計で….
_CHANGE_AFTER = re.compile(
    r"(?:から|より|に対し)|[ ]?(?:程度|ほど|余り?)?(?:の|と|も|だけ)?(?:大幅(?:な|に))?[ ]?(?:増|減|上回|下回|上昇|低下|改善|悪化|プラス|マイナス|多|少|拡大|縮小|伸|差"
    r"|increase|decrease|more|less|higher|lower)"
)
_CHANGE_BEFORE = re.compile(
    r"(?:差額?|合計|総額|増減額?|増加額|減少額|増加幅|減少幅|計|total|(?:rose|fell|increased|decreased|grew) by)"
    r"(?:は|が|で|の)?、?(?:約|およそ|about )?(?:¥|△)?\s?$"
)
_ELSEWHERE = "elsewhere in the source"
_REACH = 14  # characters before a figure in which a word may say that it is a loss
_SIDE = re.compile(r"利益|損失|損益|赤字|黒字")
_BORDER = re.compile(r"[、。)）\n\t]")
_CONTEXT = 6  # characters before a figure that make its place the same


class Sentence(NamedTuple):
    """A sentence of the summary with the places aligned to it.

    ``places`` best first; ``verbatim`` where the very sentence stands: then its figures are the
    source's, also where a line's end cuts them from 営業損失は; ``near`` how it compares with
    the place it is nearly a copy of.
    """

    text: str
    start: int
    places: Sequence[int]
    verbatim: Span | None
    near: NearCopy
    figures: Sequence[Number] = ()


def number_claims(
    sentence: Sentence,
    figures: Sequence[Number],
    corpus: Corpus,
    *,
    segments: Sequence[str],
    facts: FactTable | None = None,
) -> list[Claim]:
    """A claim per figure of ``sentence``, whose ``figures`` have ranges of the summary.

    ``segments`` are the known names, folded; ``facts`` the filing's own, asked last.
    """
    judge = _Judge(Evidence(corpus, segments), facts)
    return [judge.claim(sentence, number) for number in figures]


class _Judge:
    def __init__(self, evidence: Evidence, facts: FactTable | None) -> None:
        self.evidence = evidence
        self.corpus = evidence.corpus
        self.facts = facts

    def claim(self, sentence: Sentence, number: Number) -> Claim:
        label = label_at(
            sentence.text, number, sentence.start, self.evidence.segments, self.corpus.items
        )
        if sentence.verbatim is not None:
            found = [f for place in sentence.places for f in self._same(place, number)]
            verdict = Verdict("supported_local", found)
        else:
            verdict = self._verdict(sentence, number, label)
            if self.facts is not None and verdict.status in _BORNE_OUT:
                verdict = fact_conflict(number, label, sentence.text, self.facts) or verdict
        spans = [self.corpus.figure_span(found) for found in verdict.evidence[:3]]
        if not spans and sentence.verbatim is not None:
            spans = [sentence.verbatim]
        return Claim(
            kind="number",
            text=number.text,
            start=number.start,
            end=number.end,
            status=verdict.status,
            evidence=spans,
            note=verdict.note,
            item=label.item,
            segment=label.segment,
            period=label.period,
            facts=[fact.evidence() for fact in verdict.facts[:3]],
        )

    def _verdict(self, sentence: Sentence, number: Number, label: Label) -> Verdict:
        nearest = self._nearest(sentence, number, label)
        if nearest is not None:
            return nearest
        local = self.evidence.local(sentence.places)
        words = around(sentence.text, number, sentence.start)
        near = self.evidence.agreements(number, words, local)
        verdict = self._supported(number, label, words, near)
        if verdict is not None and verdict.status == "altered":
            verdict = self._made_here(sentence, number, label) or verdict
        if verdict is None or verdict.status == "supported_elsewhere" or verdict.note == _ELSEWHERE:
            # The figure is not in the aligned evidence: has another one taken its place there?
            conflict = self._twin(sentence, number, local)
            if conflict is None and significant(number) >= 3:
                conflict = _same_digits(near)
            if conflict is not None:
                return self._made_here(sentence, number, label) or conflict
        if verdict is None and not any(kind == "sign" for kind, _ in near):
            verdict = self._derived(sentence, number, label)
        if verdict is None and self.facts is not None:
            verdict = fact_verdict(number, label, sentence.text, self.facts)
        return verdict or _conflict(number, near, local)

    def _nearest(self, sentence: Sentence, number: Number, label: Label) -> Verdict | None:
        """What the sentence's nearest copy has in the figure's place, if it has any."""
        near, at = sentence.near, number.start - sentence.start
        difference = next((d for d in near.differences if d.start == at), None)
        if difference is not None and self._counts(sentence, number, label, difference):
            replaced = self._replaced(sentence, number, difference)
            if replaced.status == "unit_conflict":
                return replaced
            return self._made_here(sentence, number, label) or replaced
        parts = near.counterparts.get(at)
        if not parts:
            return None
        words = around(sentence.text, number, sentence.start)
        kinds = self.evidence.agreements(number, words, parts)
        if any(kind == "sign" for kind, _ in kinds) or self._turned(sentence, number, parts):
            return Verdict("sign_conflict", parts, f"the source has {_as_said(parts[0])}")
        if at in near.bound:
            bound = near.bound[at]
            note = f"{bound.kind}: {bound.text} here, {bound.other} in the source"
            return self._made_here(sentence, number, label) or Verdict("altered", parts, note)
        if kinds and all(kind == "unit" for kind, _ in kinds):
            return Verdict("unit_conflict", parts, f"the source has {_as_said(parts[0])}")
        exact = [found for kind, found in kinds if kind == "exact"]
        there = self.evidence.label((exact or parts)[0])
        if at in near.loose or labels_differ(label, there):
            everywhere = self.evidence.everywhere(number, words)
            wrong = self._wrong_label(number, label, [*(exact or parts), *everywhere])
            if wrong is not None:
                return wrong
        return Verdict("supported_local", exact) if exact else Verdict("rounded", parts)

    def _made_here(self, sentence: Sentence, number: Number, label: Label) -> Verdict | None:
        """Derived from figures of which the sentence has one: 6,601百万円増加し、33,133百万円."""
        verdict = self._derived(sentence, number, label)
        if verdict is None:
            return None
        others = {digits(n.value) for n in sentence.figures if n is not number}
        shared = any(digits(found.number.value) in others for found in verdict.evidence)
        return verdict if shared or self._of_named_row(sentence, verdict.evidence) else None

    def _of_named_row(self, sentence: Sentence, found: Sequence[Found]) -> bool:
        """Whether the figures are a table's row that the sentence calls by its whole name."""
        rows = {cell.row if (cell := self.corpus.heads_of(item)) else "" for item in found}
        name = "".join(fold_text(min(rows, default="")).split())
        return (
            len(rows) == 1 and len(name) > 2 and name in "".join(fold_text(sentence.text).split())
        )

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
        if self._same(sentence.near.place, number):  # it stands there, in another's place
            return True
        words = around(sentence.text, number, sentence.start)
        everywhere = self.evidence.everywhere(number, words)
        return not everywhere or self._wrong_label(number, label, everywhere) is not None

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
        status = _STATUS_OF.get(kind, "altered")
        if status == "altered" and number.unit != found.number.unit:
            same = digits(number.value) == digits(found.number.value)
            status = "unit_conflict" if same else status
        if status == "altered" and not _one_edit(found.number, number):
            slip = _conflict(number, (), self.evidence.local(sentence.places))
            if slip.evidence:  # a figure of which one digit differs is what was meant
                return slip
        return Verdict(status, [found], note)

    def _same(self, place: int, number: Number) -> list[Found]:
        """The place's figures with the digits of ``number``."""
        own = digits(number.value)
        return [f for f in self.evidence.local([place]) if digits(f.number.value) == own]

    def _supported(
        self,
        number: Number,
        label: Label,
        words: str,
        near: Sequence[tuple[str, Found]],
    ) -> Verdict | None:
        """Supported, rounded or on a wrong label; None where no figure agrees."""
        if _other_way(number, near):
            return None
        exact = [found for kind, found in near if kind == "exact"]
        everywhere = self.evidence.everywhere(number, words)
        if exact:
            wrong = self._wrong_label(number, label, [*exact, *everywhere])
            return wrong or Verdict("supported_local", exact)
        rounded = [found for kind, found in near if kind == "rounded"]
        if rounded:
            wrong = self._wrong_label(number, label, [*rounded, *everywhere])
            return wrong or Verdict("rounded", rounded)
        if any(kind == "sign" for kind, _ in near):
            return None
        if everywhere:
            wrong = self._wrong_label(number, label, everywhere)
            return wrong or Verdict("supported_elsewhere", everywhere)
        coarse = self.evidence.rounded(number, words, label)
        return Verdict("rounded", coarse, _ELSEWHERE) if coarse else None

    def _wrong_label(self, number: Number, label: Label, found: Sequence[Found]) -> Verdict | None:
        kind, said = self.evidence.wrong_label(label, number, found)
        if not kind:
            return None
        note = f"{kind}: {getattr(label, kind)} here, {said} in the source"
        return Verdict("altered", found, note)

    def _twin(self, sentence: Sentence, number: Number, local: Sequence[Found]) -> Verdict | None:
        """``altered`` where the aligned evidence has the same words around another figure."""
        own = _context(sentence.text, number, sentence.start)
        if len(own[0]) < _CONTEXT:
            return None
        for found in local:
            place = self.corpus.places[found.place]
            if own == _context(self.corpus.text(found.place), found.number, place.start):
                status: ClaimStatus = "altered"
                if abs(found.number.value) == abs(number.value):
                    same = found.number.unit == number.unit
                    status = "sign_conflict" if same else "unit_conflict"
                return Verdict(status, [found], f"the source has {found.number.text}")
        return None

    def _derived(self, sentence: Sentence, number: Number, label: Label) -> Verdict | None:
        text, start, end = sentence.text, number.start - sentence.start, number.end - sentence.start
        if number.unit in {"%", "倍", "ポイント"}:
            made = _RATIO.search(text, max(0, start - 24), end + 24)
        else:
            made = _CHANGE_AFTER.match(text, end) or _CHANGE_BEFORE.search(
                text, max(0, start - 16), start
            )
        if made is None:
            return None
        beside = frozenset(digits(n.value) for n in sentence.figures if n is not number)
        rows = self.evidence.rows(label.item, sentence.text)
        for place in dict.fromkeys([*sentence.places, *rows]):
            found = [self.corpus.figures[i] for i in self.corpus.by_place.get(place, ())]
            if not found:
                continue
            scales = self.corpus.scales[found[0].source]
            parts_of = derived_from(number, [item.number for item in found], scales, beside)
            if parts_of is not None:
                a, b, operation = parts_of
                parts = [item for item in found if item.number in (a, b)]
                return Verdict("derived", parts, f"{operation}: a = {a.text}, b = {b.text}")
        return None


_BORNE_OUT = frozenset({"supported_local", "supported_elsewhere", "rounded"})
_STATUS_OF: dict[str, ClaimStatus] = {
    "sign": "sign_conflict",
    "scale": "scale_conflict",
    "unit": "unit_conflict",
}


def _clause(text: str, end: int) -> str:
    """What stands before a figure in its own clause, at most some characters."""
    return _BORDER.split(text[max(0, end - _REACH) : end])[-1]


def _as_said(found: Found) -> str:
    change = {1: " as an increase", -1: " as a decrease"}.get(found.number.change, "")
    return f"{found.number.text}{change}"


def _other_way(number: Number, near: Sequence[tuple[str, Found]]) -> bool:
    """True where the figure says which way it goes and the evidence only says the other way.

    A bare table cell agrees with both; it does not outweigh a sentence that says 6.4％増.
    """
    way = polarity(number)
    agreeing = (found for kind, found in near if kind in {"exact", "rounded"})
    if not way or any(polarity(found.number) == way for found in agreeing):
        return False
    return any(kind == "sign" for kind, _ in near)


_CONFLICTS: tuple[tuple[str, ClaimStatus], ...] = (
    ("sign", "sign_conflict"),
    ("scale", "scale_conflict"),
    ("unit", "unit_conflict"),
)


def _same_digits(near: Sequence[tuple[str, Found]]) -> Verdict | None:
    """A conflict of sign, scale or unit with the aligned evidence, if there is one."""
    for kind, status in _CONFLICTS:
        found = [item for agreement, item in near if agreement == kind]
        if found:
            return Verdict(status, found, f"the source has {_as_said(found[0])}")
    return None


def _conflict(number: Number, near: Sequence[tuple[str, Found]], local: Sequence[Found]) -> Verdict:
    """What the aligned evidence has instead."""
    conflict = _same_digits(near)
    if conflict is not None:
        return conflict
    closest = [f for f in local if f.number.unit == number.unit and _one_edit(f.number, number)]
    if closest:
        return Verdict("altered", closest, f"the source has {closest[0].number.text}")
    return Verdict("missing")


def _context(text: str, number: Number, offset: int) -> tuple[str, str]:
    """The characters right before and behind a figure, folded."""
    start, end = number.start - offset, number.end - offset
    return fold_text(text[max(0, start - _CONTEXT) : start]), fold_text(text[end : end + 2])


def _one_edit(found: Number, claim: Number) -> bool:
    """One digit replaced, or two neighbours swapped, in figures of the same length."""
    a, b = str(abs(found.value)), str(abs(claim.value))
    if len(a) != len(b) or len(a) < 2:
        return False
    places = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
    if len(places) == 2 and places[1] == places[0] + 1:
        return a[places[0]] == b[places[1]] and a[places[1]] == b[places[0]]
    return len(places) == 1
