"""Joining the steps: which partitions of the next step are due after the last one.

Here: reading an asset's new materializations past a cursor, and the pure choice of ranges.
The sensors that use it stand in ``sensors``.

https://docs.dagster.io/guides/automate/sensors
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg
from pydantic import BaseModel, ConfigDict, ValidationError

from g2_pipelines.defs.events import DATA_VERSION
from g2_pipelines.defs.shell_chains import will_run
from g2_pipelines.keys import digest_of

PAGE = 1_000
#: The metadata by which a stage says which fiscal year it replaced.
YEAR = "fiscal_year"


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


@dataclass(frozen=True)
class Made:
    """A materialization of a partition: its data version and what was reported with it."""

    asset: str
    partition: str
    version: str
    metadata: Mapping[str, dg.MetadataValue[Any]]
    at: float = 0.0  # seconds since 1970

    @property
    def fiscal_year(self) -> str:
        """The year that it replaced; "" where the asset has no years."""
        value = self.metadata.get(YEAR)
        return str(value.value) if value is not None else ""

    @property
    def empty(self) -> bool:
        """Whether it says that nothing is stored: nothing can be made from it."""
        value = self.metadata.get("dagster/row_count")
        return value is not None and value.value == 0


def new_versions(
    instance: dg.DagsterInstance, keys: Sequence[dg.AssetKey], cursor: ChainCursor
) -> tuple[dict[str, dict[str, str]], ChainCursor]:
    """New data versions by partition and asset, of runs that have ended, and the next cursor."""
    events, after = new_events(instance, keys, cursor)
    found: dict[str, dict[str, str]] = {}
    for event in events:
        found.setdefault(event.partition, {})[event.asset] = event.version
    return found, after


def new_events(
    instance: dg.DagsterInstance,
    keys: Sequence[dg.AssetKey],
    cursor: ChainCursor,
    *,
    limit: int | None = None,
    job: str = "",
) -> tuple[list[Made], ChainCursor]:
    """New materializations of runs that have ended, at most ``limit`` (PAGE) an asset; the cursor.

    Events of a run that still goes on are left for a later tick: its batch may hold more of
    the same partition. So are those of a shell's chain that will run ``job`` itself.
    """
    found: list[Made] = []
    after = dict(cursor.after)
    ended: dict[str, bool] = {}
    for key in keys:
        name = key.to_user_string()
        records = instance.fetch_materializations(
            dg.AssetRecordsFilter(key, after_storage_id=after.get(name, 0)),
            limit=limit or PAGE,
            ascending=True,
        ).records
        for record in records:
            if not _has_ended(instance, record.run_id, ended, job):
                break
            event = record.asset_materialization
            if event is not None and event.partition is not None:
                version = (event.tags or {}).get(DATA_VERSION, str(record.storage_id))
                found.append(Made(name, event.partition, version, event.metadata, record.timestamp))
            after[name] = record.storage_id
    return found, ChainCursor(after=after)


def _has_ended(instance: dg.DagsterInstance, run_id: str, known: dict[str, bool], job: str) -> bool:
    if run_id not in known:
        run = instance.get_run_by_id(run_id)
        known[run_id] = run is None or (run.is_finished and not will_run(run.tags, job))
    return known[run_id]


def _same(recorded: str | None, version: str) -> bool:
    """Whether an input's recorded version is ``version``.

    Dagster records for a run of one partition the SHA-256 of its input's version (it hashes
    those of all partitions that are read), a batch (``events``) the version itself.
    """
    return recorded in (version, digest_of(version.encode()))


def by_year(events: Sequence[Made]) -> dict[str, dict[str, dict[str, str]]]:
    """Versions by year, partition and asset; what is empty starts nothing."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for event in events:
        if not event.empty:
            year = found.setdefault(event.fiscal_year, {})
            year.setdefault(event.partition, {})[event.asset] = event.version
    return found


def news(
    instance: dg.DagsterInstance,
    target: dg.AssetKey,
    found: Mapping[str, Mapping[str, str]],
    year: str = "",
) -> dict[str, Mapping[str, str]]:
    """Those of ``found`` from which ``target`` was not made the last time.

    A version is that of all years together: where the target's last event replaced another
    year than ``year``, it says nothing of this one, which is then due.
    """
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
                known = event.metadata.get(YEAR)
                if not year or known is None or known.value == year:
                    made[event.partition] = event.tags or {}
    return {
        partition: versions
        for partition, versions in found.items()
        if any(
            not _same(made.get(partition, {}).get(f"dagster/input_data_version/{name}"), version)
            for name, version in versions.items()
        )
    }
