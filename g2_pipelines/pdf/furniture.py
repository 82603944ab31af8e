"""Running heads, footers and page numbers: kept, but outside the flow.

Here: the rule by place and repetition; what an engine calls a header or footer is no more
than a hint. Furniture leaves order, index and answers, so whatever is in doubt is content: a
heading lost that way is a known fault (docling-project/docling#3697), and so were the figures
of statements that begin at the page's edge (odl_bialetti). Pure functions; for ``pdf`` only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from g2_pipelines.pdf.captions import is_caption
from g2_pipelines.pdf.geometry import Block, PageText
from g2_pipelines.pdf.order import insert_by_place
from g2_pipelines.text.sentences import is_prose

#: Share of the page's height at top and bottom in which furniture stands.
BAND = 0.12
#: A text on this share of the pages (and at least 2) at one height is furniture; where the
#: engine says so too, two pages are enough (chapters' heads).
REPEATED = 0.4
#: Longer texts are furniture only where the engine says so too: notices under every page.
MAX_LENGTH, MAX_NOTICE = 200, 1200
#: A number on so many pages counts them whatever else stands in the margin.
SURE_PAGES = 3
#: A number with words beside it is no longer than this (characters).
MAX_NAMED = 80
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?P<before>[\s\-–—|/・.()（）]*(?:page|p\.?|ページ|頁|第)?)\s*(?:(?:\d{1,3}|[a-z])[-–.])?"
    r"(?P<number>\d{1,6}|(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3}))"
    r"(?P<after>[\s\-–—|・.()（）頁ページ]*)(?P<total>(?:/|of)\s*\d{1,4})?"
    r"(?P<end>[\s\-–—|・.()（）頁ページ]*)",
    re.IGNORECASE,
)
#: «2 | Company», «Company | 3», «12 Part two».
_NAMED_NUMBER = re.compile(
    r"(?P<first>\d{1,4})(?:\s*[|｜·•]\s*|\s+)(?=\D{2}).+|.+?\D(?:\s*[|｜·•]\s*|\s+)(?P<last>\d{1,4})"
)
_CHAPTER_PAGE = re.compile(r"(?:\d{1,2}|[A-Z])[-–]\d{1,3}")
_DASHES = re.compile(r"\s*[-–—|]\s*")
#: Units, notes and continuation marks stand over or under tables on many pages.
_CONTENT = re.compile(
    r"[（(＊*※]?\s*(?:注|単位|出典|出所|資料|in (?:thousands|millions|billions)|notes?\b|source)",
    re.IGNORECASE,
)


@dataclass
class _Seen:
    """Where the texts and numbers of the margins stand in the whole document."""

    pages: int
    alike: dict[tuple[str, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    same: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    #: Page number minus place of the page → pages.
    steps: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))


def mark_furniture(pages: Sequence[PageText], by_page: Sequence[list[Block]]) -> None:
    """Sets the kind of running heads, footers and page numbers on all pages to furniture.

    An engine's furniture that is none becomes a paragraph in its place of the flow.
    """
    seen = _Seen(len(pages))
    for page, blocks in zip(pages, by_page, strict=True):
        for block in _in_margins(page, blocks):
            seen.alike[_key(block)].add(page.page)
            seen.same[_words(block)].add(page.page)
            step = _step(block, page.page)
            if step is None and block.kind == "furniture":
                step = _named_step(block, page.page)
            if step is not None:
                seen.steps[step].add(page.page)
    for page, blocks in zip(pages, by_page, strict=True):
        chosen = _chosen(page, blocks, seen)
        for block in blocks:
            if id(block) in chosen:
                block.kind = "furniture"
        for block in [b for b in blocks if b.kind == "furniture" and id(b) not in chosen]:
            block.kind = "paragraph"
            _replace(blocks, block)


def _replace(blocks: list[Block], block: Block) -> None:
    """Moves ``block`` behind what it follows on the page: engines put margins first or last."""
    place = next(k for k, other in enumerate(blocks) if other is block)
    del blocks[place]
    flow = [other for other in blocks if other.kind != "furniture"]
    insert_by_place(flow, block)
    after = next(k for k, other in enumerate(flow) if other is block)
    if after:
        before = next(k for k, other in enumerate(blocks) if other is flow[after - 1])
        blocks.insert(before + 1, block)
    else:
        blocks.insert(0, block)


def _in_margins(page: PageText, blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        text = block.kind not in ("table", "figure", "chart", "equation", "code")
        longest = MAX_NOTICE if block.kind == "furniture" else MAX_LENGTH
        if text and _side(page, block) is not None and 0 < len(block.text) <= longest:
            yield block


def _side(page: PageText, block: Block) -> bool | None:
    """True in the top margin, False in the bottom margin, else None."""
    if block.box.y1 < (BAND + 0.02) * page.height and block.box.centre[1] < BAND * page.height:
        return True
    if (
        block.box.centre[1] > (1 - BAND) * page.height
        and block.box.y0 > (0.98 - BAND) * page.height
    ):
        return False
    return None


def _words(block: Block) -> str:
    return " ".join(block.text.split())


def _key(block: Block) -> tuple[str, int]:
    return _DIGITS.sub("#", _words(block)), round(block.box.centre[1] / 8)


def _step(block: Block, page: int) -> int | None:
    match = _PAGE_NUMBER.fullmatch(normalize("NFKC", block.text))
    return int(match["number"]) - page if match and match["number"].isdigit() else None


def _named_step(block: Block, page: int) -> int | None:
    """Page number minus place of the page for a number with words beside it."""
    words = normalize("NFKC", _words(block))
    match = _NAMED_NUMBER.fullmatch(words) if len(words) <= MAX_NAMED else None
    return int(match["first"] or match["last"]) - page if match else None


def _chosen(page: PageText, blocks: Sequence[Block], seen: _Seen) -> set[int]:
    """Ids of the page's furniture: from each edge inwards, never behind content."""
    chosen: set[int] = set()
    margins = {id(block) for block in _in_margins(page, blocks)}
    bare = any(id(b) in margins and _is_page_number(b, page, blocks, seen) for b in blocks)
    for top in (True, False):
        content: float | None = None
        numbered = False
        ranked = sorted(
            (b for b in blocks if b.text and b.kind not in ("figure", "chart")),
            key=lambda b: b.box.y1 if top else -b.box.y0,
        )
        for block in ranked:
            if id(block) not in margins or _side(page, block) is not top:
                break_here = block.kind != "furniture"
                far = block.box.y1 if top else block.box.y0
                content = far if break_here and content is None else content
                continue
            near = block.box.y0 if top else block.box.y1
            behind = content is not None and (content <= near + 1 if top else content >= near - 1)
            number = not numbered and _is_page_number(block, page, blocks, seen)
            sure = number and _counts(block, page.page, seen)
            named = not bare and not behind and _is_named_number(block, page.page, seen)
            if sure or named or (not behind and (number or _is_running(block, page.page, seen))):
                chosen.add(id(block))
                numbered = numbered or number
            elif content is None:
                content = block.box.y1 if top else block.box.y0
    return chosen


