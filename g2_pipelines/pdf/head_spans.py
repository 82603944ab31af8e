"""Which columns a head spans that no rule right below it shows.

Here: heads between standing borders, and heads of which each stands over the middle of its
columns, where these have heads of their own below («Male» over «Total | Under 18»). A head over
the middle one of three columns is that column's unless the heads below repeat: then it spans.
Pure functions; for ``table_header``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.borders import SAME_RULE
from g2_pipelines.pdf.columns import Range
from g2_pipelines.pdf.geometry import Box, Rule
from g2_pipelines.pdf.phrases import Phrase

#: A head stands so near to the middle of its columns (share of the columns' distance).
MIDDLE, MIDDLE_ALONE, PENNED = 0.3, 0.2, 0.6
#: The next best parting of the columns is worse by so much.
MARGIN = 0.3
#: Lines of one head begin or end within this of each other (points).
SAME_END = 1.0
Below = Mapping[int, tuple[Box, str]]


def spans_of(
    phrases: Sequence[Phrase],
    columns: Sequence[Range],
    below: Below,
    rules: Sequence[Rule],
    *,
    spanning: bool = False,
) -> list[list[int]]:
    """Per phrase of a header's line, from left to right, the columns it spans; else none.

    ``below``: per column the head of it alone in the lines below, its box and words.
    ``spanning``: the line holds heads that span, so that none of it goes on below.
    """
    named = [k for k in range(len(columns)) if k in below]
    wrapped = not spanning and any(_goes_on(p, below) for p in phrases)
    if len(named) < 2 or not phrases or wrapped:
        return [[] for _ in phrases]
    areas = [_area(span, below.get(k)) for k, span in enumerate(columns)]
    penned = [_penned(p, phrases, areas, below, rules) for p in phrases]
    if all(len(found) > 1 for found in penned):
        return penned
    return _beside(phrases, areas, below) or _parted(phrases, areas, below) or penned


def _goes_on(phrase: Phrase, below: Below) -> bool:
    """True for the first line of a wrapped head: it begins or ends where the next line does."""
    return any(
        phrase.box.across(box) > 0
        and min(abs(phrase.box.x0 - box.x0), abs(phrase.box.x1 - box.x1)) < SAME_END
        for box, _ in below.values()
    )


def _area(span: Range, head: tuple[Box, str] | None) -> Range:
    return (min(span[0], head[0].x0), max(span[1], head[0].x1)) if head else span


def _penned(
    phrase: Phrase,
    beside: Sequence[Phrase],
    areas: Sequence[Range],
    below: Below,
    rules: Sequence[Rule],
) -> list[int]:
    """The columns between the standing rules beside a phrase that is alone between them."""
    x, y = phrase.box.centre
    foot = max(box.y1 for box, _ in below.values())
    tops: dict[int, tuple[float, float]] = {}
    for rule in rules:
        if not rule.horizontal:
            place = round(rule.box.x0)
            top, end = tops.get(place, (rule.box.y0, rule.box.y1))
            tops[place] = (min(top, rule.box.y0), max(end, rule.box.y1))
    posts = [float(at) for at, (top, end) in tops.items() if top - SAME_RULE <= y and end >= foot]
    middles = [(x0 + x1) / 2 for x0, x1 in areas]
    if not any(middles[0] < at < middles[-1] for at in posts):
        return []
    left = max((at for at in posts if at <= x), default=float("-inf"))
    right = min((at for at in posts if at > x), default=float("inf"))
    if sum(left < p.box.centre[0] < right for p in beside) > 1:
        return []
    found = [k for k, (x0, x1) in enumerate(areas) if left < (x0 + x1) / 2 < right]
    if len(found) < 2 or any(k not in below for k in found):
        return []
    return found if _off(x, areas, found[0], found[-1]) < PENNED * _pitch(areas) else []


def _beside(phrases: Sequence[Phrase], areas: Sequence[Range], below: Below) -> list[list[int]]:
    """The columns between those whose heads stand half-way beside the phrases, so in both rows."""
    last = max(phrase.box.y1 for phrase in phrases)
    high = {k for k, (box, _) in below.items() if box.y0 < last - 0.3 * box.height < box.y1}
    sections: list[list[int]] = [[]]
    for k in range(len(areas)):
        if k in high or k not in below:
            sections.append([])
        else:
            sections[-1].append(k)
    found: list[list[int]] = []
    for phrase in phrases:
        x = phrase.box.centre[0]
        near = MIDDLE * _pitch(areas)
        fits = [s for s in sections if len(s) > 1 and _off(x, areas, s[0], s[-1]) < near]
        found.append(fits[0] if len(fits) == 1 else [])
    once = len({tuple(group) for group in found}) == len(found)
    return found if high and once and all(found) else []


def _pitch(areas: Sequence[Range]) -> float:
    middles = [(x0 + x1) / 2 for x0, x1 in areas]
    return median(b - a for a, b in pairwise(middles))


def _parted(phrases: Sequence[Phrase], areas: Sequence[Range], below: Below) -> list[list[int]]:
    """The columns parted among the phrases, each over the middle of its own; else nothing."""
    pitch, count = _pitch(areas), len(areas)
    ranges = sorted(
        ((a, b) for a in range(count) for b in range(a + 1, count)),
        key=lambda ends: (ends[0] - ends[1], ends),
    )
    for a, b in ranges:
        if b - a + 1 <= len(phrases) or any(k not in below for k in range(a, b + 1)):
            continue
        if len(phrases) == 1 and b - a != 1 and b - a + 1 != count:
            continue  # over one column, two or all
        if found := _best(phrases, areas, below, (a, b), pitch):
            return found
    return []


def _best(
    phrases: Sequence[Phrase],
    areas: Sequence[Range],
    below: Below,
    ends: tuple[int, int],
    pitch: float,
) -> list[list[int]]:
    """The parting of the columns from one of ``ends`` to the other in which all phrases stand in the middle.

    Nothing where another is nearly as good; groups of one size need not fear that.
    """
    a, b = ends
    partings: list[tuple[float, list[list[int]]]] = [(0.0, [])]
    near = (MIDDLE if len(phrases) > 1 else MIDDLE_ALONE) * pitch
    for n, phrase in enumerate(phrases):
        longer: list[tuple[float, list[list[int]]]] = []
        for cost, parting in partings:
            start = parting[-1][-1] + 1 if parting else a
            for end in [b] if n + 1 == len(phrases) else range(start, b):
                off = _off(phrase.box.centre[0], areas, start, end) if end >= start else near
                if off < near:
                    longer.append((cost + off, [*parting, list(range(start, end + 1))]))
        partings = longer
    partings = sorted(parting for parting in partings if _sure(parting[1], below))
    even = [parting for _, parting in partings if len({len(group) for group in parting}) == 1]
    if even and even[0] == partings[0][1]:
        return even[0]
    if not partings or (len(partings) > 1 and partings[1][0] - partings[0][0] < MARGIN * pitch):
        return []
    return partings[0][1]


def _off(x: float, areas: Sequence[Range], start: int, end: int) -> float:
    """Distance of ``x`` from the middle of the columns, by their texts or by their places.

    Figures stand at the right of their places, which begin where the ones before end.
    """
    gaps = [b[0] - a[1] for a, b in pairwise(areas)]
    left = areas[start - 1][1] if start else areas[0][0] - median(gaps)
    right = areas[end][1]
    return min(abs(x - (areas[start][0] + right) / 2), abs(x - (left + right) / 2))


def _sure(found: Sequence[Sequence[int]], below: Below) -> bool:
    """True where every odd group of several columns has the same heads below as another."""
    words = [tuple(below[k][1] for k in group) for group in found]
    return all(
        len(group) == 1 or len(group) % 2 == 0 or words.count(text) > 1
        for group, text in zip(found, words, strict=True)
    )
