"""Titles over charts and bracketed titles over tables and pictures, bound as their captions.

Here: which short line right over a drawing is its title although it has no label (図1). Slides
and reports set such titles in the middle over a chart or in brackets (＜売上高の推移＞); the
title of a section or of the whole page stays a heading. Pure functions; for ``document`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.pdf.captions import label_of
from g2_pipelines.pdf.geometry import Block, Box
from g2_pipelines.pdf.headings import number_of_heading

#: A title is no longer (characters) and no farther from its drawing than this (points).
MAX_TITLE, REACH = 60, 26.0
#: Its middle is off the drawing's by less than this share of the drawing's width.
OFF_MIDDLE = 0.12
#: … and it reaches over the drawing's sides by less than this share.
OVER = 0.2
_BRACKETED = re.compile(r"[＜<【《〈〔［].*[＞>】》〉〕］]", re.DOTALL)
_ENDED = (*"。．.、,:：;!?！？",)
_SECTION = re.compile(
    r"第\s*[\d０-９一二三四五六七八九十]+\s*[章節項部編款]|[①-⑳]|[(（][\d０-９]+[)）]"
)


def bind_titles(blocks: Sequence[Block]) -> list[Block]:
    """One page's blocks with the titles of charts, tables and figures made their captions."""
    body = [block for block in blocks if block.kind != "furniture"]
    top = min((block.box.y0 for block in body), default=0.0)
    titles = [block for block in body if _may_be_title(block) and block.box.y0 > top]
    targets = [b for b in body if b.kind in ("chart", "figure", "table") and b.caption is None]
    pairs = sorted(
        (gap, i, j)
        for i, title in enumerate(titles)
        for j, target in enumerate(targets)
        if (gap := _gap(title, target, body)) is not None
    )
    bound: set[int] = set()
    for _, i, j in pairs:
        if i not in bound and targets[j].caption is None:
            targets[j].caption = titles[i]
            bound.add(i)
    moved = {id(titles[i]) for i in bound}
    return [block for block in blocks if id(block) not in moved]


def _may_be_title(block: Block) -> bool:
    text = block.text
    return (
        block.kind in ("paragraph", "heading")
        and 2 <= len(text) <= MAX_TITLE
        and any(char.isalpha() for char in text)
        and (_BRACKETED.fullmatch(text) is not None or not text.endswith(_ENDED))
        and label_of(text) is None
        and number_of_heading(text) is None
        and _SECTION.match(text) is None
    )


def _gap(title: Block, target: Block, body: Sequence[Block]) -> float | None:
    """White space between the title and what it stands over, None where it is not its title."""
    a, b = title.box, target.box
    gap = b.y0 - a.y1
    if not -a.height < gap < REACH or a.y0 >= b.y0 + 0.5 * a.height:
        return None
    over = OVER * b.width
    if not (b.x0 - over <= a.x0 and a.x1 <= b.x1 + over):
        return None
    bracketed = _BRACKETED.fullmatch(title.text) is not None
    centred = abs(a.centre[0] - b.centre[0]) < OFF_MIDDLE * b.width
    if not bracketed and not (centred and target.kind == "chart"):
        return None
    if bracketed and not centred and abs(a.x0 - b.x0) > 0.2 * b.width:
        return None
    between = Box(max(a.x0, b.x0), a.y1, min(a.x1, b.x1), b.y0)
    crowded = any(
        other is not title and other is not target and other.box.shared(between) > 0
        for other in body
    )
    return None if crowded else max(0.0, gap)
