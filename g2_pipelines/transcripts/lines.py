"""Lines of a text: their time marks, which are headings, and what a label's mark is.

Here: the values that ``marks``, ``name_marks``, ``contents``, ``layout`` and ``styles`` share.
Every pattern is anchored and bounded: a line of any length costs a constant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from g2_pipelines.transcripts.cues import (
    HEADING_CLOSE,
    HEADING_OPEN,
    PRESENTER_HEADING,
    QA_HEADING,
)
from g2_pipelines.transcripts.qa_marks import Side
from g2_pipelines.transcripts.timed import seconds

Heading = Literal["qa", "presentation"] | None


class Line(NamedTuple):
    """A line [start, end) of the text; ``head`` is behind its time mark, if it has one."""

    start: int
    end: int
    head: int
    t0: float | None
    t1: float | None


class Mark(NamedTuple):
    """A label at [start, end) by one style; the turn's words begin at ``end``.

    ``side`` is what the label says explicitly, ``label`` the words that name the speaker.
    """

    style: str
    line: int
    start: int
    end: int
    label: str
    side: Side | None = None
    t0: float | None = None


TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_RANGE = r"[ ]?(?:-->|→|–|~|〜|－|-)[ ]?"
TIME_PREFIX = re.compile(
    rf"[\s　]{{0,8}}(?:[\[(（【][*＊ ]{{0,6}}(?P<a>{TIME})(?:{_RANGE}(?P<b>{TIME}))?[ ]?[\])）】]"
    rf"|(?P<c>{TIME})(?:{_RANGE}(?P<d>{TIME}))?(?=[\s　]))[\s　]{{0,4}}(?:[/／|｜，,、][\s　]{{1,4}})?"
)


def lines_of(text: str) -> list[Line]:
    """The text's lines, with their leading time marks read."""
    found: list[Line] = []
    position = 0
    for raw in text.split("\n"):
        end = position + len(raw)
        head, t0, t1 = position, None, None
        match = TIME_PREFIX.match(text, position, end) if ":" in raw[:24] else None
        if match:
            head = match.end()
            t0 = seconds(match["a"] or match["c"])
            later = match["b"] or match["d"]
            t1 = seconds(later) if later else None
        found.append(Line(position, end, head, t0, t1))
        position = end + 1
    return found


_INDENT = re.compile(r"(?: {4}|　{2}|\t)[ 　\t]*[^\s　]")


def flush(text: str, lines: Sequence[Line]) -> int:
    """How many lines hold words; below a column of labels those at the margin only."""
    filled = [line for line in lines if text[line.head : line.end].strip()]
    indented = sum(_INDENT.match(text, line.start, line.end) is not None for line in filled)
    return len(filled) - indented if indented * 10 < len(filled) * 9 else len(filled)


_SPACED = re.compile(r"[ \t]{0,8}(?:[A-Z&] {1,4}){3,40}")


def unspaced(words: str) -> str:
    """``P R E S E N T A T I O N`` with its letters together; other words as they are."""
    if _SPACED.match(words) is None:
        return words
    return re.sub(r" {2,}", " ", re.sub(r"(?<=\S) (?=\S)", "", words)).strip()


def heading(text: str, line: Line) -> Heading:
    """The part of the transcript that this line is the heading of, if it is one."""
    size = line.end - line.head
    if size > 120 or (size > 60 and not _SPACED.match(text, line.head, line.end)):
        return None
    if text[line.head + 1 : line.head + 2] == " ":
        words = text[line.head : line.end]
        together = unspaced(words)
        if together != words:
            return heading(together, Line(0, len(together), 0, None, None))
    opening = HEADING_OPEN.match(text, line.head, line.end)
    position = opening.end() if opening else line.head
    for pattern, part in ((QA_HEADING, "qa"), (PRESENTER_HEADING, "presentation")):
        match = pattern.match(text, position, line.end)
        if match and HEADING_CLOSE.match(text, match.end(), line.end):
            return "qa" if part == "qa" else "presentation"
    return None
