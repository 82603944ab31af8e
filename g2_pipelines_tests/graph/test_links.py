"""Links by explicit reference and shared rare terms; the cap on links into a node."""

from __future__ import annotations

import asyncio

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.links import Link, cap_in_degree
from g2_pipelines.graph.state import is_structural
from g2_pipelines_tests.graph.samples import HashedWords, node

#: Hashed words are a coarse embedding: here only rules are looked at.
LOOSE = EvolutionConfig(delta=0.8, epsilon=0.8)


def evolved(nodes):
    analyst, evolver = build_tasks(None)
    embedding = HashedWords()

    async def go():
        state = await analyse(nodes, analyst=analyst, embedding=embedding)
        return await evolve(nodes, state, evolver=evolver, embedding=embedding, config=LOOSE)

    return asyncio.run(go())


def links(nodes):
    edges = evolved(nodes).edges
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


def test_an_explicit_reference_brings_the_title_of_what_it_names():
    """«表1 shows» becomes findable by the table's title, with the table as its source."""
    nodes = [
        node("h", 0, "4.2 過渡状態", "heading", level=1),
        node("p", 1, "表1のとおり、増加は小さい。", refers=[("表1", "t")]),
        node("t", 2, "毎分\tμm\n9000\t4", "table", caption="表1 回転数と熱変位"),
        node("q", 3, "これは冷却が効くためである。"),
    ]
    rows = {row.node_id: row for row in evolved(nodes).nodes}
    assert rows["p"].summary == "表1（回転数と熱変位）のとおり、増加は小さい。"
    assert [(r.term, r.from_node) for r in rows["p"].resolved] == [("回転数と熱変位", "t")]
    assert [(r.term, r.from_node) for r in rows["q"].resolved] == [("過渡状態", "h")]
    assert rows["q"].summary == "これは冷却が効くためである。"
