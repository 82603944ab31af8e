"""Arithmetic on values copied from evidence: by code, in Decimal, never by a model.

Here: ``calculate`` for difference, ratio, growth, sum, count, rank, turnover, cover and share, and ``Calculated``, its
result as it is shown. What a number in a text is worth stands in ``text.numbers``; that the
values stand in the evidence is checked in ``grounding``. Imported inside ``qa``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext

from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.figures import figures
from g2_pipelines.qa.ports import Language, Operation
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines.text.fold import fold_text

_UNITLESS = re.compile(r"[\d\s,.+\-△▲−–()（）]*")
_SCALES = ("million", "thousand", "billion")
_LOSS = re.compile(r"\s*[$€£¥]?\s*\(\s*[$€£¥]?\s*[\d,.]+\s*\)\s*")  #: (380) in accounts is −380
#: 2.075.000, as dots part thousands in much of Europe; one dot alone may be a decimal point.
_DOTTED = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.,]*\d)")
_ONE_DOT = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?![\d.,]*\d)")
_NAMES = {"ドル": "dollars", "円": "yen", "ユーロ": "euros"}
_MONEY = {"", "ドル"}
_POINTS = {"ja": "ポイント", "en": " percentage points"}
#: Digits that a result may have; more than any amount, and no rounding below them.
MAX_DIGITS = 60
_AVERAGE = {"ja": "平均", "en": "the average of"}
_TIMES = {"ja": "倍", "en": " times"}


@dataclass(frozen=True)
class Operand:
    """A copied value as a number: ``value`` in the base unit, shown as ``shown`` × ``scale``."""

    label: str
    text: str
    value: Decimal
    scale: Decimal
    unit: str
    suffix: str

    @property
    def named(self) -> str:
        """The value with what it is the value of."""
        return f"{self.label} {self.text}".strip()


@dataclass(frozen=True)
class Calculated:
    """A result: ``text`` as it is shown, with its unit, and how it came about."""

    value: Decimal
    text: str
    formula: str


def in_commas(text: str, *, dotted: bool = False) -> str:
    """2.075.000 as 2,075,000; where dots are known to part thousands, also 896.000."""
    plain = _DOTTED.sub(lambda match: match[0].replace(".", ","), text)
    return _ONE_DOT.sub(lambda match: match[0].replace(".", ","), plain) if dotted else plain


def operand(value: CopiedValue, *, dotted: bool = False) -> Operand:
    """Read one copied value; its ``unit`` is used when its text has none.

    ``dotted``: values beside it part thousands with dots.

    Raises:
        CalculationError: The text holds no number.
    """
    text = value.text.strip()
    bare = _UNITLESS.fullmatch(fold_text(text)) is not None
    scale = value.unit.split(" ")[0]
    gap = " " if scale in _SCALES else ""
    loss = _LOSS.fullmatch(fold_text(text)) if value.unit or "$" in text else None
    plain = in_commas(re.sub(r"[()（）]", "", text) if loss else text, dotted=dotted)
    if scale in _SCALES and not bare:
        found = figures(f"{plain} {scale}")
    else:
        found = figures(plain + gap + value.unit) if bare and value.unit else figures(plain)
    if not found:
        raise CalculationError(
            f"{text[:40]!r} holds no number",
            place=value.label,
            remedy="Copy the number as it stands in the evidence",
        )
    first = found[0]
    if loss and first.value > 0:
        first = replace(first, value=-first.value)
    suffix = value.unit if bare or gap else _suffix(text, value.unit)
    shown = text if not bare or not value.unit else text + gap + value.unit
    return Operand(
        label=value.label,
        text=f"{text} {scale}" if scale in _SCALES and not bare else shown,
        value=first.value,
        scale=first.scale,
        unit=first.unit or ("" if gap else fold_text(value.unit).replace(" ", "")),
        suffix=suffix,
    )


def _suffix(text: str, unit: str) -> str:
    """What follows the digits of ``text``: 百万円 of 29,870百万円."""
    match = re.search(r"[\d,.]*\d\s*(\D*)$", fold_text(text))
    return (match[1].strip() if match else "") or unit


def calculate(
    operation: Operation, values: Sequence[CopiedValue], *, language: Language
) -> Calculated:
    """Carry out ``operation`` on ``values`` in their order.

    difference: first − second, in their unit (percentages: in points). ratio: first ÷ second,
    2 decimals. growth: (first − second) ÷ |second| in percent, 1 decimal. sum: of all.
    count: how many values. rank: the labels from the greatest to the least value. turnover:
    first ÷ the average of the others. cover: all but the last ÷ the last; both 2 decimals. share: first ÷
    second in percent, 1 decimal.

    Raises:
        CalculationError: Too few values, the same copied place twice, unlike units, no number,
            division by zero, or a result of more than 60 digits.
    """
    _check_distinct(operation, values)
    if operation == "count":
        count = Decimal(len(values))
        return Calculated(count, str(count), f"count({', '.join(v.label for v in values)})")
    dotted = any(_DOTTED.search(value.text) for value in values)
    operands = [operand(value, dotted=dotted) for value in values]
    _check(operation, operands, values)
    try:
        with localcontext(prec=MAX_DIGITS):
            return _carried_out(operation, operands, language)
    except InvalidOperation as error:
        raise CalculationError(
            f"The values cannot be calculated: the result has more than {MAX_DIGITS} digits",
            place="values",
            remedy="Check the numbers in the document",
        ) from error


def _check_distinct(operation: Operation, values: Sequence[CopiedValue]) -> None:
    """A place is counted or added once: seven copies of one cell are one cell."""
    if operation not in ("count", "sum", "rank", "turnover", "cover"):
        return
    places = [(v.node_id, v.place, v.text) for v in values if v.place]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise CalculationError(
            f"{operation} takes {twice[2][:40]!r} from the same place twice",
            place=twice[1],
            remedy="Copy each value once",
        )


def _carried_out(
    operation: Operation, operands: Sequence[Operand], language: Language
) -> Calculated:
    match operation:
        case "difference":
            return _difference(operands[0], operands[1], language)
        case "ratio":
            return _ratio(operands[0], operands[1], language)
        case "growth":
            return _growth(operands[0], operands[1])
        case "sum":
            return _sum(operands)
        case "rank":
            return _rank(operands)
        case "turnover":
            return _turnover(operands, language)
        case "cover":
            return _cover(operands, language)
        case "share":
            return _share(operands)
        case _:
            raise CalculationError(f"{operation!r} is no operation", place="operation")


def _check(
    operation: Operation, operands: Sequence[Operand], values: Sequence[CopiedValue]
) -> None:
    needed = 1 if operation in ("sum", "rank") else 2
    several = operation in ("turnover", "cover")
    if len(operands) < needed or (needed == 2 and len(operands) != 2 and not several):
        raise CalculationError(
            f"{operation} needs {needed} values, there are {len(operands)}",
            place="values",
            remedy="Copy exactly the values that are compared",
        )
    units = {item.unit for item in operands}
    tables = {value.node_id for value in values}
    scales = {item.scale for item in operands}
    scaled = operation == "turnover" and scales != {Decimal(1)}  # over two statements of accounts
    if (len(tables) == 1 or scaled) and len(scales) == 1 and units <= _MONEY:
        units -= {""}  # one column of accounts: the sign stands in its first row alone
    if len(units) > 1:
        raise CalculationError(
            f"{operation} of unlike units: {', '.join(sorted(_NAMES.get(unit, unit) or '-' for unit in units))}",
            place="values",
            remedy="Compare values of one unit",
        )
    if _divisor(operation, operands) == 0:
        raise CalculationError(f"{operation} divides by zero", place=operands[-1].label)


def _divisor(operation: Operation, operands: Sequence[Operand]) -> Decimal:
    match operation:
        case "ratio" | "growth" | "cover" | "share":
            return operands[-1].value
        case "turnover":
            return sum((item.value for item in operands[1:]), Decimal(0))
        case _:
            return Decimal(1)


def _difference(first: Operand, second: Operand, language: Language) -> Calculated:
    value = first.value - second.value
    unit = _POINTS[language] if first.unit == "%" else None
    text = _shown(value, [first, second], unit)
    return Calculated(value, text, f"{first.named} − {second.named}")


def _ratio(first: Operand, second: Operand, language: Language) -> Calculated:
    value = (first.value / second.value).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return Calculated(value, f"{value}{_TIMES[language]}", f"{first.named} ÷ {second.named}")


def _growth(first: Operand, second: Operand) -> Calculated:
    share = (first.value - second.value) / abs(second.value) * 100
    value = share.quantize(Decimal("0.1"), ROUND_HALF_UP)
    formula = f"({first.named} − {second.named}) ÷ {second.text}"
    return Calculated(value, f"{value}%", formula)


def _turnover(operands: Sequence[Operand], language: Language) -> Calculated:
    flow, *stocks = operands
    average = sum((item.value for item in stocks), Decimal(0)) / len(stocks)
    value = (flow.value / average).quantize(Decimal("0.01"), ROUND_HALF_UP)
    stood = ", ".join(item.named for item in stocks)
    formula = f"{flow.named} ÷ {_AVERAGE[language]} ({stood})"
    return Calculated(value, f"{value}{_TIMES[language]}", formula)


def _cover(operands: Sequence[Operand], language: Language) -> Calculated:
    *parts, whole = operands
    value = (sum((item.value for item in parts), Decimal(0)) / whole.value).quantize(
        Decimal("0.01"), ROUND_HALF_UP
    )
    formula = f"({' + '.join(item.named for item in parts)}) ÷ {whole.named}"
    return Calculated(value, f"{value}{_TIMES[language]}", formula)


def _share(operands: Sequence[Operand]) -> Calculated:
    part, whole = operands
    value = (part.value / whole.value * 100).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return Calculated(value, f"{value}%", f"{part.named} ÷ {whole.named}")


def _sum(operands: Sequence[Operand]) -> Calculated:
    value = sum((item.value for item in operands), Decimal(0))
    text = _shown(value, operands, None)
    return Calculated(value, text, " + ".join(item.named for item in operands))


def _rank(operands: Sequence[Operand]) -> Calculated:
    ordered = sorted(operands, key=lambda item: -item.value)
    text = " > ".join(f"{item.label} ({item.text})" for item in ordered)
    return Calculated(ordered[0].value, text, f"rank({', '.join(i.label for i in operands)})")


def _shown(value: Decimal, operands: Sequence[Operand], unit: str | None) -> str:
    """In the operands' own scale and unit when they share one, else in the base unit."""
    scales = {item.scale for item in operands}
    suffixes = {item.suffix for item in operands}
    if len(scales) == 1 and len(suffixes) == 1:
        shown = _to_decimals(value / operands[0].scale, operands)
        after = operands[0].suffix if unit is None else unit
    else:
        shown = value
        after = operands[0].unit if unit is None else unit
    space = " " if after and after[0].isascii() and after[0].isalpha() else ""
    sign = "$" if all("$" in item.text for item in operands) and "%" not in after else ""
    return f"{'-' * (shown < 0)}{sign}{abs(shown):,f}{space}{after}"


def _to_decimals(value: Decimal, operands: Sequence[Operand]) -> Decimal:
    """With as many decimals as the most exact operand shows: 19.4 − 3.4 is 16.0."""
    dotted = any(_DOTTED.search(item.text) for item in operands)
    texts = [in_commas(fold_text(item.text), dotted=dotted) for item in operands]
    shown = [re.search(r"\.(\d+)", text) for text in texts]
    decimals = max(len(match[1]) if match else 0 for match in shown)
    return value.quantize(Decimal(1).scaleb(-decimals))
