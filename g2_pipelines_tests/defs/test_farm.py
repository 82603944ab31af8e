"""Partitions worked in other processes: same results, failures as they are, deaths by name."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.defs.batch import Farmed, Stage, Stored
from g2_pipelines.defs.farm import Farm, processes
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.settings import Settings

FIRST, SECOND = dg.AssetKey("first"), dg.AssetKey("second")


async def _first(ws: Workspace, run: StepRun, partition: str) -> Stored:
    if partition == "bad":
        raise InputError("wrong", file=partition, place="p", remedy="r")
    if partition == "deadly":
        os._exit(9)
    return Stored(f"{partition} {run.fiscal_year} {ws.settings.home}", {"pid": os.getpid()})


async def _second(_: Workspace, __: StepRun, partition: str) -> Stored:
    return Stored(partition.upper())


def stages(ws: Workspace, run: StepRun) -> Sequence[Stage]:
    return [
        Stage(FIRST, (), partial(_first, ws, run)),
        Stage(SECOND, (FIRST,), partial(_second, ws, run)),
    ]


def test_partitions_are_worked_elsewhere_and_one_that_kills_costs_itself(tmp_path: Path) -> None:
    ws = Workspace(Settings(home=str(tmp_path)))
    names = ["a", "b", "bad", "deadly", "c", "d"]

    async def all_of() -> list[Farmed]:
        return list(await asyncio.gather(*(farm.work(name) for name in names)))

    with Farm(stages, ws, StepRun(fiscal_year="2024-03"), [FIRST, SECOND], 2) as farm:
        made = dict(zip(names, asyncio.run(all_of()), strict=True))
    for name in ("a", "b", "c", "d"):
        (first, stored), (second, upper) = made[name].stored
        assert (first, stored.digest) == (FIRST, f"{name} 2024-03 {tmp_path}")
        assert (second, upper.digest) == (SECOND, name.upper())
        assert stored.metadata["pid"] != os.getpid()
        assert made[name].failed == []
    failed = {f.asset: f.error for f in made["bad"].failed}
    assert (failed[FIRST].code, failed[FIRST].remedy) == ("bad_input", "r")
    assert failed[SECOND].code == "blocked"
    (died,) = made["deadly"].failed
    assert (died.error.code, died.partition) == ("worker_died", "deadly")


@pytest.mark.parametrize(("workers", "partitions", "got"), [(2, 24, 2), (2, 23, 0), (1, 999, 0)])
def test_a_small_batch_stays_in_its_own_process(workers: int, partitions: int, got: int) -> None:
    assert processes(Settings(workers=workers), partitions) == got
