"""Interviews, fireside chats and panels: one person leads and asks, the guests answer.

Here: finding that person, and which of his turns ask and which only lead. ``turn_roles`` looks
first at the turns of one who asks and opens, ``roles`` at the end, when every turn has a role, at
one who leads and asks; a call with several askers is left as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.transcripts.cues import (
    CLOSING_QUESTION,
    ENDING,
    GATE_TO_QA,
    asks,
    is_question,
)
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.leading import content, leads

#: So many questions of his own at least, and of all that are asked so many in a hundred.
MIN_ASKED, MIN_SHARE = 3, 50
#: Who asks opens or ends the record within so many turns.
EDGE = 2
MIN_PROMPT = 4
TAIL = 160
SHORT_THANKS, MAX_THANKS = 24, 40
_FIXED = frozenset({"override", "explicit"})
#: Words with which a host begins, hands over to the hall or ends; none of a question.
_OPENS = re.compile(
    r"聞き手の|お迎え|お招き|お客さまは|お客様は|ゲストは|お送り|こんにちは|こんばんは|ようこそ|会場の皆|会場から|マイクを|拍手|ここまで|お時間|時間が来|以上で|ありがとうございました。?$"
    r"|(?i:\b(?:welcome|good (?:morning|afternoon|evening)|delighted to have|joining us|open (?:it|this|the floor)|from the (?:floor|audience|room)|in the (?:front|back)|leave it there|out of time|thank you (?:all|both|everyone)|round of applause))"
)


def lead_and_ask(drafts: Sequence[Draft]) -> None:
    """Give the turns of the one who leads and asks their roles; linear in the turns."""
    host = _host(drafts)
    if host is None:
        return
    for index, draft in enumerate(drafts):
        if draft.label != host or draft.source in _FIXED:
            continue
        answered = index + 1 < len(drafts) and drafts[index + 1].role == "answer"
        asked = is_question(content(draft.text)) or is_question(draft.text[-TAIL:])
        prompts = index > 0 and _prompts(draft.text)  # a welcome asks nothing
        if draft.role == "moderator" and answered and (asked or prompts):
            draft.give("question", "context")
        elif draft.role == "question" and not asked and _only_hosts(draft.text):
            if len(draft.text) <= SHORT_THANKS and CLOSING_QUESTION.search(draft.text):
                continue  # 「本日はありがとうございました。」 of whoever asked
            draft.give("moderator", "context")


def _prompts(text: str) -> bool:
    """Whether words that ask nothing wait for an answer: 「なるほど、3割。」."""
    rest = content(text)
    return len(rest) >= MIN_PROMPT and not (
        leads(text) or ENDING.search(text) or _OPENS.search(text)
    )


def _only_hosts(text: str) -> bool:
    return bool(leads(text) or ENDING.search(text) or _OPENS.search(text))


def _host(drafts: Sequence[Draft]) -> str | None:
    """The label of whoever leads and asks most; None where several ask or another leads."""
    if not drafts or any(draft.source == "explicit" for draft in drafts):
        return None
    edges = {
        draft.label
        for draft in (*drafts[:EDGE], *drafts[-EDGE:])
        if draft.role in ("moderator", "question")
    }
    asked: Counter[str] = Counter()
    for draft, behind in pairwise(drafts):
        if draft.role not in ("moderator", "question") or behind.role != "answer":
            continue
        if draft.label != behind.label and _asks(draft, thoroughly=draft.label in edges):
            asked[draft.label] += 1
    if not edges & asked.keys():
        return None
    host, count = max(asked.items(), key=lambda pair: pair[1])
    if host not in edges or count < MIN_ASKED or count * 100 < asked.total() * MIN_SHARE:
        return None
    leading = {draft.label for draft in drafts if draft.role == "moderator"} - {host}
    others = sum(asked[label] for label in leading)
    return host if not others and not _led_by(drafts, leading) else None


def _asks(draft: Draft, *, thoroughly: bool) -> bool:
    """Whether a turn asks; of one who may lead ``thoroughly``, without what only leads."""
    if not thoroughly:
        return is_question(draft.text[-TAIL:])
    return is_question(content(draft.text) or draft.text)


def _led_by(drafts: Sequence[Draft], leading: set[str]) -> bool:
    """Whether somebody else opens or ends the record."""
    return drafts[0].label in leading or drafts[-1].label in leading


def asking_opener(drafts: Sequence[Draft]) -> None:
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
    closes = len(text) <= MAX_THANKS and CLOSING_QUESTION.search(text) is not None
    return closes and not leads(text)


def _opens(text: str) -> bool:
    return GATE_TO_QA.search(text) is not None
