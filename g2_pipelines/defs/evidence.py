"""Evidence as it is stored: graphs, nodes, pictures and the index, read for a query.

Here: the adapter between the stored tables and ``graph.readout``, and the evidence source
that ``qa`` asks. The readout itself stands in ``graph``. Nothing here knows Dagster.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from upath import UPath

from g2_pipelines.defs.kept import Kept
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import NotYetError
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line2 import (
    DocumentNode,
    DocumentPage,
    EvidenceNode,
    GraphEdge,
    GraphMetrics,
    GraphNode,
    PdfDocument,
)
from g2_pipelines.tables.rows import Row
from g2_pipelines.tables.store import MissingTableError, read_table, table_digest
from g2_pipelines.text.fold import fold_text

if TYPE_CHECKING:
    from g2_pipelines.graph.readout import Readout
    from g2_pipelines.graph.state import GraphState
    from g2_pipelines.index.lance import NodeIndex
    from g2_pipelines.models.ports import EmbeddingPort
    from g2_pipelines.qa.evidence import Evidence


#: Places of one document that a count goes through at most.
SURVEYED = 400
#: Bytes of parsed rows in memory, measured: a row of a document's nodes, of a graph, of its edges.
_NODE, _GRAPH_NODE, _EDGE = 6_000, 2_600, 1_400
_GRAPHS: Kept[GraphState] = Kept(192_000_000)
_NODES: Kept[dict[str, DocumentNode]] = Kept(96_000_000)


class NotIndexedError(NotYetError):
    """A document that a question is about is not in the index yet."""

    code = "not_indexed"


def graph_tables(round_: int) -> tuple[str, str, str]:
    """Names of the tables of a round: nodes (the asset's main table), edges, metrics."""
    name = f"content_graph/round_{round_}"
    return name, f"{name}/edges", f"{name}/metrics"


def read_graph(ws: Workspace, document_id: str, round_: int) -> GraphState:
    """A stored round of a document.

    Raises:
        MissingTableError: it has not been made.
    """
    from g2_pipelines.graph.state import GraphState

    nodes, edges, _ = graph_tables(round_)
    return GraphState(
        document_id=document_id,
        round=round_,
        nodes=read_table(ws.home.table(nodes, document_id), GraphNode),
        edges=read_table(ws.home.table(edges, document_id), GraphEdge),
        metrics=read_metrics(ws, document_id, round_),
    )


def read_metrics(ws: Workspace, document_id: str, round_: int) -> GraphMetrics:
    """What a stored round did.

    Raises:
        MissingTableError: it has not been made.
    """
    name = graph_tables(round_)[2]
    return read_table(ws.home.table(name, document_id), GraphMetrics)[0]


def metrics_until(ws: Workspace, document_id: str, round_: int) -> list[GraphMetrics]:
    """The metrics of the rounds before ``round_`` that are stored, in order."""
    found: list[GraphMetrics] = []
    for earlier in range(round_):
        try:
            found.append(read_metrics(ws, document_id, earlier))
        except MissingTableError:
            continue
    return found


def stored_rounds(ws: Workspace, document_id: str) -> list[GraphState]:
    """All stored rounds of a document, from 0 up to the first that is missing."""
    states: list[GraphState] = []
    for round_ in range(ws.settings.rounds + 1):
        try:
            states.append(read_graph(ws, document_id, round_))
        except MissingTableError:
            break
    return states


def explorer(ws: Workspace, document_id: str) -> str:
    """The explorer page of a document's stored rounds.

    Raises:
        MissingTableError: it has no nodes, or no round.
    """
    from g2_pipelines.graph.explorer import PICTURES
    from g2_pipelines.graph.page import graph_page

    home = ws.home
    nodes = read_table(home.table("document_nodes", document_id), DocumentNode)
    pages = read_table(home.table("document_pages", document_id), DocumentPage)
    [document] = read_table(home.table("pdf_documents", document_id), PdfDocument)
    states = stored_rounds(ws, document_id) or [read_graph(ws, document_id, 0)]
    pictures = {
        page.page: picture
        for page in pages[:PICTURES]
        if (picture := read_picture(ws, page.image)) is not None
    }
    return graph_page(nodes, states, name=document.name, pages=pages, pictures=pictures)


def indexed_scope(
    ws: Workspace, index: NodeIndex, documents: Sequence[str], company: str | None
) -> list[str]:
    """The indexed documents of a scope: those named, or a company's, or all, sorted.

    Raises:
        NotIndexedError: a named document is not indexed, or the scope holds none.
    """
    there = index.documents()
    missing = [document for document in documents if document not in there]
    if missing:
        raise NotIndexedError(
            f"Not indexed: {', '.join(missing)}",
            file=missing[0],
            remedy="Materialize `documents` and `graph` for it first",
        )
    if documents:
        return sorted(documents)
    if company:
        found = [e.document_id for e in ws.registry.pdfs() if e.edinet_code == company]
        scope = sorted(document for document in found if document in there)
    else:
        scope = sorted(there)
    if not scope:
        raise NotIndexedError(
            f"No document of {company} is indexed" if company else "No document is indexed",
            file=company or "",
            remedy="Add PDFs with `g2 add`",
        )
    return scope


async def read_out(
    ws: Workspace,
    query: str,
    *,
    documents: Sequence[str],
    company: str | None,
    seeds: int,
    neighbours: int,
    index: NodeIndex | None = None,
    embedding: EmbeddingPort | None = None,
) -> Readout:
    """The evidence subgraph for a query over the indexed documents of a scope."""
    from g2_pipelines.graph.readout import assemble

    embedder = embedding or ws.embedding()
    opened = index or ws.index(embedder)
    scope = indexed_scope(ws, opened, documents, company)
    return await assemble(
        query,
        index=opened,
        embedding=embedder,
        graphs=partial(_indexed_graph, ws, {d: i.round for d, i in opened.indexed().items()}),
        documents=scope,
        edinet_code=None,
        seeds=seeds,
        neighbours=neighbours,
        token_budget=ws.settings.evidence_tokens,
        image_budget=ws.settings.evidence_images,
        tokens=ws.tokenizer,
    )


def _indexed_graph(ws: Workspace, rounds: Mapping[str, int], document_id: str) -> GraphState:
    """The round that the document's rows are of, whatever the settings say meanwhile.

    Kept by the digests of its tables: parsing them takes longer than the search.
    """
    round_ = rounds[document_id]
    nodes, edges, metrics = graph_tables(round_)
    tables = ((nodes, GraphNode), (edges, GraphEdge), (metrics, GraphMetrics))
    digests = [_stored_digest(ws.home.table(name, document_id), row) for name, row in tables]
    return _GRAPHS.get(
        (document_id, round_, *digests),
        partial(read_graph, ws, document_id, round_),
        lambda state: _GRAPH_NODE * len(state.nodes) + _EDGE * len(state.edges),
    )


class StoredEvidence:
    """The evidence source of one question: its scope, read out of the index.

    ``embedding`` and ``index`` may be shared by the questions of a run.
    """

    def __init__(
        self,
        ws: Workspace,
        documents: Sequence[str],
        *,
        embedding: EmbeddingPort | None = None,
        index: NodeIndex | None = None,
    ) -> None:
        self._ws = ws
        self._documents = list(documents)
        self._embedding = embedding or ws.embedding()
        self._index = index or ws.index(self._embedding)
        self._nodes: dict[str, dict[str, DocumentNode]] = {}

    def digest(self) -> str:
        """Digest of all that a question over the scope can be answered from, as stored now."""
        return scope_digest(self._ws, self._index, self._documents)

    async def retrieve(self, query: str) -> list[Evidence]:
        """See qa.evidence.EvidenceSource."""
        from g2_pipelines.qa.evidence import Evidence

        found = await read_out(
            self._ws,
            query,
            documents=self._documents,
            company=None,
            seeds=self._ws.settings.seeds,
            neighbours=self._ws.settings.neighbours,
            index=self._index,
            embedding=self._embedding,
        )
        return [
            Evidence(
                node=self._node(hit.document_id, hit.node_id),
                score=hit.score,
                path=list(hit.path),
                summary=hit.row.summary,
                keywords=list(hit.row.keywords),
                image=partial(self._image, hit.document_id, hit.node_id),
            )
            for hit in found.evidence
        ]

    async def survey(self, pattern: str) -> list[Evidence]:
        """See qa.evidence.SurveyedSource."""
        from g2_pipelines.qa.evidence import Evidence

        if len(self._documents) != 1:
            return []
        [document] = self._documents
        form = re.compile(pattern)
        found = [
            node
            for node in self._nodes_of(document).values()
            if node.order >= 0
            and (form.search(fold_text(node.text)) or form.search(fold_text(node.caption or "")))
        ]
        if len(found) > SURVEYED:
            return []
        found.sort(key=lambda node: node.order)
        return [Evidence(node=node, score=0.0, path=["survey"]) for node in found]

    async def recall(self, kept: Sequence[EvidenceNode]) -> list[Evidence]:
        """See qa.evidence.RecallingSource."""
        from g2_pipelines.qa.evidence import Evidence

        wanted: dict[str, list[str]] = {}
        for item in kept:
            wanted.setdefault(item.document_id, []).append(item.node_id)
        rows = {
            (document, node_id): row
            for document, ids in wanted.items()
            for node_id, row in self._index.rows_of(document, ids).items()
        }
        return [
            Evidence(
                node=self._node(item.document_id, item.node_id),
                score=item.score,
                path=list(item.path),
                summary=row.summary,
                keywords=list(row.keywords),
                image=partial(self._image, item.document_id, item.node_id),
            )
            for item in kept
            if (row := rows.get((item.document_id, item.node_id))) is not None
        ]

    def _nodes_of(self, document_id: str) -> dict[str, DocumentNode]:
        if document_id not in self._nodes:
            path = self._ws.home.table("document_nodes", document_id)

            def read() -> dict[str, DocumentNode]:
                return {row.node_id: row for row in read_table(path, DocumentNode)}

            self._nodes[document_id] = _NODES.get(
                (document_id, _stored_digest(path, DocumentNode)),
                read,
                lambda rows: _NODE * len(rows),
            )
        return self._nodes[document_id]

    def _node(self, document_id: str, node_id: str) -> DocumentNode:
        node = self._nodes_of(document_id).get(node_id)
        if node is None:
            raise NotIndexedError(
                "The index is older than the document's nodes",
                file=document_id,
                place=node_id,
                remedy="Materialize `graph` for this document again",
            )
        return node

    def _image(self, document_id: str, node_id: str) -> bytes | None:
        return read_picture(self._ws, self._node(document_id, node_id).image)


def scope_digest(ws: Workspace, index: NodeIndex, documents: Sequence[str]) -> str:
    """Digest of the documents' nodes, index rows and edges, as they are stored now.

    Raises:
        NotIndexedError: one is not in the index.
    """
    there = index.indexed()
    parts: list[list[str]] = []
    for document in sorted(documents):
        if document not in there:
            raise NotIndexedError(f"Not indexed: {document}", file=document)
        stored = there[document]
        _, edges, _ = graph_tables(stored.round)
        nodes_digest = _stored_digest(ws.home.table("document_nodes", document), DocumentNode)
        edges_digest = _stored_digest(ws.home.table(edges, document), GraphEdge)
        parts.append([document, stored.digest, nodes_digest, edges_digest])
    return digest_of(json.dumps(parts).encode())


def _stored_digest(path: UPath, model: type[Row]) -> str:
    """As ``table_digest``; a local file that did not change is not read again."""
    if not isinstance(path, Path) or not path.exists():
        return table_digest(path, model)
    stat = path.stat()
    return _local_digest(str(path), stat.st_mtime_ns, stat.st_ino, model)


@lru_cache(maxsize=50_000)
def _local_digest(path: str, changed_ns: int, inode: int, model: type[Row]) -> str:
    del changed_ns, inode  # each write is a new file
    return table_digest(UPath(path), model)


def read_picture(ws: Workspace, name: str | None) -> bytes | None:
    """A page picture or crop by its name below G2_HOME/pages; None if there is none."""
    if not name:
        return None
    path = ws.home.pages / name
    return bytes(path.read_bytes()) if path.exists() else None
