"""Whether a figure of a summary agrees with figures of the sources, and how.

Here: ``agree`` for two figures and ``derived_from`` for one made of two others. Where to look
first and what follows stand in ``number_claims``. Only modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations
from typing import Literal

from g2_pipelines.evaluation.corpus import digits
from g2_pipelines.text.numbers import Number

Agreement = Literal["exact", "rounded", "sign", "scale", "unit", ""]
#: Units that a table's head gives its cells.
CELL_UNITS = frozenset({"円", "株", "ドル", "人", "台"})
_DEFAULT_SCALES = (10**3, 10**6)
_ALIKE = (frozenset({"%", "ポイント"}),)


def readings(found: Number, unit: str, scales: frozenset[int]) -> Iterator[tuple[Decimal, Decimal]]:
    """(value, quantum) of a source's figure read in ``unit``; none where it cannot be.

    A table cell has no unit of its own: in yen it counts in the units that its source
    declares (単位：百万円), else in thousands and millions.
    """
    if found.unit == unit:
        yield found.value, found.quantum
    elif (factor := _factor(found.unit, unit)) is not None:  # 5.4ヘクタール is 54,000㎡
        yield found.value * factor, found.quantum * factor
    elif found.unit == "倍" and unit == "%":  # 1.5倍 is 150％
        yield found.value * 100, found.quantum * 100
    elif found.unit == "%" and unit == "倍" and not found.change and found.value >= 100:
        yield found.value / 100, found.quantum / 100
    elif not found.unit:
        yield found.value, found.quantum
        if unit in CELL_UNITS:
            for scale in sorted(scales) or _DEFAULT_SCALES:
                yield found.value * scale, found.quantum * scale
    elif not unit:
        yield found.value, found.quantum
        if found.scale != 1:  # 48,620 for 48,620百万円
            yield found.value / found.scale, found.quantum / found.scale


#: Measures of one dimension in its least unit; all are powers of ten apart.
_MEASURES: dict[str, tuple[str, int]] = {
    **dict.fromkeys(("㎡", "平方メートル"), ("area", 0)),
    "アール": ("area", 2),
    **dict.fromkeys(("ヘクタール", "ha"), ("area", 4)),
    **dict.fromkeys(("平方キロメートル", "km2"), ("area", 6)),
    **dict.fromkeys(("mm", "㎜", "ミリメートル", "ミリ"), ("length", 0)),
    **dict.fromkeys(("cm", "センチメートル", "センチ"), ("length", 1)),
    **dict.fromkeys(("m", "メートル"), ("length", 3)),
    **dict.fromkeys(("km", "キロメートル"), ("length", 6)),
    "ミリグラム": ("mass", -3),
    **dict.fromkeys(("g", "グラム"), ("mass", 0)),
    **dict.fromkeys(("kg", "キログラム"), ("mass", 3)),
    "トン": ("mass", 6),
    **dict.fromkeys(("㎥", "m3", "立方メートル", "キロリットル"), ("volume", 3)),
    **dict.fromkeys(("リットル",), ("volume", 0)),
    **dict.fromkeys(("kw", "キロワット"), ("power", 3)),
    **dict.fromkeys(("mw", "メガワット"), ("power", 6)),
    "gw": ("power", 9),
}


def _factor(unit: str, other: str) -> Decimal | None:
    """How many of ``other`` one ``unit`` is, None where they do not measure the same."""
    one, two = _MEASURES.get(unit), _MEASURES.get(other)
    if one is None or two is None or one[0] != two[0]:
        return None
    return Decimal(1).scaleb(one[1] - two[1])


def polarity(number: Number) -> int:
    """-1 or +1 where the figure says so itself (sign, loss, increase, decrease), else 0."""
    if number.value < 0:
        return -1
    return number.change


def agree(
    claim: Number,
    found: Number,
    scales: frozenset[int],
    *,
    claim_falls: bool = False,
    found_falls: bool = False,
) -> Agreement:
    """How ``found`` of a source agrees with ``claim`` of a summary; '' where it does not.

    ``claim_falls`` and ``found_falls``: the words around speak of a loss or decrease.
    """
    best: Agreement = ""
    if claim.unit == "%" and claim.change > 0 and found.unit == "倍":  # 1.5倍 is 50％増
        grown = (found.value - 1) * 100
        return "exact" if grown == abs(claim.value) else ""
    for value, quantum in readings(found, claim.unit, scales):
        if abs(value) == abs(claim.value):
            return "sign" if _sign_conflict(claim, found, claim_falls, found_falls) else "exact"
        if rounds_to(abs(value), quantum, claim):
            best = "sign" if _sign_conflict(claim, found, claim_falls, found_falls) else "rounded"
    return best or _same_digits(claim, found)


def compatible(claim: Number, found: Number, scales: frozenset[int]) -> bool:
    """True where the source's coarser figure (326億円) does not contradict a finer claim."""
    return any(
        quantum > claim.quantum and abs(abs(value) - abs(claim.value)) < quantum
        for value, quantum in readings(found, claim.unit, scales)
    )


def comparable(claim: Number, found: Number) -> bool:
    """True where one figure may have been made from the other: same unit, or same digits."""
    same = len(digits(claim.value)) > 1 and digits(claim.value) == digits(found.value)
    return same or claim.unit == found.unit or abs(claim.value) == abs(found.value)


