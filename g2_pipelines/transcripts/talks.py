"""Talks: whoever leads asks himself, or whoever asks leads as well.

Here: the host of a panel, whose questions those on the podium answer; the interviewer or
analyst who opens, hands the microphone round and ends. ``turn_roles`` imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.transcripts.cues import CLOSING_QUESTION, GATE_TO_QA, asks
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.leading import content, leads

MIN_ASKED, MIN_CONTENT = 3, 4
#: In so many of a hundred of his turns a panel's host asks.
ASKS = 40
#: A longer answer before his first question is a presentation.
MAX_BEFORE = 200
SHORT = 40


def talks(drafts: Sequence[Draft]) -> None:
    """Give the turns of a talk's host their own roles; linear in the number of turns."""
    _panel(drafts)
    _opener(drafts)


def _panel(drafts: Sequence[Draft]) -> None:
    hosted = [i for i, d in enumerate(drafts) if d.role == "moderator" and d.source != "override"]
    asking = [i for i in hosted if asks(content(drafts[i].text)) and not _reads(drafts[i])]
    least = MIN_ASKED if any(d.role == "question" for d in drafts) else MIN_ASKED - 1
    if len(asking) < least or len(asking) * 100 < len(hosted) * ASKS:
        return
    begin = asking[0]
    if any(d.role == "answer" and len(d.text) >= MAX_BEFORE for d in drafts[:begin]):
        return
    if sum(i + 1 < len(drafts) and drafts[i + 1].role == "answer" for i in asking) < least:
        return
    for index in hosted:
        draft = drafts[index]
        before = drafts[index - 1].role if index else ""
        after = drafts[index + 1].role if index + 1 < len(drafts) else ""
        between = before == after == "answer" and len(draft.text) <= SHORT
        rest = content(draft.text)
        thanks = index == len(drafts) - 1 and _thanks(draft.text)
        if index >= begin and (asks(rest) or thanks or (between and len(rest) >= MIN_CONTENT)):
            draft.give("question", "context")


#: Somebody else's question that he reads.
_READS = re.compile(
    r"^[\s　]*[「『]|質問(?:です|でござい|を(?:ご紹介|読|いただ|頂)|が(?:届|来|寄せ|入))|(?:いただいた|寄せられた|頂いた)ご?質問"
)


def _reads(draft: Draft) -> bool:
    return _READS.search(draft.text) is not None


def _opener(drafts: Sequence[Draft]) -> None:
    """Turns of an asking opener that ask nothing: his welcome, 「One more. Front row, please.」."""
    first = _first_asker(drafts)
    if first is None or first.source == "explicit" or not first.label:
        return
    own = [i for i, d in enumerate(drafts) if d.label == first.label and d.role == "question"]
    goes_on = any(a is first and b.label == first.label for a, b in pairwise(drafts))
    if asks(first.text) and not (_opens(first.text) or goes_on):
        return
    for index in own:
        draft = drafts[index]
        following = drafts[index + 1] if index + 1 < len(drafts) else None
        again = following is not None and following.label == draft.label
        last = following is None
        leading = leads(draft.text) or _opens(draft.text)
        if last and index and _thanks(draft.text) and not _AUDIENCE.search(draft.text):
            continue  # 「本日はありがとうございました。」
        silent = not asks(draft.text) or (draft is first and (_opens(draft.text) or goes_on))
        if silent and (draft is first or again or last or leading):
            draft.give("moderator", "context")


#: Said to those who watch: 「皆さま、次回もお楽しみに。」
_AUDIENCE = re.compile(r"皆(?:様|さま|さん)|視聴者|リスナー|次回|また来")


def _first_asker(drafts: Sequence[Draft]) -> Draft | None:
    """The first turn, if it asks; else that of the only one who asks, behind those who present."""
    if drafts and drafts[0].role == "question":
        return drafts[0]
    asking = [draft for draft in drafts if draft.role == "question"]
    alone = len({draft.label for draft in asking}) == 1 and len(asking) >= MIN_ASKED
    led = any(draft.role == "moderator" for draft in drafts)
    return asking[0] if alone and not led else None


def _thanks(text: str) -> bool:
    closes = len(text) <= SHORT and CLOSING_QUESTION.search(text) is not None
    return closes and not leads(text)


def _opens(text: str) -> bool:
    return GATE_TO_QA.search(text) is not None
