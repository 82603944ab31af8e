"""The search of the node index: pages first, then nodes inside their pages.

Here: ``PageSearch``. A scope of some documents is ranked whole, from profiles of its documents
that are kept by the digest of their rows. A larger one is ranked over the nodes that full text
and vectors find, whose rows carry what ranking needs of their pages. Which of the two it is
depends on the scope alone, so the same question gives the same order. ``lance`` imports this
module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from g2_pipelines.index.labels import Mentions
from g2_pipelines.index.pages import RANKING, PageRanking, Ranked, lifted, rank
from g2_pipelines.index.profile import NodeTerms, Profile, Profiles
from g2_pipelines.index.query import Asked, asked

#: The largest scope that is ranked whole.
WHOLE_NODES, WHOLE_DOCUMENTS = 12_000, 64
#: Nodes that words propose in a larger scope, and vectors in either.
_BY_TEXT, _BY_VECTOR, _BY_VECTOR_LARGE = 150, 60, 30
#: Nodes of a larger scope whose pages tell how rare a term is: whole documents, by hash of id.
_SAMPLE_NODES = 4_000
_SPARE, _NEAREST_SPARE = 25, 10  # read beyond what is asked, so that ties at the cut go by id
_COLUMNS = [
    "document_id",
    "node_id",
    "kind",
    "label",
    "order",
    "page",
    "printed_page",
    "pages",
    "page_terms",
    "caption_terms",
    "search_text",
]

#: Of all indexes of a process: a profile is found by what it was made from.
_PROFILES = Profiles(40_000)


@dataclass(frozen=True)
class Scoped:
    """A document of the scope: its rows' digest and their number."""

    document_id: str
    digest: str
    rows: int


@dataclass(frozen=True)
class Found:
    """A row found: its score, what found it, and how the question names it, or ""."""

    node: NodeTerms
    score: float
    by: tuple[str, ...]
    named: str = ""


@dataclass(frozen=True)
class Nearest:
    """The rows nearest to a question's vector: likeness by id, higher is nearer, and the rows."""

    likeness: Mapping[str, float]
    nodes: Mapping[str, NodeTerms]


_NONE = Nearest({}, {})


class PageSearch:
    """Searches one lancedb table.

    near: gives so many rows nearest to the question's vector; None where there is no vector.
    """

    def __init__(self, table: Any, near: Callable[[int], Nearest] | None) -> None:
        self._table = table
        self._near = near or (lambda _: _NONE)

    def found(
        self,
        question: str,
        *,
        scope: Sequence[Scoped],
        where: str,
        top: int,
        ranking: PageRanking = RANKING,
    ) -> list[Found]:
        """Rows for ``question``, best first: see ``pages.rank``.

        Args:
            question: In any words.
            scope: All its documents, by document_id.
            where: The same scope as SQL; "" is the whole table.
            top: Most rows; most pages whose rows are looked at.
            ranking: Weights.
        """
        if not scope:
            return []
        query = asked(
            question,
            clean=ranking.clean,
            stemmed=ranking.stemmed,
            names=bool(ranking.named),
            parts=ranking.parts,
        )
        if _only_characters(query):
            return self._by_characters(list(query.weights), where)[:top]
        if whole(scope):
            likeness = self._near(_BY_VECTOR).likeness
            profiles = self._profiles(scope)
            ranked = rank(query, profiles, vectors=likeness, ranking=ranking, most_pages=top)
        else:
            ranked, likeness = self._over_candidates(
                query, scope, where=where, top=top, ranking=ranking
            )
        words = set(query.weights)
        return [
            Found(item.node, item.score, _by(item.node, words, likeness), item.named)
            for item in ranked.nodes[:top]
        ]

    def _over_candidates(
        self, query: Asked, scope: Sequence[Scoped], *, where: str, top: int, ranking: PageRanking
    ) -> tuple[Ranked, Mapping[str, float]]:
        # Both wait for lancedb: side by side.
        with ThreadPoolExecutor(1) as beside:
            waiting = beside.submit(self._near, _BY_VECTOR_LARGE)
            nodes = {node.id: node for node in self._by_text(query, where)}
            near = waiting.result()
        nodes |= near.nodes
        # Of candidates every page holds the question's terms: how rare these are, a sample says.
        sample = self._profiles(_sample(scope))

        def ranked(asked_: Asked) -> Ranked:
            return rank(
                asked_,
                [Profile(list(nodes.values()))],
                vectors=near.likeness,
                corpus=sample,
                ranking=replace(ranking, corpus=1.0),
                most_pages=top,
            )

        plain = ranked(replace(query, names=Mentions()))
        if not query.names or not plain.pages:
            return plain, near.likeness
        # The words decide which documents are meant; their named places are then read.
        pages = plain.pages
        meant = lifted([page.key for page in pages], [page.score for page in pages])
        condition = f"({_any('document_id', sorted(meant))}) AND ({_placed(query.names)})"
        nodes |= {node.id: node for node in self._read(condition)}
        return ranked(query), near.likeness

    # -- reading

    def _profiles(self, scope: Sequence[Scoped]) -> list[Profile]:
        ids = {item.digest: item.document_id for item in scope}

        def make(digests: Sequence[str]) -> dict[str, Profile]:
            wanted = {ids[digest]: digest for digest in digests}
            found: dict[str, list[NodeTerms]] = {document_id: [] for document_id in wanted}
            for node in self._read(_any("document_id", sorted(wanted))):
                found[node.document_id].append(node)
            return {wanted[document_id]: Profile(nodes) for document_id, nodes in found.items()}

        return _PROFILES.get([item.digest for item in scope], make)

    def _read(self, where: str) -> list[NodeTerms]:
        query = self._table.search().where(where).select(_COLUMNS).limit(None)
        return _nodes(query.to_arrow())

    def _by_text(self, query: Asked, where: str) -> list[NodeTerms]:
        from lancedb.query import MatchQuery

        if not query.weights:
            return []
        match: Any = MatchQuery  # its type stub asks for every optional argument
        search = self._table.search(match(" ".join(query.weights), "search_text"), query_type="fts")
        search = search.where(where, prefilter=True) if where else search
        rows = search.select([*_COLUMNS, "_score"]).limit(_BY_TEXT + _SPARE).to_arrow()
        pairs = zip(rows["_score"].to_pylist(), _nodes(rows), strict=True)
        ordered = sorted(pairs, key=lambda pair: (-round(pair[0], 6), pair[1].id))
        return [node for _, node in ordered[:_BY_TEXT]]

    def _by_characters(self, characters: Sequence[str], where: str) -> list[Found]:
        """Single kana or kanji: no bigram holds them alone, so the texts are scanned."""
        wanted = " OR ".join(f"contains(search_text, {quoted(char)})" for char in characters)
        condition = f"({wanted}) AND {where}" if where else wanted

        def share(node: NodeTerms) -> float:
            held = sum(node.search_text.count(char) for char in characters)
            return round(held / (len(node.search_text) + 100), 9)

        found = [Found(node, share(node), ("text",)) for node in self._read(condition)]
        found.sort(key=lambda item: (-item.score, item.node.id))
        return found[:_BY_TEXT]


