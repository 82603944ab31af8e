"""The step ``graph``: rounds as assets, on a model server and with the embedded engine."""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from g2_pipelines.commands.outputs import GraphOutput
from g2_pipelines.commands.reader import graph_words
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.graph import build_graph
from g2_pipelines.defs.evidence import read_graph, read_out, stored_rounds
from g2_pipelines.defs.index_upkeep import build_index_upkeep, upkeep
from g2_pipelines.defs.partitions import documents
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.index.lance import NodeIndex
from g2_pipelines_tests.defs.graph_homes import NAMES, home_of, resolving, said
from g2_pipelines_tests.graph.samples import implicit_nodes, node
from g2_pipelines_tests.graph.test_evolve import EXPECTED
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest

DOC, OTHER = "spindle-0123456789ab", "other-0123456789ab"
ROUNDS = [specs.content_graph(r) for r in range(4)]


def materialize(
    ws: Workspace,
    instance: dg.DagsterInstance,
    *keys: dg.AssetKey,
    partitions: tuple[str, ...] = (DOC,),
) -> dg.ExecuteInProcessResult:
    instance.add_dynamic_partitions(str(documents.name), list(partitions))
    tags = {
        "dagster/asset_partition_range_start": partitions[0],
        "dagster/asset_partition_range_end": partitions[-1],
    }
    many = {"tags": tags} if len(partitions) > 1 else {"partition_key": partitions[0]}
    run = dg.materialize(
        [build_graph(ws)],
        instance=instance,
        resources={"workspace": ws},
        selection=list(keys) or None,
        **many,
    )
    assert run.success
    return run


def tables(ws: Workspace) -> dict[str, str]:
    """SHA-256 of every stored table of the graph."""
    root = Path(str(ws.home.root)) / "tables" / "content_graph"
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*.parquet"))
    }


def at(server: ModelServer, **more: Any) -> dict[str, Any]:
    """Settings of a workspace that asks this server."""
    return {"engine": "openai", "base_url": server.base_url, "model": "test-model", **more}


def test_what_a_round_refused_stands_by_reason_in_its_metadata_and_in_graph_show(tmp_path: Path):
    lie = {"summary": "同装置は変位の予測を始めない。", "keywords": [], "update": True}

    def script(request: ServerRequest) -> Reply:
        mine = request.prompt.split("<<<\n", 1)[1].startswith("同装置")
        if not mine:
            return resolving(request)
        if "entities" in (request.schema or {})["properties"]:
            loose = {"keywords": ["予測", "量子計算機"], "entities": ["ACME"]}
            return said({"summary": "同装置は変位の予測を始める。", **loose})
        return said({"links": [{"to": "c99", "relation": "reference"}], **lie})

    with ModelServer(script) as server, dg.DagsterInstance.ephemeral() as instance:
        ws = home_of(tmp_path, {DOC: implicit_nodes()}, **at(server))
        run = materialize(ws, instance, *ROUNDS[:2])
    made = [e.materialization.metadata for e in run.get_asset_materialization_events()]
    tables_ = [
        [(r.data["what"], r.data["reason"], r.data["count"]) for r in one["refused"].records]
        for one in made
    ]
    assert tables_ == [
        [("keyword", "foreign_term", 1), ("entity", "foreign_term", 1)],
        [("link", "unknown", 1), ("update", "turned_negation", 1)],
    ]
    assert made[0]["keywords_rejected_by_reason"].value == {"foreign_term": 1}
    assert made[1]["links_rejected_by_reason"].value == {"unknown": 1}
    states = stored_rounds(ws, DOC)
    shown = GraphOutput(
        document_id=DOC, round=1, nodes=[], edges=[], metrics=[state.metrics for state in states]
    )
    words = graph_words(shown).split("\n")
    assert words[1] == "  refused: keyword foreign_term 1, entity foreign_term 1"
    assert words[3] == "  refused: link unknown 1, update turned_negation 1"


