"""Numbers with units in Japanese text: found, valued, and written again in the same style.

A quantity is a numeral (`1兆2,345億67百万`, `三千二百万`, `三三・一一`) followed by a unit. Text is
folded character by character (full-width digits and signs to ASCII), so that offsets stay.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

_WIDE = "０１２３４５６７８９．，％＋－（）"
_FOLD = str.maketrans(
    _WIDE
    + "".join(chr(0xFF21 + i) for i in range(26))
    + "".join(chr(0xFF41 + i) for i in range(26))
    + "▲▵",
    "0123456789.,%+-()"
    + "".join(chr(65 + i) for i in range(26))
    + "".join(chr(97 + i) for i in range(26))
    + "△△",
)
WIDEN = str.maketrans("0123456789.,%", "０１２３４５６７８９．，％")
DIGITS = "〇一二三四五六七八九"
SCALES: dict[str, Decimal] = {
    "兆": Decimal(10) ** 12,
    "十億": Decimal(10) ** 9,
    "億": Decimal(10) ** 8,
    "千万": Decimal(10) ** 7,
    "百万": Decimal(10) ** 6,
    "万": Decimal(10) ** 4,
    "千": Decimal(10) ** 3,
}
_SCALE = "兆|十億|億|千万|百万|万|千"
_NUM = r"(?:\d+(?:,\d{3})*(?:\.\d+)?|[〇一二三四五六七八九十百千]+(?:・[〇一二三四五六七八九]+)?)"
_UNITS = (
    "米ドル|ドル|ユーロ|人民元|元|ポンド|円|銭|%|パーセント|ポイント|倍|割|人(?![材員口々間工気事件民])|"
    "名(?![称前])|社(?![員会内外長債名])|件(?!費)|店舗|店(?!頭)|[かカヵヶ箇]所|台(?!頭)|株(?![式主価])|"
    "トン|ヘクタール|平方メートル|㎡|メートル|世帯|[かカヵヶ箇]国|品目|種類|[かカヵヶ箇]月(?!期)|年間|年度?|月期?|日"
)
_QUANTITY = re.compile(
    rf"(?<![\d,.第数何・〇一二三四五六七八九十百千A-Za-z])"
    rf"(?P<num>{_NUM}(?:(?:{_SCALE}){_NUM})*(?:{_SCALE})?)(?P<unit>{_UNITS})"
)
_PART = re.compile(rf"({_NUM})({_SCALE})?")
_BARE = re.compile(r"(?<![\d,.])\d+(?:,\d{3})*(?:\.\d+)?(?![\d,.])")
_HEDGE_AFTER = re.compile(
    r"\s*(?:\([^)]{0,12}\))?(?:以上|以下|以内|超|未満|程度|弱|強|余|前後|まで|台|を超|を上回|を下回|に満た|ぐらい|くらい|当たり|あたり|につき|では(?:でき|足|不|な)|しか|も(?:満|な|あ))"
)
_HEDGE_BEFORE = re.compile(r"(?:約|およそ|ほぼ|最大|最低|少なくとも|延べ約|[~～〜-])\s*$")
CALENDAR = {"年", "年度", "月", "月期", "日"}
MONEY = {"円", "米ドル", "ドル", "ユーロ"}
_TENS = {"千": 1000, "百": 100, "十": 10}


def fold(text: str) -> str:
    """The text with full-width digits, letters, brackets and signs as ASCII, of the same length."""
    return text.translate(_FOLD)


@dataclass(frozen=True)
class Quantity:
    """A numeral with its unit: `text[start:end]`; `value` in single units, `step` its last place."""

    start: int
    end: int
    text: str
    number: str
    unit: str
    value: Decimal
    step: Decimal
    scales: tuple[str, ...]
    kanji: bool

    @property
    def digits(self) -> int:
        """How many significant digits the value has, trailing zeros not counted."""
        return significant(self.value)


def significant(value: Decimal) -> int:
    """Significant digits of a value, trailing zeros not counted: 1200 has 2."""
    digits = abs(value).normalize().as_tuple().digits
    return len(digits)


def kanji_value(numeral: str) -> Decimal:
    """The value of a kanji numeral below 10,000, by place (`三三・一一`) or by tens (`三十三`)."""
    if not any(c in _TENS for c in numeral):
        return Decimal("".join("." if c == "・" else str(DIGITS.index(c)) for c in numeral))
    total, digit = 0, 0
    whole, _, rest = numeral.partition("・")
    for c in whole:
        if c in _TENS:
            total += (digit or 1) * _TENS[c]
            digit = 0
        else:
            digit = digit * 10 + DIGITS.index(c)
    fraction = "".join(str(DIGITS.index(c)) for c in rest)
    return Decimal(f"{total + digit}.{fraction}") if fraction else Decimal(total + digit)


def _parse(number: str) -> tuple[Decimal, Decimal, tuple[str, ...], bool]:
    value, step, scales, kanji = Decimal(0), Decimal(1), [], False
    for numeral, scale in _PART.findall(number):
        if numeral[0].isascii():
            part = Decimal(numeral.replace(",", ""))
            places = len(numeral.partition(".")[2])
        else:
            part, kanji = kanji_value(numeral), True
            places = len(numeral.partition("・")[2])
        factor = SCALES.get(scale, Decimal(1))
        value += part * factor
        step = factor.scaleb(-places)
        scales.append(scale)
    return value, step, tuple(scales), kanji


def find_quantities(text: str) -> list[Quantity]:
    """Every numeral with a unit in the text, in order; unit words of tables (`百万円`) are none."""
    folded = fold(text)
    found = []
    for m in _QUANTITY.finditer(folded):
        number = m["num"]
        if number in {"百", "千", "百万", "千万", "十"} or re.search("[十百千][〇]", number):
            continue
        value, step, scales, kanji = _parse(number)
        if kanji and number in {"一", "二", "十"} and m["unit"] not in {"%", "割"}:
            continue
        unit = {"パーセント": "%"}.get(m["unit"], m["unit"])
        found.append(
            Quantity(
                m.start(),
                m.end(),
                text[m.start() : m.end()],
                number,
                unit,
                value,
                step,
                scales,
                kanji,
            )
        )
    return found


def bare_numbers(text: str) -> list[tuple[int, Decimal]]:
    """Every ASCII number of the folded text with its offset, whatever follows it."""
    return [(m.start(), Decimal(m[0].replace(",", ""))) for m in _BARE.finditer(fold(text))]


def hedged(text: str, q: Quantity) -> bool:
    """Whether the number is a bound or an estimate (`以上`, `約`), so that another may be true too."""
    folded = fold(text)
    return bool(_HEDGE_AFTER.match(folded, q.end) or _HEDGE_BEFORE.search(folded[: q.start]))


def to_kanji(value: int) -> str:
    """A whole number in kanji numerals by tens: 1152 → 千百五十二."""
    if value == 0:
        return "〇"
    out = ""
    for scale, size in (("兆", 10**12), ("億", 10**8), ("万", 10**4), ("", 1)):
        group, value = divmod(value, size)
        if not group:
            continue
        for name, ten in _TENS.items():
            digit, group = divmod(group, ten)
            if digit:
                out += ("" if digit == 1 else DIGITS[digit]) + name
        out += (DIGITS[group] if group else "") + scale
    return out


def plain(value: Decimal) -> str:
    """A number with thousands commas and without trailing zeros or exponent."""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def render(value: Decimal, like: Quantity) -> str | None:
    """The value written in the style of `like` with its unit, or None where that cannot be exact."""
    unit = like.text[len(like.number) :]
    if like.kanji:
        if "・" in like.number or (like.unit == "%" and not any(c in _TENS for c in like.number)):
            places = max(
                len(like.number.partition("・")[2]),
                -int(str(value.normalize().as_tuple().exponent)),
            )
            digits = f"{value:.{places}f}"
            return "".join("・" if c == "." else DIGITS[int(c)] for c in digits) + unit
        if value != value.to_integral_value() or not set(like.scales) <= {"兆", "億", "万", ""}:
            return None
        return to_kanji(int(value)) + unit
    out, rest = "", value
    for i, scale in enumerate(like.scales):
        factor = SCALES.get(scale, Decimal(1))
        part = rest / factor
        if i < len(like.scales) - 1:
            part = part.to_integral_value(ROUND_DOWN)
            rest -= part * factor
            if part == 0 and not out:
                continue
        out += plain_like(part, like) + scale
    parsed = _parse(out)[0]
    return out + unit if parsed == value else None


def plain_like(part: Decimal, like: Quantity) -> str:
    """The number with as many decimals as `like` shows, or more where the value needs them."""
    places = (
        len(re.sub(r".*?(?:\.|$)", "", like.number.rstrip("兆億百十千万"), count=1))
        if "." in like.number
        else 0
    )
    need = max(0, -int(str(part.normalize().as_tuple().exponent)))
    return f"{part:,.{max(places, need)}f}"


def rounded(value: Decimal, step: Decimal, mode: str = ROUND_HALF_UP) -> Decimal:
    """The value rounded to a multiple of `step`."""
    return (value / step).to_integral_value(mode) * step
