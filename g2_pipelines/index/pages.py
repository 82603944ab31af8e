"""Pages ranked for a question, then the nodes inside their pages.

Here: ``rank`` and what it can be told to leave out (``PageRanking``). BM25 over pages and over
their best window of 150 terms, with headings, captions, neighbouring words and character runs
as smaller parts, and the places that the question names on top. Each part is divided by its
largest value over the scope, so that weights mean the same for every question. k1 and the weights
of the smaller parts were set before they were measured here; that of named places exceeds all
others together. Pure functions on profiles; ``lance`` imports
this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from g2_pipelines.index.places import Named, named_pages
from g2_pipelines.index.profile import NodeTerms, Page, Profile, gram_codes
from g2_pipelines.index.query import Asked

Floats = NDArray[np.float64]
Places = NDArray[np.int32]


@dataclass(frozen=True)
class PageRanking:
    """Parameters of ``rank``: a weight of 0 leaves a part out.

    k1, b: of Okapi BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
    page, window, headings, captions, pairs, grams, vector, named: weights of the parts.
    parts: of the lines that an accounting ratio is made of, beside the question's own words.
    corpus: share of the idf taken from other documents than the scope's. None by default: it
    gave nothing (measured), and an answer would depend on documents it is not asked of.
    mate: what a page's further nodes have of their page's score, at most.
    """

    k1: float = 2.0
    b: float = 0.75
    corpus: float = 0.0
    page: float = 1.0
    window: float = 0.5
    headings: float = 0.3
    captions: float = 0.2
    pairs: float = 0.3
    grams: float = 0.3
    vector: float = 0.2
    named: float = 3.0
    parts: float = 0.5
    mate: float = 0.4
    clean: bool = True
    stemmed: bool = True


RANKING = PageRanking()
_LIFTED = 5  # documents of this many best pages may have their named places lifted
_PER_PAGE = 8  # most nodes of a page among the hits
_LEAST = 0.05  # likeness by which the last of the nearest is nearer than what is not among them
_LIKE = 0.01  # of a vector's likeness beside a node's words: it decides where these are silent


@dataclass(frozen=True)
class RankedPage:
    """A page, its score, and how the question names it (``figure:2``, ``page:3``) or ""."""

    document_id: str
    page: int
    score: float
    named: str = ""

    @property
    def key(self) -> Page:
        """Document and page."""
        return self.document_id, self.page


@dataclass(frozen=True)
class RankedNode:
    """A node, its score and how the question names it, or ""."""

    node: NodeTerms
    score: float
    named: str = ""


@dataclass(frozen=True)
class Ranked:
    """Pages and nodes, best first; equal scores by document and page, or by the row's id."""

    pages: list[RankedPage]
    nodes: list[RankedNode]


def rank(
    asked: Asked,
    profiles: Sequence[Profile],
    *,
    vectors: Mapping[str, float] | None = None,
    corpus: Sequence[Profile] = (),
    ranking: PageRanking = RANKING,
    most_pages: int = 50,
) -> Ranked:
    """Rank all pages of ``profiles``.

    Args:
        asked: The question.
        profiles: The pages of the scope, each once.
        vectors: Likeness of a row's vector to the question's by the row's id; higher is nearer.
            Rows that are not in it count as the least like.
        corpus: Documents whose pages make the corpus part of the idf; may overlap the scope.
        ranking: Weights.
        most_pages: Pages returned, at most.
    """
    scope = sorted((profile for profile in profiles if profile.pages), key=lambda p: p.pages[0])
    if not scope:
        return Ranked([], [])
    keys = [page for profile in scope for page in profile.pages]
    terms = list(asked.weights)
    weights = np.array([asked.weights[term] for term in terms])
    counts = np.concatenate([_counts(p, terms, p.page_of, len(p.pages)) for p in scope], axis=1)
    lengths = np.concatenate([profile.lengths for profile in scope])
    local = _idf(np.count_nonzero(counts, axis=1), len(keys))
    idf = weights * _mixed(local, terms, corpus, ranking.corpus)
    score = ranking.page * _unit(_bm25(counts, lengths, idf, ranking))
    score += ranking.window * _unit(_windows(scope, terms, idf, ranking))
    score += ranking.headings * _unit(_field(scope, terms, idf, lambda p: p.heads))
    score += ranking.captions * _unit(_field(scope, terms, idf, lambda p: p.captions))
    if ranking.pairs:
        score += ranking.pairs * _unit(_pairs(scope, asked, lengths, ranking))
    if ranking.grams:
        score += ranking.grams * _unit(_grams(scope, asked.text, ranking))
    if vectors and ranking.vector:
        score += ranking.vector * _likeness(scope, vectors)
    named: dict[Page, Named] = {}
    if ranking.named and asked.names:
        named = named_pages(asked.names, scope, lifted(keys, score))
        for at, key in enumerate(keys):
            if key in named:
                score[at] += ranking.named * named[key].share
    pages = [
        RankedPage(key[0], key[1], round(float(value), 9), named[key].name if key in named else "")
        for key, value in zip(keys, score, strict=True)
        if value > 0
    ]
    pages.sort(key=lambda page: (-page.score, page.document_id, page.page))
    pages = pages[:most_pages]
    inside = {page: nodes for profile in scope for page, nodes in profile.by_page.items()}
    gain = dict(zip(terms, map(float, idf), strict=True))
    mean = float(lengths.sum()) / max(sum(len(p.nodes) for p in scope), 1)
    own = _own_score(gain, mean, vectors or {}, ranking)
    nodes = [
        node
        for page in pages
        for node in _inside(page, inside[page.key], own, named.get(page.key), ranking)
    ]
    nodes.sort(key=lambda item: (-item.score, item.node.id))
    return Ranked(pages, nodes)


