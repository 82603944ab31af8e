"""Batches report every partition, end red on any failure and never skip in silence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import dagster as dg
import pytest
from dagster._core.storage.partition_status_cache import get_and_update_asset_status_cache_value

from g2_pipelines.defs.batch import Stage, Stored, run_batch
from g2_pipelines.defs.failures import Failed, batch_failure
from g2_pipelines.defs.steps import op_name
from g2_pipelines.errors import G2Error, InputError, ModelError

COMPANIES = dg.DynamicPartitionsDefinition(name="companies")
FIRST, SECOND, OTHER, LATER = (dg.AssetKey(name) for name in ("first", "second", "other", "later"))


@dataclass
class Work:
    """What the fake stages do: fail where told, and count what they did."""

    bad: dict[tuple[str, str], Exception] = field(default_factory=dict)
    done: list[tuple[str, str]] = field(default_factory=list)
    version: str = "v1"

    def stage(self, key: dg.AssetKey, *upstream: dg.AssetKey) -> Stage:
        name = key.to_user_string()

        async def work(partition: str) -> Stored:
            if (name, partition) in self.bad:
                raise self.bad[name, partition]
            self.done.append((name, partition))
            return Stored(f"{self.version}-{name}-{partition}", {"rows": 1})

        return Stage(key, upstream, work)


def step(name: str, stages: Sequence[Stage], concurrency: int = 4) -> dg.AssetsDefinition:
    @dg.multi_asset(
        name=op_name(name),
        specs=[
            dg.AssetSpec(s.key, deps=s.upstream, skippable=True, code_version="1") for s in stages
        ],
        can_subset=True,
        partitions_def=COMPANIES,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=400),
    )
    def assets(context: dg.AssetExecutionContext):
        yield from run_batch(context, stages, concurrency=concurrency)

    return assets


def run(
    instance: dg.DagsterInstance,
    steps: Sequence[dg.AssetsDefinition],
    keys: Sequence[str],
    selection: Sequence[dg.AssetKey] | None = None,
) -> dg.ExecuteInProcessResult:
    instance.add_dynamic_partitions("companies", list(keys))
    ends = {
        "dagster/asset_partition_range_start": keys[0],
        "dagster/asset_partition_range_end": keys[-1],
    }
    return dg.materialize(
        list(steps),
        instance=instance,
        selection=list(selection) if selection else None,
        partition_key=keys[0] if len(keys) == 1 else None,
        tags=ends if len(keys) > 1 else None,
        raise_on_error=False,
    )


def failure(result: dg.ExecuteInProcessResult) -> dg.ExecuteInProcessResult:
    [event] = [e for e in result.all_events if e.is_step_failure]
    return event.step_failure_data


def skipped(result: dg.ExecuteInProcessResult) -> list[str]:
    return [e.step_key for e in result.all_events if e.event_type_value == "STEP_SKIPPED"]


def chain(work: Work) -> list[Stage]:
    return [work.stage(FIRST), work.stage(SECOND, FIRST), work.stage(OTHER)]


def test_seven_bad_partitions_of_300_fail_alone_and_one_rerun_does_only_those():
    """Otherwise one bad filing costs 4,000 companies a night, or is lost among them."""
    keys = [f"E{n:05}" for n in range(300)]
    bad = keys[::43][:7]
    assert len(bad) == 7
    work = Work(
        bad={("first", k): InputError("The zip is cut short", file=f"{k}.zip") for k in bad}
    )
    with dg.DagsterInstance.ephemeral() as instance:
        result = run(instance, [step("sources", chain(work))], keys)
        assert not result.success
        good = set(keys) - set(bad)
        assert instance.get_materialized_partitions(FIRST) == good
        assert instance.get_materialized_partitions(SECOND) == good
        assert instance.get_materialized_partitions(OTHER) == set(keys)
        data = failure(result)
        assert data.user_failure_data.description.startswith("7 of 300 partitions failed. ")
        records = data.user_failure_data.metadata["failed"].records
        assert {(r.data["partition"], r.data["asset"]) for r in records} == {
            (k, asset) for k in bad for asset in ("first", "second")
        }
        work.bad.clear()
        work.done.clear()
        for key in bad:  # as "missing and failed only" launches them
            assert run(instance, [step("sources", chain(work))], [key]).success
        assert {k for name, k in work.done if name == "first"} == set(bad)
        assert instance.get_materialized_partitions(SECOND) == set(keys)


@pytest.mark.parametrize("flag", ["", "1"])
def test_failed_partitions_are_red_whatever_way_runs_are_planned(
    flag: str, monkeypatch: pytest.MonkeyPatch
):
    """The flag that makes batches fast lets Dagster show no partition as failed at all."""
    monkeypatch.setenv("DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS", flag)
    work = Work(bad={("second", "B"): InputError("bad", file="b.pdf")})
    with dg.DagsterInstance.ephemeral() as instance:
        assets = step("it", chain(work))
        assert not run(instance, [assets], ["A", "B", "C"]).success
        assert failed_of(instance, assets, SECOND) == {"B"}
        assert failed_of(instance, assets, FIRST) == set()
        work.bad.clear()
        assert run(instance, [assets], ["A", "B", "C"]).success
        assert failed_of(instance, assets, SECOND) == set()


def failed_of(
    instance: dg.DagsterInstance, assets: dg.AssetsDefinition, key: dg.AssetKey
) -> set[str]:
    """The partitions that the UI shows as failed."""
    status = get_and_update_asset_status_cache_value(instance, key, COMPANIES)
    assert status is not None
    subset = status.deserialize_failed_partition_subsets(COMPANIES)
    return set(subset.get_partition_keys())


def test_each_partition_has_exactly_one_event_with_its_own_version():
    """A second event of Dagster's own would put its version over ours."""
    work = Work()
    with dg.DagsterInstance.ephemeral() as instance:
        assert run(instance, [step("sources", chain(work))], ["A", "B", "C"]).success
        for key in (FIRST, SECOND, OTHER):
            records = instance.fetch_materializations(key, limit=100).records
            assert {
                r.asset_materialization.partition: r.asset_materialization.tags[
                    "dagster/data_version"
                ]
                for r in records
            } == {p: f"v1-{key.to_user_string()}-{p}" for p in "ABC"}
            assert len(records) == 3


