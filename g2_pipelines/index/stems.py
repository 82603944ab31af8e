"""English words cut to a common stem, so that a question's form finds the text's.

Here: ``stem``. A light form of Porter's first step (An algorithm for suffix stripping, 1980):
plurals, -ed and -ing, with the doubled consonant and the lost e mended, and y for i at the
end. Heavier stemming gave nothing (measured). Only modules of this package import this one.
"""

from __future__ import annotations

import re
from functools import lru_cache

_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([^aeiouylsz])\1$")
#: Consonant, vowel, consonant (not w, x, y) in a word of one syllable: an e was lost (mak-ing).
_SHORT = re.compile(r"^[^aeiou]*[aeiouy][^aeiouwxy]$")
#: After ``text.terms``, which cuts a plural's s; what no rule reaches.
_IRREGULAR = {
    "appendice": "appendix",
    "appendices": "appendix",
    "indices": "index",
    "indice": "index",
    "matrices": "matrix",
    "matrice": "matrix",
    "vertice": "vertex",
    "quizz": "quiz",
    "quizzes": "quiz",
    "analyse": "analysis",
    "hypothese": "hypothesis",
    "children": "child",
    "women": "woman",
    "men": "man",
    "feet": "foot",
}


@lru_cache(maxsize=65_536)
def stem(term: str) -> str:
    """``term``'s stem; Japanese, figures and short words stay as they are."""
    if term in _IRREGULAR:
        return _IRREGULAR[term]
    if len(term) < 4 or not term.isascii() or not term.isalpha():
        return term
    word = _plural(term)
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _VOWEL.search(word[: -len(ending)]):
            word = _mended(word[: -len(ending)])
            break
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 2 and word[-1] == "y" and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    return word


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word[-1] == "s" and word[-2] not in "sui":
        return word[:-1]
    return word


def _mended(word: str) -> str:
    if word.endswith(("at", "bl", "iz")) or _SHORT.match(word):
        return word + "e"
    return word[:-1] if _DOUBLED.search(word) else word
