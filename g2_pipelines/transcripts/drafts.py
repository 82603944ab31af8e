"""A turn in the making.

Here: only the value that ``segment``, ``roles``, ``turn_roles``, ``opening`` and ``assisted``
hand on, and how sure each source of a role is.
"""

from __future__ import annotations

from dataclasses import dataclass

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.labels import Speaker
from g2_pipelines.transcripts.qa_marks import Side

CONFIDENCE = {
    "override": 1.0,
    "explicit": 1.0,
    "roster": 0.97,
    "introduction": 0.95,
    "title": 0.9,
    "remark": 0.85,
    "label": 0.8,
    "heading": 0.8,
    "context": 0.7,
    "model": 0.6,
    "none": 0.0,
}


@dataclass
class Draft:
    """A turn in the making."""

    start: int
    end: int
    text: str
    style: str
    label: str
    speaker: Speaker
    side: Side | None
    t0: float | None
    t1: float | None
    part: str
    role: Role = "unknown"
    source: str = "none"
    confidence: float = 0.0

    def give(self, role: Role, source: str, confidence: float | None = None) -> None:
        """Set the role, its source and how sure it is."""
        self.role, self.source = role, source
        self.confidence = CONFIDENCE[source] if confidence is None else confidence
