"""The step ``graph``: the content graph in rounds, one asset each, and the node index.

Here: what a round reads and stores. Analysis and evolution stand in ``graph``, the LanceDB
table in ``index``. A round reads only the stored state of the one before.

https://docs.dagster.io/guides/build/assets/defining-assets#multi-asset
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.evidence import (
    explorer,
    graph_tables,
    metrics_until,
    read_graph,
    read_picture,
)
from g2_pipelines.defs.graph_versions import GraphVersions
from g2_pipelines.defs.metadata import page_link, picture, table_metadata
from g2_pipelines.defs.node_rows import document_rows
from g2_pipelines.defs.partitions import documents
from g2_pipelines.defs.steps import StepRun, build_step, completion
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.tables.line2 import (
    DocumentNode,
    GraphEdge,
    GraphMetrics,
    GraphNode,
    IndexRow,
)
from g2_pipelines.tables.store import read_table, rows_digest, write_atomic, write_table

if TYPE_CHECKING:
    from g2_pipelines.graph.ports import Evolver, NodeAnalyst
    from g2_pipelines.graph.state import GraphState
    from g2_pipelines.index.lance import NodeIndex
    from g2_pipelines.models.ports import EmbeddingPort
    from g2_pipelines.models.prompts import PromptSet


class _Models:
    """The engines of one run, made when first due, and the index's one writer."""

    def __init__(self, ws: Workspace, run: StepRun) -> None:
        self.ws, self.run = ws, run
        self.writing = asyncio.Lock()
        self._tasks: tuple[NodeAnalyst, Evolver] | None = None
        self._embedding: EmbeddingPort | None = None
        self._index: NodeIndex | None = None

    @property
    def tasks(self) -> tuple[NodeAnalyst, Evolver]:
        """(analyst, evolver) of the configured engine."""
        from g2_pipelines.graph.build import build_tasks

        if self._tasks is None:
            self._tasks = build_tasks(completion(self.ws, self.run), self.ws.evolution)
        return self._tasks

    @property
    def embedding(self) -> EmbeddingPort:
        """The configured embedding."""
        if self._embedding is None:
            self._embedding = self.ws.embedding()
        return self._embedding

    def index(self) -> NodeIndex:
        """The node index, opened once a run: it knows when its indexes are next looked at."""
        if self._index is None:
            self._index = self.ws.index(self.embedding)
        return self._index

    def finish(self) -> None:
        """Leave the index quick to search, if this run wrote it."""
        if self._index is not None:
            self._index.catch_up()


def _progress(round_: int, document_id: str) -> Callable[[int, int], None]:
    """Says in the run's log how far a round has come, once a batch of nodes."""
    log = dg.get_dagster_logger()

    def tell(done: int, nodes: int) -> None:
        log.info("%s, round %d: %d of %d nodes", document_id, round_, done, nodes)

    return tell


async def make_round(models: _Models, round_: int, document_id: str) -> Stored:
    """Round 0 analyses every node; a later one evolves the stored round before it."""
    from g2_pipelines.graph.analyse import analyse
    from g2_pipelines.graph.evolve import evolve

    ws = models.ws
    nodes = read_table(ws.home.table("document_nodes", document_id), DocumentNode)
    analyst, evolver = models.tasks
    given: dict[str, Any] = {
        "embedding": models.embedding,
        "images": partial(read_picture, ws) if ws.settings.vision else None,
        "config": ws.evolution,
        "progress": _progress(round_, document_id),
    }
    if round_ == 0:
        state = await analyse(nodes, analyst=analyst, **given)
    else:
        before = await asyncio.to_thread(read_graph, ws, document_id, round_ - 1)
        state = await evolve(nodes, before, evolver=evolver, **given)
    return _store_round(ws, state)


