"""Where the presentation ends and the Q&A really begins.

Here: the candidates (heading, moderator's gate, first outside question), and what follows
from the choice for the roles before and after it. ``segment`` imports this module.

The first string 「質疑応答」 is often an announcement, an agenda item or a line of a table of
contents; taking it is the known bug of a public peer. A candidate counts only if a real
question follows within three turns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.transcripts.cues import (
    CLOSING_ADDRESS,
    ENDING,
    GATE_TO_QA,
    NO_GATE,
    is_question,
)
from g2_pipelines.transcripts.drafts import Draft

#: Who announces in a timeline: 「広報より質疑応答開始のアナウンス」.
_HOST = re.compile(
    r"(?:広報|司会|事務局|IR|ＩＲ)(?:[^。、\n]{0,6}(?:より|から|：|が)|[ 　、])|[^。、\n]{0,6}アナウンス|(?:待機|開会|閉会|配信|中継|入場|休憩)"
    r"|[^。\n]{0,12}質疑(?:応答)?(?:の)?開始"
)
#: Said before anybody presented: the Q&A that it names comes behind that.
_PRESENTS = re.compile(
    r"説明|報告|発表|挨拶|その後|(?i:presentation|overview|explanation|remarks|hear from|speak|\bthen\b|\bafter\b)"
)
#: Questions that came before the meeting are answered first.
_WRITTEN = re.compile(r"(?:書面|事前|あらかじめ)[^。\n]{0,16}ご?質問")
_THANKS = re.compile(r"ありがとうござい|(?i:thank you|thanks)")
MAX_WORDS, MAX_GREETING = 500, 120
REACH = 3
MIN_WORDS = 40


class Opening(NamedTuple):
    """The Q&A's first question, and from where on what is said before it belongs to the Q&A."""

    question: int
    begin: int


def find_opening(drafts: Sequence[Draft], qa_headings: Sequence[int]) -> Opening | None:
    """Where the Q&A begins, None if there is none.

    「まずは社長から一言ございます。」 behind the gate and what follows it are the Q&A's.

    Args:
        drafts: Turns with roles.
        qa_headings: Numbers of the turns before which a Q&A heading stands.
    """
    questions = [i for i, draft in enumerate(drafts) if _real(drafts, i)]
    if not questions:
        return None
    proposals = [_next(questions, i) for i, draft in enumerate(drafts) if _gate(draft)]
    headed = [_next(questions, i) for i in qa_headings[-1:]]
    found = [q for q in (*headed, *proposals) if q is not None]
    question = min([*found, questions[0]])
    return Opening(question, _begin(drafts, question, qa_headings))


def _begin(drafts: Sequence[Draft], question: int, qa_headings: Sequence[int]) -> int:
    """From which turn on, at most ``REACH`` before the first question, the Q&A runs."""
    opener, asker = drafts[0].label, drafts[question].label
    given = drafts[0].source == "context" or drafts[question].source == "context"
    most = MAX_WORDS if drafts[0].source == "context" else MAX_GREETING
    gated = any(_gate(draft) for draft in drafts[1:question])
    talk = given and not gated and opener == asker != ""
    if talk and sum(len(d.text) for d in drafts[1:question]) <= most:
        return 0  # a talk: whoever opens asks
    near = range(max(0, question - REACH), question + 1)
    told = next((i for i, draft in enumerate(drafts) if draft.role == "answer"), question)
    gates = [
        begin
        for begin in near
        if begin > 0 and _gate(gate := drafts[begin - 1])
        if begin - 1 > told
        or _WRITTEN.search(gate.text)
        or (not _PRESENTS.search(gate.text) and _few_words(drafts[begin:question]))
    ]
    # A heading above the first words may be a line of the agenda.
    gates += [
        head
        for head in qa_headings[-1:]
        if head in near and (head > told or (not gates and _few_words(drafts[head:question])))
    ]
    return min(gates, default=question)


def _few_words(between: Sequence[Draft]) -> bool:
    """Whether this is what somebody says as the Q&A opens, not what a host thanks for."""
    thanked = any(d.role == "moderator" and _THANKS.search(d.text) for d in between)
    return not thanked and sum(len(d.text) for d in between) <= MAX_WORDS


def _gate(draft: Draft) -> bool:
    return (
        draft.role == "moderator"
        and GATE_TO_QA.search(draft.text) is not None
        and NO_GATE.search(draft.text) is None
    )


def _next(questions: Sequence[int], start: int) -> int | None:
    """The first real question within reach of ``start``."""
    return next((q for q in questions if start <= q <= start + REACH), None)


def _real(drafts: Sequence[Draft], index: int) -> bool:
    """A question turn that asks, or is long, or is answered: no mere greeting."""
    draft = drafts[index]
    if draft.role != "question":
        return False
    if draft.source == "explicit" or is_question(draft.text) or len(draft.text) >= MIN_WORDS:
        return True
    before = drafts[index - 1] if index else None
    if before is not None and _gate(before):
        return True  # 「北星証券の田所です。」, called to ask
    following = next((d for d in drafts[index + 1 :] if d.role != "moderator"), None)
    return following is not None and following.role == "answer"


def apply_opening(drafts: Sequence[Draft], opening: Opening | None) -> None:
    """Answerers before the Q&A present; questions before it are none; closing words present."""
    begin, end = (
        (len(drafts), len(drafts)) if opening is None else (opening.begin, opening.question)
    )
    for index, draft in enumerate(drafts[:end]):
        if index < begin or draft.role != "answer":
            _before(draft)
    closing = False
    for index, draft in enumerate(drafts[end:], start=end):
        if draft.role == "moderator":
            closing = closing or _announces_closing(draft)
        elif draft.role == "question":
            closing = False
        elif draft.role == "unknown" and draft.style == "timeline":
            _entry(drafts, index)
        elif draft.role == "unknown" and not draft.label:
            draft.give("answer" if not closing else "presenter", "context")
        elif closing and draft.role == "answer" and draft.source != "explicit":
            # Behind a timeline's end there are bows and exits only.
            draft.give("presenter" if draft.style != "timeline" else "moderator", "context")


def _before(draft: Draft) -> None:
    if draft.role == "answer":
        draft.role = "presenter"
    elif draft.role == "question":
        draft.give("unknown", "context")
    elif draft.role == "unknown" and draft.style == "timeline" and _HOST.match(draft.text):
        draft.give("moderator", "context")
    elif draft.role == "unknown" and draft.style in ("", "timeline"):
        draft.give("presenter", "heading" if draft.part else "context")


def _entry(drafts: Sequence[Draft], index: int) -> None:
    """An untagged line of a timeline: a topic that is asked for, or what the host announces."""
    following = drafts[index + 1] if index + 1 < len(drafts) else None
    asked = following is not None and following.role == "answer"
    drafts[index].give("question" if asked else "moderator", "context")


def _announces_closing(draft: Draft) -> bool:
    if ENDING.search(draft.text):
        return True
    return CLOSING_ADDRESS.search(draft.text) is not None and "質問" not in draft.text
