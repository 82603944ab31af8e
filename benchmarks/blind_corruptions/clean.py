"""True sentences in other words: the same number in another unit or width, rounded, reordered."""

import random
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from benchmarks.blind_corruptions.numbers import (
    WIDEN,
    Quantity,
    find_quantities,
    fold,
    plain,
    rounded,
)
from benchmarks.blind_corruptions.source import Draft, Sentence, Source
from benchmarks.blind_corruptions.values import usable

_YEN = {"億": Decimal(10) ** 8, "百万": Decimal(10) ** 6, "万": Decimal(10) ** 4}
_TRILLION, _OKU, _MAN = Decimal(10) ** 12, Decimal(10) ** 8, Decimal(10) ** 4


def _clean(
    source: Source, kind: str, sentence: Sentence, text: str, pair: tuple[str, str], *, why: str
) -> Draft:
    return Draft(source.name, kind, sentence.text, text, None, *pair, "clean", why)


def verbatim(source: Source, _rng: random.Random) -> Iterator[Draft]:
    """The sentence as it stands."""
    for sentence in source.sentences:
        yield _clean(source, "verbatim", sentence, sentence.text, ("", ""), why="unchanged")


def _mixed(value: Decimal) -> str | None:
    """Yen as `1兆2,345億6,789万円`: exact, or None where there is a rest below 10,000."""
    out = ""
    for name, size in (("兆", _TRILLION), ("億", _OKU), ("万", _MAN)):
        part, value = divmod(value, size)
        if part:
            out += f"{plain(part)}{name}"
    return f"{out}円" if out and not value else None


def _other_units(q: Quantity) -> Iterator[str]:
    if q.unit != "円" or q.value < 10**6:
        return
    mixed = _mixed(q.value)
    if mixed:
        yield mixed
    for name, size in _YEN.items():
        number = q.value / size
        if (
            number >= Decimal("0.1")
            and number < 10**9
            and -int(str(number.normalize().as_tuple().exponent)) <= 3
        ):
            yield f"{plain(number)}{name}円"


def paraphrase_unit(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The same amount exactly, told in another unit: 12,345百万円 as 123.45億円."""
    for sentence in source.sentences:
        for q in sentence.figures:
            texts = [t for t in _other_units(q) if fold(t) != fold(q.text)]
            texts = [t for t in texts if _same(t, q)]
            for text in rng.sample(texts, min(1, len(texts))):
                whole = sentence.text[: q.start] + text + sentence.text[q.end :]
                yield _clean(
                    source, "paraphrase_unit", sentence, whole, (q.text, text), why="same amount"
                )


def _same(text: str, q: Quantity) -> bool:
    found = find_quantities(text)
    return len(found) == 1 and found[0].value == q.value and found[0].unit == q.unit


def paraphrase_width(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The digits of the sentence full-width instead of half-width, or the other way round."""
    for sentence in source.sentences:
        if not sentence.figures:
            continue
        narrow = re.sub(r"[０-９．，％]", lambda m: fold(m[0]), sentence.text)
        wide = re.sub(r"[0-9%]|(?<=\d)[.,](?=\d)", lambda m: m[0].translate(WIDEN), narrow)
        for text in rng.sample([narrow, wide], 2):
            if text != sentence.text:
                yield _clean(
                    source, "paraphrase_width", sentence, text, ("", ""), why="same digits"
                )
                break


def _about(q: Quantity) -> str | None:
    if q.unit == "円" and q.digits >= 3 and q.value >= 10**8:
        name, size = ("兆", _TRILLION) if q.value >= 10**13 else ("億", _OKU)
        places = 1 if q.value < 100 * size else 0
        step = size.scaleb(-places)
        near = rounded(q.value, step, ROUND_HALF_UP)
        text = f"約{plain(near / size)}{name}円"
        return text if near != q.value and abs(near - q.value) * 50 <= q.value else None
    if q.unit == "%" and q.value >= 10 and q.step < 1:
        near = rounded(q.value, Decimal(1))
        return f"約{near}%" if near != q.value else None
    if q.unit in {"人", "名", "社", "件", "台"} and q.digits >= 3:
        size = Decimal(10) ** (len(str(int(q.value))) - 2)
        near = rounded(q.value, size)
        return f"約{plain(near)}{q.unit}" if near != q.value else None
    return None


def paraphrase_round(source: Source, _rng: random.Random) -> Iterator[Draft]:
    """The number rounded half up and told with 約."""
    for sentence in source.sentences:
        for q in usable(sentence):
            text = _about(q)
            tail = sentence.text[q.end : q.end + 6]
            if text and not re.match(r"\s*[/／]", tail):
                whole = sentence.text[: q.start] + text + sentence.text[q.end :]
                yield _clean(
                    source, "paraphrase_round", sentence, whole, (q.text, text), why="rounded right"
                )


_PLAIN = (
    ("いたしました。", "した。"), ("しました。", "した。"), ("なりました。", "なった。"), ("でありました。", "であった。"),
    ("しております。", "している。"), ("しています。", "している。"), ("れております。", "れている。"), ("れています。", "れている。"),
    ("ております。", "ている。"), ("ています。", "ている。"), ("であります。", "である。"), ("でございます。", "である。"),
    ("です。", "である。"), ("れました。", "れた。"), ("えました。", "えた。"), ("りました。", "った。"), ("いたします。", "する。"),
    ("します。", "する。"), ("なります。", "なる。"), ("れます。", "れる。"), ("あります。", "ある。"), ("ありません。", "ない。"),
    ("しておりません。", "していない。"), ("していません。", "していない。"), ("した。", "しました。"), ("である。", "です。"),
)  # fmt: skip
_NO_PLAIN = re.compile(
    r"(?:[いたなのうるんけか]です|お願い|まして|伺い.*|借りました|足りました)。$|でしょう|りておりました"
)
_WHEN = r"(?P<when>当連結会計年度末?|当事業年度末?|当期末?|前連結会計年度末?)"
_ORDERS = (
    (
        re.compile(rf"^{_WHEN}(?:における|の)(?P<label>[^、。は]{{2,24}})は、?"),
        r"\g<label>は、\g<when>において、",
    ),
    (
        re.compile(rf"^(?P<label>[^、。は当]{{2,24}})は、{_WHEN}(?:において|に)、"),
        r"\g<when>における\g<label>は、",
    ),
    (
        re.compile(
            r"^(?:また|なお|一方|この結果|その結果|以上の結果|これらの結果|さらに|以上のことから)、"
        ),
        "",
    ),
)


def paraphrase_words(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The same claim in another order, or plain for polite."""
    for sentence in source.sentences:
        if len(sentence.terms) < 3:
            continue
        reordered = sentence.text
        for pattern, new in _ORDERS:
            reordered = pattern.sub(new, reordered, count=1)
        # A claim that leans on the sentence before is the same claim without the joining word.
        text = _plain(reordered)
        choice = rng.choice([t for t in (text, text, reordered) if t])
        if choice != sentence.text:
            moved = (
                choice[:6] not in {sentence.text[:6], ""} and choice[:6] not in sentence.text[:12]
            )
            why = "another order" if moved else "plain words"
            yield _clean(source, "paraphrase_words", sentence, choice, ("", ""), why=why)


def _plain(text: str) -> str:
    if _NO_PLAIN.search(text):
        return ""
    for old, new in _PLAIN:
        if text.endswith(old):
            if old == "した。" and text.endswith("ました。"):
                return ""
            return text[: -len(old)] + new
    return ""
