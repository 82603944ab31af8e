"""Rounds: references resolved, guards, order, failures."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.evolve import evolve, is_at_rest
from g2_pipelines.graph.extractive import MODEL
from g2_pipelines.graph.metrics import nearest_margin, reasons
from g2_pipelines.graph.ports import Proposal, ProposedLink
from g2_pipelines.graph.state import DegradedGraphError, GraphMismatchError, is_structural
from g2_pipelines.models.errors import ModelTimeoutError
from g2_pipelines.tables.line2 import Resolved
from g2_pipelines_tests.graph.samples import (
    Evolving,
    HashedWords,
    digest,
    implicit_nodes,
    node,
    ten_nodes,
)


def rounds(nodes, count, *, evolver=None, config=None, embedding=None):
    """States of round 0…count with the extractive analyst."""
    analyst, rules = build_tasks(None, config)
    embedding = embedding or HashedWords()

    async def run():
        states = [await analyse(nodes, analyst=analyst, embedding=embedding, config=config)]
        for _ in range(count):
            states.append(
                await evolve(
                    nodes, states[-1], evolver=evolver or rules, embedding=embedding, config=config
                )
            )
        return states

    return asyncio.run(run())


def by_id(state):
    return {row.node_id: row for row in state.nodes}


EXPECTED = {
    "a2": ("主軸熱変位補償装置", "a1"),
    "b1": ("逐次温度推定", "h2"),
    "c1": ("機種別の受注残高", "t1"),
    "d2": ("spindle growth prediction method", "d1"),
    "e1": ("Cold store capacity", "t2"),
}


def test_round_one_resolves_five_implicit_references_and_says_from_where():
    """The released code of the paper makes no evolution call at all; ours must evolve."""
    before, after = rounds(implicit_nodes(), 1)
    for node_id, (term, source) in EXPECTED.items():
        row = by_id(after)[node_id]
        assert Resolved(term=term, from_node=source) in row.resolved, node_id
        assert term in row.keywords
        assert term in row.summary
        assert row.changed
        assert term not in by_id(before)[node_id].embedding_text
    assert {row.node_id for row in after.nodes if row.changed} == set(EXPECTED)
    assert after.metrics.changed == 5
    assert after.metrics.updates_rejected == 0


def test_a_resolved_reference_is_a_link_to_its_source():
    _, after = rounds(implicit_nodes(), 1)
    links = {(e.source, e.target, e.kind) for e in after.edges if not is_structural(e)}
    assert {(n, source, "reference") for n, (_, source) in EXPECTED.items()} <= links


def test_an_evolved_graph_comes_to_rest():
    _, first, second, third = rounds(implicit_nodes(), 3)
    assert second.metrics.changed == 0
    assert third.metrics.changed == 0
    assert third.metrics.edges_added == third.metrics.edges_dropped == 0
    assert by_id(third)["a2"].resolved == by_id(first)["a2"].resolved


def test_only_changed_nodes_are_embedded_again():
    embedding = HashedWords()
    nodes = implicit_nodes()
    rounds(nodes, 3, embedding=embedding)
    # 12 nodes once; then 5 updates with the contents that they are compared to; then nothing.
    assert len(embedding.asked) == 12 + 5 + 5


def test_shuffled_nodes_give_the_same_bytes():
    expected = [digest(state) for state in rounds(implicit_nodes(), 2)]
    for seed in (1, 2, 3):
        shuffled = implicit_nodes()
        random.Random(seed).shuffle(shuffled)
        assert [digest(state) for state in rounds(shuffled, 2)] == expected


def test_batches_and_slow_answers_change_nothing():
    def propose(context):
        first = context.candidates[0]
        words = (*context.state.keywords, *first.keywords[:1])
        return Proposal(
            (ProposedLink(first.label, "reference"),), True, context.state.summary, words
        )

    states = [
        rounds(implicit_nodes(), 2, evolver=Evolving(propose), config=EvolutionConfig(batch=batch))[
            -1
        ]
        for batch in (1, 5, 256)
    ]
    assert len({digest(state) for state in states}) == 1


def test_a_state_read_back_without_vectors_gives_the_same_round():
    """A round is an asset: its predecessor comes from a table, which holds no vectors."""
    from g2_pipelines.graph.state import Vectors

    nodes = implicit_nodes()
    _, first, second = rounds(nodes, 2)
    _, rules = build_tasks(None)
    stored = replace(first, vectors=Vectors())
    again = asyncio.run(evolve(nodes, stored, evolver=rules, embedding=HashedWords()))
    assert digest(again) == digest(second)


def proposing(node_id, **values):
    """An evolver that proposes for one node and leaves the others alone."""

    def propose(context):
        if context.node.node_id != node_id:
            return Proposal((), update=False)
        return Proposal(**{"links": (), "update": False, **values})

    return Evolving(propose)


def test_an_invented_number_is_refused_and_counted():
    evolver = proposing("p1", update=True, summary="主軸の温度は37度まで上がる。")
    before, after = rounds(ten_nodes(), 1, evolver=evolver)
    assert by_id(after)["p1"].summary == by_id(before)["p1"].summary
    assert after.metrics.updates_rejected == 1
    assert reasons(after.metrics, "update") == {"invented_number": 1}
    assert not by_id(after)["p1"].changed


def test_a_number_of_a_neighbour_is_invented_too():
    """8000 stands in the table beside: a summary may not take over other nodes' figures."""
    evolver = proposing("p1", update=True, summary="主軸の温度は8000で上がる。")
    _, after = rounds(ten_nodes(), 1, evolver=evolver)
    assert reasons(after.metrics, "update") == {"invented_number": 1}


