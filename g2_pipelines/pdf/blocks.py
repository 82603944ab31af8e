"""One page's blocks: an engine's regions filled with PDFium's text, or PDFium's lines alone.

Here: assigning the text layer's runs to docvortex's regions, keeping what no region took,
and the page check: a layout whose regions hold less than KEPT_SHARE of the page's
characters is not used. The text always is PDFium's, so that a region can be wrong but no
character is lost or invented. Pure functions; for the modules of ``pdf`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from g2_pipelines.pdf.block_order import block_order
from g2_pipelines.pdf.charts import chart_blocks, with_charts
from g2_pipelines.pdf.crowded import MAX_BLOCKS, MAX_LOOSE, crowded_blocks
from g2_pipelines.pdf.cuts import column_pieces, is_code, is_note, is_words, size_pieces
from g2_pipelines.pdf.figures import (
    add_pictures,
    cut_back,
    merged_figures,
    swallows,
    with_labels,
)
from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.grids import grid_tables, with_grids
from g2_pipelines.pdf.listings import joined_listings
from g2_pipelines.pdf.order import insert_by_place, line_blocks
from g2_pipelines.pdf.outline import begins_anew
from g2_pipelines.tables.line2 import NodeKind

#: Facts §2.3: keep an engine's page only when its blocks hold about this share of the text.
KEPT_SHARE = 0.9
KINDS: dict[str, NodeKind] = {
    "text": "paragraph",
    "ref_text": "paragraph",
    "aside_text": "paragraph",
    "phonetic": "paragraph",
    "doc_title": "heading",
    "paragraph_title": "heading",
    "image": "figure",
    "chart": "chart",
    "table": "table",
    "equation": "equation",
    "formula_number": "equation",
    "list": "list",
    "index": "list",
    "code": "code",
    "algorithm": "code",
    "header": "furniture",
    "footer": "furniture",
    "page_number": "furniture",
    "page_footnote": "footnote",
    "footnote": "footnote",
    "caption": "caption",
}
#: Footnotes stand under this share of the page.
LOW = 0.6
_ITEM = re.compile(
    r"(?:[•‣◦●○■□▪◆◇・∙*–—-]|\(?\d{1,2}[.)）]|[①-⑳]|\(?[a-z][.)])(?=\s|[^\x00-\x7f])"
)
_SENTENCE_END = ("。", "．", ".", "!", "?", "！", "？", ":", "：", ";")
#: Letters nearer than this share of their height are of one word.
WORD_GAP = 0.12


def engine_blocks(
    page: PageText, raw: Sequence[dict[str, Any]], *, engine: str = "docvortex"
) -> tuple[list[Block], float]:
    """The page's blocks in the engine's order, and the share of characters its regions hold.

    No blocks where the pieces are too many to be ordered.
    """
    blocks = [block for item in raw if (block := _block(page, item, engine)) is not None]
    blocks = [block for block in blocks if not swallows(page, block)]
    blocks = [block for block in blocks if cut_back(page, block)]
    for block in blocks:
        if block.kind == "table":
            block.box = _within_rules(page, block, blocks)
    left: list[Run] = []
    places = _places(blocks)
    for run in page.runs:
        for part, block in _split_by_block(run, places):
            if block is None:
                left.append(part)
            else:
                block.runs.append(part)
    held = sum(block.chars for block in blocks)
    share = held / page.chars if page.chars else 1.0
    if len(left) > MAX_LOOSE:
        return [], share
    kept = [b for b in blocks if b.runs or b.kind in ("figure", "chart", "table", "equation")]
    kept = [piece for block in kept for piece in column_pieces(block, kept)]
    body = median(g.box.height for run in page.runs for g in run.glyphs) if page.runs else 0.0
    kept = [piece for block in kept for piece in size_pieces(block, body)]
    for block in kept:
        _correct_kind(page, block, body)
    kept = joined_listings(kept)
    kept = [piece for block in kept for piece in _paragraphs(block)]
    if not _add_loose(page, kept, left):
        return [], share
    charts = chart_blocks(page)
    kept = with_charts(charts, with_grids(page, _beside(grid_tables(page), charts), kept))
    add_pictures(page, kept)
    return _lists(_in_order(with_labels(merged_figures(kept)))), share


def _add_loose(page: PageText, kept: list[Block], left: Sequence[Run]) -> bool:
    """Puts what no region took among the blocks; False where they are too many to be ordered."""
    extras = line_blocks(left, page.page)
    if len(kept) + len(extras) > MAX_BLOCKS:
        return False
    for extra in extras:
        extra.kind = "paragraph"
        insert_by_place(kept, extra)
    return True


def _correct_kind(page: PageText, block: Block, body: float) -> None:
    """Sets the kind of what an engine takes for an equation, a text or a footnote and is none."""
    if block.kind == "equation" and is_words(block):
        block.kind = "paragraph"
    elif is_code(block):
        block.kind = "code"
    elif block.kind == "footnote" and not is_note(
        block, body, low=block.box.y0 > LOW * page.height
    ):
        block.kind, block.role = "paragraph", ""


def plain_blocks(page: PageText, tables: Sequence[Block] = ()) -> list[Block]:
    """The page's blocks from PDFium alone: lines grouped to paragraphs, pictures as figures.

    ``tables`` of another engine take the runs that lie in them. Too many loose pieces become
    ``crowded_blocks``.
    """
    left: list[Run] = []
    charts = [
        chart
        for chart in chart_blocks(page)
        if not any(chart.box.shared(table.box) > 0.5 * chart.box.area for table in tables)
    ]
    grids = _beside(grid_tables(page), charts)
    for grid in grids:
        grid.runs = []
    tables = [*grids, *_beside(tables, grids)]
    labels = {run.box for chart in charts for run in chart.runs}
    tables = _beside(tables, charts)
    places = _places(tables)
    for run in page.runs:
        if run.box in labels:
            continue
        for part, table in _split_by_block(run, places):
            if table is None:
                left.append(part)
            else:
                table.runs.append(part)
    walls = [rule.box for rule in page.rules if not rule.horizontal]
    lines = line_blocks(left, page.page, walls=walls) if len(left) <= MAX_LOOSE else []
    if len(left) > MAX_LOOSE or len(lines) > MAX_BLOCKS:
        blocks = [*charts, *tables, *crowded_blocks(left, page.page)]
        add_pictures(page, blocks)
        return sorted(blocks, key=lambda block: block.box.y0)
    blocks = [*charts, *tables, *lines]
    add_pictures(page, blocks)
    return _lists(_in_order(blocks))


def _beside(tables: Sequence[Block], others: Sequence[Block]) -> list[Block]:
    """The tables that lie in none of ``others``: a chart's key or its values are no table."""
    return [
        table
        for table in tables
        if not any(table.box.shared(other.box) > 0.3 * table.box.area for other in others)
    ]


