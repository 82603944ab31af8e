"""Areas of a page in which painted shapes and short texts touch: what may be a chart.

Here: which shapes are drawn marks (no frames, no grounds of text), which texts may be labels
(no paragraphs, captions or notes), and putting together what touches. Whether an area is a
chart is ``charts``' question. Pure functions; for ``charts`` only.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from g2_pipelines.pdf.captions import is_caption
from g2_pipelines.pdf.chart_signs import value_of
from g2_pipelines.pdf.geometry import Box, PageText, Run, Shape, around

#: Side of the squares (points) in which shapes and labels that touch are one area.
CELL = 7.0
#: More squares than this, one in several areas counted as often, are looked at on no page.
MAX_CELLS = 400_000
#: A painted box with so many characters of words is a frame or a text's ground.
FRAME_WORDS, CURVE_WORDS = 12, 60
#: … and one of more than this share of the page is the page's.
GROUND = 0.5
#: Painted areas have no shorter side (points).
SOLID = 6.0
#: Lines thinner and longer than these (points) may be a frame's sides.
THIN, LONG_LINE = 5.0, 60.0
#: Gridlines are parted by at least so many equal steps.
MIN_STEPS = 3
#: Lines with more characters are no labels; nor are larger letters than the numbers'.
LABEL_CHARS, LABEL_SIZE = 30, 1.3
#: Text of so many lines under each other, each of so many characters, is no label.
PROSE_LINES, PROSE_CHARS = 3, 13
#: A key's painted boxes are no higher than this (points).
SWATCH = 12.0
#: A note under a chart is no part of it.
NOTE = re.compile(r"[（(]?(?:出典|出所|資料|注|備考|※|\*|sources?\b|notes?\b)", re.IGNORECASE)


@dataclass
class Area:
    """Shapes and texts that touch."""

    shapes: list[Shape] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)

    @property
    def box(self) -> Box:
        """Around its texts and painted areas, and the lines that reach into these."""
        texts = [run.box for run in self.runs]
        solid = [s.box for s in self.shapes if min(s.box.width, s.box.height) >= SOLID]
        if not texts and not solid:
            return around(shape.box for shape in self.shapes)
        core = around([*texts, *solid])
        near = core.grown(CELL)
        return around([core, *(s.box for s in self.shapes if _touch(near, s.box))])


def _touch(a: Box, b: Box) -> bool:
    return a.across(b) > 0 and a.down(b) > 0


def drawn_marks(page: PageText) -> list[Shape]:
    """The page's shapes without frames, grounds of text and the page's own ground."""
    words = sorted(
        (run.box.centre[1], run.box.centre[0], run.chars)
        for run in page.runs
        if value_of(run.text) is None
    )
    ys = [y for y, *_ in words]

    def held(box: Box) -> int:
        inside = words[bisect_left(ys, box.y0) : bisect_left(ys, box.y1)]
        return sum(chars for _, x, chars in inside if box.x0 <= x <= box.x1)

    edges = _frame_edges((shape.box for shape in page.shapes), held)
    known: dict[Box, bool] = {}
    marks = []
    for shape in page.shapes:
        box = shape.box
        # Over the paper's edge stand trim marks, tabs and bands.
        if min(box.x0, box.y0) < -1 or box.x1 > page.width + 1 or box.y1 > page.height + 1:
            continue
        if box.area > GROUND * page.width * page.height:
            continue
        if min(box.width, box.height) >= 5:
            limit = CURVE_WORDS if shape.slanted else FRAME_WORDS
            if box not in known:
                known[box] = held(box) >= limit
            if known[box]:
                continue
        elif box in edges:
            continue
        marks.append(shape)
    return marks


def _frame_edges(boxes: Iterable[Box], held: Callable[[Box], int]) -> set[Box]:
    """Long lines of which two with the same ends have words between them: sides of frames."""
    lines: dict[tuple[bool, int, int], set[Box]] = {}
    for box in boxes:
        if min(box.width, box.height) < THIN and max(box.width, box.height) > LONG_LINE:
            flat = box.width > box.height
            ends = (box.x0, box.x1) if flat else (box.y0, box.y1)
            lines.setdefault((flat, round(ends[0] / 2), round(ends[1] / 2)), set()).add(box)
    edges = set()
    for (flat, *_), group in lines.items():
        ranked = sorted(group, key=lambda box: box.y0 if flat else box.x0)
        for a, b in pairwise(ranked):
            if held(around((a, b))) >= 2 * FRAME_WORDS:
                edges |= {a, b}
    return edges


def label_runs(page: PageText, shapes: Sequence[Shape], size: float) -> list[Run]:
    """Short texts in letters no larger than the numbers', without paragraphs and captions."""
    swatches = sorted(
        {
            shape.box
            for shape in shapes
            if shape.filled
            and 3 <= min(shape.box.width, shape.box.height) <= SWATCH
            and shape.box.width <= 3 * SWATCH
        },
        key=lambda box: box.y0,
    )
    tops = [box.y0 for box in swatches]
    groups: list[list[Run]] = []
    for run in sorted(page.runs, key=lambda r: (r.box.y0, r.box.x0)):
        # A note under a chart's labels is no part of them.
        for group in [] if NOTE.match(run.text) else reversed(groups[-40:]):
            last = group[-1].box
            height = max(last.height, run.box.height)
            if (
                -0.3 * height < run.box.y0 - last.y1 < 0.9 * height
                and abs(run.box.x0 - last.x0) < 1.5 * height
                and min(last.height, run.box.height) > 0.8 * height
            ):
                group.append(run)
                break
        else:
            groups.append([run])
    labels = []
    for group in groups:
        lengths = [run.chars for run in group]
        lines = sum(length >= PROSE_CHARS for length in lengths)
        if max(lengths) > LABEL_CHARS or lines >= PROSE_LINES:
            labels += [run for run in group if _has_swatch(run.box, swatches, tops)]
            continue
        labels += [
            run
            for run in group
            if value_of(run.text) is not None
            or (
                run.box.height <= LABEL_SIZE * size
                and not run.text.startswith(("【", "<", "＜", "〈"))
                and not is_caption(run.text)
            )
        ]
    return labels


