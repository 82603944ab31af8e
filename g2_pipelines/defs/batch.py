"""The batch: one step that works many partitions and many assets, and reports each.

Here: a stage (one asset's work on one partition), the loop over partitions, and the rules of
a run. What a stage does stands in ``assets``, the writer of events in ``events``.

Why not plain assets: a run per partition costs some five seconds, and one step per asset
would leave every downstream step skipped, on a green run, when a batch yields nothing.
So a chain is one step; each partition is reported as it finishes; the step ends red when
any failed. With a single partition the step yields its results as usual, so that a
selection over several steps runs through.

https://docs.dagster.io/guides/build/assets/defining-assets#multi-asset
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import dagster as dg

from g2_pipelines.defs.events import EventWriter, Report, report_failed
from g2_pipelines.defs.failures import BlockedError, Failed, MixedSelectionError, batch_failure
from g2_pipelines.defs.orphans import process_tags
from g2_pipelines.errors import G2Error
from g2_pipelines.models.purpose import charged_to
from g2_pipelines.storage_errors import storage_error

Metadata = Mapping[str, Any]

#: The steps in the order in which a line runs.
STEP_ORDER = (
    "listing",
    "sources",
    "summaries",
    "judgement",
    "report",
    "documents",
    "graph",
    "answers",
)


@dataclass(frozen=True)
class Stored:
    """What a stage has stored: the content's digest and what a person wants at a glance.

    ``faults`` are inputs that had to be left out: the rest is stored, reported and worked on,
    and the run ends red and names them. ``last``: nothing can be made from it, which is no
    failure; the stages that read it are left as they are.
    """

    digest: str
    metadata: Metadata = field(default_factory=dict)
    faults: tuple[G2Error, ...] = ()
    last: bool = False


@dataclass(frozen=True)
class Stage:
    """One asset's work on one partition; ``upstream`` are the assets that it reads.

    ``beside``: it may be worked while other such stages are, as soon as what it reads is there.
    ``finish``: called once after the last partition of the batch, whatever became of them.
    """

    key: dg.AssetKey
    upstream: tuple[dg.AssetKey, ...]
    work: Callable[[str], Awaitable[Stored]]
    code_version: str = "1"
    beside: bool = False
    finish: Callable[[], None] | None = None


@dataclass(frozen=True)
class Farmed:
    """What became of a partition in another process."""

    stored: list[tuple[dg.AssetKey, Stored]]
    failed: list[Failed]


class PartitionFarm(Protocol):
    """Processes that work partitions (``farm``)."""

    workers: int

    async def work(self, partition: str) -> Farmed:
        """Work all chosen stages of a partition."""


def refuse_mixed_selection(context: dg.AssetExecutionContext) -> None:
    """End a run that holds several steps and several partitions, naming what to launch.

    Raises:
        dg.Failure: with the selections that can be launched one after the other.
    """
    present = {name.removesuffix("_step") for name in context.job_def.graph.node_dict}
    steps = [step for step in STEP_ORDER if step in present] + sorted(present - set(STEP_ORDER))
    if len(steps) < 2 or len(context.partition_keys) < 2:
        return
    error = MixedSelectionError(
        f"This run holds {len(steps)} steps ({', '.join(steps)}) and"
        f" {len(context.partition_keys)} partitions; the later steps would be skipped silently",
        remedy="Launch one step at a time, in this order: "
        + "; ".join(f"job {step!r}" for step in steps)
        + "; or a single partition over all of them",
    )
    raise dg.Failure(str(error), allow_retries=False)


def run_batch(
    context: dg.AssetExecutionContext,
    stages: Sequence[Stage],
    *,
    concurrency: int = 1,
    judge: Callable[[], Iterable[dg.AssetCheckResult]] = tuple,
    farm: PartitionFarm | None = None,
    made: Collection[str] = (),
) -> Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]:
    """Run the selected stages over the run's partitions; yields results for a single key.

    ``judge`` gives the asset checks' outcomes once everything is stored. With a ``farm`` its
    processes work the partitions; each is reported here as it comes back. ``made`` are
    partitions of the run that another one has made since it was asked for: they are left.

    A typed failure stops the stages that depend on the failed one, for that partition
    alone. Anything else ends the run too, after the finished partitions were reported.

    Raises:
        dg.Failure: when any partition failed.
    """
    refuse_mixed_selection(context)
    context.instance.add_run_tags(context.run_id, process_tags())
    partitions = [key for key in context.partition_keys if key not in made]
    if made:
        context.log.info("Made of the same inputs meanwhile: %s", ", ".join(sorted(made)))
    chosen = [stage for stage in stages if stage.key in context.selected_asset_keys]
    if len(context.partition_keys) == 1:
        results: list[tuple[Stage, Stored]] = []
        outcome = asyncio.run(
            _work(
                chosen,
                partitions,
                1,
                lambda stage, _, stored: results.append((stage, stored)),
                None,
            )
        )
        for stage, stored in results:
            yield dg.MaterializeResult(
                asset_key=stage.key,
                data_version=dg.DataVersion(stored.digest),
                metadata=stored.metadata,
            )
    else:
        with EventWriter(context) as writer:
            outcome = asyncio.run(
                _work(
                    chosen,
                    partitions,
                    concurrency,
                    lambda stage, partition, stored: writer.put(_report(stage, partition, stored)),
                    farm,
                )
            )
    yield from judge()
    if outcome.bugs:
        raise outcome.bugs[0]
    if outcome.failed:
        report_failed(context, [(f.asset, f.partition) for f in outcome.failed if not f.stored])
        raise batch_failure(outcome.failed, len(partitions))


def _report(stage: Stage, partition: str, stored: Stored) -> Report:
    return Report(
        key=stage.key,
        partition=partition,
        digest=stored.digest,
        metadata=stored.metadata,
        upstream=stage.upstream,
        code_version=stage.code_version,
    )


@dataclass(frozen=True)
class _Outcome:
    failed: list[Failed]
    bugs: list[BaseException]  # untyped: raised once the finished partitions are reported


async def _work(
    stages: Sequence[Stage],
    partitions: Sequence[str],
    concurrency: int,
    report: Callable[[Stage, str, Stored], None],
    farm: PartitionFarm | None,
) -> _Outcome:
    # One partition waits behind each process, so that none is idle and few results are held.
    gate = asyncio.Semaphore(concurrency if farm is None else 2 * farm.workers)
    by_key = {stage.key: stage for stage in stages}

    async def one(partition: str) -> list[Failed]:
        async with gate:
            if farm is None:
                return await work_partition(stages, partition, report)
            farmed = await farm.work(partition)
            for key, stored in farmed.stored:
                report(by_key[key], partition, stored)
            return farmed.failed

    outcomes = await asyncio.gather(*(one(p) for p in partitions), return_exceptions=True)
    return _Outcome(
        failed=[f for o in outcomes if not isinstance(o, BaseException) for f in o],
        bugs=[o for o in outcomes if isinstance(o, BaseException)],
    )


class _Progress:
    """How far the stages of one partition have come."""

    def __init__(self, partition: str, report: Callable[[Stage, str, Stored], None]) -> None:
        self.partition, self.report = partition, report
        self.failed: dict[dg.AssetKey, Failed] = {}
        self.faults: dict[dg.AssetKey, list[Failed]] = {}
        self.ended: set[dg.AssetKey] = set()

    async def work(self, stage: Stage) -> None:
        """Work a stage, unless what it reads failed or ended."""
        if self.ended.intersection(stage.upstream):
            self.ended.add(stage.key)
            return
        cause = next((self.failed[key] for key in stage.upstream if key in self.failed), None)
        if cause is not None:
            error: G2Error = BlockedError(
                f"Not written, because {cause.asset.to_user_string()} failed",
                file=self.partition,
                place=stage.key.to_user_string(),
            )
            self.failed[stage.key] = Failed(self.partition, stage.key, error)
            return
        try:
            with charged_to(asset=stage.key.to_user_string(), partition=self.partition):
                stored = await stage.work(self.partition)
        except G2Error as caught:
            self.failed[stage.key] = Failed(self.partition, stage.key, caught)
            return
        except (OSError, RuntimeError) as caught:  # a full or closed disk, not a fault of ours
            named = storage_error(caught)
            if named is None:
                raise
            self.failed[stage.key] = Failed(self.partition, stage.key, named)
            return
        self.report(stage, self.partition, stored)
        self.faults[stage.key] = [
            Failed(self.partition, stage.key, fault, stored=True) for fault in stored.faults
        ]
        if stored.last:
            self.ended.add(stage.key)

    def outcome(self, stages: Sequence[Stage]) -> list[Failed]:
        """What failed, in the stages' order."""
        faults = [fault for stage in stages for fault in self.faults.get(stage.key, [])]
        return [*faults, *(self.failed[s.key] for s in stages if s.key in self.failed)]


async def work_partition(
    stages: Sequence[Stage], partition: str, report: Callable[[Stage, str, Stored], None]
) -> list[Failed]:
    """Work the stages in order; those that allow it beside the others, after what they read."""
    progress = _Progress(partition, report)
    running: dict[dg.AssetKey, asyncio.Task[None]] = {}

    async def after(stage: Stage) -> None:
        for key in stage.upstream:
            if key in running:
                await running[key]
        await progress.work(stage)

    for stage in stages:
        if stage.beside:
            running[stage.key] = asyncio.create_task(after(stage))
        else:
            await _ended(running.values())
            await progress.work(stage)
    await _ended(running.values())
    return progress.outcome(stages)


async def _ended(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Wait for all, then raise what is no typed failure."""
    for end in await asyncio.gather(*tasks, return_exceptions=True):
        if end is not None:
            raise end
