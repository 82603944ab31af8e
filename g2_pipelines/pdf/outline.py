"""Headings of Japanese notices: short numbered lines in the text's own letters.

「１．」「（１）」「①」 open headings and items of lists alike, and engines that go by the letters'
size see neither. Here: what follows tells them apart. A numbered line with a text under it, or
with a line of the next kind of number, is a heading; numbered lines under each other are items.
Pure functions; for ``blocks`` and ``document`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Block
from g2_pipelines.pdf.glyphs import is_cjk, visual_lines

_NUMBERS = (
    re.compile(r"第[\s　]?[0-9０-９一二三四五六七八九十]+[\s　]?[章節条]?[\s　]"),
    re.compile(r"[0-9０-９]{1,2}[．.、][\s　]*(?=[^\d０-９\s])"),
    re.compile(r"[(（][0-9０-９]{1,2}[)）]|[⑴-⒇]"),
    re.compile(r"[①-⑳]|[ア-ン][．.、)）]"),
)
#: A heading is no longer (characters).
MAX_HEADING = 45
#: A text under a heading has so many characters or ends a sentence.
MIN_TEXT = 40
_ENDS_SENTENCE = ("。", "．", ".", "、", "，", ",", "；", ";")
#: A line of a list of contents ends in its page's number.
_CONTENTS = re.compile(r"[…‥・.．\s　][\s　]*[0-9０-９]+$|…")


def numbering(text: str) -> int | None:
    """The kind of number with which a Japanese line begins, 0 the outermost; None without one."""
    for kind, pattern in enumerate(_NUMBERS):
        match = pattern.match(text)
        if match is not None:
            rest = text[match.end() : match.end() + 12]
            return kind if any(is_cjk(char) for char in rest) else None
    return None


def promote_numbered(blocks: Sequence[Block]) -> None:
    """Gives numbered lines that have a text of their own the kind heading.

    ``blocks`` are the document's, in order, without furniture.
    """
    for k, block in enumerate(blocks[:-1]):
        kind = numbering(block.text)
        if kind is None or block.kind not in ("paragraph", "list") or not _may_be_heading(block):
            continue
        following = blocks[k + 1]
        deeper = numbering(following.text)
        if following.kind not in ("paragraph", "list", "heading", "table", "figure", "chart"):
            continue
        if deeper is None:
            opens = following.kind in ("table", "figure", "chart") or _is_text(following.text)
        else:
            opens = deeper > kind or (following.kind == "list" and deeper >= kind + 1)
        if opens:
            block.kind = "heading"


def _may_be_heading(block: Block) -> bool:
    text = block.text
    return (
        len(text) <= MAX_HEADING
        and len(visual_lines(block.runs)) == 1
        and not text.endswith(_ENDS_SENTENCE)
        and _CONTENTS.search(text) is None
    )


def _is_text(text: str) -> bool:
    return len(text) >= MIN_TEXT or text.endswith("。")


def begins_anew(before: str, line: str) -> bool:
    """True where a short numbered line is followed by a line with another kind of number."""
    first, second = numbering(before), numbering(line)
    return first is not None and second is not None and second > first
