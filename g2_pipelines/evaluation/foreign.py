"""Stretches of a text that are in another language than its sources, with their ranges.

Here: ``Stretch`` and ``foreign``. 市场 in a Japanese text, a stray Hangul or Cyrillic word, an
English clause. What stands in a source as it is, is no finding. Only modules of this package
import it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from g2_pipelines.evaluation.style import tongue
from g2_pipelines.text.sentences import sentences

_SCRIPTS = {
    "Hangul": r"\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3",
    "Cyrillic": r"\u0400-\u052f",
    "Thai": r"\u0e01-\u0e5b",
    "Arabic": r"\u0600-\u06ff\u0750-\u077f",
    "Hebrew": r"\u0590-\u05ff",
    "Devanagari": r"\u0900-\u097f",
}
_STRAY = re.compile(
    "|".join(f"(?P<{name}>[{chars}](?:[{chars} ]*[{chars}])?)" for name, chars in _SCRIPTS.items())
)
_HAN = re.compile(r"[\u3005\u4e00-\u9fff]+")
_JAPANESE = re.compile(
    r"[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff][\u3041-\u30fe\u3005\u4e00-\u9fff]*"
)
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_ENGLISH = re.compile(r"[A-Za-z][A-Za-z'’-]*(?:,? [A-Za-z0-9][A-Za-z0-9%.,'’-]*){3,}")
_FUNCTION = re.compile(
    r"\b(?:the|an?|of|in|to|and|is|are|was|were|be|for|with|by|from|has|have|will|its|our|that|this|on|as|at)\b"
)
#: Chinese conjunctions of characters that Japanese has too, but not so.
_CHINESE = re.compile(r"但(?![しき書馬野波東丹])|(?<![\u4e00-\u9fff])(?:因此|并且|但是)")
_LONG = 16  # a sentence of a name or a figure alone has no language
_NAMES = {"en": "English", "zh": "Chinese", "ko": "Korean", "ja": "Japanese"}


class Stretch(NamedTuple):
    """[start, end) of the text, in code points, and which language or script it is."""

    start: int
    end: int
    text: str
    what: str
    whole: bool = False  # a sentence, not a word in one


def foreign(text: str, home: frozenset[str], known: Callable[[str], bool]) -> list[Stretch]:
    """The stretches of ``text`` in none of the languages ``home`` (ja, en, zh, ko), in order.

    ``known`` says whether a word stands in the sources.
    """
    out: list[Stretch] = []
    for start, end in sentences(text):
        sentence = text[start:end]
        spoken = tongue(sentence)
        mixed = "ja" in home and _KANA.search(sentence) is not None
        if spoken not in home and len(sentence) >= _LONG and not (mixed or known(sentence)):
            out.append(Stretch(start, end, sentence, _NAMES[spoken], whole=True))
            continue
        words = sorted(_words(sentence, home), key=lambda word: (word.start, -word.end))
        done = 0
        for word in words:
            if word.start >= done and not known(word.text):
                done = word.end
                out.append(word._replace(start=start + word.start, end=start + word.end))
    return out


def _words(sentence: str, home: frozenset[str]) -> Iterator[Stretch]:
    yield from (
        Stretch(*match.span(), match.group(), match.lastgroup or "")
        for match in _STRAY.finditer(sentence)
        if match.lastgroup != "Hangul" or "ko" not in home
    )
    if "zh" not in home:
        yield from _of(_HAN, sentence, "simplified Chinese", _has_simplified)
        yield from _of(_CHINESE, sentence, "Chinese", lambda _: True)
    if "en" not in home:
        yield from _of(_ENGLISH, sentence, "English", _is_english)
    if home == {"en"}:
        yield from _of(_JAPANESE, sentence, "Japanese", lambda word: len(word) > 1)


def _of(
    pattern: re.Pattern[str], sentence: str, what: str, is_it: Callable[[str], bool]
) -> Iterator[Stretch]:
    for match in pattern.finditer(sentence):
        if is_it(match.group()):
            yield Stretch(*match.span(), match.group(), what)


def _is_english(words: str) -> bool:
    return len(_FUNCTION.findall(words)) >= 2


def _has_simplified(word: str) -> bool:
    return any(_is_simplified(char) for char in word)


@cache
def _is_simplified(char: str) -> bool:
    """A character of GB 2312 that no Japanese standard has (CP932, JIS X 0213)."""
    return _has("gb2312", char) and not _has("cp932", char) and not _has("euc_jis_2004", char)


def _has(encoding: str, char: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
