"""A sentence of a summary beside the source's sentences it is nearly a copy of.

Here: ``compare_sentence`` and ``Difference``. Most sentences of a brief keep long stretches of
their source; there a changed figure, period, item, segment, name, direction or denial shows
as what stands in the other's place, whatever else the source says of the figure. Where the
sentence is told in other words nothing is found here, and the claims are judged one by one.
Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from g2_pipelines.evaluation.alignment import Alignment, Gap, align
from g2_pipelines.evaluation.corpus import Corpus, Found
from g2_pipelines.evaluation.figures import agree, comparable, compatible
from g2_pipelines.evaluation.items import items_differ
from g2_pipelines.evaluation.period_forms import holds
from g2_pipelines.evaluation.polarity import opposite, polar
from g2_pipelines.evaluation.symbols import Symbol, symbols
from g2_pipelines.text.numbers import Number, Period

DifferenceKind = Literal["number", "moved", "period", "item", "segment", "name", "turned", "denied"]
_SHARE = 0.6  # of the sentence that a near copy has in common
_CLOSE = 0.12  # places that share this much less than the best one are asked too
_WEIGHT = 8  # what two sentences must share to be compared at all
_SURE, _LONG = 0.8, 12  # without a figure in common, these make a copy sure
_ONLY_SURE = frozenset({"item", "segment", "period"})
_LABELS = frozenset({"number", "item", "segment", "period"})
_WIDE = 40  # symbols: a longer stretch in another's place is another statement


_WORD_BEFORE = re.compile(r"[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff]*[\u3041-\u3096]{0,5}$")
_SIDES = re.compile(r"利益|損失|(?<=[差評価却])[益損](?!失)")
_STEM = re.compile(r"[\u30a1-\u30fa\u3005\u4e00-\u9fff]")


class Difference(NamedTuple):
    """[start, end) of the sentence has ``kind`` where ``place`` has ``other``."""

    kind: DifferenceKind
    start: int
    end: int
    text: str
    other: str
    place: int
    found: Found | None = None


class _Place(NamedTuple):
    place: int
    alignment: Alignment
    figures: dict[int, Found]  # by the symbol's start


class NearCopy(NamedTuple):
    """What differs, and the share of the sentence that its best place has."""

    share: float
    differences: list[Difference]
    weight: int
    #: start of a figure → the figures that stand in its place or are it.
    counterparts: dict[int, list[Found]]
    #: figures and labels that this place says nothing of.
    unaccounted: int
    #: start of a figure → the difference of its item, segment or period.
    bound: dict[int, Difference]
    #: starts of figures of which an item, segment or period is not in this place.
    loose: frozenset[int] = frozenset()
    place: int = -1

    @property
    def strong(self) -> bool:
        """Whether the two are surely one statement: they share a figure, or nearly all words."""
        return bool(self.counterparts) or (self.share >= _SURE and self.weight >= _LONG)


NOTHING_NEAR = NearCopy(0.0, [], 0, {}, 0, {})


def compare_sentence(
    sentence: str,
    start: int,
    *,
    figures: Sequence[Number],
    dates: Sequence[Period],
    corpus: Corpus,
    places: Sequence[int],
    segments: Sequence[str],
) -> NearCopy:
    """Compare ``sentence``, which begins at ``start`` of the summary, with its aligned places.

    ``figures`` and ``dates`` have ranges of the summary; ``segments`` are folded. A difference
    counts only where no place that is about as near has the same.
    """
    own = symbols(sentence, figures, dates, segments, corpus.items, offset=start)
    laid = [_lay(own, corpus, place, segments) for place in places]
    best = max((item.alignment.share for item in laid), default=0.0)
    near = [
        item
        for item in laid
        if item.alignment.share >= max(_SHARE, best - _CLOSE) and item.alignment.weight >= _WEIGHT
    ]
    figures_at = {n.start - start: n for n in figures}
    judged = [_Judge(sentence, own, figures_at, corpus, item).judged() for item in near]
    # A statement stands on one place that has all of it: figures there, labels elsewhere is
    # how a right figure comes to a wrong label. Another statement in the same words is none.
    told = [found for found in judged if not _other_statement(found.differences)]
    return min(told, key=_doubt, default=NOTHING_NEAR)


def _lay(own: Sequence[Symbol], corpus: Corpus, place: int, segments: Sequence[str]) -> _Place:
    begin = corpus.places[place].start
    figures = [corpus.figures[i] for i in corpus.by_place.get(place, ())]
    other = corpus.symbols(place, tuple(segments))
    return _Place(place, align(own, other), {f.number.start - begin: f for f in figures})


class _Judge:
    def __init__(
        self,
        sentence: str,
        own: Sequence[Symbol],
        figures: dict[int, Number],
        corpus: Corpus,
        item: _Place,
    ) -> None:
        self.sentence = sentence
        self.own = own
        self.figures = figures
        self.corpus = corpus
        self.item = item
        self.counterparts: dict[int, list[Found]] = {}

    def judged(self) -> NearCopy:
        """The sentence against this one place."""
        found = [
            made
            for index, symbol in enumerate(self.own)
            if symbol.kind not in {"char", "skip", "deny"}
            and (made := self._difference(index, symbol)) is not None
        ]
        found = sorted([*found, *self._denials()], key=lambda d: (d.start, d.end))
        matched = self.item.alignment.matched
        told = {item.start for item in found} | set(self.counterparts)
        unaccounted = sum(
            symbol.kind in _LABELS and index not in matched and symbol.start not in told
            for index, symbol in enumerate(self.own)
        )
        bound, loose = self._bindings({item.start: item for item in found})
        share, weight = self.item.alignment.share, self.item.alignment.weight
        near = NearCopy(
            share, found, weight, self.counterparts, unaccounted, bound, loose, self.item.place
        )
        if near.strong:
            return near
        return near._replace(differences=[d for d in found if d.kind not in _ONLY_SURE])

    def _bindings(
        self, differences: dict[int, Difference]
    ) -> tuple[dict[int, Difference], frozenset[int]]:
        """Figures whose item, segment or period differs, and those where one is not there.

        The last label of a kind before a figure binds it; an item right behind
        (38億円の営業利益) first.
        """
        matched = self.item.alignment.matched
        bound: dict[int, Difference] = {}
        loose: set[int] = set()
        last: dict[str, int] = {}
        for index, symbol in enumerate(self.own):
            if symbol.kind in _LABELS - {"number"}:
                last[symbol.kind] = index
            if symbol.kind != "number":
                continue
            names = dict(last)
            behind = self.own[index + 1 : index + 3]
            if len(behind) == 2 and behind[0].key == "の" and behind[1].kind == "item":
                names["item"] = index + 2
            for name in names.values():
                at = self.own[name].start
                if at in differences:
                    bound.setdefault(symbol.start, differences[at])
                elif name not in matched:
                    loose.add(symbol.start)
        return bound, frozenset(loose)

    def _difference(self, index: int, symbol: Symbol) -> Difference | None:
        """What stands in the symbol's place; None where it is the same, or nothing."""
        alignment = self.item.alignment
        if index in alignment.matched:
            if symbol.kind == "number":
                self._counterpart(symbol, [alignment.other[alignment.matched[index]]])
            return None
        gap = next(g for g in alignment.gaps if g.a <= index < g.b)
        return self._judge(symbol, gap)

    def _denials(self) -> list[Difference]:
        """Stretches that deny where the source affirms, or the other way round."""
        out: list[Difference] = []
        alignment = self.item.alignment
        for gap in alignment.gaps:
            own, other = alignment.own[gap.a : gap.b], alignment.other[gap.c : gap.d]
            at_end, goes_on = gap.b == len(alignment.own), False
            if at_end and own:  # what follows the predicate there was left out here
                goes_on = bool(other)
                other = _first(other)
            elif at_end and gap.a > 0:  # 発生。 for 発生しておりません。
                own = alignment.own[gap.a - 1 : gap.a]
            if not own or not (other or goes_on) or not _endings(own) or not _endings(other):
                continue
            if _denials(own) % 2 == _denials(other) % 2 or not _bounded(alignment, gap):
                continue
            other = other or alignment.other[gap.c : gap.c + 1]
            start, end = self._predicate(own[0].start), own[-1].end
            text = self.corpus.text(self.item.place)[other[0].start : other[-1].end]
            said = self.sentence[start:end]
            out.append(Difference("denied", start, end, said, text, self.item.place))
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
        if len(mine) != len(theirs) or not _bounded(self.item.alignment, gap):
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


