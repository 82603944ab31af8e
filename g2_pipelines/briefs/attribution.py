"""Where a written sentence comes from: the source sentences that share most with it.

Here: ``attribute``. Used where a model wrote the text; extractive sentences carry their
spans themselves. Full evidence search and claim checks are evaluation's. Importable by
briefs only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.tables.line1 import SummarySentence
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.overlap import ngrams
from g2_pipelines.text.sentences import sentences

#: Least share of a written sentence's bigrams that a source sentence must hold.
_LEAST = 0.2
#: Most source sentences named for one written sentence.
_MOST = 2


class Candidate(NamedTuple):
    """A source sentence and the spans it stands for."""

    text: str
    spans: tuple[Span, ...]


def attribute(text: str, candidates: Sequence[Candidate]) -> list[SummarySentence]:
    """The sentences of ``text`` with the spans of the source sentences nearest to each.

    Nearness is the share of the written sentence's character bigrams that the source
    sentence holds; a second one is named where it adds bigrams. No candidate near enough:
    no span, which the page and the evaluation show.
    """
    grams = [ngrams(candidate.text, 2) for candidate in candidates]
    result = []
    for start, end in sentences(text):
        wanted = ngrams(text[start:end], 2)
        left = set(wanted)
        spans: list[Span] = []
        for _ in range(_MOST):
            best = max(range(len(grams)), key=lambda i: (len(left & grams[i]), -i), default=-1)
            if best < 0 or len(left & grams[best]) < _LEAST * len(wanted):
                break
            spans.extend(span for span in candidates[best].spans if span not in spans)
            left -= grams[best]
        result.append(SummarySentence(start=start, end=end, spans=spans))
    return result
