"""Two ways of summarizing, side by side: the aspect's against the simple one, check by check.

Here: ``compare`` and its statistics. The rows are paired by company, year and aspect; a text
that only one side has is left out and counted. ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from g2_pipelines.tables.line1 import BriefEvaluation, Check
from g2_pipelines.tables.rows import Row

_Z95 = 1.959963984540054


class Side(Row):
    """Failures of a check on one side: count, rate with its Wilson 95 % interval, mean value."""

    failed: int
    rate: float
    low: float
    high: float
    mean_value: float


class Comparison(Row):
    """A check on ``n`` pairs: both sides, the pairs where only one fails, McNemar's exact p."""

    check: str
    gate: bool
    n: int
    left: Side
    right: Side
    only_left: int
    only_right: int
    p_value: float
    unpaired: int


def wilson(failed: int, n: int) -> tuple[float, float]:
    """Wilson score interval of a rate at 95 %; (0, 1) where there is nothing to count."""
    if n == 0:
        return 0.0, 1.0
    rate, z2 = failed / n, _Z95**2
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half: float = _Z95 * math.sqrt(rate * (1 - rate) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    # At the ends the formula gives the ends; only rounding would leave them.
    low = 0.0 if failed == 0 else max(0.0, middle - half)
    high = 1.0 if failed == n else min(1.0, middle + half)
    return low, high


def mcnemar(only_left: int, only_right: int) -> float:
    """Two-sided exact McNemar p of the discordant pairs; 1 where there are none."""
    n = only_left + only_right
    if n == 0:
        return 1.0
    tail: float = sum(math.comb(n, k) for k in range(min(only_left, only_right) + 1)) / 2**n
    return min(1.0, 2 * tail)


def compare(left: Sequence[BriefEvaluation], right: Sequence[BriefEvaluation]) -> list[Comparison]:
    """Each check of both sides, in the order in which the left one has them.

    A machine's count is not a reader's: 6 of 120 altered names found by people and a rate here
    may stand side by side, not in one test.
    """
    ours, theirs = _by_key(left), _by_key(right)
    keys = sorted(ours.keys() & theirs.keys())
    unpaired = len(ours.keys() ^ theirs.keys())
    names = dict.fromkeys(name for key in keys for name in ours[key] if name in theirs[key])
    return [
        _compared(
            name,
            [
                (ours[k][name], theirs[k][name])
                for k in keys
                if name in ours[k] and name in theirs[k]
            ],
            unpaired,
        )
        for name in names
    ]


def _by_key(
    rows: Sequence[BriefEvaluation],
) -> dict[tuple[str, str, str], dict[str, Check]]:
    return {
        (row.edinet_code, row.fiscal_year, row.aspect): {check.name: check for check in row.checks}
        for row in rows
    }


def _compared(name: str, pairs: Sequence[tuple[Check, Check]], unpaired: int) -> Comparison:
    only_left = sum(not a.passed and b.passed for a, b in pairs)
    only_right = sum(a.passed and not b.passed for a, b in pairs)
    return Comparison(
        check=name,
        gate=pairs[0][0].gate,
        n=len(pairs),
        left=_side([a for a, _ in pairs]),
        right=_side([b for _, b in pairs]),
        only_left=only_left,
        only_right=only_right,
        p_value=round(mcnemar(only_left, only_right), 6),
        unpaired=unpaired,
    )


def _side(checks: Sequence[Check]) -> Side:
    failed = sum(not check.passed for check in checks)
    low, high = wilson(failed, len(checks))
    return Side(
        failed=failed,
        rate=round(failed / len(checks), 6),
        low=round(low, 6),
        high=round(high, 6),
        mean_value=round(math.fsum(check.value for check in checks) / len(checks), 6),
    )
