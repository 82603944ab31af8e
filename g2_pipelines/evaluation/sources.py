"""What a text is checked against.

Here: ``Source``. Where sources come from (sections, transcripts, files) is the caller's
knowledge. ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

from g2_pipelines.tables.rows import Row


class Source(Row):
    """A clean text by its source id (as in Span), with a label for people."""

    source_id: str
    text: str
    label: str = ""
