"""Label grammars induced from a document's own repetitions, where no known style explains it.

Here: which shape of line heads (``induced_shapes``) holds labels, judged by what labels do and
lists, tables, clauses and poems do not: few words come again and again, they could name
somebody, what stands behind them is said, and a question is followed by somebody else. Known
styles keep precedence; where nothing is sure nothing is taken. ``segment`` imports this module.

Linear: a constant number of candidates a line, each counted once.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from g2_pipelines.transcripts.believed import is_polite
from g2_pipelines.transcripts.cues import is_question
from g2_pipelines.transcripts.induced_casts import Cast, casts
from g2_pipelines.transcripts.induced_shapes import (
    MAX_LABEL,
    Head,
    like_name,
    may_name,
    shows_party,
    stem_of,
    tag_of,
)
from g2_pipelines.transcripts.labels import is_latin
from g2_pipelines.transcripts.lines import Heading, Line, Mark

STYLE, TAGS = "induced", "qa_induced"
MIN_MARKS, MIN_LABELS, MIN_ASKED = 4, 2, 2
#: Shares of a grammar's marks, each of one: labels that come again, words that are said,
#: questions with another speaker behind.
MIN_AGAIN, MIN_SAID, MIN_TURNED = 0.6, 0.6, 0.6
#: Of labels that show a party, or have a name's form: how many of the marks.
MIN_SHOWN, MIN_NAMED = 0.5, 0.7
#: Two to four labels of no known form: one side asks, the other does not, in turns.
MAX_SIDES, ASKS, ASKS_NOT, MIN_TURNS = 4, 0.6, 0.25, 0.7
#: Below this nothing is taken.
MIN_CONFIDENCE = 0.6
#: A grammar is preferred to a known style that has so many times fewer marks.
MORE = 1.5
WORDS = 600
SPACES, SPACED = ("␣", "　"), 0.95
MIN_WORDS = 4


class Induced(NamedTuple):
    """A grammar's marks in order, its shape for show, and how sure it is (0 to 1)."""

    marks: list[Mark]
    shape: str
    confidence: float


def induce(
    text: str,
    lines: Sequence[Line],
    parts: Sequence[Heading],
    skipped: Collection[int],
    *,
    least: int = MIN_MARKS,
) -> Induced | None:
    """The grammar that explains most of the text, None if none is sure.

    ``skipped`` lines hold no label (contents, attendance); fewer than ``least`` marks are of no
    use.
    """
    by_shape = casts(text, lines, parts, skipped, least)
    best: Induced | None = None
    for shape in sorted(by_shape):
        cast = by_shape[shape]
        if len(cast.lines) >= least:
            found = _grammar(cast, text, lines)
            if found is not None and (best is None or _worth(found) > _worth(best)):
                best = found
    return best


def _worth(found: Induced) -> float:
    return len(found.marks) * found.confidence


def _grammar(cast: Cast, text: str, lines: Sequence[Line]) -> Induced | None:
    """The shape's labels as a grammar, None if they are not sure to be speakers."""
    counts = Counter(head.label for head in cast.heads)
    stems = Counter(s for label, n in counts.items() if n > 1 and (s := stem_of(label)))
    shown = {
        label
        for label in counts
        if shows_party(label) or tag_of(label) or stems[stem_of(label) or ""] >= MIN_LABELS
    }
    every = list(zip(cast.lines, cast.heads, strict=True))
    picked = [place for place in every if counts[place[1].label] > 1 or place[1].label in shown]
    if len(picked) < MIN_MARKS or len({head.label for _, head in picked}) < MIN_LABELS:
        return None
    words = _words(picked, text, lines)
    first = next((i for i, w in enumerate(words) if _said(w)), len(words))
    picked, words = picked[first:], words[first:]  # behind title, date and attendance
    if len(picked) < MIN_MARKS:
        return None
    left = sum(_LEFT.match(text, head.end) is not None for _, head in picked) / len(picked)
    confidence = _confidence([head.label for _, head in picked], words, counts, shown) - left / 2
    if cast.shape.endswith(SPACES):
        confidence *= SPACED  # where a sign parts as well, the space stands within the label
    if confidence < MIN_CONFIDENCE:
        return None
    picked = _with_single(picked, every, text, lines)
    sides = {tag[0] for _, head in picked if (tag := tag_of(head.label))}
    marks = [_mark(n, head, lines[n], tagged=len(sides) > 1) for n, head in picked]
    return Induced(marks, cast.shape, round(confidence, 3))


