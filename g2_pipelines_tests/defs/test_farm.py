"""Partitions worked in other processes: same results, failures as they are, deaths by name."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.defs import farm as farm_module
from g2_pipelines.defs import specs
from g2_pipelines.defs.batch import Farmed, Stage, Stored
from g2_pipelines.defs.build import build_definitions
from g2_pipelines.defs.farm import Farm, processes
from g2_pipelines.defs.instance import add_keys, run_job
from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.register import register
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line1 import FilingSection
from g2_pipelines.tables.store import read_table
from g2_pipelines_tests.defs.following import filing_zip

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


@pytest.mark.slow
def test_the_step_sources_reports_what_its_processes_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(farm_module, "WORTH_IT", 3)
    ws = Workspace(Settings(_env_file=None, home=str(tmp_path), workers=2))
    codes = [f"E9920{n}" for n in range(4)]
    for n, code in enumerate(codes):
        content = filing_zip(code, "2025-03") if n else b"PK\x03\x04 no zip"
        row = ManifestRow(file=f"S992000{n}.zip", type="filing", edinet_code=code)
        register(ws, content, row)
    with dg.DagsterInstance.ephemeral() as instance:
        add_keys(instance, companies, codes)
        (outcome,) = run_job(instance, build_definitions(workspace=ws), "sources", companies, codes)
        assert not outcome.success  # the file that is no zip; the others are there
        for name in (specs.FILINGS, specs.FILING_SECTIONS, specs.SOURCE_SPLITS):
            assert set(instance.get_materialized_partitions(name)) == set(codes[1:])
    for code in codes[1:]:
        rows = read_table(ws.home.table("filing_sections", code), FilingSection)
        policy = next(row for row in rows if row.section == "policy")
        assert policy.text.startswith(f"{code}の2025-03の方針。")
