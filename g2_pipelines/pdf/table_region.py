"""Which lines of a page are a table's: the header and last rows that an engine left beside it.

Here: the loose lines over and under a table, cells of a statement taken together with them,
and the header put over cells that are sound. What is taken leaves its own block, so that
nothing is lost and nothing stands twice. Pure functions; for ``table_parts``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.columns import Range
from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import is_cjk, visual_lines
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.phrases import is_figure, labels_end, line_of, part_labels, phrases_of
from g2_pipelines.pdf.stacked import is_value, merged_rows
from g2_pipelines.pdf.statement import glued_share, statement_cells
from g2_pipelines.pdf.table_header import header_cells, header_lines
from g2_pipelines.pdf.tables import columns_of, with_headers
from g2_pipelines.tables.rows import Cell

#: Share of a table's figures that may share a cell before its rules are doubted.
MAX_GLUED = 0.04
#: A piece over or under a table with more characters than this in a line is text.
LOOSE_CHARS = 40
#: A table's sides may lie this far inside those of its header (points).
SIDES = 10.0
#: Words that begin right of this share of a table's width are no labels.
HEAD_PLACE = 0.25
#: Engines call a header's line many things; what is furniture is decided later.
_OVER = ("paragraph", "list", "furniture", "equation", "heading", "caption")
_UNDER = ("paragraph", "list")
_SIGNS = re.compile(r"^[$¥€£]\s|\s[%％]$")


def with_statement(page: PageText, blocks: list[Block], table: Block) -> bool:
    """Gives ``table`` a statement's cells where it has none or glued ones; whether it did.

    What an engine took for an equation or code becomes a table in the same way.

    Its header and its last rows, which an engine left over and under it as loose pieces, are
    taken out of their ``blocks``; what of the table fits no row becomes text over or under it.
    """
    before = _doubt(table)
    over, under = _loose_lines(table, blocks)
    sound = before <= MAX_GLUED
    if sound and (not over or "+" in table.engine):
        return False
    near = [*table.runs, *(run for line in (*over, *under) for run in line)]
    found = statement_cells(near, page.rules, table.box.y0)
    if found is None:
        return False
    cells, taken = found
    known = {id(run) for run in taken}
    left = [run for run in table.runs if id(run) not in known]
    if not _all_held(cells, taken):
        return False
    if "+grid" in table.engine and _lonely(cells) > _lonely(table.cells):
        return False
    if sound:
        header = any(id(run) in known for line in over for run in line)
        if not header or left or columns_of(cells) < columns_of(table.cells):
            return False
    elif glued_share(cells) > before / 2:
        return False
    _take(blocks, table, known)
    table.cells, table.runs, table.box = cells, taken, around(run.box for run in taken)
    table.kind, table.role = "table", "table"
    table.engine = table.engine.split("+", 1)[0] + "+columns"
    table.warnings = []
    place = next(k for k, block in enumerate(blocks) if block is table)
    above = [run for run in left if run.box.centre[1] < table.box.y0]
    below = [run for run in left if run.box.centre[1] >= table.box.y0]
    blocks[place + 1 : place + 1] = line_blocks(below, page.page)
    titles = line_blocks(above, page.page)
    if len(titles) == 1:
        titles[0].kind = "caption"
    blocks[place:place] = titles
    return True


def with_header(page: PageText, blocks: list[Block], table: Block) -> bool:
    """Puts the header that an engine left over a table with sound cells on it; whether it did."""
    over, _ = _loose_lines(table, blocks)
    columns = _cell_columns(table.cells, table.runs) if over else []
    if not columns:
        return False
    groups = visual_lines([*table.runs, *(run for line in over for run in line)])
    lines = [line_of(group) for group in groups]
    top = table.box.y0
    body = sum(line.box.centre[1] < top for line in lines)
    part_labels(lines, columns[0][0])
    inside = [rule for rule in page.rules if rule.box.x0 > labels_end(lines, columns[0][0])]
    header = header_lines(lines, body, top, columns, inside)
    if not header or header[-1] + 1 != body:
        return False
    cells = header_cells([lines[k] for k in header], columns, inside)
    taken = [run for k in header for run in groups[k]]
    if not _all_held(cells, taken):
        return False
    _take(blocks, table, {id(run) for run in taken})
    rows = max(cell.row for cell in cells) + 1
    table.cells = [
        *cells,
        *(c.model_copy(update={"row": c.row + rows}) for c in with_headers(table.cells)),
    ]
    table.runs = [*taken, *table.runs]
    table.box = around((table.box, *(run.box for run in taken)))
    return True


def with_spans(page: PageText, table: Block) -> bool:
    """Gives heads that an engine put over one of their columns all of them; whether it did."""
    cells = with_headers(table.cells)
    depth = max((c.row + c.rowspan for c in cells if c.header), default=0)
    if not depth or any(c.colspan > 1 for c in cells if c.header):
        return False
    groups = visual_lines(table.runs)
    lines = [line_of(group) for group in groups]
    columns = _cell_columns([c for c in cells if c.row >= depth], table.runs)
    if not columns:
        return False
    part_labels(lines, columns[0][0])
    inside = [rule for rule in page.rules if rule.box.x0 > labels_end(lines, columns[0][0])]
    body = next((k for k, line in enumerate(lines) if line.is_row), 0)
    taken = [run for group in groups[:body] for run in group]
    # An engine may have left the lower heads in rows of their own.
    for rows in range(depth, min(depth + 2, columns_of(cells))):
        if not _all_held([c for c in cells if c.row < rows], taken):
            continue
        heads = header_cells(lines[:body], columns, inside)
        if not _all_held(heads, taken) or all(c.colspan == 1 for c in heads):
            return False
        # No word may be glued to another, and figures in heads are a chart's or a row's.
        words = _words(c for c in cells if c.row < rows)
        if _words(heads) != words or any(is_value(word) and len(word) < 4 for word in words):
            return False
        more = max(c.row for c in heads) + 1 - rows
        rest = [c for c in table.cells if c.row >= rows]
        table.cells = [*heads, *(c.model_copy(update={"row": c.row + more}) for c in rest)]
        return True
    return False


def _words(cells: Iterable[Cell]) -> Counter[str]:
    return Counter(word for cell in cells for word in cell.text.split())


def _doubt(table: Block) -> float:
    """Share of the table's figures of which it is doubtful that their cells are right."""
    if not table.cells:
        return 1.0
    glued = glued_share(table.cells)
    doubted = merged_rows(table.cells, table.runs) is not None or _strange(table)
    return max(glued, 2 * MAX_GLUED) if doubted else glued