def _with_single(
    picked: list[tuple[int, Head]],
    every: Sequence[tuple[int, Head]],
    text: str,
    lines: Sequence[Line],
) -> list[tuple[int, Head]]:
    """With the names that come once, stand as the labels do, and before what is said.

    None behind a mere space, where a sentence's head looks like a name.
    """
    if picked[0][1].shape.endswith(SPACES):
        return picked
    known = {number for number, _ in picked}
    apart = sum(_behind_blank(lines, n) for n in known) * 5 >= len(known) * 4
    more = [
        (number, head)
        for number, head in every
        if number not in known
        and number > picked[0][0]
        and like_name(head.label)
        and (not apart or _behind_blank(lines, number))
        and _said(text[head.end : head.end + WORDS // 4])
    ]
    return sorted(picked + more) if len(more) <= len(picked) else picked


def _behind_blank(lines: Sequence[Line], number: int) -> bool:
    return number == 0 or lines[number - 1].start >= lines[number - 1].end


def _words(picked: Sequence[tuple[int, Head]], text: str, lines: Sequence[Line]) -> list[str]:
    """What stands between each label and the next, at most ``WORDS`` characters."""
    ends = [lines[number].start for number, _ in picked[1:]] + [len(text)]
    return [
        text[head.end : min(end, head.end + WORDS)].strip()
        for (_, head), end in zip(picked, ends, strict=True)
    ]


#: What may stand behind words besides: a quote's or a cell's end, a time.
_BEHIND = re.compile(r"(?:[ \t　]*(?:[\"'|｜」』”’]|[（(\[][0-9:]{4,8}[）)\]])){1,3}$")


def _said(words: str) -> bool:
    """Whether somebody says the words: a sentence, a question, or at least several of them."""
    words = _BEHIND.sub("", words)
    if len(words) < MIN_WORDS:
        return False
    return is_polite(words) or is_question(words) or any(s in words for s in "。？！?!")


def _confidence(
    labels: Sequence[str], words: Sequence[str], counts: Counter[str], shown: Collection[str]
) -> float:
    """How sure it is that the labels are speakers; 0 where a condition fails.

    The mean of what speaks for it: labels that come again, that show or could be persons, words
    that are said, and questions behind which somebody else goes on.
    """
    total = len(labels)
    again = sum(counts[label] > 1 for label in labels) / total
    said = sum(map(_said, words)) / total
    asked = [is_question(w[-200:]) or is_question(w) for w in words]
    turned = [a != b for a, b in pairwise(labels)]
    questions = sum(asked[:-1])
    answered = sum(t for a, t in zip(asked, turned, strict=False) if a)
    follow = answered / questions if questions else 0.0
    persons = sum(label in shown for label in labels) / total
    named = sum(label in shown or like_name(label) for label in labels) / total
    if said < MIN_SAID or questions < MIN_ASKED or follow < MIN_TURNED:
        return 0.0
    alternation = sum(turned) / max(1, total - 1)
    if persons >= MIN_SHOWN:
        strength = persons
    elif named >= MIN_NAMED and again >= MIN_AGAIN:
        strength = 0.8 * named
    elif again >= MIN_AGAIN and _two_sides(labels, asked) and alternation >= MIN_TURNS:
        strength = 0.7
    else:
        return 0.0
    return (again + strength + said + follow + alternation) / 5


def _two_sides(labels: Sequence[str], asked: Sequence[bool]) -> bool:
    """Few labels of which one asks nearly always and another nearly never."""
    counts = Counter(labels)
    if len(counts) > MAX_SIDES or min(counts.values()) < MIN_LABELS:
        return False
    asks = Counter(label for label, a in zip(labels, asked, strict=True) if a)
    shares = [asks[label] / n for label, n in counts.items()]
    return max(shares) >= ASKS and min(shares) <= ASKS_NOT


def _mark(number: int, head: Head, line: Line, *, tagged: bool) -> Mark:
    """The mark of a candidate; ``tagged``: labels tell both sides, else 「A-1 」 is a number."""
    tag = tag_of(head.label)
    side, label = head.side, head.label
    if tag is not None:
        side, label = (tag[0] if tagged else side), (tag[1] if tagged or tag[1] else label)
    style = TAGS if side is not None else STYLE
    return Mark(style, number, line.start, head.end, label, side, line.t0)


def may_be_better(known: Sequence[Mark], text: str, filled: int) -> bool:
    """Whether known marks leave room: on few of the ``filled`` lines, or taken wrongly."""
    return 2 * len(known) < filled or misread(known, text)


def needed(known: Sequence[Mark], text: str) -> int:
    """How many marks a grammar must have to be used instead of the known ones."""
    fewer = 1 if misread(known, text) else MORE * len(known)
    return max(MIN_MARKS, math.ceil(fewer))


def completed(known: Sequence[Mark], found: Induced, text: str) -> list[Mark] | None:
    """The marks to use instead of the known ones; None where those stand.

    An induced grammar replaces marks that are much fewer, or that took a part of the shape only;
    it completes those that it agrees with.
    """
    lines = {mark.line for mark in found.marks}
    agreed = sum(mark.line in lines for mark in known)
    if misread(known, text):
        enough = 4 * len(found.marks) >= 3 * len(known) and 3 * agreed >= 2 * len(known)
        return found.marks if enough else None
    if len(found.marks) < needed(known, text):
        return None
    if 2 * agreed < len(known):
        return found.marks
    by_line = {mark.line: mark for mark in (*found.marks, *known)}
    return [by_line[line] for line in sorted(by_line)]


#: A delimiter's sign that a known style left before the words; quotes and brackets are theirs.
_LEFT = re.compile(
    r"[ \t　]{0,8}(?:[（(\[【]\d{1,2}:\d{2}(?::\d{2})?[）)\]】]|(?![「『（(“\"'‘【\[〔［〈《…・$¥￥+＋△▲－-]|[―─—]{2})[^\w\s])"
)
#: A bracket or sign that a known style took for a part of the label.
_DIRTY = re.compile(r"[^\w\s（(［\[【]|_|.*(?:[^\w\s）)］\]】>＞.]|_)$")


def misread(known: Sequence[Mark], text: str) -> bool:
    """Whether known marks have most of their words begin with a sign, or are one side's only.

    Labels that could name nobody count as well: speech that was taken for them.
    """
    left = sum(_LEFT.match(text, mark.end) is not None for mark in known)
    speech = sum(
        len(mark.label) > MAX_LABEL and not (is_latin(mark.label) or may_name(mark.label))
        for mark in known
    )
    dirty = sum(_DIRTY.match(mark.label) is not None for mark in known if mark.label)
    answers = sum(mark.side == "answer" and not mark.label for mark in known)
    return bool(known) and (2 * max(left, speech, dirty) > len(known) or answers == len(known))
