"""Links by explicit reference and shared rare terms; the cap on links into a node."""

from __future__ import annotations

import asyncio

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.links import Link, cap_in_degree
from g2_pipelines.graph.state import is_structural
from g2_pipelines_tests.graph.samples import HashedWords, node


def links(nodes):
    analyst, evolver = build_tasks(None)
    embedding = HashedWords()

    async def go():
        state = await analyse(nodes, analyst=analyst, embedding=embedding)
        return await evolve(nodes, state, evolver=evolver, embedding=embedding)

    edges = asyncio.run(go()).edges
    return [(e.source, e.target, e.kind) for e in edges if not is_structural(e)]


def filler(start, count):
    return [node(f"x{at}", at, f"第{at}の話題は別である。") for at in range(start, start + count)]


def test_an_explicit_reference_is_linked_with_the_relation_its_sentence_names():
    nodes = [
        node("t", 0, "月\t受注\n4\t12", "table", caption="表1 受注"),
        node("p", 1, "受注の減少は、表1のとおり、円高のためである。", refers=[("表1", "t")]),
        node("q", 2, "表1に内容を示す。", refers=[("表1", "t")]),
    ]
    assert set(links(nodes)) >= {("p", "t", "causal"), ("q", "t", "reference")}


def test_a_rare_term_that_two_nodes_share_links_the_later_to_the_earlier():
    nodes = [
        node("a", 0, "静圧軸受は油膜で支える。"),
        *filler(1, 4),
        node("b", 5, "一方、静圧軸受は高価である。"),
    ]
    assert links(nodes) == [("b", "a", "contrast")]


def test_what_the_whole_document_is_about_links_nothing():
    """Shared words, the same field and nearness are no reason for a link."""
    nodes = [node(f"n{at}", at, f"静圧軸受の話{'のうち' * at}である。") for at in range(12)]
    assert links(nodes) == []


def test_links_into_a_node_are_kept_by_rank_then_nearness():
    order = {name: at for at, name in enumerate("abcde")}
    wanted = {
        "a": [Link("e", "causal")],
        "b": [Link("a", "causal"), Link("e", "causal")],
        "c": [Link("e", "contrast")],
        "d": [],
        "e": [],
    }
    capped, dropped = cap_in_degree(wanted, order, 1)
    assert capped == {
        "a": [],
        "b": [Link("a", "causal")],
        "c": [Link("e", "contrast")],
        "d": [],
        "e": [],
    }
    assert dropped == 2
    backwards = dict(reversed(wanted.items()))
    assert cap_in_degree(backwards, order, 1)[0] == capped
