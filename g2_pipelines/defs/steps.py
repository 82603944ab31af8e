"""A step: a subsettable multi-asset over one set of partitions, built from stages.

Here: the run configuration that steps share and the factory that turns specs and stages
into the assets definition. The loop over partitions stands in ``batch``.

https://docs.dagster.io/guides/build/assets/defining-assets#multi-asset
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any

import dagster as dg
from pydantic import Field

from g2_pipelines.defs.batch import Stage, run_batch
from g2_pipelines.defs.farm import Farm, processes
from g2_pipelines.defs.joints import made_meanwhile
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import NotYetError
from g2_pipelines.models.ports import CompletionPort
from g2_pipelines.text.tokens import doubt

_LOG = logging.getLogger(__name__)


class StepRun(dg.Config):
    """What a run of a step may be told."""

    fiscal_year: str = Field(
        default="",
        description="YYYY-MM of the period's end; empty: the newest year with an annual report",
    )
    strategy: str = Field(
        default="",
        description="Of summaries: aspect, simple, joint or retrieval; empty: as configured",
    )
    refresh: bool = Field(
        default=False, description="Ask the model anew where an answer is in the call cache"
    )
    budget_tokens: int = Field(
        default=0, description="Tokens that this run may use; 0: as in the settings"
    )
    budget_money: float = Field(
        default=0.0, description="Money that this run may use; 0: as in the settings"
    )


def completion(ws: Workspace, run: StepRun) -> CompletionPort | None:
    """The completion port of one run, None for the extractive engine.

    Says so where the tokenizer may not count as the model does: limits and splits rest on it.
    """
    given = ws.settings
    words = doubt(given.tokenizer, given.model) if given.engine != "extractive" else ""
    if words:
        _doubt_once(words)
    return ws.completion(
        refresh=run.refresh, budget_tokens=run.budget_tokens, budget_money=run.budget_money
    )


@cache
def _doubt_once(words: str) -> None:
    """Once a process: each step of a chain would say it again."""
    _LOG.warning("%s: set G2_TOKENIZER to its name or its tokenizer.json", words)


_SUFFIX = "_step"


def op_name(step: str) -> str:
    """The op's name of a step; an op and a job cannot share one."""
    return f"{step}{_SUFFIX}"


def step_name(op: str) -> str:
    """The step's, and so the job's, name of an op."""
    return op.removesuffix(_SUFFIX)


StageFactory = Callable[[Workspace, StepRun], Sequence[Stage]]


@dataclass(frozen=True)
class BatchCheck:
    """An asset check over the partitions of a run; pure reading of what is stored.

    ``failing`` gives, for one partition, what is wrong with it in words, "" if nothing. A
    partition that has nothing stored is not judged.
    """

    spec: dg.AssetCheckSpec
    failing: Callable[[Workspace, StepRun, str], str]
    severity: dg.AssetCheckSeverity = dg.AssetCheckSeverity.ERROR

    def result(self, ws: Workspace, run: StepRun, partitions: Sequence[str]) -> dg.AssetCheckResult:
        """The outcome over ``partitions``, with every failing one by name."""
        wrong: dict[str, str] = {}
        judged = 0
        for partition in partitions:
            try:
                words = self.failing(ws, run, partition)
            except NotYetError:
                continue
            judged += 1
            if words:
                wrong[partition] = words
        return dg.AssetCheckResult(
            asset_key=self.spec.asset_key,
            check_name=self.spec.name,
            passed=not wrong,
            severity=self.severity,
            description=f"{judged - len(wrong)} of {judged} partitions pass",
            metadata={"failing": dg.MetadataValue.json(wrong)},
        )


def build_step(
    name: str,
    specs: Sequence[dg.AssetSpec],
    stages: StageFactory,
    *,
    partitions: dg.DynamicPartitionsDefinition,
    batch_size: int,
    concurrency: int = 1,
    pool: str | None = None,
    checks: Sequence[BatchCheck] = (),
    farmed: bool = False,
) -> dg.AssetsDefinition:
    """The step ``name``: its assets, each rematerializable alone, worked in batches.

    ``farmed``: large batches are worked in processes of their own; ``stages`` is then a
    module's function.
    """

    @dg.multi_asset(
        name=op_name(name),
        specs=specs,
        can_subset=True,
        partitions_def=partitions,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=batch_size),
        pool=pool,
        check_specs=[check.spec for check in checks],
    )
    def step(
        context: dg.AssetExecutionContext, config: StepRun, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]:
        def judge() -> Iterator[dg.AssetCheckResult]:
            for check in checks:
                if check.spec.key in context.selected_asset_check_keys:
                    yield check.result(workspace, config, context.partition_keys)

        done = made_meanwhile(
            context.instance,
            context.run.tags,
            workspace.brief_config,
            context.partition_keys,
            config.fiscal_year,
        )
        workers = processes(workspace.settings, len(context.partition_keys)) if farmed else 0
        with ExitStack() as stack:
            farm = None
            if workers:
                keys = sorted(context.selected_asset_keys)
                farm = stack.enter_context(Farm(stages, workspace, config, keys, workers))
            worked = stages(workspace, config)
            for stage in worked:
                if stage.finish is not None:
                    stack.callback(stage.finish)
            yield from run_batch(
                context,
                worked,
                concurrency=concurrency,
                judge=judge,
                farm=farm,
                made=done,
            )

    return step
