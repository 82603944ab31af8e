"""Which label styles win: those that pass by themselves, and those that stand beside others.

Here: the rules of the vote on counted candidates. ``styles`` alone imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from g2_pipelines.transcripts.believed import (
    EXPLICIT,
    SIGNED,
    WEAK,
    Document,
    names_pass,
    parties,
    present,
    words_of,
)
from g2_pipelines.transcripts.cues import QUESTION, role_of_title
from g2_pipelines.transcripts.labels import is_party, is_short_name
from g2_pipelines.transcripts.lines import Mark

#: So many questions with a mark and a space only, none of an answer.
MIN_ASKED = 3
#: Whether an interviewer's words ask, behind his dash: 「人員の削減はあるのか。組合は…」.
_ASKS = re.compile(rf"{QUESTION.pattern}|か[。？?]|[？?]")


def passes(style: str, marks: Sequence[Mark], document: Document) -> bool:
    """Whether a style could win by itself."""
    if style == "qa_arrow":
        return False  # never by itself: see ``vote``
    if style in EXPLICIT:
        return _pair(style, marks, document)
    if style == "name_main":
        return bool(marks)
    if style == "dash":
        asked = sum(1 for mark in marks if _ASKS.search(words_of(mark, document)))
        return len(marks) >= 2 and asked * 2 >= len(marks)
    return names_pass(style, marks, document)


def _pair(style: str, marks: Sequence[Mark], document: Document) -> bool:
    sides = [mark.side for mark in marks if mark.side]
    pair = "question" in sides and "answer" in sides
    if style == "timeline":
        return pair and sum(bool(m.label) and bool(m.side) for m in marks) >= 2
    if style == "qa_space":
        asked = [m for m in marks if m.side == "question"]
        asks = sum(_ASKS.search(words_of(mark, document)) is not None for mark in asked)
        alone = len(asked) == len(marks) >= MIN_ASKED and asks * 3 >= len(asked) * 2
        return (pair and len(sides) >= 2) or alone
    # A lone mark is believed under a Q&A heading, and questions alone when there are several.
    return pair or (document.qa_heading and "question" in sides) or sides.count("question") >= 3


def choose(passing: Mapping[str, Sequence[Mark]], document: Document) -> list[str]:
    """The styles that a document uses, the one with most marks first."""
    if "timeline" in passing:
        return ["timeline"]
    strong = [style for style in passing if style not in WEAK]
    explicit = [style for style in strong if style in EXPLICIT]
    if "qa_space" in explicit and len(explicit) > 1:
        best = max(len(passing[s]) for s in explicit if s != "qa_space")
        others = {mark.side for s in explicit if s != "qa_space" for mark in passing[s]}
        if {"question", "answer"} <= others and best >= len(passing["qa_space"]):
            explicit.remove("qa_space")
            strong.remove("qa_space")
    if not strong:
        weak = sorted(passing, key=lambda s: (-len(passing[s]), s))
        if weak and weak[0] != "dash" and "dash" in passing:
            return [weak[0], "dash"]
        return weak[:2] if weak[:1] == ["dash"] else weak[:1]
    names = [style for style in strong if style not in EXPLICIT]
    best_name = sorted(names, key=lambda s: (-len(passing[s]), s))[:1]
    answered = any(mark.side == "answer" for s in explicit for mark in passing[s])
    if explicit and not best_name:  # 「質問　…」 and bare names that answer, or an Operator
        weak = [
            s
            for s in ("name_space", "name_line")
            if s in passing and not (answered and s == "name_space" and not parties(passing[s]))
        ]
        best_name = sorted(weak, key=lambda s: (-len(passing[s]), s))[:1]
    # An interview behind a call: its questions have dashes, its answers the names of before.
    if best_name and best_name[0].startswith("circle_"):
        # 「◆朝風新聞」 asks and 「◇理事長」 answers: a sign for each side.
        best_name += [
            s for s in names if s.startswith("circle_") and s not in best_name and _led(passing[s])
        ]
    chosen = explicit + best_name + [s for s in ("dash", "name_main") if s in passing]
    chosen = list(dict.fromkeys(chosen))
    if explicit:
        led = [s for s in passing if len(present(passing[s], document)) == len(passing[s])]
        chosen += [s for s in led if s not in chosen and s not in WEAK]
        chosen += [s for s in WEAK if s in led and s not in chosen]
    return sorted(chosen, key=lambda s: (-len(passing[s]), s))


def _led(marks: Sequence[Mark]) -> bool:
    """Whether every label is a party's: they stand beside the marks of questions."""
    return len(parties(marks)) == len(marks)


