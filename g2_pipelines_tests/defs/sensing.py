"""Ticks of the real sensors against an instance, as the daemon runs them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import dagster as dg

from g2_pipelines.defs import partitions as sets
from g2_pipelines.defs.build import build_definitions
from g2_pipelines.defs.workspace import Workspace


@dataclass
class Ticker:
    """The sensors of one workspace, each with its own cursor."""

    ws: Workspace
    instance: dg.DagsterInstance
    cursors: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.defs = build_definitions(workspace=self.ws)
        self.sensors = {s.name: s for s in self.defs.sensors or ()}

    def tick(
        self, name: str, *, lost: bool = False
    ) -> tuple[list[dg.RunRequest], dg.SensorResult | dg.SkipReason]:
        """Run requests of one tick; a ``lost`` one's cursor is not kept, as after a crash."""
        sensor = self.sensors[name]
        with dg.build_sensor_context(
            instance=self.instance,
            cursor=self.cursors.get(name),
            definitions=self.defs,
            resources={"workspace": self.ws},
        ) as context:
            result = sensor(context)
            if not lost:
                self.cursors[name] = context.cursor
        return list(getattr(result, "run_requests", None) or []), result

    def asked(self, name: str) -> list[list[str]]:
        """Partitions asked for by one tick, a list a run."""
        return [self.keys(request.tags) for request in self.tick(name)[0]]

    def keys(self, tags: Mapping[str, str]) -> list[str]:
        """The partitions of a range, as a run would resolve them."""
        start, end = (tags[f"dagster/asset_partition_range_{e}"] for e in ("start", "end"))
        for definition in (sets.companies, sets.documents, sets.questions):
            there = list(self.instance.get_dynamic_partitions(definition.name))
            if start in there:
                return there[there.index(start) : there.index(end) + 1]
        raise AssertionError(start)

    def words(self, name: str) -> str:
        """What one tick says where it asks for nothing."""
        result = self.tick(name)[1]
        assert isinstance(result, dg.SkipReason)
        return result.skip_message

    def report(
        self, key: dg.AssetKey, partition: str, version: str, inputs: Mapping[str, str] = {}
    ) -> None:
        """A materialization without a run, as an ended run would have left it."""
        tags = {"dagster/data_version": version, "dagster/data_version_is_user_provided": "true"}
        tags |= {f"dagster/input_data_version/{name}": v for name, v in inputs.items()}
        self.instance.report_runless_asset_event(
            dg.AssetMaterialization(key, partition=partition, tags=tags)
        )

    def queue(self, request: dg.RunRequest) -> dg.DagsterRun:
        """The run of a request, waiting to begin."""
        return self.run(request.job_name, request.tags, dg.DagsterRunStatus.NOT_STARTED)

    def run(self, job: str, tags: Mapping[str, str], status: dg.DagsterRunStatus) -> dg.DagsterRun:
        """A run of ``job`` in some state, which no process works."""
        return self.instance.create_run_for_job(
            self.defs.resolve_job_def(job),
            tags={**tags, "dagster/sensor_name": "a sensor"},
            status=status,
        )


def drop(ws: Workspace, kind: str, name: str, content: bytes | str, age_s: float = 60) -> Path:
    """Put a file into the inbox, written ``age_s`` ago."""
    path = Path(str(ws.home.inbox(kind))) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    age(path, age_s)
    return path


def age(path: Path, seconds: float) -> None:
    """Let a file have been written so many seconds ago."""
    at = path.stat().st_ctime - seconds
    os.utime(path, (at, at))
