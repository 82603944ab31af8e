"""How near turns, roles and chunks come to a gold.

Here: measures over plain positions and labels, for benchmarks, tests and notebooks. What a
gold file says of a transcript is read in ``gold``. Nothing here reads a transcript.

A segmentation of ``n`` units is the set of its inner boundaries, numbers from 1 to n - 1:
boundary ``b`` stands before unit ``b`` (counted from 0).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Scores(NamedTuple):
    """Counts behind precision, recall and F1; add them up to score a suite as a whole."""

    matched: int
    found: int
    wanted: int

    def __add__(self, other: object) -> Scores:
        """Counts of both: the scores of two documents taken as one."""
        if not isinstance(other, Scores):
            return NotImplemented
        return Scores(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def precision(self) -> float:
        """Share of what was found that is right; 1 where nothing was found."""
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of what is right that was found; 1 where there is nothing to find."""
        return self.matched / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        """2·matched / (found + wanted); 1 where both are empty."""
        total = self.found + self.wanted
        return 2 * self.matched / total if total else 1.0


NOTHING = Scores(0, 0, 0)


def boundary_scores(gold: Collection[int], found: Collection[int], *, tolerance: int = 0) -> Scores:
    """Boundaries that match one to one within ``tolerance`` units, nearest first."""
    left = set(found)
    matched = 0
    missed = []
    for boundary in sorted(set(gold)):
        if boundary in left:
            left.discard(boundary)
            matched += 1
        else:
            missed.append(boundary)
    for boundary in missed:
        near = [b for b in left if abs(b - boundary) <= tolerance]
        if near:
            left.discard(min(near, key=lambda b, at=boundary: (abs(b - at), b)))  # type: ignore[misc]
            matched += 1
    return Scores(matched, len(set(found)), len(set(gold)))


def window_size(gold: Collection[int], units: int) -> int:
    """Half the mean segment length, rounded: k as ``nltk.metrics.segmentation`` takes it.

    With no boundary in the gold the one segment's half is taken.
    """
    gaps = units - 1
    return max(1, round(gaps / (2 * len(set(gold)))) if gold else round(units / 2))


def _windows(
    gold: Collection[int], found: Collection[int], units: int, k: int | None
) -> list[tuple[int, int]]:
    """(boundaries in the gold, boundaries found) of every window of k gaps."""
    size = min(k or window_size(gold, units), max(1, units - 1))
    counts: list[list[int]] = []
    for boundaries in (set(gold), set(found)):
        running = [0]
        for gap in range(1, units):
            running.append(running[-1] + (gap in boundaries))
        counts.append([running[i + size] - running[i] for i in range(units - size)])
    return list(zip(*counts, strict=True))


def pk(gold: Collection[int], found: Collection[int], units: int, *, k: int | None = None) -> float:
    """Share of windows in which one side has a boundary and the other has none; 0 is best.

    Beeferman, Berger and Lafferty 1999, with nltk's windows (k gaps); a lone unit scores 0.
    """
    windows = _windows(gold, found, units, k)
    return sum((a > 0) != (b > 0) for a, b in windows) / len(windows) if windows else 0.0


def window_diff(
    gold: Collection[int], found: Collection[int], units: int, *, k: int | None = None
) -> float:
    """Share of windows whose numbers of boundaries differ; 0 is best (Pevzner, Hearst 2002)."""
    windows = _windows(gold, found, units, k)
    return sum(a != b for a, b in windows) / len(windows) if windows else 0.0


def boundary_similarity(gold: Collection[int], found: Collection[int], *, near: int = 2) -> float:
    """B of Fournier 2013 (``segeval``): 1 is best.

    Boundaries off by less than ``near`` units are near misses, weighed by distance / near;
    others count whole. 1 where both sides have none.
    """
    only_gold, only_found = set(gold) - set(found), set(found) - set(gold)
    matches = len(set(gold) & set(found))
    near_misses: list[int] = []
    for distance in range(1, near):
        for start in sorted(only_gold | only_found):
            end = start + distance
            for one, other in ((only_gold, only_found), (only_found, only_gold)):
                if start in one and end in other:
                    one.discard(start)
                    other.discard(end)
                    near_misses.append(distance)
                    break
    added = len(only_gold) + len(only_found)
    total = added + len(near_misses) + matches
    cost = added + sum(near_misses) / near
    return 1 - cost / total if total else 1.0


def no_boundaries() -> frozenset[int]:
    """The trivial baseline that predicts one segment."""
    return frozenset()


def even_boundaries(count: int, units: int) -> frozenset[int]:
    """The trivial baseline that spreads ``count`` boundaries evenly over ``units``."""
    step = units / (count + 1)
    return frozenset(b for i in range(1, count + 1) if 0 < (b := round(i * step)) < units)


class RoleScores(NamedTuple):
    """Roles of turns: accuracy, macro F1 over the gold's roles, share of ``unknown`` found."""

    accuracy: float
    macro_f1: float
    unknown_share: float
    turns: int


def role_scores(pairs: Sequence[tuple[str, str | None]]) -> RoleScores:
    """Scores of (gold role, found role) a gold turn; None is a turn that was not found."""
    if not pairs:
        return RoleScores(1.0, 1.0, 0.0, 0)
    per_role = []
    for role in sorted({gold for gold, _ in pairs}):
        matched = sum(gold == role == found for gold, found in pairs)
        told = sum(found == role for _, found in pairs)
        per_role.append(Scores(matched, told, sum(gold == role for gold, _ in pairs)).f1)
    right = sum(gold == found for gold, found in pairs)
    unsure = sum(found in (None, "unknown") and gold != "unknown" for gold, found in pairs)
    return RoleScores(
        right / len(pairs), sum(per_role) / len(per_role), unsure / len(pairs), len(pairs)
    )


class Bin(NamedTuple):
    """Turns whose confidence lies in [low, high) (the last bin holds 1 too), and how many are right."""

    low: float
    high: float
    turns: int
    right: int

    @property
    def accuracy(self) -> float | None:
        """Share of right ones, None in an empty bin."""
        return self.right / self.turns if self.turns else None


def confidence_bins(
    judged: Iterable[tuple[float, bool]],
    edges: Sequence[float] = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
) -> list[Bin]:
    """(confidence, right?) pairs by confidence: an honest confidence rises with accuracy."""
    pairs = list(judged)
    bins = []
    for low, high in pairwise(edges):
        inside = [
            right
            for confidence, right in pairs
            if low <= confidence < high or (high == edges[-1] == confidence)
        ]
        bins.append(Bin(low, high, len(inside), sum(inside)))
    return bins


def coverage(text: str, spans: Iterable[tuple[int, int]]) -> float:
    """Share of the non-space characters of ``text`` that lie in exactly one span."""
    change = [0] * (len(text) + 1)
    for start, end in spans:
        change[start] += 1
        change[end] -= 1
    depth = wanted = held = 0
    for place, character in enumerate(text):
        depth += change[place]
        if not character.isspace():
            wanted += 1
            held += depth == 1
    return held / wanted if wanted else 1.0
