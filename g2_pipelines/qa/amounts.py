"""The amounts of an answer beside those of its sources: value, unit, scale and sign.

Here: ``Amount``, ``amounts_in``, ``Held`` (all amounts of texts and table cells, each cell with
the unit that its table gives it) and ``Held.support``. Exact conversions (0.62 km and 620 m,
120百万円 and 1.2億円) and right rounding to two digits or more are the same amount. Imported by
``grounding`` and ``subjects``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cached_property

from g2_pipelines.qa.above import above
from g2_pipelines.qa.figures import figures
from g2_pipelines.qa.grids import Grid, grid_of, is_figure
from g2_pipelines.qa.stated_units import stated_unit
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.spelled import in_digits

DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d{1,4}(?![\da-z]))?")
_LABELS = re.compile(r"[\[(【]\s*e\d{1,3}(?:\s*[,;、]\s*e\d{1,3})*\s*[\])】]")
_ITEM = re.compile(r"(?m)^[ \t]*\(?(\d{1,2})[.)][ \t]")
_BULLET = re.compile(r"(?m)^[ \t]*[-–•*・][ \t]+")
_DOWN = re.compile(
    r"loss|deficit|decreas|declin|reduc|fell|fall|drop|down|negative|minus|lower|less|below"
    r"|赤字|損失|減|低下|下落|下降|マイナス|下回|縮|悪化|低"
)
_AROUND = 30
_WORD_UNITS = (
    (r"kilomet(?:re|er)s?|キロメートル", "km"),
    (r"centimet(?:re|er)s?|センチメートル", "cm"),
    (r"millimet(?:re|er)s?|ミリメートル", "mm"),
    (r"micromet(?:re|er)s?|microns?|マイクロメートル|µm", "μm"),
    (r"met(?:re|er)s?|メートル", "m"),
    (r"tonnes?|tons?|トン|t(?![-'’])", "トン"),
    (r"kilograms?|キログラム", "kg"),
    (r"grams?|グラム", "g"),
    (r"hours?|時間|hrs?", "h"),
    (r"minutes?|分間?|mins?", "min"),
    (r"seconds?|秒間?|secs?", "s"),
    (r"days?|日間?", "day"),
    (r"weeks?|週間", "week"),
    (r"months?|か月|ヶ月|カ月", "month"),
    (r"years?|年間?", "year"),
    (r"yen|円|jpy|¥", "円"),
    (r"dollars?|ドル|usd|\$", "ドル"),
    (r"euros?|ユーロ|eur|€", "ユーロ"),
    (r"percent(?:age points?)?|per cent|パーセント|ポイント|%", "%"),
    (r"°\s?c|℃|度|degrees(?: celsius)?|摂氏", "°c"),
    (r"times|倍|-?fold", "倍"),
    (r"kilowatt-hours?|kwh", "kwh"),
    (r"hertz|ヘルツ|hz", "hz"),
)
_SPELLED = [(re.compile(rf"(?:{form})(?![a-z])"), unit) for form, unit in _WORD_UNITS]
#: Counted things: a document may name them in another language, or not at all.
_COUNTED = frozenset("台個本回件社名人点枚行列基棟歳株校頭戸隻店口室" + "\0") | {
    "拠点",
    "か所",
    "箇所",
    "カ所",
    "種類",
    "品目",
    "世帯",
    "a",
    "k",
}
_METRIC = {
    "km": ("m", Decimal(1000)),
    "m": ("m", Decimal(1)),
    "cm": ("m", Decimal("0.01")),
    "mm": ("m", Decimal("0.001")),
    "μm": ("m", Decimal("0.000001")),
    "nm": ("m", Decimal("0.000000001")),
    "kg": ("g", Decimal(1000)),
    "g": ("g", Decimal(1)),
    "h": ("s", Decimal(3600)),
    "min": ("s", Decimal(60)),
    "s": ("s", Decimal(1)),
    "ms": ("s", Decimal("0.001")),
    "khz": ("hz", Decimal(1000)),
    "hz": ("hz", Decimal(1)),
    "kw": ("w", Decimal(1000)),
    "w": ("w", Decimal(1)),
}
_SCALES = (
    (Decimal(10**3), "千", "thousand"),
    (Decimal(10**4), "万", "ten thousand"),
    (Decimal(10**6), "百万", "million"),
    (Decimal(10**8), "億", "hundred million"),
    (Decimal(10**9), "十億", "billion"),
    (Decimal(10**12), "兆", "trillion"),
)
_OF = re.compile(r"(thousand|million|billion)s?(?: of)?\s*")


@dataclass(frozen=True)
class Amount:
    """A figure of a folded text; ``value`` in the base unit and signed, ``digits`` as written."""

    text: str
    start: int
    end: int
    value: Decimal
    unit: str
    scale: Decimal
    digits: Decimal
    decimals: int
    falls: bool
    cell: tuple[str, int, int] | None = None


def plain_text(answer: str) -> str:
    """An answer folded, numbers in digits, without citation labels ([e1]), bullets and the
    numbers 1, 2, … of a list's items; ``[99]`` and a lone ``99.`` stay.
    """
    text = _LABELS.sub(lambda m: " " * len(m[0]), fold_text(answer))
    items = list(_ITEM.finditer(text))
    if len(items) > 1 and [int(m[1]) for m in items] == list(range(1, len(items) + 1)):
        for match in items:
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return in_digits(_BULLET.sub(lambda m: " " * len(m[0]), text))


def amounts_in(plain: str) -> list[Amount]:
    """The figures of a folded text in order."""
    found: list[Amount] = []
    for figure in figures(plain):
        written = DIGITS.search(figure.text)
        if written is None or len(written[0]) > _AROUND:
            continue
        unit, end = _unit(figure.unit, plain, figure.end)
        near = plain[max(0, figure.start - _AROUND) : end + _AROUND]
        found.append(
            Amount(
                text=plain[figure.start : end],
                start=figure.start,
                end=end,
                value=figure.value,
                unit=unit,
                scale=figure.scale,
                digits=canonical(written[0]),
                decimals=len(written[0].partition(".")[2]),
                falls=_DOWN.search(near) is not None,
            )
        )
    return found


def _unit(unit: str, plain: str, end: int) -> tuple[str, int]:
    """The unit in one spelling, and where it ends; also one that is written as a word."""
    if not unit:
        blank = len(plain[end : end + 1]) - len(plain[end : end + 1].lstrip(" "))
        for form, name in _SPELLED:
            match = form.match(plain, end + blank)
            if match is not None:
                return name, match.end()
        return "", end
    return one_spelling(unit), end


def _of_accounts(amount: Amount, text: str) -> Amount:
    """Accounts write a loss in brackets: (380) is also −380."""
    bracketed = text[: amount.start].rstrip(" $€£¥").endswith("(")
    closed = text[amount.end :].lstrip().startswith(")")
    return replace(amount, falls=True) if bracketed and closed else amount


def one_spelling(unit: str) -> str:
    """A unit as it is compared: metres and メートル are m, yen is 円."""
    folded = fold_text(unit).strip()
    return next((name for form, name in _SPELLED if form.fullmatch(folded)), folded)


def worth(unit: str) -> tuple[Decimal, str] | None:
    """What 1 of ``unit`` is, scale included (百万円 and millions of yen alike); None if unknown."""
    found = amounts_in("1" + _after(unit, "1"))
    known = len(found) == 1 and (found[0].unit or found[0].scale != 1)
    return (found[0].value, found[0].unit) if known else None


def canonical(digits: str) -> Decimal:
    """The number that digits write, without commas and trailing zeros."""
    number = digits.replace(",", "")
    with localcontext(prec=max(28, len(number) + 1)):
        return Decimal(number).normalize()


class Held:
    """All amounts and digits of the sources of an answer."""

    def __init__(self, texts: Iterable[str], nodes: Sequence[DocumentNode] = ()) -> None:
        self.grids = {n.node_id: g for n in nodes if (g := grid_of(n, above(n, nodes))) is not None}
        written = list(texts)
        for node in nodes:
            outside = [node.caption or "", node.ocr_text or ""]
            tables = self.grids.get(node.node_id)
            written += outside if tables else [*outside, node.text, *(c.text for c in node.cells)]
        self.texts = [in_digits(fold_text(text)) for text in written]
        self.amounts = [_of_accounts(a, text) for text in self.texts for a in amounts_in(text)]
        beside = [text for node in nodes for text in (*node.section_path, node.caption or "")]
        self._words = [*self.texts, *(fold_text(text) for text in beside)]
        for name, grid in self.grids.items():
            self._take(name, grid)
        known = {canonical(m) for text in self._words for m in DIGITS.findall(text)}
        self.digits = known

    def _take(self, name: str, grid: Grid) -> None:
        for row, cells in enumerate(grid.rows):
            for column, cell in enumerate(cells):
                folded = in_digits(fold_text(cell))
                self._words.append(folded)
                unit = ""
                if row in grid.body() and is_figure(cell):
                    unit = grid.unit(row, column) or stated_unit(grid, row, column)
                written = _with_unit(folded, _after(unit, folded))
                for amount in amounts_in(written):
                    place = (name, row, column)
                    self.amounts.append(replace(_of_accounts(amount, written), cell=place))

    @cached_property
    def _joined(self) -> str:
        return "\n".join(self._words)

    def support(self, amount: Amount) -> list[Amount]:
        """The amounts of the sources that ``amount`` repeats, converts or rounds."""
        return [held for held in self.amounts if self.same(amount, held)]

    def only_digits(self, amount: Amount) -> bool:
        """True where the sources hold its digits as no amount (a year, a name) and no sign,
        scale or unit is added to them.
        """
        if amount.digits not in self.digits or amount.value < 0 or amount.scale != 1:
            return False
        if any(held.digits == amount.digits for held in self.amounts):
            return False
        return not amount.unit or amount.unit in _COUNTED or self._names_unit(amount.unit)

    def same(self, said: Amount, held: Amount) -> bool:
        """Whether ``said`` repeats, converts or rounds the amount ``held`` of these sources."""
        if (said.value < 0) != (held.value < 0) and not (said.falls or held.falls):
            return False
        if said.unit == "" and said.scale == 1:
            return said.digits in (held.digits, abs(held.value)) or _is_share(said, held)
        if _is_share(held, said):
            return True
        if not held.unit and held.scale == 1:
            return said.digits == held.digits and self._names(said)
        if not said.unit or not held.unit:
            equal = abs(said.value) == abs(held.value)
            return equal and (not said.unit or said.unit in _COUNTED or self._names_unit(said.unit))
        base, factor = _METRIC.get(said.unit, (said.unit, Decimal(1)))
        other, by = _METRIC.get(held.unit, (held.unit, Decimal(1)))
        if base != other:
            return False
        one, two = abs(said.value) * factor, abs(held.value) * by
        return one == two or _rounds(said, two / factor)

    def _names(self, said: Amount) -> bool:
        """Whether the sources name unit and scale of ``said`` somewhere beside bare digits."""
        unit = not said.unit or said.unit in _COUNTED or self._names_unit(said.unit)
        if said.scale == 1 or not unit:
            return unit
        words = next((words for size, *words in _SCALES if size == said.scale), [])
        return any(word in self._joined for word in words)

    def _names_unit(self, unit: str) -> bool:
        forms = [form for form, name in _SPELLED if name == unit]
        if forms:
            forms.append(re.compile(rf"(?<![a-z]){re.escape(unit)}(?![a-z])"))
            return any(form.search(self._joined) for form in forms)
        return unit in self._joined


def _after(unit: str, cell: str) -> str:
    """A table's unit as it would stand behind a bare cell."""
    folded = fold_text(unit)
    scaled = re.match(r"(?:million|thousand|billion)\b", folded) is not None
    bare = cell.replace("$", "") if scaled else cell  # «$ 4,100» in a table in millions
    if not folded or folded in cell or re.search(r"[^\d\s,.()+\-−△▲±*]", bare):
        return ""
    stated = _OF.match(folded)
    return f" {stated[1]} {folded[stated.end() :]}" if stated else folded


def _with_unit(cell: str, unit: str) -> str:
    """A cell with its unit behind the digits, also within the brackets of a loss."""
    bracketed = unit and cell.rstrip().endswith(")") and "(" in cell
    return f"{cell.rstrip()[:-1]}{unit})" if bracketed else cell + unit


def _is_share(bare: Amount, percent: Amount) -> bool:
    """0.125 and 12.5% are one share, exactly."""
    return (
        bare.unit == ""
        and bare.scale == 1
        and percent.unit == "%"
        and bare.decimals > 0
        and abs(bare.value) <= 1
        and abs(bare.value) * 100 == abs(percent.value)
    )


def _rounds(said: Amount, exact: Decimal) -> bool:
    """True where ``said`` is ``exact`` rounded to the digits it shows, two at least."""
    step = said.scale.scaleb(-said.decimals)
    if len(said.digits.as_tuple().digits) < 2 or exact.is_zero():
        return False
    with localcontext(prec=80):
        rounded = (exact / step).quantize(Decimal(1), ROUND_HALF_UP) * step
    return rounded == abs(said.value)