def _store_round(ws: Workspace, state: GraphState) -> Stored:
    from g2_pipelines.graph.metrics import reasons
    from g2_pipelines.graph.plots import round_plots

    main, edges, metrics = graph_tables(state.round)
    document_id = state.document_id
    # The main table last: what has it has the others too.
    edge_digest = write_table(ws.home.table(edges, document_id), state.edges, GraphEdge)
    write_table(ws.home.table(metrics, document_id), [state.metrics], GraphMetrics)
    path = ws.home.table(main, document_id)
    digest = write_table(path, state.nodes, GraphNode)
    row = state.metrics
    # Plain numbers: the UI draws each of them over the runs of an asset.
    numbers: dict[str, Any] = {
        name: value
        for name, value in row.model_dump(exclude={"document_id", "round", "refused"}).items()
        if not isinstance(value, bool)
    }
    earlier = metrics_until(ws, document_id, state.round)
    more = {
        **numbers,
        "changed_share": row.changed / row.nodes,
        "stopped_early": row.carried,
        "rounds_so_far": picture(round_plots([*earlier, row])),
        "links_rejected_by_reason": dg.MetadataValue.json(reasons(row, "link")),
        "updates_rejected_by_reason": dg.MetadataValue.json(reasons(row, "update")),
        "keywords_rejected_by_reason": dg.MetadataValue.json(reasons(row, "keyword")),
        "entities_rejected_by_reason": dg.MetadataValue.json(reasons(row, "entity")),
        "refused": _refused(row),
        "failures": dg.MetadataValue.json(dict(state.report.failures)),
        "bounds": dg.MetadataValue.json(ws.evolution.model_dump()),
    }
    columns = ["node_id", "summary", "keywords", "changed", "degraded"]
    return Stored(
        f"{digest[:32]}{edge_digest[:32]}", table_metadata(state.nodes, columns, path, **more)
    )


def _refused(row: GraphMetrics) -> dg.TableMetadataValue:
    """What the round refused, by reason, as a table."""
    columns = [dg.TableColumn("what"), dg.TableColumn("reason"), dg.TableColumn("count", "int")]
    return dg.MetadataValue.table(
        [
            dg.TableRecord({"what": one.what, "reason": one.reason, "count": one.count})
            for one in row.refused
        ],
        schema=dg.TableSchema(columns=columns),
    )


async def make_node_index(models: _Models, document_id: str) -> Stored:
    """Put the chosen round's nodes into LanceDB, in the place of the document's rows."""
    ws, embedding = models.ws, models.embedding
    rows = await document_rows(ws, embedding, ws.index_round, document_id)
    async with models.writing:
        index = await asyncio.to_thread(models.index)
        await asyncio.to_thread(index.replace_document, document_id, rows)
    page = ws.home.pages / "graphs" / f"{document_id}.html"
    write_atomic(page, (await asyncio.to_thread(explorer, ws, document_id)).encode())
    more = {
        "round": ws.index_round,
        "embedding": f"{embedding.model}, {embedding.dimension} numbers",
        "graph": page_link(ws.home, page, ws.settings.pages_url),
    }
    columns = ["node_id", "kind", "page", "summary", "keywords"]
    return Stored(rows_digest(rows), table_metadata(rows, columns, ws.home.lance, **more))


def _specs(ws: Workspace, versions: GraphVersions) -> list[dg.AssetSpec]:
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
            code_version=versions.of_round(0),
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
            code_version=versions.of_round(r),
        )
        for r in range(1, ws.settings.rounds + 1)
    ]
    made.append(
        specs.asset_spec(
            specs.NODE_INDEX,
            IndexRow,
            group=specs.LINE_2,
            owner=specs.Owner.GRAPH,
            description=f"Round {ws.index_round} in LanceDB: vectors and character-bigram full"
            " text, one row a node.",
            deps=(specs.content_graph(ws.index_round), specs.DOCUMENT_NODES),
            kinds=("lancedb",),
            code_version=versions.of_index(),
        )
    )
    return made


def _stages(versions: GraphVersions, ws: Workspace, run: StepRun) -> list[Stage]:
    models = _Models(ws, run)
    made = [
        Stage(
            specs.content_graph(r),
            (specs.DOCUMENT_NODES,)
            if r == 0
            else (specs.content_graph(r - 1), specs.DOCUMENT_NODES),
            partial(make_round, models, r),
            code_version=versions.of_round(r),
        )
        for r in range(ws.settings.rounds + 1)
    ]
    made.append(
        Stage(
            specs.NODE_INDEX,
            (specs.content_graph(ws.index_round), specs.DOCUMENT_NODES),
            partial(make_node_index, models),
            code_version=versions.of_index(),
            finish=models.finish,
        )
    )
    return made


def build_graph(ws: Workspace, *, prompts: PromptSet | None = None) -> dg.AssetsDefinition:
    """The step ``graph`` with rounds 0 … T and the index."""
    versions = GraphVersions(ws, prompts)
    return build_step(
        "graph",
        _specs(ws, versions),
        partial(_stages, versions),
        partitions=documents,
        batch_size=ws.settings.batch_size,
        concurrency=4,
        pool="node_index",  # one writer at a time
    )
