"""The step ``graph``: the content graph in rounds, one asset each, and the node index.

Here: what a round reads and stores. Analysis and evolution stand in ``graph``, the LanceDB
table in ``index``. A round reads only the stored state of the one before.

https://docs.dagster.io/guides/build/assets/defining-assets#multi-asset
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.evidence import graph_tables, read_graph, read_picture, stored_rounds
from g2_pipelines.defs.metadata import page_link, table_metadata
from g2_pipelines.defs.partitions import documents
from g2_pipelines.defs.steps import StepRun, build_step, completion
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.tables.line2 import (
    DocumentNode,
    GraphEdge,
    GraphMetrics,
    GraphNode,
    IndexRow,
    PdfDocument,
)
from g2_pipelines.tables.store import read_table, rows_digest, write_atomic, write_table

if TYPE_CHECKING:
    from g2_pipelines.graph.ports import Evolver, NodeAnalyst
    from g2_pipelines.graph.state import GraphState
    from g2_pipelines.models.ports import EmbeddingPort


class _Models:
    """The engines of one run, made when first due, and the index's one writer."""

    def __init__(self, ws: Workspace, run: StepRun) -> None:
        self.ws, self.run = ws, run
        self.writing = asyncio.Lock()
        self._tasks: tuple[NodeAnalyst, Evolver] | None = None
        self._embedding: EmbeddingPort | None = None

    @property
    def tasks(self) -> tuple[NodeAnalyst, Evolver]:
        """(analyst, evolver) of the configured engine."""
        from g2_pipelines.graph.build import build_tasks

        if self._tasks is None:
            self._tasks = build_tasks(completion(self.ws, self.run))
        return self._tasks

    @property
    def embedding(self) -> EmbeddingPort:
        """The configured embedding."""
        if self._embedding is None:
            self._embedding = self.ws.embedding()
        return self._embedding


async def make_round(models: _Models, round_: int, document_id: str) -> Stored:
    """Round 0 analyses every node; a later one evolves the stored round before it."""
    from g2_pipelines.graph.analyse import analyse
    from g2_pipelines.graph.evolve import evolve

    ws = models.ws
    nodes = read_table(ws.home.table("document_nodes", document_id), DocumentNode)
    analyst, evolver = models.tasks
    images = partial(read_picture, ws) if ws.settings.vision else None
    if round_ == 0:
        state = await analyse(nodes, analyst=analyst, embedding=models.embedding, images=images)
    else:
        before = await asyncio.to_thread(read_graph, ws, document_id, round_ - 1)
        state = await evolve(
            nodes, before, evolver=evolver, embedding=models.embedding, images=images
        )
    return _store_round(ws, state)


def _store_round(ws: Workspace, state: GraphState) -> Stored:
    main, edges, metrics = graph_tables(state.round)
    document_id = state.document_id
    # The main table last: what has it has the others too.
    edge_digest = write_table(ws.home.table(edges, document_id), state.edges, GraphEdge)
    write_table(ws.home.table(metrics, document_id), [state.metrics], GraphMetrics)
    path = ws.home.table(main, document_id)
    digest = write_table(path, state.nodes, GraphNode)
    numbers: dict[str, Any] = {
        name: value
        for name, value in state.metrics.model_dump().items()
        if name not in {"document_id", "round"}
    }
    report = state.report
    more = {
        **numbers,
        "links_rejected_by_reason": dg.MetadataValue.json(dict(report.links_rejected)),
        "updates_rejected_by_reason": dg.MetadataValue.json(dict(report.updates_rejected)),
        "failures": dg.MetadataValue.json(dict(report.failures)),
    }
    columns = ["node_id", "summary", "keywords", "changed", "degraded"]
    return Stored(
        f"{digest[:32]}{edge_digest[:32]}", table_metadata(state.nodes, columns, path, **more)
    )


