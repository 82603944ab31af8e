"""What differs between a sentence and one place that it is laid beside.

Here: ``Differences``, ``Difference`` and ``Laid``. Which place a sentence is a copy of is
decided in ``near_copy``. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from g2_pipelines.evaluation.alignment import Alignment, Gap
from g2_pipelines.evaluation.corpus import Corpus, Found
from g2_pipelines.evaluation.denials import bounded, denied
from g2_pipelines.evaluation.figures import agree, comparable, compatible
from g2_pipelines.evaluation.items import items_differ
from g2_pipelines.evaluation.period_forms import holds
from g2_pipelines.evaluation.polarity import opposite, polar
from g2_pipelines.evaluation.symbols import Symbol
from g2_pipelines.text.numbers import Number

DifferenceKind = Literal["number", "moved", "period", "item", "segment", "name", "turned", "denied"]
_WIDE = 40  # symbols: a longer stretch in another's place is another statement
_WORD_BEFORE = re.compile(r"[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff]*[\u3041-\u3096]{0,5}$")
_SIDES = re.compile(r"利益|損失|(?<=[差評価却])[益損](?!失)")
_GAIN, _LOSS = re.compile(r"利益|profit|income"), re.compile(r"損失|loss")
_SIGNED = re.compile(r"[△▲\-−]\s?\d|マイナス|赤字")


class Difference(NamedTuple):
    """[start, end) of the sentence has ``kind`` where ``place`` has ``other``."""

    kind: DifferenceKind
    start: int
    end: int
    text: str
    other: str
    place: int
    found: Found | None = None


class Laid(NamedTuple):
    """A place of the sources with its alignment to a sentence."""

    place: int
    alignment: Alignment
    figures: dict[int, Found]  # by the symbol's start


class Differences:
    """One sentence against one place: ``found``, and ``counterparts`` of its figures.

    counterparts: start of a figure → the figures that stand in its place or are it.
    """

    def __init__(
        self,
        sentence: str,
        own: Sequence[Symbol],
        figures: dict[int, Number],
        corpus: Corpus,
        item: Laid,
    ) -> None:
        self.sentence = sentence
        self.own = own
        self.figures = figures
        self.corpus = corpus
        self.item = item
        self.counterparts: dict[int, list[Found]] = {}
        made = [
            difference
            for index, symbol in enumerate(own)
            if symbol.kind not in {"char", "skip", "deny"}
            and (difference := self._difference(index, symbol)) is not None
        ]
        self.found = sorted([*made, *self._denials()], key=lambda d: (d.start, d.end))

    def _difference(self, index: int, symbol: Symbol) -> Difference | None:
        """What stands in the symbol's place; None where it is the same, or nothing."""
        alignment = self.item.alignment
        if index in alignment.matched:
            other = alignment.other[alignment.matched[index]]
            if symbol.kind == "number":
                self._counterpart(symbol, [other])
            turned = symbol.kind == "item" and self._on_the_other_side(symbol, other)
            return self._made("turned", symbol, other) if turned else None
        gap = next(g for g in alignment.gaps if g.a <= index < g.b)
        return self._judge(symbol, gap)

    def _on_the_other_side(self, symbol: Symbol, other: Symbol) -> bool:
        """営業損失 for 営業利益, one item, where no sign says the same (営業利益は△3億円)."""
        text = self.corpus.text(self.item.place)
        mine = _side(self.sentence[symbol.start : symbol.end])
        theirs = _side(text[other.start : other.end])
        return mine * theirs < 0 and not _SIGNED.search(self.sentence + text)

    def _denials(self) -> list[Difference]:
        text, place = self.corpus.text(self.item.place), self.item.place
        out: list[Difference] = []
        for own, other in denied(self.item.alignment):
            start, end = self._predicate(own[0].start), own[-1].end
            there = text[other[0].start : other[-1].end]
            out.append(Difference("denied", start, end, self.sentence[start:end], there, place))
        return out

    def _predicate(self, start: int) -> int:
        """Where the word begins whose ending begins at ``start``, for a reader's sake."""
        found = _WORD_BEFORE.search(self.sentence, max(0, start - 12), start)
        return found.start() if found else start

    def _counterpart(self, symbol: Symbol, others: Sequence[Symbol]) -> None:
        figures = self.item.figures
        found = [figures[o.start] for o in others if o.start in figures]
        self.counterparts.setdefault(symbol.start, []).extend(found)

    def _judge(self, symbol: Symbol, gap: Gap) -> Difference | None:
        own, other = self.item.alignment.own, self.item.alignment.other
        theirs = [s for s in other[gap.c : gap.d] if s.kind == symbol.kind]
        if symbol.kind == "number":
            return self._number(symbol, gap, theirs)
        if gap.b - gap.a > _WIDE or gap.d - gap.c > _WIDE or not theirs:
            return None
        if any(self._same(symbol, s) for s in theirs):
            return None
        mine = [s for s in own[gap.a : gap.b] if s.kind == symbol.kind]
        paired = theirs[min(mine.index(symbol), len(theirs) - 1)]
        kind = self._conflict(symbol, paired)
        return self._made(kind, symbol, paired) if kind else None

    def _same(self, symbol: Symbol, other: Symbol) -> bool:
        if symbol.kind == "period":
            return holds(other.key, symbol.key) or holds(symbol.key, other.key)
        return symbol.key == other.key

    def _conflict(self, symbol: Symbol, other: Symbol) -> DifferenceKind | None:
        match symbol.kind:
            case "period":
                # 当期 and 2025年3月期 may be the same: no conflict of two ways of naming.
                alike = symbol.key[0].islower() == other.key[0].islower()
                return "period" if alike else None
            case "item":
                if symbol.key != other.key and _unsided(symbol.key) == _unsided(other.key):
                    return "turned"
                return "item" if items_differ(symbol.key, other.key) else None
            case "segment":
                return "segment"
            case "name":
                return "name" if len(symbol.key) > 1 and len(other.key) > 1 else None
            case "word":
                return "turned" if opposite(polar(symbol.key), polar(other.key)) else None
            case _:
                return None

    def _made(self, kind: DifferenceKind, symbol: Symbol, other: Symbol) -> Difference:
        text = self.corpus.text(self.item.place)
        return Difference(
            kind,
            symbol.start,
            symbol.end,
            self.sentence[symbol.start : symbol.end],
            text[other.start : other.end],
            self.item.place,
            self.item.figures.get(other.start),
        )

    def _number(self, symbol: Symbol, gap: Gap, theirs: Sequence[Symbol]) -> Difference | None:
        own, figures = self.figures[symbol.start], self.item.figures
        scales = self.corpus.scales[self.corpus.places[self.item.place].source]
        there = [figures[s.start].number for s in theirs if s.start in figures]
        if any(agree(own, number, scales) in {"exact", "rounded"} for number in there):
            self._counterpart(symbol, theirs)
            return None
        if any(compatible(own, number, scales) for number in there):
            return None
        if not there:
            moved = self._moved(symbol, gap)
            return None if moved is None else self._made("moved", symbol, moved)
        mine = [s for s in self.own[gap.a : gap.b] if s.kind == "number"]
        if len(mine) != len(theirs) or not bounded(self.item.alignment, gap):
            return None
        paired = theirs[mine.index(symbol)]
        if not comparable(own, figures[paired.start].number):
            return None
        return self._made("number", symbol, paired)

    def _moved(self, symbol: Symbol, gap: Gap) -> Symbol | None:
        """The figure's own place in the source, where it alone has left it."""
        alignment = self.item.alignment
        if not _lone(alignment.own[gap.a : gap.b]):
            return None
        for other in alignment.gaps:
            if other == gap or other.a != other.b:
                continue
            theirs = alignment.other[other.c : other.d]
            if any(s.kind == "number" and s.key == symbol.key for s in theirs) and _lone(theirs):
                return next(s for s in theirs if s.kind == "number")
        return None


def _side(name: str) -> int:
    """+1 where an item is called by its gain, -1 by its loss, 0 by both or neither."""
    gain, loss = _GAIN.search(name) is not None, _LOSS.search(name) is not None
    return gain - loss


def _unsided(item: str) -> str:
    """未実現評価損失 and 未実現評価利益 are one item, told of two sides."""
    return _SIDES.sub("損益", item)


def _lone(parts: Sequence[Symbol]) -> bool:
    """True for a figure with hardly anything beside it."""
    numbers = [s for s in parts if s.kind == "number"]
    return bool(numbers) and sum(s.weight for s in parts if s.kind != "number") <= 2
