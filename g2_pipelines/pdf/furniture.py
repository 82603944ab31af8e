"""Running heads, footers and page numbers: kept, but outside the flow.

Here: the rule by repetition over pages, added to what an engine says of a page. An engine's
header that stands alone and outside the margins is text again: losing a heading that way is
a known fault (docling-project/docling#3697). Pure functions; for the modules of ``pdf``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Block, PageText

#: Share of the page's height at top and bottom in which furniture stands.
BAND = 0.12
#: A text on this share of the pages (and at least 2) at one height is furniture.
REPEATED = 0.4
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[\s\-–—|/・.()（）]*(?:page|p\.|ページ|頁)?\s*(?:(?:\d{1,3}|[a-z])[-–.])?(?:\d{1,4}|[ivxlc]{1,7})\s*(?:(?:/|of)\s*\d{1,4})?[\s\-–—|・.()（）頁]*",
    re.IGNORECASE,
)


def mark_furniture(pages: Sequence[PageText], by_page: Sequence[list[Block]]) -> None:
    """Sets the kind of running heads, footers and page numbers on all pages to furniture."""
    seen: Counter[tuple[str, int]] = Counter()
    for page, blocks in zip(pages, by_page, strict=True):
        seen.update({key for b in blocks if (key := _key(page, b)) is not None})
    enough = max(2, int(REPEATED * len(pages) + 0.5))
    for page, blocks in zip(pages, by_page, strict=True):
        for block in blocks:
            key = _key(page, block)
            repeated = key is not None and _near_count(seen, key) >= enough
            alone = len(pages) < 3
            if key is not None and (repeated or _PAGE_NUMBER.fullmatch(block.text)):
                block.kind = "furniture"
            elif block.kind == "furniture" and (key is None or not (repeated or alone)):
                block.kind = "paragraph" if key is None else "furniture"


def _key(page: PageText, block: Block) -> tuple[str, int] | None:
    if block.kind not in ("furniture", "paragraph", "heading", "list", "footnote", "caption"):
        return None
    middle = block.box.centre[1]
    if BAND * page.height < middle < (1 - BAND) * page.height or len(block.text) > 200:
        return None
    return _DIGITS.sub("#", " ".join(block.text.split())), round(middle / 8)


def _near_count(seen: Counter[tuple[str, int]], key: tuple[str, int]) -> int:
    text, place = key
    return sum(seen.get((text, place + step), 0) for step in (-1, 0, 1))
