"""How many cases of a kind were flagged, and the rates that limits are set for.

Here: ``Tally``, ``judge``, ``rates`` and ``table``.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.corruptions import CONFLICTS, MEANING_KEPT, Case
from benchmarks.evaluation_filings import Filing
from benchmarks.report import progress
from g2_pipelines.evaluation.compare import wilson

NUMBERS = ("digit", "swap", "times_ten", "unit", "sign")
SWAPS = ("item", "segment", "period")


@dataclass
class Tally:
    """Cases of one kind: how many were flagged, filing by filing."""

    flagged: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    total: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, source: str, *, flagged: bool) -> None:
        self.total[source] += 1
        self.flagged[source] += flagged

    def sums(self, sources: Iterable[str] | None = None) -> tuple[int, int]:
        chosen = self.total if sources is None else [s for s in sources if s in self.total]
        return sum(self.flagged[s] for s in chosen), sum(self.total[s] for s in chosen)

    def clustered(self) -> tuple[float, float] | None:
        """95 % interval of the rate by resampling filings, 2,000 times, fixed seed."""
        names = sorted(self.total)
        if len(names) < 2:
            return None
        rng = random.Random(1)
        rates: list[float] = []
        for _ in range(2000):
            drawn = rng.choices(names, k=len(names))
            rates.append(sum(self.flagged[n] for n in drawn) / sum(self.total[n] for n in drawn))
        rates.sort()
        return rates[50], rates[1949]


def row(tally: Tally, alarms: tuple[int, int], *, wanted: bool) -> dict[str, object]:
    """Recall of a kind with its intervals; its precision against the false alarms of all."""
    flagged, total = tally.sums()
    low, high = wilson(flagged, total)
    wrong, right = alarms
    # As if this kind and the true sentences were equally many.
    rate = wrong / right if right else 0.0
    recall = flagged / total if total else 0.0
    made: dict[str, object] = {
        "n": total,
        "flagged": flagged,
        "rate": round(recall, 4),
        "wilson": [round(low, 4), round(high, 4)],
        "by_filing": [round(x, 4) for x in tally.clustered() or (low, high)],
    }
    made["wanted"] = wanted
    if wanted and recall + rate:
        made["precision"] = round(recall / (recall + rate), 4)
    return made


def judge(
    cases: Sequence[Case],
    filings: dict[str, Filing],
    is_wanted: Callable[[str], bool] = CONFLICTS.__contains__,
) -> tuple[dict[str, Tally], list[Case]]:
    """A tally a kind, and the cases that were judged wrongly; ``is_wanted`` kinds are false."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    wrong: list[Case] = []
    by_source = sorted(cases, key=lambda case: (case.source, case.id))
    for number, case in enumerate(by_source):
        bad = filings[case.source].check(case.summary)
        tallies[case.kind].add(case.source, flagged=bool(bad))
        if bool(bad) != is_wanted(case.kind):
            wrong.append(case)
        if number % 500 == 499:
            progress(f"{number + 1} of {len(cases)} cases")
    return dict(tallies), wrong


def pooled(
    tallies: dict[str, Tally], kinds: Iterable[str], sources: Iterable[str] | None
) -> float | None:
    """The share flagged of all cases of ``kinds``."""
    counts = [tallies[kind].sums(sources) for kind in kinds if kind in tallies]
    total = sum(n for _, n in counts)
    return round(sum(f for f, _ in counts) / total, 4) if total else None


def rates(tallies: dict[str, Tally]) -> dict[str, float | int | None]:
    """What the limits are set for."""
    verbatim = tallies["verbatim"].sums() if "verbatim" in tallies else (0, 0)
    kept = [kind for kind in tallies if kind in MEANING_KEPT]
    return {
        "false_alarms_verbatim": verbatim[0],
        "verbatim_sentences": verbatim[1],
        "number_recall": pooled(tallies, NUMBERS, None),
        "swap_recall": pooled(tallies, SWAPS, None),
        "segment_recall": pooled(tallies, ("segment_name",), None),
        "paraphrase_false_alarm_share": pooled(tallies, kept, None),
    }


def table(
    tallies: Mapping[str, Tally], is_wanted: Callable[[str], bool] = CONFLICTS.__contains__
) -> dict[str, object]:
    """A row a kind."""
    alarms = [tally.sums() for kind, tally in tallies.items() if not is_wanted(kind)]
    false = (sum(f for f, _ in alarms), sum(n for _, n in alarms))
    return {
        kind: row(tally, false, wanted=is_wanted(kind)) for kind, tally in sorted(tallies.items())
    }


def tenth(cases: Sequence[Case]) -> list[Case]:
    """A tenth of each kind, the same ones each time, but every second verbatim sentence."""
    by_kind: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_kind[case.kind].append(case)
    return [
        case
        for kind, group in sorted(by_kind.items())
        for case in group[:: 2 if kind == "verbatim" else 10]
    ]
