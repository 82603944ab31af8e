"""Headings inside a section: its lines that number or bracket a title.

Here: finding them in clean text. Not here: the text (``clean``). Used by ``filing``.

Neither target section has tagged sub-sections (measured): structure is only in the
lines' numbering, （１） ① ａ．, or in markup of headings. A line of a table is no heading,
nor is a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from g2_pipelines.tables.line1 import SectionHeading, SectionTable

_DIGITS = "0-9０-９"
#: Kinds of numbering; two headings of one kind are on one level.
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("section", re.compile(rf"^[{_DIGITS}]{{1,2}}[\s　]*【[^】]*】")),
    ("bracket", re.compile(r"^【[^】]+】")),
    ("paren-number", re.compile(rf"^[（(][{_DIGITS}]{{1,2}}[）)]")),
    ("circled", re.compile(r"^[①-⑳]")),
    ("paren-letter", re.compile(r"^[（(][a-zａ-ｚA-ZＡ-Ｚ][）)]")),
    ("paren-kana", re.compile(r"^[（(][ア-ン][）)]")),
    ("paren-roman", re.compile(r"^[（(]?[ⅰ-ⅻⅠ-Ⅻ][）)．.、]?")),
    ("number", re.compile(rf"^[{_DIGITS}]{{1,2}}[．.、)）][^{_DIGITS}]")),
    ("letter", re.compile(r"^[a-zａ-ｚA-ZＡ-Ｚ][．.、)）]")),
    ("kana", re.compile(r"^[ア-ン][．.、)）\s　]")),
    ("angle", re.compile(r"^[<＜〈《\[［〔].{1,40}[>＞〉》\]］〕]$")),
    ("paren", re.compile(r"^[（(](?!注|単位)[^（()）]{2,30}[）)]$")),
    ("mark", re.compile(r"^[■◆●◇□]")),
)
_MAX_CHARS = 60
_LINE = re.compile(r"[^\n]+")


def find_headings(
    text: str, tables: Iterable[SectionTable], marked: frozenset[int]
) -> list[SectionHeading]:
    """Headings of ``text`` in order, level 1 the outermost.

    ``marked`` are starts of lines that the markup calls headings. Levels follow the order in
    which the kinds of numbering appear: the first inside another is one deeper.
    """
    ranges = [(t.start, t.end) for t in tables if t.end > t.start]
    stack: list[str] = []
    found: list[SectionHeading] = []
    for match in _LINE.finditer(text):
        line = match.group()
        kind = _kind(line, is_marked=match.start() in marked)
        if kind is None or any(start <= match.start() < end for start, end in ranges):
            continue
        if kind in stack:
            del stack[stack.index(kind) + 1 :]
        else:
            stack.append(kind)
        found.append(
            SectionHeading(level=len(stack), text=line, start=match.start(), end=match.end())
        )
    return found


def _kind(line: str, *, is_marked: bool) -> str | None:
    if "\t" in line or len(line) > _MAX_CHARS or line.endswith(("。", "、", "，", ".")):
        return None
    for kind, pattern in _KINDS:
        if pattern.search(line):
            return kind
    return "marked" if is_marked else None
