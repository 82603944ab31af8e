"""What makes a prose answer unusable: nothing there, the wrong language, a loop.

Counting only, no model; ``structured`` and those with texts in an object import this module. Thresholds are ours: wide, as a
fault costs a second call and a missed one is seen by the brief's checks.
"""

from __future__ import annotations

import re
from typing import Literal

_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
#: 12 characters or more, four times or more in a row.
_LOOP = re.compile(r"(.{12,400}?)\1{3,}", re.DOTALL)
_WORD = re.compile(r"[^\W_]")
_STUCK = re.compile(r"([^\s\-=_.・…─―*#|])\1{29,}")


def text_fault(text: str, language: Literal["ja", "en"] | None) -> str | None:
    """The first fault of ``text`` in words, or None. ``language`` None: any language."""
    if not text.strip():
        return "the answer is empty"
    if language is not None and _other_language(text, language):
        wanted = "Japanese" if language == "ja" else "English"
        return f"the answer is not in {wanted}"
    if loops(text):
        return "the answer repeats one passage over and over"
    return None


def _other_language(text: str, language: Literal["ja", "en"]) -> bool:
    kana, han, latin = (len(p.findall(text)) for p in (_KANA, _HAN, _LATIN))
    letters = kana + han + latin
    if letters < 20:  # a number, a name: no language to speak of
        return False
    if language == "en":
        return (kana + han) * 2 > letters
    # Chinese has no kana; Japanese prose has 40 % and more, a list of nouns at least some.
    return kana * 20 < letters


def loops(text: str) -> bool:
    """True when one character stands 30 times, or a passage 4 times, in a row.

    Rules of dashes or dots are no passage. Only the last 8,000 characters are looked at for
    passages: a model that loops does not stop, and the search grows with the length.
    """
    passages = (match.group(1) for match in _LOOP.finditer(text[-8_000:]))
    return bool(_STUCK.search(text)) or any(_WORD.search(passage) for passage in passages)
