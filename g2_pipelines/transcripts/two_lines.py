"""Labels of two lines: a name, and below it his title or house with the side at its end.

Here: ``Jonas Ekblad`` above ``Chief Financial Officer          A``; and the host whose label has a
sign beside them. ``styles`` alone imports this module. Linear in the marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.transcripts.cues import role_of_title
from g2_pipelines.transcripts.lines import Line, Mark

#: A title or house in Latin letters; behind a wide space the side of a question or answer.
_BELOW = re.compile(
    r"[ \t]{0,4}(?P<title>[A-Z][^\n?!:;]{2,110}?)(?:[ \t]{2,160}(?P<side>[QA]))?[ \t]{0,4}$",
    re.MULTILINE,
)
#: So many labels of two lines at least, one with a side.
MIN_SIDED = 2


def with_titles(marks: Sequence[Mark], text: str, lines: Sequence[Line]) -> list[Mark]:
    """The marks of names alone on a line, the title below in the label and its side told.

    Only where sides stand behind titles; a title's own line is no label then. A title that stood
    with a side, or that tells a role, is believed without a side as well.
    """
    below = {mark.line: match for mark in marks if (match := _title(mark, text, lines))}
    sided = {line: match for line, match in below.items() if match["side"]}
    if len(sided) < MIN_SIDED:
        return list(marks)
    titles = {match["title"] for match in sided.values()}
    held = {
        line: match
        for line, match in below.items()
        if match["side"] or match["title"] in titles or role_of_title(match["title"]) is not None
    }
    found: list[Mark] = []
    skipped = -1
    for mark in marks:
        match = held.get(mark.line)
        if mark.line == skipped:
            continue
        if match is None:
            found.append(mark)
            continue
        skipped = mark.line + 1
        side = match["side"]
        found.append(
            mark._replace(
                label=f"{mark.label} - {match['title'].strip()}",
                end=lines[skipped].end,
                side=None if not side else "question" if side == "Q" else "answer",
            )
        )
    return found


def _title(mark: Mark, text: str, lines: Sequence[Line]) -> re.Match[str] | None:
    if mark.line + 1 >= len(lines) or not mark.label.isascii() or " - " in mark.label:
        return None
    if role_of_title(mark.label) is not None:
        return None  # a title itself
    below = lines[mark.line + 1]
    return _BELOW.match(text, below.start, below.end)


def hosts_only(marks: Sequence[Mark]) -> list[Mark]:
    """The marks, if every label is a host's: ``Operator:`` beside names alone on a line."""
    leads = bool(marks) and all(role_of_title(mark.label) == "moderator" for mark in marks)
    return list(marks) if leads else []
