"""What holds for any document, any proposals and any number of rounds."""

from __future__ import annotations

import asyncio
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.extract import ExtractiveAnalyst
from g2_pipelines.graph.ports import Proposal, ProposedLink
from g2_pipelines.graph.state import is_structural
from g2_pipelines.graph.structure import structural_edges
from g2_pipelines.tables.line2 import SEMANTIC_KINDS
from g2_pipelines_tests.graph.samples import Evolving, HashedWords, digest, node

few = settings(max_examples=10, derandomize=True, deadline=None)

kinds = st.sampled_from(["heading", "paragraph", "table", "figure", "caption", "furniture"])
words = st.lists(st.sampled_from(["主軸", "温度", "AoLink", "図1", "同装置は", "12台"]), max_size=6)


@st.composite
def documents(draw):
    drawn = draw(st.lists(st.tuples(kinds, words, st.integers(1, 3)), min_size=1, max_size=12))
    nodes = [node("first", 0, "はじめの文である。")]
    for at, (kind, parts, page) in enumerate(drawn, start=1):
        order = -1 if kind == "furniture" else at
        level = 1 + at % 3 if kind == "heading" else None
        text = "の".join(parts)
        refers = [("図1", f"n{1 + at % 4}")] if "図1" in text else []
        nodes.append(node(f"n{at}", order, text, kind, page=page, level=level, refers=refers))
    return nodes


def wild(seed):
    """An evolver that says anything: any label, any relation, any text."""

    def propose(context):
        chance = random.Random(f"{seed}/{context.node.node_id}/{context.state.summary}")
        labels = [c.label for c in context.candidates] + ["c99", context.node.node_id]
        links = tuple(
            ProposedLink(chance.choice(labels), chance.choice([*SEMANTIC_KINDS, "near"]))
            for _ in range(chance.randrange(9))
        )
        texts = [context.state.summary, "99台の主軸", "温度", "冷凍倉庫の話である。", ""]
        return Proposal(links, chance.random() < 0.7, chance.choice(texts), ("温度", "なにか"))

    return Evolving(propose)


def run(nodes, seed, rounds, config=None):
    embedding = HashedWords()

    async def go():
        states = [await analyse(nodes, analyst=ExtractiveAnalyst(), embedding=embedding)]
        for _ in range(rounds):
            states.append(
                await evolve(
                    nodes, states[-1], evolver=wild(seed), embedding=embedding, config=config
                )
            )
        return states

    return asyncio.run(go())


@few
@given(documents(), st.integers(0, 99))
def test_structural_edges_never_change_over_rounds(nodes, seed):
    for state in run(nodes, seed, 3):
        assert [e for e in state.edges if is_structural(e)] == sorted_like(
            structural_edges(nodes, state.round), state
        )


def sorted_like(edges, state):
    wanted = {(e.source, e.target, e.kind) for e in edges}
    have = [e for e in state.edges if is_structural(e)]
    assert {(e.source, e.target, e.kind) for e in have} == wanted
    assert len(have) == len(edges)
    return have


@few
@given(documents(), st.integers(0, 99))
def test_links_are_few_ranked_and_never_to_oneself(nodes, seed):
    config = EvolutionConfig(in_degree=3)
    for state in run(nodes, seed, 2, config):
        semantic = [e for e in state.edges if not is_structural(e)]
        for source in {e.source for e in semantic}:
            own = [e for e in semantic if e.source == source]
            assert [e.rank for e in own] == list(range(1, len(own) + 1))
            assert len(own) <= 5
            assert source not in {e.target for e in own}
            assert len({e.target for e in own}) == len(own)
        for target in {e.target for e in semantic}:
            assert sum(e.target == target for e in semantic) <= 3


@few
@given(documents(), st.integers(0, 99))
def test_no_round_writes_a_figure_or_name_that_the_node_does_not_hold(nodes, seed):
    contents = {n.node_id: n.text for n in nodes}
    for state in run(nodes, seed, 2):
        for row in state.nodes:
            assert "冷凍倉庫" not in row.summary
            assert "99" not in row.summary
            assert "なにか" not in row.keywords
            for item in row.resolved:
                assert item.term in contents[item.from_node]
                assert item.term not in contents[row.node_id]


@few
@given(documents(), st.integers(0, 99), st.randoms(use_true_random=False))
def test_order_and_batches_change_nothing(nodes, seed, shuffler):
    shuffled = list(nodes)
    shuffler.shuffle(shuffled)
    one = [digest(state) for state in run(nodes, seed, 2)]
    two = [digest(state) for state in run(shuffled, seed, 2, EvolutionConfig(batch=2))]
    assert one == two
