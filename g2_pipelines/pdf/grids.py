"""Tables whose rules close a grid although no engine saw them, or saw only their head.

Here: rules that cross or meet put together to grids, and the grids whose cells hold the text
in them as tables. Frames round paragraphs, gridlines of charts and forms with one row are
none. Pure functions; for ``blocks`` only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence

from g2_pipelines.pdf.chart_tables import with_rows_freed
from g2_pipelines.pdf.geometry import Block, Box, PageText, Rule, Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.ladders import ladder_tables
from g2_pipelines.pdf.tables import grid_cells, holds_region
from g2_pipelines.tables.rows import Cell

#: Rules meet within this (points); shorter ones are marks and hatching.
MEET, MIN_LENGTH = 3.0, 8.0
#: A page with more rules draws pictures with them.
MAX_RULES = 1500
#: A grid has at least so many lying and standing rules' places.
MIN_LINES = 3
#: At least this share of its cells holds text, and of its rows several cells with words.
MIN_FILLED, MIN_SEVERAL = 0.5, 0.5
#: A row has so many lines at most on the average.
MAX_MEAN_LINES = 6.0
#: An engine's table or picture that covers more of the grid is it.
COVERED = 0.7
#: A curve smaller than this (points) may be a bullet or a rounded corner.
CURVE = 15.0


def grid_tables(page: PageText) -> list[Block]:
    """The closed grids of the page as tables with their cells, from top to bottom."""
    rules = [r for r in page.rules if max(r.box.width, r.box.height) >= MIN_LENGTH]
    if not 2 * MIN_LINES <= len(rules) <= MAX_RULES:
        return []
    found = []
    for group in _meeting(rules):
        lying = {round(r.box.centre[1]) for r in group if r.horizontal}
        standing = {round(r.box.centre[0]) for r in group if not r.horizontal}
        if min(len(lying), len(standing)) < MIN_LINES:
            continue
        box = around(rule.box for rule in group)
        runs = [run for run in page.runs if box.grown(1).holds(*run.box.centre)]
        if page.ocr and any(_crossed(run, group) for run in runs):
            continue  # where a line that OCR read in one piece is to be cut is not known
        cells = grid_cells(box, runs, group)
        if holds_region(cells, sum(run.chars for run in runs)) and _is_table(cells):
            lines = len(visual_lines(runs))
            rows = max(cell.row + cell.rowspan for cell in cells)
            if lines <= MAX_MEAN_LINES * rows:
                table = Block(
                    kind="table",
                    page=page.page,
                    box=box,
                    runs=runs,
                    cells=cells,
                    engine="pdfium+grid",
                )
                found.append(table)
    for ladder in [] if page.ocr else ladder_tables(page):
        if not any(ladder.box.shared(other.box) > 0 for other in found):
            found.append(ladder)
    return sorted(found, key=lambda block: block.box)


def _crossed(run: Run, rules: Sequence[Rule]) -> bool:
    """True for a run that a standing rule cuts with more than a letter on both sides."""
    side = 0.8 * run.box.height
    return any(
        not rule.horizontal
        and run.box.x0 + side < rule.box.centre[0] < run.box.x1 - side
        and rule.box.y0 < run.box.centre[1] < rule.box.y1
        for rule in rules
    )


def _is_table(cells: Sequence[Cell]) -> bool:
    """True when most rows hold words in two cells or more: the tinted lines of a paragraph and
    its bullets close cells too, one a line.
    """
    words = [cell for cell in cells if any(char.isalnum() for char in cell.text)]
    rows = max((cell.row + cell.rowspan for cell in cells), default=0)
    wide = Counter(cell.row for cell in words)
    several = sum(count >= 2 for count in wide.values())
    columns = sum(count >= 2 for count in Counter(cell.col for cell in words).values())
    filled = sum(bool(cell.text.strip()) for cell in cells) >= max(4, MIN_FILLED * len(cells))
    return filled and several >= max(2, MIN_SEVERAL * rows) and columns >= 2


def _meeting(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules put together that meet or cross, directly or through others."""
    lying = sorted({r for r in rules if r.horizontal}, key=lambda r: r.box)
    standing = sorted({r for r in rules if not r.horizontal}, key=lambda r: r.box)
    xs = [rule.box.x0 for rule in standing]
    parents = list(range(len(lying) + len(standing)))

    def root(k: int) -> int:
        while parents[k] != k:
            parents[k] = parents[parents[k]]
            k = parents[k]
        return k

    for i, rule in enumerate(lying):
        near = rule.box.grown(MEET)
        for j in range(bisect_left(xs, near.x0 - MEET), bisect_right(xs, near.x1)):
            if near.down(standing[j].box) >= 0 and near.across(standing[j].box) >= 0:
                parents[root(len(lying) + j)] = root(i)
    groups: dict[int, list[Rule]] = {}
    for k, rule in enumerate([*lying, *standing]):
        groups.setdefault(root(k), []).append(rule)
    return list(groups.values())


def with_grids(page: PageText, grids: Sequence[Block], blocks: Sequence[Block]) -> list[Block]:
    """An engine's blocks with the grids that it left as paragraphs, took for pictures or of
    which it saw a part.
    """
    result = with_rows_freed(page, blocks)
    for grid in grids:
        drawn = {id(b) for b in result if _is_picture_of(page, b, grid)}
        known = [b for b in result if b.kind in ("table", "figure", "chart", "equation", "code")]
        known = [b for b in known if id(b) not in drawn]
        if any(b.box.shared(grid.box) > COVERED * grid.box.area for b in known):
            continue
        if any(b.kind != "table" and b.box.shared(grid.box) > 0 for b in known):
            continue
        if any(_reaches_out(b.box, grid.box) for b in known if b.box.shared(grid.box) > 0):
            continue
        own = {run.box for run in grid.runs}
        parts = [b for b in result if any(run.box in own for run in b.runs)]
        taken = [run for b in parts for run in b.runs if run.box in own]
        if sum(run.chars for run in taken) < sum(run.chars for run in grid.runs):
            continue  # some of its text is cut: then the cells would stand twice
        grid.runs = taken
        for block in parts:
            block.runs = [run for run in block.runs if run.box not in own]
            if block.runs:
                block.box = around(run.box for run in block.runs)
        emptied = {id(b) for b in parts if not b.runs} | drawn
        result = [b for b in result if id(b) not in emptied]
        result.append(grid)
    return result


def _is_picture_of(page: PageText, block: Block, grid: Block) -> bool:
    """True for a «picture» that shows cells and nothing else: a table in colours.

    Stored pictures and curves are none of a table's; nor is text beside the cells.
    """
    if block.kind not in ("figure", "chart") or not block.runs:
        return False
    if _reaches_out(block.box, grid.box) or len({cell.col for cell in grid.cells}) < MIN_LINES:
        return False
    own = {run.box for run in grid.runs}
    curves = (s.box for s in page.shapes if s.slanted and min(s.box.width, s.box.height) > CURVE)
    return all(run.box in own for run in block.runs) and not any(
        box.shared(grid.box) > 0.5 * box.area for box in (*page.images, *curves)
    )


def _reaches_out(box: Box, grid: Box) -> bool:
    return box.shared(grid.grown(4)) < 0.9 * box.area
