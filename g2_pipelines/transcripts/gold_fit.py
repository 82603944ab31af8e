"""How well the turns and chunks of a transcript fit its gold.

Here: one ``Fit`` a transcript. The gold's form stands in ``gold``, the measures in ``metrics``.
Benchmarks, tests and notebooks may import this module; the pipeline does not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import dropwhile
from typing import NamedTuple

from g2_pipelines.tables.line1 import (
    QaChunk,
    Transcript,
    TranscriptSegmentation,
    Turn,
)
from g2_pipelines.transcripts.cues import STAGE
from g2_pipelines.transcripts.gold import Gold, GoldChunk, GoldPlace, GoldTurn, find, places
from g2_pipelines.transcripts.metrics import (
    NOTHING,
    Scores,
    boundary_scores,
    boundary_similarity,
    coverage,
    pk,
    window_diff,
)

MAX_STAGE = 60
_STAGES = re.compile(rf"\s*(?:{STAGE.pattern})\s*")


class ChunkFit(NamedTuple):
    """A transcript's chunks against its gold; boundaries are counted in turns.

    ``exact`` and ``near`` (± 1 turn) count inner chunk boundaries; ``patterns``, ``counts``
    (of questions), ``followups`` and ``multi_answers`` (all answers of a question in one
    chunk) are over the gold's Q&A chunks.
    """

    exact: Scores
    near: Scores
    pk: float = 0.0
    window_diff: float = 0.0
    similarity: float = 1.0
    units: int = 0
    patterns: Scores = NOTHING
    counts: Scores = NOTHING
    followups: Scores = NOTHING
    multi_answers: Scores = NOTHING


class Fit(NamedTuple):
    """One transcript against its gold.

    ``turns`` counts turn starts, ``bodies`` turns with both ends right, ``speakers`` names of
    the turns met; ``roles`` pairs gold with found role a gold turn (None: no turn starts
    there), ``confidences`` are the same turns'. ``wrong`` says every difference in words.
    """

    turns: Scores
    bodies: Scores
    speakers: Scores
    roles: list[tuple[str, str | None]]
    confidences: list[float]
    chunks: ChunkFit
    qa_start: bool
    segmentation: bool
    coverage: float
    wrong: list[str]


def fit(
    transcript: Transcript,
    turns: Sequence[Turn],
    segmentation: TranscriptSegmentation,
    chunks: Sequence[QaChunk],
    gold: Gold,
) -> Fit:
    """Score one transcript.

    Raises:
        GoldMismatchError: The gold is of another text.
    """
    spots = places(transcript.text, gold)
    spots = [_at_turn(transcript.text, spot, turns) for spot in spots]
    by_start = {turn.start: turn for turn in turns}
    met = [by_start.get(spot.start) for spot in spots]
    # Of text without labels nobody is asked to find turns.
    told = [] if segmentation.segmentation == "unsegmented" and not gold.turns else list(turns)
    wrong = [
        f"turn {i}: wanted {g.role} {g.speaker or g.organisation or ''} {g.start_text[:14]!r}, "
        + (
            "found none there"
            if t is None
            else f"found {t.role} {t.speaker or ''} ({t.role_source})"
        )
        for i, (g, t) in enumerate(zip(gold.turns, met, strict=True))
        if t is None or t.role != g.role
    ]
    wrong += [
        f"turn too many: {t.role} {t.speaker or ''} {t.text[:20]!r}"
        for t in told
        if t.start not in {spot.start for spot in spots}
    ]
    same = [(g, t) for g, t in zip(gold.turns, met, strict=True) if t is not None]
    ends = {(t.start, t.end) for t in told}
    if gold.chunks:
        chunk_fit, more = _fit_chunks(transcript.text, turns, chunks, gold, spots)
        wrong += more
    elif segmentation.segmentation == "unsegmented":  # cut by size: one cut is as good as another
        chunk_fit = ChunkFit(NOTHING, NOTHING)
    else:
        chunk_fit = ChunkFit(Scores(0, len(chunks), 0), Scores(0, len(chunks), 0))
        wrong.append(f"{len(chunks)} chunks of text without turns")
    opening = _qa_start(turns, chunks)
    wanted = _wanted_start(transcript.text, gold, spots)
    spans = [(t.start, t.end) for t in turns] + [(d.start, d.end) for d in segmentation.dropped]
    return Fit(
        turns=boundary_scores([s.start for s in spots], [t.start for t in told]),
        bodies=Scores(sum((s.start, s.end) in ends for s in spots), len(told), len(spots)),
        speakers=Scores(sum(_names(g) == _names(t) for g, t in same), len(same), len(spots)),
        roles=[(g.role, t.role if t else None) for g, t in zip(gold.turns, met, strict=True)],
        confidences=[t.confidence if t else 0.0 for t in met],
        chunks=chunk_fit,
        qa_start=wanted is None or wanted == opening,
        segmentation=_same_way(segmentation.segmentation, gold.segmentation),
        coverage=coverage(transcript.text, spans),
        wrong=wrong,
    )


def _at_turn(text: str, spot: GoldPlace, turns: Sequence[Turn]) -> GoldPlace:
    """The place moved to a turn's start from which only a stage mark parts it.

    Whether 「[Interpreted]」 at the head of a body belongs to it is a matter of taste; the
    authors of two blind suites differ in it.
    """
    before = bisect_right(turns, spot.start, key=lambda turn: turn.start) - 1
    start = turns[before].start if before >= 0 else spot.start
    if spot.start - start > MAX_STAGE or not _STAGES.fullmatch(text[start : spot.start]):
        return spot
    return GoldPlace(start, spot.end)


def _wanted_start(text: str, gold: Gold, spots: Sequence[GoldPlace]) -> int | None:
    """Start of the gold's first question from its qa_start on, which may be the gate to it."""
    begin = find(text, gold.qa_start) if gold.qa_start else None
    if begin is None:
        return None
    asked = [s.start for s, t in zip(spots, gold.turns, strict=True) if t.role == "question"]
    return next((start for start in asked if start >= begin), begin)