def nearest(query: Any, most: int) -> Nearest:
    """The ``most`` best rows of a vector query of lancedb's, ties by id."""
    rows = query.select([*_COLUMNS, "_distance"]).limit(most + _NEAREST_SPARE).to_arrow()
    pairs = zip(rows["_distance"].to_pylist(), _nodes(rows), strict=True)
    best = sorted(((round(far, 6), node.id, node) for far, node in pairs), key=lambda x: x[:2])
    return Nearest(
        {id_: round(1 - far, 6) for far, id_, _ in best[:most]},
        {id_: node for _, id_, node in best[:most]},
    )


def whole(scope: Sequence[Scoped]) -> bool:
    """Whether the scope is small enough to be ranked whole."""
    return len(scope) <= WHOLE_DOCUMENTS and sum(item.rows for item in scope) <= WHOLE_NODES


def quoted(value: str) -> str:
    """A string literal of lancedb's SQL; a quote in it is doubled."""
    return "'" + value.replace("'", "''") + "'"


def _any(column: str, values: Iterable[str]) -> str:
    return f"{column} IN ({', '.join(map(quoted, values))})"


def _placed(names: Mentions) -> str:
    parts = []
    if names.labels:
        parts.append(_any("label", names.labels))
    front = [place for place in names.places if place > 0]
    if numbers := sorted({*names.pages, *front}):
        parts.append(f"page IN ({', '.join(map(str, numbers))})")
    if names.pages:
        parts.append(f"printed_page IN ({', '.join(map(str, names.pages))})")
    if behind := [place for place in names.places if place < 0]:
        parts.append(f"page > pages - {-min(behind)}")
    return " OR ".join(parts)


def _only_characters(query: Asked) -> bool:
    words = query.weights
    return bool(words) and all(len(word) == 1 and not word.isascii() for word in words)


def _sample(scope: Sequence[Scoped]) -> list[Scoped]:
    """Whole documents in the order of their ids' hashes, up to the set number of nodes."""
    chosen: list[Scoped] = []
    nodes = 0
    for item in sorted(scope, key=lambda one: sha256(one.document_id.encode()).digest()):
        if chosen and nodes + item.rows > _SAMPLE_NODES:
            break
        chosen.append(item)
        nodes += item.rows
    return chosen


def _nodes(rows: Any) -> list[NodeTerms]:
    columns = [rows[name].to_pylist() for name in _COLUMNS]
    return [
        NodeTerms(**dict(zip(_COLUMNS, values, strict=True)))
        for values in zip(*columns, strict=True)
    ]


def _by(node: NodeTerms, words: set[str], nearest: Mapping[str, float]) -> tuple[str, ...]:
    text = ("text",) if words.intersection(node.search_text.split()) else ()
    return (*text, "vector") if node.id in nearest else text
