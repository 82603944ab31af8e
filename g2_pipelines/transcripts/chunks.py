"""Turns into chunks: a question up to the next question.

Here: the rules of grouping and the three policies. The rows are made in ``chunk_rows``, cut
at the size cap in ``sizes``; what a model is shown stands in ``model_view``. ``defs`` and
``cli`` may import this module.

The rules: a chunk begins at a question after an answer; Q→A, Q→AA and Q→QA stay whole;
another questioner begins a chunk although nothing was answered; the same questioner's next
question is a follow-up with its parent; very short questions and closing words stay with
the chunk before; several questions in one turn stay together with their count. A
moderator's turn stands at the end of the chunk before it: a chunk runs *up to* the next
question. Closing words of the company are a chunk of the presentation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from g2_pipelines.tables.line1 import QaChunk, Transcript, TranscriptSegmentation, Turn
from g2_pipelines.text.language import language
from g2_pipelines.text.tokens import Tokenizer
from g2_pipelines.transcripts.chunk_rows import Group, Rows
from g2_pipelines.transcripts.cues import (
    CLOSING_QUESTION,
    ENDS,
    FOLLOW_UP,
    is_question,
)
from g2_pipelines.transcripts.labels import GENERIC, is_latin

Policy = Literal["paper", "exchange", "turn"]
SHORT_QUESTION = 15
_BACKCHANNEL = re.compile(r"(?:はい|うん|ええ|なるほど|そうですか)")
CLOSING_TAIL = 60
#: Takes an answer in: 「ああ、そうでしたか。大変よく分かりました。」
_ECHO = re.compile(
    r"^(?:(?:ああ|あ|はい|なるほど|いや)[、。]?){0,2}そう(?:いうこと|なん)?(?:です|でした)か[。、]?"
)
_SAYS_AGAIN = re.compile(
    r"(?P<core>[0-9０-９][^。？?、]{1,8}?)(?:という(?:こと|の))?(?:なん)?(?:です|でした)か[。？?]*$"
)
LAST_WORDS = 400
_SENTENCES = re.compile(r"[^。？?\n]{1,400}[。？?\n]?")
_NUMBERED = re.compile(r"[QＱ問]\s?([0-9０-９]{1,3})[-－‐―][0-9０-９]{1,2}[^0-9０-９]{0,12}$")


def chunk(
    transcript: Transcript,
    turns: Sequence[Turn],
    segmentation: TranscriptSegmentation,
    *,
    policy: Policy = "paper",
    max_tokens: int,
    tokenizer: Tokenizer,
) -> list[QaChunk]:
    """Chunks in order; together they hold every turn exactly once.

    A chunk above ``max_tokens`` is cut at turn, then sentence borders; the parts after the
    first have it as ``parent_id`` and are headed with its question where a model sees them. Ids are hashes of transcript and spans, hence stable.

    Args:
        transcript: The transcript that ``turns`` and ``segmentation`` were made of.
        turns: In order, as ``segment`` gives them.
        segmentation: As ``segment`` gives it.
        policy: ``paper`` = question to next question, ``exchange`` = all of one questioner,
            ``turn`` = every turn by itself.
        max_tokens: Cap of a chunk's text in tokens of ``tokenizer``.
        tokenizer: Counts tokens.
    """
    if segmentation.segmentation == "unsegmented":
        groups = _by_section(turns, segmentation)
    else:
        asked = [turn.text for turn in turns if turn.role == "question"]
        told = sum("。" in text for text in asked) * 2 > len(asked)  # what was said, not its topic
        timeline = segmentation.style == "timeline" and not told
        groups = _grouped(turns, timeline=timeline, series=_series(transcript, turns))
        if policy == "exchange":
            groups = _exchanges(groups)
        elif policy == "turn":
            groups = _singles(groups)
    return Rows(transcript, segmentation, max_tokens, tokenizer).rows(groups)


def _by_section(turns: Sequence[Turn], segmentation: TranscriptSegmentation) -> list[Group]:
    heads = [d.start for d in segmentation.dropped if d.reason == "qa_heading"]
    begin = heads[-1] if heads else None
    return [
        Group("qa" if begin is not None and turn.start > begin else "presentation", [turn])
        for turn in turns
    ]


def _grouped(turns: Sequence[Turn], *, timeline: bool, series: Mapping[int, str]) -> list[Group]:
    opening = next((i for i, t in enumerate(turns) if t.role == "question"), len(turns))
    before = list(turns[:opening])
    groups: list[Group] = []
    lead: list[Turn] = []
    if any(turn.role != "moderator" for turn in before) or opening == len(turns):
        groups += [Group("presentation", before)] if before else []
    else:
        lead = before
    grouping = _Grouping(
        groups, named=_named(turns), timeline=timeline, last=_last_words(turns), series=series
    )
    for turn in turns[opening:]:
        grouping.take(turn)
    if lead:
        first = next(group for group in grouping.groups if group.part == "qa")
        first.turns[:0] = lead
    return grouping.groups


def _named(turns: Sequence[Turn]) -> bool:
    """Whether questioners usually say who they are: then a nameless question goes on."""
    names = {key for t in turns if t.role == "question" and (key := _key(t))}
    return len(names) >= 2


def _closes(text: str) -> bool:
    """Whether a questioner ends here: short thanks, or an end announced in the last words."""
    return CLOSING_QUESTION.search(text[-CLOSING_TAIL:]) is not None


def _echoes(text: str, turns: Sequence[Turn]) -> bool:
    """Whether a short question only repeats words of the answer before (「３割ですか。」)."""
    again = _SAYS_AGAIN.match(text)
    answer = next((t.text for t in reversed(turns) if t.role == "answer"), "")
    return again is not None and again["core"] in answer[-LAST_WORDS * 5 :]


def _who(turn: Turn) -> str | None:
    """Organisation and name of a speaker, as far as known."""
    parts = [turn.organisation, turn.speaker if turn.speaker != turn.organisation else None]
    return " ".join(part for part in parts if part) or None


def _key(turn: Turn) -> str | None:
    """What identifies a questioner: not 「記者」, which names nobody."""
    if turn.speaker is not None and GENERIC.match(turn.speaker):
        return turn.organisation
    return _who(turn)


def _last_words(turns: Sequence[Turn]) -> set[int]:
    """Orders of question turns that nobody answers and that do not end with a question.

    Rule (iv): 「以上で質問を終わります」, a member's opinion behind his last answer.
    """
    parties = [turn for turn in turns if turn.role != "moderator"]
    goes_on = {
        a.order
        for a, b in pairwise(parties)
        if b.role == "answer" or (b.role == "question" and _key(a) == _key(b) is not None)
    }
    return {
        turn.order
        for turn in parties
        if turn.role == "question"
        and turn.order not in goes_on
        and (ENDS.search(turn.text[-CLOSING_TAIL:]) or not is_question(_ending(turn.text)))
    }


def _ending(text: str) -> str:
    """The last two sentences, where a question that waits for an answer stands."""
    tail = text[-LAST_WORDS:]
    return "".join(_SENTENCES.findall(tail)[-2:]) or tail


def _interprets(before: Sequence[Turn], turn: Turn) -> bool:
    """Whether a question says in the other language what was just asked."""
    asked = [t.text for t in before if t.role == "question"][-1:]
    return bool(asked) and (language(asked[0]) == "ja") != (language(turn.text) == "ja")


def _series(transcript: Transcript, turns: Sequence[Turn]) -> dict[int, str]:
    """Order of a turn to the number that its label shares with its neighbours: Q1-1, Q1-2."""
    found = {}
    for turn in turns:
        if turn.role == "question":
            label = _NUMBERED.search(transcript.text[max(0, turn.start - 24) : turn.start])
            if label:
                found[turn.order] = unicodedata.normalize("NFKC", label[1])
    return found


class _Grouping:
    def __init__(
        self,
        groups: list[Group],
        *,
        named: bool,
        timeline: bool,
        last: Collection[int],
        series: Mapping[int, str],
    ) -> None:
        self.last = last
        self.series = series
        self.groups = groups
        self.named = named
        self.timeline = timeline  # its untagged topics belong to the block they stand in
        self.exchanges = 0
        self.moderated = False

    def take(self, turn: Turn) -> None:
        match turn.role:
            case "question":
                self._question(turn)
            case "presenter":
                self._presenter(turn)
            case _:
                self.groups[-1].turns.append(turn)
                if turn.role == "answer":
                    self.groups[-1].answered = True
        self.moderated = turn.role == "moderator"

    def _presenter(self, turn: Turn) -> None:
        """The company's closing words: a chunk of the presentation."""
        if self.groups[-1].part == "qa":
            self.groups.append(Group("presentation"))
        self.groups[-1].turns.append(turn)

    def _question(self, turn: Turn) -> None:
        current = self.groups[-1] if self.groups and self.groups[-1].part == "qa" else None
        who, key = _who(turn), _key(turn)
        same = current is not None and (
            self._numbered(current, turn) or self._same(current, key, turn)
        )
        if current is not None and same is not False and self._glued(current, turn, same=same):
            current.turns.append(turn)
            current.questioner, current.key = current.questioner or who, current.key or key
            return
        group = Group("qa", [turn], who, key)
        follows = current is not None and (
            same is True or (same is None and FOLLOW_UP.match(turn.text) is not None)
        )
        if current is not None and follows:
            group.exchange, group.followup = current.exchange, True
            group.parent = len(self.groups) - 1
            group.questioner, group.key = who or current.questioner, key or current.key
        else:
            group.exchange = self.exchanges
            self.exchanges += 1
        if not is_question(turn.text) and _closes(turn.text):
            group.no_question.add(turn.order)
        self.groups.append(group)

    def _same(self, current: Group, key: str | None, turn: Turn) -> bool | None:
        """Whether the current group's questioner asks again; None if nobody knows."""
        if not current.answered and current.turns and _interprets(current.turns, turn):
            return True
        if key is None:
            return True if current.key and self.named and not self.moderated else None
        # 「Q　北星証券」 goes on though only his first words named him.
        longer, shorter = sorted((key, current.key or ""), key=len, reverse=True)
        return key == current.key or (bool(shorter) and longer.startswith(f"{shorter} "))

    def _numbered(self, current: Group, turn: Turn) -> bool:
        """Q1-2 goes on where Q1-1 was answered."""
        number = self.series.get(turn.order)
        return number is not None and any(
            self.series.get(before.order) == number for before in current.turns
        )

    def _glued(self, current: Group, turn: Turn, *, same: bool | None) -> bool:
        """Rules (i), (iii), (iv): stays with the chunk before."""
        text = turn.text.strip()
        if self.timeline:
            return True
        asks = is_question(_ECHO.sub("", text))
        if len(text) < SHORT_QUESTION and current.answered and _echoes(text, current.turns):
            return True
        # Where nobody is named, 「年商の目標は。」 goes on; 「配当はいかがですか。」 may be anybody's.
        whole = text.rstrip("。？?」").endswith("か")
        goes_on = same is True or (same is None and not whole)
        goes_on = goes_on and turn.order not in self.series and not is_latin(text)
        if len(text) < SHORT_QUESTION and (not asks or goes_on):
            if not asks:
                current.no_question.add(turn.order)
            return True
        if (not asks and _closes(text)) or (current.answered and turn.order in self.last):
            current.no_question.add(turn.order)
            return True
        return not current.answered


def _exchanges(groups: Sequence[Group]) -> list[Group]:
    merged: list[Group] = []
    for group in groups:
        last = merged[-1] if merged else None
        if last is not None and group.part == "qa" == last.part and group.exchange == last.exchange:
            last.turns += group.turns
            last.no_question |= group.no_question
            last.answered = last.answered or group.answered
        else:
            group.parent, group.followup = None, False
            merged.append(group)
    return merged


def _singles(groups: Sequence[Group]) -> list[Group]:
    return [
        Group(
            group.part,
            [turn],
            group.questioner,
            exchange=group.exchange,
            answered=True,
            no_question=group.no_question,
        )
        for group in groups
        for turn in group.turns
    ]
