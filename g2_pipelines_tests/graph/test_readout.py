"""Readout, worked out by hand on a small document."""

from __future__ import annotations

import asyncio

import pytest

from g2_pipelines.errors import ModelError
from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.readout import EvidenceBudgetError, assemble, readout
from g2_pipelines.index.lance import NodeIndex
from g2_pipelines.index.rows import index_rows
from g2_pipelines.models.errors import ModelTimeoutError
from g2_pipelines_tests.graph.samples import HashedWords, implicit_nodes, node, ten_nodes


class Characters:
    """Counts characters, so that budgets can be worked out by eye."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


async def built(nodes):
    analyst, evolver = build_tasks(None)
    embedding = HashedWords()
    state = await analyse(nodes, analyst=analyst, embedding=embedding)
    return await evolve(nodes, state, evolver=evolver, embedding=embedding)


def index_rows_of(nodes, state, code=None):
    return index_rows(
        nodes=nodes,
        graph=state.nodes,
        vectors=[state.vectors.attributes[row.node_id] for row in state.nodes],
        embedding_model="hashed/1",
        dimension=64,
        edinet_code=code,
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Two documents in one index, and their graphs."""
    first = ten_nodes()
    second = [item.model_copy(update={"document_id": "other-doc"}) for item in implicit_nodes()]
    index = NodeIndex.open(str(tmp_path_factory.mktemp("lance")), "hashed/1", 64)
    graphs = {}
    for nodes, code in ((first, "E99001"), (second, "E99002")):
        state = asyncio.run(built(nodes))
        index.replace_document(state.document_id, index_rows_of(nodes, state, code))
        graphs[state.document_id] = state
    return index, graphs


def ask(library, query, **values):
    index, graphs = library
    settings = {
        "documents": None,
        "edinet_code": None,
        "seeds": 1,
        "neighbours": 2,
        "token_budget": 10_000,
        "tokens": Characters(),
        **values,
    }
    return asyncio.run(
        assemble(query, index=index, embedding=HashedWords(), graphs=graphs.__getitem__, **settings)
    )


def test_a_seed_brings_what_it_refers_to_before_what_is_merely_near(library):
    """p1 refers to the figure: that comes first, then the heading above or the next node."""
    result = ask(library, "主軸の温度は上がるか", documents=["spindle-0123456789ab"], neighbours=1)
    assert [(e.node_id, e.path) for e in result.evidence] == [
        ("p1", ["seed"]),
        ("f1", ["seed p1", "refers_to"]),
    ]
    seed, neighbour = result.evidence
    assert neighbour.score == pytest.approx(seed.score * 0.9, rel=0.2)
    assert neighbour.score < seed.score


def test_no_neighbours_are_added_when_none_are_asked(library):
    result = ask(library, "主軸の温度は上がるか", seeds=3, neighbours=0)
    assert all(e.path == ["seed"] for e in result.evidence)
    assert len(result.evidence) == 3


def test_an_evolved_link_brings_the_named_thing(library):
    """同装置 is resolved to the device: the evidence holds the paragraph that describes it."""
    result = ask(library, "起動の直後に予測を始めるのは", documents=["other-doc"], neighbours=1)
    assert result.evidence[0].node_id == "a2"
    assert result.evidence[1].node_id == "a1"
    assert result.evidence[1].path == ["seed a2", "reference"]


def test_a_resolved_name_is_findable_where_only_a_pronoun_stands(library):
    result = ask(library, "逐次温度推定 少ない計算 更新", documents=["other-doc"], neighbours=0)
    assert result.evidence[0].node_id == "b1"


@pytest.mark.parametrize(
    ("query", "node_id", "name"),
    [
        ("図1は何を示すか", "f1", "figure:1"),
        ("Table 3 lists which stores?", "t2", "table:3"),
        ("2ページの内容は", "p3", "page:2"),
        ("3.2節の手法は", "h2", "section:3.2"),
    ],
)
def test_a_place_that_the_question_names_is_a_seed(library, query, node_id, name):
    document = "spindle-0123456789ab" if node_id in {"f1", "p3"} else "other-doc"
    result = ask(library, query, documents=[document], seeds=2, neighbours=0)
    named = {e.node_id: e.path for e in result.evidence}
    if name == "figure:1":  # the caption node and its figure share the label; one holds it
        assert ["seed", name] in named.values()
    else:
        assert named[node_id] == ["seed", name]


def test_scopes_are_kept(library):
    assert {e.document_id for e in ask(library, "温度", edinet_code="E99002").evidence} == {
        "other-doc"
    }
    assert ask(library, "温度", documents=[]).evidence == []


