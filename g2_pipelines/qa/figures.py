"""Every figure of a text with its unit, also those that ``text.numbers`` leaves alone.

Here: ``Figure`` and ``figures``. ``text.numbers`` knows amounts of business text and is asked
first; papers add °C, min, K and counted nouns («38 bases»), which are read here as digits and
the unit that follows. Used by ``arithmetic`` and ``passages``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number, numbers
from g2_pipelines.text.periods import periods
from g2_pipelines.text.widths import narrow

_NAMED = r"(?:図表?|表|式|第|章|fig(?:ure|s)?\.?|table|tab\.|eq\.|section|page|pp?\.|no\.|ref\.?|version)\s*\(?"
_DIGITS = re.compile(
    r"(?<![\d.,])(?<![a-z_])(?<![a-z]-)[+\-−△±]?\s?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\d])"
)
_BEFORE = re.compile(rf"{_NAMED}$")
_UNIT = re.compile(
    r"\s?((?:°\s?c|℃|%|ポイント|[μµ]m|min(?:[-⁻]?[1¹])?|rpm|ms|kwh|kw|mpa|khz|hz|kg|km|cm|mm|nm|days?|"
    r"hours?|minutes?|seconds?|years?|months?|weeks?|times|degrees|h|k|l|g|m|s|t|v|w|a)(?![a-z])"
    r"|[台個本回件社名人点枚行列基棟倍歳度秒分]|拠点|か所|箇所|カ所|種類|時間|日間|週間|か月|年間)",
)


_KANJI = re.compile(
    r"(?<![〇一二三四五六七八九十百千万数第])([一二三四五六七八九]?十?[一二三四五六七八九]?)(?=[回台個本件社名人点枚か箇カ])"
)
_DIGIT = {char: value for value, char in enumerate("〇一二三四五六七八九")}


@dataclass(frozen=True)
class Figure:
    """A figure at [start, end) with sign and unit; ``value`` in the base unit, signed."""

    start: int
    end: int
    text: str
    value: Decimal
    unit: str
    scale: Decimal


def figures(text: str) -> list[Figure]:
    """The figures of ``text`` in order; dates, numbered labels and parts of names left out."""
    plain = narrow(text)
    found = [_with_unit(text, plain, number) for number in numbers(text)]
    taken = [(item.start, item.end) for item in found]
    taken += [(period.start, period.end) for period in periods(text)]
    used = bytearray(len(plain) + 1)  # 1 where a number or period stands
    for start, end in taken:
        used[start:end] = b"\x01" * (end - start)
    for match in _DIGITS.finditer(plain):
        if 1 in used[match.start() : match.end()]:
            continue
        if _BEFORE.search(plain[max(0, match.start() - 12) : match.start(1)]):
            continue
        found.append(_plain_figure(text, plain, match))
    found += [
        _kanji_figure(text, plain, match)
        for match in _KANJI.finditer(text)
        if match[1] and not used[match.start()]
    ]
    return sorted(found, key=lambda item: item.start)


def _with_unit(text: str, plain: str, number: Number) -> Figure:
    """The number, with a unit after it that ``text.numbers`` does not know."""
    unit = None if number.unit else _UNIT.match(plain, number.end)
    end = unit.end() if unit else number.end
    return Figure(
        start=number.start,
        end=end,
        text=text[number.start : end],
        value=number.value,
        unit=fold_text(unit[1]).replace(" ", "") if unit else number.unit,
        scale=number.scale,
    )


def _kanji_figure(text: str, plain: str, match: re.Match[str]) -> Figure:
    """A counted noun below a hundred in kanji (四回, 十二台)."""
    tens, ten, ones = match[1].rpartition("十")
    value = (_DIGIT.get(tens, 1) * 10 if ten else 0) + _DIGIT.get(ones, 0)
    unit = _UNIT.match(plain, match.end())
    end = unit.end() if unit else match.end()
    return Figure(
        start=match.start(),
        end=end,
        text=text[match.start() : end],
        value=Decimal(value),
        unit=fold_text(unit[1]) if unit else "",
        scale=Decimal(1),
    )


def _plain_figure(text: str, plain: str, match: re.Match[str]) -> Figure:
    unit = _UNIT.match(plain, match.end())
    start = match.start()
    end = unit.end() if unit else match.end()
    value = Decimal(match[1].replace(",", "") + (match[2] or ""))
    if plain[start] in "-−△":
        value = -value
    shown = text[start:end]
    return Figure(
        start=start + len(shown) - len(shown.lstrip()),
        end=end,
        text=shown.strip(),
        value=value,
        unit=fold_text(unit[1]).replace(" ", "") if unit else "",
        scale=Decimal(1),
    )
