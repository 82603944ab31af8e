"""Two ways of summarizing, side by side, pair by pair: rates, intervals and a paired test.

Here: the statistics, ``Paired`` (the counts of one check) and ``compare`` for evaluations as
they are stored. What counts as a fault in the paper's words stands in ``criteria``, the
report in ``report``. ``defs`` and ``cli`` may import this module.

Any two sets of texts can be compared: two strategies, two models, two runs. They are paired by
company, year and aspect; what only one side has is left out and counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from g2_pipelines.tables.line1 import BriefEvaluation, Check
from g2_pipelines.tables.report import Comparison, Group, Scope, Side, Unit

_Z95 = 1.959963984540054
#: Values are summed in ten-thousandths, as whole numbers: no order of adding changes a sum.
_VALUE_UNIT = 10_000


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


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact binomial p of wins against losses at ½, ties left out; 1 without any."""
    n, few = wins + losses, min(wins, losses)
    if n == 0:
        return 1.0
    # Whole numbers to the last step: a float power of two would overflow beyond 1,023.
    term = tail = 1
    for k in range(1, few + 1):
        term = term * (n - k + 1) // k
        tail += term
    return min(1.0, tail / (1 << (n - 1)))


def mcnemar(only_left: int, only_right: int) -> float:
    """Two-sided exact McNemar p of the discordant pairs; 1 where there are none."""
    return sign_test(only_left, only_right)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction of several p values, in their order (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected, highest = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


class Outcome(NamedTuple):
    """What was looked for in one text: whether it was found, and how many or how much of it."""

    found: bool
    value: float = 0.0
    gate: bool = False


@dataclass
class Paired:
    """The counts of one check over pairs; adding them in any order gives the same.

    more_left, more_right: companies of which more texts fail on that side.
    """

    n: int = 0
    failed_left: int = 0
    failed_right: int = 0
    only_left: int = 0
    only_right: int = 0
    value_left: int = 0
    value_right: int = 0
    more_left: int = 0
    more_right: int = 0

    def add(self, left: Outcome, right: Outcome) -> None:
        """Count a pair."""
        self.n += 1
        self.failed_left += left.found
        self.failed_right += right.found
        self.only_left += left.found and not right.found
        self.only_right += right.found and not left.found
        self.value_left += round(left.value * _VALUE_UNIT)
        self.value_right += round(right.value * _VALUE_UNIT)

    def add_company(self, failed_left: int, failed_right: int) -> None:
        """Count a company by its texts that fail on either side."""
        self.more_left += failed_left > failed_right
        self.more_right += failed_right > failed_left

    def row(
        self,
        check: str,
        *,
        group: Group = "check",
        scope: Scope = "all",
        of: str = "",
        unit: Unit = "text",
        gate: bool = False,
        unpaired: int = 0,
    ) -> Comparison:
        """The comparison of these counts; p is not corrected yet."""
        return Comparison(
            check=check,
            group=group,
            scope=scope,
            of=of,
            unit=unit,
            gate=gate,
            n=self.n,
            left=side(self.failed_left, self.n, self.value_left / _VALUE_UNIT),
            right=side(self.failed_right, self.n, self.value_right / _VALUE_UNIT),
            only_left=self.only_left,
            only_right=self.only_right,
            p_value=round(mcnemar(self.only_left, self.only_right), 6),
            p_company=round(sign_test(self.more_left, self.more_right), 6),
            unpaired=unpaired,
        )


def side(failed: int, n: int, value: float = 0.0) -> Side:
    """One side's count as a rate with its interval; ``value`` is the sum of what was measured."""
    low, high = wilson(failed, n)
    return Side(
        failed=failed,
        rate=round(failed / n, 6) if n else 0.0,
        low=round(low, 6),
        high=round(high, 6),
        mean_value=round(value / n, 6) if n else 0.0,
    )


def corrected(rows: Iterable[Comparison]) -> list[Comparison]:
    """The rows with Holm's p over those of one table (equal group, scope and ``of``)."""
    kept = list(rows)
    tables: dict[tuple[str, str, str], list[int]] = {}
    for place, row in enumerate(kept):
        tables.setdefault((row.group, row.scope, row.of), []).append(place)
    for places in tables.values():
        values = holm([kept[place].p_value for place in places])
        for place, value in zip(places, values, strict=True):
            kept[place] = kept[place].model_copy(update={"p_holm": round(value, 6)})
    return kept


def compare(left: Sequence[BriefEvaluation], right: Sequence[BriefEvaluation]) -> list[Comparison]:
    """Each check of both sides, in the order in which the left one has them.

    A machine's count is not a reader's: 6 of 120 altered names found by people and a rate here
    may stand side by side, not in one test.
    """
    ours, theirs = _by_key(left), _by_key(right)
    keys = sorted(ours.keys() & theirs.keys())
    unpaired = len(ours.keys() ^ theirs.keys())
    counts: dict[str, Paired] = {}
    gates: dict[str, bool] = {}
    companies: dict[tuple[str, str], list[int]] = {}
    for key in keys:
        for name, one in ours[key].items():
            other = theirs[key].get(name)
            if other is None:
                continue
            gates.setdefault(name, one.gate)
            counts.setdefault(name, Paired()).add(
                Outcome(not one.passed, one.value), Outcome(not other.passed, other.value)
            )
            failed = companies.setdefault((name, key[0]), [0, 0])
            failed[0] += not one.passed
            failed[1] += not other.passed
    for (name, _), failed in companies.items():
        counts[name].add_company(*failed)
    return corrected(
        paired.row(name, gate=gates[name], unpaired=unpaired) for name, paired in counts.items()
    )


def _by_key(
    rows: Sequence[BriefEvaluation],
) -> dict[tuple[str, str, str], dict[str, Check]]:
    return {
        (row.edinet_code, row.fiscal_year, row.aspect): {check.name: check for check in row.checks}
        for row in rows
    }
