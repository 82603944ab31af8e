"""Rounds 1…T: the synchronous joint update of attributes and links.

Here: ``evolve``, one round, and the early stop. It reads only the frozen state of the round
before, so that order and concurrency cannot change the result, and writes a whole new state.
Not here: who proposes (``extractive``, ``prompted``), what may be linked (``candidates``,
``links``), and how a round decides (``rounds``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from g2_pipelines.graph.analyse import Progress, check_share
from g2_pipelines.graph.candidates import contexts_of
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.content import Images
from g2_pipelines.graph.ports import Evolver, NodeContext, Proposal
from g2_pipelines.graph.rounds import Round
from g2_pipelines.graph.state import GraphState, RoundReport, body, check_state
from g2_pipelines.graph.vectors import with_vectors
from g2_pipelines.graph.vocabulary import Vocabulary, vocabulary_of
from g2_pipelines.models.errors import Failure
from g2_pipelines.models.ports import EmbeddingPort
from g2_pipelines.tables.line2 import DocumentNode


async def evolve(
    nodes: Sequence[DocumentNode],
    state: GraphState,
    *,
    evolver: Evolver,
    embedding: EmbeddingPort,
    config: EvolutionConfig | None = None,
    images: Images | None = None,
    progress: Progress | None = None,
) -> GraphState:
    """The state of round ``state.round + 1``.

    A node whose call failed keeps its attributes and links and is marked degraded. Structural
    edges are taken over as they are. Only nodes with a proposed update are embedded.

    Args:
        nodes: All nodes of the document, in any order.
        state: The round before; its vectors are made where it has none.
        evolver: Who proposes.
        embedding: Who embeds.
        config: Bounds of the round.
        images: Crops by ``DocumentNode.image``.
        progress: Called after each batch with nodes done and in all.

    Raises:
        DegradedGraphError: more nodes failed than ``config.degraded_share``.
        GraphMismatchError: ``state`` is not a graph of these nodes.
    """
    config = config or EvolutionConfig()
    kept = body(nodes)
    check_state(kept, state)
    if is_at_rest(state, evolver, config):
        return _carried(state)
    state, unembedded = await with_vectors(state, embedding)
    vocabulary = vocabulary_of(kept)
    contexts = contexts_of(
        kept, state, nearest=config.nearest, limit=config.candidates, images=images
    )
    proposals = await _proposals(contexts, evolver, vocabulary, config, progress)
    round_ = Round(
        state,
        contexts,
        proposals,
        vocabulary=vocabulary,
        config=config,
        unembedded=unembedded,
    )
    round_.decide_links()
    round_.check_texts()
    await round_.check_likeness(embedding)
    check_share(
        round_.failures,
        len(kept),
        document_id=state.document_id,
        round_=state.round + 1,
        config=config,
    )
    return round_.state_after(evolver)


async def _proposals(
    contexts: Sequence[NodeContext],
    evolver: Evolver,
    vocabulary: Vocabulary,
    config: EvolutionConfig,
    progress: Progress | None,
) -> list[Proposal | Failure]:
    out: list[Proposal | Failure] = []
    for start in range(0, len(contexts), config.batch):
        out += await evolver.evolve(contexts[start : start + config.batch], vocabulary)
        if progress is not None:
            progress(len(out), len(contexts))
    return out


def is_at_rest(state: GraphState, evolver: Evolver, config: EvolutionConfig) -> bool:
    """True when the last round changed too little, or made the nodes too much alike, to go on.

    Never after round 0, after a round with failures, or with another evolver than the last.
    """
    metrics = state.metrics
    if state.round < 1 or metrics.degraded:
        return False
    maker = (evolver.engine, evolver.model, evolver.prompt_version)
    if any((n.engine, n.model, n.prompt_version) != maker for n in state.nodes):
        return False
    loss = config.stop_margin_loss
    if loss is not None and metrics.margin_change < -loss:
        return True
    if config.stop_changed_share is None:
        return metrics.carried
    quiet = metrics.changed <= config.stop_changed_share * metrics.nodes
    return quiet and metrics.edge_jaccard >= config.stop_edge_jaccard


def _carried(state: GraphState) -> GraphState:
    round_ = state.round + 1
    nothing = {
        "round": round_,
        **dict.fromkeys(
            ("changed", "edges_added", "edges_dropped", "links_rejected", "updates_rejected"), 0
        ),
        "keywords_rejected": 0,
        "margin_change": 0.0,
        "edge_jaccard": 1.0,
        "refused": [],
        "carried": True,
    }
    return replace(
        state,
        round=round_,
        nodes=[n.model_copy(update={"round": round_, "changed": False}) for n in state.nodes],
        edges=[e.model_copy(update={"round": round_}) for e in state.edges],
        metrics=state.metrics.model_copy(update=nothing),
        report=RoundReport(),
    )