def _unsided(item: str) -> str:
    """未実現評価損失 and 未実現評価利益 are one item, told of two sides."""
    return _SIDES.sub("損益", item)


def _doubt(found: NearCopy) -> tuple[int, float]:
    return len(found.differences) + found.unaccounted, -found.share


def _other_statement(found: Sequence[Difference]) -> bool:
    """Whether figures differ and what they are of differs too."""
    kinds = {item.kind for item in found}
    return "number" in kinds and bool(kinds & {"item", "segment", "period"})


def _denials(parts: Sequence[Symbol]) -> int:
    return sum(symbol.kind == "deny" for symbol in parts)


def _bounded(alignment: Alignment, gap: Gap) -> bool:
    """True where what stands around the gap is the same on at least one side, at some length."""
    left = right = 0
    x, y = gap.a - 1, gap.c - 1
    while x >= 0 and alignment.matched.get(x) == y and left < 4:
        left += alignment.own[x].weight
        x, y = x - 1, y - 1
    x, y = gap.b, gap.d
    while x < len(alignment.own) and alignment.matched.get(x) == y and right < 4:
        right += alignment.own[x].weight
        x, y = x + 1, y + 1
    at_border = (gap.a == 0 and gap.c == 0) or (gap.b == len(alignment.own) and left > 0)
    return max(left, right) >= 3 or at_border


def _lone(parts: Sequence[Symbol]) -> bool:
    """True for a figure with hardly anything beside it."""
    numbers = [s for s in parts if s.kind == "number"]
    return bool(numbers) and sum(s.weight for s in parts if s.kind != "number") <= 2


def _first(parts: Sequence[Symbol]) -> Sequence[Symbol]:
    """The first symbols that may be a predicate's ending."""
    out: list[Symbol] = []
    for symbol in parts[:8]:
        if not _endings([symbol]):
            break
        out.append(symbol)
    return out


def _endings(parts: Sequence[Symbol]) -> bool:
    """True for some symbols that are a predicate's ending: 欠かせず for 必要であり is none."""
    return sum(s.weight for s in parts) <= 12 and all(
        s.kind in {"deny", "skip"} or (s.kind == "char" and not _STEM.match(s.key)) for s in parts
    )
