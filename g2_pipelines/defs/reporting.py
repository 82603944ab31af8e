"""The evaluation report: read company by company, written as tables, pages and data files.

Here: ``make_report`` and what it may be told. Not here: what is read of a company
(``report_cases``), the judge (``judging``), rows and pages (``evaluation``), the asset
(``assets.report``). Nothing here knows Dagster.

Below ``G2_HOME/pages/reports/NAME``: index.html, matrix-K.html, companies/CODE-YEAR.html, data/*.jsonl,
and runs.html, which alone holds times and costs. Rows as Parquet: tables ``evaluation_report``,
``evaluation_report/texts``, ``evaluation_report/claims``, and ``evaluation_report/runs``. What one
company costs is read, counted and let go before the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from upath import UPath

from g2_pipelines import __version__
from g2_pipelines.defs.report_cases import (
    OTHER,
    Half,
    companies_of,
    half,
    read_case,
)
from g2_pipelines.defs.report_files import (
    DATA,
    code_version,
    drop_others,
    totals_of_calls,
    write_companies,
    write_rows,
    write_runs,
)
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error, InputError, NotYetError
from g2_pipelines.evaluation.reliability import Reliability, read_reliability
from g2_pipelines.evaluation.report import Report, ReportBuilder, badness
from g2_pipelines.evaluation.report_page import Missing, Panels, report_pages
from g2_pipelines.evaluation.trend import run_row
from g2_pipelines.keys import check_fiscal_year, digest_of
from g2_pipelines.tables.line1 import BriefEvaluation
from g2_pipelines.tables.report import (
    ReportRun,
    Where,
)
from g2_pipelines.tables.store import (
    MissingTableError,
    table_digest,
    write_atomic,
)

RELIABILITY_FILE = "reliability.json"


@dataclass(frozen=True)
class ReportPlan:
    """What a report may be told.

    left, right: ``STRATEGY`` or ``STRATEGY@HOME``. fiscal_year "": of each company the newest.
    companies: none for all. drilldowns: companies with a page of their own at most, those that
    need a look first; 0 for all. reliability: a file, "" for G2_HOME/reliability.json if it is
    there.
    """

    left: str = "aspect"
    right: str = "simple"
    fiscal_year: str = ""
    companies: Sequence[str] = ()
    drilldowns: int = 500
    reliability: str = ""


@dataclass
class Made:
    """What a report came to, and where it lies."""

    name: str
    report: Report
    missing: list[Missing]
    page: UPath
    run: ReportRun
    pages: int
    documents: set[str] = field(default_factory=set)


@dataclass
class _Reading:
    """Everything read for a report."""

    report: Report
    missing: list[Missing]
    documents: set[str]
    data_version: str


def report_name(left: Half, right: Half) -> str:
    """The report's name, a key: ``aspect-vs-simple``."""
    return f"{left.slug}-vs-{right.slug}"


def sides(ws: Workspace, plan: ReportPlan) -> tuple[Half, Half]:
    """Both sides of a plan.

    Raises:
        InputError: a side is none, or both are the same.
    """
    left, right = half(ws, plan.left), half(ws, plan.right)
    if left.slug == right.slug:
        raise InputError(
            f"Both sides are {left.label}",
            place="sides",
            remedy="Name two strategies, or one in two homes (STRATEGY@HOME)",
        )
    if plan.fiscal_year:
        check_fiscal_year(plan.fiscal_year)
    return left, right


def chosen_companies(left: Half, right: Half, plan: ReportPlan) -> list[str]:
    """The plan's companies, or all that either side has evaluations of.

    Raises:
        NotYetError: there is none.
    """
    found = sorted(set(companies_of(left.ws)) | set(companies_of(right.ws)))
    chosen = sorted(set(plan.companies)) if plan.companies else found
    if not chosen:
        raise NotYetError(
            "No company's texts are judged yet",
            place="brief_evaluations",
            remedy="Add filings with `g2 add`, or materialize `summaries` and `judgement`",
        )
    return chosen


