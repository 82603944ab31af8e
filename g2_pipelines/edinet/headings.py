"""Headings inside a section: its lines that number or bracket a title.

Here: finding them in clean text. Not here: the text (``clean``). Used by ``filing``.

Neither target section has tagged sub-sections (measured): structure is only in the
lines' numbering, （１） ① ａ．, or in markup of headings. A line of a table is no heading,
nor is a sentence.
"""

from __future__ import annotations

import re
import unicodedata
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
_COUNTED = {"paren-number", "circled", "number"}
_NUMBER = re.compile(rf"^[（(]?(?:(?P<digits>[{_DIGITS}]{{1,2}})|(?P<circled>[①-⑳]))")
_MAX_CHARS = 60
_LINE = re.compile(r"[^\n]+")


def find_headings(
    text: str, tables: Iterable[SectionTable], marked: frozenset[int]
) -> list[SectionHeading]:
    """Headings of ``text`` in order, level 1 the outermost.

    ``marked`` are starts of lines that the markup calls headings. Levels follow the order in
    which the kinds of numbering appear: the first inside another is one deeper. A numbering
    that begins anew below another kind, (1) … ④ (1) (2), is one deeper still, until the outer
    one goes on.
    """
    ranges = [(t.start, t.end) for t in tables if t.end > t.start]
    stack: list[tuple[str, int | None]] = []
    found: list[SectionHeading] = []
    for match in _LINE.finditer(text):
        line = match.group()
        kind = _kind(line, is_marked=match.start() in marked)
        if kind is None or any(start <= match.start() < end for start, end in ranges):
            continue
        _descend(stack, kind, _number(line) if kind in _COUNTED else None)
        found.append(
            SectionHeading(level=len(stack), text=line, start=match.start(), end=match.end())
        )
    return found


def _descend(stack: list[tuple[str, int | None]], kind: str, number: int | None) -> None:
    """Leave ``stack`` at the level of the next heading."""
    levels = [level for level, (other, _) in enumerate(stack) if other == kind]
    goes_on = [level for level in levels if number and stack[level][1] == number - 1]
    begins_anew = number == 1 and levels and levels[-1] < len(stack) - 1
    if levels and not (begins_anew and not goes_on):
        del stack[(goes_on or levels)[-1] :]
    stack.append((kind, number))


def _number(line: str) -> int | None:
    match = _NUMBER.match(line)
    if match is None:
        return None
    if match["circled"]:
        return ord(match["circled"]) - ord("①") + 1
    return int(unicodedata.normalize("NFKC", match["digits"]))


def _kind(line: str, *, is_marked: bool) -> str | None:
    if "\t" in line or len(line) > _MAX_CHARS or line.endswith(("。", "、", "，", ".")):
        return None
    for kind, pattern in _KINDS:
        if pattern.search(line):
            return kind
    return "marked" if is_marked else None
