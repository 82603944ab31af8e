"""The job ``estimate_summaries``: a dry run from the UI, which sends nothing.

Here: its configuration and what the run shows. The estimate stands in ``estimate``.

https://docs.dagster.io/guides/build/jobs/op-jobs
"""

from typing import Any

import dagster as dg
from pydantic import Field

from g2_pipelines.defs.estimate import companies_with_sources, estimate_summaries
from g2_pipelines.defs.specs import Owner
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error


class EstimateRun(StepRun):
    """What an estimate may be told: companies, and what its run would be told."""

    companies: list[str] = Field(default=[], description="EDINET codes; empty: all with sources")


@dg.op(name="estimate")
def estimate(
    context: dg.OpExecutionContext, config: EstimateRun, workspace: dg.ResourceParam[Workspace]
) -> None:
    """Calls, tokens and money of the step ``summaries``, as metadata of the output."""
    companies = config.companies or companies_with_sources(workspace)
    try:
        found = estimate_summaries(workspace, config, companies)
    except G2Error as error:
        raise dg.Failure(str(error), allow_retries=False) from error
    rows = [*found.rows, found.total.model_copy(update={"group": "all"})]
    shown: dict[str, Any] = {
        "companies": len(companies),
        "model": found.model,
        "currency": found.currency or "none: set G2_PRICES_FILE",
        "calls": found.total.calls,
        "cached_calls": found.total.cached,
        "prompt_tokens": found.total.prompt_tokens,
        "completion_tokens": found.total.completion_tokens,
        "estimate": dg.MetadataValue.table(
            [dg.TableRecord({k: "" if v is None else v for k, v in row}) for row in rows]
        ),
        "notes": dg.MetadataValue.md("\n".join(f"* {note}" for note in found.notes)),
        "failed": dg.MetadataValue.md(
            "\n".join(f"* {one.partition}: {one.error}" for one in found.failed) or "none"
        ),
    }
    context.add_output_metadata(shown)
    if found.failed:
        context.log.warning("%d assets could not be estimated; see metadata", len(found.failed))


def build_estimate_job() -> dg.JobDefinition:
    """The job, in process like the others."""

    @dg.job(
        name="estimate_summaries",
        description="What the summaries would ask and cost, before a call is made.",
        tags={"owner": Owner.MODELS.value},
        executor_def=dg.in_process_executor,
    )
    def job() -> None:
        estimate()

    return job
