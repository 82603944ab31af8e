"""Heads of columns that stand sideways over their table.

Here: the sideways runs over a table's first row, each as the head of the column whose middle is
under its own; what an engine made of them (rows, loose paragraphs, words cut at a region's
side) is taken back. Where one of them stands over no column for sure, the table is left and
says so. Pure functions; for ``table_parts``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.columns import Range, figure_columns, word_columns
from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import join_lines, visual_lines
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.phrases import Phrase, labels_end, line_of, part_labels
from g2_pipelines.pdf.sideways import is_sideways
from g2_pipelines.pdf.statement import statement_cells
from g2_pipelines.pdf.table_header import header_cells
from g2_pipelines.pdf.tables import columns_of
from g2_pipelines.tables.rows import Cell

#: So many heads at least; fewer are the name of an axis.
LEAST = 2
#: A head's middle is so near to its column's (share of the columns' distance).
NEAR = 0.4
#: Rules do not end at a run's side to the point.
TOUCH = 2.0
DOUBT = "heads that stand sideways may not name their columns"
_LOOSE = ("paragraph", "list", "furniture", "equation", "heading")


def with_sideways_heads(page: PageText, blocks: list[Block], table: Block) -> bool:
    """Puts the sideways runs over ``table`` on it as its header; whether it did.

    A table with such runs that cannot be given its header so gets a warning.
    """
    sideways = [run for run in page.runs if is_sideways(run)]
    lying = {id(glyph) for run in sideways for glyph in run.glyphs}
    upright = [run for run in table.runs if id(run.glyphs[0]) not in lying]
    if len(sideways) < LEAST or "+grid" in table.engine or not upright:
        return False
    top = _first_row(upright)
    heads = _over(sideways, around(run.box for run in upright), top)
    if len(heads) < LEAST:
        return False
    band = around(run.box for run in heads)
    body = [run for run in upright if run.box.centre[1] > top]
    found = statement_cells(body, page.rules, top)
    if found is None and _hold(table.cells, body):
        found = table.cells, body
    words = _beside(blocks, table, lying, band, top)
    header = _header(page, heads, words, body, found[0]) if found else None
    if found is None or header is None:
        table.warnings.append(DOUBT)
        return False
    cells, taken = found
    rows = max(cell.row for cell in header) + 1
    known = {id(run) for run in (*taken, *words)}
    gone = known | {id(run) for run in upright}
    left = [run for run in upright if id(run) not in known]
    table.cells = [*header, *(c.model_copy(update={"row": c.row + rows}) for c in cells)]
    table.runs = [*heads, *words, *taken]
    table.box = around(run.box for run in table.runs)
    table.engine = table.engine.split("+", 1)[0] + "+columns"
    over = {id(glyph) for run in heads for glyph in run.glyphs}
    for block in [b for b in blocks if b is not table]:
        kept = [r for r in block.runs if id(r) not in gone and id(r.glyphs[0]) not in over]
        if len(kept) < len(block.runs):
            block.runs = kept
            block.box = around(run.box for run in kept) if kept else block.box
    blocks[:] = [b for b in blocks if b.runs or b.kind not in _LOOSE]
    place = next(k for k, block in enumerate(blocks) if block is table)
    above = [run for run in left if run.box.centre[1] < top]
    below = [run for run in left if run.box.centre[1] >= top]
    blocks[place + 1 : place + 1] = line_blocks(below, page.page)
    blocks[place:place] = line_blocks(above, page.page)
    return True


def _hold(cells: Sequence[Cell], runs: Sequence[Run]) -> bool:
    """True where the cells hold the runs' characters and no others."""
    held = Counter(char for cell in cells for char in cell.text if not char.isspace())
    return held == Counter(char for run in runs for glyph in run.glyphs for char in glyph.text)


def _first_row(runs: Sequence[Run]) -> float:
    """The top of the first line of figures; of all lines where none has any."""
    lines = [line_of(group) for group in visual_lines(runs)]
    columns = figure_columns(lines, 2)
    if columns:
        part_labels(lines, columns[0][0])
    rows = [line.box.y0 for line in lines if line.is_row]
    return min(rows or [line.box.y0 for line in lines])