def test_a_model_behind_a_server_resolves_the_five_references_in_round_one(tmp_path: Path):
    with ModelServer(resolving) as server, dg.DagsterInstance.ephemeral() as instance:
        ws = home_of(tmp_path, {DOC: implicit_nodes()}, **at(server))
        run = materialize(ws, instance)
        rows = {row.node_id: row for row in read_graph(ws, DOC, 1).nodes}
        for node_id, (term, source) in EXPECTED.items():
            assert [(r.term, r.from_node) for r in rows[node_id].resolved] == [(term, source)]
            assert term in rows[node_id].summary
        assert {n for n, row in rows.items() if row.changed} == set(EXPECTED)
        assert rows["a2"].engine == "openai"
        assert rows["a2"].call_keys
        [made] = [
            e.materialization
            for e in run.get_asset_materialization_events()
            if e.asset_key == ROUNDS[1]
        ]
        assert made.metadata["changed"].value == 5
        assert made.metadata["changed_share"].value == pytest.approx(5 / 12)
        assert "data:image/svg+xml" in made.metadata["rounds_so_far"].value
        assert len(NAMES) == 5


def test_order_and_concurrency_change_no_byte(tmp_path: Path):
    def late(request: Any) -> Any:
        time.sleep(0.002 * (request.number * 7 % 5))
        return resolving(request)

    found = []
    for name, seed, concurrency in (("a", 0, 1), ("b", 1, 8), ("c", 2, 3)):
        nodes = implicit_nodes()
        random.Random(seed).shuffle(nodes)
        with ModelServer(late) as server, dg.DagsterInstance.ephemeral() as instance:
            ws = home_of(tmp_path / name, {DOC: nodes}, **at(server, concurrency=concurrency))
            materialize(ws, instance, *ROUNDS)
            found.append(tables(ws))
    assert found[0]
    assert found[0] == found[1] == found[2]


def test_one_round_of_one_document_is_made_alone_and_costs_nothing_where_nothing_changed(
    tmp_path: Path,
):
    with ModelServer(resolving) as server, dg.DagsterInstance.ephemeral() as instance:
        given = {
            DOC: implicit_nodes(),
            OTHER: [node("a", 0, "別の文である。"), node("b", 1, "文。")],
        }
        ws = home_of(tmp_path, given, **at(server))
        materialize(ws, instance, *ROUNDS, partitions=(DOC, OTHER))
        before, asked = tables(ws), server.count
        run = materialize(ws, instance, ROUNDS[2])
        assert server.count == asked
        assert tables(ws) == before
        made = [(e.asset_key, e.partition) for e in run.get_asset_materialization_events()]
        assert made == [(ROUNDS[2], DOC)]


def test_every_event_has_its_assets_code_version(tmp_path: Path):
    """Without it Dagster would not notice a changed prompt, or call everything stale for ever."""
    with dg.DagsterInstance.ephemeral() as instance:
        given = {
            DOC: implicit_nodes(),
            OTHER: [node("a", 0, "別の文である。"), node("b", 1, "文。")],
        }
        ws = home_of(tmp_path, given)
        versions = {spec.key: spec.code_version for spec in build_graph(ws).specs}
        for partitions in ((DOC,), (DOC, OTHER)):
            materialize(ws, instance, partitions=partitions)
            for key, version in versions.items():
                event = instance.get_latest_materialization_event(key)
                assert event is not None
                assert event.asset_materialization is not None
                tags = event.asset_materialization.tags or {}
                assert tags["dagster/code_version"] == version, key


def test_a_large_document_says_in_the_runs_log_how_far_it_is(tmp_path: Path):
    nodes = [node(f"n{at_}", at_, f"第{at_}の文は{at_ % 7}に触れる。") for at_ in range(2_000)]
    with dg.DagsterInstance.ephemeral() as instance:
        ws = home_of(tmp_path, {DOC: nodes})
        run = materialize(ws, instance, ROUNDS[0], ROUNDS[1])
        log = [entry.user_message for entry in instance.all_logs(run.run_id)]
    for round_ in (0, 1):
        told = [line for line in log if f"round {round_}: " in line]
        assert told[0] == f"{DOC}, round {round_}: 256 of 2000 nodes"
        assert told[-1] == f"{DOC}, round {round_}: 2000 of 2000 nodes"
        assert len(told) == 8


