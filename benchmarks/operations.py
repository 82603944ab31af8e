"""What Dagster's bookkeeping costs a partition, and what a kill costs.

``python -m benchmarks.operations [--quick] [--json]`` measures

- ms_per_partition: milliseconds to report one partition of one asset through our writer, on
  SQLite; ms_per_partition_postgres on a throw-away Postgres, null where none can be started;
- peers, in the same step of the same run: ``log_event`` one by one with a look-up an input
  (what a batch would do without the writer), and Dagster's own events with
  DagsterEventBatchMetadata, as a step's outputs are written;
- lost_rows: after kills at random moments and a resume, rows that were reported and are not
  there, or were never made;
- repeated_calls: model calls made again although their answer had been committed, counted at
  the server.
"""

import asyncio
import http.server
import importlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.events import DagsterEvent
from dagster._core.events import DagsterEventBatchMetadata as BatchMetadata
from pydantic import SecretStr
from upath import UPath

from benchmarks import cluster
from benchmarks.report import arguments, progress, progress_to, report
from g2_pipelines.defs.batch import Stage, Stored, run_batch
from g2_pipelines.defs.events import EventWriter, Report
from g2_pipelines.defs.instance import ENVIRONMENT, add_keys, run_job
from g2_pipelines.defs.orphans import end_dead_runs
from g2_pipelines.defs.partitions import range_tags
from g2_pipelines.defs.steps import op_name
from g2_pipelines.keys import digest_of
from g2_pipelines.models.build import build_completion
from g2_pipelines.models.config import CacheConfig, ModelConfig
from g2_pipelines.models.ports import Completion, CompletionRequest, Message
from g2_pipelines.tables.rows import Row
from g2_pipelines.tables.store import read_table, write_table

