"""Figures of a group of transcripts: measures, per label style, and of the methods compared with.

``transcripts`` prints them; the documents come from ``transcript_golds``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from benchmarks.transcript_golds import Scored
from benchmarks.transcript_peers import PEERS, colon_turns
from g2_pipelines.transcripts import metrics
from g2_pipelines.transcripts.gold import GoldPlace, gold_cuts, places
from g2_pipelines.transcripts.metrics import NOTHING, Scores


class Table(NamedTuple):
    """Measures of a group of documents."""

    documents: int
    turn_f1: float
    body_f1: float
    speaker_accuracy: float
    role_accuracy: float
    role_macro_f1: float
    role_unknown: float
    chunk_f1: float
    chunk_f1_near: float
    pk: float
    window_diff: float
    similarity: float
    pattern_accuracy: float
    count_accuracy: float | None
    followup_accuracy: float | None
    multi_answer_recall: float
    qa_start: float
    segmentation: float
    document_kind: float | None
    coverage: float


def table(group: Sequence[Scored]) -> Table:
    """Counts added up; Pk, WindowDiff and B are means over documents with several turns."""
    fits = [one.fit for one in group]
    twins = [one for one in group if one.kind == "twin"]
    roles = metrics.role_scores([pair for f in fits for pair in f.roles])
    cut = [f.chunks for f in fits if f.chunks.units > 1]
    kinds = [one.read.transcript.document_kind == one.gold.document_kind for one in twins]
    return Table(
        documents=len(group),
        turn_f1=_sum([f.turns for f in fits]).f1,
        body_f1=_sum([f.bodies for f in fits]).f1,
        speaker_accuracy=_sum([f.speakers for f in fits]).recall,
        role_accuracy=roles.accuracy,
        role_macro_f1=roles.macro_f1,
        role_unknown=roles.unknown_share,
        chunk_f1=_sum([f.chunks.exact for f in fits]).f1,
        chunk_f1_near=_sum([f.chunks.near for f in fits]).f1,
        pk=fmean([c.pk for c in cut]) if cut else 0.0,
        window_diff=fmean([c.window_diff for c in cut]) if cut else 0.0,
        similarity=fmean([c.similarity for c in cut]) if cut else 1.0,
        pattern_accuracy=_sum([f.chunks.patterns for f in fits]).recall,
        count_accuracy=_sum([o.fit.chunks.counts for o in twins]).recall if twins else None,
        followup_accuracy=_sum([o.fit.chunks.followups for o in twins]).recall if twins else None,
        multi_answer_recall=_sum([f.chunks.multi_answers for f in fits]).recall,
        qa_start=fmean([f.qa_start for f in fits]),
        segmentation=fmean([f.segmentation for f in fits]),
        document_kind=fmean(kinds) if kinds else None,
        coverage=min(f.coverage for f in fits),
    )


def _sum(scores: Sequence[Scores]) -> Scores:
    total = NOTHING
    for one in scores:
        total += one
    return total


def peer_tables(group: Sequence[Scored]) -> dict[str, dict[str, float]]:
    """Chunk F1, Pk, WindowDiff and B of the methods compared with, on the gold's own turns."""
    found: dict[str, dict[str, float]] = {}
    for name, peer in PEERS.items():
        counts, pks, diffs, similarities = NOTHING, [], [], []
        for one in group:
            text = one.read.transcript.text
            units, cuts = gold_cuts(text, one.gold)
            if len(units) < 2:
                continue
            gold = {units.index(cut) for cut in cuts} - {0}
            guess = peer(text, units, len(gold))
            counts += metrics.boundary_scores(gold, guess)
            pks.append(metrics.pk(gold, guess, len(units)))
            diffs.append(metrics.window_diff(gold, guess, len(units)))
            similarities.append(metrics.boundary_similarity(gold, guess))
        found[name] = {
            "chunk_f1": round(counts.f1, 4),
            "pk": round(fmean(pks), 4) if pks else 0.0,
            "window_diff": round(fmean(diffs), 4) if diffs else 0.0,
            "similarity": round(fmean(similarities), 4) if similarities else 1.0,
        }
    turns = NOTHING
    for one in group:
        starts = [s.start for s in _spots(one)]
        turns += metrics.boundary_scores(starts, colon_turns(one.read.transcript.text))
    found["line_to_colon"]["turn_f1"] = round(turns.f1, 4)
    return found


def _spots(one: Scored) -> list[GoldPlace]:
    return places(one.read.transcript.text, one.gold)


def style_table(scored: Sequence[Scored]) -> str:
    """Measures per label style, trivial baselines beside them."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in scored:
        groups[one.gold.style].append(one)
    head = "turn F1|role acc.|chunk F1|Pk|WD|B|pattern|none: Pk|even: F1|even: Pk|first Q&A: F1|colon: F1"
    lines = [f"| style | n | {' | '.join(head.split('|'))} |", "|---" * 14 + "|"]
    for style, group in [*sorted(groups.items()), ("**all**", list(scored))]:
        ours, peers = table(group), peer_tables(group)
        cells = [
            *(ours.turn_f1, ours.role_accuracy, ours.chunk_f1, ours.pk, ours.window_diff),
            *(ours.similarity, ours.pattern_accuracy, peers["none"]["pk"]),
            *(peers["even"]["chunk_f1"], peers["even"]["pk"]),
            *(peers["first_qa_string"]["chunk_f1"], peers["line_to_colon"]["chunk_f1"]),
        ]
        lines.append(f"| {style} | {len(group)} | {' | '.join(f'{c:.3f}' for c in cells)} |")
    return "\n".join(lines)