@pytest.mark.parametrize("round_", [0, 1])
def test_the_index_and_the_search_take_the_round_that_is_set(tmp_path: Path, round_: int):
    with dg.DagsterInstance.ephemeral() as instance:
        ws = home_of(tmp_path, {DOC: implicit_nodes()}, index_round=round_)
        materialize(ws, instance)
        assert ws.index(ws.embedding()).indexed()[DOC].round == round_
        query = "主軸熱変位補償装置 起動 変位 予測"
        hits = asyncio.run(
            read_out(ws, query, documents=[DOC], company=None, seeds=3, neighbours=2)
        )
        assert {hit.row.round for hit in hits.evidence} == {round_}
        [row] = [hit.row for hit in hits.evidence if hit.row.node_id == "a2"]
        assert ("主軸熱変位補償装置" in row.summary) is (round_ == 1)
        # A later setting does not tear rows and edges apart.
        later = home_of(tmp_path, {}, index_round=1 - round_)
        again = asyncio.run(
            read_out(later, query, documents=[DOC], company=None, seeds=3, neighbours=2)
        )
        assert [hit.path for hit in again.evidence] == [hit.path for hit in hits.evidence]


def test_upkeep_makes_nothing_where_there_is_none_and_tidies_what_is_there(tmp_path: Path):
    ws = home_of(tmp_path, {DOC: implicit_nodes()})
    assert upkeep(ws) == {"rows": 0}
    assert not Path(str(ws.home.lance)).exists()
    with dg.DagsterInstance.ephemeral() as instance:
        materialize(ws, instance)
    found = upkeep(ws)
    assert found["rows"] == 12
    assert found["vector_index"] is False
    schedule = build_index_upkeep()
    assert schedule.job.execute_in_process(resources={"workspace": ws}).success


RUN = """
import sys
import dagster as dg
from pathlib import Path
from g2_pipelines_tests.defs.test_graph_rounds import *
ws = home_of(Path(sys.argv[1]), {DOC: killed_nodes()}, engine="openai", base_url=sys.argv[2],
             model="test-model", concurrency=4)
with dg.DagsterInstance.ephemeral() as instance:
    materialize(ws, instance, *ROUNDS)
"""


def killed_nodes() -> list[Any]:
    """The five references among sixty other texts."""
    more = [node(f"x{at_}", 100 + at_, f"第{at_}の話は別である。", page=3) for at_ in range(60)]
    return [*implicit_nodes(), *more]


@pytest.mark.slow
def test_a_killed_round_goes_on_where_it_was_and_ends_in_the_same_bytes(tmp_path: Path):
    def slow(request: Any) -> Any:
        time.sleep(0.02)
        return resolving(request)

    with ModelServer(slow) as server, dg.DagsterInstance.ephemeral() as instance:
        whole = home_of(tmp_path / "whole", {DOC: killed_nodes()}, **at(server))
        materialize(whole, instance, *ROUNDS)
    with ModelServer(slow) as server:
        code = [sys.executable, "-c", RUN, str(tmp_path / "killed"), server.base_url]
        process = subprocess.Popen(code, env={**os.environ, "PYTHONWARNINGS": "ignore"})
        deadline = time.monotonic() + 240
        while server.count < 90 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert process.poll() is None, "ended before it could be killed"
        process.send_signal(signal.SIGKILL)
        process.wait()
        done = subprocess.run(code, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3_000:]
        asked = Counter(request.prompt for request in server.requests)
        assert (
            sum(count - 1 for count in asked.values()) <= 8
        )  # in flight, or answered and being kept
    killed = home_of(tmp_path / "killed", {})
    assert tables(killed) == tables(whole)


def test_a_batch_opens_the_index_once_and_brings_it_up_after_its_last_document(
    tmp_path, monkeypatch
):
    """Rounds alone do not touch it; each document of its own would index the table anew."""
    told: list[str] = []

    def tell(name: str) -> None:
        original = getattr(NodeIndex, name)

        def telling(*args: Any, **values: Any) -> Any:
            told.append(name)
            return original(*args, **values)

        monkeypatch.setattr(NodeIndex, name, telling)

    for name in ("open", "replace_document", "catch_up"):
        tell(name)
    ws = home_of(tmp_path, {DOC: implicit_nodes(), OTHER: implicit_nodes()}, rounds=1)
    rounds = [specs.content_graph(r) for r in range(2)]
    with dg.DagsterInstance.ephemeral() as instance:
        materialize(ws, instance, *rounds, partitions=(OTHER, DOC))
        assert told == []
        materialize(ws, instance, specs.NODE_INDEX, partitions=(OTHER, DOC))
    assert told == ["open", "replace_document", "replace_document", "catch_up"]
