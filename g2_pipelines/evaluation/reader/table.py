"""Sums over scores: one row a variant and set, each beside the method it is a part of.

Here: ``Summary`` and ``summaries``. Every share has its interval; the difference to the full
method is paired by question. Scores are sorted first: their order counts for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from g2_pipelines.evaluation.reader.bootstrap import Estimate, difference, interval
from g2_pipelines.evaluation.reader.score import CaseScore
from g2_pipelines.evaluation.reader.typed import totals
from g2_pipelines.evaluation.reader.variants import FULL, VARIANTS
from g2_pipelines.tables.rows import Row

Value = Callable[[CaseScore], float | None]


class Summary(Row):
    """A variant on a set.

    correct: mean of right (1) and wrong (0) over the questions of which rule or judge can tell
    (``by`` says who); judge: of the model's verdicts alone. f1_benchmark: MMLongBench's F1.
    citation_precision: cited pages on gold pages over all citations of questions with gold
    pages; citation_document_precision: likewise documents. against_…: minus the full method.
    """

    set: str
    variant: str
    title: str
    questions: int
    failed: int
    refused: int
    by: list[str]
    correct: Estimate | None
    judge: Estimate | None
    word_f1: Estimate | None
    page_recall: Estimate | None
    all_evidence: Estimate | None
    document_seen: Estimate | None
    cells: Estimate | None
    against_correct: Estimate | None = None
    against_word_f1: Estimate | None = None
    against_page_recall: Estimate | None = None
    f1_benchmark: float | None = None
    refusal_precision: float | None = None
    refusal_recall: float | None = None
    citations: int = 0
    citation_precision: float | None = None
    citation_document_precision: float | None = None
    invented_values: int = 0
    calls_per_question: float = 0.0
    evidence_chars_per_question: float = 0.0
    plans_per_question: float = 0.0
    failures: dict[str, int] = {}


_MEASURED: dict[str, Value] = {
    "correct": lambda s: s.correct,
    "judge": lambda s: None if s.judge is None else float(s.judge),
    "word_f1": lambda s: s.word_f1,
    "page_recall": lambda s: s.page_recall,
    "all_evidence": lambda s: None if s.all_evidence is None else float(s.all_evidence),
    "document_seen": lambda s: None if s.document_seen is None else float(s.document_seen),
    "cells": lambda s: s.cells,
}
_AGAINST = ("correct", "word_f1", "page_recall")


def summaries(scores: Iterable[CaseScore]) -> list[Summary]:
    """A row a set and variant: sets by name, variants in their own order, the method first."""
    groups: dict[tuple[str, str], list[CaseScore]] = {}
    for score in sorted(scores, key=lambda s: (s.set, s.variant, s.case_id)):
        groups.setdefault((score.set, score.variant), []).append(score)
    places = {name: at for at, name in enumerate(VARIANTS)}
    keys = sorted(groups, key=lambda key: (key[0], places.get(key[1], len(places)), key[1]))
    return [_summary(groups[key], groups.get((key[0], FULL), [])) for key in keys]


def _values(scores: Sequence[CaseScore], value: Value) -> dict[str, float]:
    found = {score.case_id: value(score) for score in scores}
    return {case: one for case, one in found.items() if one is not None}


def _summary(scores: Sequence[CaseScore], full: Sequence[CaseScore]) -> Summary:
    first = scores[0]
    n = len(scores)
    measured = {
        name: interval(list(_values(scores, value).values())) for name, value in _MEASURED.items()
    }
    against = {
        f"against_{name}": difference(
            _values(scores, _MEASURED[name]), _values(full, _MEASURED[name])
        )
        for name in _AGAINST
        if first.variant != FULL
    }
    with_pages = [s for s in scores if s.cited_right is not None]
    with_documents = [s for s in scores if s.cited_document is not None]
    return Summary(
        set=first.set,
        variant=first.variant,
        title=VARIANTS[first.variant].title if first.variant in VARIANTS else first.variant,
        questions=n,
        failed=sum(s.failure == "failed" for s in scores),
        refused=sum(s.refused for s in scores),
        by=sorted({s.by for s in scores if s.by}),
        **measured,
        **against,
        **_benchmark(scores),
        citations=sum(s.cited for s in scores),
        citation_precision=_share(
            sum(s.cited_right or 0 for s in with_pages), sum(s.cited for s in with_pages)
        ),
        citation_document_precision=_share(
            sum(s.cited_document or 0 for s in with_documents),
            sum(s.cited for s in with_documents),
        ),
        invented_values=sum(len(s.invented) for s in scores),
        calls_per_question=round(sum(s.calls for s in scores) / n, 3),
        evidence_chars_per_question=round(sum(s.evidence_chars for s in scores) / n, 1),
        plans_per_question=round(sum(s.plans for s in scores) / n, 3),
        failures=dict(sorted(Counter(s.failure for s in scores if s.failure).items())),
    )


def _benchmark(scores: Sequence[CaseScore]) -> dict[str, float]:
    """MMLongBench's totals, of sets that hold questions without an answer."""
    known = [s for s in scores if s.answerable is not None and s.correct is not None]
    if not any(s.answerable is False for s in known):
        return {}
    # A question that failed was neither answered nor refused: it earns nothing.
    found = totals((bool(s.answerable), s.refused, s.correct or 0.0) for s in known)
    return {
        "f1_benchmark": round(found.f1, 6),
        "refusal_precision": round(found.refusal_precision, 6),
        "refusal_recall": round(found.refusal_recall, 6),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