def _has_swatch(box: Box, swatches: Sequence[Box], tops: Sequence[float]) -> bool:
    """True for a text right of a small painted box on its line: an entry of a key."""
    near = swatches[bisect_left(tops, box.y0 - SWATCH) : bisect_left(tops, box.y1)]
    return any(
        -2 < box.x0 - swatch.x1 < 1.2 * box.height and swatch.down(box) > 0.5 * swatch.height
        for swatch in near
    )


def touching_areas(page: PageText, shapes: Sequence[Shape], labels: Sequence[Run]) -> list[Area]:
    """Shapes and labels that touch, put together."""
    cells: dict[tuple[int, int], int] = {}
    groups = _Groups()
    boxes = [shape.box for shape in shapes] + [run.box for run in labels]
    boxes = [box.clipped(page.width, page.height) for box in boxes]
    if sum((1 + box.width / CELL) * (1 + box.height / CELL) for box in boxes) > MAX_CELLS:
        return []  # large shapes over large shapes on a poster or a map
    for k, box in enumerate(boxes):
        groups.add()
        for cell in _covered(box):
            groups.join(cells.setdefault(cell, k), k)
    for (x, y), k in sorted(cells.items()):
        for beside in ((x + 1, y), (x, y + 1), (x + 1, y + 1), (x + 1, y - 1)):
            groups.join(cells.get(beside, k), k)
    for grid in _gridlines(shapes):
        for k in grid[1:]:
            groups.join(grid[0], k)
    areas: dict[int, Area] = {}
    for k, shape in enumerate(shapes):
        areas.setdefault(groups.of(k), Area()).shapes.append(shape)
    for k, run in enumerate(labels, len(shapes)):
        areas.setdefault(groups.of(k), Area()).runs.append(run)
    return sorted(areas.values(), key=lambda area: area.box)


def _gridlines(shapes: Sequence[Shape]) -> list[list[int]]:
    """Numbers of the lines with the same ends at equal distances, which bars need not cross."""
    lines: dict[tuple[bool, int, int], dict[int, int]] = {}
    for k, shape in enumerate(shapes):
        box = shape.box
        if min(box.width, box.height) < THIN and max(box.width, box.height) > LONG_LINE:
            flat = box.width > box.height
            ends, at = ((box.x0, box.x1), box.y0) if flat else ((box.y0, box.y1), box.x0)
            same = lines.setdefault((flat, round(ends[0]), round(ends[1])), {})
            same.setdefault(round(at), k)
    found = []
    for group in lines.values():
        places = sorted(group)
        steps = [b - a for a, b in pairwise(places)]
        if len(steps) >= MIN_STEPS and max(steps) - min(steps) <= 2:
            found.append([group[place] for place in places])
    return found


class _Groups:
    """Numbers that are put together pair by pair."""

    def __init__(self) -> None:
        self._parents: list[int] = []

    def add(self) -> None:
        """The next number, from 0, in a group of its own."""
        self._parents.append(len(self._parents))

    def of(self, k: int) -> int:
        """The number that stands for the group of ``k``."""
        while self._parents[k] != k:
            self._parents[k] = self._parents[self._parents[k]]
            k = self._parents[k]
        return k

    def join(self, a: int, b: int) -> None:
        """Puts the groups of the two together."""
        if a != b:
            self._parents[self.of(a)] = self.of(b)


def _covered(box: Box) -> Iterable[tuple[int, int]]:
    for x in range(int(box.x0 / CELL), int(box.x1 / CELL) + 1):
        for y in range(int(box.y0 / CELL), int(box.y1 / CELL) + 1):
            yield x, y
