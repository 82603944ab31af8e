"""Runs whose process is gone: found, ended, and their place given back.

Here: the tags that say which process works a run, and the end of runs without one. Dagster's
default launcher cannot tell a run that works from one whose machine was switched off or
whose shell was killed: such a run stays "started" for ever, holds its pool and its place in
the queue, and what waits for its end waits for ever. ``batch`` marks runs, ``instance`` and
``chain_sensors`` end dead ones.

https://docs.dagster.io/deployment/execution/run-monitoring
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path

import dagster as dg

HOST, PROCESS = "g2/host", "g2/process"


def process_tags() -> dict[str, str]:
    """Run tags that name this process."""
    return {HOST: socket.gethostname(), PROCESS: _process(os.getpid())}


def end_dead_runs(instance: dg.DagsterInstance) -> list[str]:
    """Fail the unfinished runs of this host whose process is gone; returns their ids."""
    unfinished = [
        dg.DagsterRunStatus.STARTING,
        dg.DagsterRunStatus.STARTED,
        dg.DagsterRunStatus.CANCELING,
    ]
    ended: list[str] = []
    for run in instance.get_runs(
        filters=dg.RunsFilter(statuses=unfinished, tags={HOST: socket.gethostname()})
    ):
        process = run.tags.get(PROCESS, "")
        if not process or _process(int(process.partition(":")[0])) == process:
            continue
        instance.report_run_failed(
            run, "The run's process is gone. What it reported is kept; launch the rest again"
        )
        if instance.event_log_storage.supports_global_concurrency_limits:
            instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        ended.append(run.run_id)
    return ended


def is_alive_here(tags: Mapping[str, str]) -> bool:
    """Whether the process that ``tags`` name (``process_tags``) lives, on this machine."""
    process = tags.get(PROCESS, "")
    return (
        tags.get(HOST) == socket.gethostname()
        and bool(process)
        and _process(int(process.partition(":")[0])) == process
    )


def _process(pid: int) -> str:
    """Id and start of a process, for ids come again; "" if there is none."""
    try:
        # After the name, which may hold anything, the twentieth field is the start.
        return f"{pid}:{Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[19]}"
    except (FileNotFoundError, ProcessLookupError):
        if Path("/proc").is_dir():
            return ""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except PermissionError:
        pass
    return f"{pid}:"