# -- parts of a page's score, each over all pages of the scope


def _counts(profile: Profile, terms: Sequence[str], place: Places, size: int) -> Floats:
    """How often each term stands in each unit: terms × units."""
    out = np.zeros((len(terms), size))
    table = np.full(len(profile.vocabulary) + 1, -1, dtype=np.int64)
    for at, term in enumerate(terms):
        if (number := profile.vocabulary.get(term)) is not None:
            table[number] = at
    found = table[profile.flat]
    hits = np.flatnonzero(found >= 0)
    np.add.at(out, (found[hits], place[hits]), 1.0)
    return out


def _idf(frequency: NDArray[np.int64], size: int) -> Floats:
    found: Floats = np.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
    return found


def _mixed(local: Floats, terms: Sequence[str], corpus: Sequence[Profile], share: float) -> Floats:
    """The scope's idf with a share of the corpus': what is rare everywhere says more."""
    pages = sum(len(profile.pages) for profile in corpus)
    if not share or not pages:
        return local
    frequency = np.zeros(len(terms), dtype=np.int64)
    for profile in corpus:
        found = _counts(profile, terms, profile.page_of, len(profile.pages))
        frequency += np.count_nonzero(found, axis=1)
    return (1 - share) * local + share * _idf(frequency, pages)


def _bm25(counts: Floats, lengths: Floats, idf: Floats, ranking: PageRanking) -> Floats:
    mean = float(lengths.sum()) / max(len(lengths), 1) or 1.0
    norm = ranking.k1 * (1 - ranking.b + ranking.b * lengths / mean)
    found: Floats = idf @ (counts * (ranking.k1 + 1) / (counts + norm))
    return found


def _windows(
    scope: Sequence[Profile], terms: Sequence[str], idf: Floats, ranking: PageRanking
) -> Floats:
    """Each page's best window."""
    if not ranking.window:
        return np.zeros(sum(len(profile.pages) for profile in scope))
    counts = [_counts(p, terms, p.window_of, len(p.window_page)) for p in scope]
    lengths = np.concatenate([profile.window_lengths for profile in scope])
    scores = _bm25(np.concatenate(counts, axis=1), lengths, idf, ranking)
    out, start = [], 0
    for profile in scope:
        best = np.zeros(len(profile.pages))
        size = len(profile.window_page)
        np.maximum.at(best, profile.window_page, scores[start : start + size])
        out.append(best)
        start += size
    return np.concatenate(out)


def _field(
    scope: Sequence[Profile],
    terms: Sequence[str],
    idf: Floats,
    field: Callable[[Profile], NDArray[np.int64]],
) -> Floats:
    """The weight of the question's terms that stand in a field of the page."""
    out = []
    for profile in scope:
        table = np.zeros(len(profile.vocabulary) + 1)
        for term, gain in zip(terms, idf, strict=True):
            if (number := profile.vocabulary.get(term)) is not None:
                table[number] = gain
        pairs = field(profile)
        out.append(
            np.bincount(pairs[:, 1], weights=table[pairs[:, 0]], minlength=len(profile.pages))
        )
    return np.concatenate(out)


