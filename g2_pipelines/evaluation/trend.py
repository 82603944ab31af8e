"""A report beside its earlier runs: main rates, calls and money over time.

Here: ``run_row`` and ``join``. These rows hold times and costs, and lie in a file of their own,
so that all else of a report is equal for equal texts. ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from g2_pipelines.evaluation.report import Report
from g2_pipelines.models.ledger import CallTotals
from g2_pipelines.models.prices import PriceTable
from g2_pipelines.tables.report import ReportRun, ReportText, Where

#: Runs that are kept, newest last.
KEPT_RUNS = 500
_BORNE_OUT = ("supported_local", "supported_elsewhere", "rounded", "derived")


def run_row(
    report: Report,
    *,
    made_at: str,
    run_id: str,
    version: str,
    data_version: str,
    report_digest: str,
    totals: Sequence[CallTotals],
    prices: PriceTable | None,
    seconds: float,
) -> ReportRun:
    """The row of one run; rates are of the texts of each side, paired or not."""
    money = money_of(totals, prices)
    return ReportRun(
        made_at=made_at,
        run_id=run_id,
        version=version,
        data_version=data_version,
        report_digest=report_digest,
        n=len(report.texts),
        left_passed=_passed(report.of("left")),
        right_passed=_passed(report.of("right")),
        left_supported=_supported(report, "left"),
        right_supported=_supported(report, "right"),
        left_numbers=_flagged(report, "left"),
        right_numbers=_flagged(report, "right"),
        calls=sum(one.sent for one in totals),
        cached=sum(one.served for one in totals),
        failed=sum(one.failed for one in totals),
        prompt_tokens=sum(one.prompt_tokens for one in totals),
        completion_tokens=sum(one.completion_tokens for one in totals),
        money=money,
        currency=prices.currency if prices and money is not None else "",
        seconds=round(seconds, 1),
    )


def money_of(totals: Iterable[CallTotals], prices: PriceTable | None) -> float | None:
    """What the calls cost; None without prices, or where a model that was called has none."""
    if prices is None:
        return None
    money = 0.0
    for one in totals:
        price = prices.price(one.model)
        if price is None:
            if one.prompt_tokens or one.completion_tokens:
                return None
            continue
        money += price.money(
            prompt=one.prompt_tokens, completion=one.completion_tokens, cached=one.cached_tokens
        )
    return round(money, 6)


def join(earlier: Sequence[ReportRun], new: ReportRun) -> list[ReportRun]:
    """Earlier runs and the new one, oldest first; the last ``KEPT_RUNS``.

    A run that is made again (the same run id) takes its own place.
    """
    rows = [row for row in earlier if row.run_id != new.run_id] + [new]
    return sorted(rows, key=lambda row: (row.made_at, row.run_id))[-KEPT_RUNS:]


def _passed(rows: Sequence[ReportText]) -> float:
    return round(sum(row.light != "red" for row in rows) / len(rows), 6) if rows else 0.0


def _flagged(report: Report, where: Where) -> float:
    rows = report.of(where)
    bad = {
        (claim.edinet_code, claim.fiscal_year, claim.aspect)
        for claim in report.flagged
        if claim.where == where and claim.kind == "number"
    }
    return round(len(bad) / len(rows), 6) if rows else 0.0


def _supported(report: Report, where: Where) -> float:
    counts = report.claims[where]
    total = sum(counts.values())
    return round(sum(counts.get(s, 0) for s in _BORNE_OUT) / total, 6) if total else 1.0
