"""An answer from a stored home: taken up after a kill, voided by what it rests on, kept tidy."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from g2_pipelines.defs.assets import answers
from g2_pipelines.defs.assets.answers import Reader, make_answer, make_question
from g2_pipelines.defs.evidence import StoredEvidence, graph_tables, scope_digest
from g2_pipelines.defs.registry import PdfEntry
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.index.rows import index_rows
from g2_pipelines.tables.line2 import (
    DocumentNode,
    DocumentPage,
    GraphEdge,
    GraphMetrics,
    GraphNode,
    PdfDocument,
    Question,
)
from g2_pipelines.tables.store import write_atomic, write_table
from g2_pipelines_tests.qa.builders import ENGLISH

ROUND = 3
TEXT = "How much higher is Birch than Alder?"


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def stored(ws: Workspace) -> Workspace:
    """A home with one document, indexed, and one question about it."""
    nodes = [item.model_copy(update={"order": place}) for place, item in enumerate(ENGLISH)]
    pdf: dict[str, Any] = {"document_id": "doc", "name": "cable.pdf", "digest": "d"}
    ws.registry.add_pdf(PdfEntry(**pdf, raw="pdfs/d/cable.pdf"))
    row = PdfDocument(**pdf, file="cable.pdf", size_bytes=1, pages=1)
    write_table(ws.home.table("pdf_documents", "doc"), [row], PdfDocument)
    write_table(ws.home.table("document_pages", "doc"), [], DocumentPage)
    store(ws, nodes, [])
    ws.registry.add_question(Question(question_id="q", question=TEXT, documents=["cable"]))
    asyncio.run(make_question(ws, "q"))
    return ws


def store(ws: Workspace, nodes: list[DocumentNode], edges: list[GraphEdge]) -> None:
    made = {"engine": "extractive", "model": "m", "prompt_version": "none"}
    graph = [
        GraphNode.model_validate(
            {
                **made,
                "document_id": "doc",
                "round": ROUND,
                "node_id": item.node_id,
                "summary": item.text[:60],
                "keywords": [],
                "changed": False,
                "embedding_text": f"{item.text} {item.caption or ''}",
            }
        )
        for item in nodes
    ]
    counts = dict.fromkeys(
        ("changed", "degraded", "structural_edges", "semantic_edges", "edges_added", "edges_dropped",
         "links_rejected", "updates_rejected", "distinct_keywords"), 0,
    )  # fmt: skip
    metrics = GraphMetrics(
        document_id="doc", round=ROUND, nodes=len(nodes), embedding_spread=0.0, **counts
    )
    names = graph_tables(ROUND)
    write_table(ws.home.table("document_nodes", "doc"), nodes, DocumentNode)
    write_table(ws.home.table(names[0], "doc"), graph, GraphNode)
    write_table(ws.home.table(names[1], "doc"), edges, GraphEdge)
    write_table(ws.home.table(names[2], "doc"), [metrics], GraphMetrics)
    embedding = ws.embedding()
    vectors = asyncio.run(embedding.embed([item.embedding_text for item in graph]))
    rows = index_rows(
        nodes=nodes,
        graph=graph,
        vectors=[vector for vector in vectors if isinstance(vector, list)],
        embedding_model=embedding.model,
        dimension=embedding.dimension,
        edinet_code=None,
    )
    ws.index(embedding).replace_document("doc", rows)


def answer(ws: Workspace) -> dict[str, bytes]:
    """What lies in the outbox once the question is answered."""
    asyncio.run(make_answer(Reader(ws, StepRun()), "q"))
    outbox = Path(str(ws.home.outbox))
    return {path.name: path.read_bytes() for path in sorted(outbox.iterdir())}


def test_killed_after_every_write_it_ends_with_the_same_bytes_and_leaves_no_state(
    stored: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """State, table, pages and outbox: whatever was written last before the kill."""
    expected = answer(stored)
    assert b"12.5" in expected["q.json"]
    state = Path(str(stored.home.answer_state("q")))
    assert not state.exists()
    left = 0

    def dying(path: Any, content: bytes) -> None:
        nonlocal left
        write_atomic(path, content)
        left -= 1
        if not left:
            raise Killed

    monkeypatch.setattr(answers, "write_atomic", dying)
    kept = 0
    for last in range(1, 100):
        left = last
        try:
            answer(stored)
            break
        except Killed:
            kept += state.exists()
            left = 0
            assert answer(stored) == expected, last
            assert not state.exists(), "a state is kept no longer than it is needed"
    assert last > kept >= 8, "plan, searches, replies, check, conclusion, and the outbox"


def test_what_an_answer_rests_on_is_in_its_digest(stored: Workspace) -> None:
    """An edge that changed leads to other evidence, though no node did."""
    index = stored.index(stored.embedding())
    before = scope_digest(stored, index, ["doc"])
    assert scope_digest(stored, index, ["doc"]) == before
    edge = GraphEdge(document_id="doc", round=ROUND, source="e1", target="e2", kind="section")
    write_table(stored.home.table(graph_tables(ROUND)[1], "doc"), [edge], GraphEdge)
    assert scope_digest(stored, index, ["doc"]) != before


def test_what_was_retrieved_is_recalled_without_a_search_and_a_document_is_surveyed(
    stored: Workspace,
) -> None:
    source = StoredEvidence(stored, ["doc"])
    found = asyncio.run(source.retrieve("height of Birch"))
    again = asyncio.run(source.recall([item.row() for item in found]))
    assert [(a.node, a.summary, a.keywords) for a in again] == [
        (b.node, b.summary, b.keywords) for b in found
    ]
    surveyed = asyncio.run(source.survey(r"table\s*\d"))
    assert [item.node.node_id for item in surveyed] == [
        item.node_id for item in ENGLISH if (item.caption or "").startswith("Table")
    ]
    assert asyncio.run(StoredEvidence(stored, ["doc", "other"]).survey("x")) == []
