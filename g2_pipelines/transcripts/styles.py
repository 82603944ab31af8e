"""The vote: which label styles a document uses.

Here: counting every style's candidates, choosing, and turning the chosen styles' candidates
into one mark a line. The grammar stands in ``marks``, which labels are believed in
``believed``. ``segment`` imports this module.

A style wins with at least two labels of which one comes again, or with a known pair
(question and answer marks). Explicit marks and name labels may stand side by side (a
presentation by names, a Q&A by Q and A); the weak styles, bare names, only win where no
strong one does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from g2_pipelines.tables.line1 import StyleVote
from g2_pipelines.transcripts.believed import (
    EXPLICIT,
    SIGNED,
    WEAK,
    Document,
    is_polite,
    is_whole,
    named_by_words,
    names_pass,
    parties,
    told_labels,
    words_behind,
    words_of,
)
from g2_pipelines.transcripts.cues import QUESTION, is_question, role_of_title
from g2_pipelines.transcripts.entries import with_heads
from g2_pipelines.transcripts.labels import (
    is_party,
    is_post,
    is_short_name,
)
from g2_pipelines.transcripts.learned import STYLE, learned
from g2_pipelines.transcripts.lines import Heading, Line, Mark
from g2_pipelines.transcripts.marks import candidates
from g2_pipelines.transcripts.rosters import Roster

#: A style that no grammar knows wins with so many marks, and so many times the others'.
MIN_RARE, RARE_FACTOR = 5, 1.5
#: 「（質問）暁光新聞 柳瀬記者 …」: names behind explicit marks, in so many of a hundred.
MIN_HEADED, HEADED = 3, 60
#: Words of a speaker: a sentence, or as many as no title has.
MIN_WORDS = 40
_SAID = re.compile(r"[。？?！!]|[.]$")
#: Whether an interviewer's words ask, behind his dash: 「人員の削減はあるのか。組合は…」.
_ASKS = re.compile(rf"{QUESTION.pattern}|か[。？?]|[？?]")
#: A line that ends within its sentence: 「それでは、株式会社ヤマネコの」.
_BROKEN = re.compile(r"[、，].*[^。？?！!]$|[をがはにでと]$")
#: Signs that stand before headings as well as before speakers.
_HEADING_GLYPHS = frozenset("■□▼▽▲△▶★☆")


class Ballot(NamedTuple):
    """The outcome: chosen styles (best first), votes for show, marks in order, and why none."""

    styles: list[str]
    votes: list[StyleVote]
    marks: list[Mark]
    reason: str


def vote(
    text: str,
    lines: list[Line],
    parts: Sequence[Heading],
    *,
    roster: Roster,
    skipped: Collection[int] = (),
) -> Ballot:
    """Choose the styles of ``text``.

    ``parts`` says for every line whether it is a heading; ``skipped`` lines hold no label.
    """
    by_style: dict[str, list[Mark]] = {}
    for mark in candidates(text, lines, parts, skipped):
        if mark.style not in WEAK or mark.line not in roster.lines:
            by_style.setdefault(mark.style, []).append(mark)
    filled = sum(1 for line in lines if text[line.head : line.end].strip())
    by_style = {s: _from_first_words(s, m, text, lines) for s, m in by_style.items()}
    if "timeline" in by_style:
        by_style["timeline"] = with_heads(by_style["timeline"], text, lines)
    for style in EXPLICIT[1:]:
        if len(by_style.get(style, ())) >= MIN_HEADED:
            by_style[style] = with_heads(by_style[style], text, lines, always=False, share=HEADED)
    document = Document(text, lines, roster, filled, "qa" in parts)
    passing = {style: marks for style, marks in by_style.items() if _passes(style, marks, document)}
    _complete(passing, by_style)
    styles = _choose(passing)
    merged = _merge(styles, passing, document) if styles else []
    rare = (
        learned(text, lines, parts, {*skipped, *roster.lines}) if 2 * len(merged) < filled else []
    )
    if len(rare) >= max(MIN_RARE, RARE_FACTOR * len(merged)):
        by_style[STYLE] = rare
        styles, merged = [STYLE], rare
    used = {mark.style for mark in merged}
    styles = [style for style in styles if style in used]
    votes = [
        _count(style, marks, chosen=style in styles) for style, marks in sorted(by_style.items())
    ]
    if not styles:
        return Ballot([], votes, [], _reason(by_style))
    return Ballot(styles, votes, merged, "")


def _complete(passing: dict[str, list[Mark]], by_style: Mapping[str, list[Mark]]) -> None:
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
        passing |= {s: led for s in others if (led := parties(by_style[s]))}
    _answered_by_mark(passing, by_style)
    if "dash" in passing:
        # Whoever answers an interviewer, though he is the only one with a name.
        asked = {mark.line for mark in passing["dash"]}
        for style in (s for s in SIGNED if s in by_style and s not in passing):
            answers = [m for m in by_style[style] if is_short_name(m.label) or is_party(m.label)]
            behind = [m for m in answers if _previous(m.line, asked)]
            if len(behind) >= 2 and len(behind) * 2 >= len(answers):
                labels = {mark.label for mark in behind}
                passing[style] = [mark for mark in answers if mark.label in labels]
    if not any(len(passing[style]) >= 2 for style in passing if style not in EXPLICIT):
        return
    for style in EXPLICIT:
        marks = by_style.get(style, [])
        asking, answering = _of_side("question", marks), _of_side("answer", marks)
        # 「投資家A：…」 asks and 「会社：…」 answers.
        if style not in passing and (asking >= 2 or (answering >= 2 and sides == {None})):
            passing[style] = marks


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


def _name_of(mark: Mark) -> str:
    return mark.side or mark.label if mark.style in EXPLICIT else mark.label


def _count(style: str, marks: Sequence[Mark], *, chosen: bool) -> StyleVote:
    names = [_name_of(mark) for mark in marks]
    changes = sum(a != b for a, b in pairwise(names))
    return StyleVote(
        style=style,
        lines=len(names),
        labels=len(set(names)),
        repeats=len(names) - len(set(names)),
        alternation=round(changes / (len(names) - 1), 4) if len(names) > 1 else 0.0,
        chosen=chosen,
    )


def _passes(style: str, marks: Sequence[Mark], document: Document) -> bool:
    if style == "qa_arrow":
        return False  # never by itself: see ``vote``
    if style in EXPLICIT:
        return _pair(style, marks, qa_heading=document.qa_heading)
    if style == "dash":
        asked = sum(1 for mark in marks if _ASKS.search(words_of(mark, document)))
        return len(marks) >= 2 and asked * 2 >= len(marks)
    return names_pass(style, marks, document)


def _pair(style: str, marks: Sequence[Mark], *, qa_heading: bool) -> bool:
    sides = [mark.side for mark in marks if mark.side]
    pair = "question" in sides and "answer" in sides
    if style == "timeline":
        return pair and sum(bool(m.label) and bool(m.side) for m in marks) >= 2
    if style == "qa_space":
        return pair and len(sides) >= 2
    # A lone mark is believed under a Q&A heading, and questions alone when there are several.
    return pair or (qa_heading and "question" in sides) or sides.count("question") >= 3


def _choose(passing: Mapping[str, Sequence[Mark]]) -> list[str]:
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
    chosen = explicit + best_name + [s for s in ("dash",) if s in passing]
    if explicit:
        chosen += [s for s in passing if s not in chosen and s not in WEAK and _led(passing[s])]
        chosen += [s for s in WEAK if s in passing and s not in chosen and _led(passing[s])]
    return sorted(chosen, key=lambda s: (-len(passing[s]), s))


def _led(marks: Sequence[Mark]) -> bool:
    """Whether every label is a party's: they stand beside the marks of questions."""
    return len(parties(marks)) == len(marks)