def test_a_term_of_a_node_that_is_only_near_is_refused():
    evolver = proposing("p1", update=True, summary="主軸の温度は送り軸の指令値で上がる。")
    _, after = rounds(ten_nodes(), 1, evolver=evolver)
    assert reasons(after.metrics, "update") == {"foreign_term": 1}


def test_an_accepted_reference_link_lends_its_terms():
    def propose(context):
        if context.node.node_id != "h3":
            return Proposal((), update=False)
        label = next(c.label for c in context.candidates if c.node_id == "p3")
        return Proposal(
            (ProposedLink(label, "reference"),),
            True,
            "指令値への加算のまとめ",
            ("まとめ", "指令値"),
        )

    _, after = rounds(ten_nodes(), 1, evolver=Evolving(propose), config=EvolutionConfig(delta=2))
    assert by_id(after)["h3"].resolved == [Resolved(term="指令値", from_node="p3")]
    assert by_id(after)["h3"].keywords == ["まとめ", "指令値"]


def test_a_foreign_keyword_is_dropped_and_the_rest_kept():
    evolver = proposing(
        "p1", update=True, summary="主軸の温度は図1のとおり上がる。", keywords=("温度", "冷凍倉庫")
    )
    _, after = rounds(ten_nodes(), 1, evolver=evolver, config=EvolutionConfig(delta=2))
    assert by_id(after)["p1"].keywords == ["温度"]
    assert after.metrics.keywords_rejected == 1


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        ("", "empty"),
        ("主軸の温度は上がる。" * 9, "too_long"),
        ("前の段落と異なり主軸の温度は上がる。", "comparison"),
    ],
)
def test_empty_overlong_and_comparing_summaries_are_refused(summary, reason):
    evolver = proposing("p1", update=True, summary=summary, keywords=("温度",))
    _, after = rounds(ten_nodes(), 1, evolver=evolver)
    assert reasons(after.metrics, "update") == {reason: 1}


def test_an_update_that_becomes_like_its_neighbour_is_refused():
    """Over-smoothing is why the paper loses beyond three rounds."""
    nodes = [
        node("h", 0, "主軸の温度センサ", "heading", level=1),
        node("a", 1, "温度センサは六つあり、主軸の周りに置かれ、冷却油の流れを避けている。"),
        node("b", 2, "別の文。"),
    ]
    evolver = proposing("a", update=True, summary="主軸の温度センサ", keywords=())
    strict = EvolutionConfig(delta=2, epsilon=0.05)
    _, after = rounds(nodes, 1, evolver=evolver, config=strict)
    assert reasons(after.metrics, "update") == {"smoothed": 1}


def test_an_update_that_leaves_its_own_content_is_refused():
    nodes = [
        node("a", 0, "温度センサは六つあり、主軸の周りに置かれ、冷却油の流れを避けている。"),
        node("b", 1, "別の文。"),
    ]
    evolver = proposing("a", update=True, summary="避けている。", keywords=())
    _, after = rounds(nodes, 1, evolver=evolver, config=EvolutionConfig(delta=0.1, epsilon=2))
    assert reasons(after.metrics, "update") == {"drifted": 1}


