"""Index rows of invented documents."""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.index.rows import index_rows
from g2_pipelines.tables.line2 import Bbox, DocumentNode, GraphNode, IndexRow, NodeKind, Region

MODEL, DIMENSION = "test/1", 4


def document_node(
    document_id: str, node_id: str, order: int, text: str, kind: NodeKind, page: int
) -> DocumentNode:
    box = Bbox(x0=1, y0=2, x1=3, y1=4)
    return DocumentNode(
        document_id=document_id,
        node_id=node_id,
        kind=kind,
        order=order,
        text=text,
        page=page,
        bbox=box,
        regions=[Region(page=page, bbox=box)],
        engine="test",
        engine_version="1",
    )


def rows(
    document_id: str,
    texts: Sequence[str | tuple[NodeKind, str]],
    *,
    edinet_code: str | None = None,
    vectors: Sequence[Sequence[float]] | None = None,
    keywords: Sequence[str] = (),
) -> list[IndexRow]:
    """One row a text; by default its vector turns a little with each row. Pages from 1."""
    kinds = [("paragraph", text) if isinstance(text, str) else text for text in texts]
    nodes = [
        document_node(document_id, f"n{at}", at, text, kind, at + 1)
        for at, (kind, text) in enumerate(kinds)
    ]
    graph = [
        GraphNode(
            engine="extractive",
            model="extractive/1",
            prompt_version="",
            document_id=document_id,
            round=1,
            node_id=node.node_id,
            summary=node.text,
            keywords=list(keywords),
            changed=False,
            embedding_text=node.text,
        )
        for node in nodes
    ]
    return index_rows(
        nodes=nodes,
        graph=graph,
        vectors=vectors or [[1.0, 0.1 * at, 0.0, 0.0] for at in range(len(nodes))],
        embedding_model=MODEL,
        dimension=DIMENSION,
        edinet_code=edinet_code,
    )
