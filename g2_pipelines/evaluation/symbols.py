"""A sentence as symbols: figures, periods, items, segments, names and directions as one each.

Here: ``Symbol`` and ``symbols``. What is compared with what stands in ``alignment``. Only
modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from g2_pipelines.evaluation.items import Items
from g2_pipelines.evaluation.labels import segment_pattern
from g2_pipelines.evaluation.polarity import POLAR
from g2_pipelines.text.fold import Folded, fold
from g2_pipelines.text.language import language
from g2_pipelines.text.numbers import Number, Period

SymbolKind = Literal["number", "period", "item", "segment", "deny", "skip", "word", "name", "char"]


class Symbol(NamedTuple):
    """[start, end) of the sentence; ``key`` is equal for what means the same."""

    kind: SymbolKind
    key: str
    start: int
    end: int
    weight: int


_Part = tuple[int, int, SymbolKind, str]
_GROUPS: dict[str, SymbolKind] = {"skip": "skip", "deny": "deny", "word": "word"}
#: A figure counts less than the words between two figures: exchanged, both show as differences.
_WEIGHT = {"number": 1, "period": 3, "item": 3, "segment": 3, "deny": 1, "skip": 2, "word": 2}
_LATIN = r"(?<![a-z0-9])[a-z](?:[a-z0-9&'+-]|[. ](?=[a-z]))*"
_NAME = re.compile(rf"[\u30a1-\u30fa\u30fc][\u30a1-\u30fa\u30fc・]+|{_LATIN}")
_LATIN_WORD = re.compile(r"[a-z][a-z0-9&'+-]*")
_SILENT = re.compile(r"[\s、,。.「」『』()\[\]・:;\-]")


def symbols(
    text: str,
    figures: Sequence[Number],
    dates: Sequence[Period],
    segments: Sequence[str],
    items: Items,
    *,
    offset: int = 0,
) -> list[Symbol]:
    """The symbols of a sentence ``text`` in order, not overlapping; white space and commas are left out.

    ``figures`` and ``dates`` are the sentence's, with ranges that count from ``offset`` before
    it; ``segments`` are folded names. The symbols' ranges count from the sentence's beginning,
    in code points of its text as written.
    """
    folded = fold(text)
    english = language(text) == "en"
    taken: list[_Part] = [
        (n.start - offset, n.end - offset, "number", f"{abs(n.value).normalize()}{n.unit}")
        for n in figures
    ]
    taken += [(p.start - offset, p.end - offset, "period", p.key) for p in dates]
    free = _blanked(folded, taken)
    found: list[_Part] = []
    pattern = segment_pattern(tuple(segments))
    found += [(m.start(), m.end(), "segment", m.group()) for m in pattern.finditer(free)]
    free = _masked(free, found)
    named: list[_Part] = [(a, b, "item", name) for a, b, name in items.find(free)]
    free = _masked(free, named)
    polar: list[_Part] = [
        (m.start(), m.end(), _GROUPS[m.lastgroup or ""], m.group()) for m in POLAR.finditer(free)
    ]
    free = _masked(free, polar)
    names: list[_Part] = []
    for m in _NAME.finditer(free):
        if m.group()[0].isascii():
            for w in _LATIN_WORD.finditer(free, m.start(), m.end()):
                written = text[folded.original(w.start(), w.end())[0]]
                # In English only a capital tells a name from a word.
                plain: SymbolKind = "char" if english and written.islower() else "name"
                names.append((w.start(), w.end(), plain, w.group()))
        else:
            names.append((m.start(), m.end(), "name", m.group()))
    free = _masked(free, names)
    parts = [*found, *named, *polar, *names]
    parts += [
        (i, i + 1, "char", char)
        for i, char in enumerate(free)
        if char != "\0" and not _SILENT.match(char)
    ]
    out = [
        Symbol(kind, key, *folded.original(a, b), _weight(kind, key)) for a, b, kind, key in parts
    ]
    out += [Symbol(kind, key, a, b, _WEIGHT[kind]) for a, b, kind, key in taken]
    return sorted(out, key=lambda symbol: (symbol.start, symbol.end))


def _weight(kind: SymbolKind, key: str) -> int:
    return min(len(key), 4) if kind in {"name", "char"} else _WEIGHT.get(kind, 1)


def _blanked(folded: Folded, taken: Sequence[_Part]) -> str:
    """The folded text with NUL where the ranges of the text as written are."""
    if not taken:
        return folded.text
    chars = list(folded.text)
    for start, source, length, source_length in folded.runs:
        for a, b, _, _ in taken:
            if a < source + source_length and source < b:
                if length == source_length:
                    low, high = max(a, source) - source, min(b, source + source_length) - source
                else:
                    low, high = 0, length
                chars[start + low : start + high] = "\0" * (high - low)
    return "".join(chars)


def _masked(text: str, parts: Sequence[_Part]) -> str:
    chars = list(text)
    for a, b, _, _ in parts:
        chars[a:b] = "\0" * (b - a)
    return "".join(chars)