def _strange(table: Block) -> bool:
    """True where an engine put heads together: a word of a header that stands nowhere."""
    words = {word for run in table.runs for word in run.text.split()}
    words |= {a[:-1] + b for a in words if a.endswith("-") for b in words}
    heads = (cell.text for cell in table.cells if cell.row == 0)
    return any(
        len(word) > 1 and word.isascii() and word not in words and not word.isdigit()
        for text in heads
        for word in text.split()
    )


def _lonely(cells: Sequence[Cell]) -> int:
    """Rows of one number without a label: a second line of a cell that the rules close."""
    filled: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.text and not cell.header:
            filled.setdefault(cell.row, []).append(cell)
    return sum(
        len(row) == 1 and row[0].col > 0 and not any(char.isalpha() for char in row[0].text)
        for row in filled.values()
    )


def _all_held(cells: Sequence[Cell], taken: Sequence[Run]) -> bool:
    """True when the cells hold all characters; hyphens apart, which a broken word loses."""
    held = Counter(char for cell in cells for char in cell.text if not char.isspace())
    held.subtract(char for run in taken for glyph in run.glyphs for char in glyph.text)
    return not any(count for char, count in held.items() if char != "-")


def _take(blocks: list[Block], table: Block, known: set[int]) -> None:
    """Takes the runs of these ids out of all blocks but ``table``."""
    for block in [b for b in blocks if b is not table]:
        kept = [run for run in block.runs if id(run) not in known]
        if len(kept) == len(block.runs):
            continue
        if kept:
            block.runs, block.box = kept, around(run.box for run in kept)
        else:
            blocks[:] = [other for other in blocks if other is not block]


