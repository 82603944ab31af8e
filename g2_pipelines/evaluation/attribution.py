"""Which places of the sources a sentence of a summary stands on.

Here: ``attribute``. BM25 over character bigrams and compounds finds candidates; those that
hold the sentence's figures come first (a must-match: the right topic with other figures is
another period's text). What the summarizer itself cites is always among the candidates.
Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Corpus, digits, index_terms
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.numbers import numbers
from g2_pipelines.text.overlap import ngrams
from g2_pipelines.text.terms import terms

_EMPTY = re.compile(
    r"\d|[\u3041-\u3096]|^(?:[億万千百円年月期度名人社]{1,2}|the|a|of|in|and|to|is|was)$"
)
_CANDIDATES = 30
#: Places taken as the aligned evidence; 5 is what the measured prototype used (measured).
ALIGNED = 5


class Attribution(NamedTuple):
    """Aligned places, best first, a score 0…1, and where the very sentence stands, if it does."""

    places: list[int]
    score: float
    verbatim: Span | None


def attribute(sentence: str, corpus: Corpus, *, cited: Sequence[Span] = ()) -> Attribution:
    """The places of ``corpus`` that ``sentence`` stands on.

    The score is 1 for the sources' own words; else the share of the sentence's terms, weighted
    by how rare they are in the sources, that its best three places hold; figures of two digits
    or more that stand there count half.
    """
    verbatim = corpus.find(sentence)
    if verbatim is not None:
        places = corpus.places_in(verbatim)
        return Attribution((places or _ranked(sentence, corpus, cited))[:ALIGNED], 1.0, verbatim)
    places = _ranked(sentence, corpus, cited)
    return Attribution(places, _support(sentence, corpus, places), None)


def _ranked(sentence: str, corpus: Corpus, cited: Sequence[Span]) -> list[int]:
    scores = corpus.index.scores(index_terms(sentence))
    best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:_CANDIDATES]
    best = [i for i in best if scores[i] > 0]
    quoted = list(dict.fromkeys(i for span in cited for i in corpus.places_in(span)))
    wanted = {digits(number.value) for number in numbers(sentence)}
    top = scores[best[0]] if best else 1.0

    def rank(place: int) -> tuple[float, int]:
        held = {digits(corpus.figures[i].number.value) for i in corpus.by_place.get(place, ())}
        share = len(wanted & held) / len(wanted) if wanted else 0.0
        return -(scores[place] / top + 0.8 * share + (0.5 if place in quoted else 0.0)), place

    return sorted(dict.fromkeys([*quoted, *best]), key=rank)[: max(ALIGNED, min(len(quoted), 12))]


def _support(sentence: str, corpus: Corpus, places: Sequence[int]) -> float:
    wanted = _content(sentence)
    if not wanted or not places:
        return 0.0
    weight = {term: corpus.index.idf(term) for term in wanted}
    total = sum(sorted(weight.values())) or 1.0
    best = 0.0
    held: set[str] = set()
    for count, place in enumerate(places[:3]):
        held |= set(terms(corpus.text(place)))
        covered = sum(sorted(weight[term] for term in wanted & held)) / total
        # Further places may complete the first, at a price.
        best = max(best, covered * (1.0 - 0.05 * count))
    best = max(best, _overlap(sentence, corpus, places))
    figures = {text for n in numbers(sentence) if len(text := digits(n.value)) >= 2}
    if figures:
        there = {
            digits(corpus.figures[i].number.value)
            for p in places
            for i in corpus.by_place.get(p, ())
        }
        best = max(best, 0.6 * best + 0.45 * len(figures & there) / len(figures))
    return min(0.99, best)  # 1 is verbatim


def _content(sentence: str) -> set[str]:
    """Terms that carry a statement: no figures (judged by themselves), units or endings."""
    found = set(terms(sentence))
    return {term for term in found if not _EMPTY.search(term)} or found


def _overlap(sentence: str, corpus: Corpus, places: Sequence[int]) -> float:
    """Share of the sentence's 4-grams in the best place (long copied stretches)."""
    own = ngrams(sentence)
    if not own:
        return 0.0
    return max(len(own & ngrams(corpus.text(place))) / len(own) for place in places[:2])
