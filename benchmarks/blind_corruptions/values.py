"""False numbers: one digit, two digits swapped, ten times, another unit, a rate's scale."""

import random
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from benchmarks.blind_corruptions.numbers import (
    DIGITS,
    Quantity,
    find_quantities,
    fold,
    hedged,
    render,
)
from benchmarks.blind_corruptions.source import Draft, Sentence, Source, replaced

_UNIT_SWAPS: dict[str, tuple[str, ...]] = {
    "億円": ("百万円", "万円"),
    "百万円": ("億円", "千円"),
    "千円": ("百万円", "万円"),
    "万円": ("億円", "千円"),
    "円": ("%", "ドル"),
    "億米ドル": ("億円", "百万米ドル"),
    "%": ("ポイント", "円", "倍"),
    "ポイント": ("%", "倍"),
    "パーセント": ("ポイント", "円"),
    "人": ("社", "件"),
    "名": ("社", "件"),
    "社": ("人", "件"),
    "件": ("人", "社", "億円"),
    "店": ("社", "人"),
    "店舗": ("社", "人"),
    "台": ("社", "円"),
    "トン": ("キログラム", "万トン"),
    "株": ("円", "社"),
    "倍": ("%", "ポイント"),
    "ヘクタール": ("平方メートル", "平方キロメートル"),
    "平方メートル": ("ヘクタール", "平方キロメートル"),
    "割": ("%", "倍"),
}
_CHANGE = re.compile("の?(?:増|減|上昇|低下|改善|悪化)")
_SCALED_UNIT = re.compile(r"(?:億|百万|万|千)?(?:米ドル|人民元|[^\d兆億百十千万]+)$")


def usable(sentence: Sentence) -> list[Quantity]:
    """The numbers of a sentence that state one exact thing: no dates, bounds or estimates."""
    return [q for q in sentence.figures if not hedged(sentence.text, q)]


def _about(sentence: Sentence) -> frozenset[str]:
    return sentence.terms | frozenset({sentence.heading} if sentence.heading else ())


def _false(source: Source, sentence: Sentence, q: Quantity, new: Quantity) -> bool:
    same = new.value == q.value and new.unit == q.unit
    return not same and not source.stands(new.value, new.unit, new.step, _about(sentence))


def _reread(text: str) -> Quantity | None:
    found = find_quantities(text)
    return (
        found[0] if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)) else None
    )


def _drafts(
    source: Source,
    sentence: Sentence,
    kind: str,
    q: Quantity,
    texts: list[str],
    *,
    why: str,
    most: int = 1,
) -> Iterator[Draft]:
    kept = 0
    for text in texts:
        new = _reread(text)
        if kept < most and new and _false(source, sentence, q, new):
            kept += 1
            yield replaced(source, kind, sentence.text, (q.start, q.end), text, why=why)


def _one_digit(q: Quantity, rng: random.Random) -> list[str]:
    folded = fold(q.text)
    out: list[str] = []
    for i, c in enumerate(folded[: len(q.number)]):
        if c.isdigit():
            first = i == 0 or not (folded[i - 1].isdigit() or folded[i - 1] in ",.")
            pool = [d for d in "0123456789" if d != c and not (first and d == "0")]
            wide = q.text[i] != c
            news = [chr(ord(d) + 0xFEE0) if wide else d for d in rng.sample(pool, 2)]
        elif c in DIGITS and c != "〇":
            news = rng.sample([d for d in DIGITS[2:] if d != c], 2)
        else:
            news = []
        out.extend(q.text[:i] + d + q.text[i + 1 :] for d in news)
    rng.shuffle(out)
    return out


def digit(source: Source, rng: random.Random) -> Iterator[Draft]:
    """One digit of a number changed."""
    for sentence in source.sentences:
        for q in usable(sentence):
            yield from _drafts(
                source, sentence, "digit", q, _one_digit(q, rng), why="one digit changed", most=2
            )


def order(source: Source, rng: random.Random) -> Iterator[Draft]:
    """Two neighbouring digits of a number swapped (thousands commas and points stay)."""
    for sentence in source.sentences:
        for q in usable(sentence):
            kinds = DIGITS if q.kanji else "0123456789０１２３４５６７８９"
            at = [i for i, c in enumerate(q.text[: len(q.number)]) if c in kinds]
            out = []
            for a, b in pairwise(at):
                first, second = q.text[a], q.text[b]
                if fold(first) == fold(second) or (a == at[0] and fold(second) in "0〇"):
                    continue
                out.append(q.text[:a] + second + q.text[a + 1 : b] + first + q.text[b + 1 :])
            rng.shuffle(out)
            yield from _drafts(source, sentence, "order", q, out, why="two digits swapped", most=2)


def _times(
    source: Source,
    rng: random.Random,
    kind: str,
    factors: tuple[str, ...],
    units: frozenset[str],
    *,
    why: str,
) -> Iterator[Draft]:
    for sentence in source.sentences:
        for q in usable(sentence):
            if units and (q.unit not in units or q.value == 100):
                continue
            # Nobody believes a rate of thousands of per cent: those are told too small.
            news = [q.value * Decimal(f) for f in rng.sample(factors, len(factors))]
            shown = [render(v, q) for v in news if not units or v <= 1000]
            texts = [re.sub(r"\.0+(?=[%％])", "", t) for t in shown if t]
            kept = [t for t in texts if not re.search(r"(?<!\d)0[千万百億]|\.\d{4,}|[十百]年", t)]
            yield from _drafts(source, sentence, kind, q, kept, why=why)


def times_ten(source: Source, rng: random.Random) -> Iterator[Draft]:
    """A number ten times too large or too small."""
    yield from _times(
        source, rng, "x10", ("10", "0.1"), frozenset(), why="wrong by a factor of ten"
    )


def rate_scale(source: Source, rng: random.Random) -> Iterator[Draft]:
    """A rate a hundred times too large or too small, as when a share is taken for a percentage."""
    rates = frozenset({"%", "ポイント"})
    yield from _times(
        source, rng, "rate_scale", ("100", "0.01"), rates, why="rate wrong by a factor of 100"
    )


def unit(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The number kept and its unit put as another."""
    for sentence in source.sentences:
        for q in usable(sentence):
            match = _SCALED_UNIT.search(fold(q.text))
            if not match:
                continue
            old = match[0] if match[0] in _UNIT_SWAPS else q.unit
            if old not in _UNIT_SWAPS or len(q.scales) > 1:
                continue
            if sentence.text[q.end : q.end + 1] in {"当", "以"}:
                continue
            head = q.text[: len(q.text) - len(old)]
            news = [
                n
                for n in _UNIT_SWAPS[old]
                if (n != "ポイント" or _CHANGE.match(sentence.text, q.end))
                and not (q.kanji and n in {"百万円", "千円"})
            ]
            for new in rng.sample(news, min(1, len(news))):
                changed = _unit_draft(source, sentence, q, head + new)
                if changed:
                    yield changed


def _unit_draft(source: Source, sentence: Sentence, q: Quantity, text: str) -> Draft | None:
    found = find_quantities(text)
    if found and not _false(source, sentence, q, found[0]):
        return None
    # A unit that the reader of numbers does not know: strict by the text.
    if not found and text in source.folded:
        return None
    return replaced(source, "unit", sentence.text, (q.start, q.end), text, why="another unit")