KEYS = dg.DynamicPartitionsDefinition(name="measured")
METADATA = {"rows": 12, "preview": "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 10}
CONCURRENCY = 16


# -- reporting


def by_log_event(context: dg.AssetExecutionContext, reports: Sequence[Report]) -> None:
    """One event at a time, each with a look-up of every input."""
    for made in reports:
        tags = {"dagster/data_version": made.digest, "dagster/code_version": "1"}
        for key in made.upstream:
            wanted = dg.AssetRecordsFilter(key, asset_partitions=[made.partition])
            for record in context.instance.fetch_materializations(wanted, limit=1).records:
                name = key.to_user_string()
                tags[f"dagster/input_event_pointer/{name}"] = str(record.storage_id)
        context.log_event(
            dg.AssetMaterialization(
                made.key, partition=made.partition, tags=tags, metadata=dict(made.metadata)
            )
        )


def by_batch_metadata(context: dg.AssetExecutionContext, reports: Sequence[Report]) -> None:
    """Dagster's own bulk write of events, with no look-up of inputs."""
    step = context.get_step_execution_context()
    for key in dict.fromkeys(made.key for made in reports):
        mine = [made for made in reports if made.key == key]
        for number, made in enumerate(mine):
            event = dg.AssetMaterialization(
                made.key,
                partition=made.partition,
                tags={"dagster/data_version": made.digest, "dagster/code_version": "1"},
                metadata=dict(made.metadata),
            )
            last = number == len(mine) - 1
            batch = BatchMetadata(f"{context.run_id}{key.to_user_string()}", last)
            DagsterEvent.asset_materialization(step, event, batch)


def by_writer(context: dg.AssetExecutionContext, reports: Sequence[Report]) -> None:
    """Our writer, all inputs looked up."""
    with EventWriter(context) as writer:
        for made in reports:
            writer.put(made)


VARIANTS: dict[str, Callable[[dg.AssetExecutionContext, Sequence[Report]], None]] = {
    "writer": by_writer,
    "log_event": by_log_event,
    "batch_metadata": by_batch_metadata,
}


def measure_reporting(instance: dg.DagsterInstance, partitions: int) -> dict[str, float]:
    """Milliseconds per partition and asset of each variant, in one step of one run."""
    pairs = {name: (dg.AssetKey([name, "a"]), dg.AssetKey([name, "b"])) for name in VARIANTS}
    keys = [f"E{number:05}" for number in range(partitions)]
    spent: dict[str, float] = {}

    @dg.multi_asset(
        specs=[
            dg.AssetSpec(key, deps=deps, skippable=True, code_version="1")
            for first, second in pairs.values()
            for key, deps in ((first, ()), (second, (first,)))
        ],
        partitions_def=KEYS,
        backfill_policy=dg.BackfillPolicy.single_run(),
    )
    def measured(context: dg.AssetExecutionContext) -> Iterator[Any]:
        for name, write in VARIANTS.items():
            first, second = pairs[name]
            share = keys if name == "writer" else keys[: partitions // 10]
            reports = [
                Report(key, partition, digest_of(partition.encode()), METADATA, upstream)
                for partition in share
                for key, upstream in ((first, ()), (second, (first,)))
            ]
            begin = time.perf_counter()
            write(context, reports)
            spent[name] = round((time.perf_counter() - begin) * 1000 / len(reports), 2)
        yield from ()

    add_keys(instance, KEYS, keys)
    result = dg.materialize([measured], instance=instance, tags=range_tags(keys))
    for name in VARIANTS:
        there = instance.get_materialized_partitions(pairs[name][1])
        if not result.success or not there:
            raise RuntimeError(name)
    return spent


@contextmanager
def sqlite_instance() -> Iterator[dg.DagsterInstance]:
    """An instance with Dagster's default storage in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
        with dg.DagsterInstance.from_config(folder) as instance:
            yield instance


@contextmanager
def postgres_instance(url: str) -> Iterator[dg.DagsterInstance]:
    """An instance whose storage is the Postgres at ``url``."""
    with tempfile.TemporaryDirectory() as folder:
        yaml = f'telemetry:\n  enabled: false\nstorage:\n  postgres:\n    postgres_url: "{url}"\n'
        (Path(folder) / "dagster.yaml").write_text(yaml)
        with dg.DagsterInstance.from_config(folder) as instance:
            yield instance


# -- kills


class Summed(Row):
    """The row that a partition's work stores."""

    partition: str
    text: str


class ModelServer(http.server.BaseHTTPRequestHandler):
    """A model that answers after a moment and writes down what it was asked."""

    protocol_version = "HTTP/1.1"
    log: Path

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"]
        with self.log.open("a") as file:
            file.write(f"{text}\n")
        time.sleep(0.02)
        message = {"role": "assistant", "content": f"要約 {text}"}
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "measured",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def serve(folder: Path, ready: Any) -> None:
    """Serve in a process of its own, which no kill of a run touches."""
    ModelServer.log = folder / "asked.txt"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ModelServer)
    ready.send(server.server_address[1])
    server.serve_forever()


def request(partition: str) -> CompletionRequest:
    """The one call that a partition needs."""
    return CompletionRequest(
        task="measured",
        subject=partition,
        messages=(Message(role="user", text=partition),),
        json_schema=None,
        max_tokens=50,
    )


def port(folder: Path, url: str) -> Any:
    """The product's own port: engine, call cache, ledger."""
    return build_completion(
        ModelConfig(
            base_url=url, api_key=SecretStr("sk-local"), model="measured", concurrency=CONCURRENCY
        ),
        CacheConfig(url=f"sqlite:///{folder / 'calls.sqlite'}", lease_s=2.0),
    )


def work_batch(folder: Path, url: str, keys: Sequence[str]) -> None:
    """A process that works what is missing, as a person's "launch the missing ones" does."""
    os.environ.update(ENVIRONMENT)
    completion = port(folder, url)
    asset = dg.AssetKey("rows")

    async def work(partition: str) -> Stored:
        [answer] = await completion.complete([request(partition)])
        if not isinstance(answer, Completion):
            raise answer
        row = Summed(partition=partition, text=answer.text)
        return Stored(write_table(table(folder, partition), [row], Summed), METADATA)

    @dg.multi_asset(
        name=op_name("rows"),
        specs=[dg.AssetSpec(asset, skippable=True, code_version="1")],
        can_subset=True,
        partitions_def=KEYS,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=len(keys)),
    )
    def rows(context: dg.AssetExecutionContext) -> Iterator[Any]:
        yield from run_batch(context, [Stage(asset, (), work)], concurrency=CONCURRENCY)

    job = dg.define_asset_job("rows", [rows], executor_def=dg.in_process_executor)
    defs = dg.Definitions(assets=[rows], jobs=[job])
    with dg.DagsterInstance.from_config(str(folder / "dagster")) as instance:
        end_dead_runs(instance)
        add_keys(instance, KEYS, keys)
        missing = sorted(set(keys) - instance.get_materialized_partitions(asset))
        run_job(instance, defs, "rows", KEYS, missing, limit=len(keys))


def table(folder: Path, partition: str) -> UPath:
    """Where a partition's row lies."""
    return UPath(folder / "tables" / f"{partition}.parquet")


def inspect(folder: Path, url: str, keys: Sequence[str], answer: Any) -> None:
    """Send (partitions reported, of these without their row, calls committed)."""
    with dg.DagsterInstance.from_config(str(folder / "dagster")) as instance:
        reported = instance.get_materialized_partitions(dg.AssetKey("rows"))
    lost = 0
    for partition in reported:
        wanted = [Summed(partition=partition, text=f"要約 {partition}")]
        path = table(folder, partition)
        lost += not path.exists() or read_table(path, Summed) != wanted
    completion = port(folder, url)
    there = asyncio.run(_committed(completion, keys))
    answer.send((len(reported), lost, there))


