"""What a text is checked against.

Here: ``Source`` and the turns of one. Where sources come from (sections, transcripts, files)
is the caller's knowledge. ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

from g2_pipelines.tables.line1 import Role
from g2_pipelines.tables.rows import Row


class SourceTurn(Row):
    """[start, end) of a transcript's text that one speaker says, in ``role``."""

    start: int
    end: int
    role: Role
    speaker: str | None = None


class Source(Row):
    """A clean text by its source id (as in Span), with a label for people.

    ``turns``, in order, for a transcript: what a summary says must stand in what the company
    says; a question only tells what an answer is about.
    """

    source_id: str
    text: str
    label: str = ""
    turns: tuple[SourceTurn, ...] = ()
