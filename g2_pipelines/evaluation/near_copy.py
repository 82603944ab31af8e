"""A sentence of a summary beside the source's sentences it is nearly a copy of.

Here: ``compare_sentence`` and ``NearCopy``; what differs from one place stands in ``differences``. Most sentences of a brief keep long stretches of
their source; there a changed figure, period, item, segment, name, direction or denial shows
as what stands in the other's place, whatever else the source says of the figure. Where the
sentence is told in other words nothing is found here, and the claims are judged one by one.
Only modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.alignment import align
from g2_pipelines.evaluation.corpus import Corpus, Found
from g2_pipelines.evaluation.differences import Difference, Differences, Laid
from g2_pipelines.evaluation.symbols import Symbol, symbols
from g2_pipelines.text.numbers import Number, Period

_SHARE = 0.6  # of the sentence that a near copy has in common
_CLOSE = 0.12  # places that share this much less than the best one are asked too
_WEIGHT = 8  # what two sentences must share to be compared at all
_SURE, _LONG = 0.8, 12  # without a figure in common, these make a copy sure
_ONLY_SURE = frozenset({"item", "segment", "period"})
_LABELS = frozenset({"number", "item", "segment", "period"})


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
    judged = [_near(Differences(sentence, own, figures_at, corpus, item)) for item in near]
    # A statement stands on one place that has all of it: figures there, labels elsewhere is
    # how a right figure comes to a wrong label. Another statement in the same words is none.
    told = [found for found in judged if not _other_statement(found.differences)]
    return min(told, key=_doubt, default=NOTHING_NEAR)


def _lay(own: Sequence[Symbol], corpus: Corpus, place: int, segments: Sequence[str]) -> Laid:
    begin = corpus.places[place].start
    figures = [corpus.figures[i] for i in corpus.by_place.get(place, ())]
    other = corpus.symbols(place, tuple(segments))
    return Laid(place, align(own, other), {f.number.start - begin: f for f in figures})


def _near(laid: Differences) -> NearCopy:
    """The sentence against this one place."""
    own, alignment = laid.own, laid.item.alignment
    told = {item.start for item in laid.found} | set(laid.counterparts)
    unaccounted = sum(
        symbol.kind in _LABELS and index not in alignment.matched and symbol.start not in told
        for index, symbol in enumerate(own)
    )
    bound, loose = _bindings(own, alignment.matched, {item.start: item for item in laid.found})
    near = NearCopy(
        alignment.share,
        laid.found,
        alignment.weight,
        laid.counterparts,
        unaccounted,
        bound,
        loose,
        laid.item.place,
    )
    if near.strong:
        return near
    return near._replace(differences=[d for d in laid.found if d.kind not in _ONLY_SURE])


def _bindings(
    own: Sequence[Symbol], matched: dict[int, int], differences: dict[int, Difference]
) -> tuple[dict[int, Difference], frozenset[int]]:
    """Figures whose item, segment or period differs, and those where one is not there.

    The last label of a kind before a figure binds it; an item right behind
    (38億円の営業利益) first.
    """
    bound: dict[int, Difference] = {}
    loose: set[int] = set()
    last: dict[str, int] = {}
    for index, symbol in enumerate(own):
        if symbol.kind in _LABELS - {"number"}:
            last[symbol.kind] = index
        if symbol.kind != "number":
            continue
        names = dict(last)
        behind = own[index + 1 : index + 3]
        if len(behind) == 2 and behind[0].key == "の" and behind[1].kind == "item":
            names["item"] = index + 2
        for name in names.values():
            at = own[name].start
            if at in differences:
                bound.setdefault(symbol.start, differences[at])
            elif name not in matched:
                loose.add(symbol.start)
    return bound, frozenset(loose)


def _doubt(found: NearCopy) -> tuple[int, float]:
    return len(found.differences) + found.unaccounted, -found.share


def _other_statement(found: Sequence[Difference]) -> bool:
    """Whether figures differ and what they are of differs too."""
    kinds = {item.kind for item in found}
    return "number" in kinds and bool(kinds & {"item", "segment", "period"})
