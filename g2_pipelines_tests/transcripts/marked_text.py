"""Transcripts with their right values written into them.

Here: reading the files of ``marked``. ``«q»``, ``«a»``, ``«m»`` and ``«p»`` stand before the
first word of each turn and say its role (question, answer, moderator, presenter); a plus
(``«q+»``) says that a chunk begins there. Without the marks the file is the transcript.
Invented companies and people only.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from g2_pipelines.tables.line1 import QaChunk, Turn

ROLES = {"q": "question", "a": "answer", "m": "moderator", "p": "presenter"}
MARK = re.compile(r"«(?P<role>[qamp])(?P<begins>\+?)»")
FOLDER = Path(__file__).parent / "marked"
SHOWN = 12


class Wanted(NamedTuple):
    """A turn's first words without white space, its role, and whether a chunk begins with it."""

    words: str
    role: str
    begins: bool


def without_marks(marked: str) -> str:
    """The transcript itself."""
    return MARK.sub("", marked)


def wanted(marked: str) -> list[Wanted]:
    """The turns that the marks name, in order."""
    found = []
    for match in MARK.finditer(marked):
        line = MARK.sub("", marked[match.end() :]).split("\n", 1)[0]
        words = _bare(re.sub(r"<[^>]*>", "", line))
        found.append(Wanted(words[:SHOWN], ROLES[match["role"]], bool(match["begins"])))
    return found


def found(turns: list[Turn], chunks: list[QaChunk]) -> list[Wanted]:
    """What a parse gives, in the same form; a chunk begins at its first question,
    and the presentation at its first turn of a party."""
    begins = set()
    for chunk in chunks:
        inside = [
            turn
            for turn in turns
            if turn.role != "moderator"
            and any(span.start <= turn.start < span.end for span in chunk.spans)
        ]
        asked = [turn for turn in inside if turn.role == "question"]
        first = asked if chunk.part == "qa" and asked else inside
        begins.update(turn.start for turn in first[:1])
    return [Wanted(_bare(t.text)[:SHOWN], t.role, t.start in begins) for t in turns]


def _bare(words: str) -> str:
    return "".join(words.replace("**", "").split())
