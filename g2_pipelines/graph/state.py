"""The state of a document's content graph after a round, and what can go wrong with it.

Here: ``GraphState`` with its in-memory companions (vectors, the round's report), the order in
which nodes and edges stand in it, and the graph's typed errors. Not here: how a state is made
(``analyse``, ``evolve``) or stored (``defs``). Anyone above ``models`` may import this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import get_args

from g2_pipelines.errors import ModelError, StateError
from g2_pipelines.tables.line2 import (
    SEMANTIC_KINDS,
    DocumentNode,
    GraphEdge,
    GraphMetrics,
    GraphNode,
    StructuralKind,
)

STRUCTURAL_KINDS: tuple[StructuralKind, ...] = get_args(StructuralKind)
_KIND_ORDER: dict[str, int] = {kind: at for at, kind in enumerate(STRUCTURAL_KINDS)}
_KIND_ORDER |= dict.fromkeys(SEMANTIC_KINDS, len(STRUCTURAL_KINDS))


class DegradedGraphError(ModelError):
    """More nodes of a document failed in one round than the set share allows."""

    code = "degraded_graph"


class GraphMismatchError(StateError):
    """A stored graph does not belong to the nodes it is used with."""

    code = "graph_mismatch"


class EmptyDocumentError(StateError):
    """A document has no node that could take part in a graph."""

    code = "empty_document"


@dataclass(frozen=True)
class Vectors:
    """Unit vectors by node_id: of ``embedding_text`` and, where it was needed, of the content.

    Kept in memory between the rounds of one process, so that only changed nodes are embedded
    again; never stored, for a state read back from its tables embeds its texts once more.
    """

    attributes: Mapping[str, Sequence[float]] = field(default_factory=dict)
    content: Mapping[str, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class RoundReport:
    """Which nodes failed in a round: node_id to the failure's sentence."""

    failures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GraphState:
    """A document's graph after ``round``: nodes in reading order, edges by source and kind.

    ``nodes``, ``edges`` and ``metrics`` are rows of the tables; ``vectors`` and ``report``
    live only as long as the process.
    """

    document_id: str
    round: int
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    metrics: GraphMetrics
    vectors: Vectors = field(default_factory=Vectors, compare=False, repr=False)
    report: RoundReport = field(default_factory=RoundReport, compare=False, repr=False)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Each node's place in reading order, from 0."""
        return {node.node_id: at for at, node in enumerate(self.nodes)}

    @cached_property
    def touching(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the edges at each node, at either end, ascending.

        A readout asks for a few nodes' edges; a graph has thousands.
        """
        found: dict[str, list[int]] = {}
        for at, edge in enumerate(self.edges):
            found.setdefault(edge.source, []).append(at)
            if edge.target != edge.source:
                found.setdefault(edge.target, []).append(at)
        return found


def body(nodes: Sequence[DocumentNode]) -> list[DocumentNode]:
    """The nodes that take part in the graph, in reading order; furniture is left out.

    Sorting here, by (order, node_id), is what makes every result independent of input order.

    Raises:
        GraphMismatchError: nodes of several documents, or a node_id twice.
        EmptyDocumentError: nothing but furniture.
    """
    kept = [node for node in nodes if node.kind != "furniture" and node.order >= 0]
    if not kept:
        name = nodes[0].document_id if nodes else ""
        msg = "the document has no node for a graph"
        raise EmptyDocumentError(msg, file=name, remedy="Look at its document_quality row")
    if len({node.document_id for node in kept}) > 1:
        msg = "a graph is made of one document's nodes"
        raise GraphMismatchError(msg, file=kept[0].document_id)
    if len({node.node_id for node in kept}) != len(kept):
        msg = "two nodes have the same node_id"
        raise GraphMismatchError(msg, file=kept[0].document_id)
    return sorted(kept, key=lambda node: (node.order, node.node_id))


def check_state(nodes: Sequence[DocumentNode], state: GraphState) -> None:
    """Raise GraphMismatchError unless ``state`` is a graph of exactly these body nodes."""
    ids = {node.node_id for node in nodes}
    have = {node.node_id for node in state.nodes}
    if ids == have and len(state.nodes) == len(have):
        return
    msg = f"round {state.round} holds {len(have)} nodes, the document {len(ids)}"
    raise GraphMismatchError(
        msg,
        file=state.document_id,
        place=f"content_graph/round_{state.round}",
        remedy="Materialize content_graph/round_0 and the later rounds again",
    )


def sort_edges(edges: Sequence[GraphEdge], order: Mapping[str, int]) -> list[GraphEdge]:
    """Edges by source's place in the document; its structural ones by kind, then by rank."""
    return sorted(
        edges,
        key=lambda e: (order[e.source], _KIND_ORDER[e.kind], e.rank, order[e.target]),
    )


def is_structural(edge: GraphEdge) -> bool:
    """True for the edges that never change over rounds."""
    return edge.kind in STRUCTURAL_KINDS
