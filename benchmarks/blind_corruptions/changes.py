"""Sentences with two values: the present one, the one before, and the change between them."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.blind_corruptions.numbers import CALENDAR, Quantity, fold, hedged, render
from benchmarks.blind_corruptions.source import Draft, Sentence, Source, replaced

_BEFORE = r"(?P<when>(?:前|昨)(?:連結会計年度|事業年度|年同期|期|年)末?)"
_LABEL = r"(?P<label>[^、。()\d△]{2,28}?)"
_N = r"[\d,.〇一二三四五六七八九十百千万億兆・]+[^\d、。()]{1,6}?"
_TURN = {"増加": "減少", "減少": "増加", "上昇": "低下", "低下": "上昇"}
_SHAPES = (
    # L は、前期末に比べ D 増加し、C となりました
    re.compile(
        rf"(?:^|[、。]){_LABEL}は、?{_BEFORE}(?:に比べて?|と比べて?|比で?|より|から|に対し)、?(?P<amount>{_N})の?"
        rf"(?P<word>増加|減少|増収|減収|増益|減益|増|減|上昇|低下)(?:し、?|の|して)(?P<now>{_N})(?:と|に)な"
    ),
    # L は C と、前期に比べて D（x％）の増加
    re.compile(
        rf"(?:^|[、。]){_LABEL}は、?(?P<now>{_N})(?:と|で|となり)、{_BEFORE}(?:に比べて?|と比べて?|比で?|より|から|に対し)、?"
        rf"(?P<amount>{_N}) ?(?:\([^)]*\))?の?(?P<word>増加|減少|増収|減収|増益|減益|上昇|低下)"
    ),
    # L は C（前期 P）
    re.compile(
        rf"(?:^|[、。]){_LABEL}は、?(?P<now>{_N})\({_BEFORE}は?(?P<before>{_N})(?:から[^)]*)?\)"
    ),
    # L は、前期の P から C に上昇
    re.compile(
        rf"(?:^|[、。]){_LABEL}は、?{_BEFORE}の(?P<before>{_N})から、?(?P<now>{_N})(?:に|へ|と)"
    ),
)


@dataclass(frozen=True)
class Change:
    """What a sentence tells of one item: all values in single units, `before` + change = `now`."""

    sentence: Sentence
    label: str
    when: str
    now: Quantity
    before: str
    amount: str
    amount_value: Decimal
    before_value: Decimal

    @property
    def word(self) -> str:
        up = self.now.value > self.before_value
        if self.now.unit in {"%", "ポイント"}:
            return "上昇" if up else "低下"
        return "増加" if up else "減少"


def _quantity(sentence: Sentence, start: int, end: int) -> Quantity | None:
    """The one number that fills the span: with words after it (`の支出`) it has a sign of its own."""
    return next((q for q in sentence.quantities if (q.start, q.end) == (start, end)), None)


def _step(text: str, q: Quantity) -> str:
    return text.replace("%", "ポイント").replace("％", "ポイント") if q.unit == "%" else text


def _change(sentence: Sentence, m: re.Match[str]) -> Change | None:
    groups = m.groupdict()
    now = _quantity(sentence, *m.span("now"))
    other = _quantity(sentence, *m.span("before" if groups.get("before") else "amount"))
    if not now or not other or now.unit in CALENDAR or hedged(sentence.text, now):
        return None
    if {now.unit, other.unit} not in ({now.unit}, {"%", "ポイント"}) or other.value == 0:
        return None
    if groups.get("before"):
        before_value = other.value
    else:
        up = groups["word"] in {"増加", "増収", "増益", "増", "上昇"}
        before_value = now.value - other.value if up else now.value + other.value
    amount_value = abs(now.value - before_value)
    before, amount = render(before_value, now), render(amount_value, now)
    label = re.sub(
        r"^(?:また|なお|ただし|一方)、?|につい?て$|^その他、", "", groups["label"].strip(" 　")
    )
    if (
        not (before and amount)
        or before_value <= 0
        or amount_value == 0
        or not re.search(r"[一-龥ァ-ヴ]{2}", label)
    ):
        return None
    if amount_value == before_value or re.search(r"^(?:これ|その|同|うち|内訳)|損失|支出$", label):
        return None
    return Change(
        sentence, label, groups["when"], now, before, _step(amount, now), amount_value, before_value
    )


def changes(source: Source) -> Iterator[Change]:
    """Every sentence of the source that tells a value and the one before it, or the change."""
    for sentence in source.sentences:
        folded = fold(sentence.text)
        for shape in _SHAPES:
            for m in shape.finditer(folded):
                change = _change(sentence, m)
                if change:
                    yield change


def _draft(
    source: Source, kind: str, c: Change, true: str, parts: tuple[str, str, str], *, why: str
) -> Draft:
    """A draft whose text is `parts` joined; the middle part is what was changed from `true`."""
    head, new, tail = parts
    return Draft(
        source.name,
        kind,
        c.sentence.text,
        head + new + tail,
        (len(head), len(head) + len(new)),
        true,
        new,
        "flagged",
        why,
    )


def _elsewhere(source: Source, c: Change, value: Decimal) -> bool:
    """Whether the value is told in prose as a present one: stands where nothing says `before`."""
    item = c.label.rsplit("の", 1)[-1]
    for at in source.places(value, c.now.unit, c.now.step):
        window = source.window(at, 60)
        if "\t" not in window and item in window and not re.search("[前昨]", window):
            return True
    return False


def two_value(source: Source, _rng: random.Random) -> Iterator[Draft]:
    """The value before put as the present one; the direction turned; the change put as the value before."""
    for c in changes(source):
        now, told = c.now.text, {c.now.value, c.before_value, c.amount_value}
        if not _elsewhere(source, c, c.before_value):
            yield _draft(
                source,
                "two_current",
                c,
                now,
                (f"{c.label}は", c.before, f"で、{c.when}から{c.amount}{c.word}した。"),
                why="the value before put as the present one",
            )
        yield _draft(
            source,
            "two_direction",
            c,
            c.word,
            (f"{c.label}は{now}で、{c.when}の{c.before}から", _TURN[c.word], "した。"),
            why="the direction turned",
        )
        yield _draft(
            source,
            "two_direction",
            c,
            c.word,
            (f"{c.label}は{c.when}から{c.amount}", _TURN[c.word], f"し、{now}となった。"),
            why="the direction turned",
        )
        amount = render(c.amount_value, c.now)
        if len(told) == 3 and amount:
            for tail in (f"から{c.word}した。", f"に対し{c.word}となった。"):
                head = f"{c.label}は{now}で、{c.when}の"
                why = "the amount of the change put as the value before"
                yield _draft(source, "two_amount", c, c.before, (head, amount, tail), why=why)
        yield from _in_place(source, c)


def _in_place(source: Source, c: Change) -> Iterator[Draft]:
    """The same two corruptions in the sentence of the source itself."""
    text, span = c.sentence.text, (c.now.start, c.now.end)
    if not _elsewhere(source, c, c.before_value):
        why = "the value before put as the present one"
        yield replaced(source, "two_current", text, span, c.before, why=why)
    words = [
        m for m in re.finditer("増加|減少|上昇|低下", text) if abs(m.start() - c.now.start) < 20
    ]
    if len(words) == 1 and words[0][0] in {c.word, {"上昇": "増加", "低下": "減少"}.get(c.word)}:
        m = words[0]
        yield replaced(
            source, "two_direction", text, m.span(), _TURN[m[0]], why="the direction turned"
        )


def _near_miss(source: Source, c: Change) -> bool:
    """Whether a reckoned value differs from one told by a unit of the last place.

    Each number of a filing is cut or rounded by itself, so that both would be right.
    """
    step = c.now.step
    for value in (c.before_value, c.amount_value):
        exact = source.places(value, c.now.unit, step)
        if not exact and any(source.places(value + d, c.now.unit, step) for d in (step, -step)):
            return True
    return False


def paraphrase_change(source: Source, _rng: random.Random) -> Iterator[Draft]:
    """True: the change, or the value before, reckoned from the two numbers of the source."""
    for c in changes(source):
        if _near_miss(source, c):
            continue
        for text in (
            f"{c.label}は{c.now.text}で、{c.when}の{c.before}から{c.amount}{c.word}した。",
            f"{c.label}は{c.when}から{c.amount}{c.word}し、{c.now.text}となった。",
        ):
            yield Draft(
                source.name,
                "paraphrase_change",
                c.sentence.text,
                text,
                None,
                "",
                c.before,
                "clean",
                "reckoned",
            )
