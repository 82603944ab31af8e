"""Footnotes: small numbered notes under a page's text, one block each.

Engines leave those of Japanese reports («＊1», «※2», «注3)») in the flow, several in a paragraph,
where they stand between the halves of a sentence that goes on over the page. Here:
``with_footnotes``, by size, mark and place. Pure; for ``document``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from g2_pipelines.pdf.geometry import Block, PageText, Run, around
from g2_pipelines.pdf.glyphs import visual_lines

#: Notes are set in letters of at most this share of the text's height.
SMALL = 0.9
#: They stand under this share of the page's height.
LOW = 0.4
_MARK = re.compile(r"(?:[*＊※][\s　]?\d{1,3}|[†‡]|[（(]?注[\s　]?\d{1,3}[）)]?)(?!\d)")
_TEXT = ("paragraph", "list", "footnote")
_ASIDE = ("header", "footer", "page_number")


def text_height(by_page: Iterable[Sequence[Block]]) -> float:
    """The height of most letters in the document's paragraphs, in points; 0 without any."""
    counts: Counter[float] = Counter()
    for blocks in by_page:
        for block in blocks:
            if block.kind == "paragraph":
                counts[round(block.size, 1)] += block.chars
    total, middle = 0, counts.total() / 2
    for height, chars in sorted(counts.items()):
        total += chars
        if total >= middle:
            return height
    return 0.0


def with_footnotes(page: PageText, blocks: Sequence[Block], body: float) -> list[Block]:
    """The blocks, with the notes under the page's text as footnotes.

    ``body``: the ``text_height`` of the document.
    """
    notes = _notes(page, blocks, body)
    if not notes:
        return list(blocks)
    ends = [block for block in blocks if block.role in _ASIDE and _goes_on(notes[-1], block)]
    for end in ends:
        notes[-1].runs += end.runs
        notes[-1].box = around((notes[-1].box, end.box))
    result: list[Block] = []
    for block in blocks:
        if not any(block is end for end in ends):
            result += _cut(block) if any(block is note for note in notes) else [block]
    return result


def _goes_on(note: Block, block: Block) -> bool:
    """True for a last line of a note that an engine took for the page's footer."""
    gap = block.box.y0 - note.box.y1
    return block.box.x0 >= note.box.x0 - 1 and -block.size < gap < block.size / 2


def _notes(page: PageText, blocks: Sequence[Block], body: float) -> list[Block]:
    """The lowest small texts, from the first that has a mark on."""
    text = [b for b in blocks if b.kind != "furniture" and b.role not in _ASIDE and b.runs]
    low: list[Block] = []
    for block in sorted(text, key=lambda b: (-b.box.y1, b.box.x0)):
        if block.kind not in _TEXT or block.size > SMALL * body:
            break
        low.append(block)
    low = [block for block in reversed(low) if block.box.y0 > LOW * page.height]
    first = next((k for k, block in enumerate(low) if _MARK.match(_first(block))), len(low))
    return low[first:]


def _first(block: Block) -> str:
    return _text(visual_lines(block.runs)[0])


def _text(line: Sequence[Run]) -> str:
    return "".join(run.text for run in line).strip()


def _cut(block: Block) -> list[Block]:
    """A footnote for each line with a mark, and what follows it."""
    groups: list[list[Run]] = []
    for line in visual_lines(block.runs):
        if not groups or _MARK.match(_text(line)):
            groups.append([])
        groups[-1] += line
    if len(groups) == 1:
        block.kind, block.role = "footnote", "page_footnote"
        return [block]
    return [
        replace(
            block,
            kind="footnote",
            role="page_footnote",
            box=around(run.box for run in runs),
            runs=runs,
        )
        for runs in groups
    ]