_CROWDED = frozenset({"name_colon", "bullet_colon", "name_slash", "name_bracket", "name_paren"})
_PARTICLE = re.compile(r"[はをがに、]|(?:とき|こと|ため|場合|通り|とおり)$")


def _spoken(mark: Mark, document: Document) -> bool:
    """Whether words that are said stand behind a label without a particle in it."""
    words = words_of(mark, document)
    return _PARTICLE.search(mark.label) is None and (is_polite(words) or is_question(words))


def _merge(
    styles: list[str], passing: Mapping[str, Sequence[Mark]], document: Document
) -> list[Mark]:
    """One mark a line; explicit marks first, names beside them only where they are known."""
    by_line: dict[int, Mark] = {}
    mixed = any(style in EXPLICIT for style in styles)
    labelled = {mark.line for style in styles for mark in passing[style]}
    begin = min(labelled, default=0)
    filled = sum(1 for line in document.lines[begin:] if line.end > line.head)
    dense = 2 * len(labelled) >= filled
    # Where every line has a label, what stands there once is one as well: 「kabu_taro：」.
    crowded = not mixed and len(labelled) * 10 >= filled * 9
    for style in sorted(styles, key=lambda s: s not in EXPLICIT):
        marks = passing[style]
        accepted = _accepted(style, marks, document, mixed=mixed, dense=dense)
        for mark in marks:
            told = accepted is None or mark.label in accepted
            told = told or (crowded and style in _CROWDED and _spoken(mark, document))
            if mark.line not in by_line and told:
                by_line[mark.line] = mark
    return [by_line[line] for line in sorted(by_line)]


