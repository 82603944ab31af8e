"""Speakers who lead: who opens, calls and ends in most of his turns, whatever his title.

Here: the shares of a speaker's turns that lead or ask. ``roles`` imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.cues import (
    ENDING,
    GATE_TO_QA,
    NO_GATE,
    is_question,
)
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.labels import Speaker
from g2_pipelines.transcripts.leading import content, leads

#: Longer turns present, ask or answer, whatever they begin and end with.
LEADING = 260
#: Titles whose holders sit on either side: who asks in most of his turns is a questioner.
EITHER_SIDE = re.compile(r"会長|理事|監事|幹事|評議員")
MIN_CONTENT = 8
MIN_LED = 3
_HOSTING = re.compile(
    r"(?:司会|進行|ファシリテーター|モデレーター)(?:進行)?(?:役)?(?:を|は)(?P<who>[^。\n]{0,20}?)(?:務め|担当|仰せつか|させていただ)"
)
_HOSTING_EN = re.compile(
    r"(?i:(?:I'm|I’m|I am|this is|my name is) [^.?!]{3,60}(?:investor relations|your (?:host|moderator|operator)|\bIR\b))"
)


def asking(turns: Sequence[Draft]) -> float:
    """Share of a speaker's turns that hold a question."""
    return sum(1 for t in turns if is_question(t.text)) / len(turns)


def leads_mostly(turns: Sequence[Draft], by_title: Role | None) -> bool:
    """Opens, calls and ends in most turns; a single turn tells it only of the nameless."""
    if by_title is not None and len(turns) < 3:
        return False
    led = sum(1 for t in turns if len(t.text) <= LEADING and leads(t.text))
    long = sum(1 for t in turns if len(t.text) > LEADING)
    if by_title is not None:
        return led * 3 >= len(turns) * 2 and long * 4 <= len(turns)
    return led * 2 >= len(turns) and long * 4 <= len(turns) and (led > 1 or len(turns) == 1)


def says_he_leads(speaker: Speaker, turns: Sequence[Draft]) -> bool:
    """「本日の進行を務めます糸川です。」 in his first words; not 「進行は松下が務めます。」 of another."""
    for draft in turns[:2]:
        if _HOSTING_EN.search(draft.text[:LEADING]):
            return True
        match = _HOSTING.search(draft.text[:LEADING])
        if match is not None:
            other = "が" in match["who"] and (speaker.name or "-")[:2] not in match["who"]
            return not other
    return False


def _opens(text: str) -> bool:
    gate = len(text) <= LEADING and GATE_TO_QA.search(text) is not None
    return gate and NO_GATE.search(text) is None


def _led(turns: Sequence[Draft]) -> int:
    return sum(1 for t in turns if _only_leads(t.text) or _opens(t.text))


def half_led(turns: Sequence[Draft]) -> bool:
    """Whether half of a speaker's turns do nothing but lead."""
    return _led(turns) * 2 >= len(turns)


def _only_leads(text: str) -> bool:
    return len(text) <= LEADING and (leads(text) or len(content(text)) < MIN_CONTENT)


def chairs(label: str, turns: Sequence[Draft], edges: tuple[str, str]) -> bool:
    """A committee's 会長 who opens, leads and closes; a company's answers in between.

    ``edges`` are the first and the last label of the record.
    """
    if not EITHER_SIDE.search(label) or edges != (label, label) or len(turns) < MIN_LED:
        return False
    return _only_leads(turns[0].text) and _only_leads(turns[-1].text) and half_led(turns)


def hosts(turns: Sequence[Draft]) -> bool:
    """Opens the Q&A and says little else: in most calls the host's alone."""
    opens = any(_opens(t.text) for t in turns)
    ends = any(len(t.text) <= LEADING and ENDING.search(t.text) for t in turns[-2:])
    short = all(len(t.text) <= LEADING for t in turns)
    return opens and (ends or leads(turns[0].text)) and short and _led(turns) * 5 >= len(turns) * 2


def only_hosts(turns: Sequence[Draft]) -> bool:
    """Opens the Q&A, closes it, and says nothing else: the head of public relations."""
    return (
        len(turns) >= 2
        and hosts(turns)
        and all(_only_leads(t.text) or GATE_TO_QA.search(t.text) for t in turns)
    )