def test_the_event_names_the_version_of_its_input():
    """Without it a new version upstream is not noticed downstream."""
    work = Work()
    with dg.DagsterInstance.ephemeral() as instance:
        run(instance, [step("sources", chain(work))], ["A", "B"])
        [record] = instance.fetch_materializations(
            dg.AssetRecordsFilter(SECOND, asset_partitions=["A"]), limit=1
        ).records
        tags = record.asset_materialization.tags
        assert tags["dagster/input_data_version/first"] == "v1-first-A"
        assert tags["dagster/code_version"] == "1"


def test_a_bug_ends_the_run_red_after_the_finished_partitions_were_reported():
    """An untyped error must stay loud, and must not undo the work of the others."""
    work = Work(bad={("first", "B"): RuntimeError("a bug of ours")})
    with dg.DagsterInstance.ephemeral() as instance:
        result = run(instance, [step("sources", chain(work))], ["A", "B", "C"])
        assert not result.success
        assert "a bug of ours" in failure(result).error.to_string()
        assert instance.get_materialized_partitions(SECOND) == {"A", "C"}


@pytest.mark.parametrize("keys", [["A"], ["A", "B", "C"]], ids=["one key", "three keys"])
def test_what_depends_on_a_failure_is_blocked_and_what_does_not_goes_on(keys: list[str]):
    """The failure that a person reads is the cause, not its consequences."""
    work = Work(bad={("first", "A"): InputError("No text", file="A.zip", remedy="Fetch it again")})
    with dg.DagsterInstance.ephemeral() as instance:
        result = run(instance, [step("sources", chain(work))], keys)
        assert not result.success
        message = failure(result).user_failure_data.description
        assert "No text (A.zip). Fetch it again" in message
        assert "Not written" not in message
        assert instance.get_materialized_partitions(OTHER) == set(keys)
        assert instance.get_materialized_partitions(SECOND) == set(keys) - {"A"}


def two_steps(work: Work) -> list[dg.AssetsDefinition]:
    return [step("sources", chain(work)), step("summaries", [work.stage(LATER, SECOND)])]


def test_several_steps_with_one_key_run_through():
    """A person who selects a whole line for one company gets the whole line."""
    work = Work()
    with dg.DagsterInstance.ephemeral() as instance:
        result = run(instance, two_steps(work), ["A"])
        assert result.success
        assert skipped(result) == []
        assert instance.get_materialized_partitions(LATER) == {"A"}


def test_several_steps_with_several_keys_fail_at_once_and_name_what_to_launch():
    """Dagster would skip the later steps and show the run green."""
    work = Work()
    with dg.DagsterInstance.ephemeral() as instance:
        result = run(instance, two_steps(work), ["A", "B"])
        assert not result.success
        message = failure(result).user_failure_data.description
        assert "'sources'" in message
        assert "'summaries'" in message
        assert work.done == []


SELECTIONS: list[tuple[str, Callable[[Work], list[dg.AssetsDefinition]], list[dg.AssetKey]]] = [
    ("one asset", two_steps, [SECOND]),
    ("across steps", two_steps, [SECOND, LATER]),
    ("with a gap", two_steps, [FIRST, OTHER]),
    ("all", two_steps, [FIRST, SECOND, OTHER, LATER]),
]


@pytest.mark.parametrize("keys", [["A"], ["A", "B"]], ids=["one key", "two keys"])
@pytest.mark.parametrize(("name", "build", "selection"), SELECTIONS, ids=[s[0] for s in SELECTIONS])
@pytest.mark.parametrize("bad", [None, "first", "second", "other"])
def test_no_run_is_green_with_a_skipped_step(
    keys: list[str],
    name: str,
    build: Callable[[Work], list[dg.AssetsDefinition]],
    selection: list[dg.AssetKey],
    bad: str | None,
):
    """A green run that did half of its work is the worst thing that Dagster can show."""
    work = Work(bad={(bad, "A"): ModelError("refused")} if bad else {})
    with dg.DagsterInstance.ephemeral() as instance:
        result = run(instance, build(work), keys, selection)
        assert not (result.success and skipped(result))
        if result.success:
            for key in selection:
                assert instance.get_materialized_partitions(key) == set(keys), name


def test_only_the_selected_assets_are_made_and_failed():
    """One aspect made anew must not touch the other three."""
    work = Work()
    with dg.DagsterInstance.ephemeral() as instance:
        assert run(instance, [step("sources", chain(work))], ["A", "B"], [SECOND]).success
        assert sorted(work.done) == [("second", "A"), ("second", "B")]
        assert instance.get_materialized_partitions(FIRST) == set()


@pytest.mark.parametrize(
    ("errors", "allowed"),
    [
        ([ModelError("busy")], True),
        ([InputError("wrong")], False),
        ([ModelError("busy"), InputError("wrong")], False),
    ],
)
def test_a_retry_is_allowed_only_where_it_can_help(errors: list[G2Error], allowed: bool):
    """Dagster would retry a wrong input for ever."""
    failed = [Failed(str(n), FIRST, error) for n, error in enumerate(errors)]
    assert batch_failure(failed, 3).allow_retries is allowed
