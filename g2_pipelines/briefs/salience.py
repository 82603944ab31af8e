"""Generic salience of sentences: how central a sentence is to its text, whatever the aspect.

Here: ``salience``, the yardstick of the simple baseline (the paper's ②'). Importable by
briefs only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from g2_pipelines.text.terms import terms

#: What standing first in the text adds, as a share of full centrality.
_POSITION = 0.15


def salience(texts: Sequence[str]) -> list[float]:
    """Scores 0…1.15: cosine with the centroid of all sentences (tf·idf of character bigrams
    and words) plus a little for standing early.
    """
    counts = [Counter(terms(text)) for text in texts]
    spread = Counter(term for count in counts for term in count)
    total = len(texts)
    vectors = [
        {term: number * math.log1p(total / spread[term]) for term, number in count.items()}
        for count in counts
    ]
    centroid: Counter[str] = Counter()
    for vector in vectors:
        length = math.sqrt(math.fsum(x * x for x in vector.values())) or 1.0
        for term, x in vector.items():
            centroid[term] += x / length  # type: ignore[assignment]
    norm = math.sqrt(math.fsum(x * x for x in centroid.values())) or 1.0
    result = []
    for place, vector in enumerate(vectors):
        length = math.sqrt(math.fsum(x * x for x in vector.values())) or 1.0
        dot = math.fsum(x * centroid[term] for term, x in vector.items())
        result.append(round(dot / (length * norm) + _POSITION * (1 - place / total), 6))
    return result
