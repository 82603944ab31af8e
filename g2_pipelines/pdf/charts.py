"""Charts that a page draws itself: their areas, and the text that is theirs.

Here: painted shapes and the short texts at them put together to areas, those with a chart's
signs kept, and the area's texts given to one block, so that a chart's numbers stay with its
picture. For pages that no layout engine could cut and charts that it passed over. Pure
functions; for ``blocks`` only.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.captions import is_caption
from g2_pipelines.pdf.chart_signs import (
    has_bars,
    has_curve,
    has_scale,
    has_slices,
    is_tabular,
    value_of,
)
from g2_pipelines.pdf.geometry import Block, Box, PageText, Rule, Run, Shape, around
from g2_pipelines.pdf.tables import grid_cells, holds_region

#: Side of the squares (points) in which shapes and labels that touch are one area.
CELL = 7.0
#: A page with fewer numbers or shapes has no chart; one with more shapes is a map.
MIN_NUMBERS, MIN_SHAPES, MAX_SHAPES = 4, 4, 6000
#: A painted box with so many characters of words is a frame or a text's ground.
FRAME_WORDS, CURVE_WORDS = 12, 60
#: Painted areas have no shorter side (points).
SOLID = 6.0
#: Lines thinner and longer than these (points) may be a frame's sides.
THIN, LONG_LINE = 5.0, 60.0
#: … and one of more than this share of the page is the page's.
GROUND = 0.5
#: Lines with more characters are no labels; nor are larger letters than the numbers'.
LABEL_CHARS, LABEL_SIZE = 30, 1.3
#: Text of so many lines under each other, each of so many characters, is no label.
PROSE_LINES, PROSE_CHARS = 3, 13
#: A chart is no smaller than this share of the page, and its sides than these points.
MIN_AREA, MIN_SIDE = 0.012, 40.0
#: A key's painted boxes are no higher than this (points).
SWATCH = 12.0
#: Texts at a chart's side stand within so many of their heights; notes under it do not count.
LABEL_REACH = 1.2
#: A scale stands within this of the drawing (points, to the numbers' middle).
SCALE_REACH = 24.0
_NOTE = re.compile(r"[（(]?(?:出典|出所|資料|注|備考|※|\*|sources?\b|notes?\b)", re.IGNORECASE)
#: A key stands no farther from its chart than this (points).
KEY_REACH = 30.0


@dataclass
class _Area:
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


def chart_blocks(page: PageText) -> list[Block]:
    """The charts that the page draws, each with its labels' runs, from top to bottom."""
    numbers = [run for run in page.runs if value_of(run.text) is not None]
    if len(numbers) < MIN_NUMBERS or not MIN_SHAPES <= len(page.shapes) <= MAX_SHAPES:
        return []
    shapes = _marks(page)
    if not any(shape.slanted or shape.filled for shape in shapes):
        return []
    labels = _labels(page, shapes, median(run.box.height for run in numbers))
    areas = _areas(page, shapes, labels)
    charts = [area for area in areas if _is_chart(page, area, labels)]
    charts = _apart(charts)
    for area in areas:
        if not any(area is chart for chart in charts):
            _give_part(area, charts)
    return [_block(page, area, labels) for area in charts]


def _marks(page: PageText) -> list[Shape]:
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
        if box.x1 < 0 or box.y1 < 0 or box.x0 > page.width or box.y0 > page.height:
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


def _labels(page: PageText, shapes: Sequence[Shape], size: float) -> list[Run]:
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
        for group in [] if _NOTE.match(run.text) else reversed(groups[-40:]):
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


def _areas(page: PageText, shapes: Sequence[Shape], labels: Sequence[Run]) -> list[_Area]:
    """Shapes and labels that touch, put together."""
    cells: dict[tuple[int, int], int] = {}
    groups = _Groups()
    boxes = [shape.box for shape in shapes] + [run.box for run in labels]
    for k, box in enumerate(boxes):
        groups.add()
        for cell in _covered(box.clipped(page.width, page.height)):
            groups.join(cells.setdefault(cell, k), k)
    for (x, y), k in sorted(cells.items()):
        for beside in ((x + 1, y), (x, y + 1), (x + 1, y + 1), (x + 1, y - 1)):
            groups.join(cells.get(beside, k), k)
    areas: dict[int, _Area] = {}
    for k, shape in enumerate(shapes):
        areas.setdefault(groups.of(k), _Area()).shapes.append(shape)
    for k, run in enumerate(labels, len(shapes)):
        areas.setdefault(groups.of(k), _Area()).runs.append(run)
    return sorted(areas.values(), key=lambda area: area.box)


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