def test_documents_are_joined_at_question_time(library):
    result = ask(library, "温度センサの値から変位を予測", seeds=4, neighbours=2)
    assert {e.document_id for e in result.evidence} == {"spindle-0123456789ab", "other-doc"}


def test_the_budget_leaves_out_whole_units_from_the_lowest_rank(library):
    everything = ask(library, "主軸の温度", seeds=3, neighbours=2).evidence
    sizes = [len(e.row.text) for e in everything]
    budget = sum(sizes[:2])
    result = ask(library, "主軸の温度", seeds=3, neighbours=2, token_budget=budget)
    assert [e.node_id for e in result.evidence] == [e.node_id for e in everything[:2]]
    assert result.tokens == budget
    assert [key[1] for key in result.dropped] == [e.node_id for e in everything[2:]]


def test_a_budget_too_small_for_anything_is_said(library):
    """Empty evidence would read as «nothing was found»."""
    with pytest.raises(EvidenceBudgetError, match="2 tokens"):
        ask(library, "主軸の温度", neighbours=0, token_budget=2)


def test_a_question_that_cannot_be_embedded_is_an_error_not_an_empty_answer(library):
    index, graphs = library
    embedding = HashedWords(lambda _: ModelTimeoutError("embedding is down"))
    with pytest.raises(ModelError, match="embedding is down"):
        asyncio.run(
            readout(
                "温度",
                index=index,
                embedding=embedding,
                graphs=graphs.__getitem__,
                documents=None,
                edinet_code=None,
                seeds=1,
                neighbours=1,
                token_budget=100,
                tokens=Characters(),
            )
        )


def test_the_same_question_gives_the_same_evidence(library):
    one, two = (ask(library, "温度センサと受注", seeds=5, neighbours=3) for _ in range(2))
    assert one == two
    scores = [e.score for e in one.evidence]
    assert scores == sorted(scores, reverse=True)
    assert len({(e.document_id, e.node_id) for e in one.evidence}) == len(one.evidence)


def test_the_picture_budget_leaves_out_the_lowest_units_with_one_and_says_so(tmp_path):
    """Two figures and a paragraph fit; with one picture the second figure goes, not the words."""
    nodes = [
        node("f1", 0, "主軸の温度の図、主軸", "figure", image="a.png"),
        node("f2", 1, "主軸の温度", "chart", image="b.png", page=2),
        node("p", 2, "主軸の温度は上がる。", page=3),
    ]
    state = asyncio.run(built(nodes))
    index = NodeIndex.open(str(tmp_path), "hashed/1", 64)
    index.replace_document(state.document_id, index_rows_of(nodes, state))
    library = index, {state.document_id: state}
    everything = ask(library, "主軸の温度", seeds=3, neighbours=0)
    order = [e.node_id for e in everything.evidence]
    assert (sorted(order), everything.images) == (["f1", "f2", "p"], 2)
    result = ask(library, "主軸の温度", seeds=3, neighbours=0, image_budget=1)
    last = [node_id for node_id in order if node_id != "p"][1]
    assert result.dropped == {(state.document_id, last): "images"}
    assert [e.node_id for e in result.evidence] == [n for n in order if n != last]
    none = ask(library, "主軸の温度", seeds=3, neighbours=0, image_budget=0)
    assert [e.node_id for e in none.evidence] == ["p"]


def test_the_evidence_holds_the_edges_among_its_nodes_and_no_others(library):
    result = ask(library, "主軸の温度は上がるか", documents=["spindle-0123456789ab"], neighbours=2)
    held = {e.node_id for e in result.evidence}
    expected = [
        edge
        for edge in library[1]["spindle-0123456789ab"].edges
        if {edge.source, edge.target} <= held
    ]
    assert ("p1", "f1", "refers_to") in {(e.source, e.target, e.kind) for e in result.edges}
    assert result.edges == expected


def test_seeds_are_the_best_nodes_of_different_pages(library):
    result = ask(library, "温度センサの値から変位を予測", seeds=3, neighbours=0)
    places = [(e.document_id, e.row.page) for e in result.evidence]
    assert len(set(places)) == 3


def test_one_huge_table_does_not_cost_what_ranks_below_it(tmp_path):
    nodes = [
        node("t", 0, "主軸の温度\t" + "9\t" * 300, "table"),
        node("p", 1, "主軸の温度は上がる。"),
    ]
    state = asyncio.run(built(nodes))
    index = NodeIndex.open(str(tmp_path), "hashed/1", 64)
    index.replace_document(state.document_id, index_rows_of(nodes, state))
    result = ask((index, {state.document_id: state}), "主軸の温度", seeds=2, token_budget=100)
    assert [e.node_id for e in result.evidence] == ["p"]
    assert [key[1] for key in result.dropped] == ["t"]
