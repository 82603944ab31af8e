"""Rows of the index."""

from __future__ import annotations

import pytest

from g2_pipelines.index.rows import IndexInputError, index_rows
from g2_pipelines.tables.line2 import GraphNode
from g2_pipelines_tests.index.samples import document_node, rows


def graph_node(node_id, **values):
    return GraphNode(
        **{
            "engine": "e",
            "model": "m",
            "prompt_version": "",
            "document_id": "d",
            "round": 2,
            "node_id": node_id,
            "summary": "",
            "keywords": [],
            "changed": False,
            "embedding_text": "",
            **values,
        }
    )


def made(nodes, graph, vectors):
    return index_rows(
        nodes=nodes,
        graph=graph,
        vectors=vectors,
        embedding_model="m",
        dimension=2,
        edinet_code=None,
    )


def test_caption_text_and_ocr_are_all_searched_and_resolved_names_once():
    node = document_node("d", "n", 0, "値\t12", "table", 3).model_copy(
        update={"caption": "表1 主軸", "ocr_text": "RPM"}
    )
    item = graph_node("n", summary="表1 主軸", keywords=["主軸", "冷却油", "冷却油"])
    (row,) = made([node], [item], [[1.0, 0.0]])
    assert row.text == "表1 主軸\n値\t12\nRPM"
    assert row.search_text == "表 1 主軸 値 12 rpm 冷却 却油"
    assert (row.page, row.round) == (3, 2)


def test_rows_stand_in_reading_order_whatever_the_order_of_the_graph():
    nodes = [document_node("d", f"n{at}", at, "x", "paragraph", 1) for at in range(3)]
    graph = [graph_node("n2"), graph_node("n0"), graph_node("n1")]
    out = made(nodes, graph, [[2.0, 0], [0.0, 0], [1.0, 0]])
    assert [(row.node_id, row.vector[0]) for row in out] == [("n0", 0), ("n1", 1), ("n2", 2)]


def test_what_does_not_belong_together_is_refused():
    node = document_node("d", "n", 0, "x", "paragraph", 1)
    with pytest.raises(IndexInputError, match="1 graph nodes and 2 vectors"):
        made([node], [graph_node("n")], [[1, 0], [0, 1]])
    with pytest.raises(IndexInputError, match="no document node"):
        made([node], [graph_node("other")], [[1, 0]])
    with pytest.raises(IndexInputError, match="3 values, not 2"):
        made([node], [graph_node("n")], [[1, 0, 0]])


def test_no_graph_makes_no_rows():
    assert rows("d", []) == []
