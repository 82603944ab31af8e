"""Which of the proposed links become semantic edges.

Here: ``accept_links`` for one node (closed candidate set, no self, no repetition, at most five
out) and ``cap_in_degree`` for all of them. Both count what they drop, by reason. Not here: who
proposes (``ports``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from g2_pipelines.graph.ports import Candidate, ProposedLink
from g2_pipelines.tables.line2 import SEMANTIC_KINDS, SemanticKind

_KINDS: Mapping[str, SemanticKind] = {kind: kind for kind in SEMANTIC_KINDS}


@dataclass(frozen=True)
class Link:
    """An accepted link of one node."""

    target: str
    relation: SemanticKind


def accept_links(
    proposed: Sequence[ProposedLink],
    candidates: Sequence[Candidate],
    *,
    node_id: str,
    out_degree: int,
) -> tuple[list[Link], Counter[str]]:
    """The links that may stand, in the proposed order, and the dropped ones by reason.

    Reasons: ``unknown`` (a label that was not shown), ``relation`` (none of the eight),
    ``self``, ``duplicate`` (a target twice; the first stands), ``out_degree``.
    """
    targets = {candidate.label: candidate.node_id for candidate in candidates}
    links: list[Link] = []
    rejected: Counter[str] = Counter()
    for link in proposed:
        target = targets.get(link.label)
        relation = _KINDS.get(link.relation)
        if node_id in (link.label, target):
            rejected["self"] += 1
        elif target is None:
            rejected["unknown"] += 1
        elif relation is None:
            rejected["relation"] += 1
        elif any(target == other.target for other in links):
            rejected["duplicate"] += 1
        elif len(links) >= out_degree:
            rejected["out_degree"] += 1
        else:
            links.append(Link(target, relation))
    return links, rejected


def cap_in_degree(
    links: Mapping[str, Sequence[Link]], order: Mapping[str, int], limit: int
) -> tuple[dict[str, list[Link]], int]:
    """Links with at most ``limit`` into any node, and how many were dropped.

    Kept first: those their source ranks higher, then those from the nearer node in reading
    order. The result does not depend on the order of ``links``.
    """
    into: dict[str, list[tuple[int, int, int, str]]] = defaultdict(list)
    for source, own in links.items():
        for rank, link in enumerate(own):
            distance = abs(order[source] - order[link.target])
            into[link.target].append((rank, distance, order[source], source))
    kept = {
        (source, target)
        for target, arrivals in into.items()
        for *_, source in sorted(arrivals)[:limit]
    }
    capped = {
        source: [link for link in own if (source, link.target) in kept]
        for source, own in links.items()
    }
    return capped, sum(map(len, links.values())) - sum(map(len, capped.values()))
