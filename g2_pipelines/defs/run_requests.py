"""Runs that sensors ask for: which partitions, in which ranges, and what runs already cover.

Here: ``ask``, which every sensor ends with, and what it stands on. Run keys hold the content's
version: a repeated run key is dropped for ever.

https://docs.dagster.io/guides/automate/sensors
"""

from collections.abc import Collection, Mapping, Sequence

import dagster as dg

from g2_pipelines.defs.chain import YEAR
from g2_pipelines.defs.instance import add_keys
from g2_pipelines.defs.partitions import contiguous_ranges, range_tags
from g2_pipelines.defs.steps import op_name
from g2_pipelines.keys import digest_of


def requests(
    wanted: Collection[str],
    ordered: Sequence[str],
    job: str,
    version: str,
    limit: int,
    *,
    fiscal_year: str = "",
    tags: Mapping[str, str] | None = None,
) -> list[dg.RunRequest]:
    """One run request per contiguous range of ``wanted`` in ``ordered``, the keys' own order."""
    config = {"ops": {op_name(job): {"config": {YEAR: fiscal_year}}}} if fiscal_year else {}
    year = f":{fiscal_year}" if fiscal_year else ""
    return [
        dg.RunRequest(
            run_key=f"{job}:{version}:{digest_of(' '.join(keys).encode())[:16]}{year}",
            job_name=job,
            run_config=config,
            tags={**(tags or {}), **range_tags(keys)},
        )
        for keys in contiguous_ranges(set(wanted), ordered, limit)
    ]


def year_of_run(run: dg.DagsterRun) -> str:
    """The fiscal year that a run was asked for; "" for the default one."""
    ops = run.run_config.get("ops", {})
    step = ops.get(op_name(run.job_name), {}) if isinstance(ops, Mapping) else {}
    config = step.get("config", {}) if isinstance(step, Mapping) else {}
    return str(config.get(YEAR, "")) if isinstance(config, Mapping) else ""


def not_begun(
    instance: dg.DagsterInstance, job: str, ordered: Sequence[str], fiscal_year: str = ""
) -> set[str]:
    """Partitions for which a sensor's run of ``job`` waits to begin: it will see what is new.

    A run of another year will not.
    """
    waiting = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.NOT_STARTED]
    covered: set[str] = set()
    for run in instance.get_runs(filters=dg.RunsFilter(job_name=job, statuses=waiting)):
        if "dagster/sensor_name" in run.tags and year_of_run(run) == fiscal_year:
            covered.update(_partitions_of(run, ordered))
    return covered


def being_made(
    instance: dg.DagsterInstance,
    job: str,
    definition: dg.DynamicPartitionsDefinition,
    last: Mapping[str, float],
    fiscal_year: str = "",
) -> set[str]:
    """Partitions that a run of ``job`` works that began after their input's time in ``last``.

    It reads that input, whoever launched it.
    """
    ordered = instance.get_dynamic_partitions(definition.name or "")
    begun: set[str] = set()
    at_work = dg.RunsFilter(job_name=job, statuses=[dg.DagsterRunStatus.STARTED])
    for record in instance.get_run_records(filters=at_work) if last else []:
        run = record.dagster_run
        if year_of_run(run) == fiscal_year and record.start_time is not None:
            since = record.start_time
            keys = _partitions_of(run, ordered)
            begun.update(key for key in keys if last.get(key, since) < since)
    return begun


def _partitions_of(run: dg.DagsterRun, ordered: Sequence[str]) -> Sequence[str]:
    """The partitions of a run among ``ordered``: one, or a range."""
    one = run.tags.get("dagster/partition")
    ends = [run.tags.get(f"dagster/asset_partition_range_{e}", one) for e in ("start", "end")]
    places = [ordered.index(end) for end in ends if end in ordered]
    return ordered[places[0] : places[1] + 1] if len(places) == 2 else ()


def ask(
    instance: dg.DagsterInstance,
    wanted: Mapping[str, str],
    definition: dg.DynamicPartitionsDefinition,
    job: str,
    *,
    generation: object,
    limit: int,
    fiscal_year: str = "",
    tags: Mapping[str, str] | None = None,
) -> list[dg.RunRequest]:
    """Add the keys that are not there yet, and ask for ``job`` of all that nobody asked for.

    ``fiscal_year`` is the year that the runs replace; "": each company's newest.

    The keys are added here and not by the daemon, because a range follows the order in which
    keys really came in, and a sensor or a shell beside this one may add some meanwhile.
    """
    add_keys(instance, definition, sorted(wanted))
    ordered = instance.get_dynamic_partitions(definition.name or "")
    covered = not_begun(instance, job, ordered, fiscal_year)
    due = {key: version for key, version in wanted.items() if key not in covered}
    version = f"{generation}:{digest_of(repr(sorted(due.items())).encode())[:16]}"
    return requests(due, ordered, job, version, limit, fiscal_year=fiscal_year, tags=tags)
