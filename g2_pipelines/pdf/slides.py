"""Titles of slides: the line at the head of each page of a deck begins a section of its own.

Without it a slide's text would stand in the last section of the slide before. Here: which
documents are decks, and which block is a slide's title. Pure functions; for ``document`` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from g2_pipelines.pdf.geometry import Block, PageText
from g2_pipelines.pdf.glyphs import visual_lines

#: The role of a slide's title; ``headings`` sets it over all others of its page.
ROLE = "slide_title"
#: A deck has so many pages at least, this share of them wider than high by that ratio.
MIN_PAGES, MIN_SHARE, WIDE = 3, 0.8, 1.2
#: A title stands in this upper share of its page and has so many characters and lines at most.
HEAD, MAX_TITLE, MAX_LINES = 0.22, 80, 2
#: Blocks whose tops are nearer than this share of the height stand at one height.
SAME_TOP = 0.03
#: Smaller pictures (share of the page) are ornaments.
ORNAMENT = 0.03
_NO_TITLE = ("●", "○", "・", "•", "■", "□", "※", "◆", "◇", "➢", "（出典", "(")


def mark_slide_titles(pages: Sequence[PageText], by_page: Sequence[list[Block]]) -> None:
    """Gives the title of each page of a deck the kind heading and the role ROLE."""
    wide = sum(page.width > WIDE * page.height for page in pages)
    if len(pages) < MIN_PAGES or wide < MIN_SHARE * len(pages):
        return
    for page, blocks in zip(pages, by_page, strict=True):
        title = _title(page, blocks) if page.width > WIDE * page.height else None
        if title is not None:
            title.kind = "heading"
            title.role = title.role if title.role == "doc_title" else ROLE


def _title(page: PageText, blocks: Sequence[Block]) -> Block | None:
    body = [
        block
        for block in blocks
        if block.kind != "furniture"
        and not (
            block.kind in ("figure", "chart")
            and block.box.area < ORNAMENT * page.width * page.height
        )
    ]
    texts = [block for block in body if block.runs and block.kind != "table"]
    if len(texts) < 2:
        return None
    top = min(block.box.y0 for block in body)
    first = [block for block in body if block.box.y0 < top + SAME_TOP * page.height]
    usual = median(block.size for block in texts)
    found = [block for block in first if _may_be_title(page, block) and block.size >= usual]
    return max(found, key=lambda b: (round(b.size), -b.box.x0), default=None)


def _may_be_title(page: PageText, block: Block) -> bool:
    text = block.text
    return (
        block.kind in ("paragraph", "heading")
        and block.box.y0 < HEAD * page.height
        and 2 <= len(text) <= MAX_TITLE
        and len(visual_lines(block.runs)) <= MAX_LINES
        and any(char.isalpha() for char in text)
        and not text.endswith(("。", "、", ","))
        and not text.startswith(_NO_TITLE)
    )