def _same_way(found: str, wanted: str) -> bool:
    """Whether turns were found as the gold says; some authors only know ``labelled``."""
    return found == wanted or (found, wanted) == ("voted", "labelled")


def _names(one: GoldTurn | Turn) -> str:
    return "".join((one.speaker or "").split())


def _qa_start(turns: Sequence[Turn], chunks: Sequence[QaChunk]) -> int | None:
    """Start of the first question of the Q&A part."""
    begin = next((c.spans[0].start for c in chunks if c.part == "qa"), None)
    if begin is None:
        return None
    return next((t.start for t in turns if t.start >= begin and t.role == "question"), begin)


def _counted(turns: Sequence[Turn], row: QaChunk) -> set[int]:
    """Starts of a chunk's turns without the host's, and without answers before its question.

    What the company says in the Q&A before anybody asked belongs to no gold chunk.
    """
    inside = [
        t
        for t in turns
        if t.role != "moderator" and any(s.start <= t.start < s.end for s in row.spans)
    ]
    asks = any(t.role == "question" for t in inside)
    said = dropwhile(lambda t: asks and row.part == "qa" and t.role == "answer", inside)
    return {t.start for t in said}


def _fit_chunks(
    text: str,
    turns: Sequence[Turn],
    chunks: Sequence[QaChunk],
    gold: Gold,
    spots: Sequence[GoldPlace],
) -> tuple[ChunkFit, list[str]]:
    wanted: dict[int, tuple[GoldChunk, set[int]]] = {}
    for chunk in gold.chunks:
        starts = {spots[i].start for i in chunk.turns if gold.turns[i].role != "moderator"}
        if starts:
            wanted[min(starts)] = (chunk, starts)
    told: dict[int, tuple[QaChunk, set[int]]] = {}
    for row in chunks:
        inside = _counted(turns, row)
        if inside:
            told[min(inside)] = (row, inside)
    # The first chunk's start is no boundary: every method finds it.
    head = min(wanted)
    gold_cuts, found_cuts = set(wanted), set(told)
    if head in found_cuts:
        gold_cuts.discard(head)
        found_cuts.discard(head)
    units = sorted(
        {s.start for s, g in zip(spots, gold.turns, strict=True) if g.role != "moderator"}
        | {t.start for t in turns if t.role != "moderator"}
        | gold_cuts
    )
    number = {start: i for i, start in enumerate(units)}
    a, b = {number[x] for x in gold_cuts}, {number[x] for x in found_cuts}
    a.discard(0)
    b.discard(0)
    asked = [(start, *pair) for start, pair in wanted.items() if pair[0].part == "qa"]
    met = [(g, told[start][0]) for start, g, _ in asked if start in told]
    several = [own for _, g, own in asked if (g.pattern or "").count("A") >= 2]
    whole = sum(any(own <= inside for _, inside in told.values()) for own in several)
    wrong = [
        f"chunk not found: {text[s : s + 20]!r} {wanted[s][0].pattern}"
        for s in sorted(gold_cuts - found_cuts)
    ]
    wrong += [
        f"chunk too many: {text[s : s + 20]!r} {told[s][0].pattern}"
        for s in sorted(found_cuts - gold_cuts)
    ]
    wrong += [
        f"chunk {g.turns}: wanted {g.pattern} n={g.n_questions} follow={g.is_followup}, "
        f"found {c.pattern} n={c.n_questions} follow={c.is_followup}"
        for g, c in met
        if (g.pattern, g.n_questions, g.is_followup) != (c.pattern, c.n_questions, c.is_followup)
    ]
    total = len(asked)
    chunk_fit = ChunkFit(
        exact=boundary_scores(gold_cuts, found_cuts),
        near=boundary_scores(a, b, tolerance=1),
        pk=pk(a, b, len(units)),
        window_diff=window_diff(a, b, len(units)),
        similarity=boundary_similarity(a, b),
        units=len(units),
        patterns=Scores(sum(g.pattern == c.pattern for g, c in met), total, total),
        counts=Scores(sum(g.n_questions == c.n_questions for g, c in met), total, total),
        followups=Scores(sum(g.is_followup == c.is_followup for g, c in met), total, total),
        multi_answers=Scores(whole, len(several), len(several)),
    )
    return chunk_fit, wrong