def _is_chart(page: PageText, area: _Area, labels: Sequence[Run]) -> bool:
    if not area.shapes:
        return False
    box = area.box.clipped(page.width, page.height)
    small = box.area < MIN_AREA * page.width * page.height
    if small or min(box.width, box.height) < MIN_SIDE:
        return False
    numbers = sum(value_of(run.text) is not None for run in area.runs)
    if numbers < MIN_NUMBERS - 1 or numbers < 0.25 * len(area.runs):
        return False
    bars, curve = has_bars(area.shapes), has_curve(area.shapes)
    near = box.grown(SCALE_REACH)
    if has_scale([run for run in labels if near.holds(*run.box.centre)]):
        return bars or curve or not (is_tabular(area.runs) or _is_grid(page, area))
    if curve and has_slices(area.shapes, area.runs):
        return True
    return bars and numbers >= MIN_NUMBERS and not is_tabular(area.runs)


def _is_grid(page: PageText, area: _Area) -> bool:
    box = area.box
    rules: list[Rule] = [rule for rule in page.rules if box.grown(2).shared(rule.box.grown(1)) > 0]
    chars = sum(run.chars for run in area.runs)
    return holds_region(grid_cells(box, area.runs, rules), chars)


def _apart(charts: Sequence[_Area]) -> list[_Area]:
    """Charts whose boxes overlap put together."""
    apart: list[_Area] = []
    for area in charts:
        for other in apart:
            if other.box.shared(area.box) > 0.2 * min(other.box.area, area.box.area):
                other.shapes += area.shapes
                other.runs += area.runs
                break
        else:
            apart.append(area)
    return apart


def _give_part(area: _Area, charts: Sequence[_Area]) -> None:
    """A key (small painted boxes with words) or a text at a chart's side becomes the chart's."""
    if not area.runs or any(_NOTE.match(run.text) for run in area.runs):
        return
    box = area.box
    reach = KEY_REACH if area.shapes else LABEL_REACH * area.runs[0].box.height
    for chart in charts:
        whole = chart.box
        over = box.across(whole) > 0.6 * box.width and -box.down(whole) < reach
        beside = box.down(whole) > 0.6 * box.height and -box.across(whole) < reach
        if (over or beside) and box.area < 0.5 * whole.area:
            chart.shapes += area.shapes
            chart.runs += area.runs
            return


def _block(page: PageText, area: _Area, labels: Sequence[Run]) -> Block:
    box = area.box.clipped(page.width, page.height)
    known = {id(run) for run in area.runs}
    inside = [run for run in labels if id(run) not in known and box.holds(*run.box.centre)]
    taken = known | {id(run) for run in inside}
    return Block(
        kind="chart",
        page=page.page,
        box=box,
        runs=[run for run in page.runs if id(run) in taken],
        engine="pdfium+shapes",
    )


def with_charts(charts: Sequence[Block], blocks: Sequence[Block]) -> list[Block]:
    """An engine's blocks with the page's charts: those that it passed over as blocks of their
    own, with their texts taken out of its paragraphs; labels that it left beside a chart it
    saw are given to that.
    """
    result = list(blocks)
    for chart in charts:
        tables = [b for b in result if b.kind == "table" and b.box.shared(chart.box) > 0]
        if any(b.box.shared(chart.box) > 0.2 * min(b.box.area, chart.box.area) for b in tables):
            continue
        seen = [
            b
            for b in result
            if b.kind in ("figure", "chart")
            and b.box.shared(chart.box) > 0.4 * min(b.box.area, chart.box.area)
        ]
        owner = max(seen, key=lambda b: b.box.shared(chart.box)) if seen else chart
        loose = _taken(
            chart, [b for b in result if all(b is not s for s in seen)], whole=bool(seen)
        )
        result = [b for b in result if b.runs or b.kind in ("figure", "chart", "table", "equation")]
        if seen:
            owner.runs += loose
            owner.box = around([owner.box, *(run.box for run in loose)])
        else:
            chart.runs = loose
            result.append(chart)
    return result


def _taken(chart: Block, blocks: Sequence[Block], *, whole: bool) -> list[Run]:
    """The chart's runs, taken out of ``blocks``; ``whole``: only of those that are all its own."""
    own = {run.box for run in chart.runs}
    taken: list[Run] = []
    for block in blocks:
        if block.kind not in ("paragraph", "heading", "list", "caption"):
            continue
        mine = [run for run in block.runs if run.box in own]
        if not mine or (whole and len(mine) < len(block.runs)):
            continue
        taken += mine
        block.runs = [run for run in block.runs if run.box not in own]
        if block.runs:
            block.box = around(run.box for run in block.runs)
    return taken
