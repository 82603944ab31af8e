"""Program listings that an engine cut in pieces, put together with their indents.

Here: texts in one typewriter's letters right under each other, of which one at least is a
listing, as one; and a listing's lines with the spaces that stand before them. Pure functions;
for ``blocks`` and ``document`` only.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.pdf.cuts import is_code
from g2_pipelines.pdf.geometry import Block, around
from g2_pipelines.pdf.glyphs import is_cjk, join_row, visual_lines

#: White between two pieces, in heights of their letters, and how much widths may differ.
GAP, SAME_WIDTH = 1.3, 0.06
MAX_INDENT = 60
_KINDS = ("paragraph", "list", "code", "equation")


def letter_width(block: Block) -> float | None:
    """Width in points of a typewriter's letter, None for text in other letters.

    Every letter has it, Japanese ones twice; blanks tell it where all letters are as wide.
    """
    latin = sorted(g.box.width for run in block.runs for g in run.glyphs if g.text.isascii())
    if not latin:
        return None
    unit = latin[len(latin) // 2]
    wide = [g.box.width / 2 for r in block.runs for g in r.glyphs if is_cjk(g.text[0])]
    same = all(abs(width - unit) <= SAME_WIDTH * unit for width in [*latin, *wide])
    return unit if same and unit > 0 else None


def joined_listings(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with the pieces of each listing as one block in the place of its first."""
    pieces = [
        (block, width)
        for block in blocks
        if block.kind in _KINDS and block.runs and (width := letter_width(block)) is not None
    ]
    pieces.sort(key=lambda piece: (piece[0].box.y0, piece[0].box.x0))
    groups: list[list[tuple[Block, float]]] = []
    for block, width in pieces:
        group = next((g for g in groups if _goes_on(g, block, width)), None)
        if group is None:
            groups.append([(block, width)])
        else:
            group.append((block, width))
    gone: set[int] = set()
    for group in groups:
        parts = [block for block, _ in group]
        if len(parts) > 1 and any(b.kind == "code" or is_code(b) for b in parts):
            places = {id(block): k for k, block in enumerate(blocks)}
            first = min(parts, key=lambda block: places[id(block)])
            first.runs = [run for block in parts for run in block.runs]
            first.box = around(block.box for block in parts)
            first.kind = "code"
            gone |= {id(block) for block in parts if block is not first}
    return [block for block in blocks if id(block) not in gone]


def _goes_on(group: Sequence[tuple[Block, float]], block: Block, width: float) -> bool:
    whole = around(b.box for b, _ in group)
    if abs(group[0][1] - width) > SAME_WIDTH * width:
        return False
    height = max(block.size, 1.0)
    below = -0.5 * height < block.box.y0 - whole.y1 < GAP * height
    return below and -whole.across(block.box) < 8 * width


def listing_text(block: Block) -> str:
    """The listing's lines, each with the spaces that stand before it."""
    lines = visual_lines(block.runs)
    if not lines:
        return ""
    glyphs = sorted(g.box.width for r in block.runs for g in r.glyphs if g.text.isascii())
    unit = glyphs[len(glyphs) // 2] if glyphs else 0.0
    left = min(line[0].box.x0 for line in lines)
    rows = []
    for line in lines:
        indent = round((line[0].box.x0 - left) / unit) if unit > 0 else 0
        rows.append(" " * min(indent, MAX_INDENT) + join_row(line)[0])
    return "\n".join(rows)
