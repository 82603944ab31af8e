"""Every figure of a summary, judged: aligned evidence first, then the whole source.

Here: ``number_claims``. A check against the whole of a long report lets 1 corrupted figure in
6 pass, against the aligned sentences 1 in 25 (measured); so the status says which of
the two it was. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Corpus, Found, digits
from g2_pipelines.evaluation.figures import agree, derived_from, polarity, significant
from g2_pipelines.evaluation.labels import Label, label_at, labels_differ, last_segment, stem_of
from g2_pipelines.tables.line1 import Claim, ClaimStatus
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number

_FALLS = re.compile(
    r"損失|赤字|減|低下|下落|縮小|支出|使用|マイナス|△|▲|悪化|下回|loss|decreas|declin|fell|down"
)
_DERIVES = re.compile(
    r"差|合計|計|比|増|減|倍|割合|占め|率|上昇|低下|改善|より多|より少|total|rise|rose|ratio"
)
_ELSEWHERE = "elsewhere in the source"
_CONTEXT = 6  # characters before a figure that make its place the same
_CARRY = 800  # characters that a segment's heading reaches


class _Sentence(NamedTuple):
    """A sentence of the summary with the places aligned to it."""

    text: str
    start: int
    places: Sequence[int]
    verbatim: Span | None


def number_claims(
    text: str,
    figures: Sequence[Number],
    corpus: Corpus,
    *,
    start: int,
    places: Sequence[int],
    segments: Sequence[str],
    verbatim: Span | None = None,
) -> list[Claim]:
    """A claim per figure of the sentence ``text`` that begins at ``start`` of the summary.

    ``figures`` are the sentence's, with ranges of the summary; ``places`` its aligned evidence,
    best first; ``segments`` the known names, folded; ``verbatim`` where the very sentence stands:
    then its figures are the source's, also where a line's end cuts them from 営業損失は.
    """
    sentence = _Sentence(text, start, places, verbatim)
    judge = _Judge(corpus, segments)
    return [judge.claim(sentence, number) for number in figures]


class _Verdict(NamedTuple):
    status: ClaimStatus
    evidence: Sequence[Found] = ()
    note: str = ""


class _Judge:
    def __init__(self, corpus: Corpus, segments: Sequence[str]) -> None:
        self.corpus = corpus
        self.segments = segments

    def claim(self, sentence: _Sentence, number: Number) -> Claim:
        if sentence.verbatim is not None:
            verdict = _Verdict("supported_local", self._same(sentence, number))
        else:
            verdict = self._verdict(sentence, number)
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
        )

    def _verdict(self, sentence: _Sentence, number: Number) -> _Verdict:
        local = self._local(sentence)
        near = self._agreements(sentence, number, local)
        verdict = self._supported(sentence, number, near)
        if verdict is None or verdict.status == "supported_elsewhere" or verdict.note == _ELSEWHERE:
            # The figure is not in the aligned evidence: has another one taken its place there?
            conflict = self._twin(sentence, number, local)
            if conflict is None and significant(number) >= 3:
                conflict = _same_digits(near)
            if conflict is not None:
                return conflict
        if verdict is None and not any(kind == "sign" for kind, _ in near):
            verdict = self._derived(sentence, number)
        return verdict or _conflict(number, near, local)

    def _local(self, sentence: _Sentence) -> list[Found]:
        indices = (i for place in sentence.places for i in self.corpus.by_place.get(place, ()))
        return [self.corpus.figures[i] for i in indices]

    def _same(self, sentence: _Sentence, number: Number) -> list[Found]:
        own = digits(number.value)
        return [found for found in self._local(sentence) if digits(found.number.value) == own]

    def _agreements(
        self, sentence: _Sentence, number: Number, found: Iterable[Found]
    ) -> list[tuple[str, Found]]:
        claim_falls = _FALLS.search(_around(sentence.text, number, sentence.start)) is not None
        out: list[tuple[str, Found]] = []
        for item in found:
            scales = self.corpus.scales[item.source]
            kind = agree(number, item.number, scales, claim_falls=claim_falls, found_falls=True)
            if kind in {"exact", "rounded"} and number.value < 0 and not self._falls(item):
                kind = agree(number, item.number, scales, claim_falls=claim_falls)
            if kind:
                out.append((kind, item))
        return out

    def _falls(self, found: Found) -> bool:
        place = self.corpus.places[found.place]
        text = self.corpus.text(found.place)
        return _FALLS.search(_around(text, found.number, place.start)) is not None

    def _supported(
        self, sentence: _Sentence, number: Number, near: Sequence[tuple[str, Found]]
    ) -> _Verdict | None:
        """Supported, rounded or on a wrong label; None where no figure agrees."""
        exact = [found for kind, found in near if kind == "exact"]
        everywhere = self._everywhere(sentence, number)
        if _other_way(number, near):
            return None
        if exact:
            wrong = self._wrong_label(sentence, number, [*exact, *everywhere])
            return wrong or _Verdict("supported_local", exact)
        rounded = [found for kind, found in near if kind == "rounded"]
        if rounded:
            wrong = self._wrong_label(sentence, number, [*rounded, *everywhere])
            return wrong or _Verdict("rounded", rounded)
        if any(kind == "sign" for kind, _ in near):
            return None
        if everywhere:
            wrong = self._wrong_label(sentence, number, everywhere)
            return wrong or _Verdict("supported_elsewhere", everywhere)
        return self._rounded_elsewhere(sentence, number)

    def _everywhere(self, sentence: _Sentence, number: Number) -> list[Found]:
        same = [self.corpus.figures[i] for i in self.corpus.by_digits.get(digits(number.value), ())]
        if number.unit and significant(number) < 3:  # any table holds a 100 or a 12
            same = [found for found in same if found.number.unit]
        return [f for kind, f in self._agreements(sentence, number, same) if kind == "exact"]

    def _rounded_elsewhere(self, sentence: _Sentence, number: Number) -> _Verdict | None:
        if significant(number) < (2 if number.approximate else 3):
            return None
        figures = self.corpus.figures
        rounded = [
            found
            for kind, found in self._agreements(sentence, number, figures)
            if kind == "rounded" and found.number.unit == number.unit
        ]
        return _Verdict("rounded", rounded, _ELSEWHERE) if rounded else None

    def _wrong_label(
        self, sentence: _Sentence, number: Number, found: Sequence[Found]
    ) -> _Verdict | None:
        """``altered`` where the places that have the figure have it under another label.

        With three digits or more a figure is hardly there by chance: then a place that names
        another item or segment counts unless some place names the claimed one, and places
        that name none do not excuse it. With fewer, or for a period, all must differ.
        """
        claimed = label_at(sentence.text, number, sentence.start, self.segments)
        if claimed == Label():
            return None
        labels = [self._label(item) for item in dict.fromkeys(found)]
        kinds = [labels_differ(claimed, label) for label in labels]
        kind = kinds[0] if all(kinds) else ""
        if significant(number) >= 3:
            kind = next((k for k in ("item", "segment") if _contradicted(claimed, labels, k)), kind)
        if not kind:
            return None
        said = getattr(claimed, kind)
        source = next(getattr(x, kind) for x in labels if labels_differ(claimed, x) == kind)
        return _Verdict("altered", found, f"{kind}: {said} here, {source} in the source")

    def _label(self, found: Found) -> Label:
        place = self.corpus.places[found.place]
        text = self.corpus.text(found.place)
        label = label_at(text, found.number, place.start, self.segments)
        if "\t" in text:  # a table's row: its first cell names it, often by the stem alone
            return label._replace(segment=self._row_segment(text.partition("\t")[0]))
        if label.segment is None and self.segments:
            source = self.corpus.sources[found.source].text
            before = fold_text(source[max(0, place.start - _CARRY) : place.start])
            label = label._replace(segment=last_segment(before, self.segments))
        return label

    def _row_segment(self, head: str) -> str | None:
        folded = fold_text(head).strip()
        return next((name for name in self.segments if stem_of(name) == stem_of(folded)), None)

    def _twin(self, sentence: _Sentence, number: Number, local: Sequence[Found]) -> _Verdict | None:
        """``altered`` where the aligned evidence has the same words around another figure."""
        own = _context(sentence.text, number, sentence.start)
        if len(own[0]) < _CONTEXT:
            return None
        for found in local:
            place = self.corpus.places[found.place]
            if own == _context(self.corpus.text(found.place), found.number, place.start):
                status: ClaimStatus = "altered"
                if abs(found.number.value) == abs(number.value):
                    status = "unit_conflict"
                return _Verdict(status, [found], f"the source has {found.number.text}")
        return None

    def _derived(self, sentence: _Sentence, number: Number) -> _Verdict | None:
        if not _DERIVES.search(_around(sentence.text, number, sentence.start, reach=24)):
            return None
        for place in sentence.places:
            found = [self.corpus.figures[i] for i in self.corpus.by_place.get(place, ())]
            if not found:
                continue
            scales = self.corpus.scales[found[0].source]
            made = derived_from(number, [item.number for item in found], scales)
            if made is not None:
                a, b, operation = made
                parts = [item for item in found if item.number in (a, b)]
                return _Verdict("derived", parts, f"{operation}: a = {a.text}, b = {b.text}")
        return None


def _other_way(number: Number, near: Sequence[tuple[str, Found]]) -> bool:
    """True where the figure says which way it goes and the evidence only says the other way.

    A bare table cell agrees with both; it does not outweigh a sentence that says 6.4％増.
    """
    way = polarity(number)
    agreeing = (found for kind, found in near if kind in {"exact", "rounded"})
    if not way or any(polarity(found.number) == way for found in agreeing):
        return False
    return any(kind == "sign" for kind, _ in near)


def _contradicted(claimed: Label, labels: Sequence[Label], kind: str) -> bool:
    """True where some labels name another ``kind`` than the claimed one and none the same."""
    said = getattr(claimed, kind)
    if said is None or any(getattr(label, kind) == said for label in labels):
        return False
    return any(labels_differ(claimed, label) == kind for label in labels)


_CONFLICTS: tuple[tuple[str, ClaimStatus], ...] = (
    ("sign", "sign_conflict"),
    ("scale", "scale_conflict"),
    ("unit", "unit_conflict"),
)


def _same_digits(near: Sequence[tuple[str, Found]]) -> _Verdict | None:
    """A conflict of sign, scale or unit with the aligned evidence, if there is one."""
    for kind, status in _CONFLICTS:
        found = [item for agreement, item in near if agreement == kind]
        if found:
            return _Verdict(status, found, f"the source has {found[0].number.text}")
    return None


def _conflict(
    number: Number, near: Sequence[tuple[str, Found]], local: Sequence[Found]
) -> _Verdict:
    """What the aligned evidence has instead."""
    conflict = _same_digits(near)
    if conflict is not None:
        return conflict
    closest = [f for f in local if f.number.unit == number.unit and _one_edit(f.number, number)]
    if closest:
        return _Verdict("altered", closest, f"the source has {closest[0].number.text}")
    return _Verdict("missing")


def _context(text: str, number: Number, offset: int) -> tuple[str, str]:
    """The characters right before and behind a figure, folded."""
    start, end = number.start - offset, number.end - offset
    return fold_text(text[max(0, start - _CONTEXT) : start]), fold_text(text[end : end + 2])


def _around(text: str, number: Number, offset: int, *, reach: int = 16) -> str:
    start, end = number.start - offset, number.end - offset
    return text[max(0, start - reach) : end + reach]


def _one_edit(found: Number, claim: Number) -> bool:
    """One digit replaced, or two neighbours swapped, in figures of the same length."""
    a, b = str(abs(found.value)), str(abs(claim.value))
    if len(a) != len(b) or len(a) < 2:
        return False
    places = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
    if len(places) == 2 and places[1] == places[0] + 1:
        return a[places[0]] == b[places[1]] and a[places[1]] == b[places[0]]
    return len(places) == 1
