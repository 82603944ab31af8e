"""Cells for the tables that a layout engine found, from rules and from other engines.

Here: which reader's cells a table gets and why, and tables that another engine finds on pages
without a layout. Runs between ``document``'s two steps. Pure functions; for ``worker`` only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from g2_pipelines.pdf import tables
from g2_pipelines.pdf.blocks import plain_blocks
from g2_pipelines.pdf.document import PageBlocks
from g2_pipelines.pdf.geometry import Block, Box, PageText
from g2_pipelines.pdf.leftover import lost_lines
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.prose import prose_blocks
from g2_pipelines.pdf.table_parts import mend_tables

#: Columns of running text that an engine took for a table have longer cells than this.
MAX_MEAN_CELL = 40
#: A table whose cells hold more glued or cut words than this share is none.
MAX_STRANGE = 0.25
#: … and one with more cut figures («1 0. 9») than this.
MAX_STRANGE_FIGURES = 0.3


def open_tables(found: Sequence[PageBlocks]) -> list[int]:
    """Fills tables whose rules close a grid; the pages (from 1) with other tables."""
    pages = []
    for entry in found:
        for block in entry.blocks:
            if block.kind != "table" or block.cells:
                continue
            cells = tables.grid_cells(block.box, block.runs, entry.page.rules)
            if tables.holds_region(cells, block.chars):
                block.cells, block.engine = cells, block.engine + "+grid"
            elif entry.page.page not in pages:
                pages.append(entry.page.page)
    return pages


def plain_pages(found: Sequence[PageBlocks]) -> list[int]:
    """Pages (from 1) of plain lines on which another engine may still find tables."""
    return [e.page.page for e in found if e.fallback and not (e.crowded or e.page.vertical)]


def fill_tables(found: Sequence[PageBlocks], boxes: Mapping[int, list[dict[str, Any]]]) -> None:
    """Cells for the tables that are still open: docvortex's HTML or liteparse's boxes."""
    for entry in found:
        if entry.fallback and not entry.crowded:
            found_here = _box_tables(entry.page, boxes.get(entry.page.page, []))
            if found_here:
                entry.blocks = plain_blocks(entry.page, found_here)
                entry.warnings.append(f"{len(found_here)} tables by liteparse")
        for block in entry.blocks:
            if block.kind == "table" and not block.cells:
                _fill_table(block, boxes.get(entry.page.page, []))
        for block in [b for b in entry.blocks if b.kind == "table"]:
            if prose := prose_blocks(block):
                place = next(k for k, other in enumerate(entry.blocks) if other is block)
                entry.blocks[place : place + 1] = prose
        mend_tables(entry.page, entry.blocks)
        _keep_lost_lines(entry)


def _keep_lost_lines(entry: PageBlocks) -> None:
    """What another engine's cells passed over stands as text behind their table."""
    for table in [block for block in entry.blocks if block.kind == "table" and block.cells]:
        lost = lost_lines(table)
        if not lost:
            continue
        own = {id(run) for run in lost}
        table.runs = [run for run in table.runs if id(run) not in own]
        place = next(k for k, other in enumerate(entry.blocks) if other is table)
        entry.blocks[place + 1 : place + 1] = line_blocks(lost, table.page)
        entry.warnings.append(f"{len(lost)} lines of a table's region stand in none of its cells")


def _box_tables(page: PageText, candidates: Sequence[dict[str, Any]]) -> list[Block]:
    """Liteparse's tables of a page as blocks, where their cells hold the region's text."""
    blocks = []
    for table in candidates:
        cells = tables.box_cells(table)
        box = Box(*table["bbox"]) if table["bbox"] else Box(0, 0, 0, 0)
        inside = [run for run in page.runs if box.grown(2).holds(*run.box.centre)]
        words = {word for run in inside for word in run.text.split()}
        texts = [cell.text for cell in cells if cell.text]
        small = bool(texts) and sum(map(len, texts)) / len(texts) < MAX_MEAN_CELL
        shape = tables.columns_of(cells) >= 2 and len(table["rows"]) >= 3
        sound = tables.holds_region(cells, sum(run.chars for run in inside))
        if small and shape and sound and _strange_share(cells, words) < MAX_STRANGE:
            blocks.append(
                Block(kind="table", page=page.page, box=box, cells=cells, engine="liteparse")
            )
    return blocks


def _fill_table(block: Block, candidates: Sequence[dict[str, Any]]) -> None:
    words = {word for run in block.runs for word in run.text.split()}
    choices = [(tables.html_cells(block.html), block.engine)]
    for table in candidates:
        box = Box(*table["bbox"]) if table["bbox"] else block.box
        if box.shared(block.box) > 0.6 * max(box.area, block.box.area):
            choices.append((tables.box_cells(table), "liteparse"))
    sound = [
        (_strange_share(cells, words), k, cells, engine)
        for k, (cells, engine) in enumerate(choices)
        if tables.holds_region(cells, block.chars)
        and tables.columns_of(cells) > 1
        and _strange_share(cells, words, figures=True) <= MAX_STRANGE_FIGURES
    ]
    if sound:
        _, _, block.cells, block.engine = min(sound, key=lambda choice: choice[:2])
    else:
        block.warnings.append("table without cells: its lines as text")


def _strange_share(cells: Sequence[Any], words: set[str], *, figures: bool = False) -> float:
    """Share of the cells' words that stand nowhere in the region's text (glued or cut).

    ``figures``: of those with a digit only.
    """
    all_words = [word for cell in cells for word in cell.text.split()]
    if figures:
        all_words = [word for word in all_words if any(char.isdigit() for char in word)]
    return round(sum(word not in words for word in all_words) / max(1, len(all_words)), 2)
