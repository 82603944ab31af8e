"""Reporting a batch's partitions: one thread that writes what is waiting, in bulk.

Here: the writer, the lineage tags, and the one place that touches Dagster's internals for
it. Which partition is reported when stands in ``batch``; only that imports this module.

``log_event`` opens two connections and commits three times an event, and reads each input's
last event on its own. A group of events in one transaction, with one look-up an input, is
what Dagster does itself for outputs of a step (``store_event_batch``), but not for logged
events (https://github.com/dagster-io/dagster/issues/18789). ``python -m
benchmarks.operations`` measures both in one run.

https://docs.dagster.io/guides/build/assets/asset-versioning-and-caching
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import dagster as dg
from dagster._core.events import (
    AssetMaterializationPlannedData,
    DagsterEvent,
    StepMaterializationData,
)
from dagster._core.events.log import EventLogEntry

if TYPE_CHECKING:
    from dagster._core.execution.context.system import StepExecutionContext

#: Events in one transaction; a reader of the index waits as long as one takes.
GROUP = 100
DATA_VERSION = "dagster/data_version"


@dataclass(frozen=True)
class Report:
    """One finished asset partition: its content's digest is its data version."""

    key: dg.AssetKey
    partition: str
    digest: str
    metadata: Mapping[str, Any]
    upstream: tuple[dg.AssetKey, ...] = ()
    code_version: str = "1"


class EventWriter:
    """Writes materialization events from one thread, off the event loop.

    An event is written as soon as the thread is free, together with all that have come in
    meanwhile: slow work is reported one by one, fast work in groups. So a kill loses no more
    than what was being written. Of one partition an input is written before what was made
    from it. Leaving the context waits for all events; a failure to write one is raised there.
    """

    def __init__(self, context: dg.AssetExecutionContext) -> None:
        self._instance = context.instance
        self._step = context.get_step_execution_context()
        self._queue: queue.SimpleQueue[Report | None] = queue.SimpleQueue()
        self._written: dict[tuple[dg.AssetKey, str], str] = {}
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="event-writer", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.put(None)
        self._thread.join()
        if self._error is not None:
            raise self._error

    def put(self, report: Report) -> None:
        """Hand over one finished asset partition."""
        self._queue.put(report)

    def _run(self) -> None:
        going = True
        while going:
            group, going = self._next_group()
            if self._error is not None or not group:
                continue
            try:
                self._write(group)
            except BaseException as error:  # noqa: BLE001 - raised again in __exit__
                self._error = error

    def _next_group(self) -> tuple[list[Report], bool]:
        """What is waiting, at least one; False once nothing will come any more."""
        group: list[Report] = []
        item = self._queue.get()
        while item is not None:
            group.append(item)
            if len(group) == GROUP or self._queue.empty():
                return group, True
            item = self._queue.get()
        return group, False

    def _write(self, group: Sequence[Report]) -> None:
        by_asset: dict[dg.AssetKey, list[Report]] = {}
        for report in group:
            by_asset.setdefault(report.key, []).append(report)
        while by_asset:  # inputs before what is made from them
            key = next(k for k, made in by_asset.items() if not by_asset.keys() & _inputs(made))
            self._write_asset(by_asset.pop(key))

    def _write_asset(self, reports: Sequence[Report]) -> None:
        partitions = [report.partition for report in reports]
        lineage = {key: self._lineage(key, partitions) for key in sorted(_inputs(reports))}
        store_events(
            self._instance, [_entry(self._step, _materialization(r, lineage)) for r in reports]
        )
        self._written |= {(report.key, report.partition): report.digest for report in reports}

    def _lineage(self, key: dg.AssetKey, partitions: Sequence[str]) -> dict[str, dict[str, str]]:
        """Tags by partition, without which a new code version or input is not noticed."""
        kind = dg.DagsterEventType.ASSET_MATERIALIZATION
        pointers = self._instance.get_latest_storage_id_by_partition(key, kind, set(partitions))
        unknown = [p for p in partitions if p in pointers and (key, p) not in self._written]
        versions = {p: self._written.get((key, p), "") for p in partitions}
        if unknown:
            found = self._instance.event_log_storage.get_latest_tags_by_partition(
                key, kind, [DATA_VERSION], unknown
            )
            versions |= {p: tags.get(DATA_VERSION, "") for p, tags in found.items()}
        name = key.to_user_string()
        return {
            partition: {
                f"dagster/input_data_version/{name}": versions[partition],
                f"dagster/input_event_pointer/{name}": str(pointer),
            }
            for partition, pointer in pointers.items()
        }


