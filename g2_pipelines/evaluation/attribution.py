"""Which places of the sources a sentence of a summary stands on.

Here: ``attribute``. BM25 over words and BM25 over character bigrams rank the places, their
ranks are fused (reciprocal rank fusion), and places that hold the sentence's figures come
first (a must-match: the right topic with other figures is another period's text). In a
transcript an answer is found also by its question's words, and a question itself is no
evidence while there is any other. What the summarizer itself cites is always among the
candidates. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Corpus, digits
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number, numbers
from g2_pipelines.text.overlap import ngrams
from g2_pipelines.text.terms import content_words, terms

_EMPTY = re.compile(
    r"\d|[\u3041-\u3096]|^(?:[億万千百円年月期度名人社]{1,2}|the|a|of|in|and|to|is|was)$"
)
_CANDIDATES = 30
_K = 60.0  # of reciprocal rank fusion (Cormack et al. 2009)
_QUESTION = 0.3  # how much of its question's rank an answer has besides its own
#: Places taken as the aligned evidence; 5 is what the measured prototype used (measured).
ALIGNED = 5


class Attribution(NamedTuple):
    """Aligned places, best first, each with its score, the sentence's score, and its place.

    Scores are 0…1; ``verbatim`` is where the very sentence stands, if it does.
    """

    places: list[int]
    scores: list[float]
    score: float
    verbatim: Span | None


def attribute(
    sentence: str,
    corpus: Corpus,
    *,
    figures: Sequence[Number] | None = None,
    cited: Sequence[Span] = (),
) -> Attribution:
    """The places of ``corpus`` that ``sentence`` stands on; ``figures`` are the sentence's.

    The sentence's score is 1 for the sources' own words; else the share of its terms, weighted
    by how rare they are in the sources, that its best three places hold; figures of two digits
    or more that stand there count half. A place's score is the same for it alone.
    """
    found = numbers(sentence) if figures is None else figures
    said = sentence
    sentence = _spelt_out(sentence, corpus)
    wanted = {text for n in found if len(text := digits(n.value)) >= 2}
    verbatim = corpus.find(said)
    places = corpus.places_in(verbatim) if verbatim is not None else []
    places = (places or _ranked(sentence, found, corpus, cited))[: _most(cited, corpus)]
    weight = _weights(sentence, corpus)
    scores = [_support(sentence, wanted, weight, corpus, [place]) for place in places]
    if verbatim is not None:
        return Attribution(places[:ALIGNED], [1.0] * len(places[:ALIGNED]), 1.0, verbatim)
    score = max([_support(sentence, wanted, weight, corpus, places), *scores[:1]], default=0.0)
    return Attribution(places, scores, score, None)


def _spelt_out(sentence: str, corpus: Corpus) -> str:
    """The sentence, and items by their full names besides: 販管費 is in no report."""
    folded = fold_text(sentence)
    names = dict.fromkeys(name for _, _, name in corpus.items.find(folded) if name not in folded)
    return " ".join([sentence, *names])


def _most(cited: Sequence[Span], corpus: Corpus) -> int:
    quoted = {i for span in cited for i in corpus.places_in(span)}
    return max(ALIGNED, min(len(quoted), 12))


def _ranked(
    sentence: str, figures: Sequence[Number], corpus: Corpus, cited: Sequence[Span]
) -> list[int]:
    fused = _fused(
        corpus.index.scores(terms(sentence)),
        corpus.word_index.scores([word.casefold() for word in content_words(sentence)]),
    )
    quoted = list(dict.fromkeys(i for span in cited for i in corpus.places_in(span)))
    wanted = {digits(number.value) for number in figures}
    # A place with the sentence's figures is a candidate whatever its rank.
    held = {
        corpus.figures[i].place
        for text in wanted
        if len(text) >= 3
        for i in corpus.by_digits.get(text, ())[:_CANDIDATES]
    }
    with_question = {
        place: fused.get(place, 0.0)
        + _QUESTION * max((fused.get(q, 0.0) for q in corpus.turns.question_of(place)), default=0.0)
        for place in {*fused, *held, *quoted, *corpus.turns.answers_to(fused)}
        if place >= 0
    }
    top = max(with_question.values(), default=0.0) or 1.0

    def rank(place: int) -> tuple[bool, float, int]:
        there = {digits(corpus.figures[i].number.value) for i in corpus.by_place.get(place, ())}
        share = len(wanted & there) / len(wanted) if wanted else 0.0
        points = with_question[place] / top + 0.8 * share + (0.5 if place in quoted else 0.0)
        return corpus.turns.is_question(place), -points, place

    return sorted(with_question, key=rank)


def _fused(*rankings: Sequence[float]) -> dict[int, float]:
    """Place → reciprocal rank fusion over each ranking's best candidates."""
    fused: dict[int, float] = {}
    for scores in rankings:
        best = sorted((i for i, s in enumerate(scores) if s > 0), key=lambda i: (-scores[i], i))
        for at, place in enumerate(best[:_CANDIDATES]):
            fused[place] = fused.get(place, 0.0) + 1.0 / (_K + at)
    return fused


def _weights(sentence: str, corpus: Corpus) -> dict[str, float]:
    return {term: corpus.index.idf(term) for term in _content(sentence)}


def _support(
    sentence: str,
    figures: set[str],
    weight: Mapping[str, float],
    corpus: Corpus,
    places: Sequence[int],
) -> float:
    if not weight or not places:
        return 0.0
    total = _sum(weight.values()) or 1.0
    best = 0.0
    held: set[str] = set()
    for count, place in enumerate(places[:3]):
        held |= corpus.terms_of(place)
        covered = _sum(weight[term] for term in weight.keys() & held) / total
        # Further places may complete the first, at a price.
        best = max(best, covered * (1.0 - 0.05 * count))
    best = max(best, _overlap(sentence, corpus, places))
    if figures:
        there = {
            digits(corpus.figures[i].number.value)
            for p in places
            for i in corpus.by_place.get(p, ())
        }
        best = max(best, 0.6 * best + 0.45 * len(figures & there) / len(figures))
    return min(0.99, best)  # 1 is verbatim


def _sum(values: Iterable[float]) -> float:
    return sum(sorted(values))  # sorted: float sums must not depend on a set's order


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
