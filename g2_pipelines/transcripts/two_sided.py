"""Speakers who lead and do more: a press club's host who asks, a committee's office that answers.

Here: each of their turns gets its own role by what it says and by what was said before it;
speakers of whom nothing but words tells a role get it from who asks whom. ``roles`` imports
this module; the single turns of other chairs are judged in ``turn_roles`` afterwards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from g2_pipelines.transcripts.cues import (
    CLOSING_QUESTION,
    ENDING,
    GATE_TO_QA,
    asks,
    is_question,
    requests,
)
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.leading import content, leads

#: The press club's host: asks in most records, leads in some.
HOST_PRESS = re.compile(r"幹事社")
_OFFICE = re.compile(r"^(?!司会|進行)[^\n]{0,20}(?:事務局|担当課|所管課)")
_READS = re.compile(
    r"読み上げ|代読|ご?質問(?:を|が)[^。\n]{0,12}(?:いただ|頂|紹介|届)|(?:いただいた|頂いた|寄せられた)ご?質問|[「『]"
)
_FORMAL = re.compile(r"議決権|定足数|(?:本日の)?出席者(?:数)?は|傍聴|配(?:布|付)資料の確認")
_NOTICE = re.compile(r"(?:連絡|お知らせ|ご?案内|お願い)が(?:あり|ござい)ます。?$")
_ARRANGES = re.compile(r"次回|日程|ご?連絡|閉会|後日")
#: The end of the host's own questions, and what opens the floor to the others or closes it.
_OWN_END = re.compile(r"ありがとうござい|(?:幹事社|私|当社)から(?:は|の質問は)?[^。\n]{0,4}以上")
_OPENS = re.compile(r"各社|どうぞ|ほか|お願い|お受け|終わり|終了")
_WISHES = re.compile(r"(?:分け|含め|併せ|あわせ|合わせ|まとめ)て[^。\n]{0,6}お願い")
_OPENS_ALL = re.compile(r"各社|どうぞ|ほか|質問|会見|知事|市長|社長")
#: First words of an office that reports at once, without a chair's.
_REPORTS = re.compile(r"[^。\n]{0,60}(?:説明|報告)(?:いた|申し上げ|し)(?:ます|し)")
_TAIL = 60
MIN_CONTENT, MIN_REPORT = 8, 30
MIN_STRUCTURE = 2
#: Sources of a role that words of other people may outvote.
_WEAK = frozenset({"cue_vote"})
_SURE = frozenset({"explicit", "title", "roster", "introduction", "label", "override"})


def split_turns(drafts: Sequence[Draft]) -> None:
    """Turns of hosts and offices, each by itself; linear in the number of turns."""
    asked = begun = False
    before: Draft | None = None
    asker = ""
    for draft in drafts:
        if draft.source == "title" and HOST_PRESS.search(draft.label):
            _press_host(draft, asker)
        elif draft.role == "moderator" and _OFFICE.search(draft.label):
            _office(draft, before, asked=asked or begun)
        if draft.role == "question":
            asker = draft.label
        asked = asked or draft.role == "question"
        begun = begun or (draft.role == "moderator" and GATE_TO_QA.search(draft.text) is not None)
        before = draft


def _press_host(draft: Draft, asker: str) -> None:
    """「では、各社どうぞ。」 leads; 「最後に幹事社からも1問。…」 and the thanks for it do not."""
    rest = content(draft.text)
    asks = requests(draft.text) or _WISHES.search(draft.text)
    wish = asks and not _OPENS_ALL.search(draft.text)
    if is_question(rest) or wish:
        return
    if asker == draft.label and _OWN_END.search(draft.text) and not _OPENS.search(draft.text):
        return
    closes = CLOSING_QUESTION.search(draft.text) and not _OPENS.search(draft.text)
    thanks = asker == draft.label and not rest and closes
    if ENDING.search(draft.text) or (not thanks and (leads(draft.text) or len(rest) <= _TAIL // 3)):
        draft.give("moderator", "context")


def _office(draft: Draft, before: Draft | None, *, asked: bool) -> None:
    """「1台で約680万円です。」 of the office that a chair's guests have asked."""
    text = draft.text
    if draft.source != "title" or is_question(text) or _READS.search(text):
        return
    if ENDING.search(text) or GATE_TO_QA.search(text) or _FORMAL.search(text):
        return
    direct = before is not None and before.role == "question"
    announced = before is not None and before.role == "moderator" and _NOTICE.search(before.text)
    if not direct and (announced or _ARRANGES.search(text)):
        return
    rest = content(text)
    spoken = before is not None and before.role in ("question", "answer")
    called = before is not None and before.role == "moderator" and before.label != draft.label
    called = called or (before is None and _REPORTS.match(text) is not None)
    if spoken and len(rest) >= MIN_CONTENT:
        draft.give("answer", "context")
    elif called and len(rest) >= (MIN_CONTENT if asked else MIN_REPORT):
        draft.give("answer", "context")  # before the Q&A ``opening`` makes it the presentation's


def by_dialogue(drafts: Sequence[Draft], by_label: Mapping[str, Sequence[Draft]]) -> None:
    """Who answers whoever is known to ask, and asks nothing himself, answers.

    Only of speakers whose words alone, by a vote of cues, told another role.
    """
    answered: Counter[str] = Counter()
    spoke: Draft | None = None  # the last turn of somebody who does not lead
    for draft in drafts:
        sure = spoke is not None and spoke.role == "question" and spoke.source in _SURE
        if draft.source in _WEAK and sure and spoke is not None and spoke.label != draft.label:
            says = len(content(draft.text)) >= MIN_CONTENT and not leads(draft.text)
            # An interviewer's dash is sure: who stands below it answers, whatever he asks himself.
            told = spoke.source == "explicit" and not spoke.label
            answered[draft.label] += 1 if told or (says and not asks(draft.text)) else -1
        if draft.role != "moderator" or draft.source in _WEAK:
            spoke = draft
    for label, count in answered.items():
        turns = by_label.get(label, ())
        if count >= MIN_STRUCTURE and count * 2 >= len(turns):
            for turn in turns:
                if turn.role != "answer" and turn.source in _WEAK:
                    turn.give("answer", "context")
