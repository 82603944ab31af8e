"""Processes that work a batch's partitions side by side, where the work is Python's own.

Here: the pool, and what one of its processes does with a partition. Reporting stays with the
run's own process (``batch``). For steps whose stages compute and store but call no model:
reading filings holds the interpreter's lock, so threads would only take turns.

A process that dies (killed for its memory, say) costs its partition alone: what it and its
neighbours were at is worked again, one partition a process, and the one that kills its
process a second time fails by name.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, Self

import dagster as dg

from g2_pipelines.defs.batch import Farmed, Stage, Stored, work_partition
from g2_pipelines.defs.failures import Failed
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import LimitError
from g2_pipelines.pdf.contain import die_with_parent
from g2_pipelines.settings import Settings

#: Below this many partitions starting processes (some seconds each) takes longer than it saves.
WORTH_IT = 24
#: More processes than this wait for the disk rather than compute.
MOST = 16

Factory = Callable[[Workspace, Any], Sequence[Stage]]


class WorkerDiedError(LimitError):
    """The process that worked a partition ended twice without an answer."""

    code = "worker_died"


def processes(settings: Settings, partitions: int) -> int:
    """How many processes a batch of ``partitions`` gets; 0 where its own is enough."""
    wanted = settings.workers or min(os.cpu_count() or 1, MOST)
    return wanted if wanted > 1 and partitions >= WORTH_IT else 0


class Farm:
    """A pool of processes; each makes the step's stages for itself, once.

    ``factory`` must be a module's function: a process finds it by its name.
    """

    def __init__(
        self,
        factory: Factory,
        ws: Workspace,
        run: dg.Config,
        keys: Sequence[dg.AssetKey],
        workers: int,
    ) -> None:
        self.workers = workers
        self._arguments = (factory, ws.settings, run.model_dump(), type(run), tuple(keys))
        self._pool: ProcessPoolExecutor | None = None
        self._alone = asyncio.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    async def work(self, partition: str) -> Farmed:
        """What became of a partition's stages.

        Raises:
            BaseException: what a stage raised that is no typed failure.
        """
        if self._pool is None:
            self._pool = self._start(self.workers)
        pool = self._pool
        try:
            return await asyncio.wrap_future(pool.submit(_work, partition))
        except BrokenProcessPool:
            if self._pool is pool:
                pool.shutdown(cancel_futures=True)
                self._pool = None
        async with self._alone:
            return await self._work_alone(partition)

    async def _work_alone(self, partition: str) -> Farmed:
        with self._start(1) as pool:
            try:
                return await asyncio.wrap_future(pool.submit(_work, partition))
            except BrokenProcessPool:
                error = WorkerDiedError(
                    "The process that worked it died twice, perhaps for want of memory",
                    file=partition,
                    remedy="Run this partition alone, on a machine with more memory",
                )
                first = self._arguments[-1][0]
                return Farmed([], [Failed(partition, first, error)])

    def _start(self, workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=self._arguments,
        )


_STAGES: list[Stage] = []
_SETTLED: list[bool] = []


def _begin(
    factory: Factory,
    settings: Settings,
    values: dict[str, object],
    kind: type[dg.Config],
    keys: Sequence[dg.AssetKey],
) -> None:
    die_with_parent()
    stages = factory(Workspace(settings), kind(**values))
    _STAGES[:] = [stage for stage in stages if stage.key in keys]


def _work(partition: str) -> Farmed:
    stored: list[tuple[dg.AssetKey, Stored]] = []

    def keep(stage: Stage, _: str, made: Stored) -> None:
        stored.append((stage.key, made))

    failed = asyncio.run(work_partition(_STAGES, partition, keep))
    if not _SETTLED:
        # All modules are loaded now. Out of the collector's sight: to walk through them again
        # and again, for a filing's thousands of rows, took a tenth of a filing's time.
        gc.collect()
        gc.freeze()
        _SETTLED.append(True)
    return Farmed(stored, failed)
