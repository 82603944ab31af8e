"""Where a record's words are over: notes, addresses and lists of people below the last turn.

Here: finding the first such line. ``layout`` imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.transcripts.cues import BOILERPLATE_LINE
from g2_pipelines.transcripts.lines import Line, Mark

MAX_BOILERPLATE, MAX_TAIL = 20, 40
#: Sites that list those who took part below a call.
_PEOPLE_BELOW = re.compile(r"(?i:[\s#*]{0,4}(?:duration: ?[0-9]+ ?min|call participants:?[ *]*$))")


def tail_begin(text: str, lines: list[Line], marks: list[Mark]) -> int:
    """The line from which notes and addresses follow the last turn; len(lines) if none do."""
    for number in range(max(0, len(lines) - MAX_TAIL), len(lines)):
        if _PEOPLE_BELOW.match(text, lines[number].start, lines[number].end) and _mostly_before(
            number, marks
        ):
            return number  # who took part, below the record
    last = marks[-1].line if marks else len(lines)
    begin = max(last + 1, len(lines) - MAX_BOILERPLATE)
    for number in range(begin, len(lines)):
        if BOILERPLATE_LINE.match(text, lines[number].start, lines[number].end):
            return number
    return len(lines)


def _mostly_before(number: int, marks: Sequence[Mark]) -> bool:
    return sum(mark.line < number for mark in marks) * 2 > len(marks)
