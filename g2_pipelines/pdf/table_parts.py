"""Tables that an engine cut in pieces or put together, and the order in which they are mended.

Here: tables that touch one under the other and are one, a region that holds several tables
and the text between them, then each one's cells and header (``table_region``). Pure
functions; for ``document``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.columns import Range, figure_columns, nearest
from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.phrases import LABELS_SHARE, is_figure, is_year, line_of, phrases_of
from g2_pipelines.pdf.ruled_parts import ruled_parts
from g2_pipelines.pdf.sideways_heads import with_sideways_heads
from g2_pipelines.pdf.stacked import merged_rows
from g2_pipelines.pdf.statement import glued_share
from g2_pipelines.pdf.table_region import MAX_GLUED, with_header, with_spans, with_statement
from g2_pipelines.pdf.tables import columns_of, with_headers

#: Tables whose sides differ by less (points) and that touch within this are one.
SAME_SIDE, TOUCH = 4.0, 3.0
#: A line of text in one phrase: so many characters over this share of the table's width.
PROSE_CHARS, PROSE_SHARE = 60, 0.6
MARK_CHARS = 4
#: Heads are about as wide as their table.
SAME_WIDTH = 0.85
#: A step of more usual pitches of rows than this to a line without figures parts tables.
PART_GAP = 1.5


def mend_tables(page: PageText, blocks: list[Block]) -> None:
    """Gives the page's tables the rows, cells and headers that ``blocks`` hold of them.

    Tables whose rows may still be merged get a warning.
    """
    for block in [b for b in blocks if b.kind == "table"]:
        if parts := ruled_parts(page, block):
            place = next(k for k, other in enumerate(blocks) if other is block)
            blocks[place : place + 1] = parts
    _join_pieces(page, blocks)
    _join_heads(blocks)
    for block in list(blocks):
        if block.kind not in ("table", "equation", "code"):
            continue
        if block.kind == "table" and with_sideways_heads(page, blocks, block):
            continue
        doubted = not block.cells or glued_share(block.cells) > MAX_GLUED
        if block.kind == "table" and doubted and _part(page, blocks, block):
            continue
        if not with_statement(page, blocks, block) and block.kind == "table" and block.cells:
            with_header(page, blocks, block)
            with_spans(page, block)
    for block in blocks:
        if block.kind == "table" and (why := merged_rows(block.cells, block.runs)):
            block.warnings.append(why)


def _join_pieces(page: PageText, blocks: list[Block]) -> None:
    """Joins tables that touch one under the other: shaded rows make an engine cut there."""
    for stack in _stacks(page, blocks):
        columns = {columns_of(piece.cells) for piece in stack}
        whole = replace(
            stack[0],
            kind="table",
            box=around(piece.box for piece in stack),
            runs=[run for piece in stack for run in piece.runs],
            cells=[],
            html="",
            role="table",
            warnings=[],
        )
        trial = [whole if block is stack[0] else block for block in blocks]
        trial = [block for block in trial if not any(block is piece for piece in stack)]
        if len(columns) == 1 and columns_of(stack[0].cells):
            for piece in stack:
                rows = max((c.row + c.rowspan for c in whole.cells), default=0)
                whole.cells += [
                    cell.model_copy(update={"row": cell.row + rows}) for cell in piece.cells
                ]
            blocks[:] = trial
        elif with_statement(page, trial, whole):
            blocks[:] = trial


def _join_heads(blocks: list[Block]) -> None:
    """Puts a table of heads alone on the table right below it that has as many columns."""
    for head in [b for b in blocks if b.kind == "table" and b.cells and not _has_figures(b)]:
        columns = columns_of(head.cells)
        below = [b for b in blocks if b.kind == "table" and columns_of(b.cells) == columns]
        below = [
            b
            for b in below
            if -TOUCH < b.box.y0 - head.box.y1 < b.size
            and b.box.across(head.box) > SAME_WIDTH * max(b.box.width, head.box.width)
        ]
        if len(below) != 1 or columns < 2 or not _has_figures(below[0]):
            continue
        [table] = below
        rows = max(c.row + c.rowspan for c in head.cells)
        moved = [c.model_copy(update={"row": c.row + rows}) for c in with_headers(table.cells)]
        table.cells = [*(c.model_copy(update={"header": True}) for c in head.cells), *moved]
        table.runs = [*head.runs, *table.runs]
        table.box = around((head.box, table.box))
        blocks[:] = [block for block in blocks if block is not head]


def _has_figures(table: Block) -> bool:
    return any(_has_amount(line) for line in visual_lines(table.runs))


def _stacks(page: PageText, blocks: Sequence[Block]) -> list[list[Block]]:
    """Runs of tables, and drawings of text alone, of which each touches the next below it."""
    pieces = [b for b in blocks if b.kind == "table" or _is_drawn_text(page, b)]
    pieces.sort(key=lambda block: block.box.y0)
    stacks: list[list[Block]] = []
    for piece in pieces:
        for stack in stacks:
            last = stack[-1].box
            left = abs(last.x0 - piece.box.x0) < SAME_SIDE
            right = abs(last.x1 - piece.box.x1) < SAME_SIDE
            tables = stack[-1].kind == piece.kind == "table"
            if left and (right or not tables) and abs(piece.box.y0 - last.y1) < TOUCH:
                stack.append(piece)
                break
        else:
            stacks.append([piece])
    return [s for s in stacks if len(s) > 1 and any(piece.kind == "table" for piece in s)]


def _is_drawn_text(page: PageText, block: Block) -> bool:
    """True for a «figure» without a picture: shaded rows that an engine took for a drawing."""
    drawn = block.kind in ("figure", "chart") and bool(block.runs)
    return drawn and not any(image.shared(block.box) > 0 for image in page.images)


def _part(page: PageText, blocks: list[Block], table: Block) -> bool:
    """Cuts a region of several tables and texts apart, where that gives all tables cells."""
    parts = _parts(page, table)
    if len(parts) < 2:
        return False
    place = next(k for k, block in enumerate(blocks) if block is table)
    trial = [*blocks[:place], *parts, *blocks[place + 1 :]]
    given = [with_statement(page, trial, part) for part in parts if part.kind == "table"]
    if given and all(given):
        blocks[:] = trial
    return bool(given) and all(given)


def _parts(page: PageText, table: Block) -> list[Block]:
    lines = visual_lines(table.runs)
    boxes = [around(run.box for run in line) for line in lines]
    rows = [box for box, line in zip(boxes, lines, strict=True) if _has_amount(line)]
    steps = [b.y0 - a.y0 for a, b in pairwise(rows)]
    pitch = median(steps) if steps else 0.0
    columns = figure_columns([line_of(line) for line in lines], 2)
    prose = [_is_prose(line, table, columns) for line in lines]
    for k in range(1, len(lines)):
        # A paragraph's short last line.
        near = boxes[k].y0 - boxes[k - 1].y1 < 0.5 * boxes[k].height
        alone = len(phrases_of(lines[k])) == 1 and abs(boxes[k].x0 - boxes[k - 1].x0) < 2
        prose[k] = prose[k] or (prose[k - 1] and near and alone)
    groups: list[list[list[Run]]] = []
    cuts = _cuts(lines, boxes, PART_GAP * pitch, columns)
    for k, line in enumerate(lines):
        if k == 0 or prose[k] != prose[k - 1] or k in cuts:
            groups.append([])
        groups[-1].append(line)
    parts: list[Block] = []
    for group in groups:
        runs = [run for line in group for run in line]
        amounts = sum(_has_amount(line) for line in group)
        if _is_prose(group[0], table, columns) or not amounts:
            parts += line_blocks(runs, page.page)
        else:
            box = around(run.box for run in runs)
            parts.append(replace(table, box=box, runs=runs, cells=[], html="", warnings=[]))
    return parts


def _cuts(
    lines: Sequence[Sequence[Run]],
    boxes: Sequence[Box],
    wide: float,
    columns: Sequence[Range],
) -> set[int]:
    """The lines that begin a new table: between rows above and heads of columns below.

    Where white space stands between them, there; without it only heads of years are sure.
    """
    cuts = set()
    left = min(box.x0 for box in boxes)
    since: int | None = None
    for k, line in enumerate(lines):
        if _has_amount(line):
            since = k + 1
        elif since is not None and _heads_over(line, left, columns) > 1:
            gaps = [m for m in range(since, k + 1) if boxes[m].y0 - boxes[m - 1].y0 > wide]
            years = sum(is_year(phrase) for phrase in phrases_of(line))
            if gaps or years > 1:
                cuts.add(gaps[0] if gaps else since)
                since = None
    return cuts


def _heads_over(line: Sequence[Run], left: float, columns: Sequence[Range]) -> int:
    """The columns that the line has words for, the labels' at ``left`` apart."""
    if not columns:
        return 0
    end = left + LABELS_SHARE * (columns[0][0] - left)
    return len({nearest(columns, p.box) for p in phrases_of(line) if p.box.x0 > end})


def _is_prose(line: Sequence[Run], table: Block, columns: Sequence[Range]) -> bool:
    """True for a line of text over labels and figures alike; a long label ends before these."""
    phrases = phrases_of(line)
    widest = max(phrases, key=lambda phrase: phrase.box.width)
    wide = widest.box.width > PROSE_SHARE * table.box.width
    wide = wide and any(widest.box.x1 > x0 for x0, _ in columns)
    letters = sum(char.isalpha() for char in widest.text)
    # A note's mark may stand before it.
    alone = sum(len(phrase.whole) for phrase in phrases) - len(widest.whole) <= MARK_CHARS
    return alone and wide and len(widest.text) > PROSE_CHARS and letters > 0.7 * len(widest.text)


def _has_amount(line: Sequence[Run]) -> bool:
    return any(is_figure(p) and not is_year(p) for p in phrases_of(line))
