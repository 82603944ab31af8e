"""Labels of one shape: 「綾小路（ミモザ証券）」 asks, so 「若王子（サクヤ信託）」 does.

Here: roles of speakers of whom only words tell something, from the speakers whose labels are
built in the same way. ``roles`` imports this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.cues import asks, role_of_title
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.labels import DIARISED

_SURE = frozenset({"explicit", "title", "roster", "introduction", "label", "override"})
_SHAPES = (
    ("brackets", re.compile(r"[^（()）]{1,30}[（(][^（()）]{1,30}[）)]")),
    ("at", re.compile(r"[^@＠]{1,30}[@＠][^@＠]{1,30}")),
    ("dashes", re.compile(r"[^\n]{1,40} (?:--|[-–—|]) [^\n]{1,60}")),
    ("joined", re.compile(r"[^・／/\s　]{1,20}[・／/][^・／/\s　]{1,20}")),
)
MIN_TURNS = 3
#: Who asks so often is believed more than the shape of his label.
ASKS = 0.5


def by_shape(by_label: Mapping[str, Sequence[Draft]]) -> None:
    """The role of a shape's other speakers, where all that are sure have the same."""
    told: dict[str, Counter[Role]] = {}
    for label, turns in by_label.items():
        role = turns[0].role
        if turns[0].source in _SURE and role in ("question", "answer"):
            told.setdefault(_shape(label), Counter())[role] += 1
    for label, turns in by_label.items():
        roles = told.get(_shape(label), Counter())
        if turns[0].source != "cue_vote" or len(roles) != 1 or role_of_title(label) is not None:
            continue
        role = next(iter(roles))
        share = fmean([asks(turn.text) for turn in turns])
        known = DIARISED.match(label) is not None or turns[0].role == "moderator"
        against = share >= ASKS if role == "answer" else not share and len(turns) >= MIN_TURNS
        if known or against:
            continue
        for turn in turns:
            if turn.role in ("question", "answer") and turn.role != role:
                turn.give(role, "context")


def _shape(label: str) -> str:
    return next((name for name, pattern in _SHAPES if pattern.fullmatch(label)), label)
