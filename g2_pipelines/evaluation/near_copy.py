"""A sentence of a summary beside the source's sentences it is nearly a copy of.

Here: ``compare_sentence`` and ``Difference``. Most sentences of a brief keep long stretches of
their source; there a changed figure, period, item, segment, name, direction or denial shows
as what stands in the other's place, whatever else the source says of the figure. Where the
sentence is told in other words nothing is found here, and the claims are judged one by one.
Only modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from g2_pipelines.evaluation.alignment import Alignment, Gap, align
from g2_pipelines.evaluation.corpus import Corpus, Found
from g2_pipelines.evaluation.figures import agree
from g2_pipelines.evaluation.labels import items_differ
from g2_pipelines.evaluation.period_forms import holds
from g2_pipelines.evaluation.polarity import opposite, polar
from g2_pipelines.evaluation.symbols import Symbol, symbols
from g2_pipelines.text.fold import fold
from g2_pipelines.text.numbers import Number, Period

DifferenceKind = Literal["number", "moved", "period", "item", "segment", "name", "turned", "denied"]
_SHARE = 0.6  # of the sentence that a near copy has in common
_CLOSE = 0.12  # places that share this much less than the best one are asked too
_WEIGHT = 8  # what two sentences must share to be compared at all
_WIDE = 40  # symbols: a longer stretch in another's place is another statement


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
    #: start of a figure → the figures that stand in its place or are it.
    counterparts: dict[int, list[Found]]


def compare_sentence(
    sentence: str,
    start: int,
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
    own = symbols(fold(sentence), figures, dates, segments, offset=start)
    laid = [_lay(own, corpus, place, segments) for place in places]
    best = max((item.alignment.share for item in laid), default=0.0)
    near = [
        item
        for item in laid
        if item.alignment.share >= max(_SHARE, best - _CLOSE)
        and item.alignment.weight >= _WEIGHT
    ]
    near.sort(key=lambda item: -item.alignment.share)
    if not near:
        return NearCopy(best, [], {})
    judge = _Judge(sentence, own, {n.start - start: n for n in figures}, corpus, near)
    return NearCopy(best, judge.differences(), judge.counterparts)


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
        near: Sequence[_Place],
    ) -> None:
        self.sentence = sentence
        self.own = own
        self.figures = figures
        self.corpus = corpus
        self.near = near
        self.counterparts: dict[int, list[Found]] = {}

    def differences(self) -> list[Difference]:
        out: list[Difference] = []
        for index, symbol in enumerate(self.own):
            if symbol.kind in {"char", "skip", "deny"}:
                continue
            found = self._difference(index, symbol)
            if found is not None:
                out.append(found)
        return sorted([*out, *self.denials()], key=lambda d: (d.start, d.end))

    def _difference(self, index: int, symbol: Symbol) -> Difference | None:
        """What stands in the symbol's place; None where some near place has the same or nothing."""
        first: Difference | None = None
        for item in self.near:
            alignment = item.alignment
            if index in alignment.matched:
                other = alignment.other[alignment.matched[index]]
                if symbol.kind == "number":
                    self._counterpart(symbol, item, [other])
                return None
            gap = next(g for g in alignment.gaps if g.a <= index < g.b)
            verdict = self._judge(symbol, gap, item)
            if verdict == "same":
                return None
            if first is None and isinstance(verdict, Difference):
                first = verdict
        return first

    def _counterpart(self, symbol: Symbol, item: _Place, others: Sequence[Symbol]) -> None:
        found = [item.figures[o.start] for o in others if o.start in item.figures]
        self.counterparts.setdefault(symbol.start, []).extend(found)

    def _judge(self, symbol: Symbol, gap: Gap, item: _Place) -> Difference | Literal["same"] | None:
        own, other = item.alignment.own, item.alignment.other
        theirs = [s for s in other[gap.c : gap.d] if s.kind == symbol.kind]
        if symbol.kind == "number":
            return self._number(symbol, gap, item, theirs)
        if gap.b - gap.a > _WIDE or gap.d - gap.c > _WIDE:
            return None
        if not theirs:
            return None
        mine = [s for s in own[gap.a : gap.b] if s.kind == symbol.kind]
        paired = theirs[min(mine.index(symbol), len(theirs) - 1)]
        if any(self._same(symbol, s) for s in theirs):
            return "same"
        kind = self._conflict(symbol, paired)
        return self._made(kind, symbol, paired, item) if kind else None

    def _same(self, symbol: Symbol, other: Symbol) -> bool:
        if symbol.kind == "period":
            return holds(other.key, symbol.key) or holds(symbol.key, other.key)
        return symbol.key == other.key

    def _conflict(self, symbol: Symbol, other: Symbol) -> DifferenceKind | None:
        match symbol.kind:
            case "period":
                return "period"
            case "item":
                return "item" if items_differ(symbol.key, other.key) else None
            case "segment":
                return "segment"
            case "name":
                return "name" if len(symbol.key) > 1 and len(other.key) > 1 else None
            case "word":
                return "turned" if opposite(polar(symbol.key), polar(other.key)) else None
            case _:
                return None

    def _made(
        self, kind: DifferenceKind, symbol: Symbol, other: Symbol, item: _Place
    ) -> Difference:
        text = self.corpus.text(item.place)
        return Difference(
            kind,
            symbol.start,
            symbol.end,
            self.sentence[symbol.start : symbol.end],
            text[other.start : other.end],
            item.place,
            item.figures.get(other.start),
        )

    def _number(
        self, symbol: Symbol, gap: Gap, item: _Place, theirs: Sequence[Symbol]
    ) -> Difference | Literal["same"] | None:
        own = self.figures[symbol.start]
        scales = self.corpus.scales[self.corpus.places[item.place].source]
        if any(
            agree(own, item.figures[s.start].number, scales) in {"exact", "rounded"}
            for s in theirs
            if s.start in item.figures
        ):
            self._counterpart(symbol, item, theirs)
            return "same"
        if theirs:
            mine = [s for s in item.alignment.own[gap.a : gap.b] if s.kind == "number"]
            paired = theirs[min(mine.index(symbol), len(theirs) - 1)]
            if len(mine) == len(theirs) and _bounded(item.alignment, gap):
                return self._made("number", symbol, paired, item)
            return None
        moved = self._moved(symbol, gap, item)
        return None if moved is None else self._made("moved", symbol, moved, item)

    def _moved(self, symbol: Symbol, gap: Gap, item: _Place) -> Symbol | None:
        """The figure's own place in the source, where it alone has left it."""
        alignment = item.alignment
        if not _lone(alignment.own[gap.a : gap.b]):
            return None
        for other in alignment.gaps:
            if other == gap or other.a != other.b:
                continue
            theirs = alignment.other[other.c : other.d]
            if any(s.kind == "number" and s.key == symbol.key for s in theirs) and _lone(theirs):
                return next(s for s in theirs if s.kind == "number")
        return None

    def denials(self) -> list[Difference]:
        """Stretches that deny where the source affirms, or the other way round."""
        out: list[Difference] = []
        best = self.near[0]
        for gap in best.alignment.gaps:
            own = best.alignment.own[gap.a : gap.b]
            other = best.alignment.other[gap.c : gap.d]
            if not own or not other or not _short(own) or not _short(other):
                continue
            if _denials(own) % 2 == _denials(other) % 2 or not _bounded(best.alignment, gap):
                continue
            if any(self._has(item, gap) for item in self.near[1:]):
                continue
            text = self.corpus.text(best.place)
            start, end = own[0].start, own[-1].end
            out.append(
                Difference(
                    "denied",
                    start,
                    end,
                    self.sentence[start:end],
                    text[other[0].start : other[-1].end],
                    best.place,
                )
            )
        return out

    @staticmethod
    def _has(item: _Place, gap: Gap) -> bool:
        """Whether a further place has the stretch as the summary has it."""
        return all(index in item.alignment.matched for index in range(gap.a, gap.b))


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
    return max(left, right) >= 3 or (gap.a == 0 and gap.c == 0)


def _lone(parts: Sequence[Symbol]) -> bool:
    """True for a figure with hardly anything beside it."""
    numbers = [s for s in parts if s.kind == "number"]
    return bool(numbers) and sum(s.weight for s in parts if s.kind != "number") <= 2


def _short(parts: Sequence[Symbol]) -> bool:
    return sum(s.weight for s in parts) <= 12

