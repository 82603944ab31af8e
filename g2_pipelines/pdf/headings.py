"""Levels of headings and the section path of every node.

Here: a heading's level from its number (2.1, 第3章, (1)) or, without one, from its size
among the document's headings; and the path of headings above each block. Pure functions;
for the modules of ``pdf`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Block

_NUMBERED = re.compile(
    r"(\d{1,2}(?:[.．\-－‐]\d{1,2}){0,4})[.．]?(?=\s|[^\d\s.,．，\-－‐–〜~%％年月日時分人名円)）])"
)
#: … and in an appendix («D.1»); its title has the letter alone («D PROMPTS»).
_LETTERED = re.compile(r"(?:Appendix\s+)?([A-Z](?:\.\d{1,2}){1,4})\.?(?=\s)")
_LETTER = re.compile(r"(?:Appendix\s+)?([A-Z])[.:]?\s+\S")
_GLUED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4}\.?)(?=[\u3041-\u9FFF])(?![年月日時分人名円つ])")
_CHAPTER = re.compile(
    r"(?:第\s*[0-9０-９一二三四五六七八九十]+\s*)(章|部|編|節|項|款)|(chapter|part|appendix)\b",
    re.I,
)
_CHAPTER_LEVEL = {"部": 1, "編": 1, "章": 1, "節": 2, "項": 3, "款": 3}
_AFTER_CHAPTER = re.compile(r"[\s:：・　－–—]|$")
_ITEM = re.compile(r"[(（](\d{1,2}|[一二三四五六七八九十]|[a-z])[)）]|[①-⑳]|[ア-ン][.．)）]")
#: Sizes closer than this share are one size.
SAME_SIZE = 0.06
MAX_LEVEL = 6


def number_of_heading(text: str) -> str | None:
    """The number with which a heading begins («2.1», «1-2-2»), its parts by dots; None without."""
    match = _NUMBERED.match(text)
    return re.sub(r"[．\-－‐]", ".", match[1]) if match else None


def spaced(text: str) -> str:
    """A heading with a space after its number: typesetters set a gap there, not a space."""
    match = _GLUED.match(text)
    return f"{match[1]} {text[match.end() :]}" if match else text


def promote_chapters(blocks: Sequence[Block]) -> None:
    """Short paragraphs that begin as a chapter does (「第2章　…」) become headings, and so do
    titles of appendices in capitals that have a section of their own («D PROMPTS» over «D.1»).
    """
    letters = _letters(blocks)
    for block in blocks:
        text = block.text
        if block.kind == "paragraph" and len(text) <= 80 and text.isupper():
            match = _LETTER.match(text)
            if match is not None and match[1] in letters:
                block.kind = "heading"
        if block.kind == "paragraph" and len(text) <= 60 and not text.endswith(("。", ".", "、")):
            match = _CHAPTER.match(text)
            if match is not None and match[1] and _AFTER_CHAPTER.match(text, match.end()):
                block.kind = "heading"


def _letters(blocks: Sequence[Block]) -> frozenset[str]:
    """The appendices that have sections with numbers."""
    found = (_LETTERED.match(b.text) for b in blocks if b.kind == "heading")
    return frozenset(match[1][0] for match in found if match is not None)


def set_levels(blocks: Sequence[Block]) -> None:
    """Sets ``level`` of every heading, 1 the outermost.

    A title (docvortex's doc_title, or the largest heading alone on page 1) is level 1 and
    moves numbered sections one level down; so do the titles of slides. Unnumbered headings take
    the level of the numbered ones of their size, else one by the rank of their size.
    """
    headings = [block for block in blocks if block.kind == "heading"]
    if not headings:
        return
    title = next(
        (b for b in headings if b.role == "doc_title" and b.page == headings[0].page), None
    )
    base = 0 if title is None else 1
    slides = [block for block in headings if block.role == "slide_title" and block is not title]
    for block in slides:
        block.level = base + 1
    headings = [block for block in headings if block.role != "slide_title" or block is title]
    base += bool(slides)
    letters = _letters(headings)
    sizes: dict[int, list[float]] = {}
    for block in headings:
        block.level = 1 if block is title else _stated_level(block.text, base, letters)
        if block.level is not None and block is not title:
            sizes.setdefault(block.level, []).append(block.size)
    typical = {level: sorted(s)[len(s) // 2] for level, s in sizes.items()}
    ranks = _ranks([b.size for b in headings if b is not title])
    for block in headings:
        if block.level is None:
            same = [
                lv for lv, size in typical.items() if abs(size - block.size) <= SAME_SIZE * size
            ]
            level = min(same) if same else base + 1 + _rank(ranks, block.size)
            block.level = min(level, MAX_LEVEL)


def _stated_level(text: str, base: int, letters: frozenset[str]) -> int | None:
    if (lettered := _LETTERED.match(text)) is not None:
        return min(base + lettered[1].count(".") + 1, MAX_LEVEL)
    if (letter := _LETTER.match(text)) is not None and letter[1] in letters:
        return base + 1
    chapter = _CHAPTER.match(text)
    if chapter is not None:
        return base + _CHAPTER_LEVEL.get(chapter[1] or "", 1)
    number = number_of_heading(text)
    if number is not None:
        return min(base + number.count(".") + 1, MAX_LEVEL)
    item = _ITEM.match(text)
    if item is None:
        return None
    return min(base + (3 if item[0][0] in "(（⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽" else 4), MAX_LEVEL)


def _ranks(sizes: Sequence[float]) -> list[float]:
    ranks: list[float] = []
    for size in sorted(sizes, reverse=True):
        if not ranks or ranks[-1] - size > SAME_SIZE * ranks[-1]:
            ranks.append(size)
    return ranks


def _rank(ranks: Sequence[float], size: float) -> int:
    for k, rank in enumerate(ranks):
        if rank - size <= SAME_SIZE * rank:
            return k
    return len(ranks)


def set_paths(blocks: Sequence[Block]) -> None:
    """Sets ``section_path``: the headings above a block, outermost first; a heading's own
    path holds those above it.
    """
    path: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind == "furniture":
            continue
        if block.kind == "heading" and block.level is not None:
            level = block.level
            path = [entry for entry in path if entry[0] < level]
            block.section_path = [text for _, text in path]
            path.append((level, block.text))
        else:
            block.section_path = [text for _, text in path]
