"""Rows of a table that an engine put into the picture of a chart beside it.

Here: a picture whose curves all stand beside a table, and that reaches over the table's own
columns, cut back to its side; the rows that stood in it go to the table, other lines back to
the page. Pure functions; for ``grids`` only.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.phrases import is_figure, phrases_of

#: A chart's curves have no shorter side (points).
MIN_CURVE = 15.0
#: A picture that goes on below a table begins within this of its end (points).
REACH = 12.0
#: It covers so much of the table's width.
WIDE = 0.5
#: So many lines with so many figures each are rows; fewer may be a chart's labels.
ROWS, FIGURES = 2, 2


def with_rows_freed(page: PageText, blocks: Sequence[Block]) -> list[Block]:
    """The blocks with every such picture cut back, and its rows in the table beside it."""
    result: list[Block] = []
    for block in blocks:
        result.append(block)
        if block.kind in ("figure", "chart") and block.runs:
            core = _drawn(page, block.box)
            tables = [t for t in blocks if t.kind == "table"] if core else []
            table = next((t for t in tables if core and _is_beside(t.box, core, block.box)), None)
            if table is not None and core is not None:
                result += _freed(page, block, table, core)
    return [block for block in result if not _is_rest(block, blocks)]


def _is_rest(block: Block, blocks: Sequence[Block]) -> bool:
    """True for a picture without text most of which another one shows."""
    return (
        block.kind in ("figure", "chart")
        and not block.runs
        and any(
            other.kind in ("figure", "chart")
            and other.runs
            and other.box.shared(block.box) > WIDE * block.box.area
            for other in blocks
        )
    )


def _drawn(page: PageText, box: Box) -> Box | None:
    """Around the curves and stored pictures that reach into the box; None without any."""
    curves = [s.box for s in page.shapes if s.slanted]
    marks = [b for b in curves if min(b.width, b.height) >= MIN_CURVE] + list(page.images)
    inside = [b for b in marks if box.shared(b) > 0]
    return around(inside) if inside else None


def _is_beside(table: Box, core: Box, picture: Box) -> bool:
    apart = table.x1 <= core.x0 or core.x1 <= table.x0
    return (
        apart
        and picture.across(table) > WIDE * table.width
        and picture.y1 > table.y1
        and picture.down(table) > -REACH
    )


def _freed(page: PageText, picture: Block, table: Block, core: Box) -> list[Block]:
    """The lines of the picture that are no rows, after its rows went to the table."""
    side = table.box
    own: list[Run] = []
    moved: list[Run] = []
    for run in picture.runs:
        under = side.x0 <= run.box.centre[0] <= side.x1
        (moved if under else own).append(run)
    lines = visual_lines(moved)
    rows = [k for k, line in enumerate(lines) if sum(map(is_figure, phrases_of(line))) >= FIGURES]
    if len(rows) < ROWS:
        return []
    taken = [run for line in lines[: rows[-1] + 1] for run in line]
    table.runs = [*table.runs, *taken]
    table.box = around((side, *(run.box for run in taken)))
    picture.runs = own
    x0, y0, x1, y1 = picture.box
    picture.box = (
        Box(max(x0, side.x1), y0, x1, y1)
        if side.x1 <= core.x0
        else Box(x0, y0, min(x1, side.x0), y1)
    )
    return line_blocks([run for line in lines[rows[-1] + 1 :] for run in line], page.page)