async def _committed(completion: Any, keys: Sequence[str]) -> int:
    wanted = [completion._engine.key_of(request(key)) for key in keys]  # noqa: SLF001 - its keys
    return len(await completion.run(lambda: completion.store.find(wanted)))


def measure_kills(partitions: int, kills: int) -> dict[str, int]:
    """Kill a batch ``kills`` times at random moments, resume it, and count."""
    for module in ("openai", "pyarrow.parquet", "g2_pipelines.models.openai_engine"):
        importlib.import_module(module)  # once here instead of in each process
    forks = multiprocessing.get_context("fork")  # the parent has imported all and started nothing
    moments = random.Random(7)
    keys = [f"E{number:05}" for number in range(partitions)]
    folder = Path(tempfile.mkdtemp(prefix="g2-kills-"))
    (folder / "dagster").mkdir()
    (folder / "dagster" / "dagster.yaml").write_text("telemetry:\n  enabled: false\n")
    mine, theirs = forks.Pipe()
    server = forks.Process(target=serve, args=(folder, theirs), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{mine.recv()}/v1"
    asked = partial(_asked, folder)

    def look() -> tuple[int, int, int]:
        here, there = forks.Pipe()
        process = forks.Process(target=inspect, args=(folder, url, keys, there))
        process.start()
        found = here.recv()
        process.join()
        return tuple(found)

    lost = in_flight = made = 0
    try:
        for number in range(kills):
            goal = asked() + moments.randint(
                1, max(2, (partitions - asked()) * 3 // 4 // (kills - number))
            )
            process = forks.Process(target=work_batch, args=(folder, url, keys))
            process.start()
            while process.is_alive() and asked() < goal:
                time.sleep(0.002)
            time.sleep(moments.random() * 0.1)
            if process.pid and process.is_alive():
                os.kill(process.pid, signal.SIGKILL)
                made += 1
            process.join()
            _, gone, committed = look()
            lost += gone
            in_flight += len(set(_lines(folder))) - committed
            progress(f"kill {number + 1}: {asked()} calls asked, {committed} committed")
        process = forks.Process(target=work_batch, args=(folder, url, keys))
        process.start()
        process.join()
        reported, gone, _ = look()
        if process.exitcode or not reported:
            raise RuntimeError(f"the resumed batch ended with {process.exitcode}")
        return {
            "lost_rows": lost + gone + partitions - reported,
            "repeated_calls": max(0, asked() - partitions - in_flight),
            "kills": made,
            "calls_in_flight_at_kills": in_flight,
            "calls_asked": asked(),
        }
    finally:
        server.kill()
        server.join()
        shutil.rmtree(folder, ignore_errors=True)


def _lines(folder: Path) -> list[str]:
    path = folder / "asked.txt"
    return path.read_text().split() if path.exists() else []


def _asked(folder: Path) -> int:
    return len(_lines(folder))


def measure(*, quick: bool) -> tuple[dict[str, float | int | None], dict[str, object]]:
    """(figures, peers)."""
    kills = measure_kills(96 if quick else 500, 2 if quick else 10)
    os.environ.update(ENVIRONMENT)
    partitions = 100 if quick else 500
    with sqlite_instance() as instance:
        sqlite = measure_reporting(instance, partitions)
    progress(f"SQLite {sqlite}")
    postgres: dict[str, float] = {}
    if cluster.is_there():
        with cluster.cluster() as url, postgres_instance(url) as instance:
            postgres = measure_reporting(instance, partitions)
        progress(f"Postgres {postgres}")
    figures: dict[str, float | int | None] = {
        "ms_per_partition": sqlite["writer"],
        "ms_per_partition_postgres": postgres.get("writer"),
        **kills,
    }
    peers: dict[str, object] = {
        f"{name}_{storage}": found.get(name)
        for storage, found in (("sqlite", sqlite), ("postgres", postgres))
        for name in VARIANTS
        if name != "writer"
    }
    return figures, peers


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Dagster's line per event off the terminal; the last ones are shown on a failure."""
    with tempfile.TemporaryFile("w+") as log:
        terminal = os.dup(2)
        progress_to(os.fdopen(os.dup(2), "w", buffering=1))
        os.dup2(log.fileno(), 2)
        try:
            yield
        except BaseException:
            log.seek(0)
            os.write(terminal, log.read()[-20_000:].encode())
            raise
        finally:
            os.dup2(terminal, 2)


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__).parse_args()
    with quiet():
        figures, peers = measure(quick=given.quick)
    packages = ("dagster", "dagster-postgres", "sqlalchemy")
    report(figures, peers, as_json=given.json, packages=packages)


if __name__ == "__main__":
    main()
