"""A document's pages into its blocks in one flow: the order of the steps.

Here: which layout each page gets and why, and the texts of blocks by their kind. Cells of tables
come between the two steps (``table_cells``). Each rule stands in its own module. Pure functions;
for the modules of ``pdf`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from g2_pipelines.pdf import tables
from g2_pipelines.pdf.aligned import with_aligned_table
from g2_pipelines.pdf.blocks import KEPT_SHARE, engine_blocks, item_starts, plain_blocks
from g2_pipelines.pdf.captions import bind_captions, mark_captions
from g2_pipelines.pdf.crowded import MAX_BLOCKS, is_crowded
from g2_pipelines.pdf.footnotes import text_height, with_footnotes
from g2_pipelines.pdf.furniture import mark_furniture
from g2_pipelines.pdf.geometry import DAMAGED, Block, PageText, Run, around
from g2_pipelines.pdf.glyphs import (
    hyphenated_words,
    join_lines,
    join_row,
    join_runs,
    looks_garbled,
    visual_lines,
)
from g2_pipelines.pdf.heading_lines import join_heading_lines
from g2_pipelines.pdf.headings import promote_chapters, set_levels, set_paths, spaced
from g2_pipelines.pdf.joins import joined_blocks
from g2_pipelines.pdf.layout import Layout
from g2_pipelines.pdf.listings import listing_text
from g2_pipelines.pdf.outline import promote_numbered
from g2_pipelines.pdf.ruled import with_ruled_tables
from g2_pipelines.pdf.side_tabs import mark_side_tabs
from g2_pipelines.pdf.slides import mark_slide_titles
from g2_pipelines.pdf.titles import bind_titles

_BULLET = re.compile(r"^([•‣◦●○■□▪◆◇∙])(?=\S)")
_NUMERIC = re.compile(r"[-+−–]?[\d.,]+[%％]?")


@dataclass
class PageBlocks:
    """A page's blocks with how they were found."""

    page: PageText
    blocks: list[Block]
    engine: str
    warnings: list[str] = field(default_factory=list)
    fallback: bool = False
    #: Too many pieces to be ordered: lines from top to bottom, and nobody is asked for tables.
    crowded: bool = False


def lay_out(pages: Sequence[PageText], layout: Layout) -> list[PageBlocks]:
    """Blocks of every page, by the engine where it kept the text, else from PDFium's lines."""
    found = []
    for page in pages:
        entry = _lay_out_page(page, layout)
        if is_crowded(entry.blocks):
            entry.crowded = entry.fallback = True
            entry.warnings.append(f"{len(page.runs)} pieces of text: lines from top to bottom")
        entry.warnings = [*page.warnings, *entry.warnings]
        found.append(entry)
    body = text_height(entry.blocks for entry in found)
    for entry in found:
        entry.blocks = with_footnotes(entry.page, entry.blocks, body)
    return found


def _lay_out_page(page: PageText, layout: Layout) -> PageBlocks:
    if not page.chars and DAMAGED in page.warnings:
        return PageBlocks(page, [], "pdfium")
    if page.ocr:
        blocks = plain_blocks(page)
        for block in blocks:
            block.engine = "rapidocr+grid" if block.cells else "rapidocr"
        return PageBlocks(page, blocks, "rapidocr")
    if not page.chars:
        why = "no text layer" if page.images or page.rules else "blank page"
        blocks = plain_blocks(page)
        for block in blocks:
            block.warnings += page.warnings  # why its picture was not read
        return PageBlocks(page, blocks, "pdfium", [why])
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
    blocks, share = engine_blocks(page, raw, engine=engine) if len(raw) <= MAX_BLOCKS else ([], 1.0)
    if share < KEPT_SHARE:
        why = f"{engine}'s blocks hold {share:.0%} of the characters: plain lines"
        return PageBlocks(page, plain_blocks(page), "pdfium", [why], fallback=True)
    if not blocks:
        why = f"too many pieces for {engine}'s blocks: plain lines"
        return PageBlocks(page, plain_blocks(page), "pdfium", [why], fallback=True)
    return PageBlocks(page, with_ruled_tables(page, with_aligned_table(page, blocks)), engine)


def flow(found: Sequence[PageBlocks]) -> list[Block]:
    """All blocks of the document in order, with texts, kinds, captions, levels and joins."""
    pages = [entry.page for entry in found]
    kept = hyphenated_words(run for page in pages for run in page.runs)
    for entry in found:
        for block in entry.blocks:
            _set_text(block, entry.page, kept)
        entry.blocks = [b for b in entry.blocks if b.text or b.kind in ("figure", "chart", "table")]
    mark_furniture(pages, [entry.blocks for entry in found])
    mark_side_tabs(pages, [entry.blocks for entry in found])
    for entry in found:
        mark_captions(entry.blocks)
        entry.blocks = join_heading_lines(bind_titles(bind_captions(entry.blocks)))
        if entry.page.ruby and not entry.page.ocr:
            entry.blocks.append(_readings(entry.page))
    mark_slide_titles(pages, [entry.blocks for entry in found])
    blocks = joined_blocks([block for entry in found for block in entry.blocks], kept)
    for block in blocks:
        if block.kind == "heading":
            block.text = spaced(block.text)
        block.regions = block.regions or [(block.page, block.box)]
    body = [block for block in blocks if block.kind != "furniture"]
    promote_chapters(body)
    promote_numbered(body)
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
            block.text = listing_text(block)
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
