"""The asset ``evaluation_report``: two ways of making the briefs, compared over all companies.

Here: the step ``report``, not partitioned, and what a run of it may be told. Reading and writing
stand in ``defs.reporting``, rows and pages in ``evaluation``.

https://docs.dagster.io/guides/build/assets/defining-assets
"""

from collections.abc import Iterator
from typing import Any

import dagster as dg
from pydantic import Field

from g2_pipelines.defs import specs
from g2_pipelines.defs.failures import WORTH_A_RETRY
from g2_pipelines.defs.metadata import clip, page_link
from g2_pipelines.defs.reporting import Made, ReportPlan, make_report
from g2_pipelines.defs.steps import op_name
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.report import Comparison

EVALUATION_REPORT = specs.key("evaluation_report")
COMPLETE = "every_company_is_judged"
_SHOWN = 50


class ReportRun(dg.Config):
    """What a run of the report may be told."""

    left: str = Field(default="aspect", description="STRATEGY, or STRATEGY@HOME of another home")
    right: str = Field(default="simple", description="Likewise; what the left side is set against")
    fiscal_year: str = Field(default="", description="YYYY-MM; empty: of each company the newest")
    companies: list[str] = Field(default=[], description="EDINET codes; none: all")
    drilldowns: int = Field(
        default=500, description="Companies with a page of their own, the worst first; 0: all"
    )
    reliability: str = Field(
        default="", description="What benchmarks.evaluation printed; default in G2_HOME"
    )
    judge: bool = Field(
        default=False, description="Let the configured judge compare texts first; may cost money"
    )
    judge_pairs: int = Field(default=120, description="Pairs judged at most; 0: all")


def build_report() -> dg.AssetsDefinition:
    """The step ``report``."""
    spec = specs.asset_spec(
        EVALUATION_REPORT,
        Comparison,
        group=specs.LINE_1,
        owner=specs.Owner.MODELS,
        description="Two strategies (or models, or runs) set against each other over all judged"
        " companies: rates with intervals and paired tests, a page, rows as Parquet and JSONL.",
        deps=(specs.BRIEF_EVALUATIONS,),
        kinds=("html", "polars", "parquet"),
    )

    @dg.multi_asset(
        name=op_name("report"),
        specs=[spec],
        check_specs=[
            dg.AssetCheckSpec(
                COMPLETE,
                asset=EVALUATION_REPORT,
                description="Every company with a filing is in the report; others are named.",
            )
        ],
        pool="report",  # two at once would write one folder
    )
    def report(
        context: dg.AssetExecutionContext,
        config: ReportRun,
        workspace: dg.ResourceParam[Workspace],
    ) -> Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]:
        plan = ReportPlan(
            left=config.left,
            right=config.right,
            fiscal_year=config.fiscal_year,
            companies=tuple(config.companies),
            drilldowns=config.drilldowns,
            reliability=config.reliability,
        )
        try:
            if config.judge:
                from g2_pipelines.defs.judging import judge_report

                _, failed = judge_report(workspace, plan, limit=config.judge_pairs)
                for one in failed:
                    context.log.warning("%s: not judged: %s", one.pair.subject, one.failure)
            made = make_report(workspace, plan, run_id=context.run_id)
        except G2Error as error:
            raise dg.Failure(str(error), allow_retries=WORTH_A_RETRY[error.kind]) from error
        yield dg.MaterializeResult(
            asset_key=EVALUATION_REPORT,
            data_version=dg.DataVersion(made.run.report_digest),
            metadata={
                "page": page_link(workspace.home, made.page, workspace.settings.pages_url),
                "scoreboard": dg.MetadataValue.md(scoreboard(made)),
                "texts": len(made.report.texts),
                "pairs": sum(row.n for row in made.report.comparisons[:1]),
                "flagged_claims": len(made.report.flagged),
                "dagster/row_count": len(made.report.comparisons),
                "pages": made.pages,
                "data_version": made.run.data_version,
            },
        )
        yield dg.AssetCheckResult(
            asset_key=EVALUATION_REPORT,
            check_name=COMPLETE,
            passed=not made.missing,
            severity=dg.AssetCheckSeverity.WARN,
            description=f"{len(made.missing)} companies are not in the report",
            metadata={
                "missing": dg.MetadataValue.table(
                    [
                        dg.TableRecord(
                            {
                                "company": one.edinet_code,
                                "code": one.code,
                                "message": clip(one.message, 200),
                                "remedy": clip(one.remedy, 200),
                            }
                        )
                        for one in made.missing[:_SHOWN]
                    ],
                    schema=dg.TableSchema(
                        [
                            dg.TableColumn(name, "string")
                            for name in ("company", "code", "message", "remedy")
                        ]
                    ),
                )
            },
        )

    return report


def scoreboard(made: Made) -> str:
    """The paper's criteria as a Markdown table for the UI."""
    lines = [
        "| criterion | n | left | right | only left / right | p |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.check} | {row.n} | {row.left.failed} ({row.left.low:.0%}-{row.left.high:.0%})"
        f" | {row.right.failed} ({row.right.low:.0%}-{row.right.high:.0%})"
        f" | {row.only_left} / {row.only_right} | {row.p_value:.3f} |"
        for row in made.report.comparisons
        if row.group == "paper" and row.scope == "all"
    ]
    return "\n".join(lines)
