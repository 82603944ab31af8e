"""Round 0."""

from __future__ import annotations

import asyncio
import random

import pytest

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.extract import ExtractiveAnalyst, clip
from g2_pipelines.graph.metrics import reasons
from g2_pipelines.graph.ports import Analysis
from g2_pipelines.graph.state import DegradedGraphError
from g2_pipelines.models.errors import ModelTimeoutError
from g2_pipelines.tables.line2 import Cell
from g2_pipelines_tests.graph.samples import (
    Analysing,
    HashedWords,
    digest,
    implicit_nodes,
    node,
    ten_nodes,
)


def run(nodes, analyst=None, **values):
    analyst = analyst or ExtractiveAnalyst()
    embedding = values.pop("embedding", None) or HashedWords()
    return asyncio.run(analyse(nodes, analyst=analyst, embedding=embedding, **values))


def by_id(state):
    return {row.node_id: row for row in state.nodes}


def test_every_body_node_has_a_row_in_reading_order_and_furniture_none():
    state = run(ten_nodes())
    assert [row.node_id for row in state.nodes] == [
        "h1", "p1", "f1", "t0", "c1", "h2", "p2", "p3", "h3",
    ]  # fmt: skip
    assert state.metrics.nodes == state.metrics.changed == 9
    assert state.metrics.semantic_edges == 0


def test_a_paragraph_is_summed_up_by_its_own_most_particular_sentence():
    text = "以下に述べる。主軸熱変位補償は六つの温度センサを使う。これは便利である。"
    state = run([node("a", 0, text), node("b", 1, "以下に述べる。これは便利である。")])
    assert by_id(state)["a"].summary == "主軸熱変位補償は六つの温度センサを使う。"
    assert by_id(state)["a"].keywords[0] == "主軸熱変位補償"


def test_a_table_is_summed_up_by_caption_and_header():
    cells = [Cell(row=0, col=0, text="機種"), Cell(row=0, col=1, text="台数")]
    table = node("t", 0, "機種\t台数\nAX\t12", "table", caption="表2 受注残高", cells=cells)
    assert by_id(run([table]))["t"].summary == "表2 受注残高: 機種 / 台数"


def test_a_picture_without_any_text_says_so():
    state = run([node("f", 0, "", "figure"), node("p", 1, "本文である。")])
    assert by_id(state)["f"].summary == "図（文字なし）"
    assert by_id(state)["f"].keywords == []


def test_names_stand_as_in_the_text():
    text = "青嶺精機株式会社はAoLinkとサーボモータを「次世代主軸」に使う。"
    entities = by_id(run([node("a", 0, text)]))["a"].entities
    assert {"青嶺精機株式会社", "AoLink", "サーボモータ", "次世代主軸"} <= set(entities)
    assert all(name in text for name in entities)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("短い文。", "短い文。"),
        ("あ" * 40 + "、" + "い" * 60, "あ" * 40 + "…"),
        ("あ" * 100, "あ" * 79 + "…"),
        ("two  words\nhere", "two words here"),
        ("w " * 40, " ".join(["w"] * 30) + "…"),
    ],
)
def test_overlong_summaries_are_cut_at_a_clause_and_show_it(text, expected):
    assert clip(text, EvolutionConfig()) == expected


def test_shuffled_nodes_give_the_same_round():
    shuffled = implicit_nodes()
    random.Random(5).shuffle(shuffled)
    assert digest(run(shuffled)) == digest(run(implicit_nodes()))


def faithful(view):
    return Analysis(summary=view.node.text[:20] or "figure", keywords=(), call_keys=("k",))


def test_a_failed_analysis_is_replaced_by_the_nodes_own_words_and_marked():
    """Never a made-up «analysis failed» summary that is then embedded and found."""
    failing = Analysing(
        lambda view: ModelTimeoutError("no answer") if view.node.node_id == "p1" else faithful(view)
    )
    state = run(ten_nodes(), failing, config=EvolutionConfig(degraded_share=0.2))
    row = by_id(state)["p1"]
    assert row.degraded
    assert row.engine == "extractive"
    assert row.summary == "主軸の温度は図1のとおり上がる。"
    assert state.metrics.degraded == 1
    assert by_id(state)["p2"].engine == "fake"
    assert by_id(state)["p2"].call_keys == ["k"]


def test_too_many_failed_analyses_fail_the_document():
    failing = Analysing(lambda _: ModelTimeoutError("no answer"))
    with pytest.raises(DegradedGraphError, match=r"9 of 9 nodes failed.*no answer"):
        run(ten_nodes(), failing)


def test_an_analysis_with_an_invented_figure_gives_way_to_the_nodes_own_words():
    inventing = Analysing(
        lambda view: (
            Analysis("主軸の温度は99度になる。", ())
            if view.node.node_id == "p1"
            else faithful(view)
        )
    )
    state = run(ten_nodes(), inventing)
    assert by_id(state)["p1"].engine == "extractive"
    assert not by_id(state)["p1"].degraded
    assert reasons(state.metrics, "update") == {"invented_number": 1}


def test_keywords_and_entities_that_are_not_in_the_node_are_dropped():
    loose = Analysing(
        lambda view: Analysis(
            view.node.text[:20] or "figure", ("温度", "冷凍倉庫"), ("主軸", "みなと")
        )
    )
    row = by_id(run(ten_nodes(), loose))["p1"]
    assert row.keywords == ["温度"]
    assert row.entities == ["主軸"]


def test_a_node_that_cannot_be_embedded_is_degraded_and_has_no_vector():
    embedding = HashedWords(lambda text: ModelTimeoutError("x") if "まとめ" in text else None)
    state = run(ten_nodes(), embedding=embedding)
    assert by_id(state)["h3"].degraded
    assert "h3" not in state.vectors.attributes


def test_equal_texts_are_embedded_once():
    embedding = HashedWords()
    run([node(f"n{at}", at, "同じ文である。") for at in range(5)], embedding=embedding)
    assert len(embedding.asked) == 1


def test_only_visual_nodes_bring_their_picture():
    seen = {}

    def look(view):
        seen[view.node.node_id] = view.image.media_type if view.image else None
        return faithful(view)

    nodes = [
        node("f", 0, "図", "figure", image="documents/d/f.png"),
        node("g", 1, "図", "figure", image="documents/d/gone.png"),
        node("p", 2, "文である。", image="documents/d/p.png"),
    ]
    pictures = {"documents/d/f.png": b"\x89PNG", "documents/d/p.png": b"\x89PNG"}
    run(nodes, Analysing(look), images=pictures.get)
    assert seen == {"f": "image/png", "g": None, "p": None}
