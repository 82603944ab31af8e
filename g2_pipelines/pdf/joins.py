"""Paragraphs and tables that go on over a column or page, put together.

Here: which block begins nothing new but goes on with one before it, and the header that a table
repeats on its next page. Pure functions; for ``document`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.pdf import tables
from g2_pipelines.pdf.geometry import Block, Run, around
from g2_pipelines.pdf.glyphs import is_cjk, join_lines, visual_lines
from g2_pipelines.pdf.outline import numbering
from g2_pipelines.tables.rows import Cell

_ENDED = re.compile(r"[。．.!?！？:：;；」』)）\]][\"'”’]?$")
#: Marks that open a heading, a note or an item, never the rest of a sentence.
_OPENS = re.compile(r"[＜<〈《【〔■□●◆◇▼▲※]|[（(]注")
#: Kinds that may stand between the two halves of a paragraph.
_BETWEEN = ("figure", "chart", "table", "footnote", "caption", "furniture")


def joined_blocks(blocks: list[Block], kept: frozenset[str]) -> list[Block]:
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
    if _OPENS.match(block.text) or numbering(block.text) is not None:
        return False
    if numbering(before.text) is not None and len(visual_lines(before.runs)) == 1:
        return False  # a numbered title, whatever stands beside it
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
