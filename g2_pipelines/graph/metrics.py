"""What a round did, in numbers: the ``GraphMetrics`` row and the spread of the vectors.

Here: pure functions of two states' rows. Imported by ``analyse`` and ``evolve``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from g2_pipelines.graph.candidates import unit_rows
from g2_pipelines.graph.state import is_structural
from g2_pipelines.tables.line2 import GraphEdge, GraphMetrics, GraphNode, Refused, RefusedKind
from g2_pipelines.text.fold import fold_text

_BLOCK = 1_024
Key = tuple[str, str, str]


def metrics_of(
    nodes: Sequence[GraphNode],
    edges: Sequence[GraphEdge],
    before: Sequence[GraphEdge],
    vectors: Mapping[str, Sequence[float]],
    *,
    margin_before: float | None = None,
    links_rejected: Mapping[str, int] | None = None,
    updates_rejected: Mapping[str, int] | None = None,
    keywords_rejected: Mapping[str, int] | None = None,
    entities_rejected: Mapping[str, int] | None = None,
) -> GraphMetrics:
    """The metrics row of a round.

    Args:
        nodes: Its nodes in the document's order.
        edges: Its edges.
        before: The edges of the round before.
        vectors: Attribute vectors by node_id.
        margin_before: ``nearest_margin`` of the round before; None where there is none.
        links_rejected: By reason.
        updates_rejected: By reason.
        keywords_rejected: Keywords that were dropped from updates that stand, by reason.
        entities_rejected: Entities that were dropped from analyses that stand, by reason.
    """
    margin = nearest_margin([*vectors.values()])
    refused = [
        Refused(what=what, reason=reason, count=count)
        for what, counts in _kinds(
            links_rejected, updates_rejected, keywords_rejected, entities_rejected
        )
        for reason, count in sorted((counts or {}).items())
    ]
    now, past = semantic_keys(edges), semantic_keys(before)
    ordered = [vectors[node.node_id] for node in nodes if node.node_id in vectors]
    return GraphMetrics(
        document_id=nodes[0].document_id,
        round=nodes[0].round,
        nodes=len(nodes),
        changed=sum(node.changed for node in nodes),
        degraded=sum(node.degraded for node in nodes),
        structural_edges=sum(is_structural(edge) for edge in edges),
        semantic_edges=len(now),
        edges_added=len(now - past),
        edges_dropped=len(past - now),
        links_rejected=sum((links_rejected or {}).values()),
        updates_rejected=sum((updates_rejected or {}).values()),
        distinct_keywords=len({fold_text(word) for node in nodes for word in node.keywords}),
        embedding_spread=embedding_spread(ordered),
        nearest_margin=margin,
        margin_change=0.0 if margin_before is None else round(margin - margin_before, 6),
        edge_jaccard=round(jaccard(now, past), 6) if nodes[0].round else 1.0,
        keywords_rejected=sum((keywords_rejected or {}).values()),
        refused=refused,
    )


def _kinds(
    *counts: Mapping[str, int] | None,
) -> Iterator[tuple[RefusedKind, Mapping[str, int] | None]]:
    kinds: tuple[RefusedKind, ...] = ("link", "update", "keyword", "entity")
    yield from zip(kinds, counts, strict=True)


def reasons(metrics: GraphMetrics, what: RefusedKind) -> dict[str, int]:
    """Counts by reason of what a round refused."""
    return {item.reason: item.count for item in metrics.refused if item.what == what}


def semantic_keys(edges: Sequence[GraphEdge]) -> set[Key]:
    """(source, target, kind) of the evolved edges."""
    return {(e.source, e.target, e.kind) for e in edges if not is_structural(e)}


def jaccard(now: set[Key], past: set[Key]) -> float:
    """|both| / |either|, 1 for two empty sets."""
    either = now | past
    return len(now & past) / len(either) if either else 1.0


def embedding_spread(vectors: Sequence[Sequence[float]]) -> float:
    """Mean pairwise cosine distance, 0…2, 6 decimals; 0 for fewer than two vectors.

    By the square of the vectors' sum, so linear in their number.
    """
    count = len(vectors)
    if count < 2:
        return 0.0
    matrix = unit_rows(vectors)
    total = matrix.sum(axis=0)
    own = float((matrix * matrix).sum())
    mean = (float(total @ total) - own) / (count * (count - 1))
    return round(1.0 - mean, 6)


def nearest_margin(vectors: Sequence[Sequence[float]]) -> float:
    """Mean of 1 - cosine to the nearest other vector; 0 for fewer than two."""
    if len(vectors) < 2:
        return 0.0
    matrix = unit_rows(vectors)
    margins: list[float] = []
    for start in range(0, len(matrix), _BLOCK):
        block = matrix[start : start + _BLOCK] @ matrix.T
        for row in range(len(block)):
            block[row, start + row] = -np.inf
        margins.extend(float(1.0 - value) for value in block.max(axis=1))
    return round(sum(margins) / len(margins), 6)
