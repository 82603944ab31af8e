"""Charts that a page draws itself: their areas, and the text that is theirs.

Here: the areas that have a chart's signs, their keys and outer labels, and their texts given to
one block each, so that a chart's numbers stay with its picture. For pages that no layout engine could cut and charts that it passed over. Pure
functions; for ``blocks`` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from g2_pipelines.pdf.chart_areas import NOTE, Area, drawn_marks, label_runs, touching_areas
from g2_pipelines.pdf.chart_signs import (
    has_bars,
    has_curve,
    has_scale,
    has_slices,
    is_tabular,
    value_of,
)
from g2_pipelines.pdf.geometry import Block, PageText, Rule, Run, around
from g2_pipelines.pdf.tables import grid_cells, holds_region

#: A page with fewer numbers or shapes has no chart; one with more shapes is a map.
MIN_NUMBERS, MIN_SHAPES, MAX_SHAPES = 4, 4, 6000
#: A chart is no smaller than this share of the page, and its sides than these points.
MIN_AREA, MIN_SIDE = 0.012, 40.0
#: Texts at a chart's side stand within so many of their heights.
LABEL_REACH = 1.2
#: A scale stands within this of the drawing (points, to the numbers' middle).
SCALE_REACH = 24.0
#: A key stands no farther from its chart than this (points).
KEY_REACH = 30.0


def chart_blocks(page: PageText) -> list[Block]:
    """The charts that the page draws, each with its labels' runs, from top to bottom."""
    numbers = [run for run in page.runs if value_of(run.text) is not None]
    if len(numbers) < MIN_NUMBERS or not MIN_SHAPES <= len(page.shapes) <= MAX_SHAPES:
        return []
    shapes = drawn_marks(page)
    if not any(shape.slanted or shape.filled for shape in shapes):
        return []
    labels = label_runs(page, shapes, median(run.box.height for run in numbers))
    areas = touching_areas(page, shapes, labels)
    charts = [area for area in areas if _is_chart(page, area, labels)]
    charts = _apart(charts)
    for area in areas:
        if not any(area is chart for chart in charts):
            _give_part(area, charts)
    return [_block(page, area, labels) for area in charts]


def _is_chart(page: PageText, area: Area, labels: Sequence[Run]) -> bool:
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


def _is_grid(page: PageText, area: Area) -> bool:
    box = area.box
    rules: list[Rule] = [rule for rule in page.rules if box.grown(2).shared(rule.box.grown(1)) > 0]
    chars = sum(run.chars for run in area.runs)
    return holds_region(grid_cells(box, area.runs, rules), chars)


def _apart(charts: Sequence[Area]) -> list[Area]:
    """Charts whose boxes overlap put together."""
    apart: list[Area] = []
    for area in charts:
        for other in apart:
            if other.box.shared(area.box) > 0.2 * min(other.box.area, area.box.area):
                other.shapes += area.shapes
                other.runs += area.runs
                break
        else:
            apart.append(area)
    return apart


def _give_part(area: Area, charts: Sequence[Area]) -> None:
    """A key (small painted boxes with words) or a text at a chart's side becomes the chart's."""
    if not area.runs or any(NOTE.match(run.text) for run in area.runs):
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


def _block(page: PageText, area: Area, labels: Sequence[Run]) -> Block:
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
