"""Words of a question and how well a text holds them, without a dictionary.

Here: ``Word`` (a word of a question, strict when only its very occurrence will do), ``words``
which takes them from a question, ``Prepared`` texts, and ``held``, how far a text holds a
word. Used by the extractive implementation only.

Japanese words are runs of kanji and katakana, compared as substrings and else by their
character bigrams; Latin words are compared by a light stem, figures as figures.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from g2_pipelines.qa.common_words import GENERIC_EN, GENERIC_JA, IRREGULAR, SAME_JA
from g2_pipelines.qa.grounding import squeeze
from g2_pipelines.text.fold import fold_text

_CJK = r"\u30a1-\u30fa\u30fc\u3005\u3400-\u4dbf\u4e00-\u9fff"
_JAPANESE = rf"{_CJK}\u3041-\u3096"
_LATIN = rf"(?:(?![{_JAPANESE}])[^\W\d_])"
_ALNUM = rf"(?:(?![{_JAPANESE}])[^\W_])"
_TOKEN = re.compile(
    rf"(?P<period>(?:令和|平成|昭和)(?:\d{{1,2}}|元)年(?:度|\d{{1,2}}(?:[~-]\d{{1,2}})?月(?:期|末|\d{{1,2}}日)?)?)"
    rf"|(?P<place>(?<!\d)\d{{1,3}}位)"
    rf"|(?P<code>(?<![A-Za-z\d.,])[1-9][BDEGOPQRUXYZ](?![A-Za-z\d]))"
    rf"|(?P<lettered>[{_CJK}]*(?<![A-Za-z\d])[A-Z](?=[{_CJK}])[{_CJK}]+)"
    rf"|(?P<verb>(?<![{_CJK}])[\u4e00-\u9fff](?=[\u3041-\u3096]))|[{_CJK}]+|\d[\d,]*(?:\.\d+)?"
    rf"|{_LATIN}{_ALNUM}*(?:[-&+.'/]{_ALNUM}+)*\+*"
)
_POSSESSIVE = re.compile(r"['’]s$")
_RUNS = re.compile(r"[\u30a1-\u30ff]+|[^\u30a1-\u30ff]+")
_SUFFIXES = "率数量額性化度者"
_PERIOD = re.compile(r"(?:令和|平成|昭和)(?:\d{1,2}|元)年(?:[\d~-]{1,5}月(?:期|末|\d{1,2}日)?)?")
_LONG = 6  #: letters of a word that may be misspelt
_PLACE = re.compile(r"\d{1,3}位")
_BROKEN = re.compile(r"(?<=[a-z]{2})-\s+(?!(?:and|or|to)\b)(?=[a-z]{2})")
_CODE = re.compile(r"\d[a-z]")
_PIECES = re.compile(r"[a-zà-ɏ]+|\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Word:
    """A word of a question, folded. ``strict``: a name, code or figure that must occur."""

    text: str
    strict: bool

    @property
    def is_figure(self) -> bool:
        """True for a number."""
        return self.text[0].isdigit()


@dataclass(frozen=True)
class Prepared:
    """A text ready for matching: folded without white space, stems, figures."""

    squeezed: str
    stems: frozenset[str]
    figures: frozenset[str]


@lru_cache(maxsize=65536)
def prepared(text: str) -> Prepared:
    """``text`` made ready for ``held``; cached, since evidence is asked many times."""
    folded = fold_text(text)
    pieces = _PIECES.findall(folded)
    if _BROKEN.search(folded):  # a header's word over two lines: dis- tance
        pieces += _PIECES.findall(_BROKEN.sub("", folded))
    return Prepared(
        squeezed=squeeze(text),
        stems=frozenset(stem(piece) for piece in pieces if not piece[0].isdigit()),
        figures=frozenset(_figure(piece) for piece in pieces if piece[0].isdigit()),
    )


def _figure(digits: str) -> str:
    plain = digits.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light English stem: plural, -ed, -ing, -ly and a silent e; short words stay."""
    word = IRREGULAR.get(word, word)
    if len(word) < 4 or not word.isascii():
        return word
    for ending, kept in (("ies", "y"), ("ing", ""), ("ed", ""), ("ly", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            if ending == "s" and word.endswith(("ss", "us", "is")):
                break
            word = word[: len(word) - len(ending)] + kept
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def words(text: str) -> list[Word]:
    """The words of a question that an answer's evidence should hold, in order, each once.

    Words that every question has (何, 説明, what, according, figure) are left out. Of a
    Japanese verb or adjective its kanji stands for it (捨てた → 捨) and weighs less.
    """
    normal = unicodedata.normalize("NFKC", text)
    found: dict[str, Word] = {}
    for match in _TOKEN.finditer(normal):
        at_start = not normal[: match.start()].strip()
        if match["lettered"] or match["code"]:
            text_of = fold_text(match["lettered"] or match["code"])
            found[text_of] = Word(text_of, strict=True)
            continue
        if match["period"]:
            text_of = fold_text(match["period"]).removesuffix("度")
            found[text_of] = Word(text_of, strict=True)
            continue
        if match["place"]:  # 7位 is no 7
            found[match["place"]] = Word(match["place"], strict=True)
            continue
        if match["verb"]:
            if match["verb"] in GENERIC_JA:
                continue
            found.setdefault(match["verb"], Word(match["verb"], strict=False))
            continue
        for word in _as_words(match.group(), at_start=at_start):
            known = found.get(word.text)
            if known is None or (word.strict and not known.strict):
                found[word.text] = word
    return list(found.values())


def _as_words(token: str, *, at_start: bool) -> list[Word]:
    folded = _POSSESSIVE.sub("", fold_text(token))
    if folded[0].isdigit():
        return [Word(_figure(folded), strict=True)]
    fiscal = re.fullmatch(r"fy(\d{4})", folded)
    if fiscal:
        return [Word(fiscal[1], strict=True)]
    if not _is_cjk(folded[0]):
        return _latin_words(token, folded, at_start=at_start)
    if folded in GENERIC_JA or (len(folded) == 1):
        return []
    return [Word(folded, strict=False)]


def _latin_words(token: str, folded: str, *, at_start: bool) -> list[Word]:
    if len(folded) == 1:
        return [Word(folded, strict=True)] if token.isupper() and not at_start else []
    if folded.removesuffix("'s") in GENERIC_EN or folded in GENERIC_EN:
        return []
    capital = any(char.isupper() for char in token)
    name = any(char.isdigit() for char in token) or token[1:] != token[1:].lower()
    return [Word(folded, strict=name or (capital and not at_start))]


def _is_cjk(char: str) -> bool:
    return "\u3041" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or char == "々"


def held(word: Word, text: Prepared) -> float:
    """How far ``text`` holds ``word``: 1 whole, less for a part of a Japanese compound, 0 not."""
    if word.is_figure and word.text.replace(".", "").isdigit():
        return 1.0 if word.text in text.figures else 0.0
    if _CODE.fullmatch(word.text):  # 5G: neither a number nor a letter
        return 1.0 if re.search(rf"(?<![\d.,a-z]){word.text}(?![a-z\d])", text.squeezed) else 0.0
    if _PERIOD.fullmatch(word.text):  # 令和5年 is no 令和5年3月期
        form = rf"{word.text}(?!\d{{1,2}}月期)" if word.text.endswith("年") else word.text
        return 1.0 if re.search(form, text.squeezed) else 0.0
    if _PLACE.fullmatch(word.text):
        return 1.0 if re.search(rf"(?<!\d){word.text}", text.squeezed) else 0.0
    if word.strict and _is_cjk(word.text[-1]):
        return 1.0 if word.text in text.squeezed else 0.0
    if _is_cjk(word.text[0]):
        return _held_japanese(word.text, text.squeezed)
    return _held_latin(word.text, text)


def _held_latin(word: str, text: Prepared) -> float:
    pieces = _PIECES.findall(word)
    if not pieces:
        return 1.0 if word in text.squeezed else 0.0
    found = [
        (stem(piece) in text.stems) if not piece[0].isdigit() else (_figure(piece) in text.figures)
        for piece in pieces
    ]
    return 1.0 if all(found) else 0.0


@lru_cache(maxsize=65536)
def _held_japanese(word: str, squeezed: str) -> float:
    if word in squeezed or any(other in squeezed for other in SAME_JA.get(word, ())):
        return 1.0
    if len(word) < 3:
        return 0.0
    bigrams = [word[place : place + 2] for place in range(len(word) - 1)]
    share = sum(bigram in squeezed for bigram in bigrams) / len(bigrams)
    return 0.9 * share if share >= 0.5 else 0.0


def misspelt(word: str, text: Prepared) -> bool:
    """True where a long Latin word stands in ``text`` but for one letter (country, county)."""
    own = stem(word)
    if len(own) < _LONG or not own.isascii():
        return False
    return any(
        other[0] == own[0] and abs(len(other) - len(own)) <= 1 and _one_off(own, other)
        for other in text.stems
    )


def _one_off(one: str, other: str) -> bool:
    """One letter more, less or other."""
    short, long = sorted((one, other), key=len)
    start = next(
        (k for k, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short)
    )
    return short[start:] == long[start + 1 :] or short[start + 1 :] == long[start + 1 :]


def loosened(question_words: Sequence[Word], text: Prepared) -> list[Word]:
    """The words, a Japanese compound that ``text`` lacks as the words it is made of.

    日本企業 is also said as 日本の企業, データ活用率 as データの活用. For open questions only: of a
    value, 販売価格 is not 価格.
    """
    result: dict[str, Word] = {}
    for word in question_words:
        parts = [word.text]
        if _is_cjk(word.text[0]) and not word.strict and word.text not in text.squeezed:
            parts = [part for part in _compound(word.text) if part not in GENERIC_JA] or parts
        for part in parts:
            result.setdefault(part, Word(part, strict=word.strict))
    return list(result.values())


def _compound(word: str) -> list[str]:
    """A compound cut where katakana and kanji meet, and runs of four kanji in two words."""
    parts: list[str] = []
    for run in _RUNS.findall(word):
        kanji = len(run) > 2 and not "\u30a1" <= run[0] <= "\u30ff"
        bare = run[:-1] if kanji and len(run) % 2 and run[-1] in _SUFFIXES else run
        parts += [bare[:2], bare[2:]] if kanji and len(bare) == 4 else [bare]
    return parts


def weights(question_words: Sequence[Word], texts: Iterable[Prepared]) -> dict[Word, float]:
    """How telling each word is among ``texts``: near 1 where rare or absent, 0.2 where in all.

    A linear scale instead of a logarithm, since the texts are few and already near the
    question.
    """
    pool = list(texts)
    result: dict[Word, float] = {}
    for word in question_words:
        share = sum(held(word, text) >= 0.5 for text in pool) / len(pool) if pool else 0.0
        telling = 1.25 if word.strict else 0.4 if len(word.text) == 1 else 1.0
        result[word] = max(0.2, 1.0 - share) * telling
    return result