def _sign_conflict(claim: Number, found: Number, claim_falls: bool, found_falls: bool) -> bool:  # noqa: FBT001
    a, b = polarity(claim), polarity(found)
    if a == b:
        return False
    if a and b:
        return True
    if b:  # only the source says which way
        return found.value < 0 and not claim_falls
    return claim.value < 0 and not found_falls


def rounds_to(value: Decimal, quantum: Decimal, claim: Number) -> bool:
    """True where ``value`` written as coarsely as ``claim`` is ``claim`` (rounded or cut off)."""
    step = step_of(claim)
    if step <= quantum or (not claim.unit and significant(claim) < 3):
        return False
    wanted = abs(claim.value)
    if abs(value - wanted) >= step:
        return False
    rounded = (value / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step
    cut = (value // step) * step
    return wanted in {rounded, cut}


def step_of(claim: Number) -> Decimal:
    """約1,200名 is written to the hundred, 1,200名 to one."""
    if not claim.approximate or claim.decimals:
        return claim.quantum
    zeros = 0
    scaled = int(abs(claim.value) / claim.quantum)
    while scaled and scaled % 10 == 0:
        scaled //= 10
        zeros += 1
    return claim.quantum.scaleb(zeros)


def _same_digits(claim: Number, found: Number) -> Agreement:
    own = digits(claim.value)
    if len(own) < 2 or own != digits(found.value):
        return ""
    if claim.unit == found.unit:
        return "scale"
    if claim.unit and found.unit and abs(claim.value) == abs(found.value):
        return "unit"
    return ""


def significant(claim: Number) -> int:
    """Number of significant digits."""
    return len(digits(claim.value))


_DERIVING = ("円", "ドル", "人", "社", "店", "拠点", "台", "件", "株", "トン")


def derived_from(
    claim: Number,
    found: Sequence[Number],
    scales: frozenset[int],
    beside: frozenset[str] = frozenset(),
) -> tuple[Number, Number, str] | None:
    """Two figures of one place and the operation that make ``claim``, or None.

    Differences, sums, ratios and rates of change; only for figures of three significant digits
    or more, since from few digits anything can be made; of two where the other figure is
    ``beside`` the claim (digits of its sentence's figures).
    """
    if claim.unit == "倍":
        for n in found:  # 96.4％増 is 約2倍
            made = 1 + n.value / 100
            if n.unit == "%" and n.change > 0 and rounds_to(made, claim.quantum / 1000, claim):
                return n, n, "1 + a"
    # 200億円 has one significant digit, but is written in three.
    round_one = significant(claim) < 2
    if round_one and sum(char.isdigit() for char in claim.text) < 3:
        return None
    usable = [n for n in found if significant(n) >= 2][:14]
    if claim.unit == "%" and significant(claim) < 3 and (not claim.decimals or len(usable) > 6):
        return None  # some two figures of a table always make 76 % or 7.8 %
    for a, b in combinations(usable, 2):
        if a.unit != b.unit:
            continue
        least = 2 if {digits(a.value), digits(b.value)} & beside else 3
        if round_one and least > 2:
            continue
        operation = _operation(claim, a, b, scales, least)
        if operation:
            return a, b, operation
    return None


def _operation(claim: Number, a: Number, b: Number, scales: frozenset[int], least: int) -> str:
    if claim.unit in _DERIVING:
        for (x, q), (y, _) in zip(
            readings(a, claim.unit, scales), readings(b, claim.unit, scales), strict=False
        ):
            if min(significant(a), significant(b)) < least:
                return ""
            for made, name in ((abs(x - y), "a - b"), (x + y, "a + b")):
                if made and (abs(claim.value) == made or rounds_to(abs(made), q, claim)):
                    return name
        return ""
    if claim.unit == "ポイント" and a.unit == "%":
        return "a - b" if abs(abs(a.value - b.value) - abs(claim.value)) == 0 else ""
    if a.unit == "%" or min(significant(a), significant(b)) < least:
        return ""
    return _ratio(claim, a.value, b.value) or _rate_of_change(claim, a, b)


def _rate_of_change(claim: Number, a: Number, b: Number) -> str:
    """Where one of two figures is the change: 5,810億円増加し、17兆9,430億円."""
    if claim.unit != "%" or not (a.change or b.change):
        return ""
    change, now = (a, b) if a.change else (b, a)
    before = now.value - change.signed
    if not before:
        return ""
    rate = change.value / abs(before) * 100
    return "a / (b - a)" if rounds_to(abs(rate), claim.quantum / 1000, claim) else ""


def _ratio(claim: Number, x: Decimal, y: Decimal) -> str:
    fine = claim.quantum / 1000
    for top, bottom in ((x, y), (y, x)):
        if not bottom:
            continue
        if claim.unit == "倍" and rounds_to(abs(top / bottom), fine, claim):
            return "a / b"
        if claim.unit == "%":
            change = (top - bottom) / abs(bottom) * 100
            if rounds_to(abs(change), fine, claim) and _same_way(claim, change):
                return "(a - b) / b"
            if rounds_to(abs(top / bottom) * 100, fine, claim):
                return "a / b"
    return ""


def _same_way(claim: Number, change: Decimal) -> bool:
    way = polarity(claim)
    return way == 0 or (way > 0) == (change > 0)
