"""The baselines' evidence: ranked or first pages, whole nodes, within the budgets."""

from __future__ import annotations

import asyncio

from g2_pipelines.evaluation.reader.baselines import Bm25Source, FirstPagesSource
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines_tests.qa.builders import ENGLISH, node


class Words:
    """Counts words, so that a test can."""

    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())

    def ends(self, text: str) -> list[int]:
        raise NotImplementedError


def no_picture(_: DocumentNode) -> bytes | None:
    return None


def ids(found: list[Evidence]) -> list[str]:
    return [item.node.node_id for item in found]


def bm25(nodes: list[DocumentNode], *, most: int = 9, budget: int = 1_000) -> Bm25Source:
    return Bm25Source(nodes, most=most, budget=budget, tokens=Words(), picture=no_picture)


def test_bm25_brings_the_nodes_that_share_rare_words() -> None:
    assert ids(asyncio.run(bm25(ENGLISH).retrieve("accelerometer cabins"))) == ["e1"]
    assert asyncio.run(bm25(ENGLISH).retrieve("zebra")) == []


def test_budgets_leave_out_whole_nodes() -> None:
    nodes = [node("a", "rope " * 10), node("b", "rope rope", order=1), node("c", "x", order=2)]
    assert ids(asyncio.run(bm25(nodes, budget=5).retrieve("rope"))) == ["b"]  # a has ten words
    assert len(asyncio.run(bm25(nodes, most=1).retrieve("rope"))) == 1


def test_the_order_of_nodes_counts_for_nothing() -> None:
    query = "inspections per year of the tower in winter"
    first = asyncio.run(bm25(ENGLISH).retrieve(query))
    second = asyncio.run(bm25(ENGLISH[::-1]).retrieve(query))
    assert [(i.node.node_id, i.score) for i in first] == [(i.node.node_id, i.score) for i in second]


def test_first_pages_of_every_document_in_turn() -> None:
    nodes = [
        node(f"{name}{page}", "one two three", document=name, page=page, order=page)
        for name in ("x", "y")
        for page in (1, 2, 3)
    ]
    nodes.append(node("f", "page head", kind="furniture", document="x"))

    def first(budget: int) -> list[str]:
        source = FirstPagesSource(nodes, most=1, budget=budget, tokens=Words(), picture=no_picture)
        return ids(asyncio.run(source.retrieve("anything")))

    assert first(100) == ["x1", "y1", "x2", "y2", "x3", "y3"]
    assert first(10) == ["x1", "y1", "x2"]  # nine words; the next page would be twelve
    assert first(2) == []  # not even a node fits: a page is cut between nodes, a node never


def test_recall_gives_what_is_still_there() -> None:
    source = bm25(ENGLISH)
    found = asyncio.run(source.retrieve("accelerometer of the cabins"))
    kept = [item.row() for item in found]
    gone = [*kept, kept[0].model_copy(update={"node_id": "gone"})]
    again = asyncio.run(source.recall(gone))
    assert ids(again) == ids(found)
