"""The induced grammar as one more style of the vote.

Here: asking for it where the known styles leave room, and the ballot with it. ``segment``
imports this module, after the known styles have voted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from g2_pipelines.tables.line1 import StyleVote
from g2_pipelines.transcripts.induced import STYLE, TAGS, completed, induce, may_be_better, needed
from g2_pipelines.transcripts.lines import Heading, Line, Mark
from g2_pipelines.transcripts.styles import Ballot


def with_induced(
    ballot: Ballot,
    text: str,
    lines: Sequence[Line],
    parts: Sequence[Heading],
    listed: Collection[int],
) -> tuple[Ballot, list[str]]:
    """The ballot, with an induced style where the known explain little, and what to say of it.

    ``listed`` are the lines of contents and attendance, which hold no label; one that stands
    alone may: somebody speaks there.
    """
    skipped = {n for n in listed if n - 1 in listed or n + 1 in listed}
    filled = sum(1 for line in lines if line.start < line.end)
    if not may_be_better(ballot.marks, text, filled):
        return ballot, []
    found = induce(text, lines, parts, skipped, least=needed(ballot.marks, text))
    marks = completed(ballot.marks, found, text) if found is not None else None
    if found is None or marks is None:
        return ballot, []
    used = {mark.style for mark in marks}
    new = [style for style in (STYLE, TAGS) if style in used]
    styles = new + [style for style in ballot.styles if style in used]
    votes = [v.model_copy(update={"chosen": v.style in used}) for v in ballot.votes]
    votes += [_vote(style, [m for m in marks if m.style == style]) for style in new]
    note = f"label style induced from the text, confidence {found.confidence}: {found.shape}"
    return Ballot(styles, votes, marks, ""), [note]


def _vote(style: str, marks: Sequence[Mark]) -> StyleVote:
    names = [mark.side or mark.label for mark in marks]
    changes = sum(a != b for a, b in pairwise(names))
    return StyleVote(
        style=style,
        lines=len(names),
        labels=len(set(names)),
        repeats=len(names) - len(set(names)),
        alternation=round(changes / (len(names) - 1), 4) if len(names) > 1 else 0.0,
        chosen=True,
    )