def complete(
    passing: dict[str, list[Mark]], by_style: Mapping[str, list[Mark]], document: Document
) -> None:
    """Marks that are believed beside others only.

    「→ …」 below 「Ｑ．…」 answers; 「質問：…」 needs no mark of an answer where names answer.
    """
    sides = {mark.side for marks in passing.values() for mark in marks}
    arrows = by_style.get("qa_arrow", [])
    listed = _of_side("question", arrows) >= 2  # their own questions, numbered only
    if len(arrows) >= 2 and ("question" in sides or listed) and "answer" not in sides:
        passing["qa_arrow"] = arrows
    if "question" in sides and "answer" not in sides:
        # 「問）…」 beside 「答（神林）　…」: each side in a shape of its own.
        passing |= {
            s: by_style[s] for s in EXPLICIT if _of_side("answer", by_style.get(s, [])) >= 2
        }
    if sum(_of_side("question", by_style.get(s, [])) for s in EXPLICIT) >= 2:
        # Who leads or answers a call whose questions have marks: one label is enough.
        others = (s for s in by_style if s not in (*EXPLICIT, *passing, "dash"))
        passing |= {s: led for s in others if (led := present(by_style[s], document))}
    _answered_by_mark(passing, by_style)
    _other_circles(passing, by_style)
    _answering(passing, by_style)
    if not any(len(passing[style]) >= 2 for style in passing if style not in EXPLICIT):
        return
    for style in EXPLICIT:
        marks = by_style.get(style, [])
        asking, answering = _of_side("question", marks), _of_side("answer", marks)
        # 「投資家A：…」 asks and 「会社：…」 answers.
        if style not in passing and (asking >= 2 or (answering >= 2 and sides == {None})):
            passing[style] = marks


def _other_circles(passing: dict[str, list[Mark]], by_style: Mapping[str, list[Mark]]) -> None:
    """A sign for each side: the host's 「▽」 beside 「◆」 and 「◇」, though it has one label."""
    if any(style.startswith("circle_") for style in passing):
        for style in by_style:
            if style.startswith("circle_") and style not in passing and _led(by_style[style]):
                passing[style] = by_style[style]


def _answering(passing: dict[str, list[Mark]], by_style: Mapping[str, list[Mark]]) -> None:
    """Whoever answers an interviewer, though he is the only one with a name."""
    if "dash" not in passing:
        return
    asked = {mark.line for mark in passing["dash"]}
    for style in (s for s in SIGNED if s in by_style and s not in passing):
        answers = [m for m in by_style[style] if is_short_name(m.label) or is_party(m.label)]
        behind = [m for m in answers if _previous(m.line, asked)]
        if len(behind) >= 2 and len(behind) * 2 >= len(answers):
            labels = {mark.label for mark in behind}
            passing[style] = [mark for mark in answers if mark.label in labels]


def _answered_by_mark(passing: dict[str, list[Mark]], by_style: Mapping[str, list[Mark]]) -> None:
    """「【組合】…」 asks and 「【会社】…」, which is a mark, answers."""
    answered = {s: by_style[s] for s in EXPLICIT if _of_side("answer", by_style.get(s, ())) >= 2}
    if not answered or any(_of_side("question", by_style.get(s, ())) for s in EXPLICIT):
        return
    names = [s for s in by_style if s not in (*EXPLICIT, "dash")]
    asking = {s: led for s in names if len(led := _asking(by_style[s])) >= 2}
    if asking:
        for style, marks in {**asking, **answered}.items():
            passing.setdefault(style, marks)


def _asking(marks: Sequence[Mark]) -> list[Mark]:
    return [mark for mark in marks if role_of_title(mark.label) == "question"]


def _previous(line: int, asked: Collection[int]) -> bool:
    """Whether a question begins on one of the three lines before."""
    return any(number in asked for number in range(line - 3, line))


def _of_side(side: str, marks: Sequence[Mark]) -> int:
    return sum(mark.side == side for mark in marks)
