"""Figures of a page's blocks: frames that are none, labels, pictures that no block shows.

Here: which figure of an engine is a frame round text, which texts are a figure's labels, and
which pictures of the page become figures. Pure functions; for ``blocks`` only.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Block, Box, PageText, around
from g2_pipelines.pdf.order import insert_by_place
from g2_pipelines.pdf.regions import drawn_box

#: A figure of more than this share of the page with more than so many characters is none.
FRAME, FRAME_CHARS = 0.55, 250
#: A line with more characters inside a figure's box is no label of it.
LABEL_CHARS = 30
#: Pictures smaller than this share of the page are ornaments.
MIN_PICTURE = 0.008


def swallows(page: PageText, block: Block) -> bool:
    """True for a «figure» of most of a page of text: a frame or background, taken for one."""
    if block.kind not in ("figure", "chart") or block.box.area < FRAME * page.width * page.height:
        return False
    return sum(run.chars for run in page.runs if block.box.holds(*run.box.centre)) > FRAME_CHARS


def cut_back(page: PageText, block: Block) -> bool:
    """Cuts a figure back to what is drawn in it; False for one in which nothing is."""
    if block.kind not in ("figure", "chart"):
        return True
    box = drawn_box(page, block.box)
    block.box = box or block.box
    return box is not None


def with_labels(blocks: list[Block]) -> list[Block]:
    """Pieces inside a figure that no region took, and single short lines, become its labels."""
    figures = [block for block in blocks if block.kind in ("figure", "chart")]
    result = []
    for block in blocks:
        owner = next(
            (f for f in figures if f.box.grown(2).shared(block.box) > 0.8 * block.box.area), None
        )
        loose = block.engine == "pdfium" or (block.chars <= LABEL_CHARS and len(block.runs) == 1)
        if owner is not None and block.kind == "paragraph" and loose:
            owner.runs += block.runs
        else:
            result.append(block)
    return result


def add_pictures(page: PageText, blocks: list[Block]) -> None:
    """Pictures that no block shows yet become figures, unless text stands on them."""
    for picture in _grouped(page.images):
        if picture.area < MIN_PICTURE * page.width * page.height:
            continue
        if any(b.box.shared(picture) > 0.3 * picture.area for b in blocks):
            continue
        if any(picture.grown(-2).holds(*run.box.centre) for run in page.runs):
            continue
        figure = Block(kind="figure", page=page.page, box=picture)
        insert_by_place(blocks, figure)


def _grouped(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that touch, put together (a picture is often stored in strips)."""
    groups: list[Box] = []
    for box in sorted(boxes, key=lambda b: (b.y0, b.x0))[:2000]:
        for k, group in enumerate(groups):
            if group.grown(2).shared(box) > 0 or group.holds(*box.centre):
                groups[k] = around((group, box))
                break
        else:
            groups.append(box)
    return groups


def merged_figures(blocks: list[Block]) -> list[Block]:
    """Figures that overlap or touch with nothing between are one figure, cut by the engine."""
    merged: list[Block] = []
    for block in blocks:
        before = merged[-1] if merged else None
        pair = before is not None and {before.kind, block.kind} <= {"figure", "chart"}
        if before is not None and pair and before.box.grown(4).shared(block.box.grown(4)) > 0:
            before.box = around((before.box, block.box))
            before.runs += block.runs
        else:
            merged.append(block)
    return merged
