"""Indexes of other rounds of the content graph, for ablations; the product's own stays as it is.

Here: ``round_index``, which keeps one index a round below ``G2_HOME/lance-rounds`` and puts in only
what is missing or changed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from g2_pipelines.defs.evidence import graph_tables
from g2_pipelines.defs.node_rows import document_rows
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.tables.line2 import DocumentNode, GraphNode
from g2_pipelines.tables.store import table_digest, write_atomic

if TYPE_CHECKING:
    from g2_pipelines.index.lance import NodeIndex
    from g2_pipelines.models.ports import EmbeddingPort


async def round_index(
    ws: Workspace, embedding: EmbeddingPort, round_: int, documents: Sequence[str]
) -> NodeIndex:
    """The index of ``round_`` with ``documents`` in it as they are stored now.

    Raises:
        MissingTableError: a document's round is not made.
        ModelError, LimitError: a node could not be embedded.
    """
    from g2_pipelines.index.lance import NodeIndex

    folder = ws.home.root / "lance-rounds"
    index = await asyncio.to_thread(
        NodeIndex.open,
        str(folder / f"round_{round_}"),
        embedding.model,
        embedding.dimension,
        vector_index_rows=ws.settings.vector_index_rows,
    )
    marks = folder / f"round_{round_}.json"
    known: dict[str, str] = json.loads(marks.read_text("utf-8")) if marks.exists() else {}
    there = index.documents()
    for document in sorted(documents):
        mark = _mark(ws, embedding, round_, document)
        if known.get(document) == mark and document in there:
            continue
        rows = await document_rows(ws, embedding, round_, document)
        await asyncio.to_thread(index.replace_document, document, rows)
        known[document] = mark
        write_atomic(marks, json.dumps(known, sort_keys=True).encode())
    return index


def _mark(ws: Workspace, embedding: EmbeddingPort, round_: int, document: str) -> str:
    nodes = table_digest(ws.home.table("document_nodes", document), DocumentNode)
    graph = table_digest(ws.home.table(graph_tables(round_)[0], document), GraphNode)
    return f"{nodes} {graph} {embedding.model}"
