"""Figures of Japanese and English business text, with value, unit, sign and precision.

Here: ``Number`` and ``numbers``; ``Period`` and ``periods`` are offered here too. Not here:
whether a figure is right (package ``evaluation``). Dates, ordinals (第3, 図2, No. 5), section
numbers (1【…】, (1), ①), clock times, phone-like ids and figures inside names (ISO9001) are no
amounts and are left out. Every package above may import this module.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from g2_pipelines.tables.rows import Row
from g2_pipelines.text.number_words import (
    ABOUT_AFTER,
    AFTER_WORD,
    BEFORE,
    CURRENCIES,
    LOSS_AFTER,
    LOSS_BEFORE,
    MEASURES,
    NOT_AMOUNTS,
    PER_ONE,
    RANGE,
    SCALE_WORDS,
    UNIT,
    UNITS,
    change_after,
    change_before,
)
from g2_pipelines.text.periods import Period, find_periods, mask, periods
from g2_pipelines.text.widths import narrow

__all__ = ["Number", "Period", "numbers", "periods"]


class Number(Row):
    """A figure at [start, end) of a text (sign, currency and unit included); ``text`` as written.

    value is in the base unit and signed (△1,041百万円 → -1041000000 円; 3割5分 → 35 %), negative
    where a sign, マイナス, 赤字 or 営業損失 says so. scale is the size of the last digit's group
    (百万 → 1000000), decimals the digits after its point. change is -1 or +1 where a word makes
    the figure a decrease or increase (12.5%減), which does not alter value.
    """

    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    scale: Decimal
    approximate: bool = False
    decimals: int = 0
    change: Literal[-1, 0, 1] = 0

    @property
    def quantum(self) -> Decimal:
        """The smallest step the figure is written in (48.6億円 → 10000000)."""
        return self.scale.scaleb(-self.decimals)

    @property
    def signed(self) -> Decimal:
        """value, turned negative where the figure is called a decrease."""
        return -self.value if self.change < 0 < self.value else self.value


_ARABIC = r"(?:\d{1,3}(?>(?:,\d{3})+)(?!,?\d)|\d+)(?:\.\d+)?"
_BODY = re.compile(
    rf"(?P<arabic>{_ARABIC})(?> ?[十百千万億兆]+(?:{_ARABIC}(?=[十百千万億兆円人名株台社件]))?)*"
    r"|(?P<kanji>[一二三四五六七八九十百千〇](?>[一二三四五六七八九十百千万億兆〇]*(?:\.[一二三四五六七八九〇]{1,4}[万億兆]*)?))"
)
_TOKEN = re.compile(
    rf"{_ARABIC}|[〇一二三四五六七八九]*\.[〇一二三四五六七八九]+|[〇一二三四五六七八九]+|[十百千万億兆]"
)
_SMALL = {"十": Decimal(10), "百": Decimal(100), "千": Decimal(1000)}
_BIG = {"万": Decimal(10**4), "億": Decimal(10**8), "兆": Decimal(10**12)}
_DIGITS = {char: str(value) for value, char in enumerate("〇一二三四五六七八九")} | {".": "."}
_DECIMAL_UNITS = "|".join(
    sorted(MEASURES | {"%", "倍", "円", "パーセント"}, key=lambda w: (-len(w), w))
)
_MIDDLE_DOT = re.compile(
    r"(?<=\d)・(?=\d{1,2}(?: ?%|ポイント|倍|円))"
    rf"|(?<=[〇一二三四五六七八九十百千万])・(?=[〇一二三四五六七八九]{{1,4}}[万億兆]?(?:{_DECIMAL_UNITS}))"
)
#: What a figure in kanji must carry to be one (一部, 三菱, 十分 are words).
_KANJI_UNITS = MEASURES | frozenset(
    [
        "円",
        "%",
        "倍",
        "人",
        "年",
        "月",
        "社",
        "台",
        "件",
        "株",
        "日",
        "校",
        "頭",
        "本",
        "枚",
        "戸",
        "隻",
        "棟",
        "品目",
        "世帯",
    ]
)
#: Of these also one of two to nine (七人, 三社); 一人 and 一社 are idioms.
_FEW_UNITS = frozenset(["人", "社", "件", "台", "校", "頭", "株", "戸", "隻", "棟", "品目", "世帯"])
_MULTIPLIED = re.compile(r"\d ?(?P<by>[十百千万億兆]+) ?\d")
_MULTIPLIERS_ONLY = re.compile(r"[十百千万億兆]+")


def numbers(text: str) -> list[Number]:
    """Every figure of ``text`` in order, not overlapping; ranges (5〜6億円) as two figures.

    Linear in the text's length. A figure without a unit has unit "".
    """
    line = _MIDDLE_DOT.sub(".", narrow(text))
    line = mask(line, [(start, end) for start, end, _ in find_periods(line)])
    for pattern in NOT_AMOUNTS:
        line = mask(line, [match.span() for match in pattern.finditer(line)])
    found: list[Number] = []
    at = 0
    while match := _BODY.search(line, at):
        number = _read(text, line, match, found[-1].end if found else 0)
        at = match.end()
        if number is not None:
            found.append(number)
            at = max(at, number.end)
    return _ranges(found, line)


def _read(text: str, line: str, match: re.Match[str], floor: int) -> Number | None:
    start, end = match.span()
    if _is_several(line, start, match.group()) or line[end : end + 1] == "数":
        return None  # 数十億円, 十数社: no figure is said
    before = BEFORE.search(line, max(floor, start - 24), start)
    if before is None and AFTER_WORD.match(line, start):
        before = NOTHING_BEFORE
    if before is None:  # inside a name or an id: ISO9001, 3-1-2
        return None
    value, scale, decimals = _value(match.group())
    scale_word = SCALE_WORDS.match(line, end)
    if scale_word and match["arabic"]:
        factor = SCALE_WORDS_VALUE[scale_word["word"]]
        value, scale, end = value * factor, scale * factor, scale_word.end()
    unit, end, value, scale, decimals = _unit(line, end, value, scale, decimals)
    unit = unit or CURRENCIES.get(before["currency"] or "", "")
    if unit and text[end - 1] in "GMTXＧＭＴＸ" and line[end - 2 : end - 1].isdigit():
        return None  # 5G, 4T: units of one letter are small (g, m, t, x)
    if _is_word(line, match, unit, end):
        return None
    negative = before["sign"] is not None or _is_loss(line, start, end, unit)
    begin = before.start("sign") if before["sign"] else start
    if before["currency"]:
        begin = min(begin, before.start("currency"))
    about_after = ABOUT_AFTER.match(line, end)
    return Number(
        start=begin,
        end=end,
        text=text[begin:end],
        value=_tidy(-value if negative else value),
        unit=unit,
        scale=scale,
        approximate=before["about"] is not None or about_after is not None,
        decimals=decimals,
        change=change_after(line, end) or change_before(line, begin),
    )


NOTHING_BEFORE = BEFORE.search("")

_ROUND = re.compile(r"1[0,]*[十百千万億兆]*|[十百千万億兆]+")


def _is_several(line: str, start: int, body: str) -> bool:
    """Whether 数, 何 or 幾 before a figure makes it "several": 数十億円, not 販売本数6,397万本.

    A noun that ends in 数 (本数, 台数, 従業員数) has a kanji or kana of its own before it.
    """
    before = line[start - 1 : start]
    if before in {"何", "幾"}:
        return True
    if before != "数" or not _ROUND.fullmatch(body):
        return False
    word = line[start - 2 : start - 1]
    noun = "\u4e00" <= word <= "\u9fff" or "\u30a0" <= word <= "\u30ff"
    return not (noun and word not in {"約", "毎", "年"} and body[0] == "1")


SCALE_WORDS_VALUE = {
    "thousand": Decimal(10**3),
    "k": Decimal(10**3),
    "million": Decimal(10**6),
    "mn": Decimal(10**6),
    "m": Decimal(10**6),
    "billion": Decimal(10**9),
    "bn": Decimal(10**9),
    "b": Decimal(10**9),
    "trillion": Decimal(10**12),
    "tn": Decimal(10**12),
}


def _value(body: str) -> tuple[Decimal, Decimal, int]:
    """(value, scale of the last digit group, decimals) of digits and kanji numerals."""
    if body.isascii():  # 48,620 or 6.4: by far the most
        return _plain(body), Decimal(1), len(body.partition(".")[2])
    tokens: list[str] = _TOKEN.findall(body)
    digits = [i for i, token in enumerate(tokens) if token not in _SMALL and token not in _BIG]
    figures = [_plain(token) if i in digits else None for i, token in enumerate(tokens)]
    value = _evaluate(tokens, figures)
    if not digits:
        return value, Decimal(1), 0
    last = digits[-1]
    decimals = len(tokens[last].partition(".")[2])
    bumped = list(figures)
    bumped[last] = (figures[last] or Decimal(0)) + 1
    return value, Decimal(int(_evaluate(tokens, bumped) - value)), decimals


def _tidy(value: Decimal) -> Decimal:
    """48600000000.0 as 48600000000; other values as they are."""
    whole = value.to_integral_value()
    return whole if whole == value else value


def _plain(token: str) -> Decimal:
    token = token.replace(",", "")
    return Decimal(token if token.isascii() else "".join(_DIGITS[char] for char in token))


def _evaluate(tokens: list[str], figures: list[Decimal | None]) -> Decimal:
    total = section = Decimal(0)
    pending: Decimal | None = None
    for token, figure in zip(tokens, figures, strict=True):
        if figure is not None:
            pending = figure
        elif token in _SMALL:
            section += (Decimal(1) if pending is None else pending) * _SMALL[token]
            pending = None
        else:
            section += pending or Decimal(0)
            total += (section or Decimal(1)) * _BIG[token]
            section, pending = Decimal(0), None
    return total + section + (pending or Decimal(0))


def _unit(
    line: str, end: int, value: Decimal, scale: Decimal, decimals: int
) -> tuple[str, int, Decimal, Decimal, int]:
    match = UNIT.match(line, end)
    if match is None:
        return "", end, value, scale, decimals
    word = match["unit"]
    end = match.end()
    if word[0] == "割":
        parts = match["bu"], match["rin"]
        value = value * 10 + sum(
            (Decimal(_DIGITS.get(part, part)).scaleb(-i) for i, part in enumerate(parts) if part),
            Decimal(0),
        )
        places = 1 if parts[1] else 0
        return "%", end, value, Decimal(1) if any(parts) else scale * 10, places
    if word[0] == "円" and match["sen"]:
        return "円", end, value + Decimal(match["sen"]) / 100, Decimal(1), 2
    return UNITS[word], end, value, scale, decimals


def _is_word(line: str, match: re.Match[str], unit: str, end: int) -> bool:
    """A figure that is part of a word, a label or an idiom rather than an amount."""
    body = match.group()
    following = line[end : end + 1]
    if match["kanji"]:
        if unit not in _KANJI_UNITS:
            return True
        measured = unit in MEASURES
        if _MULTIPLIERS_ONLY.fullmatch(body) and body != "十" and not measured:
            return True  # 百万円 in a table's head
        rich = any(char in body for char in "十百千万億兆.")
        few = unit in _FEW_UNITS and body != "一"
        return not (rich or measured or few or unit in {"%", "倍", "円", "月", "年"})
    if not unit and following.isascii() and following.isalpha():
        return True  # 5G, 2nd, 3D
    return PER_ONE.match(line, match.start()) is not None


def _is_loss(line: str, start: int, end: int, unit: str) -> bool:
    if unit not in {"円", "ドル", "ユーロ", ""}:
        return False
    return (
        LOSS_BEFORE.search(line, max(0, start - 24), start) is not None
        or LOSS_AFTER.match(line, end) is not None
    )


def _first_scale(number: Number) -> Decimal:
    """What the first digits of 8億7,000万 count: 億, which 5〜8億7,000万円 says of the 5 too."""
    match = _MULTIPLIED.search(narrow(number.text))
    if match is None:
        return number.scale
    return _evaluate([*match["by"]], [None] * len(match["by"]))


def _ranges(found: list[Number], line: str) -> list[Number]:
    """The first figure of 5〜6億円 or 10~15% takes unit and scale from the second."""
    for index in range(len(found) - 2, -1, -1):
        first, second = found[index], found[index + 1]
        if first.unit or not second.unit or not RANGE.fullmatch(line[first.end : second.start]):
            continue
        factor = Decimal(1)
        if first.scale == 1 and second.value and abs(first.value) < second.scale * 10**4:
            factor = _first_scale(second) if second.unit != "%" else Decimal(1)
        found[index] = first.model_copy(
            update={
                "value": first.value * factor,
                "scale": first.scale * factor,
                "unit": second.unit,
                "approximate": first.approximate,
                "change": second.change,
            }
        )
    return found