def test_unknown_self_and_repeated_links_are_dropped_and_counted():
    links = (
        ProposedLink("c99", "causal"),
        ProposedLink("p1", "causal"),
        ProposedLink("c1", "likeness"),
        ProposedLink("c1", "causal"),
        ProposedLink("c1", "contrast"),
    )
    _, after = rounds(ten_nodes(), 1, evolver=proposing("p1", links=links))
    assert reasons(after.metrics, "link") == {
        "duplicate": 1,
        "relation": 1,
        "self": 1,
        "unknown": 1,
    }
    assert after.metrics.links_rejected == 4
    assert [(e.kind, e.rank) for e in after.edges if not is_structural(e)] == [("causal", 1)]


def test_a_node_has_at_most_five_links():
    def propose(context):
        return Proposal(
            tuple(ProposedLink(c.label, "elaboration") for c in context.candidates), update=False
        )

    _, after = rounds(ten_nodes(), 1, evolver=Evolving(propose))
    ranks = [e.rank for e in after.edges if e.source == "p1" and not is_structural(e)]
    assert ranks == [1, 2, 3, 4, 5]
    assert reasons(after.metrics, "link")["out_degree"] > 0


def test_links_into_one_node_are_capped_and_ranks_close_up():
    def propose(context):
        labels = {c.node_id: c.label for c in context.candidates}
        wanted = [labels[n] for n in ("h1", "p1") if n in labels]
        return Proposal(tuple(ProposedLink(w, "hierarchy") for w in wanted), update=False)

    config = EvolutionConfig(in_degree=1)
    _, after = rounds(ten_nodes(), 1, evolver=Evolving(propose), config=config)
    semantic = [e for e in after.edges if not is_structural(e)]
    assert len({e.target for e in semantic}) == len(semantic)
    assert all(e.rank == 1 for e in semantic)
    assert reasons(after.metrics, "link")["in_degree"] > 0


def test_a_failed_node_stays_as_it_was_and_is_marked():
    nodes = implicit_nodes()
    _, first = rounds(nodes, 1)
    failure = ModelTimeoutError("no answer")

    def propose(context):
        if context.node.node_id == "a2":
            return failure
        return Proposal((), update=False)

    after = asyncio.run(evolve(nodes, first, evolver=Evolving(propose), embedding=HashedWords()))
    row, before = by_id(after)["a2"], by_id(first)["a2"]
    assert row == before.model_copy(update={"round": 2, "degraded": True, "changed": False})
    links = [(e.source, e.target, e.kind) for e in after.edges if not is_structural(e)]
    assert links == [("a2", "a1", "reference")]
    assert after.metrics.degraded == 1
    assert "no answer" in after.report.failures["a2"]


def test_a_degraded_node_takes_part_again_in_the_next_round():
    nodes = implicit_nodes()
    failing = Evolving(
        lambda c: ModelTimeoutError("x") if c.node.node_id == "a2" else Proposal((), update=False)
    )
    _, first = rounds(nodes, 1, evolver=failing)
    _, rules = build_tasks(None)
    second = asyncio.run(evolve(nodes, first, evolver=rules, embedding=HashedWords()))
    assert by_id(first)["a2"].degraded
    assert not by_id(second)["a2"].degraded
    assert by_id(second)["a2"].resolved


def test_the_document_fails_only_past_the_set_share():
    def failing(count):
        ids = {f"n{at}" for at in range(count)}
        return Evolving(
            lambda c: (
                ModelTimeoutError("x") if c.node.node_id in ids else Proposal((), update=False)
            )
        )

    nodes = [node(f"n{at}", at, f"文{at}である。") for at in range(10)]
    assert rounds(nodes, 1, evolver=failing(2))[-1].metrics.degraded == 2
    with pytest.raises(DegradedGraphError, match="3 of 10 nodes failed"):
        rounds(nodes, 1, evolver=failing(3))


def test_an_update_whose_vector_fails_is_a_failed_node():
    wanted = "主軸の温度は図1のとおり。"
    embedding = HashedWords(lambda text: ModelTimeoutError("x") if wanted in text else None)
    evolver = proposing("p1", update=True, summary=wanted, keywords=())
    before, after = rounds(ten_nodes(), 1, evolver=evolver, embedding=embedding)
    assert by_id(after)["p1"].degraded
    assert by_id(after)["p1"].summary == by_id(before)["p1"].summary


