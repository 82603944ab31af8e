"""Several ruled tables that an engine took for one: each has columns of its own.

Here: cutting a region where its standing rules end and others begin, so that the borders of
one table do not cut the cells of the next. Pure functions; for ``table_parts``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from g2_pipelines.pdf.borders import SAME_RULE
from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.tables import grid_cells, holds_region

#: A stretch of standing rules shorter than this (points) is no table.
MIN_BAND = 16.0
#: Standing rules that end nearer to the next ones (points) go on in them.
MIN_GAP = 6.0


def ruled_parts(page: PageText, table: Block) -> list[Block]:
    """The tables in the region of ``table`` and the text between them, from top to bottom.

    Empty where it is one table: its rules go through, or go on at the same places.
    """
    standing = [
        rule.box
        for rule in page.rules
        if not rule.horizontal and table.box.grown(4).holds(*rule.box.centre)
    ]
    bands = _bands(standing)
    if len(bands) < 2 or not any(_differ(a, b) for a, b in pairwise(bands)):
        return []
    parts: list[Block] = []
    left = list(table.runs)
    for band in bands:
        box = around(band).grown(1)
        runs = [run for run in left if box.holds(*run.box.centre)]
        beside = [r for r in left if box.y0 < r.box.centre[1] < box.y1 and r not in runs]
        if beside:  # the rules are a shaded column's
            return []
        cells = grid_cells(box, runs, page.rules)
        if not holds_region(cells, sum(run.chars for run in runs)):
            return []
        parts.append(replace(table, box=box, runs=runs, cells=cells, html="", warnings=[]))
        left = [run for run in left if not box.holds(*run.box.centre)]
    between = [block for runs in _groups(left, parts) for block in line_blocks(runs, page.page)]
    return sorted([*parts, *between], key=lambda block: block.box.y0)


def _bands(standing: Sequence[Box]) -> list[list[Box]]:
    """The rules that overlap in height, group by group from the top."""
    groups: list[list[Box]] = []
    bottom = 0.0
    for box in sorted(standing, key=lambda box: box.y0):
        if groups and box.y0 <= bottom + MIN_GAP:
            groups[-1].append(box)
            bottom = max(bottom, box.y1)
        else:
            groups.append([box])
            bottom = box.y1
    return [group for group in groups if around(group).height >= MIN_BAND]


def _differ(first: Sequence[Box], second: Sequence[Box]) -> bool:
    """True where each group has a rule at a place at which the other has none."""
    places = [[box.centre[0] for box in group] for group in (first, second)]
    return all(
        any(all(abs(x - other) > 2 * SAME_RULE for other in others) for x in xs)
        for xs, others in (places, places[::-1])
    )


def _groups(runs: Sequence[Run], parts: Sequence[Block]) -> list[list[Run]]:
    """The runs by how many of the tables stand above them."""
    groups: list[list[Run]] = [[] for _ in range(len(parts) + 1)]
    for run in runs:
        groups[sum(part.box.y0 < run.box.centre[1] for part in parts)].append(run)
    return [group for group in groups if group]
