"""A document's pages into its blocks in one flow: the order of the steps, and joins over pages.

Here: which layout each page gets and why, the texts of blocks, furniture, captions, headings
and what goes on over a column or page. Each rule stands in its own module. Pure functions;
for the modules of ``pdf`` only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from g2_pipelines.pdf import tables
from g2_pipelines.pdf.aligned import with_aligned_table
from g2_pipelines.pdf.blocks import KEPT_SHARE, engine_blocks, item_starts, plain_blocks
from g2_pipelines.pdf.captions import bind_captions, mark_captions
from g2_pipelines.pdf.furniture import mark_furniture
from g2_pipelines.pdf.geometry import DAMAGED, Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import (
    hyphenated_words,
    is_cjk,
    join_lines,
    join_row,
    join_runs,
    looks_garbled,
    visual_lines,
)
from g2_pipelines.pdf.headings import promote_chapters, set_levels, set_paths, spaced
from g2_pipelines.pdf.layout import Layout
from g2_pipelines.pdf.ruled import with_ruled_tables
from g2_pipelines.pdf.table_parts import mend_tables
from g2_pipelines.pdf.titles import bind_titles
from g2_pipelines.tables.rows import Cell

_ENDED = re.compile(r"[。．.!?！？:：;；」』)）\]][\"'”’]?$")
#: Marks that open a heading, a note or an item, never the rest of a sentence.
_OPENS = re.compile(r"[＜<〈《【〔■□●◆◇▼▲※]|[（(]注")
_BULLET = re.compile(r"^([•‣◦●○■□▪◆◇∙])(?=\S)")
_NUMERIC = re.compile(r"[-+−–]?[\d.,]+[%％]?")
#: Columns of running text that an engine took for a table have longer cells than this.
MAX_MEAN_CELL = 40
#: A table whose cells hold more glued or cut words than this share is none.
MAX_STRANGE = 0.25
#: … and one with more cut figures («1 0. 9») than this.
MAX_STRANGE_FIGURES = 0.3
#: Kinds that may stand between the two halves of a paragraph.
_BETWEEN = ("figure", "chart", "table", "footnote", "caption", "furniture")


@dataclass
class PageBlocks:
    """A page's blocks with how they were found."""

    page: PageText
    blocks: list[Block]
    engine: str
    warnings: list[str] = field(default_factory=list)
    fallback: bool = False


def lay_out(pages: Sequence[PageText], layout: Layout) -> list[PageBlocks]:
    """Blocks of every page, by the engine where it kept the text, else from PDFium's lines."""
    found = []
    for page in pages:
        entry = _lay_out_page(page, layout)
        entry.warnings = [*page.warnings, *entry.warnings]
        found.append(entry)
    return found


def _lay_out_page(page: PageText, layout: Layout) -> PageBlocks:
    if not page.chars and DAMAGED in page.warnings:
        return PageBlocks(page, [], "pdfium")
    if page.ocr:
        blocks = plain_blocks(page)
        for block in blocks:
            block.engine = "rapidocr"
        return PageBlocks(page, blocks, "rapidocr")
    if not page.chars:
        why = "no text layer" if page.images or page.rules else "blank page"
        return PageBlocks(page, plain_blocks(page), "pdfium", [why])
    if page.vertical:
        why = "vertical writing: plain lines"
        return PageBlocks(page, plain_blocks(page), "pdfium", [why], fallback=True)
    raw = layout.pages.get(page.page)
    if raw is None:
        reason = layout.failed.get(page.page, "no layout engine was asked")
        return PageBlocks(
            page, plain_blocks(page), "pdfium", [f"{reason}: plain lines"], fallback=True
        )
    engine = layout.by.get(page.page, "docvortex")
    blocks, share = engine_blocks(page, raw, engine=engine)
    if share < KEPT_SHARE:
        why = f"{engine}'s blocks hold {share:.0%} of the characters: plain lines"
        return PageBlocks(page, plain_blocks(page), "pdfium", [why], fallback=True)
    return PageBlocks(page, with_ruled_tables(page, with_aligned_table(page, blocks)), engine)


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
    return [entry.page.page for entry in found if entry.fallback and not entry.page.vertical]


def fill_tables(found: Sequence[PageBlocks], boxes: Mapping[int, list[dict[str, Any]]]) -> None:
    """Cells for the tables that are still open: docvortex's HTML or liteparse's boxes."""
    for entry in found:
        if entry.fallback:
            found_here = _box_tables(entry.page, boxes.get(entry.page.page, []))
            if found_here:
                entry.blocks = plain_blocks(entry.page, found_here)
                entry.warnings.append(f"{len(found_here)} tables by liteparse")
        for block in entry.blocks:
            if block.kind == "table" and not block.cells:
                _fill_table(block, boxes.get(entry.page.page, []))
        mend_tables(entry.page, entry.blocks)


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


def flow(found: Sequence[PageBlocks]) -> list[Block]:
    """All blocks of the document in order, with texts, kinds, captions, levels and joins."""
    pages = [entry.page for entry in found]
    kept = hyphenated_words(run for page in pages for run in page.runs)
    for entry in found:
        for block in entry.blocks:
            _set_text(block, entry.page, kept)
        entry.blocks = [b for b in entry.blocks if b.text or b.kind in ("figure", "chart", "table")]
    mark_furniture(pages, [entry.blocks for entry in found])
    for entry in found:
        mark_captions(entry.blocks)
        entry.blocks = bind_titles(bind_captions(entry.blocks))
        if entry.page.ruby and not entry.page.ocr:
            entry.blocks.append(_readings(entry.page))
    blocks = _joined([block for entry in found for block in entry.blocks], kept)
    for block in blocks:
        if block.kind == "heading":
            block.text = spaced(block.text)
        block.regions = block.regions or [(block.page, block.box)]
    body = [block for block in blocks if block.kind != "furniture"]
    promote_chapters(body)
    set_levels(body)
    set_paths(body)
    return blocks


