"""Reciprocal rank fusion of ranked ids, deterministic to the last place.

Here: ``fuse``. LanceDB's own reranker leaves the order of equal scores open; here ties go by
id. Only ``lance`` imports this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: The constant of Cormack, Clarke and Büttcher (SIGIR 2009); rank 1 counts 1/61.
_K = 60


@dataclass(frozen=True)
class Fused:
    """An id with its fused score and the rankings that hold it, by name."""

    id: str
    score: float
    by: tuple[str, ...]


def fuse(rankings: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> list[Fused]:
    """Σ weight / (60 + rank) over the rankings that hold an id, best first, ties by id.

    Scores are rounded to 9 decimals, so that the order of a sum cannot decide a rank.
    """
    scores: dict[str, float] = {}
    by: dict[str, list[str]] = {}
    for name in sorted(rankings):
        for rank, key in enumerate(rankings[name], start=1):
            scores[key] = scores.get(key, 0.0) + weights[name] / (_K + rank)
            by.setdefault(key, []).append(name)
    fused = [Fused(key, round(score, 9), tuple(by[key])) for key, score in scores.items()]
    return sorted(fused, key=lambda item: (-item.score, item.id))