def _loose_lines(table: Block, blocks: Sequence[Block]) -> tuple[list[list[Run]], list[list[Run]]]:
    """The lines of loose pieces right above the table, from below, and those right below it."""
    over: list[Run] = []
    under: list[Run] = []
    for block in blocks:
        if block is table or not block.runs:
            continue
        # Of a caption the last lines may be heads; its long ones end what is looked at.
        caption = block.kind == "caption"
        short = caption or max(_length(run) for run in block.runs) <= LOOSE_CHARS
        inside = block.box.x0 > table.box.x0 - SIDES and block.box.x1 < table.box.x1 + SIDES
        if not short or not inside:
            continue
        if block.box.centre[1] < table.box.y0:
            over.extend(block.runs if block.kind in _OVER else ())
        else:
            under.extend(block.runs if block.kind in _UNDER else ())
    top, bottom = table.box.y0, table.box.y1
    above, below = [], []
    for line in reversed(visual_lines(over)):
        box = around(run.box for run in line)
        long = max(_length(run) for run in line) > LOOSE_CHARS
        if long or top - box.y1 > box.height or bottom < box.y0:
            break
        above.append(line)
        top = min(top, box.y0)
    for line in visual_lines(under):
        box = around(run.box for run in line)
        if box.y0 - bottom > box.height or _is_head(line, table.box):
            break
        below.append(line)
        bottom = max(bottom, box.y1)
    return above, below


def _is_head(line: Sequence[Run], table: Box) -> bool:
    """True for words away from the labels: the head of the next table, not a last row."""
    right = line[0].box.x0 > table.x0 + HEAD_PLACE * table.width
    return right and not any(is_figure(phrase) for phrase in phrases_of(line))


def _length(run: Run) -> int:
    """Characters of a run, Japanese ones twice: their lines hold half as many."""
    return sum(1 + is_cjk(glyph.text[0]) for glyph in run.glyphs)


def _cell_columns(cells: Sequence[Cell], runs: Sequence[Run]) -> list[Range]:
    """The x ranges of all columns but the first, by cells whose text stands in one run alone.

    Empty where a column has none, or where two of them overlap.
    """
    by_text: dict[str, list[Box]] = {}
    for run in runs:
        by_text.setdefault(run.text.strip(), []).append(run.box)
    texts: dict[str, int] = {}
    for cell in cells:
        texts[cell.text] = texts.get(cell.text, 0) + 1
    places: dict[int, list[Box]] = {}
    for cell in cells:
        known = by_text.get(_SIGNS.sub("", cell.text), [])
        if cell.colspan == 1 and len(known) == 1 and texts[cell.text] == 1:
            places.setdefault(cell.col, []).append(known[0])
    columns = range(1, columns_of(cells))
    if len(columns) < 1 or any(column not in places for column in columns):
        return []
    usual = [_usual(places[column]) for column in columns]
    if not all(usual):
        return []
    found = [around(boxes) for boxes in usual]
    ranges = [(box.x0, box.x1) for box in found]
    apart = all(a[1] <= b[0] for a, b in pairwise(ranges))
    return ranges if apart else []


def _usual(boxes: Sequence[Box]) -> list[Box]:
    """The boxes without those far from the middle of most: a text that stands elsewhere too."""
    middle = median(box.centre[0] for box in boxes)
    reach = max(median(box.width for box in boxes), 1.0) * 2
    return [box for box in boxes if abs(box.centre[0] - middle) <= reach]