def _in_order(blocks: Sequence[Block]) -> list[Block]:
    """The page's blocks in reading order, its running heads and page numbers last."""
    flow = [block for block in blocks if block.kind != "furniture"]
    ordered = block_order(
        flow, lambda block: block.box, is_footnote=lambda block: block.role == "page_footnote"
    )
    return [*ordered, *(block for block in blocks if block.kind == "furniture")]


def _block(page: PageText, item: dict[str, Any], engine: str) -> Block | None:
    kind = KINDS.get(item["type"], "paragraph")
    if len(item["bbox"]) != 4:
        return None
    x0, y0, x1, y1 = item["bbox"]
    box = Box(x0 * page.width, y0 * page.height, x1 * page.width, y1 * page.height)
    block = Block(kind=kind, page=page.page, box=box, engine=engine, role=item["type"])
    if kind == "table":
        block.html = item["text"]
    return block


def _within_rules(page: PageText, table: Block, blocks: Sequence[Block]) -> Box:
    """The table's box, cut at the ends of its rules where it reaches into a block beside it."""
    box = table.box
    lying = [r.box for r in page.rules if r.horizontal and box.grown(2).holds(*r.box.centre)]
    if len(lying) < 3:
        return box
    drawn = around(lying)
    left, right = box.x0, box.x1
    for other in blocks:
        if other is table or other.box.shared(box) <= 0:
            continue
        if other.box.x0 > drawn.x1 > box.x0:
            right = min(right, drawn.x1 + 2)
        elif other.box.x1 < drawn.x0 < box.x1:
            left = max(left, drawn.x0 - 2)
    return Box(left, box.y0, right, box.y1)


def _places(blocks: Sequence[Block]) -> list[tuple[Box, Block]]:
    """The blocks, each with the box in which a run is its."""
    return [(block.box.grown(2), block) for block in blocks]