def _pairs(
    scope: Sequence[Profile],
    asked: Asked,
    lengths: Floats,
    ranking: PageRanking,
) -> Floats:
    """BM25 over neighbouring content words of the question."""
    wanted = list(dict.fromkeys(zip(asked.sequence, asked.sequence[1:], strict=False)))
    if not wanted:
        return np.zeros(len(lengths))
    counts = []
    for profile in scope:
        kept = np.flatnonzero(profile.content)
        flat, place = profile.flat[kept], profile.page_of[kept]
        out = np.zeros((len(wanted), len(profile.pages)))
        same = place[:-1] == place[1:]
        for at, (one, two) in enumerate(wanted):
            first, second = profile.vocabulary.get(one), profile.vocabulary.get(two)
            if first is None or second is None:
                continue
            found = np.flatnonzero((flat[:-1] == first) & (flat[1:] == second) & same)
            np.add.at(out[at], place[found], 1.0)
        counts.append(out)
    table = np.concatenate(counts, axis=1)
    gains = _idf(np.count_nonzero(table, axis=1), table.shape[1])
    return _bm25(table, lengths, gains, ranking)


def _grams(scope: Sequence[Profile], text: str, ranking: PageRanking) -> Floats:
    """BM25 over character runs: parts of compounds, misspelt and misread words."""
    words = " ".join(word for word in text.split() if word.isascii())
    codes = np.unique(gram_codes(words))
    found = [profile.grams(codes) for profile in scope]
    table = np.concatenate([counts for counts, _ in found], axis=1)
    lengths = np.concatenate([sizes for _, sizes in found])
    gains = _idf(np.count_nonzero(table, axis=1), table.shape[1])
    return _bm25(table, lengths, gains, ranking)


def _likeness(scope: Sequence[Profile], vectors: Mapping[str, float]) -> Floats:
    """Each page's likest node, from 0 for a page without one to 1."""
    least, most = min(vectors.values()) - _LEAST, max(vectors.values())
    out = []
    for profile in scope:
        best = np.full(len(profile.pages), least)
        place = profile.page_of_id
        for id_, value in vectors.items():
            if (at := place.get(id_)) is not None and value > best[at]:
                best[at] = value
        out.append(best)
    found: Floats = (np.concatenate(out) - least) / (most - least)
    return found


def _unit(values: Floats) -> Floats:
    """Divided by the largest; all zero where there is none."""
    most = values.max(initial=0.0)
    return values / most if most > 0 else np.zeros_like(values)


def lifted(keys: Sequence[Page], score: Sequence[float] | Floats) -> frozenset[str]:
    """The documents that the words point to: every document has a figure 2."""
    best = sorted(range(len(keys)), key=lambda at: (-score[at], keys[at]))[:_LIFTED]
    return frozenset(keys[at][0] for at in best)


# -- nodes inside a page


def _inside(
    page: RankedPage,
    nodes: Sequence[NodeTerms],
    own: Callable[[NodeTerms], float],
    place: Named | None,
    ranking: PageRanking,
) -> Iterable[RankedNode]:
    """The page's best node has the page's score, the others a part of it by their own."""
    meant = place.node_ids if place is not None else frozenset()
    found = [(node.node_id in meant, own(node), node) for node in nodes]
    found = [item for item in found if item[0] or item[1] > 0 or (place and item[2].search_text)]
    found.sort(key=lambda item: (not item[0], -item[1], item[2].order, item[2].node_id))
    most = max((value for _, value, _ in found), default=0.0) or 1.0
    for at, (labelled, value, node) in enumerate(found[:_PER_PAGE]):
        share = 1.0 if at == 0 else ranking.mate * (1.0 if labelled else value / most)
        name = place.name if place is not None and (labelled or not meant) else ""
        yield RankedNode(node, round(page.score * share, 9), name)


def _own_score(
    gain: Mapping[str, float], mean: float, vectors: Mapping[str, float], ranking: PageRanking
) -> Callable[[NodeTerms], float]:
    """BM25 of the node alone. A node shorter than the mean is not better for being short."""

    def own(node: NodeTerms) -> float:
        words = node.search_text.split()
        held = {term: words.count(term) for term in gain.keys() & set(words)}
        norm = ranking.k1 * (1 - ranking.b + ranking.b * max(len(words) / (mean or 1.0), 1.0))
        value = sum(
            gain[term] * held[term] * (ranking.k1 + 1) / (held[term] + norm)
            for term in sorted(held)
        )
        return round(value + _LIKE * max(0.0, vectors.get(node.id, 0.0)), 9)

    return own
