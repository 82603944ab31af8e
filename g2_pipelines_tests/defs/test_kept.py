"""What is kept in memory: the bound, and that nothing kept outlives its table."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from upath import UPath

from g2_pipelines.defs import evidence
from g2_pipelines.defs.evidence import _indexed_graph, graph_tables
from g2_pipelines.defs.kept import Kept
from g2_pipelines.tables.line2 import GraphEdge, GraphMetrics, GraphNode
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.store import write_table
from g2_pipelines_tests.graph.samples import ten_nodes
from g2_pipelines_tests.graph.test_readout import built


def test_what_is_held_is_not_made_again_and_what_was_used_last_stays():
    kept, made = Kept(10), []

    def get(key):
        def make():
            made.append(key)
            return key * 2

        return kept.get(key, make, lambda _: 4)

    assert [get("a"), get("b"), get("a")] == ["aa", "bb", "aa"]
    get("c")  # 12 bytes: b goes, which was used before a
    assert kept.size == 8
    get("a")
    get("b")
    assert made == ["a", "b", "c", "b"]


def test_a_value_larger_than_the_bound_is_given_and_not_kept():
    kept = Kept(10)
    assert kept.get("a", lambda: "x", lambda _: 11) == "x"
    assert kept.size == 0
    assert kept.get("a", lambda: "y", lambda _: 1) == "y"


def test_a_graph_is_parsed_once_and_again_when_one_of_its_tables_changed(tmp_path, monkeypatch):
    read = []
    original = evidence.read_table

    def reading(path, model):
        read.append(model)
        return original(path, model)

    monkeypatch.setattr(evidence, "read_table", reading)
    state = asyncio.run(built(ten_nodes()))
    ws = SimpleNamespace(home=Home(UPath(tmp_path)))
    nodes, edges, metrics = graph_tables(1)

    def store(kept_edges):
        write_table(ws.home.table(edges, state.document_id), kept_edges, GraphEdge)
        write_table(ws.home.table(metrics, state.document_id), [state.metrics], GraphMetrics)
        write_table(ws.home.table(nodes, state.document_id), state.nodes, GraphNode)

    def graph():
        return _indexed_graph(ws, {state.document_id: 1}, state.document_id)

    store(state.edges)
    first = graph()
    assert (first.nodes, first.edges) == (state.nodes, state.edges)
    assert read == [GraphNode, GraphEdge, GraphMetrics]
    assert graph() is first
    store(state.edges)  # written again, the same
    assert graph() is first
    store(state.edges[:1])
    assert graph().edges == state.edges[:1]
