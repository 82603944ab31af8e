"""Every figure of a summary, judged: aligned evidence first, then all sources, then facts.

Here: ``number_claims``. A check against the whole of a long report lets 1 corrupted figure in
6 pass, against the aligned sentences 1 in 25 (measured); so the status says which of
the two it was. What the nearest copy of the sentence has in the figure's place decides before
anything else (``near_copy``). Only modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.evaluation.conflicts import (
    as_said,
    conflict_of,
    counterparts_of,
    same_digits,
    twin,
)
from g2_pipelines.evaluation.contrasts import Contrasts
from g2_pipelines.evaluation.corpus import Found
from g2_pipelines.evaluation.counterparts import Counterparts
from g2_pipelines.evaluation.derivations import derived, made_here
from g2_pipelines.evaluation.evidence import Evidence, around
from g2_pipelines.evaluation.fact_claims import (
    agrees,
    fact_conflict,
    fact_counterpart,
    fact_side,
    fact_verdict,
)
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.figures import polarity, significant
from g2_pipelines.evaluation.labels import Label, label_at
from g2_pipelines.evaluation.movements import Movements
from g2_pipelines.evaluation.senses import AMOUNTS, is_planned, role_of
from g2_pipelines.evaluation.sides import said_with
from g2_pipelines.evaluation.verdicts import Sentence, Verdict
from g2_pipelines.tables.line1 import Claim
from g2_pipelines.text.numbers import Number

_ELSEWHERE = "elsewhere in the source"
_BORNE_OUT = frozenset({"supported_local", "supported_elsewhere", "rounded"})


def number_claims(
    sentence: Sentence,
    figures: Sequence[Number],
    evidence: Evidence,
    *,
    facts: FactTable | None = None,
) -> list[Claim]:
    """A claim per figure of ``sentence``, whose ``figures`` have ranges of the summary.

    ``facts`` are the filing's own, asked last.
    """
    judge = _Judge(evidence, facts)
    return [judge.claim(sentence, number) for number in figures]


class _Judge:
    def __init__(self, evidence: Evidence, facts: FactTable | None) -> None:
        self.evidence = evidence
        self.corpus = evidence.corpus
        self.counterparts = Counterparts(evidence)
        self.contrasts = Contrasts(evidence)
        self.movements = Movements(evidence)
        self.facts = facts

    def claim(self, sentence: Sentence, number: Number) -> Claim:
        label = label_at(
            sentence.text, number, sentence.start, self.evidence.segments, self.corpus.items
        )
        if sentence.verbatim is not None:
            found = [f for place in sentence.places for f in self.evidence.same(place, number)]
            verdict = Verdict("supported_local", found)
        else:
            verdict = self._verdict(sentence, number, label)
            moved = self.movements.verdict(sentence, number, label)
            if verdict.status in _BORNE_OUT:
                verdict = self.contrasts.conflict(sentence, number, label, verdict) or verdict
            elif verdict.status != "derived":
                verdict = self.contrasts.changed(sentence, number, label) or verdict
            if moved is not None:
                verdict = moved
            elif self.facts is not None and verdict.status in _BORNE_OUT:
                verdict = (
                    fact_side(number, label, *_beside(sentence, number), self.facts)
                    or fact_conflict(number, label, sentence.text, self.facts)
                    or self._of_no_year(sentence, number, label, verdict, self.facts)
                    or verdict
                )
            verdict = self._told(number, self._counterpart(sentence, number, label, verdict))
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

    def _counterpart(
        self, sentence: Sentence, number: Number, label: Label, verdict: Verdict
    ) -> Verdict:
        """The claimed item's own figure of the period, before any other explanation.

        What the aligned places have of it, then tables, then facts; another item that has the
        figure is told besides where the figure is hardly there by chance.
        """
        other = verdict.status == "altered" and verdict.note.startswith("item: ")
        if label.item is None or not (other or verdict.status == "missing"):
            return verdict
        if role_of(*_beside(sentence, number), number) == "change" or is_planned(sentence.text):
            return verdict
        rows = self.evidence.rows(label.item, "")
        wide = sentence._replace(places=[*sentence.places, *rows])
        meant = counterparts_of(wide, number, label, self.evidence)
        meant = [f for f in meant if abs(f.number.value) != abs(number.value)]
        if meant:
            own = Verdict("altered", meant[:1], f"the source has {meant[0].number.text}")
        elif self.facts is not None and label.segment is None:
            made = fact_counterpart(number, label, self.facts)
            if made is None:
                return verdict
            own = made
        else:
            return verdict
        if not other and number.unit != "%":  # 78億円 is not 486億円 written wrongly
            return own._replace(status="missing") if not verdict.note else verdict
        if other and number.unit in AMOUNTS and significant(number) >= 3:
            return verdict._replace(note=f"{verdict.note}; {own.note} of {label.item}")
        return own

    def _of_no_year(
        self, sentence: Sentence, number: Number, label: Label, verdict: Verdict, facts: FactTable
    ) -> Verdict | None:
        """A ratio that the sources have of something without a name, and tagged of no year.

        A company's 自己資本比率 is tagged for five years; 85.0％ is another thing's.
        """
        tagged = [f for f in facts.by_item.get(label.item or "", ()) if f.number.unit == "%"]
        if number.unit != "%" or not tagged or label.segment is not None:
            return None
        if any(agrees(number, fact) for fact in tagged) or is_planned(sentence.text):
            return None
        if role_of(*_beside(sentence, number), number) == "change":
            return None
        labels = [self.evidence.label(found) for found in verdict.evidence]
        if any(there.item == label.item for there in labels):
            return None
        return fact_counterpart(number, label, facts)

    def _told(self, number: Number, verdict: Verdict) -> Verdict:
        """A conflict of sides with the words that say the source's side, not the bare figure."""
        if verdict.status != "sign_conflict" or not verdict.evidence:
            return verdict
        found = verdict.evidence[0]
        if abs(found.number.value) != abs(number.value) or as_said(found) != found.number.text:
            return verdict
        text = self.corpus.sources[found.source].text
        said = said_with(text, found.number.start, found.number.end)
        return verdict._replace(note=f"the source has {said}")

    def _verdict(self, sentence: Sentence, number: Number, label: Label) -> Verdict:
        nearest = self.counterparts.verdict(sentence, number, label)
        if nearest is not None:
            return nearest
        local = self.evidence.local(sentence.places)
        words = around(sentence.text, number, sentence.start)
        near = self.evidence.agreements(number, words, local)
        verdict = self._supported(number, label, words, near)
        if verdict is not None and verdict.status == "altered":
            verdict = made_here(sentence, number, label, self.evidence) or verdict
        if verdict is None or verdict.status == "supported_elsewhere" or verdict.note == _ELSEWHERE:
            # The figure is not in the aligned evidence: has another one taken its place there?
            conflict = twin(sentence, number, local, self.corpus)
            if conflict is None and significant(number) >= 3:
                conflict = same_digits(near)
            if conflict is not None:
                return made_here(sentence, number, label, self.evidence) or conflict
        if verdict is None and not any(kind == "sign" for kind, _ in near):
            verdict = derived(sentence, number, label, self.evidence)
        if verdict is None and self.facts is not None:
            verdict = fact_verdict(number, label, sentence.text, self.facts)
        return verdict or conflict_of(sentence, number, label, near, self.evidence)

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
            wrong = self.evidence.wrong(number, label, [*exact, *everywhere])
            return wrong or Verdict("supported_local", exact)
        rounded = [found for kind, found in near if kind == "rounded"]
        if rounded:
            wrong = self.evidence.wrong(number, label, [*rounded, *everywhere])
            return wrong or Verdict("rounded", rounded)
        if any(kind == "sign" for kind, _ in near):
            return None
        if everywhere:
            wrong = self.evidence.wrong(number, label, everywhere)
            return wrong or Verdict("supported_elsewhere", everywhere)
        coarse = self.evidence.rounded(number, words, label)
        return Verdict("rounded", coarse, _ELSEWHERE) if coarse else None


def _beside(sentence: Sentence, number: Number) -> tuple[str, str]:
    """What stands before and behind a figure in its sentence."""
    text, start, end = sentence.text, number.start - sentence.start, number.end - sentence.start
    return text[:start], text[end:]


def _other_way(number: Number, near: Sequence[tuple[str, Found]]) -> bool:
    """True where the figure says which way it goes and the evidence only says the other way.

    A bare table cell agrees with both; it does not outweigh a sentence that says 6.4％増.
    """
    way = polarity(number)
    agreeing = (found for kind, found in near if kind in {"exact", "rounded"})
    if not way or any(polarity(found.number) == way for found in agreeing):
        return False
    return any(kind == "sign" for kind, _ in near)
