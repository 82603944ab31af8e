"""``g2 brief make``: a company's brief through Dagster.

Here: the run and what it prints. The check of any text stands in ``brief_check``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.commands.outputs import BriefOutput
from g2_pipelines.commands.runs import CHAINS, raise_failure, run_chain
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import NotYetError
from g2_pipelines.keys import check_fiscal_year, check_key
from g2_pipelines.tables.line1 import BriefEvaluation, CompanyBrief
from g2_pipelines.tables.store import read_table


def make_brief(
    ws: Workspace, company: str, *, aspects: Sequence[str], fiscal_year: str
) -> BriefOutput:
    """Run the three steps of line 1 for one company and read the brief.

    Raises:
        G2Error: a step failed, as it was typed there.
    """
    check_key(company, "EDINET code")
    if fiscal_year:
        check_fiscal_year(fiscal_year)
    # By key or label; an unknown one fails before anything is run.
    wanted = {ws.brief_config.aspect_called(name).key for name in aspects}
    if not (ws.registry.filings(company) or ws.registry.listed(company)):
        raise NotYetError(
            "No annual report is registered for this company",
            file=company,
            remedy="Add its zip with `g2 add`, or wait for EDINET's listing",
        )
    outcomes = run_chain(
        ws, "companies", [company], steps=CHAINS["companies"], fiscal_year=fiscal_year
    )
    raise_failure(outcomes, company)
    rows = read_table(ws.home.table("company_briefs", company), CompanyBrief)
    year = fiscal_year or max(row.fiscal_year for row in rows)
    wanted = wanted or {row.aspect for row in rows}
    evaluations = read_table(ws.home.table("brief_evaluations", company), BriefEvaluation)
    return BriefOutput(
        edinet_code=company,
        fiscal_year=year,
        briefs=[r for r in rows if r.fiscal_year == year and r.aspect in wanted],
        evaluations=[e for e in evaluations if e.fiscal_year == year and e.aspect in wanted],
        page=str(ws.home.brief_page(company, year)),
    )


def brief_words(output: BriefOutput) -> str:
    """The brief for a terminal."""
    parts = [f"{output.edinet_code} {output.fiscal_year}"]
    parts += [f"\n【{row.label}】\n{row.text}" for row in output.briefs]
    parts += [f"\n※ {note}" for note in dict.fromkeys(n for r in output.briefs for n in r.notes)]
    parts.append(f"\n{output.page}")
    return "\n".join(parts)
