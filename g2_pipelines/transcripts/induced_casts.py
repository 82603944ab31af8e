"""The candidates of every line by their shape: the casts of which one may be the speakers.

Here: collecting them, a line at a time, and looking behind a field's name that stands before
all labels. ``induced`` imports this module and judges them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from g2_pipelines.transcripts.cues import STAGE_LINE
from g2_pipelines.transcripts.induced_shapes import Head, heads, may_name, shows_party, tag_of
from g2_pipelines.transcripts.lines import Heading, Line

#: The same words before nearly every label, in so many of a hundred: 「Speaker: 」.
CONSTANT = 80


class Cast(NamedTuple):
    """The candidates of one shape, with their lines."""

    shape: str
    lines: list[int]
    heads: list[Head]

    def add(self, number: int, head: Head) -> None:
        """Add a line's candidate; of two on one line 「社名 記者」 goes before 「社名」."""
        if self.lines[-1:] != [number]:
            self.lines.append(number)
            self.heads.append(head)
        elif shows_party(head.label) and not shows_party(self.heads[-1].label):
            self.heads[-1] = head


def casts(
    text: str,
    lines: Sequence[Line],
    parts: Sequence[Heading],
    skipped: Collection[int],
    least: int,
) -> dict[str, Cast]:
    """The candidates by shape; behind a constant word only where ``least`` lines have it."""
    found: dict[str, Cast] = {}
    for number, line in enumerate(lines):
        if line.start >= line.end or parts[number] is not None or number in skipped:
            continue
        if STAGE_LINE.match(text, line.start, line.end):
            continue
        for head in heads(text, line.start, line.end, below=_below(text, lines, number)):
            if may_name(head.label) or tag_of(head.label):
                found.setdefault(head.shape, Cast(head.shape, [], [])).add(number, head)
    for cast in [c for c in found.values() if len(c.lines) >= least]:
        [(word, count)] = Counter(head.label for head in cast.heads).most_common(1)
        if count * 100 >= len(cast.heads) * CONSTANT:
            _behind(cast, word, found, (text, lines))
    return found


def _behind(
    cast: Cast, word: str, found: dict[str, Cast], page: tuple[str, Sequence[Line]]
) -> None:
    """Candidates behind a field's name that stands before all labels."""
    text, lines = page
    for number, before in zip(cast.lines, cast.heads, strict=True):
        if before.label != word:
            continue
        below = _below(text, lines, number)
        for head in heads(text, before.end, lines[number].end, below=below):
            shape = f"{word}{cast.shape}{head.shape}"
            if may_name(head.label):
                found.setdefault(shape, Cast(shape, [], [])).add(number, head._replace(shape=shape))


def _below(text: str, lines: Sequence[Line], number: int) -> bool:
    """Whether words stand below, at most one blank line between."""
    return any(text[line.start : line.end].strip() for line in lines[number + 1 : number + 3])
