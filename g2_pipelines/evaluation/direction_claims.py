"""Directions as claims: does the source say the same of this item, segment and period?

Here: ``direction_claims``. 営業利益は増益となった has no figure to check. What is asked, in order:
the aligned sentences' own words, the item's figures of two years, the tagged facts. What none of
them speaks of is no claim. Only modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.evaluation.directions import Direction, directions
from g2_pipelines.evaluation.evidence import Evidence
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.items import OF_THE_COMPANY, items_differ
from g2_pipelines.evaluation.pairs import pairs
from g2_pipelines.evaluation.times import times_differ
from g2_pipelines.tables.line1 import Claim, ClaimStatus
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold, fold_text

_AROUND = 5  # characters before a word that make it the same word of the source


class _Said(NamedTuple):
    way: int
    span: Span
    note: str


def direction_claims(
    sentence: str,
    start: int,
    evidence: Evidence,
    places: Sequence[int],
    *,
    verbatim: Span | None = None,
    facts: FactTable | None = None,
) -> list[Claim]:
    """A claim per direction of the sentence at ``start`` that the sources speak of.

    ``places`` are the sentence's aligned evidence, ``verbatim`` where it stands itself.
    """
    folded = fold(sentence)
    out: dict[tuple[int, int], Claim] = {}
    for told in directions(folded.text, evidence.segments, evidence.corpus.items):
        a, b = folded.original(told.start, told.end)
        made = _judged(told, folded.text, evidence, places, verbatim=verbatim, facts=facts)
        if made is None:
            continue
        status, said = made
        claim = Claim(
            kind="statement",
            text=sentence[a:b],
            start=start + a,
            end=start + b,
            status=status,
            evidence=[said.span] if said.span.end else [],
            note=said.note,
            item=told.subject,
            segment=told.segment,
            period=told.period,
        )
        earlier = out.get((a, b))
        if earlier is None or earlier.status != "sign_conflict":  # 増収減益 is one claim of two
            out[a, b] = claim
    return list(out.values())


def _judged(
    told: Direction,
    folded: str,
    evidence: Evidence,
    places: Sequence[int],
    *,
    verbatim: Span | None,
    facts: FactTable | None,
) -> tuple[ClaimStatus, _Said] | None:
    if verbatim is not None:
        return "supported_local", _Said(told.way, verbatim, "")
    copied = _same_words(told, folded, evidence.corpus, places)
    if copied is not None:
        return "supported_local", copied
    local = list(_local(told, evidence, places))
    fine = [said for said in local if said.way == told.way]
    if fine:
        return "supported_local", fine[0]
    figures = [
        *_of_signs(told, evidence, places),
        *_of_pairs(told, evidence, places),
        *_of_facts(told, facts),
    ]
    fine = [said for said in figures if said.way == told.way]
    if fine:
        return "supported_elsewhere", fine[0]
    if told.segment is None and told.subject.startswith("セグメント"):
        return None  # whose is not said
    against = [*local, *figures]
    return ("sign_conflict", against[0]) if against else None


def _same_words(
    told: Direction, folded: str, corpus: Corpus, places: Sequence[int]
) -> _Said | None:
    """The word among the same words: what is copied was judged with its sentence."""
    words = folded[max(0, told.start - _AROUND) : told.end]
    if told.start < _AROUND:
        return None
    for place in places:
        if words in fold_text(corpus.text(place)):
            return _Said(told.way, corpus.span(place), "")
    return None


def _local(told: Direction, evidence: Evidence, places: Sequence[int]) -> Iterator[_Said]:
    for place in places:
        for other in evidence.directions(place):
            if not _same_subject(told, other):
                continue
            segment = other.segment
            if segment is None and other.subject not in OF_THE_COMPANY:
                segment = evidence.segment_around(place)
            if segment != told.segment or other.basis != told.basis:
                continue
            if times_differ(told.period or "current", other.period or "current"):
                continue
            text = fold_text(evidence.corpus.text(place))[other.start : other.end]
            note = "" if other.way == told.way else f"the source says {text} of {other.subject}"
            yield _Said(other.way, evidence.corpus.span(place), note)


def _same_subject(told: Direction, other: Direction) -> bool:
    if told.is_item and other.is_item:
        return not items_differ(told.subject, other.subject)
    return told.is_item == other.is_item and told.subject == other.subject


def _of_signs(told: Direction, evidence: Evidence, places: Sequence[int]) -> Iterator[_Said]:
    """On which side of zero the item's figures are."""
    if told.basis != "zero":
        return
    for found in evidence.local([*places, *evidence.rows(told.subject, "")]):
        label = evidence.label(found)
        if label.item is None or items_differ(label.item, told.subject):
            continue
        if label.segment != told.segment or found.number.unit not in {"円", "ドル", ""}:
            continue
        if times_differ(told.period or "current", label.period or "current"):
            continue
        if found.number.value and not evidence.in_changes(found):
            way = 1 if found.number.value > 0 else -1
            note = f"the source has {found.number.text}"
            yield _Said(way, evidence.corpus.figure_span(found), note)


def _of_pairs(told: Direction, evidence: Evidence, places: Sequence[int]) -> Iterator[_Said]:
    """What the item's figures of two years say."""
    if not told.is_item or told.basis or told.period not in {None, "current"}:
        return
    rows = evidence.rows(told.subject, "")
    for pair in pairs(evidence, [*places, *rows], told.subject, told.segment):
        if pair.difference:
            now, before = pair.now.number, pair.before.number
            way = 1 if pair.difference > 0 else -1
            note = f"the source has {now.text}, {before.text} the year before"
            yield _Said(way, evidence.corpus.figure_span(pair.now), note)


def _of_facts(told: Direction, facts: FactTable | None) -> Iterator[_Said]:
    if facts is None or not told.is_item or told.segment or told.basis:
        return
    if told.period not in {None, "current"} or told.subject not in facts.by_item:
        return
    change = facts.change(told.subject)
    if change:
        note = "as tagged for this year and the year before"
        yield _Said(1 if change > 0 else -1, Span(source_id="", start=0, end=0), note)
