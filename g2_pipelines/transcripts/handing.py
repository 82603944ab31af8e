"""Who is handed the word by name, and who sits on the podium of a press conference.

Here: an answerer's 「賞与は専務から。」 and a committee that reporters ask. ``roles`` and
``turn_roles`` import this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from g2_pipelines.transcripts.cues import is_question
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.leading import content, leads

TAIL = 200
MIN_CONTENT = 8
MAX_KEYS = 6
_WORD = re.compile(r"[^\s　（()）・／/@]{2,20}")
_GIVES = r"[^。\n]{0,12}(?:から|より|お願い|どうぞ|いかが|合って|補足|に(?:お?答え|説明|回答))"
_GIVES_EN = re.compile(
    r"(?i:\b(?:ask|asks|pass|hand|turn|over to|speak to|take that|answer|add|comment|want to|please|anything|right|correct)\b)"
)
#: Leads in most records; answers where somebody hands over to him.
_SPOKESMAN = re.compile(r"(?<!^)(?:広報|(?<![A-Za-z])IR(?![A-Za-z])|ＩＲ)")
_WEAK = frozenset({"cue_vote", "context"})
_PRESS = re.compile(r"記者|新聞|テレビ|放送|通信(?:社|$|[・（(])")
_HOST = re.compile(r"司会|進行|広報|事務局")
_COMMITTEE = re.compile(r"(?:委員長|委員|座長)(?:代理|補佐)?(?:$|[（(・　 ])|^(?:委員長|委員|座長)")
_OF_PRESS = re.compile(r"論説|編集|解説|報道|新聞|テレビ|放送|通信|誌|社説")
MIN_PRESS = 2
ASKS = 0.5


def handed_over(drafts: Sequence[Draft]) -> None:
    """Whoever an answerer names to go on answers, if only his words told another role."""
    before: Draft | None = None
    for draft in drafts:
        if (
            before is not None
            and before.role == "answer"
            and draft.role in ("moderator", "question", "unknown")
            and (
                draft.source in _WEAK
                or _SPOKESMAN.search(draft.label)
                or (draft.source, draft.role) == ("roster", "moderator")
            )
            and before.label != draft.label
            and len(content(draft.text)) >= MIN_CONTENT
            and not leads(draft.text)
            and _names(before.text[-TAIL:], draft)
        ):
            draft.give("answer", "context")
        before = draft


def _names(tail: str, draft: Draft) -> bool:
    words = _WORD.findall(" ".join(w for w in (*draft.speaker, draft.label) if w))[:MAX_KEYS]
    for word in words:
        if word.isascii():
            family = word.strip(".,").lower()
            if len(family) > 2 and family in tail.lower() and _GIVES_EN.search(tail):
                return True
        elif re.search(re.escape(word[:2]) + _GIVES, tail):
            return True
    return False


def committee_before_press(by_label: Mapping[str, Sequence[Draft]]) -> frozenset[str]:
    """Labels of a committee whose findings reporters ask for, where somebody else leads.

    「委員長：」 and 「委員：」 answer there, as 「記者（あおぞら新聞）：」 asks.
    """
    if _count(_PRESS, by_label) < MIN_PRESS or not _count(_HOST, by_label):
        return frozenset()
    return frozenset(
        label
        for label, turns in by_label.items()
        if _COMMITTEE.search(label)
        and not _OF_PRESS.search(label)
        and sum(is_question(turn.text) for turn in turns) <= ASKS * len(turns)
    )


def _count(pattern: re.Pattern[str], labels: Iterable[str]) -> int:
    return sum(pattern.search(label) is not None for label in labels)
