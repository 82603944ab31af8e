"""Roles of turns, with where each comes from and how sure it is.

Here, in falling order of trust: explicit marks, overrides, attendance lists,
self-introductions, titles, the speaker-level vote of question cues, and short remarks that
moderate whoever makes them. Where the Q&A begins is found in ``opening``. ``segment``
imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.cues import (
    ENDING,
    GATE_SHORT,
    GATE_TO_QA,
    LEADS,
    is_question,
    role_of_title,
)
from g2_pipelines.transcripts.labels import (
    DIARISED,
    GENERIC,
    OUTSIDER,
    Speaker,
    announced,
    introduction,
)
from g2_pipelines.transcripts.marks import Side

#: Longer turns present, ask or answer, whatever they begin and end with.
LEADING = 260
#: Share of a speaker's turns with a question cue from which he counts as asking
#: (measured: 94.7 % of 874 turns right).
CUE_SHARE = 0.34
SHORT_REMARK = 20
_CHAIR = re.compile(r"議長")
_CALLS = re.compile(
    r"お答え(?:いたします|します|申し上げ|させ)|回答(?:いたし|させ)|(?:より|から)[、，]?(?:ご)?(?:説明|回答|お答え|答弁)|ご質問(?:は|の|が|を|ござい|あり)"
    r"|どうぞ|次の(?:方|株主|ご質問)|挙手|お願い(?:いた)?します|質疑"
)
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


def assign(
    drafts: Sequence[Draft], *, roster: Mapping[str, Role], overrides: Mapping[str, Role]
) -> None:
    """Give every draft its role; afterwards ``opening`` may turn answers into presentation."""
    by_label: dict[str, list[Draft]] = {}
    for draft in drafts:
        if draft.side is not None:
            draft.give(draft.side, "explicit")
        elif draft.label:
            by_label.setdefault(draft.label, []).append(draft)
    sides = _sides_by_introduction(by_label)
    for label, turns in by_label.items():
        role, source, confidence = _of_speaker(label, turns, roster, overrides, sides)
        for draft in turns:
            draft.give(role, source, confidence)
    _answering_chairs(drafts)
    for draft in drafts:
        _remark(draft)
    _name_questioners(drafts)
    _link_names(drafts)


def _of_speaker(
    label: str,
    turns: Sequence[Draft],
    roster: Mapping[str, Role],
    overrides: Mapping[str, Role],
    introduced: Mapping[str, Role],
) -> tuple[Role, str, float]:
    speaker = turns[0].speaker
    for key in (label, speaker.name, speaker.title, speaker.organisation):
        if key and key in overrides:
            return overrides[key], "override", CONFIDENCE["override"]
    ending = max((key for key in overrides if label.endswith(key)), key=len, default="")
    if ending:
        return overrides[ending], "override", CONFIDENCE["override"]
    listed = _listed(label, speaker, roster)
    title = " ".join(p for p in (label, speaker.organisation, speaker.title) if p)
    by_title = role_of_title(label) or role_of_title(title)
    if by_title == "moderator":
        return _moderator_or_not(turns)
    if listed is not None:
        return listed, "roster", CONFIDENCE["roster"]
    if label in introduced and by_title is None:
        return introduced[label], "introduction", CONFIDENCE["introduction"]
    if by_title is not None:
        return by_title, "title", CONFIDENCE["title"]
    if OUTSIDER.match(label):
        return "question", "label", CONFIDENCE["label"]
    return _by_vote(turns)


def _listed(label: str, speaker: Speaker, roster: Mapping[str, Role]) -> Role | None:
    for key in (speaker.name, label):
        if key and key in roster:
            return roster[key]
    return None


def _moderator_or_not(turns: Sequence[Draft]) -> tuple[Role, str, float]:
    """A chair who asks at length, again and again, is a questioner."""
    asking = [t for t in turns if len(t.text) >= 60 and is_question(t.text)]
    if len(turns) >= 2 and len(asking) >= max(2, CUE_SHARE * 2 * len(turns)):
        return "question", "cue_vote", 0.6
    return "moderator", "title", CONFIDENCE["title"]


def _sides_by_introduction(by_label: Mapping[str, Sequence[Draft]]) -> dict[str, Role]:
    """Anonymous speakers (SPEAKER_01) that say who they are."""
    found: dict[str, Role] = {}
    for label, turns in by_label.items():
        for draft in turns:
            who = introduction(draft.text)
            if who is None:
                continue
            role = role_of_title(who.organisation or who.title or "")
            found[label] = role or "question"
            break
    return found


def _by_vote(turns: Sequence[Draft]) -> tuple[Role, str, float]:
    """The speaker-level vote; sure in the measure of turns and distance from the border."""
    led = sum(1 for t in turns if len(t.text) <= LEADING and LEADS.search(t.text))
    if led * 2 >= len(turns) and not any(len(t.text) > LEADING for t in turns):
        weight = min(1.0, len(turns) / 4)
        return "moderator", "cue_vote", round(0.6 + 0.3 * weight * led / len(turns), 3)
    asking = sum(1 for t in turns if is_question(t.text))
    share = asking / len(turns)
    role: Role = "question" if share >= CUE_SHARE else "answer"
    distance = min(1.0, abs(share - CUE_SHARE) / CUE_SHARE)
    weight = min(1.0, len(turns) / 4)
    return role, "cue_vote", round(0.5 + 0.4 * distance * weight, 3)


def _remark(draft: Draft) -> None:
    """A turn of at most 20 characters that calls the next one moderates, whoever says it."""
    text = draft.text.strip()
    if len(text) > SHORT_REMARK or not GATE_SHORT.search(text):
        return
    if draft.source == "explicit" and not text.endswith(("どうぞ。", "どうぞ")):
        return
    if draft.style != "timeline" and "よろしいでしょうか" not in text:
        draft.give("moderator", "remark")


def _answering_chairs(drafts: Sequence[Draft]) -> None:
    """At a shareholders' meeting the chair is the president, who answers as well.

    His turn right after a question that opens or closes nothing and calls nobody answers.
    """
    if not any("株主" in draft.text or "株主" in draft.label for draft in drafts):
        return
    for before, draft in pairwise(drafts):
        if draft.role != "moderator" or not _CHAIR.search(draft.label):
            continue
        text = draft.text
        calls = _CALLS.search(text) or ENDING.search(text) or GATE_TO_QA.search(text)
        if before.role == "question" and not calls:
            draft.give("answer", "context")


def _link_names(drafts: Sequence[Draft]) -> None:
    """「佐山：」 is of the house that he named when he asked first: 「NHK：NHKの佐山です」."""
    houses: dict[str, str] = {}
    for draft in drafts:
        name, house, title = draft.speaker
        if draft.role != "question" or name is None:
            continue
        if house:
            houses.setdefault(name, house)
        elif name in houses:
            draft.speaker = Speaker(name, houses[name], title)


def _name_questioners(drafts: Sequence[Draft]) -> None:
    """Fill in who asks or answers from introductions and the moderator's calls."""
    called: Speaker | None = None
    for draft in drafts:
        if draft.role == "moderator":
            called = announced(draft.text) or called
            continue
        name = draft.speaker.name
        anonymous = name is None or bool(DIARISED.match(draft.label) or GENERIC.match(name))
        if draft.role == "question" and anonymous:
            who = introduction(draft.text) or called
            if who is not None:
                draft.speaker = Speaker(
                    who.name, who.organisation or draft.speaker.organisation, who.title
                )
        elif anonymous and (who := introduction(draft.text)) is not None and not who.organisation:
            draft.speaker = Speaker(who.name, draft.speaker.organisation, who.title)
        called = None
