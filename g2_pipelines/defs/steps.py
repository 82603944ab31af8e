"""A step: a subsettable multi-asset over one set of partitions, built from stages.

Here: the run configuration that steps share and the factory that turns specs and stages
into the assets definition. The loop over partitions stands in ``batch``.

https://docs.dagster.io/guides/build/assets/defining-assets#multi-asset
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import dagster as dg
from pydantic import Field

from g2_pipelines.defs.batch import Stage, run_batch
from g2_pipelines.defs.workspace import Workspace


class StepRun(dg.Config):
    """What a run of a step may be told."""

    fiscal_year: str = Field(
        default="",
        description="YYYY-MM of the period's end; empty: the newest year with an annual report",
    )
    refresh: bool = Field(
        default=False, description="Ask the model anew where an answer is in the call cache"
    )


_SUFFIX = "_step"


def op_name(step: str) -> str:
    """The op's name of a step; an op and a job cannot share one."""
    return f"{step}{_SUFFIX}"


def step_name(op: str) -> str:
    """The step's, and so the job's, name of an op."""
    return op.removesuffix(_SUFFIX)


StageFactory = Callable[[Workspace, StepRun], Sequence[Stage]]


def build_step(
    name: str,
    specs: Sequence[dg.AssetSpec],
    stages: StageFactory,
    *,
    partitions: dg.DynamicPartitionsDefinition,
    batch_size: int,
    concurrency: int = 1,
    pool: str | None = None,
) -> dg.AssetsDefinition:
    """The step ``name``: its assets, each rematerializable alone, worked in batches."""

    @dg.multi_asset(
        name=op_name(name),
        specs=specs,
        can_subset=True,
        partitions_def=partitions,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=batch_size),
        pool=pool,
    )
    def step(
        context: dg.AssetExecutionContext, config: StepRun, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        yield from run_batch(context, stages(workspace, config), concurrency=concurrency)

    return step