async def make_node_index(models: _Models, document_id: str) -> Stored:
    """Put the last round's nodes into LanceDB, in the place of the document's rows."""
    from g2_pipelines.graph.page import graph_page
    from g2_pipelines.index.rows import index_rows

    ws, embedding = models.ws, models.embedding
    nodes = read_table(ws.home.table("document_nodes", document_id), DocumentNode)
    document = read_table(ws.home.table("pdf_documents", document_id), PdfDocument)[0]
    state = await asyncio.to_thread(read_graph, ws, document_id, ws.settings.rounds)
    vectors = []
    for vector in await embedding.embed([node.embedding_text for node in state.nodes]):
        if not isinstance(vector, list):
            raise vector
        vectors.append(vector)
    rows = index_rows(
        nodes=nodes,
        graph=state.nodes,
        vectors=vectors,
        embedding_model=embedding.model,
        dimension=embedding.dimension,
        edinet_code=document.edinet_code,
    )
    async with models.writing:
        index = await asyncio.to_thread(ws.index, embedding)
        await asyncio.to_thread(index.replace_document, document_id, rows)
    page = ws.home.pages / "graphs" / f"{document_id}.html"
    write_atomic(page, graph_page(nodes, stored_rounds(ws, document_id)).encode())
    more = {
        "round": ws.settings.rounds,
        "embedding": f"{embedding.model}, {embedding.dimension} numbers",
        "graph": page_link(ws.home, page, ws.settings.pages_url),
    }
    columns = ["node_id", "kind", "page", "summary", "keywords"]
    return Stored(rows_digest(rows), table_metadata(rows, columns, ws.home.lance, **more))


def _specs(rounds: int) -> list[dg.AssetSpec]:
    made = [
        specs.asset_spec(
            specs.content_graph(0),
            GraphNode,
            group=specs.LINE_2,
            owner=specs.Owner.GRAPH,
            description="Round 0: each node analysed alone (summary, keywords, entities), and the"
            " structural edges.",
            deps=(specs.DOCUMENT_NODES,),
            kinds=("llm", "polars", "parquet"),
        )
    ]
    made += [
        specs.asset_spec(
            specs.content_graph(r),
            GraphNode,
            group=specs.LINE_2,
            owner=specs.Owner.GRAPH,
            description=f"Round {r}: every node's summary, keywords and links rewritten from its"
            f" neighbours as they were in round {r - 1}.",
            deps=(specs.content_graph(r - 1), specs.DOCUMENT_NODES),
            kinds=("llm", "polars", "parquet"),
        )
        for r in range(1, rounds + 1)
    ]
    made.append(
        specs.asset_spec(
            specs.NODE_INDEX,
            IndexRow,
            group=specs.LINE_2,
            owner=specs.Owner.GRAPH,
            description="The last round in LanceDB: vectors and character-bigram full text, one"
            " row a node.",
            deps=(specs.content_graph(rounds), specs.DOCUMENT_NODES),
            kinds=("lancedb",),
        )
    )
    return made


def _stages(rounds: int, ws: Workspace, run: StepRun) -> list[Stage]:
    models = _Models(ws, run)
    made = [
        Stage(
            specs.content_graph(r),
            (specs.DOCUMENT_NODES,)
            if r == 0
            else (specs.content_graph(r - 1), specs.DOCUMENT_NODES),
            partial(make_round, models, r),
        )
        for r in range(rounds + 1)
    ]
    made.append(
        Stage(
            specs.NODE_INDEX,
            (specs.content_graph(rounds), specs.DOCUMENT_NODES),
            partial(make_node_index, models),
        )
    )
    return made


def build_graph(rounds: int, batch_size: int) -> dg.AssetsDefinition:
    """The step ``graph`` with rounds 0 … ``rounds`` and the index."""
    return build_step(
        "graph",
        _specs(rounds),
        partial(_stages, rounds),
        partitions=documents,
        batch_size=batch_size,
        concurrency=4,
        pool="node_index",  # one writer at a time
    )