def _from_first_words(
    style: str, marks: list[Mark], text: str, lines: Sequence[Line]
) -> list[Mark]:
    """Without the title, date and attendance lines above the first words that somebody says."""
    if style.startswith("qa_"):
        return _without_people(marks, text, lines)
    if style not in SIGNED and not style.startswith("circle_"):
        return marks
    silent, marked = True, {mark.line for mark in marks}
    for number, mark in enumerate(marks):
        words = _first_words(mark, text, lines, marked)
        if len(words) >= MIN_WORDS or _SAID.search(words):
            return marks[number:]
        silent = silent and (not words or mark.line + 1 in marked)
    return marks if silent else []


def _first_words(mark: Mark, text: str, lines: Sequence[Line], marked: Collection[int]) -> str:
    """What stands behind a label; a party's sentence goes on in the lines of a subtitle."""
    words = words_behind(mark, text, lines).strip()
    below = mark.line + 1
    goes_on = below < len(lines) and below not in marked and is_party(mark.label)
    if goes_on and _BROKEN.search(words):
        words += text[lines[below].start : lines[below].end].strip()
    return words


def _without_people(marks: list[Mark], text: str, lines: Sequence[Line]) -> list[Mark]:
    """Without 「質問者：業界紙記者」, 「回答者：広報部長」 above the questions: who they are."""
    for number, mark in enumerate(marks):
        words = text[mark.end : lines[mark.line].end].strip()
        if not words or not (is_party(words) or is_post(words)) or _SAID.search(words):
            return marks[number:]
    return marks


def _accepted(
    style: str, marks: Sequence[Mark], document: Document, *, mixed: bool, dense: bool
) -> set[str] | None:
    """The labels of a name style that are speakers; None: all."""
    if style in EXPLICIT or style in ("dash", "time_speaker", "name_time"):
        return None
    if style.startswith("circle_") and not mixed and style[-1] not in _HEADING_GLYPHS:
        return None
    told = told_labels(style, marks, document)
    if dense and style in SIGNED and style != "name_line":
        # Where most lines carry a label, a name that comes once and speaks politely does too.
        told |= named_by_words(marks, told, lambda mark: is_polite(words_of(mark, document)))
        counts = Counter(mark.label for mark in marks)
        often_told = told | {label for label, n in counts.items() if n > 1}
        told |= _of_shape(marks, often_told, document)
    elif mixed and style in SIGNED and style not in WEAK:
        counts = Counter(mark.label for mark in marks)
        often = [mark for mark in marks if counts[mark.label] > 1]
        told |= named_by_words(often, told, lambda mark: is_polite(words_of(mark, document)))
    if mixed:
        return told
    counts = Counter(mark.label for mark in marks)
    told |= {label for label, n in counts.items() if n > 1}
    return told | {label for label in counts if is_whole(label)} if style == "name_line" else told


#: 「東和新聞・片桐」: a house and a family name, joined by one sign.
_HOUSE_NAME = re.compile(
    r"[^・／/　 \n]{2,16}(?P<sign>[・／/　 ])[一-龥々ぁ-んァ-ヶー]{1,6}(?:氏|様|さん|記者)?"
)
MIN_SHAPE = 2


def _of_shape(marks: Sequence[Mark], told: set[str], document: Document) -> set[str]:
    """Labels built as believed ones are: 「フリーライター・真砂」 beside 「東和新聞・片桐」.

    One sign joins house and name in at least two marks that are believed or ask.
    """
    shapes: dict[str, str] = {}
    for label in {mark.label for mark in marks}:
        match = _HOUSE_NAME.fullmatch(label)
        if match is not None:
            shapes[label] = match["sign"]
    asking = {
        mark.label
        for mark in marks
        if mark.label in shapes and is_question(words_of(mark, document))
    }
    known = (told | asking) & shapes.keys()
    signs = Counter(shapes[mark.label] for mark in marks if mark.label in known)
    return {
        mark.label
        for mark in marks
        if signs[shapes.get(mark.label, "")] >= MIN_SHAPE
        and (mark.label in asking or is_polite(words_of(mark, document)))
    }


def _reason(by_style: Mapping[str, Sequence[Mark]]) -> str:
    if not by_style:
        return "no speaker labels found"
    style = max(sorted(by_style), key=lambda s: len(by_style[s]))
    count = _count(style, by_style[style], chosen=False)
    return (
        f"no label style won the vote: the best, {style}, has {count.labels} distinct labels "
        f"in {count.lines} lines and {count.repeats} repeats"
    )
