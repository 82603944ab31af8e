"""Evidence of the baselines: BM25 over nodes, and the documents' first pages.

Here: ``Bm25Source`` and ``FirstPagesSource``, evidence sources over given nodes, with the budgets of
a readout: nodes (seeds with their neighbours) and tokens. Neither knows a graph, a summary or a vector. Built by ``defs``.

The published zero-shot row seems to come from ten random chunks; reading the documents from
their beginning is the fairer question, and is what ``zero_shot`` means here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby

from g2_pipelines.index.content import content_text
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.tables.line2 import DocumentNode, EvidenceNode
from g2_pipelines.text.bm25 import Bm25
from g2_pipelines.text.terms import terms
from g2_pipelines.text.tokens import Tokenizer

Picture = Callable[[DocumentNode], bytes | None]


class _NodesSource:
    """Nodes of a question's documents in reading order, furniture left out."""

    def __init__(
        self,
        nodes: Iterable[DocumentNode],
        *,
        most: int,
        budget: int,
        tokens: Tokenizer,
        picture: Picture,
    ) -> None:
        """Take the nodes of all documents of the scope.

        Args:
            nodes: Of any order.
            most: Nodes that a search brings; first pages are bounded by their tokens alone.
            budget: Tokens of all evidence texts.
            tokens: Who counts.
            picture: Loads a node's crop.
        """
        kept = [node for node in nodes if node.kind != "furniture"]
        self._nodes = sorted(kept, key=lambda n: (n.document_id, n.order, n.node_id))
        self._most = most
        self._budget = budget
        self._tokens = tokens
        self._picture = picture

    def _within(self, ranked: Iterable[DocumentNode], path: str) -> list[Evidence]:
        """The first whole nodes within the budget; one that does not fit is left out."""
        found: list[Evidence] = []
        left = self._budget
        for node in ranked:
            size = self._tokens.count(content_text(node))
            if size <= left:
                left -= size
                found.append(self._evidence(node, 1.0 / (1 + len(found)), [path]))
        return found

    def _evidence(self, node: DocumentNode, score: float, path: list[str]) -> Evidence:
        return Evidence(node=node, score=score, path=path, image=partial(self._picture, node))

    async def recall(self, kept: Sequence[EvidenceNode]) -> list[Evidence]:
        """See qa.evidence.RecallingSource."""
        there = {(node.document_id, node.node_id): node for node in self._nodes}
        return [
            self._evidence(there[item.document_id, item.node_id], item.score, list(item.path))
            for item in kept
            if (item.document_id, item.node_id) in there
        ]


class Bm25Source(_NodesSource):
    """The best nodes by BM25, within both budgets; those without a shared term never."""

    async def retrieve(self, query: str) -> list[Evidence]:
        """See qa.evidence.EvidenceSource."""
        scores = self._bm25().scores(terms(query))
        ranked = sorted(range(len(self._nodes)), key=lambda place: (-scores[place], place))
        found = self._within((self._nodes[p] for p in ranked if scores[p] > 0), "bm25")
        return found[: self._most]

    def _bm25(self) -> Bm25:
        if not hasattr(self, "_made"):
            self._made = Bm25([terms(content_text(node)) for node in self._nodes])
        return self._made


class FirstPagesSource(_NodesSource):
    """Page 1 of every document, then page 2 of every document …, until the budget is full."""

    async def retrieve(self, query: str) -> list[Evidence]:
        """See qa.evidence.EvidenceSource; the query changes nothing."""
        del query
        by_page = sorted(self._nodes, key=lambda n: (n.page, n.document_id, n.order, n.node_id))
        chosen: list[DocumentNode] = []
        left = self._budget
        for _, group in groupby(by_page, key=lambda n: (n.page, n.document_id)):
            page = list(group)
            size = sum(self._tokens.count(content_text(node)) for node in page)
            if chosen and size > left:
                break  # a page that is left out is followed by none
            chosen += page
            left -= size
        return self._within(chosen, "first pages")
