"""Old questions leave the list of partitions; their rows and pages stay.

Here: which answered questions are old, and the sensor that removes their keys. A question that
is asked again gets its key back (``question_sensor``) and is answered anew.

https://docs.dagster.io/guides/build/partitions-and-backfills/partitioning-assets
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.partitions import questions
from g2_pipelines.defs.workspace import Workspace

#: Keys that one tick removes; each is a write of its own.
CHUNK = 500
_DAY_S = 86_400
_UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


def old_questions(
    answered: Mapping[str, int],
    existing: Collection[str],
    *,
    keep: int,
    until: int | None,
    busy: Collection[str],
) -> list[str]:
    """Keys to be archived, the oldest answer first.

    Args:
        answered: Number of each question's last answer; a later answer has a greater one.
        existing: Keys that are partitions now. One that was never answered stays: it waits,
            or its failure is to be seen.
        keep: So many of the newest answers stay; 0 is all.
        until: Answers up to this number are too old; None is no limit.
        busy: Keys that a run is working or will work.
    """
    ordered = sorted(
        (key for key in existing if key in answered), key=lambda key: (answered[key], key)
    )
    surplus = len(ordered) - keep if keep else 0
    return [
        key
        for place, key in enumerate(ordered)
        if (place < surplus or (until is not None and answered[key] <= until)) and key not in busy
    ]


def _busy(instance: dg.DagsterInstance, ordered: Sequence[str]) -> set[str]:
    """Questions of runs that did not end; a range names its first and last key only."""
    place = {key: number for number, key in enumerate(ordered)}
    found: set[str] = set()
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=_UNFINISHED)):
        found.add(run.tags.get("dagster/partition", ""))
        first, last = (
            place.get(run.tags.get(f"dagster/asset_partition_range_{end}", ""))
            for end in ("start", "end")
        )
        if first is not None and last is not None:
            found.update(ordered[first : last + 1])
    return found


def _last_before(instance: dg.DagsterInstance, moment: float) -> int | None:
    """Number of the last answer before ``moment``, None if there is none."""
    records = dg.AssetRecordsFilter(asset_key=specs.ANSWERS, before_timestamp=moment)
    found = instance.fetch_materializations(records, limit=1, ascending=False).records
    return found[0].storage_id if found else None


def build_question_archive() -> dg.SensorDefinition:
    """The sensor ``archive_questions``."""

    @dg.sensor(
        name="archive_questions",
        job_name="answers",
        minimum_interval_seconds=3_600,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Takes old answered questions out of the list of partitions (by"
        " G2_QUESTIONS_KEEP and G2_QUESTIONS_DAYS). Their rows and pages stay; one that is asked"
        " again comes back.",
    )
    def archive_questions(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SkipReason:
        given, instance = workspace.settings, context.instance
        name = questions.name or ""
        ordered = instance.get_dynamic_partitions(name)
        if not given.questions_days and len(ordered) <= given.questions_keep:
            return dg.SkipReason(f"{len(ordered)} questions, {given.questions_keep} are kept")
        last = instance.event_log_storage.get_latest_storage_id_by_partition(
            specs.ANSWERS, dg.DagsterEventType.ASSET_MATERIALIZATION
        )
        until = None
        if given.questions_days:
            until = _last_before(instance, time.time() - given.questions_days * _DAY_S)
        old = old_questions(
            last,
            ordered,
            keep=given.questions_keep,
            until=until,
            busy=_busy(instance, ordered),
        )[:CHUNK]
        for key in old:
            instance.delete_dynamic_partition(name, key)
            workspace.home.answer_state(key).unlink(missing_ok=True)
        return dg.SkipReason(f"{len(old)} old questions archived")

    return archive_questions
