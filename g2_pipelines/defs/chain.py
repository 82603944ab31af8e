"""Joining the steps: which partitions of the next step are due after the last one.

Here: reading an asset's new materializations past a cursor, and the pure choice of ranges.
The sensors that use it stand in ``sensors``.

https://docs.dagster.io/guides/automate/sensors
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import dagster as dg
from pydantic import BaseModel, ConfigDict, ValidationError

from g2_pipelines.defs.events import DATA_VERSION

PAGE = 1_000


class ChainCursor(BaseModel):
    """The last event dealt with, by asset."""

    model_config = ConfigDict(frozen=True)

    after: dict[str, int] = {}

    @classmethod
    def parse(cls, text: str | None) -> ChainCursor:
        """The cursor of the last tick; an unreadable one starts from the beginning."""
        try:
            return cls.model_validate_json(text) if text else cls()
        except ValidationError:
            return cls()


def new_versions(
    instance: dg.DagsterInstance, keys: Sequence[dg.AssetKey], cursor: ChainCursor
) -> tuple[dict[str, dict[str, str]], ChainCursor]:
    """New data versions by partition and asset, of runs that have ended, and the next cursor.

    Events of a run that still goes on are left for a later tick: its batch may hold more of
    the same partition.
    """
    found: dict[str, dict[str, str]] = {}
    after = dict(cursor.after)
    ended: dict[str, bool] = {}
    for key in keys:
        name = key.to_user_string()
        records = instance.fetch_materializations(
            dg.AssetRecordsFilter(key, after_storage_id=after.get(name, 0)),
            limit=PAGE,
            ascending=True,
        ).records
        for record in records:
            if not _has_ended(instance, record.run_id, ended):
                break
            event = record.asset_materialization
            if event is not None and event.partition is not None:
                version = (event.tags or {}).get(DATA_VERSION, str(record.storage_id))
                found.setdefault(event.partition, {})[name] = version
            after[name] = record.storage_id
    return found, ChainCursor(after=after)


def _has_ended(instance: dg.DagsterInstance, run_id: str, known: dict[str, bool]) -> bool:
    if run_id not in known:
        run = instance.get_run_by_id(run_id)
        known[run_id] = run is None or run.is_finished
    return known[run_id]


def news(
    instance: dg.DagsterInstance, target: dg.AssetKey, found: Mapping[str, Mapping[str, str]]
) -> dict[str, Mapping[str, str]]:
    """Those of ``found`` from which ``target`` was not made the last time."""
    kind = dg.DagsterEventType.ASSET_MATERIALIZATION
    latest = instance.get_latest_storage_id_by_partition(target, kind, set(found)) if found else {}
    made: dict[str, Mapping[str, str]] = {}
    ids = list(latest.values())
    for start in range(0, len(ids), PAGE):
        records = instance.fetch_materializations(
            dg.AssetRecordsFilter(target, storage_ids=ids[start : start + PAGE]), limit=PAGE
        ).records
        for record in records:
            event = record.asset_materialization
            if event is not None and event.partition is not None:
                made[event.partition] = event.tags or {}
    return {
        partition: versions
        for partition, versions in found.items()
        if any(
            made.get(partition, {}).get(f"dagster/input_data_version/{name}") != version
            for name, version in versions.items()
        )
    }
