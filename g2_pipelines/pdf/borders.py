"""The borders of a ruled table among the lines that a page draws.

Here: which lines are none (an underlined link, the edges of a shade), where the others stand,
and borders for sides that papers leave open. Pure functions; for ``tables``.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Box, Run

#: Rules closer than this are one rule (points).
SAME_RULE = 2.0
#: Borders nearer than this (points) with no text between are one, a cell's and its shade's.
SHADE = 7.0
#: A column with an open side is at least as wide (points).
SIDE_COLUMN = 6.0
#: A line under words has them over this share of its length.
UNDERLINED = 0.85


def underlines(rule: Box, runs: Sequence[Run], standing: Sequence[Box]) -> bool:
    """True for a line under words (a link, a heading) that ends with them, not at borders."""
    ends = (rule.x0, rule.x1)
    y = rule.centre[1]
    posts = [box.x0 for box in standing if box.y0 - SAME_RULE <= y <= box.y1 + SAME_RULE]
    if all(any(abs(x - end) <= SAME_RULE for x in posts) for end in ends):
        return False
    covered = 0.0
    for run in runs:
        height = run.box.height
        if run.box.y0 + 0.5 * height < y < run.box.y1 + 0.1 * height and run.box.across(rule) > 0:
            covered += run.box.across(rule)
    return covered >= UNDERLINED * rule.width


def open_sides(lying: Sequence[Box], standing: Sequence[Box], runs: Sequence[Run]) -> list[Box]:
    """Borders for the sides where the outer lying rules and text go on past the last standing one."""
    if len(lying) < 3 or not standing:
        return []
    top, bottom = min(b.centre[1] for b in lying), max(b.centre[1] for b in lying)
    outer = [b for b in lying if min(b.centre[1] - top, bottom - b.centre[1]) <= SAME_RULE]
    sides = []
    for x, last, text in (
        (
            max(_edge(outer, top, 0), _edge(outer, bottom, 0)),
            min(b.centre[0] for b in standing),
            min((run.box.centre[0] for run in runs), default=0.0),
        ),
        (
            -min(_edge(outer, top, 2), _edge(outer, bottom, 2)),
            -max(b.centre[0] for b in standing),
            -max((run.box.centre[0] for run in runs), default=0.0),
        ),
    ):
        if x + SIDE_COLUMN < last and x < text < last:
            sides.append(Box(abs(x), top, abs(x), bottom))
    return sides


def _edge(rules: Sequence[Box], y: float, side: int) -> float:
    """How far the rules at ``y`` reach to the left (side 0) or right (side 2)."""
    ends = [box[side] for box in rules if abs(box.centre[1] - y) <= SAME_RULE]
    return min(ends) if side == 0 else max(ends)


def border_places(values: Sequence[float], texts: Sequence[float]) -> list[float]:
    """The borders' places; those with no text between and no room for any are one.

    ``texts``: the middles of the characters. A shade inside a cell has edges of its own.
    """
    middles = sorted(texts)
    places: list[float] = []
    last = float("-inf")
    for value in sorted(values):
        near = bool(places) and value - places[-1] <= SAME_RULE
        if places and not near and value - last < SHADE:
            near = bisect_left(middles, places[-1]) == bisect_left(middles, value)
        if not near:
            places.append(value)
        last = value
    return places


def spans_at(
    places: Sequence[float], rules: Sequence[tuple[float, float, float]]
) -> list[list[tuple[float, float]]]:
    """Per place the ranges over which a rule is drawn there."""
    spans: list[list[tuple[float, float]]] = [[] for _ in places]
    for at, start, end in rules:
        k = max(bisect_right(places, at + SAME_RULE) - 1, 0)
        spans[k].append((start - SAME_RULE, end + SAME_RULE))
    return spans
