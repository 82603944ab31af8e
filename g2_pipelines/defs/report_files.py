"""A report's files: rows as tables and JSONL, companies' pages, runs.

Here: writing. What is written is made in ``evaluation``; which report, in ``reporting``, the only
module that imports this one. Nothing here knows Dagster.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from upath import UPath

from g2_pipelines import __version__
from g2_pipelines.defs.report_cases import Half, read_case, read_source_texts
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.evaluation.report import Report
from g2_pipelines.evaluation.report_company import company_page
from g2_pipelines.evaluation.report_page import Missing, page_name, runs_page
from g2_pipelines.evaluation.trend import join
from g2_pipelines.models.ledger import CallTotals
from g2_pipelines.tables.report import Comparison, FlaggedClaim, ReportRun, ReportText
from g2_pipelines.tables.rows import Row
from g2_pipelines.tables.store import MissingTableError, read_table, write_atomic, write_table

TABLE = "evaluation_report"
#: The data files beside the pages: what people call them, and where they are.
DATA = (
    ("比較", "data/comparisons.jsonl"),
    ("文章", "data/texts.jsonl"),
    ("指摘", "data/claims.jsonl"),
)


def code_version() -> str:
    """The package's version, with the commit where it runs from a checkout."""
    git = Path(__file__).parents[2] / ".git"
    try:
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        name = head.removeprefix("ref: ")
        commit = head if name == head else (git / name).read_text(encoding="utf-8").strip()
    except OSError:  # installed, or the branch's name is packed away
        return __version__
    return f"{__version__}+{commit[:9]}"


def write_rows(ws: Workspace, folder: UPath, name: str, report: Report) -> None:
    """Write the report's rows, as tables and as JSONL."""
    write_table(ws.home.table(TABLE, name), report.comparisons, Comparison)
    write_table(ws.home.table(f"{TABLE}/texts", name), report.texts, ReportText)
    write_table(ws.home.table(f"{TABLE}/claims", name), report.flagged, FlaggedClaim)
    files: tuple[tuple[str, Sequence[Row]], ...] = (
        ("comparisons", report.comparisons),
        ("texts", report.texts),
        ("claims", report.flagged),
    )
    for file, rows in files:
        lines = "".join(
            json.dumps(row.model_dump(mode="json"), ensure_ascii=False) + "\n" for row in rows
        )
        write_atomic(folder / "data" / f"{file}.jsonl", lines.encode("utf-8", "replace"))


def write_companies(
    ws: Workspace, folder: UPath, halves: tuple[Half, Half], chosen: Sequence[tuple[str, str]]
) -> tuple[list[tuple[str, str]], list[Missing]]:
    """Write the companies' pages; returns those written, and those that could not be, with why.

    Pages of an earlier report that are not due any more go.
    """
    written: list[tuple[str, str]] = []
    failed: list[Missing] = []
    for company, year in chosen:
        try:
            html = _company_html(ws, halves, company, year)
        except G2Error as error:
            failed.append(Missing(company, error.code, error.message, error.remedy))
            continue
        path = folder / "companies" / page_name(company, year)
        write_atomic(path, html.encode("utf-8", "replace"))
        written.append((company, year))
    drop_others(folder / "companies", "*.html", {page_name(*key) for key in written})
    return written, failed


def _company_html(ws: Workspace, halves: tuple[Half, Half], company: str, year: str) -> str:
    from g2_pipelines.briefs.page_words import year_in_words

    left, right = halves
    case = read_case(left, right, company, year)
    brief = ws.home.brief_page(company, year)
    return company_page(
        case,
        aspects=[(a.key, a.label) for a in ws.brief_config.aspects],
        names=(left.label, right.label),
        sources=read_source_texts(left.ws if case.left else right.ws, company, year),
        year=year_in_words(year),
        brief=f"../../../briefs/{company}/{year}.html" if brief.exists() else "",
    )


def drop_others(folder: UPath, pattern: str, kept: set[str]) -> None:
    """Remove files of an earlier report that are not among ``kept``."""
    if folder.exists():
        for path in folder.glob(pattern):
            if path.name not in kept:
                path.unlink()


def totals_of_calls(ws: Workspace) -> list[CallTotals]:
    """Sums of the ledger by what was made and by which model; none where nobody has called."""
    from g2_pipelines.models.build import open_ledger
    from g2_pipelines.models.config import CacheConfig

    url = ws.call_cache_url
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return []
    return open_ledger(CacheConfig(url=url)).totals(by=("asset", "task", "model"))


def write_runs(
    ws: Workspace,
    folder: UPath,
    *,
    name: str,
    names: tuple[str, str],
    row: ReportRun,
    totals: Sequence[CallTotals],
) -> None:
    """Put the run beside the earlier ones, and write their page."""
    path = ws.home.table(f"{TABLE}/runs", name)
    try:
        earlier = read_table(path, ReportRun)
    except MissingTableError:
        earlier = []
    runs = join(earlier, row.model_copy(update={"run_id": row.run_id or row.made_at}))
    write_table(path, runs, ReportRun)
    html = runs_page(runs, name=name, names=names, totals=totals, prices=ws.prices)
    write_atomic(folder / "runs.html", html.encode("utf-8", "replace"))
