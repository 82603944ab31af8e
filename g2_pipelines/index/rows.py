"""Rows of the index: one a node, of the chosen round of its document's graph.

Here: ``index_rows`` and ``rows_digest``, pure functions. Not here: the store (``lance``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from g2_pipelines.errors import StateError
from g2_pipelines.index.content import content_text
from g2_pipelines.index.printed import printed_pages
from g2_pipelines.index.stems import stem
from g2_pipelines.tables.line2 import DocumentNode, GraphNode, IndexRow
from g2_pipelines.text.terms import terms

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class IndexInputError(StateError):
    """Nodes, graph and vectors that should make index rows do not belong together."""

    code = "index_input"


def index_rows(
    *,
    nodes: Sequence[DocumentNode],
    graph: Sequence[GraphNode],
    vectors: Sequence[Sequence[float]],
    embedding_model: str,
    dimension: int,
    edinet_code: str | None,
) -> list[IndexRow]:
    """One row per graph node, in reading order; furniture has no graph node and no row.

    ``text`` is the node's whole content (caption, text, OCR). ``search_text`` holds its stemmed
    terms and, once, those of summary and keywords that the content lacks: resolved names become
    findable, while repeated words would only shift the weights.

    Args:
        nodes: All the document's nodes, in any order. Furniture tells the printed page numbers.
        graph: The nodes of one round of its graph.
        vectors: One per graph node, in the order of ``graph``.
        embedding_model: Who made the vectors.
        dimension: Their length.
        edinet_code: The company the document belongs to.

    Raises:
        IndexInputError: lengths differ, a graph node without document node, a wrong dimension.
    """
    known = {node.node_id: node for node in nodes}
    document_id = graph[0].document_id if graph else ""
    if len(vectors) != len(graph):
        msg = f"{len(graph)} graph nodes and {len(vectors)} vectors"
        raise IndexInputError(msg, file=document_id)
    printed = printed_pages(nodes)
    pages = max((node.page for node in nodes), default=0)
    rows: list[IndexRow] = []
    for item, vector in zip(graph, vectors, strict=True):
        node = known.get(item.node_id)
        if node is None or node.document_id != item.document_id:
            msg = "a graph node has no document node"
            raise IndexInputError(
                msg,
                file=document_id,
                place=item.node_id,
                remedy="Materialize content_graph/round_0 and the later rounds again",
            )
        if len(vector) != dimension:
            msg = f"a vector has {len(vector)} values, not {dimension}"
            raise IndexInputError(msg, file=document_id, place=item.node_id)
        row = _row(node, item, vector, embedding_model, edinet_code)
        rows.append(row.model_copy(update={"printed_page": printed.get(node.page), "pages": pages}))
    terms_on = Counter[int]()
    for row in rows:
        terms_on[row.page] += row.search_text.count(" ") + bool(row.search_text)
    rows = [row.model_copy(update={"page_terms": terms_on[row.page]}) for row in rows]
    return sorted(rows, key=lambda row: (row.order, row.node_id))


def _row(
    node: DocumentNode,
    item: GraphNode,
    vector: Sequence[float],
    embedding_model: str,
    edinet_code: str | None,
) -> IndexRow:
    content = content_text(node)
    return IndexRow(
        document_id=node.document_id,
        edinet_code=edinet_code,
        node_id=node.node_id,
        round=item.round,
        kind=node.kind,
        order=node.order,
        text=content,
        caption=node.caption or "",
        summary=item.summary,
        keywords=item.keywords,
        search_text=_search_text(content, item),
        vector=list(vector),
        embedding_model=embedding_model,
        dimension=len(vector),
        page=node.page,
        pages=0,
        page_terms=0,
        bbox=node.bbox,
        image=node.image,
    )


def search_terms(text: str) -> list[str]:
    """The terms of ``text`` as they are stored and asked for: folded, cut, stemmed."""
    return [stem(term) for term in terms(text)]


def _search_text(content: str, item: GraphNode) -> str:
    own = search_terms(content)
    held = set(own)
    more = dict.fromkeys(search_terms("\n".join((item.summary, *item.keywords))))
    return " ".join([*own, *(term for term in more if term not in held)])


@dataclass(frozen=True)
class Packed:
    """Rows as they are stored: plain values, their vectors as 32-bit floats, the digest."""

    plain: list[dict[str, Any]]
    vectors: NDArray[np.float32]
    digest: str


def pack(rows: Sequence[IndexRow]) -> Packed:
    """Rows of one document, turned over once: an ingest writes ten thousand a second.

    The digest is SHA-256 over the rows as stored.
    """
    plain = [_plain(row) for row in rows]
    vectors = np.asarray([row.vector for row in rows], dtype="<f4")
    digest = sha256()
    for values, vector in zip(plain, vectors, strict=True):
        digest.update(_CANONICAL(values).encode("utf-8", "surrogatepass"))
        digest.update(vector.tobytes())
    return Packed(plain, vectors, digest.hexdigest())


def _plain(row: IndexRow) -> dict[str, Any]:
    """As ``model_dump`` without the vector, which would walk the vector all the same."""
    values = dict(row.__dict__)
    del values["vector"]
    values["bbox"] = dict(row.bbox.__dict__)
    return values


def rows_digest(rows: Sequence[IndexRow]) -> str:
    """SHA-256 over rows as stored (vectors as 32-bit floats)."""
    return pack(rows).digest
