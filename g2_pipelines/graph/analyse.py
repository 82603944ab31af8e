"""Round 0: every node analysed and embedded, the structural edges laid.

Here: ``analyse``. Not here: who analyses (``extract``, ``prompted``), later rounds
(``evolve``), where states are stored (``defs``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.content import Images, document_language, embedding_text, image_part
from g2_pipelines.graph.extract import ENGINE, MODEL, clip, extract
from g2_pipelines.graph.guards import CheckedUpdate, check_update, held_names
from g2_pipelines.graph.metrics import metrics_of
from g2_pipelines.graph.ports import Analysis, NodeAnalyst, NodeView
from g2_pipelines.graph.state import (
    DegradedGraphError,
    GraphState,
    RoundReport,
    Vectors,
    body,
)
from g2_pipelines.graph.structure import structural_edges
from g2_pipelines.graph.vectors import embed_texts
from g2_pipelines.graph.vocabulary import Vocabulary, own_content, vocabulary_of
from g2_pipelines.models.errors import Failure
from g2_pipelines.models.ports import EmbeddingPort
from g2_pipelines.tables.line2 import DocumentNode, GraphNode

Progress = Callable[[int, int], None]


async def analyse(
    nodes: Sequence[DocumentNode],
    *,
    analyst: NodeAnalyst,
    embedding: EmbeddingPort,
    images: Images | None = None,
    config: EvolutionConfig | None = None,
    progress: Progress | None = None,
) -> GraphState:
    """The graph of round 0.

    A node whose analysis or embedding failed is kept with its extractive analysis (engine
    ``extractive``) and marked degraded. An analysis that breaks a guard (a figure or name that
    is not in the node's caption, text, cells or OCR text) is replaced by the extractive one and
    counted in updates_rejected; so is what a model read in the picture alone, which nothing can
    check. Keywords and entities are dropped one by one and counted.

    Args:
        nodes: All nodes of one document, in any order.
        analyst: Who analyses.
        embedding: Who embeds summary and keywords.
        images: Crops by ``DocumentNode.image``.
        config: Lengths, batch and the share of nodes that may fail.
        progress: Called after each batch with nodes done and in all.

    Raises:
        DegradedGraphError: more nodes failed than ``config.degraded_share``.
        EmptyDocumentError, GraphMismatchError: see ``state.body``.
    """
    config = config or EvolutionConfig()
    kept = body(nodes)
    vocabulary = vocabulary_of(kept)
    language = document_language(kept)
    views = [NodeView(node, language, image_part(node, images)) for node in kept]
    analyses: list[Analysis | Failure] = []
    for start in range(0, len(views), config.batch):
        analyses += await analyst.analyse(views[start : start + config.batch], vocabulary)
        if progress is not None:
            progress(len(analyses), len(views))
    failures: dict[str, str] = {}
    refused: dict[str, Counter[str]] = defaultdict(Counter)
    rows: list[GraphNode] = []
    for view, result in zip(views, analyses, strict=True):
        row = _row(view, result, analyst, vocabulary, config, refused=refused)
        rows.append(row)
        if not isinstance(result, Analysis):
            failures[row.node_id] = str(result)
    vectors, unembedded = await embed_texts(
        {row.node_id: row.embedding_text for row in rows}, embedding
    )
    failures |= unembedded
    check_share(failures, len(rows), document_id=kept[0].document_id, round_=0, config=config)
    rows = [row.model_copy(update={"degraded": row.node_id in failures}) for row in rows]
    edges = structural_edges(kept)
    return GraphState(
        document_id=kept[0].document_id,
        round=0,
        nodes=rows,
        edges=edges,
        metrics=metrics_of(
            rows,
            edges,
            [],
            vectors,
            updates_rejected=refused["update"],
            keywords_rejected=refused["keyword"],
            entities_rejected=refused["entity"],
        ),
        vectors=Vectors(attributes=vectors),
        report=RoundReport(failures),
    )


def check_share(
    failures: dict[str, str], nodes: int, *, document_id: str, round_: int, config: EvolutionConfig
) -> None:
    """Raise DegradedGraphError when more than the set share of nodes failed."""
    if len(failures) <= config.degraded_share * nodes:
        return
    node_id, first = min(failures.items())
    msg = f"{len(failures)} of {nodes} nodes failed, the first: {first}"
    raise DegradedGraphError(
        msg,
        file=document_id,
        place=f"content_graph/round_{round_}, node {node_id}",
        remedy="Run the round again: finished calls are kept, only failed ones are repeated",
    )


def _row(
    view: NodeView,
    result: Analysis | Failure,
    analyst: NodeAnalyst,
    vocabulary: Vocabulary,
    config: EvolutionConfig,
    *,
    refused: dict[str, Counter[str]],
) -> GraphNode:
    """The node's row; what of its analysis was refused is added to ``refused``."""
    if not isinstance(result, Analysis):
        return _extracted(view, vocabulary, config, ())
    analysis = replace(result, summary=clip(result.summary, config))
    if analyst.engine == ENGINE:  # the node's own words by construction
        return _made(view, analysis, analyst.engine, analyst.model, analyst.prompt_version)
    own = own_content(view.node, vocabulary.contents[view.node.node_id])
    checked = check_update(
        analysis.summary,
        analysis.keywords,
        own=own,
        lenders={},
        vocabulary=vocabulary,
        config=config,
        language=view.language,
        pictured=view.image is not None,
    )
    if not isinstance(checked, CheckedUpdate):
        refused["update"][checked] += 1
        return _extracted(view, vocabulary, config, result.call_keys)
    entities, dropped = held_names(analysis.entities, own, len(analysis.entities))
    refused["keyword"].update(checked.keywords_dropped)
    refused["entity"].update(dropped)
    accepted = replace(
        analysis, summary=checked.summary, keywords=checked.keywords, entities=entities
    )
    return _made(view, accepted, analyst.engine, analyst.model, analyst.prompt_version)


def _extracted(
    view: NodeView, vocabulary: Vocabulary, config: EvolutionConfig, call_keys: tuple[str, ...]
) -> GraphNode:
    analysis = extract(view.node, view.language, vocabulary, config)
    return _made(view, replace(analysis, call_keys=call_keys), ENGINE, MODEL, "")


def _made(
    view: NodeView, analysis: Analysis, engine: str, model: str, prompt_version: str
) -> GraphNode:
    return GraphNode(
        engine=engine,
        model=model,
        prompt_version=prompt_version,
        call_keys=list(analysis.call_keys),
        document_id=view.node.document_id,
        round=0,
        node_id=view.node.node_id,
        summary=analysis.summary,
        keywords=list(analysis.keywords),
        entities=list(analysis.entities),
        changed=True,
        embedding_text=embedding_text(analysis.summary, analysis.keywords),
    )
