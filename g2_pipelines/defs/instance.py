"""Dagster's own storage below G2_HOME, and runs started from a shell.

Here: the instance's configuration file, opening it, and running a step's job in this
process. Runs from the UI, schedules and sensors go through Dagster's daemon instead.

https://docs.dagster.io/deployment/oss/oss-instance-configuration
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from g2_pipelines.defs.orphans import end_dead_runs, process_tags
from g2_pipelines.defs.partitions import contiguous_ranges, range_tags
from g2_pipelines.defs.shell_chains import ShellChain
from g2_pipelines.defs.steps import op_name
from g2_pipelines.errors import InputError, StateError
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.store import write_atomic

#: Dagster's own events of a run go in bulk, the planned ones as one a run; see docs/scale.md.
ENVIRONMENT = {
    "DAGSTER_EVENT_BATCH_SIZE": "100",
    "DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS": "1",
}
_YAML = """\
# Written once; change it as you like. See docs/scale.md for Postgres.
telemetry:
  enabled: false
nux:
  enabled: false
python_logs:
  python_log_level: INFO
concurrency:
  runs:
    max_concurrent_runs: 2
  pools:
    granularity: op
    default_limit: 1
run_monitoring:
  enabled: true
  max_runtime_seconds: 86400
  free_slots_after_run_end_seconds: 60
"""


#: How Dagster names the end by a signal or from the UI.
_STOPPED = frozenset({"DagsterExecutionInterruptedError", "KeyboardInterrupt"})


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended.

    ``message`` is its failure's sentence, "" where it succeeded; ``failed`` has one record a
    partition and asset that was not written (partition, asset, kind, code, message, file,
    place, remedy). ``stopped`` is true where somebody ended the run (a signal, the UI).
    """

    job: str
    run_id: str
    success: bool
    message: str
    failed: tuple[Mapping[str, str], ...] = ()
    stopped: bool = False


def dagster_home(home: Home) -> Path:
    """DAGSTER_HOME below ``home``, made with its dagster.yaml if it is not there.

    Raises:
        StateError: G2_HOME is not on this machine's disk, where Dagster needs it.
    """
    if not isinstance(home.root, Path):
        msg = "Dagster's own storage cannot lie on an object store"
        raise StateError(
            msg, file=str(home.root), remedy="Set DAGSTER_HOME to a local folder; see docs/scale.md"
        )
    folder = Path(home.dagster)
    config = home.dagster / "dagster.yaml"
    if not config.exists():
        write_atomic(config, _YAML.encode())
    return folder


class DagsterHomeError(InputError):
    """DAGSTER_HOME is set to what is no folder."""

    code = "dagster_home"


@contextmanager
def open_instance(home: Home) -> Iterator[dg.DagsterInstance]:
    """The instance of ``home`` (DAGSTER_HOME where that is set), without dead runs.

    Raises:
        DagsterHomeError: DAGSTER_HOME names no folder.
    """
    os.environ.update({k: v for k, v in ENVIRONMENT.items() if k not in os.environ})
    home.make_inbox()
    folder = os.environ.get("DAGSTER_HOME") or str(dagster_home(home))
    if not Path(folder).is_dir():
        raise DagsterHomeError(
            "DAGSTER_HOME names a folder that is not there",
            file=folder,
            remedy="Make it, or unset DAGSTER_HOME: then Dagster's storage lies below G2_HOME",
        )
    with ExitStack() as stack:
        with _one_at_a_time(Path(folder)):
            instance = stack.enter_context(dg.DagsterInstance.from_config(folder))
            instance.get_dynamic_partitions("")  # each storage makes its tables when first used
            instance.all_instigator_state()
            end_dead_runs(instance)  # a killed one would keep its pool from this one for ever
        yield instance


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep other processes from opening the storage in ``folder`` meanwhile.

    Two that open a new one at once both write its schema's version, and with two versions
    nobody can open it ever again. The kernel drops the lock with the process.
    """
    with (folder / "opening.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def add_keys(
    instance: dg.DagsterInstance, definition: dg.DynamicPartitionsDefinition, keys: Sequence[str]
) -> None:
    """Register partition keys that are not there yet, in the order given."""
    name = definition.name or ""
    there = set(instance.get_dynamic_partitions(name))
    fresh = [key for key in dict.fromkeys(keys) if key not in there]
    if fresh:
        instance.add_dynamic_partitions(name, fresh)


def run_job(
    instance: dg.DagsterInstance,
    defs: dg.Definitions,
    job: str,
    definition: dg.DynamicPartitionsDefinition,
    keys: Sequence[str],
    *,
    config: dict[str, object] | None = None,
    limit: int = 200,
    chain: ShellChain | None = None,
) -> list[RunOutcome]:
    """Run a step's job over ``keys`` in this process, a run per contiguous range.

    ``chain``: the steps of which this is one; the sensors leave those after it alone.
    """
    marks = process_tags() | (chain.tags(job) if chain else {})
    resolved = defs.resolve_job_def(job)
    ordered = instance.get_dynamic_partitions(definition.name or "")
    outcomes: list[RunOutcome] = []
    # Typed failures are told by the caller; Dagster's own log goes to its storage.
    run_config: dict[str, object] = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    if config:
        run_config["ops"] = {op_name(job): {"config": config}}
    for chunk in contiguous_ranges(set(keys), ordered, limit):
        single = len(chunk) == 1
        result = resolved.execute_in_process(
            instance=instance,
            partition_key=chunk[0] if single else None,
            tags=marks if single else marks | range_tags(chunk),
            run_config=run_config,
            raise_on_error=False,
        )
        message, failed, stopped = _failure(result)
        outcomes.append(RunOutcome(job, result.run_id, result.success, message, failed, stopped))
    return outcomes


def _failure(
    result: dg.ExecuteInProcessResult,
) -> tuple[str, tuple[Mapping[str, str], ...], bool]:
    """Message, records of what was not written, and whether somebody stopped the run."""
    for event in result.all_events:
        if event.is_step_failure:
            data = event.step_failure_data
            given = data.user_failure_data
            if given is None:
                error = data.error
                if error is None:
                    return "The step failed", (), False
                stopped = error.cls_name in _STOPPED
                message = "The run was stopped before its end" if stopped else error.message.strip()
                return message, (), stopped
            table = given.metadata.get("failed")
            records = table.records if isinstance(table, dg.TableMetadataValue) else ()
            rows = tuple({k: str(v) for k, v in record.data.items()} for record in records)
            return given.description or "The step failed", rows, False
    return "", (), False