def test_a_state_of_other_nodes_is_refused():
    """A document parsed again has other nodes: its old rounds must not be evolved further."""
    state = rounds(ten_nodes(), 0)[0]
    _, rules = build_tasks(None)
    with pytest.raises(GraphMismatchError, match="Materialize content_graph/round_0"):
        asyncio.run(evolve(ten_nodes()[:-1], state, evolver=rules, embedding=HashedWords()))


def test_an_early_stop_carries_a_resting_graph_without_calls():
    config = EvolutionConfig(stop_changed_share=0.0)
    nodes = implicit_nodes()
    *_, third = rounds(nodes, 3, config=config)
    embedding = HashedWords()

    def never(context):
        raise AssertionError("asked")

    evolver = Evolving(never)
    evolver.engine, evolver.model, evolver.prompt_version = "extractive", MODEL, ""
    fourth = asyncio.run(evolve(nodes, third, evolver=evolver, embedding=embedding, config=config))
    assert fourth.round == 4
    assert fourth.metrics.carried
    assert embedding.asked == []
    assert [e.model_copy(update={"round": 3}) for e in fourth.edges] == third.edges


def test_a_round_that_made_the_nodes_alike_is_the_last_to_run():
    """Over-smoothing: what a round brought closer together is not evolved further."""
    state = rounds(implicit_nodes(), 1)[-1]
    _, rules = build_tasks(None)
    config = EvolutionConfig(stop_changed_share=None, stop_margin_loss=0.05)
    for change, stopped in ((-0.06, True), (-0.05, False), (0.2, False)):
        metrics = state.metrics.model_copy(update={"margin_change": change})
        assert is_at_rest(replace(state, metrics=metrics), rules, config) is stopped
    never = EvolutionConfig(stop_changed_share=None, stop_margin_loss=None)
    metrics = state.metrics.model_copy(update={"margin_change": -1.0})
    assert not is_at_rest(replace(state, metrics=metrics), rules, never)


def test_the_metrics_say_what_a_round_did_and_refused():
    before, after = rounds(implicit_nodes(), 1)
    margins = [nearest_margin([*s.vectors.attributes.values()]) for s in (before, after)]
    assert (before.metrics.nearest_margin, after.metrics.nearest_margin) == tuple(margins)
    assert after.metrics.margin_change == pytest.approx(margins[1] - margins[0], abs=1e-6)
    assert before.metrics.margin_change == 0.0
    assert after.metrics.edge_jaccard == 0.0  # no semantic edge before, some now
    assert before.metrics.edge_jaccard == 1.0
    assert not after.metrics.carried


def test_progress_is_told_by_batch():
    told = []
    nodes = ten_nodes()
    state = rounds(nodes, 0)[0]
    _, rules = build_tasks(None)
    asyncio.run(
        evolve(
            nodes,
            state,
            evolver=rules,
            embedding=HashedWords(),
            config=EvolutionConfig(batch=4),
            progress=lambda done, all_: told.append((done, all_)),
        )
    )
    assert told == [(4, 9), (8, 9), (9, 9)]


def test_a_document_of_two_thousand_nodes_goes_by_batches_and_says_so():
    count = 2_000
    nodes = [
        node(f"n{at}", at, f"第{at}の試験片を測る。", page=1 + at // 20) for at in range(count)
    ]
    sizes, told = [], []

    class Batched(Evolving):
        async def evolve(self, contexts, vocabulary):
            sizes.append(len(contexts))
            return await super().evolve(contexts, vocabulary)

    analyst, _ = build_tasks(None)
    embedding = HashedWords()
    given = {"embedding": embedding, "progress": lambda done, all_: told.append((done, all_))}

    async def go():
        state = await analyse(nodes, analyst=analyst, **given)
        evolver = Batched(lambda context: Proposal(links=(), update=False))
        return await evolve(nodes, state, evolver=evolver, **given)

    state = asyncio.run(go())
    expected = [256, 512, 768, 1_024, 1_280, 1_536, 1_792, 2_000]
    assert told == [(done, count) for done in expected] * 2
    assert sizes == [256] * 7 + [208]
    assert [row.node_id for row in state.nodes] == [f"n{at}" for at in range(count)]