def _inputs(reports: Sequence[Report]) -> set[dg.AssetKey]:
    return {key for report in reports for key in report.upstream}


def _materialization(
    report: Report, lineage: Mapping[dg.AssetKey, Mapping[str, Mapping[str, str]]]
) -> dg.AssetMaterialization:
    tags = {
        DATA_VERSION: report.digest,
        "dagster/data_version_is_user_provided": "true",
        "dagster/code_version": report.code_version,
    }
    for key in report.upstream:
        tags |= lineage[key].get(report.partition, {})
    return dg.AssetMaterialization(
        report.key, partition=report.partition, tags=tags, metadata=dict(report.metadata)
    )


def report_failed(
    context: dg.AssetExecutionContext, failed: Sequence[tuple[dg.AssetKey, str]]
) -> None:
    """Let Dagster show asset partitions of this run as failed.

    Dagster takes a partition as failed that was planned by name and not made. With
    DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS, which saves a batch an event a partition,
    it plans the whole range at once and shows none as failed (see Dagster's
    ``supports_partition_subset_in_asset_materialization_planned_events``). So the few that
    failed are planned here, afterwards.
    """
    if not context.instance.event_log_storage.supports_partition_subset_in_asset_materialization_planned_events:
        return
    step = context.get_step_execution_context()
    for key, partition in failed:
        event = DagsterEvent(
            event_type_value=dg.DagsterEventType.ASSET_MATERIALIZATION_PLANNED.value,
            job_name=step.job_name,
            step_handle=step.step.handle,
            node_handle=step.step.node_handle,
            step_kind_value=step.step.kind.value,
            event_specific_data=AssetMaterializationPlannedData(key, partition=partition),
            message=f"{partition} was not made.",
        )
        context.instance.report_dagster_event(event, step.run_id, logging.DEBUG)


def _entry(step: StepExecutionContext, materialization: dg.AssetMaterialization) -> EventLogEntry:
    """The event as ``log_event`` would make it."""
    event = DagsterEvent(
        event_type_value=dg.DagsterEventType.ASSET_MATERIALIZATION.value,
        job_name=step.job_name,
        step_handle=step.step.handle,
        node_handle=step.step.node_handle,
        step_kind_value=step.step.kind.value,
        logging_tags=step.event_tags,
        event_specific_data=StepMaterializationData(materialization),
        message="Materialized value.",
        pid=os.getpid(),
    )
    return EventLogEntry(  # type: ignore[no-untyped-call]  # Dagster's own class has no types here
        error_info=None,
        level=logging.DEBUG,
        user_message="Materialized value.",
        run_id=step.run_id,
        timestamp=time.time(),
        step_key=step.step.key,
        job_name=step.job_name,
        dagster_event=event,
    )


def store_events(instance: dg.DagsterInstance, entries: Sequence[EventLogEntry]) -> None:
    """Store materializations of one asset, made in one run, in as few transactions as can be.

    One asset at a time, because Dagster's own bulk write records only its last event as the
    latest of its asset. SQLite storage has no bulk write: it is done here, from the parts
    that its ``store_event`` is made of.
    """
    # Imported here: it brings the migrations of Dagster's storage, a second of loading time.
    from dagster._core.storage.event_log import SqliteEventLogStorage

    storage = instance.event_log_storage
    if not isinstance(storage, SqliteEventLogStorage):
        storage.store_event_batch(entries)
        return
    statements = [storage.prepare_insert_event(entry) for entry in entries]
    with storage.run_connection(entries[0].run_id) as connection:
        for statement in statements:
            connection.execute(statement)
    with storage.index_transaction() as connection:
        keys = [connection.execute(s).inserted_primary_key or (0,) for s in statements]
        ids = [int(key[0]) for key in keys]
        storage._store_asset_event_tags(connection, entries, ids)  # noqa: SLF001 - see above
        storage._store_asset_event(connection, entries[-1], ids[-1])  # noqa: SLF001
