"""Figures and words of number in a text, each as a key that two texts share if they say the same.

Here: ``figures``, of folded text. Not a reader of amounts (``text.numbers``): a guard wants
every figure, the number of a section too, and no conversion (1,250 and 12.5億 are two figures).
"""

from __future__ import annotations

import re
from collections.abc import Iterator


def words_of(text: str) -> tuple[str, ...]:
    """The words of a literal list."""
    return tuple(text.split())


# Names are consumed whole: AX-200 and B2B go by the rule of terms.
_TOKEN = re.compile(
    r"(?P<name>[a-z][a-z0-9]*(?:[-.&+'][a-z0-9]+)*)"
    r"|(?P<number>\d[\d,]*(?:\.\d+)?)(?P<suffix>[a-z][a-z0-9]*)?"
)
#: Behind a figure these leave it one (10km is 10); others make a word of both (3d, 4k).
_UNITS = words_of(
    "k m b mn bn tn x kg mg g t km cm mm nm um l ml kl ha kw mw gw kwh mwh gwh w v a hz khz mhz ghz "
    "kb mb gb tb bps bp pt pp s ms h min hr hrs yr yrs c f yen jpy usd eur st nd rd th"
)
_ONES = words_of(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = words_of("twenty thirty forty fifty sixty seventy eighty ninety")
_SMALL = {word: at for at, word in enumerate(_ONES)} | {
    word: 10 * at for at, word in enumerate(_TENS, start=2)
}
_SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
# Longer words first: seven would hide seventy. ninetynine and tenfold are figures, too.
_WORD = "|".join(sorted((*_SMALL, *_SCALES), key=lambda word: (-len(word), word)))
_WORDS = re.compile(rf"\b(?:{_WORD})(?:(?:-| and | )?(?:{_WORD}))*(?:-?fold)?\b")
# Multiples and parts said in words; the key is the stem, whatever its ending.
_PARTS = re.compile(
    r"\b(?P<stem>half|halv|twice|thrice|doubl|tripl|quadrupl|dozen|hundreds|thousands|millions|"
    r"billions|trillions)(?:e|ed|es|ing|s)?\b|(?P<ja>倍増|半減|半分|半数|過半)"
)
_DIGITS = "〇一二三四五六七八九"
_TENFOLD = {"十": 10, "百": 100, "千": 1_000}
_MYRIADS = {"万": 10**4, "億": 10**8, "兆": 10**12}
_NUMERAL = "一二三四五六七八九十百千万億兆〇"
# A lone kanji numeral is a figure only before a counter: 一部 and 十分 are words; with the
# second set of counters 一 is an idiom (一度, 一点).
_KANJI = re.compile(
    rf"[{_NUMERAL}]+(?=割|倍|年|月|日|人|名|件|社|円|台|個|種類|回|本|つの|パーセント|分の)"
    r"|[二三四五六七八九十百千万億兆]+(?=つ|度|点|基|店|拠点|[カか箇ヶヵ][所月国]|時間|分間|秒|週|枚"
    r"|冊|校|棟|隻|頭|位|歳|段階|項目|工場|部門|%|トン|キロ|メートル|グラム|リットル|ポイント|桁|世代)"
    rf"|(?!万一|千万無)[{_NUMERAL}]{{2,}}"
)


def figures(folded: str) -> Iterator[tuple[str, str]]:
    """(key, as written) of each figure: 9,400 → ("9400", "9,400"), ninety-nine → ("99", …).

    A figure that ends in a word that is no unit has the whole as its key (3d). The lone word
    «one» is none. ``folded``: by ``text.fold``, with single spaces.
    """
    for match in _TOKEN.finditer(folded):
        number, suffix = match["number"], match["suffix"] or ""
        if number:
            plain = number.replace(",", "").rstrip(".")
            yield (plain if not suffix or suffix in _UNITS else plain + suffix), match.group()
    for match in _WORDS.finditer(folded):
        key = _value(re.findall(_WORD, match.group()))
        if key:
            yield key, match.group()
    for match in _PARTS.finditer(folded):
        yield match["stem"] or match["ja"], match.group()
    for match in _KANJI.finditer(folded):
        yield _kanji_value(match.group()), match.group()


def _kanji_value(numeral: str) -> str:
    """三 and 3 are one figure; chains of bare digits (二〇二五) are read place by place."""
    if not set(numeral) & set("十百千万億兆"):
        return str(int("".join(str(_DIGITS.index(char)) for char in numeral)))
    total = section = digit = 0
    for char in numeral:
        if char in _DIGITS:
            digit = digit * 10 + _DIGITS.index(char)
        elif char in _TENFOLD:
            section += max(1, digit) * _TENFOLD[char]
            digit = 0
        else:
            total += max(1, section + digit) * _MYRIADS[char]
            section = digit = 0
    return str(total + section + digit)


def _value(words: list[str]) -> str:
    """The value of words of number; a scale alone (5 million) is its own key."""
    if words == ["one"]:
        return ""
    if len(words) == 1 and words[0] in _SCALES:
        return words[0]
    total = section = 0
    for word in words:
        if word in _SMALL:
            section += _SMALL[word]
        elif word == "hundred":
            section = max(1, section) * 100
        else:
            total += max(1, section) * _SCALES[word]
            section = 0
    return str(total + section)
