"""Readout: from a question to evidence, over the index and the documents' graphs.

Here: ``readout`` and ``assemble`` (the same with edges and what was dropped). Seeds are the best
nodes of the best pages, as the index ranks them; then come the seeds' immediate neighbours over
structural and semantic edges, within a token and a picture budget. Per-document graphs are
joined here, at question time; there is no edge between documents. Not here: answering (``qa``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from g2_pipelines.errors import LimitError
from g2_pipelines.graph.content import VISUAL_KINDS
from g2_pipelines.graph.state import GraphState
from g2_pipelines.index.lance import NodeIndex
from g2_pipelines.index.pages import RANKING, PageRanking
from g2_pipelines.index.search import Found
from g2_pipelines.models.ports import EmbeddingPort
from g2_pipelines.tables.line2 import GraphEdge, IndexRow
from g2_pipelines.text.tokens import Tokenizer, tokenizer

Key = tuple[str, str]  # document_id, node_id
Budget = Literal["tokens", "images"]
_Neighbours = dict[str, tuple[float, int, str]]  # node_id → weight, place, kind

#: How much of a seed's score its neighbour gets, by the edge's kind.
KIND_WEIGHTS: Mapping[str, float] = {
    "refers_to": 0.9,
    "caption_of": 0.9,
    "continued_on": 0.85,
    "reference": 0.85,
    "part_whole": 0.7,
    "causal": 0.7,
    "dependency": 0.7,
    "elaboration": 0.65,
    "sequence": 0.65,
    "contrast": 0.65,
    "hierarchy": 0.6,
    "section": 0.5,
    "reading_order": 0.45,
}
_AGAINST = 0.9  # an edge walked from its target to its source
_SECOND = 0.85  # reading order over one node
_MEMBER = 0.5  # from a heading down: its members are many
_OWN = 0.25
_POOL = 6  # searched hits per seed: neighbours among them are preferred


class EvidenceBudgetError(LimitError):
    """Not even the best node fits into the token budget."""

    code = "evidence_budget"


@dataclass(frozen=True)
class Evidence:
    """A retrieved node: its row (vector left empty), score and the path that led to it.

    path: ``["seed"]``; ``["seed", "figure:2"]`` where the question names it;
    ``["seed n3", "section"]`` for a neighbour of n3.
    """

    node_id: str
    document_id: str
    score: float
    path: list[str]
    row: IndexRow


@dataclass(frozen=True)
class Readout:
    """The evidence subgraph: nodes, best first, and all edges of the graphs among them.

    dropped: the nodes that a budget left out, as they ranked, and which: ``tokens`` or ``images``.
    """

    evidence: list[Evidence]
    tokens: int
    images: int = 0
    edges: list[GraphEdge] = field(default_factory=list)
    dropped: dict[Key, Budget] = field(default_factory=dict)


async def readout(
    query: str,
    *,
    index: NodeIndex,
    embedding: EmbeddingPort,
    graphs: Callable[[str], GraphState],
    documents: Sequence[str] | None,
    edinet_code: str | None,
    seeds: int,
    neighbours: int,
    token_budget: int,
    image_budget: int | None = None,
    tokens: Tokenizer | None = None,
    ranking: PageRanking = RANKING,
) -> list[Evidence]:
    """``assemble(...).evidence``; see there."""
    result = await assemble(
        query,
        index=index,
        embedding=embedding,
        graphs=graphs,
        documents=documents,
        edinet_code=edinet_code,
        seeds=seeds,
        neighbours=neighbours,
        token_budget=token_budget,
        image_budget=image_budget,
        tokens=tokens,
        ranking=ranking,
    )
    return result.evidence


async def assemble(
    query: str,
    *,
    index: NodeIndex,
    embedding: EmbeddingPort,
    graphs: Callable[[str], GraphState],
    documents: Sequence[str] | None,
    edinet_code: str | None,
    seeds: int,
    neighbours: int,
    token_budget: int,
    image_budget: int | None = None,
    tokens: Tokenizer | None = None,
    ranking: PageRanking = RANKING,
) -> Readout:
    """Evidence for ``query``: seeds and their neighbours, best first, within the budget.

    Args:
        query: A question or sub-question in any words.
        index: Where to search.
        embedding: Whose vectors the index holds.
        graphs: A document's graph by document_id; of the seeds' documents only.
        documents: Only these documents; None is all, an empty sequence none.
        edinet_code: Only this company's documents; None is any.
        seeds: Most seed nodes.
        neighbours: Most neighbours added per seed.
        token_budget: Tokens of all evidence texts; the lowest ranked units are left out whole.
        image_budget: Pictures (crops of figures, charts, tables, equations) among the evidence;
            the lowest ranked units with one are left out whole. None is any number.
        tokens: Who counts; default qwen3.
        ranking: Weights of the search.

    Raises:
        EvidenceBudgetError: the best unit alone is larger than the budget.
        ModelError, LimitError: the question could not be embedded.
        StateError: index, graph and embedding do not fit each other.
    """
    vector = (await embedding.embed([query]))[0]
    if not isinstance(vector, list):
        raise vector
    # lancedb's calls block: in a thread, so that parallel sub-questions overlap.
    found = await asyncio.to_thread(
        index.found,
        text=query,
        vector=vector,
        documents=documents,
        edinet_code=edinet_code,
        top=max(seeds * _POOL, 20),
        ranking=ranking,
    )
    ranked = _ranked(found)
    chosen = _chosen(ranked, seeds)
    states = {document: graphs(document) for document in sorted({s.key[0] for s in chosen})}
    expanded = _expanded(chosen, ranked, states, neighbours)
    rows = await asyncio.to_thread(index.rows, expanded.keys())
    evidence = [
        Evidence(key[1], key[0], round(score, 9), path, rows[key])
        for key, (score, path) in expanded.items()
        if key in rows
    ]
    evidence.sort(key=lambda item: (-item.score, item.document_id, item.node_id))
    kept = _within(evidence, token_budget, image_budget, tokens or tokenizer("qwen3"))
    return replace(kept, edges=_among(kept.evidence, states))


@dataclass(frozen=True)
class _Seed:
    key: Key
    page: int
    score: float
    named: str


def _ranked(found: Sequence[Found]) -> list[_Seed]:
    """What can be a seed, best first.

    A picture of which nothing was read is no seed: it is near to any question for pictures.
    """
    return [
        _Seed((item.node.document_id, item.node.node_id), item.node.page, item.score, item.named)
        for item in found
        if item.node.search_text or item.named
    ]


def _chosen(ranked: Sequence[_Seed], seeds: int) -> list[_Seed]:
    """The best node of each of the best pages; more of them only where pages run out.

    A question about page 5 asks for more than one node of it: up to half of the seeds.
    """
    first: dict[tuple[str, int], _Seed] = {}
    for seed in ranked:
        first.setdefault((seed.key[0], seed.page), seed)
    held = {seed.key for seed in first.values()}
    more = [seed for seed in ranked if seed.key not in held]
    mates = [seed for seed in more if seed.named.startswith("page:")][: seeds // 2]
    pages = list(first.values())[: seeds - len(mates)]
    chosen = [*pages, *mates, *(seed for seed in more if seed not in mates)]
    return chosen[:seeds]


def _expanded(
    chosen: Sequence[_Seed],
    ranked: Sequence[_Seed],
    states: Mapping[str, GraphState],
    neighbours: int,
) -> dict[Key, tuple[float, list[str]]]:
    """Score and path by node: the seeds, and up to ``neighbours`` more of each.

    A node that several seeds reach stands once, under its best score, which is never above
    its seed's. Among a seed's neighbours a quarter of what the search gave them counts too:
    enough to choose among a heading's members, too little to outdo an explicit reference.
    """
    own = {seed.key: seed.score for seed in ranked}
    out: dict[Key, tuple[float, list[str]]] = {
        seed.key: (seed.score, ["seed", seed.named] if seed.named else ["seed"]) for seed in chosen
    }
    if neighbours < 1:
        return out
    members: dict[str, set[str]] = {}
    for document_id, node_id in sorted(seed.key for seed in chosen):
        members.setdefault(document_id, set()).add(node_id)
    adjacency = {
        document_id: _adjacency(states[document_id], ids) for document_id, ids in members.items()
    }
    seeded = set(out)
    for seed in chosen:
        document_id, node_id = seed.key
        near = adjacency[document_id].get(node_id, {})
        reached = [other for other in near if (document_id, other) not in seeded]

        def worth(
            other: str, seed: _Seed = seed, near: _Neighbours = near
        ) -> tuple[float, int, str]:
            weight, place, _ = near[other]
            own_score = own.get((seed.key[0], other), 0.0)
            return -round(seed.score * weight + _OWN * own_score, 9), place, other

        for other in sorted(reached, key=worth)[:neighbours]:
            weight, _, kind = near[other]
            key = (document_id, other)
            score = max(seed.score * weight, own.get(key, 0.0))
            if key not in out or score > out[key][0]:
                out[key] = (score, [f"seed {node_id}", kind])
    return out


def _adjacency(state: GraphState, node_ids: set[str]) -> dict[str, _Neighbours]:
    """Neighbours of these nodes: the best edge's weight, their place, the edge's kind."""
    place = state.place
    out: dict[str, _Neighbours] = {}

    def add(node: str, other: str, weight: float, kind: str) -> None:
        known = out.setdefault(node, {})
        if other not in known or weight > known[other][0]:
            known[other] = (weight, place[other], kind)

    touching = (state.touching.get(node_id, ()) for node_id in node_ids)
    for edge in (state.edges[at] for at in sorted({at for found in touching for at in found})):
        if edge.source in node_ids:
            add(edge.source, edge.target, _weights(edge, place)[0], edge.kind)
        if edge.target in node_ids:
            add(edge.target, edge.source, _weights(edge, place)[1], edge.kind)
    return out


def _weights(edge: GraphEdge, place: Mapping[str, int]) -> tuple[float, float]:
    """Weights of an edge along and against its direction."""
    weight = KIND_WEIGHTS[edge.kind]
    match edge.kind:
        case "reading_order":
            weight *= 1.0 if abs(place[edge.source] - place[edge.target]) == 1 else _SECOND
            return weight, weight
        case "caption_of" | "continued_on":
            return weight, weight
        case "section":
            return weight * _MEMBER, weight
        case _:
            return weight, weight * _AGAINST


def _within(
    evidence: Sequence[Evidence], budget: int, images: int | None, counter: Tokenizer
) -> Readout:
    """The best units that fit together; from the first that does not, none is kept.

    A unit that is larger than the whole budget is left out by itself, so that one huge table
    does not cost all that ranks below it. Past the last picture only units without one are kept.
    """
    kept: list[Evidence] = []
    dropped: dict[Key, Budget] = {}
    used, pictures, full = 0, 0, False
    for item in evidence:
        size = counter.count(item.row.text)
        visual = item.row.image is not None and item.row.kind in VISUAL_KINDS
        if full or used + size > budget:
            full = full or size <= budget
            dropped[item.document_id, item.node_id] = "tokens"
        elif visual and images is not None and pictures >= images:
            dropped[item.document_id, item.node_id] = "images"
        else:
            kept.append(item)
            used += size
            pictures += visual
    if evidence and not kept:
        unit = "pictures" if set(dropped.values()) == {"images"} else "tokens"
        msg = f"no evidence fits into {images if unit == 'pictures' else budget} {unit}"
        raise EvidenceBudgetError(
            msg,
            file=evidence[0].document_id,
            place=evidence[0].node_id,
            remedy=f"Raise the budget of {unit} of the readout",
        )
    return Readout(kept, used, pictures, [], dropped)


def _among(evidence: Sequence[Evidence], states: Mapping[str, GraphState]) -> list[GraphEdge]:
    """All edges between nodes of the evidence, by document, in the graph's order."""
    held: dict[str, set[str]] = {}
    for item in evidence:
        held.setdefault(item.document_id, set()).add(item.node_id)
    out: list[GraphEdge] = []
    for document_id, state in states.items():
        ids = held.get(document_id, set())
        touching = {at for node_id in ids for at in state.touching.get(node_id, ())}
        edges = (state.edges[at] for at in sorted(touching))
        out += [edge for edge in edges if edge.source in ids and edge.target in ids]
    return out
