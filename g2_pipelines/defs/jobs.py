"""One job a step, in the order of the two lines.

Here: the jobs. They hold one step each, so that a batch never leaves a later step skipped;
``sensors`` joins them.

https://docs.dagster.io/guides/build/jobs/asset-jobs
"""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg

from g2_pipelines.defs.specs import Owner
from g2_pipelines.defs.steps import step_name

JOBS: dict[str, tuple[Owner, str]] = {
    "companies": (Owner.FILINGS, "The company registry, from EDINET's code list."),
    "listing": (Owner.FILINGS, "EDINET's list of one day."),
    "sources": (Owner.FILINGS, "Filings and transcripts of companies, to splits."),
    "summaries": (Owner.MODELS, "Pre-summaries and final summaries of companies."),
    "judgement": (Owner.MODELS, "Evaluations and, where the gates pass, briefs of companies."),
    "report": (Owner.MODELS, "Two strategies, models or runs compared over all companies."),
    "documents": (Owner.GRAPH, "PDFs to nodes."),
    "graph": (Owner.GRAPH, "Content graph in rounds, and the node index."),
    "answers": (Owner.GRAPH, "Questions answered through the planning graph."),
}


def build_jobs(steps: Sequence[dg.AssetsDefinition]) -> list[dg.UnresolvedAssetJobDefinition]:
    """A job for each step, of its name."""
    return [_job(step_name(step.op.name), step) for step in steps]


def _job(name: str, step: dg.AssetsDefinition) -> dg.UnresolvedAssetJobDefinition:
    owner, description = JOBS[name]
    return dg.define_asset_job(
        name,
        selection=dg.AssetSelection.assets(step),
        description=description,
        tags={"owner": owner.value},
        executor_def=dg.in_process_executor,
    )
