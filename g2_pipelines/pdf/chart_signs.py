"""What tells a drawn chart from a table, a diagram or an ornament: a scale, bars, curves.

Here: the signs, each from painted shapes or from the numbers that stand at them. Pure
functions; for ``charts`` only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from g2_pipelines.pdf.geometry import Box, Run, Shape, around

_NUMBER = re.compile(
    r"(?P<minus>[-−–△▲]?)\s*[¥$€£]?(?P<digits>\d[\d,]*(?:\.\d+)?)\s*(?:[(（]?[%％‰][)）]?|[^\W\d]{1,2}|\+)?"
)
#: A scale has at least so many numbers in equal steps of value and place.
MIN_TICKS = 4
#: Numbers whose places differ by less than this (points) stand in one line or column.
SAME_LINE = 2.5
#: Bars stand on one line, are as thick as each other and of at least so many lengths.
MIN_BARS = 3
MAX_THICKNESS = 90.0
#: A column of a table has at least so many numbers.
MIN_ROWS = 3
#: Curves with a shorter side (points) are marks and icons.
MIN_CURVE = 15.0


def value_of(text: str) -> float | None:
    """The number that is all of ``text`` but a unit of one or two letters, None without one."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    value = float(match["digits"].replace(",", ""))
    return -value if match["minus"] else value


def has_scale(runs: Sequence[Run]) -> bool:
    """True when numbers in a line or column go up in equal steps at equal distances.

    Numbers in steps of one (years, rows' numbers) and years in steps of ten are no scale.
    """
    numbers = [(value, run.box) for run in runs if (value := value_of(run.text)) is not None]
    lines = _aligned(numbers, lambda box: box.centre[1])
    columns = [
        column
        for place in (lambda b: b.x1, lambda b: b.x0, lambda b: b.centre[0])
        for column in _aligned(numbers, place)
    ]
    return any(_steps([(v, b.centre[0]) for v, b in line]) for line in lines) or any(
        _steps([(v, b.centre[1]) for v, b in column]) for column in columns
    )


def _aligned(numbers: Iterable[tuple[float, Box]], place: object) -> list[list[tuple[float, Box]]]:
    groups: list[list[tuple[float, Box]]] = []
    for value, box in sorted(numbers, key=lambda item: place(item[1])):  # type: ignore[operator]
        if groups and place(box) - place(groups[-1][-1][1]) < SAME_LINE:  # type: ignore[operator]
            groups[-1].append((value, box))
        else:
            groups.append([(value, box)])
    return [group for group in groups if len(group) >= MIN_TICKS]


def _steps(ticks: list[tuple[float, float]]) -> bool:
    """True for MIN_TICKS neighbours with one step of value and one of place."""
    ranked = sorted(ticks, key=lambda tick: tick[1])
    run = 1
    before: tuple[float, float] | None = None
    for (a, at), (b, to) in pairwise(ranked):
        step = (b - a, to - at)
        same = (
            before is not None
            and abs(step[0] - before[0]) < 1e-6 * max(1.0, abs(before[0]))
            and abs(step[1] - before[1]) < max(2.0, 0.1 * before[1])
        )
        year = all(1800 <= value <= 2100 and value == int(value) for value in (a, b))
        if abs(step[0]) in (0.0, 1.0) or year or step[1] <= 0:
            run, before = 1, None
            continue
        run = run + 1 if same else 2
        before = step
        if run >= MIN_TICKS:
            return True
    return False


def has_bars(shapes: Iterable[Shape]) -> bool:
    """True when filled boxes of one thickness stand on one line with different lengths.

    The tinted cells of a table end where cells of other rows begin, bars do not.
    """
    boxes = {_rounded(shape.box) for shape in shapes if shape.filled and not shape.slanted}
    flat = [(box.x0, box.x1, box.y0, box.height) for box in boxes]
    upright = [(box.y1, box.y0, box.x0, box.width) for box in boxes]
    down = [(box.y0, box.y1, box.x0, box.width) for box in boxes]
    return any(_on_one_line(bars) for bars in (flat, upright, down))


def _on_one_line(bars: Sequence[tuple[float, float, float, float]]) -> bool:
    """``bars``: where each begins and ends, its place across and its thickness."""
    groups: dict[tuple[int, int], list[tuple[int, float]]] = {}
    starts: dict[int, set[float]] = {}
    for start, end, place, thickness in bars:
        starts.setdefault(round(start), set()).add(place)
        if 0 < thickness <= MAX_THICKNESS:
            key = (round(start), round(thickness))
            groups.setdefault(key, []).append((round(end), place))
    for group in groups.values():
        ends = {end for end, _ in group}
        free = {
            end
            for end, place in group
            if not any(starts.get(end + d, set()) - {place} for d in (-1, 0, 1))
        }
        if len(free) >= MIN_BARS and len(free) > 0.5 * len(ends):
            return True
    return False


def _rounded(box: Box) -> Box:
    return Box(*(round(value, 1) for value in box))


def has_slices(shapes: Iterable[Shape], runs: Iterable[Run]) -> bool:
    """True for filled curves that touch, with most of the numbers in or beside them."""
    curves = [
        shape.box
        for shape in shapes
        if shape.slanted and shape.filled and min(shape.box.width, shape.box.height) >= MIN_CURVE
    ]
    touching = [a for a in curves if any(b is not a and a.grown(2).shared(b) > 0 for b in curves)]
    if len(touching) < 2:
        return False
    near = around(touching).grown(25)
    numbers = [run.box for run in runs if value_of(run.text) is not None]
    return sum(near.holds(*box.centre) for box in numbers) > 0.7 * len(numbers)


def is_tabular(runs: Sequence[Run]) -> bool:
    """True when most numbers stand both in columns with one right edge and in common rows."""
    boxes = [run.box for run in runs if value_of(run.text) is not None]
    edges = _crowds(box.x1 for box in boxes)
    rows = _crowds(box.centre[1] for box in boxes)
    in_column = [box for box in boxes if edges[round(box.x1 / SAME_LINE)] >= MIN_ROWS]
    placed = [box for box in in_column if rows[round(box.centre[1] / SAME_LINE)] >= 2]
    columns = {round(box.x1 / (4 * SAME_LINE)) for box in placed}
    return len(columns) >= 2 and len(placed) > 0.5 * len(boxes)


def _crowds(places: Iterable[float]) -> Counter[int]:
    """How many places are within SAME_LINE of each multiple of it."""
    crowds: Counter[int] = Counter()
    for place in places:
        cell = round(place / SAME_LINE)
        crowds.update((cell - 1, cell, cell + 1))
    return crowds


def has_curve(shapes: Iterable[Shape]) -> bool:
    """True for a slice, an area or a line that is neither horizontal nor vertical."""
    return any(
        shape.slanted and min(shape.box.width, shape.box.height) >= MIN_CURVE for shape in shapes
    )
