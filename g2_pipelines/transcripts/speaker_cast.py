"""Speakers of whom only their words tell a role: decided together, by the model.

Here: which speakers the model may decide, what of the others it is told, and hosts who ask.
``roles`` imports this module; explicit marks, overrides, lists, titles and introductions stand
above it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.speaker_features import Said
from g2_pipelines.transcripts.speaker_model import cast

#: Sources that the model may correct.
_OPEN = frozenset({"cue_vote"})
MIN_TURNS = 4


def decide(drafts: Sequence[Draft], by_label: Mapping[str, Sequence[Draft]]) -> None:
    """Roles of the speakers that had only a vote of cues, for all of their turns at once."""
    free = {
        label
        for label, turns in by_label.items()
        if turns and all(turn.source in _OPEN and turn.role != "moderator" for turn in turns)
    }
    if not free or len(drafts) < MIN_TURNS:
        return
    owner = {id(turn): label for label, turns in by_label.items() for turn in turns}
    said: list[Said] = []
    known: dict[str, Role] = {}
    for draft in drafts:
        label = owner.get(id(draft))
        who = label if label is not None else f"\0{draft.side or ''}"
        said.append(Said(who, draft.text))
        if who not in free and draft.role in ("question", "answer", "moderator"):
            known[who] = draft.role
    for who, (role, likely) in cast(said, known).items():
        if who in free:
            for turn in by_label[who]:
                turn.give(role, "cue_vote", round(0.5 + 0.45 * max(0.0, likely * 1.5 - 0.5), 3))
