"""Which nodes a node may be linked to in a round, and under which labels.

Here: ``contexts_of``: nearest by embedding ∪ present links ∪ structural neighbours, itself
excluded, bounded and labelled c1…cK. Everything is read from the frozen state of the round
before. Not here: who decides on the links (``ports``), or which are accepted (``links``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from g2_pipelines.graph.content import Images, document_language, image_part
from g2_pipelines.graph.ports import Candidate, NodeContext, Tie
from g2_pipelines.graph.state import GraphState, is_structural
from g2_pipelines.tables.line2 import DocumentNode, GraphEdge, GraphNode

_BLOCK = 1_024
#: Ties in the order in which candidates are kept and shown: what the document itself says,
#: then present links, then likeness.
_TIE_ORDER = (
    "refers_to",
    "caption_of",
    "continued_on",
    "section",
    "linked",
    "similar",
    "reading_order",
)


def contexts_of(
    nodes: Sequence[DocumentNode],
    state: GraphState,
    *,
    nearest: int,
    limit: int,
    images: Images | None = None,
) -> list[NodeContext]:
    """One context per node, in reading order.

    Args:
        nodes: The document's body, in reading order.
        state: The graph after the round before, with its attribute vectors.
        nearest: How many nearest nodes by embedding become candidates.
        limit: Most candidates of a node; explicit ties are kept before likeness.
        images: Crops of visual nodes.
    """
    index = {node.node_id: at for at, node in enumerate(nodes)}
    attributes = {node.node_id: node for node in state.nodes}
    ties, linked = _ties(state.edges)
    similarity = _Similarity([node.node_id for node in nodes], state.vectors.attributes)
    for at, node in enumerate(nodes):
        for other in similarity.nearest(at, nearest):
            ties[node.node_id][nodes[other].node_id].add(Tie("similar", "near"))
    language = document_language(nodes)
    contexts: list[NodeContext] = []
    for at, node in enumerate(nodes):
        mine = ties[node.node_id]
        mine.pop(node.node_id, None)
        chosen = _chosen(mine, at, index, limit)
        contexts.append(
            NodeContext(
                node=node,
                state=attributes[node.node_id],
                candidates=tuple(
                    _candidate(
                        f"c{place}",
                        nodes[index[other]],
                        attributes[other],
                        ties=tuple(sorted(mine[other], key=_tie_key)),
                        position=index[other] - at,
                        similarity=similarity.between(at, index[other]),
                        linked=linked.get((node.node_id, other), ""),
                    )
                    for place, other in enumerate(chosen, start=1)
                ),
                language=language,
                image=image_part(node, images),
            )
        )
    return contexts


def _ties(
    edges: Sequence[GraphEdge],
) -> tuple[dict[str, dict[str, set[Tie]]], dict[tuple[str, str], str]]:
    """Ties of both ends of every structural edge and of the source of every link."""
    ties: dict[str, dict[str, set[Tie]]] = defaultdict(lambda: defaultdict(set))
    linked: dict[tuple[str, str], str] = {}
    for edge in edges:
        if is_structural(edge):
            ties[edge.source][edge.target].add(Tie(edge.kind, "out"))
            ties[edge.target][edge.source].add(Tie(edge.kind, "in"))
        else:
            ties[edge.source][edge.target].add(Tie("linked", "out"))
            linked[edge.source, edge.target] = edge.kind
    return ties, linked


def _tie_key(tie: Tie) -> tuple[int, str]:
    return _TIE_ORDER.index(tie.kind), tie.direction


def _chosen(
    mine: Mapping[str, set[Tie]], at: int, index: Mapping[str, int], limit: int
) -> list[str]:
    """The candidates kept, best tie first; a heading's many members must not fill the list."""

    def rank(other: str) -> tuple[int, int, int]:
        best = min(mine[other], key=_tie_key)
        # The members of a heading come after everything else that it is tied to.
        kind = len(_TIE_ORDER) if best == Tie("section", "out") else _tie_key(best)[0]
        return kind, abs(index[other] - at), index[other]

    return sorted(mine, key=rank)[:limit]


def _candidate(
    label: str,
    node: DocumentNode,
    state: GraphNode,
    *,
    ties: tuple[Tie, ...],
    position: int,
    similarity: float,
    linked: str,
) -> Candidate:
    borrowed = {item.term for item in state.resolved}
    return Candidate(
        label=label,
        node_id=node.node_id,
        kind=node.kind,
        summary=state.summary,
        keywords=tuple(state.keywords),
        own_keywords=tuple(word for word in state.keywords if word not in borrowed),
        ties=ties,
        position=position,
        similarity=similarity,
        linked=linked,
    )


class _Similarity:
    """Cosine between a document's nodes; nodes without a vector are near to none."""

    def __init__(self, ids: Sequence[str], vectors: Mapping[str, Sequence[float]]) -> None:
        self._rows = [at for at, node_id in enumerate(ids) if node_id in vectors]
        self._matrix = unit_rows([vectors[ids[at]] for at in self._rows])
        self._row_of = {at: row for row, at in enumerate(self._rows)}
        self._block_start = -1
        self._block: NDArray[np.float64] = np.zeros((0, 0))

    def between(self, a: int, b: int) -> float:
        """Cosine of two nodes by place, 0 where one has no vector."""
        if a not in self._row_of or b not in self._row_of:
            return 0.0
        return float(self._line(self._row_of[a])[self._row_of[b]])

    def nearest(self, at: int, count: int) -> list[int]:
        """Places of the ``count`` nearest other nodes, the nearest first, ties by place."""
        row = self._row_of.get(at)
        if row is None or count < 1:
            return []
        line = self._line(row).copy()
        line[row] = -np.inf
        count = min(count, len(line) - 1)
        if count < 1:
            return []
        # Rounded values tie often; sorted stably, the earlier node wins.
        least = np.partition(line, len(line) - count)[len(line) - count]
        near = np.flatnonzero(line >= least)
        best = near[np.argsort(-line[near], kind="stable")][:count]
        return [self._rows[int(other)] for other in best]

    def _line(self, row: int) -> NDArray[np.float64]:
        start = row - row % _BLOCK
        if start != self._block_start:
            # Rounded, so that the last bits of a matrix product cannot decide an order.
            product = self._matrix[start : start + _BLOCK] @ self._matrix.T
            self._block_start, self._block = start, np.round(product, 6)
        line: NDArray[np.float64] = self._block[row - start]
        return line


def unit_rows(vectors: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Vectors as rows of unit length (a zero vector stays zero)."""
    if not vectors:
        return np.zeros((0, 1))
    matrix = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    result: NDArray[np.float64] = matrix / np.where(lengths == 0, 1.0, lengths)
    return result
