"""Dates and periods of a summary, judged against the sources'.

Here: ``period_claims``. Words like 当期 are supported wherever the sources speak of such a
period; a calendar date must stand there, as written or finer (2025年3月期 where 2025年3月31日
stands). Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.evaluation.differences import Difference
from g2_pipelines.evaluation.near_copy import NOTHING_NEAR, NearCopy
from g2_pipelines.evaluation.period_forms import holds
from g2_pipelines.tables.line1 import Claim, ClaimStatus
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Period

_BEFORE, _BEHIND = 4, 8  # characters around a period that make its place the same
_BORNE_OUT = frozenset({"supported_local", "supported_elsewhere", "rounded", "derived"})
_YEAR = re.compile(r"(?:FY)?\d{4}")


def period_claims(
    text: str,
    found: Sequence[Period],
    corpus: Corpus,
    *,
    start: int,
    places: Sequence[int],
    near: NearCopy = NOTHING_NEAR,
) -> list[Claim]:
    """A claim per period of the sentence ``text`` that begins at ``start`` of the summary.

    ``found`` are the sentence's, with ranges of the summary; ``places`` its aligned evidence,
    ``near`` how the sentence differs from the place it is nearly a copy of.
    """
    replaced = {start + d.start: d for d in near.differences if d.kind == "period"}
    return [
        _claim(text, start, period, corpus, places=places, replaced=replaced) for period in found
    ]


def one_for_each_period(counted: Sequence[Claim], dated: Sequence[Claim]) -> list[Claim]:
    """The claims of a sentence's figures and periods, where one wrong period is one finding.

    Right figures under a period that is altered or missing are borne out. Where two or more
    stand under a known period that the source has them not under, the period is what is
    altered; one alone stays the figure's finding.
    """
    meant: list[Claim | None] = []
    for claim in counted:
        said = [p for p in dated if p.period == claim.period and p.end <= claim.start]
        by_period = claim.status == "altered" and claim.note.startswith("period: ")
        meant.append(said[-1] if said and by_period else None)
    wrong: dict[int, Claim] = {}
    figures: list[Claim] = []
    for claim, period in zip(counted, meant, strict=True):
        figures.append(claim)
        if period is None:
            continue
        if period.status in _BORNE_OUT:
            if sum(other is period for other in meant) < 2:
                continue
            note = claim.note.removeprefix("period: ")
            wrong[period.start] = period.model_copy(
                update={"status": "altered", "note": note, "evidence": claim.evidence}
            )
        figures[-1] = claim.model_copy(update={"status": "supported_elsewhere", "note": ""})
    return [*figures, *(wrong.get(period.start, period) for period in dated)]


def _claim(
    text: str,
    start: int,
    period: Period,
    corpus: Corpus,
    *,
    places: Sequence[int],
    replaced: Mapping[int, Difference],
) -> Claim:
    here = {p.key for place in places for p in corpus.periods_of.get(place, ())}
    status, keys = _status(period.key, here, corpus)
    twin = _twin(_context(text, period, start), period.key, corpus, places)
    if twin:
        status, keys = "altered", [twin]
    note = period.key
    if difference := replaced.get(period.start):
        status, note = "altered", f"{period.key}: the source has {difference.other}"
    evidence = [place for key in keys for place in corpus.period_places.get(key, ())]
    near = [place for place in evidence if place in set(places)]
    return Claim(
        kind="date" if re.fullmatch(r"\d{4}-\d\d-\d\d|--\d\d-\d\d", period.key) else "period",
        text=period.text,
        start=period.start,
        end=period.end,
        status=status,
        evidence=[corpus.span(place) for place in (near or evidence)[:3] if place >= 0],
        note=note,
        period=period.key,
    )


def _context(text: str, period: Period, offset: int) -> tuple[str, str]:
    """The characters around a period, folded."""
    begin, end = period.start - offset, period.end - offset
    return fold_text(text[max(0, begin - _BEFORE) : begin]), fold_text(text[end : end + _BEHIND])


def _twin(own: tuple[str, str], key: str, corpus: Corpus, places: Sequence[int]) -> str:
    """The key of another period that stands among the very same words in the evidence, or ''."""
    if len(own[1]) < _BEHIND:
        return ""
    same = [
        period.key
        for place in places
        for period in corpus.periods_of.get(place, ())
        if _context(corpus.text(place), period, corpus.places[place].start) == own
        and period.key[0].islower() == key[0].islower()  # 当期 may be 2025年3月期
    ]
    return "" if not same or any(holds(other, key) for other in same) else same[0]


def _status(key: str, here: set[str], corpus: Corpus) -> tuple[ClaimStatus, list[str]]:
    local = [other for other in sorted(here) if holds(other, key)]
    if local:
        return "supported_local", local
    elsewhere = [other for other in sorted(corpus.period_places) if holds(other, key)]
    if elsewhere:
        return "supported_elsewhere", elsewhere
    if not _YEAR.match(key):  # 当期, 第2四半期: a way of speaking, no date of its own
        return "supported_elsewhere", []
    alike = [other for other in sorted(here) if len(other) == len(key) and other[:2] == key[:2]]
    return ("altered", alike) if alike else ("missing", [])
