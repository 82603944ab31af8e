"""Events written in groups say what events written one by one say."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.defs import events
from g2_pipelines.defs.events import EventWriter, Report

A, B = dg.AssetKey("a"), dg.AssetKey("b")
pytestmark = pytest.mark.slow  # an instance on disk takes seconds to make
KEYS = dg.DynamicPartitionsDefinition(name="companies")


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    """On disk: the in-memory storage has no tables of its own for each run."""
    (tmp_path / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    with dg.DagsterInstance.from_config(str(tmp_path)) as found:
        found.add_dynamic_partitions("companies", ["E1", "E2", "E3"])
        yield found


def reports(version: str = "v1") -> list[Report]:
    return [
        Report(key, partition, f"{version}-{partition}", {"rows": 3}, upstream)
        for partition in ("E1", "E2", "E3")
        for key, upstream in ((A, ()), (B, (A,)))
    ]


def write(instance: dg.DagsterInstance, made: list[Report], *, one_by_one: bool = False) -> str:
    """Report in a run's step; returns the run's id."""

    @dg.multi_asset(
        specs=[dg.AssetSpec(A, skippable=True), dg.AssetSpec(B, deps=[A], skippable=True)],
        partitions_def=KEYS,
        backfill_policy=dg.BackfillPolicy.single_run(),
    )
    def step(context: dg.AssetExecutionContext):
        if one_by_one:
            for report in made:
                tags = {
                    "dagster/data_version": report.digest,
                    "dagster/data_version_is_user_provided": "true",
                    "dagster/code_version": "1",
                }
                context.log_event(
                    dg.AssetMaterialization(
                        report.key, partition=report.partition, tags=tags, metadata={"rows": 3}
                    )
                )
        else:
            with EventWriter(context) as writer:
                for report in made:
                    writer.put(report)
        yield from ()

    tags = {
        f"dagster/asset_partition_range_{end}": k for end, k in (("start", "E1"), ("end", "E3"))
    }
    result = dg.materialize([step], instance=instance, tags=tags)
    assert result.success
    return result.run_id


def test_a_group_fills_the_same_tables_as_single_events(
    instance: dg.DagsterInstance, tmp_path: Path
):
    """The writer goes past Dagster's log; an upgrade that changes the tables must show here."""
    one = [r for r in reports("one") if r.key == A]
    group = [r for r in reports("group") if r.key == A]
    runs = [write(instance, one, one_by_one=True), write(instance, group)]
    [index] = tmp_path.rglob("index.db")
    rows, tags, logs = [], [], []
    for run in runs:
        with sqlite3.connect(index) as database:
            where = "dagster_event_type = 'ASSET_MATERIALIZATION' AND run_id = ?"
            columns = "id, dagster_event_type, step_key, asset_key, partition"
            found = database.execute(f"SELECT {columns} FROM event_logs WHERE {where}", [run])
            events_of = found.fetchall()
            rows.append([row[1:] for row in events_of])
            ids = ", ".join(str(row[0]) for row in events_of)
            tags.append(
                database.execute(
                    f"SELECT asset_key, key, replace(replace(value, 'one', ''), 'group', '')"
                    f" FROM asset_event_tags WHERE event_id IN ({ids}) ORDER BY event_id, key"
                ).fetchall()
            )
        materializations = instance.all_logs(run, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
        logs.append(
            [
                (e.level, e.job_name, e.step_key, e.user_message, e.dagster_event.step_kind_value)
                for e in materializations
            ]
        )
    assert len(rows[0]) == 3
    assert rows[0] == rows[1]
    assert tags[0] == tags[1]
    assert [entry[:3] + entry[4:] for entry in logs[0]] == [e[:3] + e[4:] for e in logs[1]]
    latest = instance.get_latest_materialization_event(A)
    assert latest is not None
    assert latest.run_id == runs[1]


def test_an_event_points_at_the_event_of_its_input(instance: dg.DagsterInstance):
    write(instance, reports())
    for partition in ("E1", "E2", "E3"):
        [a] = instance.fetch_materializations(
            dg.AssetRecordsFilter(A, asset_partitions=[partition]), limit=1
        ).records
        [b] = instance.fetch_materializations(
            dg.AssetRecordsFilter(B, asset_partitions=[partition]), limit=1
        ).records
        tags = b.asset_materialization.tags
        assert tags["dagster/input_data_version/a"] == f"v1-{partition}"
        assert tags["dagster/input_event_pointer/a"] == str(a.storage_id)


def test_an_input_of_an_earlier_run_is_looked_up(instance: dg.DagsterInstance):
    """One aspect made anew still says from which text."""
    write(instance, [report for report in reports() if report.key == A])
    write(instance, [report for report in reports() if report.key == B])
    [b] = instance.fetch_materializations(
        dg.AssetRecordsFilter(B, asset_partitions=["E2"]), limit=1
    ).records
    assert b.asset_materialization.tags["dagster/input_data_version/a"] == "v1-E2"


@pytest.mark.parametrize("size", [1, 2, 4, 100])
def test_the_size_of_a_group_changes_nothing(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch, size: int
):
    monkeypatch.setattr(events, "GROUP", size)
    write(instance, reports())
    for key in (A, B):
        records = instance.fetch_materializations(key, limit=10).records
        assert len(records) == 3
        assert instance.get_materialized_partitions(key) == {"E1", "E2", "E3"}


def test_a_failure_to_write_ends_the_run_red(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
):
    """A full disk must not look like a finished batch."""

    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(events, "store_events", full)
    with pytest.raises(OSError, match="No space left"):
        write(instance, reports())
