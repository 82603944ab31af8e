"""BM25 over token lists, exact and in memory.

Here: ``Bm25``. Not here: how text becomes tokens (``terms``), nor the stored index
(package ``index``). Every package above may import this module.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence


class Bm25:
    """Okapi BM25 with idf = ln(1 + (N - n + 0.5) / (n + 0.5)), never negative.

    Args:
        documents: The tokens of each document.
        k1: Saturation of a term's count.
        b: Share of length normalisation, 0…1.
    """

    def __init__(
        self, documents: Sequence[Sequence[str]], *, k1: float = 1.5, b: float = 0.75
    ) -> None:
        self.size = len(documents)
        lengths = [len(document) for document in documents]
        average = (sum(lengths) / self.size if self.size else 0.0) or 1.0
        postings: dict[str, list[tuple[int, float]]] = {}
        for index, document in enumerate(documents):
            norm = k1 * (1 - b + b * lengths[index] / average)
            for term, count in Counter(document).items():
                weight = count * (k1 + 1) / (count + norm)
                postings.setdefault(term, []).append((index, weight))
        self._postings = postings

    def idf(self, term: str) -> float:
        """Inverse document frequency of ``term`` (largest for an unseen one)."""
        found = len(self._postings.get(term, ()))
        return math.log(1 + (self.size - found + 0.5) / (found + 0.5))

    def scores(self, query: Sequence[str]) -> list[float]:
        """One score per document, in order, ≥ 0. A term given twice counts twice."""
        scores = [0.0] * self.size
        # Sorted, so that float sums do not depend on the order of the query's terms.
        for term, times in sorted(Counter(query).items()):
            weight = self.idf(term) * times
            for index, part in self._postings.get(term, ()):
                scores[index] += weight * part
        return scores
