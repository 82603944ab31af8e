"""Structural edges, worked out by hand."""

from __future__ import annotations

import random

import pytest

from g2_pipelines.graph.state import EmptyDocumentError, GraphMismatchError
from g2_pipelines.graph.structure import structural_edges
from g2_pipelines_tests.graph.samples import node, ten_nodes


def pairs(nodes, kind):
    return [(e.source, e.target) for e in structural_edges(nodes) if e.kind == kind]


def test_reading_order_joins_each_node_to_the_next_two():
    assert pairs(ten_nodes(), "reading_order") == [
        ("h1", "p1"),
        ("h1", "f1"),
        ("p1", "f1"),
        ("p1", "t0"),
        ("f1", "t0"),
        ("f1", "c1"),
        ("t0", "c1"),
        ("t0", "h2"),
        ("c1", "h2"),
        ("c1", "p2"),
        ("h2", "p2"),
        ("h2", "p3"),
        ("p2", "p3"),
        ("p2", "h3"),
        ("p3", "h3"),
    ]


def test_a_heading_holds_its_direct_members_and_lower_headings():
    assert pairs(ten_nodes(), "section") == [
        ("h1", "p1"),
        ("h1", "f1"),
        ("h1", "t0"),
        ("h1", "c1"),
        ("h1", "h2"),
        ("h2", "p2"),
        ("h2", "p3"),
    ]


def test_a_caption_goes_to_the_kind_that_its_label_names():
    """The table is as near as the figure; a caption of a figure must not go to it."""
    assert pairs(ten_nodes(), "caption_of") == [("c1", "f1")]


def test_a_caption_goes_to_the_nearest_figure_without_one_of_its_own():
    nodes = [
        node("f1", 0, "", "figure", box=(50, 50, 200, 200)),
        node("f2", 1, "", "figure", box=(250, 50, 400, 200), caption="図2 対照"),
        node("c", 2, "図1 試料", "caption", box=(260, 205, 380, 220)),
    ]
    assert pairs(nodes, "caption_of") == [("c", "f1")]


def test_a_caption_does_not_reach_another_page():
    nodes = [
        node("f1", 0, "", "figure", page=1),
        node("c", 1, "図1 試料", "caption", page=2),
    ]
    assert pairs(nodes, "caption_of") == []


def test_an_explicit_reference_leads_to_its_target():
    assert pairs(ten_nodes(), "refers_to") == [("p1", "f1")]


def test_references_to_nothing_to_oneself_and_twice_make_no_edge_more():
    nodes = [
        node("a", 0, "表1と表1と表2と本文", refers=[("表1", "t"), ("表2", "gone"), ("本文", "a")]),
        node("t", 1, "x\ty", "table"),
    ]
    assert pairs(nodes, "refers_to") == [("a", "t")]


def test_a_paragraph_cut_by_the_page_end_goes_on():
    assert pairs(ten_nodes(), "continued_on") == [("p2", "p3")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("文は終わった。", "次の文。"),  # a sentence end
        ("文が続くが", "・箇条書き"),  # a new item
        ("A sentence goes on", "Another begins"),  # a capital
    ],
)
def test_a_paragraph_that_ended_or_began_anew_does_not_go_on(first, second):
    nodes = [node("a", 0, first, page=1), node("b", 1, second, page=2)]
    assert pairs(nodes, "continued_on") == []


def test_a_paragraph_goes_on_at_the_top_of_the_next_column():
    nodes = [
        node("a", 0, "the displacement is", box=(50, 600, 290, 700)),
        node("b", 1, "predicted from it.", box=(310, 60, 550, 100)),
    ]
    assert pairs(nodes, "continued_on") == [("a", "b")]


def test_a_table_goes_on_over_a_page_only_with_the_same_columns_and_nothing_between():
    table = [node("t1", 0, "a\tb\n1\t2", "table"), node("t2", 1, "3\t4", "table", page=2)]
    assert pairs(table, "continued_on") == [("t1", "t2")]
    wider = [table[0], node("t2", 1, "3\t4\t5", "table", page=2)]
    assert pairs(wider, "continued_on") == []
    apart = [table[0], node("p", 1, "間の文。"), node("t2", 2, "3\t4", "table", page=2)]
    assert pairs(apart, "continued_on") == []
    titled = [table[0], node("t2", 1, "3\t4", "table", page=2, caption="表2 別の表")]
    assert pairs(titled, "continued_on") == []
    marked = [table[0], node("t2", 1, "3\t4", "table", page=2, caption="表1（続き）")]
    assert pairs(marked, "continued_on") == [("t1", "t2")]


def test_furniture_takes_part_in_no_edge():
    edges = structural_edges(ten_nodes())
    assert all("head" not in (edge.source, edge.target) for edge in edges)


def test_the_order_in_which_nodes_come_changes_nothing():
    shuffled = ten_nodes()
    random.Random(3).shuffle(shuffled)
    assert structural_edges(shuffled) == structural_edges(ten_nodes())


def test_nodes_of_two_documents_are_refused():
    """The released G2-Reader code joins the end of one document to the next one's beginning."""
    with pytest.raises(GraphMismatchError, match="one document"):
        structural_edges([node("a", 0, "x"), node("b", 1, "y", document_id="other")])


def test_a_node_id_twice_is_refused():
    with pytest.raises(GraphMismatchError, match="same node_id"):
        structural_edges([node("a", 0, "x"), node("a", 1, "y")])


def test_a_document_of_nothing_but_furniture_is_named():
    with pytest.raises(EmptyDocumentError, match="spindle"):
        structural_edges([node("head", -1, "1", "furniture")])
