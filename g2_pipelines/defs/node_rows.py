"""The index's rows of a document: its nodes as a round of the content graph left them, embedded.

Here: ``document_rows``, for the index of the product and for those of other rounds.
"""

from __future__ import annotations

import asyncio

from g2_pipelines.defs.evidence import read_graph
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.models.ports import EmbeddingPort
from g2_pipelines.tables.line2 import DocumentNode, IndexRow, PdfDocument
from g2_pipelines.tables.store import read_table


async def document_rows(
    ws: Workspace, embedding: EmbeddingPort, round_: int, document_id: str
) -> list[IndexRow]:
    """One row a node of ``document_id``, as ``round_`` left it.

    Raises:
        MissingTableError: the document's round is not made.
        ModelError, LimitError: a node could not be embedded.
    """
    from g2_pipelines.index.rows import index_rows

    nodes = read_table(ws.home.table("document_nodes", document_id), DocumentNode)
    [document] = read_table(ws.home.table("pdf_documents", document_id), PdfDocument)
    state = await asyncio.to_thread(read_graph, ws, document_id, round_)
    vectors: list[list[float]] = []
    for vector in await embedding.embed([node.embedding_text for node in state.nodes]):
        if not isinstance(vector, list):
            raise vector
        vectors.append(vector)
    return index_rows(
        nodes=nodes,
        graph=state.nodes,
        vectors=vectors,
        embedding_model=embedding.model,
        dimension=embedding.dimension,
        edinet_code=document.edinet_code,
    )
