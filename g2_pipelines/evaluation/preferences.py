"""What preferences come to: wins, ties and losses by criterion, flips, readers' agreement.

Here: plain sums over verdicts of a judge and votes of readers, with intervals and tests. Not
here: how they are obtained (``judge``, ``sheet``). ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

from g2_pipelines.evaluation.compare import sign_test, wilson
from g2_pipelines.tables.report import JudgeVerdict, Preference, ReaderVote
from g2_pipelines.tables.rows import Row

_Z95 = 1.959963984540054
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Share(Row):
    """A count of ``n`` as a rate with its Wilson 95 % interval."""

    count: int
    rate: float
    low: float
    high: float


class Preferences(Row):
    """Preferences by one criterion over n items.

    p_value: exact sign test of left against right, ties left out. flips: items of which the
    judge's verdicts in the two orders differ; first_place: of all verdicts for one of the two
    texts, how often it was the one shown first (½ without bias); None where nobody flips.
    """

    criterion: str
    n: int
    left: Share
    tie: Share
    right: Share
    p_value: float
    flips: Share | None = None
    first_place: Share | None = None


class Agreement(Row):
    """Cohen's κ of two readers on the items that both answered.

    observed: share of equal answers. kappa None where chance alone must agree (both always
    say the same); low and high: ± 1.96 standard errors (Cohen 1960).
    """

    criterion: str
    readers: tuple[str, str]
    n: int
    observed: float
    kappa: float | None
    low: float | None = None
    high: float | None = None


def share(count: int, n: int) -> Share:
    """A count as a rate with its interval."""
    low, high = wilson(count, n)
    return Share(
        count=count,
        rate=round(count / n, 6) if n else 0.0,
        low=round(low, 6),
        high=round(high, 6),
    )


def preferences(criterion: str, said: Iterable[Preference]) -> Preferences:
    """Wins, ties and losses of ``said``, one an item."""
    counts = Counter(said)
    n = sum(counts.values())
    return Preferences(
        criterion=criterion,
        n=n,
        left=share(counts["left"], n),
        tie=share(counts["tie"], n),
        right=share(counts["right"], n),
        p_value=round(sign_test(counts["left"], counts["right"]), 6),
    )


def judge_totals(verdicts: Sequence[JudgeVerdict]) -> list[Preferences]:
    """By criterion, in the order in which they come first; with flips and first places."""
    totals = []
    for criterion, rows in _grouped(verdicts, lambda row: row.criterion).items():
        flips = sum(row.flipped for row in rows)
        # In the first order the left text stands first, in the second the right one.
        first = sum((row.first == "left") + (row.second == "right") for row in rows)
        sided = sum((row.first != "tie") + (row.second != "tie") for row in rows)
        totals.append(
            preferences(criterion, [row.verdict for row in rows]).model_copy(
                update={
                    "flips": share(flips, len(rows)),
                    "first_place": share(first, sided) if sided else None,
                }
            )
        )
    return totals


def reader_totals(votes: Sequence[ReaderVote]) -> list[Preferences]:
    """By criterion over items: what most of an item's readers prefer; without a majority a tie.

    Votes of several readers on one item are no independent items, so they count as one.
    """
    totals = []
    for criterion, rows in _grouped(votes, lambda row: row.criterion).items():
        items = _grouped(rows, lambda row: row.item)
        totals.append(preferences(criterion, [_majority(one) for one in items.values()]))
    return totals


def agreements(votes: Sequence[ReaderVote]) -> list[Agreement]:
    """Cohen's κ of every two readers by criterion; pairs without a common item are left out."""
    found = []
    for criterion, rows in _grouped(votes, lambda row: row.criterion).items():
        by_reader = {
            reader: {row.item: row.vote for row in own}
            for reader, own in sorted(_grouped(rows, lambda row: row.reader).items())
        }
        for one, two in combinations(by_reader, 2):
            both = sorted(by_reader[one].keys() & by_reader[two].keys())
            if both:
                pairs = [(by_reader[one][item], by_reader[two][item]) for item in both]
                found.append(kappa(criterion, (one, two), pairs))
    return found


def kappa(
    criterion: str, readers: tuple[str, str], pairs: Sequence[tuple[Preference, Preference]]
) -> Agreement:
    """Cohen's κ over pairs of answers (one an item, at least one)."""
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    ours, theirs = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(ours[one] * theirs[one] for one in ours) / n**2
    agreement = Agreement(
        criterion=criterion, readers=readers, n=n, observed=round(observed, 6), kappa=None
    )
    if chance == 1:
        return agreement
    value = (observed - chance) / (1 - chance)
    spread = _Z95 * math.sqrt(observed * (1 - observed) / (n * (1 - chance) ** 2))
    return agreement.model_copy(
        update={
            "kappa": round(value, 6),
            "low": round(max(-1.0, value - spread), 6),
            "high": round(min(1.0, value + spread), 6),
        }
    )


def _majority(votes: Sequence[ReaderVote]) -> Preference:
    counts = Counter(vote.vote for vote in votes)
    best, count = max(counts.items(), key=lambda item: item[1])
    return best if 2 * count > len(votes) else "tie"


def _grouped(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    groups: defaultdict[K, list[T]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)
