"""Word overlap: VisDoMBench's own metric, kept apart from every judgement of right and wrong.

Here: ``word_f1`` (SQuAD's normalisation and token F1, as VisDoM names it) and ``bigram_f1``,
the same over character bigrams for Japanese, which has no words between spaces.

Rajpurkar et al., SQuAD (2016): lower case, punctuation and articles left out.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.text.fold import fold_text

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(text: str) -> list[str]:
    """Words of ``text``: lower case, without ASCII punctuation and articles."""
    plain = _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION))
    return plain.split()


def word_f1(answer: str, right: Sequence[str]) -> float:
    """The best F1 of ``answer`` against any of ``right``, over words with their counts.

    0 where one side has no word, 1 where neither has.
    """
    words = normalised(answer)
    return max((_f1(words, normalised(one)) for one in right), default=0.0)


def bigram_f1(answer: str, right: Sequence[str]) -> float:
    """As ``word_f1``, over character bigrams of the folded text without white space."""
    return max((_f1(_bigrams(answer), _bigrams(one)) for one in right), default=0.0)


def _bigrams(text: str) -> list[str]:
    chars = [char for char in fold_text(text) if char.isalnum()]
    return ["".join(pair) for pair in pairwise(chars)] or chars


def _f1(ours: Sequence[str], theirs: Sequence[str]) -> float:
    if not ours or not theirs:
        return float(ours == theirs)
    shared = (Counter(ours) & Counter(theirs)).total()
    return 2 * shared / (len(ours) + len(theirs))
