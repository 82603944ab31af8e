"""Headings over two lines that an engine cut: put together again.

Here: whether a line goes on in the next because the word did not fit. Pure functions; for
``document`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Block, around
from g2_pipelines.pdf.glyphs import is_cjk, join_lines, visual_lines
from g2_pipelines.pdf.headings import number_of_heading

#: A heading's line has no more characters, and its letters differ by less than this share.
MAX_LINE, SAME_SIZE = 90, 0.04
#: Marks that open an item or a heading of its own.
_OPENS = re.compile(
    r"[＜<〈《【〔「『■□●◆◇▼▲※•・○☆★①-⑳\uf000-\uf0ff]|[（(]|第\s*[\d０-９一二三四五六七八九十]"
)
_ENDED = ("。", "．", ".", "!", "?", "！", "？", ":", "：", "」", "』", "】", "〉", "＞")


def join_heading_lines(blocks: Sequence[Block]) -> list[Block]:
    """One page's blocks with a heading and the line in which it goes on as one heading."""
    result: list[Block] = []
    text = [b for b in blocks if b.kind in ("paragraph", "heading", "list")]
    for block in blocks:
        before = result[-1] if result else None
        if before is not None and _goes_on(before, block, text):
            before.runs = [*before.runs, *block.runs]
            before.text = join_lines([(before.text, False), (block.text, False)])
            before.box = around((before.box, block.box))
            before.kind = "heading"
            before.role = before.role if before.role == "doc_title" else block.role
        else:
            result.append(block)
    return result


def _goes_on(before: Block, block: Block, text: Sequence[Block]) -> bool:
    kinds = {before.kind, block.kind}
    if "heading" not in kinds or not kinds <= {"heading", "paragraph"}:
        return False
    if max(len(before.text), len(block.text)) > MAX_LINE or len(visual_lines(block.runs)) > 1:
        return False
    if before.text.endswith(_ENDED) or _OPENS.match(block.text) or block.text.endswith("。"):
        return False
    if number_of_heading(block.text) is not None:
        return False
    size = max(before.size, block.size)
    last = around(run.box for run in visual_lines(before.runs)[-1])
    near = -0.5 * size < block.box.y0 - last.y1 < 0.8 * size and last.across(block.box) > 0
    if not near or abs(before.size - block.size) > SAME_SIZE * size:
        return False
    column = [b.box.x1 for b in text if b.box.across(before.box) > 0]
    return last.x1 + _first_width(block) > max(column) and last.x1 > 0.5 * max(column)


def _first_width(block: Block) -> float:
    """Width in points of what would have had to stand on the line before, a space included."""
    first = visual_lines(block.runs)[0][0]
    if is_cjk(first.text[0]):
        return 1.5 * block.size
    word = first.text.split(None, 1)[0]
    glyphs = first.glyphs[: len(word)]
    return glyphs[-1].box.x1 - glyphs[0].box.x0 + 0.4 * block.size