def _readings(page: PageText) -> Block:
    """The page's furigana as one piece outside the flow."""
    return Block(
        kind="furniture",
        page=page.page,
        box=around(run.box for run in page.ruby),
        text=" ".join(run.text for run in page.ruby),
        warnings=[f"{len(page.ruby)} readings over kanji (ruby) are kept outside the order"],
    )


def _set_text(block: Block, page: PageText, kept: frozenset[str]) -> None:
    lines = visual_lines(block.runs)
    match block.kind:
        case "table":
            if block.cells:
                block.text, block.cells = tables.table_text(tables.with_headers(block.cells))
            else:
                block.text = "\n".join("\t".join(run.text for run in line) for line in lines)
        case "figure" | "chart":
            block.text = "\n".join(" ".join(run.text for run in line) for line in lines)
            block.kind = "chart" if _is_chart(block, page) else "figure"
            if looks_garbled(block.text):
                block.warnings.append("its labels look like nonsense: the font's codes are none")
        case "code":
            block.text = "\n".join(join_row(line)[0] for line in lines)
        case "list":
            block.text = _list_text(lines, kept)
        case _:
            block.text = join_runs(block.runs, kept)


def _list_text(lines: Sequence[Sequence[Run]], kept: frozenset[str]) -> str:
    items: list[list[tuple[str, bool]]] = []
    for line, starts in zip(lines, item_starts(lines), strict=True):
        if starts or not items:
            items.append([])
        items[-1].append(join_row(line))
    return "\n".join(_BULLET.sub(r"\1 ", join_lines(item, kept)) for item in items)


def _is_chart(block: Block, page: PageText) -> bool:
    """A drawing with a scale: numbers as labels and no picture that fills it."""
    if any(image.shared(block.box) > 0.4 * block.box.area for image in page.images):
        return False
    numbers = sum(_NUMERIC.fullmatch(w) is not None for r in block.runs for w in r.text.split())
    return numbers >= 4


def _joined(blocks: list[Block], kept: frozenset[str]) -> list[Block]:
    """Blocks with paragraphs put together over columns and pages, and tables over pages."""
    result: list[Block] = []
    for block in blocks:
        before = _open_before(result, block)
        if before is None:
            result.append(block)
        elif block.kind == "table":
            header = tables.joined(before, block)
            if header is None:
                result.append(block)
                continue
            before.text, before.cells = tables.table_text(before.cells)
            if any(cell.text for cell in header):
                result.append(_repeated(block, header))
        else:
            soft = bool(before.runs) and visual_lines(before.runs)[-1][-1].soft_hyphen
            before.text = join_lines([(before.text, soft), (block.text, False)], kept)
            before.regions = before.regions or [(before.page, before.box)]
            before.regions.append((block.page, block.box))
            before.runs = block.runs
    return result


def _repeated(table: Block, header: Sequence[Cell]) -> Block:
    """The header that a table repeats on its next page, outside the flow."""
    chars = sum(len("".join(cell.text.split())) for cell in header)
    taken: list[Run] = []
    for line in visual_lines(table.runs):
        if sum(run.chars for run in taken) < chars:
            taken += line
    box = around(run.box for run in taken) if taken else table.box
    text = tables.table_text(header)[0]
    return Block(kind="furniture", page=table.page, box=box, text=text, engine=table.engine)


def _open_before(result: Sequence[Block], block: Block) -> Block | None:
    """The block that ``block`` goes on with, None when it begins something new."""
    if block.kind == "table":
        before = next((b for b in reversed(result) if b.kind != "furniture"), None)
        follows = before is not None and before.kind == "table" and _last_page(before) < block.page
        if not follows or block.caption is not None or before is None:
            return None
        before.regions = before.regions or [(before.page, before.box)]
        return before
    if block.kind != "paragraph":
        return None
    for before in reversed(result):
        if before.kind == "paragraph":
            return before if _goes_on(before, block) else None
        if before.kind not in _BETWEEN:
            return None
    return None


def _last_page(block: Block) -> int:
    return block.regions[-1][0] if block.regions else block.page


def _mid_word(block: Block) -> bool:
    """True for a text that cannot begin a sentence: a short last line that was cut off."""
    first = block.text[0]
    return first.islower() or "\u3041" <= first <= "\u3096"


def _goes_on(before: Block, block: Block) -> bool:
    if not before.runs or not block.runs or _ENDED.search(before.text):
        return False
    if _OPENS.match(block.text):
        return False
    page, box = before.regions[-1] if before.regions else (before.page, before.box)
    elsewhere = block.page == page + 1 or (block.page == page and block.box.y0 < box.y0)
    below = block.page == page and 0 <= block.box.y0 - box.y1 < 0.8 * block.size
    # Right below, only a piece of the same column goes on: centred lines are on their own.
    same = abs(box.x0 - block.box.x0) < 2 * block.size
    right = box.x1 - block.box.x1
    below = below and same and (abs(right) < 2 * block.size or (right > 0 and _mid_word(block)))
    if not (elsewhere or below) or abs(before.size - block.size) > 0.1 * max(
        before.size, block.size
    ):
        return False
    height = max(block.size, 1.0)
    last = around(run.box for run in visual_lines(before.runs)[-1])
    first = visual_lines(block.runs)[0][0]
    full = last.x1 > around(run.box for run in before.runs).x1 - 2 * height
    indented = first.box.x0 > block.box.x0 + 0.5 * height
    begins = first.text[0]
    return (
        full
        and not indented
        and (begins.islower() or is_cjk(begins) or not is_cjk(before.text[-1]))
    )
