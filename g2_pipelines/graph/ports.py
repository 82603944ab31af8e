"""The two task ports of the content graph: who analyses a node, who evolves it.

Here: the Protocols and the plain values that cross them. ``extractive`` and ``prompted``
implement them; ``analyse`` and ``evolve`` call them. An implementation sees one node at a time
and never the live state of another one: that is what makes a round order-free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from g2_pipelines.graph.vocabulary import Vocabulary
from g2_pipelines.models.errors import Failure
from g2_pipelines.models.ports import ImagePart, Maker
from g2_pipelines.tables.line2 import DocumentNode, GraphNode, NodeKind

Direction = Literal["out", "in", "near"]


@dataclass(frozen=True)
class NodeView:
    """A node as an analyst sees it."""

    node: DocumentNode
    language: str
    image: ImagePart | None = None


@dataclass(frozen=True)
class Analysis:
    """An analyst's word on a node; terms and entities as they stand in its content."""

    summary: str
    keywords: tuple[str, ...]
    entities: tuple[str, ...] = ()
    call_keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tie:
    """How a candidate is joined to the node: an edge's kind, seen from the node.

    direction ``out``: the edge leaves the node; ``in``: it enters it; ``near``: no edge, but
    near by embedding (kind ``similar``).
    """

    kind: str
    direction: Direction


@dataclass(frozen=True)
class Candidate:
    """A node that may be linked, under the short label by which alone it can be named.

    ``position`` is its place minus the node's own in reading order (negative: before it).
    ``own_keywords`` are its keywords without those it resolved from others.
    """

    label: str
    node_id: str
    kind: NodeKind
    summary: str
    keywords: tuple[str, ...]
    own_keywords: tuple[str, ...]
    ties: tuple[Tie, ...]
    position: int
    similarity: float
    linked: str = ""  # relation of the present semantic link to it, empty without one


@dataclass(frozen=True)
class NodeContext:
    """A node with its present attributes and its candidates, as an evolver sees it."""

    node: DocumentNode
    state: GraphNode
    candidates: tuple[Candidate, ...]
    language: str
    image: ImagePart | None = None


@dataclass(frozen=True)
class ProposedLink:
    """A link an evolver wants: a candidate's label and one of the eight relations."""

    label: str
    relation: str


@dataclass(frozen=True)
class Proposal:
    """An evolver's word on a node: all its links, most relevant first, and its attributes.

    With ``update`` false, summary and keywords are ignored.
    """

    links: tuple[ProposedLink, ...]
    update: bool
    summary: str = ""
    keywords: tuple[str, ...] = ()
    call_keys: tuple[str, ...] = ()


class NodeAnalyst(Maker, Protocol):
    """Analyses nodes for round 0."""

    async def analyse(
        self, views: Sequence[NodeView], vocabulary: Vocabulary
    ) -> list[Analysis | Failure]:
        """One analysis or failure per view, in order; a failure never sinks the others."""
        ...


class Evolver(Maker, Protocol):
    """Proposes links and attributes for a round."""

    async def evolve(
        self, contexts: Sequence[NodeContext], vocabulary: Vocabulary
    ) -> list[Proposal | Failure]:
        """One proposal or failure per context, in order; a failure never sinks the others."""
        ...
