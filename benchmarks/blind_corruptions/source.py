"""A source text with its sentences and numbers, and the tests whether a changed claim stands in it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from functools import cached_property, lru_cache
from pathlib import Path

from benchmarks.blind_corruptions.numbers import (
    CALENDAR,
    MONEY,
    Quantity,
    bare_numbers,
    find_quantities,
    fold,
    rounded,
    significant,
)

_OPEN, _CLOSE = "（(「『［[【〔〈《", "）)」』］]】〕〉》"
_SPEAKER = re.compile(r"^○[^\s。、]{2,40}[ 　]+")
_ENUMERATOR = re.compile(
    r"^[\s　]*(?:[(（]?(?:[0-9０-９]{1,2}|[a-zａ-ｚA-ZＡ-Ｚ]|[ア-ンｱ-ﾝ]|[イロハニホヘト]|[ⅰ-ⅹⅠ-Ⅹ])"
    r"[)）．.、，\s　]+|[①-⑳■●◆・〇○◎□]+)[\s　]*"
)
_TERM = re.compile(r"[一-龥々]{2,}|[ァ-ヴー]{3,}|[A-Za-z]{3,}")
_STOP = re.compile(
    r"当社|当社グループ|[当前]連結会計年度末?|[当前]事業年度末?|[当前]期末?|前年同?期?比?|億円|百万円|千円|増加|減少|"
    r"以下|結果|[一二三四五六七八九十百千万億兆]+|年度|主|影響|推移|合計|金額|グループ|委員|東京都|平成.*"
)
MIN_SENTENCE, MAX_SENTENCE = 18, 200


@dataclass(frozen=True)
class Sentence:
    """One sentence of the prose of a source, with its offset and the heading line above it."""

    start: int
    text: str
    heading: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @cached_property
    def quantities(self) -> list[Quantity]:
        return find_quantities(self.text)

    @cached_property
    def figures(self) -> list[Quantity]:
        """The quantities that are no dates."""
        return [q for q in self.quantities if q.unit not in CALENDAR]

    @cached_property
    def terms(self) -> frozenset[str]:
        return terms(self.text)


@lru_cache(maxsize=1 << 16)
def terms(text: str) -> frozenset[str]:
    """The content words of a text: runs of kanji, of katakana and of Latin letters."""
    return frozenset(t for t in _TERM.findall(fold(text)) if not _STOP.fullmatch(t))


def _split(line: str) -> Iterator[tuple[int, str]]:
    depth, start = 0, 0
    for i, c in enumerate(line):
        if c in _OPEN:
            depth += 1
        elif c in _CLOSE:
            depth = max(0, depth - 1)
        elif c == "。" and depth == 0:
            yield start, line[start : i + 1]
            start = i + 1


def _balanced(text: str) -> bool:
    return all(
        text.count(a) + text.count(x) == text.count(b) + text.count(y)
        for a, x, b, y in (
            ("（", "(", "）", ")"),
            ("「", "「", "」", "」"),
            ("『", "『", "』", "』"),
        )
    )


def strip_heading(line: str) -> str:
    """A heading without its enumerator (`a.`, `(1)`, `①`) and its brackets."""
    line = _ENUMERATOR.sub("", line.strip(" 　"))
    return line.strip(" 　（）()〔〕[]【】<>＜＞《》「」〈〉■●")


@dataclass
class Source:
    """A source text. All tests take the text as one space of claims: prose and table rows."""

    name: str
    text: str
    folded: str = field(init=False)
    _lines: dict[str, list[str]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.folded = fold(self.text)

    @classmethod
    def read(cls, path: Path) -> "Source":
        """The source of a `.txt` file; its name is the file's stem."""
        return cls(path.stem, path.read_text(encoding="utf-8"))

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        out, at = [], 0
        for line in self.text.split("\n"):
            out.append((at, line))
            at += len(line) + 1
        return out

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Whole sentences of running text; notes, fragments and table cells are left out."""
        out, heading = [], ""
        for at, line in self.lines:
            if "\t" in line or not line.strip():
                continue
            if "。" not in line:
                heading = strip_heading(line) if len(line) <= 40 else ""
                continue
            for start, piece in _split(line):
                bare = _SPEAKER.sub("", piece)
                bare = bare.lstrip(" 　")
                bare = _ENUMERATOR.sub("", bare) if start == 0 else bare
                offset = at + start + len(piece) - len(bare)
                usable = MIN_SENTENCE <= len(bare) <= MAX_SENTENCE and _balanced(bare)
                if usable and bare[0] not in "（(※）)〔○、*＊・」" and not bare.startswith("注"):
                    out.append(Sentence(offset, bare, heading))
        return out

    @cached_property
    def _quantities(self) -> list[Quantity]:
        return find_quantities(self.text)

    @cached_property
    def _by_value(self) -> list[tuple[Decimal, int, Decimal, str]]:
        """All numbers by value: (value, offset, step, unit); bare table numbers in four readings."""
        out = [(q.value, q.start, q.step, q.unit) for q in self._quantities]
        spans = [(q.start, q.end) for q in self._quantities]
        starts = [s for s, _ in spans]
        for at, value in bare_numbers(self.text):
            i = bisect_right(starts, at) - 1
            if i >= 0 and at < spans[i][1]:
                continue
            readings = (Decimal(scale) for scale in (1, 10**3, 10**6, 10**8))
            out.extend((value * scale, at, scale, "") for scale in readings)
        return sorted(out)

    @cached_property
    def _values(self) -> list[Decimal]:
        return [value for value, *_ in self._by_value]

    def places(self, value: Decimal, unit: str, step: Decimal) -> list[int]:
        """Offsets where a number stands that is, or rounds or cuts to, the value in that unit."""
        lo, hi = bisect_left(self._values, value - step), bisect_right(self._values, value + step)
        return [
            at
            for v, at, _, u in self._by_value[lo:hi]
            if (
                u in {unit, ""}
                or {u, unit} <= MONEY
                or {u, unit} <= {"%", "ポイント", "割"}
                or {u, unit} <= {"人", "名"}
            )
            and value in {v, rounded(v, step), rounded(v, step, ROUND_DOWN)}
        ]

    def window(self, at: int, size: int = 70) -> str:
        """The line around an offset, at most `size` characters to either side, table rows whole."""
        left = self.text.rfind("\n", 0, at) + 1
        right = self.text.find("\n", at)
        right = len(self.text) if right < 0 else right
        if "\t" in self.text[left:right]:
            return self.text[left:right]
        return self.text[max(left, at - size) : min(right, at + size)]

    def stands(self, value: Decimal, unit: str, step: Decimal, about: frozenset[str]) -> bool:
        """Whether the value may be a true one for these terms.

        Numbers of three digits or more: when they stand anywhere. Shorter ones: when they stand in a
        line that shares a term.
        """
        places = self.places(value, unit, step)
        if significant(value) >= 3:
            return bool(places)
        return any(about & terms(self.window(at, 120)) for at in places)

    def holds(self, value: Quantity, word: str, size: int = 70) -> bool:
        """Whether a number equal to `value` stands near the word somewhere."""
        return any(
            word in fold(self.window(at, size))
            for at in self.places(value.value, value.unit, value.step)
        )

    def lines_with(self, word: str) -> list[str]:
        """The surroundings of every occurrence of a word."""
        if word not in self._lines:
            found = re.finditer(re.escape(fold(word)), self.folded)
            self._lines[word] = [self.window(m.start(), 120) for m in found]
        return self._lines[word]

    def told(self, word: str, about: frozenset[str], share: int) -> bool:
        """Whether a word stands in surroundings that share at least so many terms."""
        return any(len(about & terms(line)) >= share for line in self.lines_with(word))


@dataclass(frozen=True)
class Draft:
    """A case before it has a number: see `generate.py` for the fields."""

    source: str
    kind: str
    original: str
    text: str
    changed: tuple[int, int] | None
    true_value: str
    false_value: str
    expect: str
    why: str


def replaced(
    source: Source, kind: str, sentence: str, span: tuple[int, int], new: str, *, why: str
) -> Draft:
    """The draft of a false sentence: the span of the sentence put as `new`."""
    start, end = span
    text = sentence[:start] + new + sentence[end:]
    return Draft(
        source.name,
        kind,
        sentence,
        text,
        (start, start + len(new)),
        sentence[start:end],
        new,
        "flagged",
        why,
    )