def _counts(block: Block, page: int, seen: _Seen) -> bool:
    """True for a number that goes up with the pages, page by page."""
    step = _step(block, page)
    return step is not None and len(seen.steps[step]) >= min(SURE_PAGES, max(2, seen.pages))


def _is_named_number(block: Block, page: int, seen: _Seen) -> bool:
    """True for words with the page's number beside them, where the numbers are known."""
    words = _words(block)
    if block.kind not in ("furniture", "paragraph") or is_caption(words) or _CONTENT.match(words):
        return False
    step = _named_step(block, page)
    return step is not None and len(seen.steps[step]) >= SURE_PAGES and not is_prose(block.text)


def _is_page_number(block: Block, page: PageText, blocks: Sequence[Block], seen: _Seen) -> bool:
    """True for a page's number: alone on its line, and counted, dressed or named as one."""
    match = _PAGE_NUMBER.fullmatch(normalize("NFKC", block.text))
    if match is None or match["number"].strip("0") == "":
        return False
    height = block.box.height
    for other in blocks:
        beside = other is not block and other.box.down(block.box) > 0.5 * height
        if not beside or not _DIGITS.search(other.text):
            continue
        # A date that every page repeats beside its number is no row of figures.
        repeated = other.kind == "furniture" and len(seen.same[_words(other)]) >= SURE_PAGES
        if not repeated and not re.search(r"[^\W\d_]{2}", other.text):
            return False
    step = _step(block, page.page)
    counted = step is not None and len(seen.steps[step]) > 1
    if step is not None and int(match["number"]) >= 1000:
        return _counts(block, page.page, seen)
    ends = match["after"] + match["end"]
    dashes = _DASHES.fullmatch(match["before"]) and _DASHES.fullmatch(ends)
    named = any(mark in match.group().casefold() for mark in ("page", "p.", "ページ", "頁"))
    dressed = bool(dashes) or match["total"] is not None or named
    # A single page cannot count: a chapter's number before its own («7-45») is enough there.
    lone = seen.pages == 1 and _CHAPTER_PAGE.fullmatch(block.text.strip()) is not None
    return counted or dressed or lone or block.role == "page_number"


def _is_running(block: Block, page: int, seen: _Seen) -> bool:
    """True for words that stand at one height on other pages, digits apart."""
    if block.kind not in ("furniture", "paragraph", "heading") or not block.text:
        return False
    words, place = _key(block)
    enough = max(2, int(REPEATED * seen.pages + 0.5))
    repeated = seen.same[_words(block)]
    if block.kind == "furniture" and len(block.text) > 5 and len(repeated) >= max(3, enough):
        # The same sign or date under every page; a sentence stays where it stands first.
        return not is_prose(block.text) or page != min(repeated)
    letters = sum(char.isalpha() for char in words)
    if letters < 2 or letters < sum(char.isdigit() for char in block.text):
        return False
    if _CONTENT.match(words) or is_caption(block.text):
        return False
    found = set[int]().union(*(seen.alike.get((words, place + k), ()) for k in (-1, 0, 1)))
    if len(found) < (2 if block.kind == "furniture" else enough):
        return False
    # A sentence that every page repeats (a disclaimer) stays content where it stands first.
    if is_prose(block.text):
        same = seen.same[_words(block)]
        return len(same) >= max(3, enough) and page != min(same)
    return True
