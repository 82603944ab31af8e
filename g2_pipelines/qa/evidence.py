"""Evidence: the nodes a worker may answer from, and the port that brings them.

Here: ``Evidence``, the port ``EvidenceSource`` (built by ``defs`` and ``cli`` from the graph's
readout and the stored nodes), ``node_text`` (all the words that a node holds) and ``bounded``,
which leaves out whole nodes past a budget, and ``evidence_digest``. Imported inside ``qa`` and
by ``defs`` and ``cli``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol, runtime_checkable

from g2_pipelines.tables.line2 import DocumentNode, EvidenceNode


def no_image() -> bytes | None:
    """The loader of a node without a picture."""
    return None


@dataclass(frozen=True)
class Evidence:
    """A retrieved node with what the graph knows of it.

    Args:
        node: The node with its page and box.
        score: The readout's score, higher is nearer; only its order matters here.
        path: How it was reached, e.g. ``["seed"]`` or ``["seed n3", "section"]``.
        summary: The content graph's summary of the node.
        keywords: Its keywords in the content graph.
        image: Loads the PNG crop of a table or figure, None if there is none.
    """

    node: DocumentNode
    score: float
    path: list[str] = field(default_factory=lambda: ["seed"])
    summary: str = ""
    keywords: list[str] = field(default_factory=list)
    image: Callable[[], bytes | None] = no_image

    def row(self) -> EvidenceNode:
        """As it is kept in an answer."""
        return EvidenceNode(
            node_id=self.node.node_id,
            document_id=self.node.document_id,
            score=round(self.score, 6),
            path=self.path,
        )


class EvidenceSource(Protocol):
    """Brings the evidence for a query out of the question's documents."""

    async def retrieve(self, query: str) -> list[Evidence]:
        """Nodes for ``query``, nearest first; an empty list when nothing matches.

        Raises:
            NotYetError: A document of the question is not indexed yet.
        """
        ...


class RecallingSource(EvidenceSource, Protocol):
    """An evidence source that can bring back what it brought before, without a search."""

    async def recall(self, kept: Sequence[EvidenceNode]) -> list[Evidence]:
        """The nodes of ``kept`` in its order, as they are stored now; those that are gone
        are left out.
        """
        ...


@runtime_checkable
class SurveyedSource(Protocol):
    """A source that can go through a whole document, for what is counted and not looked up."""

    async def survey(self, pattern: str) -> list[Evidence]:
        """All nodes of the scope, if it is one document, whose folded text or caption holds
        ``pattern``, in reading order; empty where there are too many to go through.
        """
        ...


def evidence_digest(evidence: Sequence[Evidence]) -> str:
    """SHA-256 over all that a worker can read of ``evidence``, in its order."""
    parts = [
        "\0".join([item.node.model_dump_json(), item.summary, *item.keywords]) for item in evidence
    ]
    return sha256("\0\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def node_parts(node: DocumentNode) -> list[str]:
    """The texts of a node that a quote may come from: text, caption, cells, picture's words."""
    parts = [node.text, node.caption or "", node.ocr_text or ""]
    parts += [cell.text for cell in node.cells]
    return [part for part in parts if part.strip()]


def distinct(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Each node once, by its best score, in order of score, then document and reading order."""
    best: dict[str, Evidence] = {}
    for item in evidence:
        seen = best.get(item.node.node_id)
        if seen is None or item.score > seen.score:
            best[item.node.node_id] = item
    return sorted(best.values(), key=_rank)


def _rank(item: Evidence) -> tuple[float, str, int, str]:
    node = item.node
    return (-item.score, node.document_id, node.order, node.node_id)


def bounded(evidence: Sequence[Evidence], *, nodes: int, chars: int) -> list[Evidence]:
    """The first whole nodes, in the order given, within ``nodes`` and ``chars``.

    A node that no longer fits is left out whole, never cut; the first is kept whatever its
    length, so that a long table alone is not lost.
    """
    kept: list[Evidence] = []
    used = 0
    for item in evidence:
        size = sum(len(part) for part in node_parts(item.node))
        if kept and used + size > chars:
            continue
        kept.append(item)
        used += size
        if len(kept) == nodes:
            break
    return kept