def make_report(ws: Workspace, plan: ReportPlan, *, run_id: str = "") -> Made:
    """Write the report of a plan.

    A company that cannot be read costs itself alone, and is named on the report.

    Raises:
        InputError: a side or file of the plan is wrong.
        NotYetError: nothing is judged, or no company has a text of either side.
    """
    from g2_pipelines.defs.judging import judge_panels, reader_panels

    started = time.monotonic()
    left, right = sides(ws, plan)
    name = report_name(left, right)
    reliability = _reliability(ws, plan)
    reading = _read(ws, left, right, plan)
    report = reading.report
    if not report.texts:
        first = reading.missing[0] if reading.missing else None
        raise NotYetError(
            f"No text by {left.label} or {right.label} could be read"
            + (f": {first.message}" if first else ""),
            file=first.edinet_code if first else "",
            place="brief_evaluations",
            remedy=(first.remedy if first else "") or "Materialize `summaries` and `judgement`",
        )
    folder = ws.home.report_folder(name)
    chosen = _chosen_pages(report, plan.drilldowns)
    linked, without_page = write_companies(ws, folder, (left, right), chosen)
    missing = [*reading.missing, *without_page]
    panels = Panels(
        name=name,
        names=(left.label, right.label),
        aspects=[(a.key, a.label) for a in ws.brief_config.aspects],
        source_types={s.key: s.label for s in ws.brief_config.source_types} | {OTHER: "その他"},
        facts=_facts(ws, reading, (left, right)),
        documents=sorted(reading.documents),
        linked=linked,
        missing=missing,
        reliability=reliability,
        thresholds=[(k, f"{v:g}") for k, v in ws.thresholds.model_dump().items()],
        data=DATA,
        **judge_panels(ws, name, report),
        **reader_panels(ws, name, report),
    )
    write_rows(ws, folder, name, report)
    pages = report_pages(report, panels)
    for file, html in pages.items():
        write_atomic(folder / file, html.encode("utf-8", "replace"))
    drop_others(folder, "matrix-*.html", set(pages))
    totals = totals_of_calls(ws)
    row = run_row(
        report,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        run_id=run_id,
        version=code_version(),
        data_version=reading.data_version,
        report_digest=digest_of("".join(pages.values()).encode("utf-8", "replace"))[:16],
        totals=totals,
        prices=ws.prices,
        seconds=time.monotonic() - started,
    )
    write_runs(ws, folder, name=name, names=(left.label, right.label), row=row, totals=totals)
    return Made(
        name=name,
        report=report,
        missing=missing,
        page=folder / "index.html",
        run=row,
        pages=len(pages) + len(linked),
        documents=reading.documents,
    )


def _read(ws: Workspace, left: Half, right: Half, plan: ReportPlan) -> _Reading:
    builder = ReportBuilder([aspect.key for aspect in ws.brief_config.aspects])
    missing: list[Missing] = []
    documents: set[str] = set()
    versions: list[str] = []
    chosen = chosen_companies(left, right, plan)
    for company in chosen:
        try:
            case = read_case(left, right, company, plan.fiscal_year)
            if not (case.left or case.right):
                raise MissingTableError(
                    f"No text of {case.fiscal_year} is judged", file=company, remedy="Choose a year"
                )
            builder.add(case)
            versions += [f"{company} {d}" for d in _digests((left, right), company)]
        except G2Error as error:
            missing.append(Missing(company, error.code, error.message, error.remedy))
            continue
        documents |= {
            span.source_id.split(":")[1]
            for side in (case.left, case.right)
            for judged in side.values()
            for sentence in judged.evaluation.sentences
            for span in sentence.evidence
            if ":" in span.source_id
        }
    if not plan.companies:
        missing += [
            Missing(c, "not_judged", "Its texts are not judged yet", "Materialize `judgement`")
            for c in companies_of(ws, "filings")
            if c not in set(chosen)
        ]
    return _Reading(
        builder.report(),
        sorted(missing, key=lambda one: one.edinet_code),
        documents,
        digest_of("\n".join(versions).encode())[:16],
    )


def _digests(halves: tuple[Half, Half], company: str) -> Iterator[str]:
    for side in halves:
        try:
            yield table_digest(side.ws.home.table("brief_evaluations", company), BriefEvaluation)
        except MissingTableError:
            yield "-"


def _chosen_pages(report: Report, most: int) -> list[tuple[str, str]]:
    """The companies' years that get a page: the worst ones where not all do."""
    keys: dict[tuple[str, str], None] = {}
    for row in sorted(report.texts, key=lambda row: (row.where != "left", badness(row))):
        keys.setdefault((row.edinet_code, row.fiscal_year))
    chosen = list(keys)
    return sorted(chosen[:most] if most else chosen)


def _facts(ws: Workspace, reading: _Reading, halves: tuple[Half, Half]) -> list[tuple[str, str]]:
    config, report = ws.brief_config, reading.report
    budgets = {f"{config.final_tokens_of(a)}" for a in config.aspects}
    facts = [("データの版", reading.data_version), ("プログラムの版", __version__)]
    both: tuple[Where, Where] = ("left", "right")
    for where, side in zip(both, halves, strict=True):
        makers = report.makers[where]
        facts.append(
            (
                side.label,
                f"{'、'.join(makers.engines) or '—'}｜モデル {'、'.join(makers.models) or '—'}"
                f"｜プロンプト {'、'.join(makers.prompts) or '—'}",
            )
        )
    facts += [
        ("トークナイザー", ws.settings.tokenizer),
        ("長さの上限 L", "、".join(sorted(budgets)) + " トークン（最終要約）"),
        (
            "事前要約の上限",
            "、".join(f"{s.label} {s.pre_summary_tokens}" for s in config.source_types),
        ),
    ]
    return facts


def _reliability(ws: Workspace, plan: ReportPlan) -> Reliability | None:
    path = UPath(plan.reliability) if plan.reliability else ws.home.root / RELIABILITY_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if not plan.reliability:
            return None
        raise InputError(
            "There is no such reliability file",
            file=plan.reliability,
            remedy="Write it with `python -m benchmarks.evaluation --json > FILE`",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"The reliability file cannot be read: {error}",
            file=str(path),
            remedy="Write it with `python -m benchmarks.evaluation --json > FILE`",
        ) from error
    return read_reliability(text, file=str(path))