def _over(sideways: Sequence[Run], table: Box, top: float) -> list[Run]:
    """The runs right over the first row: those level with the one that ends lowest."""
    over = [
        run
        for run in sideways
        if run.box.y1 < top + TOUCH and table.x0 < run.box.centre[0] < table.x1 + run.box.width
    ]
    if not over:
        return []
    low = max(over, key=lambda run: run.box.y1)
    high = max(run.box.height for run in over if run.box.down(low.box) > 0)
    if top - low.box.y1 > high:
        return []
    return [run for run in over if run.box.y1 > low.box.y1 - high]


def _beside(
    blocks: Sequence[Block], table: Block, lying: set[int], band: Box, top: float
) -> list[Run]:
    """The upright runs level with the heads, and those of the table over them."""
    sides = around((table.box, band))
    return [
        run
        for block in blocks
        if block is table or block.kind in _LOOSE
        for run in block.runs
        if id(run.glyphs[0]) not in lying
        and run.box.centre[1] <= top
        and (
            block is table
            or (
                sides.x0 - TOUCH < run.box.centre[0] < sides.x1
                and run.box.centre[1] > band.y0 - TOUCH
            )
        )
    ]


def _header(
    page: PageText,
    heads: Sequence[Run],
    beside: Sequence[Run],
    body: Sequence[Run],
    cells: Sequence[Cell],
) -> list[Cell] | None:
    """The header's cells; None where a head is not surely a column's."""
    lines = [line_of(group) for group in visual_lines(body)]
    figures = figure_columns(lines, 2)
    words = word_columns(lines, figures) if figures else []
    wide = columns_of(cells)
    columns = next(
        (c for c in (sorted([*figures, *words]), figures) if c and len(c) == wide - 1), []
    )
    if len(columns) < LEAST:
        return None
    band = around(run.box for run in heads)
    level = [run for run in beside if run.box.centre[1] >= band.y0 - TOUCH]
    own = [line_of(group) for group in visual_lines(level)]
    end = labels_end([*lines, *own], columns[0][0])
    labels = [p for line in own for p in line.phrases if p.box.x0 <= end]
    upright = [p for line in own for p in line.phrases if p.box.x0 > end]
    texts = _by_column(heads, upright, columns)
    if texts is None:
        return None
    upper = [run for run in beside if run.box.centre[1] < band.y0 - TOUCH]
    above = [line_of(group) for group in visual_lines(upper)]
    part_labels([*lines, *above], columns[0][0])
    rules = [rule for rule in page.rules if rule.box.x0 > end]
    header = header_cells(above, columns, rules) if above else []
    rows = max((cell.row for cell in header), default=-1) + 1
    if rows and not any(cell.text for cell in header if cell.row == rows - 1):
        rows -= 1
        header = [cell for cell in header if cell.row < rows]
    name = " ".join(phrase.whole for phrase in labels)
    header += [
        Cell(row=rows, col=c, text=text, header=True) for c, text in enumerate([name, *texts])
    ]
    return header


def _by_column(
    heads: Sequence[Run], upright: Sequence[Phrase], columns: Sequence[Range]
) -> list[str] | None:
    """Per column the words over it; None where one stands between columns or far from them."""
    middles = [(x0 + x1) / 2 for x0, x1 in columns]
    pitch = median(b - a for a, b in pairwise(middles))

    def column(x: float) -> int:
        return min(range(len(middles)), key=lambda k: abs(middles[k] - x))

    found: list[list[Run]] = [[] for _ in columns]
    for run in heads:
        found[column(run.box.centre[0])].append(run)
    texts = []
    for k, runs in enumerate(found):
        if runs and abs(around(r.box for r in runs).centre[0] - middles[k]) > NEAR * pitch:
            return None
        # Lines that read downwards follow each other to the left.
        down = bool(runs) and runs[0].glyphs[0].box.y0 < runs[0].glyphs[-1].box.y0
        runs.sort(key=lambda run: run.box.x0, reverse=down)
        texts.append(join_lines([(run.text, False) for run in runs]))
    for phrase in upright:
        k = column(phrase.box.centre[0])
        if texts[k] or abs(phrase.box.centre[0] - middles[k]) > NEAR * pitch:
            return None
        texts[k] = phrase.whole
    return texts if sum(map(bool, texts)) >= LEAST else None