def _split_by_block(
    run: Run, places: Sequence[tuple[Box, Block]]
) -> list[tuple[Run, Block | None]]:
    """The run's parts with the block each lies in; mostly one part."""
    x0, y0, x1, y1 = run.box
    touched = [
        (box.shared(run.box), block)
        for box, block in places
        if box.y0 < y1 and box.y1 > y0 and box.x0 < x1 and box.x1 > x0
    ]
    area = run.box.area
    near = [block for shared, block in touched if shared > 0.05 * area]
    whole = [block for shared, block in touched if shared > 0.05 * area and shared >= 0.85 * area]
    if whole:
        return [(run, min(whole, key=lambda b: b.box.area))]
    if not near:
        return [(run, None)]
    owners: list[Block | None] = []
    for glyph in run.glyphs:
        x, y = glyph.box.centre
        holding = [b for b in near if b.box.grown(2).holds(x, y)]
        owners.append(min(holding, key=lambda b: b.box.area) if holding else None)
    _keep_words(run, owners)
    parts = []
    start = 0
    for k in range(1, len(owners) + 1):
        if k == len(owners) or owners[k] is not owners[start]:
            parts.append((part_of(run, start, k), owners[start]))
            start = k
    return parts


def _keep_words(run: Run, owners: list[Block | None]) -> None:
    """Gives a word that a block's side cuts to that block: nobody else claims its letters."""
    for order in (range(1, len(owners)), range(len(owners) - 2, -1, -1)):
        for k in order:
            beside = k - order.step
            left, right = sorted((k, beside))
            gap = run.glyphs[right].box.x0 - run.glyphs[left].box.x1
            if owners[k] is None and gap < WORD_GAP * run.box.height:
                owners[k] = owners[beside]


def part_of(run: Run, start: int, end: int) -> Run:
    """The run's glyphs [start, end) as a run, with the spaces between them."""
    if start == 0 and end == len(run.glyphs):
        return run
    position, places = 0, []
    for glyph in run.glyphs:
        position = run.text.find(glyph.text, position)
        places.append(position)
        position += len(glyph.text)
    last = places[end - 1] + len(run.glyphs[end - 1].text)
    glyphs = run.glyphs[start:end]
    soft = run.soft_hyphen and end == len(run.glyphs)
    return Run(run.text[places[start] : last], around(g.box for g in glyphs), glyphs, soft)


def _paragraphs(block: Block) -> list[Block]:
    """A text block cut where a line ends a sentence early and the next is indented or an item."""
    if block.kind != "paragraph" or len(block.runs) < 2:
        return [block]
    lines = visual_lines(block.runs)
    groups = [lines[:1]]
    is_item = _ITEM.match(lines[0][0].text) is not None
    for before, line in pairwise(lines):
        height = line[0].box.height
        short = before[-1].box.x1 < block.box.x1 - 2.5 * height
        ended = before[-1].text.endswith(_SENTENCE_END)
        indented = line[0].box.x0 > block.box.x0 + 0.6 * height
        outline = len(groups[-1]) == 1 and begins_anew(before[0].text, line[0].text)
        if short and (
            outline or (ended and (indented or is_item or _ITEM.match(line[0].text) is not None))
        ):
            groups.append([line])
            is_item = _ITEM.match(line[0].text) is not None
        else:
            groups[-1].append(line)
    if len(groups) == 1:
        return [block]
    return [
        Block(
            kind="paragraph",
            page=block.page,
            box=around(run.box for line in group for run in line),
            runs=[run for line in group for run in line],
            engine=block.engine,
            role=block.role,
        )
        for group in groups
    ]


def _lists(blocks: list[Block]) -> list[Block]:
    """Items that follow each other become one list."""
    result: list[Block] = []
    for block in blocks:
        if block.kind == "paragraph" and block.runs and _ITEM.match(_first_text(block)):
            block.kind = "list"
            if result and _same_list(result[-1], block):
                before = result[-1]
                before.box = around((before.box, block.box))
                before.runs += block.runs
                continue
        result.append(block)
    return result


def _same_list(before: Block, block: Block) -> bool:
    near = -4 < block.box.y0 - before.box.y1 < 2.5 * block.size
    return before.kind == "list" and before.role != "index" and near


def _first_text(block: Block) -> str:
    first = visual_lines(block.runs)[0][0]
    return first.text


def item_starts(lines: Sequence[Sequence[Run]]) -> list[bool]:
    """Per line of a list whether an item begins there."""
    return [_ITEM.match(line[0].text) is not None for line in lines]
