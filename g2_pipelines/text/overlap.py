"""How much two texts share, by character n-grams.

Here: ``ngrams`` and ``ngram_overlap``. Every package above may import this module.
"""

from __future__ import annotations

from g2_pipelines.text.fold import fold_text


def ngrams(text: str, n: int = 4) -> frozenset[str]:
    """Character n-grams of the folded text without white space.

    A shorter text is its own only n-gram, an empty one has none.
    """
    folded = "".join(fold_text(text).split())
    if not folded:
        return frozenset()
    return frozenset(folded[i : i + n] for i in range(max(1, len(folded) - n + 1)))


def ngram_overlap(a: str, b: str, n: int = 4) -> float:
    """|A ∩ B| / min(|A|, |B|) over n-grams, 0…1; 0 where either text is empty."""
    left, right = ngrams(a, n), ngrams(b, n)
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))
