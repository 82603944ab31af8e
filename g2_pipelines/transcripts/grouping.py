"""Which turns are one chunk: a question up to the next question.

Here: the rules of grouping alone, turn by turn in order. What is looked at besides the turns
(numbers of labels, branches of a timeline, headings) is gathered in ``Surroundings``.
``chunks`` alone imports this module.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from g2_pipelines.tables.line1 import Transcript, TranscriptSegmentation, Turn
from g2_pipelines.text.language import language
from g2_pipelines.transcripts.chunk_rows import Group
from g2_pipelines.transcripts.cues import (
    ENDS,
    FOLLOW_UP,
    count_questions,
    is_question,
)
from g2_pipelines.transcripts.labels import GENERIC
from g2_pipelines.transcripts.short_questions import (
    SHORT_QUESTION,
    Manner,
    closes,
    manner_of,
    stands_alone,
)
from g2_pipelines.transcripts.turn_roles import ONLY_HOST, READS

CLOSING_TAIL = 60
#: Takes an answer in: 「ああ、そうでしたか。大変よく分かりました。」
_ECHO = re.compile(
    r"^(?:(?:ああ|あ|はい|なるほど|いや)[、。]?){0,2}そう(?:いうこと|なん)?(?:です|でした)か[。、]?"
)
#: Whoever asked before: 「Ｑ（同じ質問者）」.
_SAME_ONE = re.compile(
    r"^(?:同じ|同一の?|前の|上記の?)(?:質問者|方|人|記者)|^同(?:上|前|氏|記者)$|続き$"
)
LAST_WORDS = 400
_SENTENCES = re.compile(r"[^。？?\n]{1,400}[。？?\n]?")
#: The number in a question's label: 「Q1-2：」, 「質問3」; not that of 「質問者1」.
_NUMBERED = re.compile(
    r"(?:Question|[QＱ問])[\s　.．]?(?:No\.?|[-－])?(?P<n>[0-9０-９]{1,3})"
    r"(?:(?:[-－‐―−–.．]|の|[-－‐―−–.．]?[（(])(?P<branch>[0-9０-９]{1,2}))?[^0-9０-９]{0,12}$"
)
_LABEL_REACH = 24
_TREE = re.compile(r"[┝└├┣┗┠│┃]")
_ASKED = re.compile(r"[（(]質問[）)]")


class Surroundings(NamedTuple):
    """What stands around the question turns, by their order.

    ``numbers`` are a label's number and branch (``("1", "2")`` of Q1-2, branch "" without);
    ``branches`` hang below another entry of a timeline; ``headed`` have a heading before them;
    ``entries`` are entries of a timeline that name who asks.
    """

    numbers: dict[int, tuple[str, str]]
    branches: frozenset[int]
    headed: frozenset[int]
    entries: frozenset[int]


def grouped(
    transcript: Transcript, turns: Sequence[Turn], segmentation: TranscriptSegmentation
) -> list[Group]:
    """The turns in groups, each turn in exactly one, in order."""
    asked = [turn.text for turn in turns if turn.role == "question"]
    told = sum("。" in text for text in asked) * 2 > len(asked)  # what was said, not its topic
    opening = next((i for i, t in enumerate(turns) if t.role == "question"), len(turns))
    before = list(turns[:opening])
    groups: list[Group] = []
    lead: list[Turn] = []
    # The company's words behind the gate stand before the first question, as the host's do.
    presented = any(turn.role not in ("moderator", "answer") for turn in before)
    if presented or opening == len(turns):
        groups += [Group("presentation", before)] if before else []
    else:
        lead = before
    grouping = _Grouping(
        groups,
        named=_named(turns),
        timeline=segmentation.style == "timeline" and not told,
        last=_last_words(turns),
        around=_surroundings(transcript.text, turns, segmentation),
        answered={a.order for a, b in pairwise(turns) if b.role == "answer"},
        manner=manner_of(
            turns, named=_named(turns), dashes="dash" in segmentation.style.split("+")
        ),
    )
    for turn in turns[opening:]:
        grouping.take(turn)
    if lead:
        first = next(group for group in grouping.groups if group.part == "qa")
        first.turns[:0] = lead
    return grouping.groups


def _surroundings(
    text: str, turns: Sequence[Turn], segmentation: TranscriptSegmentation
) -> Surroundings:
    numbers: dict[int, tuple[str, str]] = {}
    branches, headed, entries = set(), set(), set()
    heads = [d.start for d in segmentation.dropped if d.reason.endswith("heading")]
    end = 0
    for turn in turns:
        if turn.role == "question":
            label = _NUMBERED.search(text[max(0, turn.start - _LABEL_REACH) : turn.start])
            if label:
                branch = unicodedata.normalize("NFKC", label["branch"] or "")
                numbers[turn.order] = (unicodedata.normalize("NFKC", label["n"]), branch)
            line = text[max(0, turn.start - _LABEL_REACH) : turn.start].rpartition("\n")[2]
            if _TREE.search(line) or not (_ASKED.search(line) or turn.speaker):
                branches.add(turn.order)
            elif segmentation.style == "timeline":
                entries.add(turn.order)
            nearest = bisect_left(heads, end)
            if nearest < len(heads) and heads[nearest] < turn.start:
                headed.add(turn.order)
        end = turn.end
    return Surroundings(numbers, frozenset(branches), frozenset(headed), frozenset(entries))


def _named(turns: Sequence[Turn]) -> bool:
    """Whether questioners usually say who they are: then a nameless question goes on."""
    names = {key for t in turns if t.role == "question" and (key := _key(t))}
    return len(names) >= 2


def _who(turn: Turn) -> str | None:
    """Organisation and name of a speaker, as far as known."""
    house, name = turn.organisation, turn.speaker
    if not house or not name or house == name:
        return house or name or None
    return f"{house} {name}"


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
    asked = next((t.text for t in reversed(before) if t.role == "question"), None)
    return asked is not None and (language(asked) == "ja") != (language(turn.text) == "ja")


class _Grouping:
    def __init__(
        self,
        groups: list[Group],
        *,
        named: bool,
        timeline: bool,
        last: Collection[int],
        around: Surroundings,
        answered: Collection[int],
        manner: Manner,
    ) -> None:
        self.last = last
        self.around = around
        self.manner = manner
        self.answered = answered  # orders of questions that an answer follows
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
        if not is_question(turn.text) and closes(turn.text) and count_questions(turn.text) < 2:
            group.no_question.add(turn.order)
        self.groups.append(group)

    def _same(self, current: Group, key: str | None, turn: Turn) -> bool | None:
        """Whether the current group's questioner asks again; None if nobody knows."""
        if not current.answered and current.turns and _interprets(current.turns, turn):
            return True
        if READS.search(turn.text[:LAST_WORDS]) and ONLY_HOST.search(turn.speaker or ""):
            return False  # a host reads somebody else's
        if self.timeline and turn.order in self.around.branches:
            return True
        if key is not None and _SAME_ONE.search(key):
            return True
        if key is None:
            return True if current.key and self.named and not self.moderated else None
        # 「Q　北星証券」 goes on though only his first words named him.
        longer, shorter = sorted((key, current.key or ""), key=len, reverse=True)
        return key == current.key or (bool(shorter) and longer.startswith(f"{shorter} "))

    def _numbered(self, current: Group, turn: Turn) -> bool:
        """Q1-2 goes on where Q1 or Q1-1 was answered."""
        numbers = self.around.numbers
        number, branch = numbers.get(turn.order, ("", ""))
        return bool(branch) and any(
            numbers.get(before.order, ("", ""))[0] == number for before in current.turns
        )

    def _glued(self, current: Group, turn: Turn, *, same: bool | None) -> bool:
        """Rules (i), (iii), (iv): stays with the chunk before."""
        text = turn.text.strip()
        if self.timeline:
            return turn.order in self.around.branches and (
                len(text) < SHORT_QUESTION or not current.answered or turn.order in self.last
            )
        alone = turn.order in self.around.entries or self._stands_alone(turn)
        short = len(text) < SHORT_QUESTION and not (current.answered and alone)
        if short and self._goes_on(turn, same=same):
            current.no_question.add(turn.order)
            return True
        asks = is_question(_ECHO.sub("", text))
        if (not asks and closes(text)) or (current.answered and turn.order in self.last):
            current.no_question.add(turn.order)
            return True
        return not current.answered

    def _stands_alone(self, turn: Turn) -> bool:
        """Whether short words are a question by themselves that somebody answers."""
        return turn.order in self.answered and stands_alone(turn.text, self.manner)

    def _goes_on(self, turn: Turn, *, same: bool | None) -> bool:
        """Whether a short question belongs to the one before: 「特段。」, 「年商の目標は。」.

        Not where it has a number or a heading of its own, or somebody was called to ask.
        """
        number, branch = self.around.numbers.get(turn.order, ("", ""))
        if number and not branch:
            return closes(turn.text)
        apart = (
            bool(branch) or turn.order in self.around.headed or (same is None and self.moderated)
        )
        return not (apart and is_question(turn.text))
