"""How one round decides: links, then texts, then likeness, then the new state.

Here: ``Round``, the working state of one call of ``evolve``; its methods run in that order.
Links come first because an accepted reference link decides from whom a term may be borrowed.
Only ``evolve`` imports this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.content import embedding_text
from g2_pipelines.graph.guards import CheckedUpdate, check_update
from g2_pipelines.graph.likeness import Likeness
from g2_pipelines.graph.links import Link, accept_links, cap_in_degree
from g2_pipelines.graph.metrics import metrics_of, nearest_margin
from g2_pipelines.graph.ports import Evolver, NodeContext, Proposal
from g2_pipelines.graph.state import GraphState, RoundReport, Vectors, is_structural, sort_edges
from g2_pipelines.graph.vectors import embed_texts
from g2_pipelines.graph.vocabulary import Vocabulary, own_content
from g2_pipelines.models.errors import Failure
from g2_pipelines.models.ports import EmbeddingPort
from g2_pipelines.tables.line2 import SEMANTIC_KINDS, GraphEdge, GraphNode, SemanticKind

_SEMANTIC: Mapping[str, SemanticKind] = {kind: kind for kind in SEMANTIC_KINDS}
#: Structural ties over which a node may borrow a term, preferred first; accepted reference
#: links come after the first: (kind, the borrower is the edge's source).
_LENDING = (("refers_to", True), ("caption_of", True), ("caption_of", False), ("section", False))
_REFERENCE_PLACE = 0.5


class Round:
    """One round in the making."""

    def __init__(
        self,
        state: GraphState,
        contexts: Sequence[NodeContext],
        proposals: Sequence[Proposal | Failure],
        *,
        vocabulary: Vocabulary,
        config: EvolutionConfig,
        unembedded: Mapping[str, str],
    ) -> None:
        self._before = state
        self._contexts = contexts
        self._vocabulary = vocabulary
        self._config = config
        self._links: dict[str, list[Link]] = {}
        self._updates: dict[str, CheckedUpdate] = {}
        self._vectors = state.vectors
        self._links_rejected: Counter[str] = Counter()
        self._updates_rejected: Counter[str] = Counter()
        self._keywords_rejected: Counter[str] = Counter()
        self.failures: dict[str, str] = dict(unembedded)
        self._proposals: dict[str, Proposal] = {}
        for context, proposal in zip(contexts, proposals, strict=True):
            node_id = context.node.node_id
            if not isinstance(proposal, Proposal):
                self.failures[node_id] = str(proposal)
            elif node_id not in self.failures:
                self._proposals[node_id] = proposal

    def decide_links(self) -> None:
        """Accepted links by source; failed nodes keep those they have."""
        links: dict[str, list[Link]] = {context.node.node_id: [] for context in self._contexts}
        for edge in sorted(self._before.edges, key=lambda e: e.rank):
            relation = _SEMANTIC.get(edge.kind)
            if edge.source in self.failures and relation is not None:
                links[edge.source].append(Link(edge.target, relation))
        for context, proposal in self._proposed():
            node_id = context.node.node_id
            links[node_id], rejected = accept_links(
                proposal.links,
                context.candidates,
                node_id=node_id,
                out_degree=self._config.out_degree,
            )
            self._links_rejected += rejected
        self._links, dropped = cap_in_degree(links, self._order(), self._config.in_degree)
        if dropped:
            self._links_rejected["in_degree"] += dropped

    def check_texts(self) -> None:
        """Keep the updates whose texts may stand; those that say nothing new are none."""
        lending = _lenders(self._before.edges, self._links)
        contents = self._vocabulary.contents
        for context, proposal in self._proposed():
            if not proposal.update or _repeats(proposal, context.state):
                continue
            node_id = context.node.node_id
            checked = check_update(
                proposal.summary,
                proposal.keywords,
                own=own_content(context.node, contents[node_id]),
                lenders={other: contents[other] for other in lending.get(node_id, ())},
                vocabulary=self._vocabulary,
                config=self._config,
                language=context.language,
                pictured=context.image is not None,
            )
            if not isinstance(checked, CheckedUpdate):
                self._updates_rejected[checked] += 1
                continue
            self._keywords_rejected.update(checked.keywords_dropped)
            if not _same(checked, context.state):
                self._updates[node_id] = checked

    async def check_likeness(self, embedding: EmbeddingPort) -> None:
        """Drop updates that lose their own content or close in on others; take the rest."""
        texts = {
            node_id: embedding_text(update.summary, update.keywords)
            for node_id, update in self._updates.items()
        }
        made, failed = await embed_texts(texts, embedding)
        content = await self._content_vectors(list(made), embedding, failed)
        for node_id, message in failed.items():
            self.failures[node_id] = message
            del self._updates[node_id]
        likeness = Likeness(self._before.vectors.attributes, self._config)
        for node_id in list(self._updates):
            refusal = likeness.refusal(node_id, made[node_id], content.get(node_id))
            if refusal is not None:
                self._updates_rejected[refusal] += 1
                del self._updates[node_id]
        known = {
            **self._before.vectors.attributes,
            **{node_id: made[node_id] for node_id in self._updates},
        }
        # In the document's order, whatever was embedded first: sums over vectors must not vary.
        self._vectors = Vectors(
            attributes={
                node.node_id: known[node.node_id]
                for node in self._before.nodes
                if node.node_id in known
            },
            content=content,
        )

    async def _content_vectors(
        self, node_ids: Sequence[str], embedding: EmbeddingPort, failed: dict[str, str]
    ) -> dict[str, Sequence[float]]:
        """Content vectors of these nodes and all known before; adds to ``failed``."""
        known = dict(self._before.vectors.content)
        texts = {
            node_id: self._vocabulary.contents[node_id].clipped
            for node_id in node_ids
            if node_id not in known
        }
        wanted = {node_id: text for node_id, text in texts.items() if text.strip()}
        made, missing = await embed_texts(wanted, embedding)
        failed.update(missing)
        return {**known, **made}

    def state_after(self, evolver: Evolver) -> GraphState:
        """The whole new state, in the document's order."""
        before = self._before
        round_ = before.round + 1
        rows = [self._row(context.state, evolver, round_) for context in self._contexts]
        taken = [e.model_copy(update={"round": round_}) for e in before.edges if is_structural(e)]
        edges = sort_edges([*taken, *self._semantic_edges(round_)], self._order())
        metrics = metrics_of(
            rows,
            edges,
            before.edges,
            self._vectors.attributes,
            margin_before=nearest_margin([*before.vectors.attributes.values()]),
            links_rejected=self._links_rejected,
            updates_rejected=self._updates_rejected,
            keywords_rejected=self._keywords_rejected,
        )
        report = RoundReport(dict(sorted(self.failures.items())))
        return GraphState(
            before.document_id, round_, rows, edges, metrics, vectors=self._vectors, report=report
        )

    def _semantic_edges(self, round_: int) -> Iterator[GraphEdge]:
        for source, own in self._links.items():
            for rank, link in enumerate(own, start=1):
                yield GraphEdge(
                    document_id=self._before.document_id,
                    round=round_,
                    source=source,
                    target=link.target,
                    kind=link.relation,
                    rank=rank,
                )

    def _row(self, before: GraphNode, evolver: Evolver, round_: int) -> GraphNode:
        proposal = self._proposals.get(before.node_id)
        if proposal is None or before.node_id in self.failures:
            kept = {"round": round_, "degraded": True, "changed": False}
            return before.model_copy(update=kept)
        values: dict[str, object] = {
            "engine": evolver.engine,
            "model": evolver.model,
            "prompt_version": evolver.prompt_version,
            "call_keys": list(proposal.call_keys),
            "round": round_,
            "degraded": False,
            "changed": False,
        }
        update = self._updates.get(before.node_id)
        if update is not None:
            values |= {
                "summary": update.summary,
                "keywords": list(update.keywords),
                "changed": True,
                "embedding_text": embedding_text(update.summary, update.keywords),
            }
            values["resolved"] = list(update.resolved)
        return before.model_copy(update=values)

    def _proposed(self) -> Iterator[tuple[NodeContext, Proposal]]:
        for context in self._contexts:
            proposal = self._proposals.get(context.node.node_id)
            if proposal is not None:
                yield context, proposal

    def _order(self) -> dict[str, int]:
        return {context.node.node_id: at for at, context in enumerate(self._contexts)}


def _repeats(proposal: Proposal, row: GraphNode) -> bool:
    return proposal.summary == row.summary and list(proposal.keywords) == row.keywords


def _same(checked: CheckedUpdate, row: GraphNode) -> bool:
    return (checked.summary, list(checked.keywords), list(checked.resolved)) == (
        row.summary,
        row.keywords,
        row.resolved,
    )


def _lenders(
    edges: Sequence[GraphEdge], links: Mapping[str, Sequence[Link]]
) -> dict[str, list[str]]:
    """From whom each node may borrow, preferred first, by structure and accepted references."""
    found: dict[str, list[tuple[float, int, str]]] = {}
    for at, edge in enumerate(edges):
        for place, (kind, outward) in enumerate(_LENDING):
            if edge.kind == kind:
                node, other = (edge.source, edge.target) if outward else (edge.target, edge.source)
                found.setdefault(node, []).append((place, at, other))
    for source, own in links.items():
        for at, link in enumerate(own):
            if link.relation == "reference":
                found.setdefault(source, []).append((_REFERENCE_PLACE, at, link.target))
    return {
        node: list(dict.fromkeys(other for *_, other in sorted(items)))
        for node, items in found.items()
    }
