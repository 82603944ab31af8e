"""Numbers written in words or kanji, rewritten in digits: ninety-nine million, 九十九.

Here: ``in_digits``. What a number is worth with its unit stands in ``numbers``. Kanji behind or
before a digit (4,120百万円, 1億2,000万) and idioms of one sign (十分, 一部) stay as they are; so do
a plain «one» and «two», which are pronouns more often than figures.
"""

from __future__ import annotations

import re
from decimal import Decimal

_SMALL = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
} | {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_GREAT = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_TIMES = {"hundred": 100, "dozen": 12, "score": 20} | _GREAT
_LOW = "|".join(sorted(_SMALL, key=lambda word: (-len(word), word)))
_ANY = "|".join(sorted([*_SMALL, *_TIMES], key=lambda word: (-len(word), word)))
_WORDS = re.compile(
    rf"(?<![\w.-])(?:(?:{_LOW})|an?[ ](?:{'|'.join(_TIMES)}))"
    rf"(?:[ -](?:and )?(?:{_ANY})(?![a-z]))*(?P<point> point(?: (?:{_LOW})(?![a-z]))+"
    rf"(?: (?:{'|'.join(_GREAT)}))?)?(?![a-z-])"
)
_PRONOUN = 2
_MEASURED = re.compile(
    r"[ -]?(?:percent|per cent|%|yen|dollars?|euros?|pounds?|(?:kilo|centi|milli|micro)?met(?:re|er)s?"
    r"|k?m\b|kg\b|tons?|tonnes?|(?:kilo)?grams?|lit(?:re|er)s?|times|years?|months?|days?|hours?"
    r"|minutes?|seconds?|degrees|(?:kilo)?watts?|points?)"
)
_KANJI = re.compile(r"(?<![\d,.十百千万億兆])[〇一二三四五六七八九十百千万億兆]{2,40}(?![\d])")
_ONES = {char: value for value, char in enumerate("〇一二三四五六七八九")}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_GROUPS = {"万": 10**4, "億": 10**8, "兆": 10**12}


def in_digits(folded: str) -> str:
    """Folded text with the numbers that are written in words or kanji written in digits."""
    return _KANJI.sub(_kanji, _WORDS.sub(_words, folded))


def _words(match: re.Match[str]) -> str:
    text = match[0]
    whole = text.removesuffix(match["point"] or "")
    parts = re.findall(r"[a-z]+", whole)
    value = Decimal(_english([part for part in parts if part not in ("a", "an", "and")]))
    for place, word in enumerate(re.findall(r"[a-z]+", match["point"] or "")[1:], start=1):
        if word in _GREAT:
            value *= _GREAT[word]
        else:
            value += Decimal(_SMALL[word]).scaleb(-place)
    plain = len(parts) == 1 and not match["point"]
    if plain and value <= _PRONOUN and not _MEASURED.match(match.string, match.end()):
        return text
    return f"{value:f}"


def _english(parts: list[str]) -> int:
    total = section = 0
    for part in parts:
        if part in _GREAT:
            total += (section or 1) * _GREAT[part]
            section = 0
        elif part in _TIMES:
            section = (section or 1) * _TIMES[part]
        else:
            section += _SMALL[part]
    return total + section


def _kanji(match: re.Match[str]) -> str:
    text = match[0]
    if not set(text) & {*_ONES, "十"}:
        return text  # 百万, 千億: the scale of a unit
    if not set(text) & {*_UNITS, *_GROUPS}:
        return "".join(str(_ONES[char]) for char in text)
    total = section = digits = 0
    for char in text:
        if char in _ONES:
            digits = digits * 10 + _ONES[char]
        elif char in _UNITS:
            section += (digits or 1) * _UNITS[char]
            digits = 0
        else:
            total += (section + digits or 1) * _GROUPS[char]
            section = digits = 0
    return str(total + section + digits)
