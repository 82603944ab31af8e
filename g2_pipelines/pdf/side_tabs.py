"""Tabs at the side of pages: a chapter's number and title in the outer margin.

They run beside the text of every page of a chapter, and would stand in the middle of its flow.
Here: ``mark_side_tabs``, by place and repetition. Pure; for ``document``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from g2_pipelines.pdf.geometry import Block, PageText

#: A tab lies wholly in this share of the page's width, at its left or right.
STRIP = 0.075
#: So many pages with the same text at the same height (points) make a tab.
PAGES, HEIGHT = 3, 6.0


def mark_side_tabs(pages: Sequence[PageText], by_page: Sequence[list[Block]]) -> None:
    """Sets the kind of texts and small pictures that several pages repeat in a margin beside
    their text to furniture.
    """
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for page, blocks in zip(pages, by_page, strict=True):
        for block in _in_strips(page, blocks):
            seen[_key(block)].add(page.page)
    for page, blocks in zip(pages, by_page, strict=True):
        for block in _in_strips(page, blocks):
            words, place = _key(block)
            alike = set[int]().union(*(seen.get((words, place + k), ()) for k in (-1, 0, 1)))
            if len(alike) >= PAGES:
                block.kind = "furniture"


def _in_strips(page: PageText, blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks with text in the outer strips, where no line of another block reaches."""
    for block in blocks:
        if block.kind in ("table", "furniture") or not _words(block):
            continue
        left = block.box.x1 <= STRIP * page.width
        if not left and block.box.x0 < (1 - STRIP) * page.width:
            continue
        others = [b for b in blocks if b is not block and b.kind not in ("furniture", "figure")]
        if not any(b.box.across(block.box) > 0 and b.box.width > page.width / 4 for b in others):
            yield block


def _words(block: Block) -> str:
    return "".join(block.text.split())


def _key(block: Block) -> tuple[str, int]:
    return _words(block), round(block.box.centre[1] / HEIGHT)
