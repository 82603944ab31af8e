"""Marks into raw turns: which range each label governs, and what no turn holds.

Here: headings, unlabelled text before the first label, interview answers without a label,
trimming of remarks at a turn's edges. No roles yet: see ``roles``. ``segment`` imports this
module.

A turn is one range of the clean text. Remarks on lines of their own at its edges (applause,
topic headings, rules) are dropped with their reason; inside a turn they stay, so that the
source view is whole, and ``model_view`` leaves them out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from g2_pipelines.tables.line1 import DroppedSpan
from g2_pipelines.transcripts.cues import role_of_title
from g2_pipelines.transcripts.edges import EDGES, POLITE
from g2_pipelines.transcripts.entries import EVENT
from g2_pipelines.transcripts.lines import Heading, Line, Mark
from g2_pipelines.transcripts.notes import is_note
from g2_pipelines.transcripts.tails import tail_begin

_PRESENTS = re.compile(
    r"本日は|申し上げます|ご説明(?:いた)?します|ご報告(?:いた)?します|と申します|(?:社長|会長|CEO|CFO|取締役)[^。、\n]{0,6}の[^。、\n]{1,8}です"
)
#: What a publisher writes above a record.
_NOTE = re.compile(r"書き起こし|文字起こし|編集|要約|加筆|修正|抜粋|掲載|ご了承|公開")
_STOP = re.compile(r"。|(?<=[A-Za-z)\]])\.(?:\s|$)|[0-9]\.$")
#: A topic's heading between questions, none of a list's lines.
_TOPIC = re.compile(
    r"[\s　]{0,4}(?:[■□◆◇●○▼▽▶★◎][\s　]?|[（(][0-9０-９]{1,2}[）)][\s　]?|[0-9０-９]{1,2}[.．、][\s　]?|[\[〔［])[^。、？?！!：:\n]{2,30}$"
)
MAX_EDGE = 160
MIN_PROSE = 120
MIN_WORDS = 20
MIN_PROSE_LINES = 2
MINPOLITE = 3
MIN_ASKED = 2


class Page(NamedTuple):
    """A text with its lines, each line's heading, and the lines of contents and of pages' edges."""

    text: str
    lines: list[Line]
    parts: Sequence[Heading]
    contents: Collection[int]
    furniture: Collection[int] = ()


@dataclass
class RawTurn:
    """A turn [start, end) before roles; ``mark`` is None for unlabelled text."""

    start: int
    end: int
    mark: Mark | None
    t0: float | None = None
    t1: float | None = None
    part: str = ""


@dataclass
class Layout:
    """Raw turns and dropped spans in order; turn numbers at which a heading's part begins."""

    turns: list[RawTurn] = field(default_factory=list)
    dropped: list[DroppedSpan] = field(default_factory=list)
    qa_headings: list[int] = field(default_factory=list)


class _Builder:
    def __init__(self, page: Page) -> None:
        self.text = page.text
        self.lines = page.lines
        self.furniture = page.furniture
        self.layout = Layout()
        self.open: list[int] = []
        self.mark: Mark | None = None
        self.part = ""
        self.seen_label = False
        self.interview = False

    def drop(self, start: int, end: int, reason: str) -> None:
        piece = self.text[start:end]
        left = len(piece) - len(piece.lstrip())
        right = len(piece.rstrip())
        if right > left:
            self.layout.dropped.append(
                DroppedSpan(start=start + left, end=start + right, reason=reason)
            )

    def close(self) -> None:
        """End the open turn: trim its edges, drop them, keep the rest."""
        members, mark = self.open, self.mark
        self.open, self.mark = [], None
        if mark is not None:
            self.drop(mark.start, mark.end, "label")
        first, last = 0, len(members)
        while first < last and (reason := self._edge(members[first], mark)):
            self._drop_line(members[first], mark, reason)
            first += 1
        tail: list[tuple[int, str]] = []
        while last > first and (reason := self._edge(members[last - 1], mark)):
            tail.append((members[last - 1], reason))
            last -= 1
        self._keep(members[first:last], mark)
        for number, reason in reversed(tail):
            self._drop_line(number, mark, reason)

    def _range(self, number: int, mark: Mark | None) -> tuple[int, int]:
        line = self.lines[number]
        begin = line.start
        if mark is not None:  # a label may fill two lines
            begin = mark.end if mark.line == number else max(begin, mark.end)
        return begin, max(begin, line.end)

    def _drop_line(self, number: int, mark: Mark | None, reason: str) -> None:
        self.drop(*self._range(number, mark), reason)

    def _edge(self, number: int, mark: Mark | None) -> str:
        """Why this line is none of a turn's words at its edge; "" if it is."""
        begin, end = self._range(number, mark)
        piece = self.text[begin : min(end, begin + MAX_EDGE)]
        if not piece.strip():
            return "blank"
        if number in self.furniture:
            return "page"
        if end - begin > MAX_EDGE or (mark is not None and mark.line == number):
            return ""
        for pattern, reason in EDGES:
            if pattern.match(piece):
                return reason
        return ""

    def _keep(self, members: list[int], mark: Mark | None) -> None:
        if not members:
            return
        start = self._range(members[0], mark)[0]
        end = self.lines[members[-1]].end
        piece = self.text[start:end]
        start, end = end - len(piece.lstrip()), start + len(piece.rstrip())
        if start >= end:
            return
        if mark is None and not self._is_speech(members):
            self.drop(start, end, "preamble" if not self.seen_label else "unlabelled")
            return
        if mark is None and not self.seen_label:
            members = self._without_title(members)
            start, end = self.lines[members[0]].start, self.lines[members[-1]].end
            piece = self.text[start:end]
            start, end = end - len(piece.lstrip()), start + len(piece.rstrip())
        line = self.lines[mark.line if mark is not None else members[0]]
        self.layout.turns.append(
            RawTurn(
                start, end, mark, _first(mark.t0 if mark else None, line.t0), line.t1, self.part
            )
        )

    def _is_speech(self, members: list[int]) -> bool:
        """Whether unlabelled text is somebody's words rather than title and attendance."""
        if self.interview or not any(_STOP.search(self._words(n)) for n in members):
            return False  # an editor's lead-in, or a heading
        if self.part != "presentation" and all(
            is_note(w) or not _STOP.search(w) for n in members if (w := self._words(n)[:5000])
        ):
            return False  # what the publisher tells about the record
        if self.part:
            return True
        polite = sum(len(POLITE.findall(self._words(number)[:5000])) for number in members)
        size = sum(len(self._words(number)) for number in members)
        if polite >= MINPOLITE and size >= MIN_PROSE:
            return True
        prose = [n for n in members if self._words(n).rstrip().endswith("。")]
        noted = any(_NOTE.search(self._words(n)[:5000]) for n in members)
        if not self.seen_label and len(prose) >= MIN_PROSE_LINES and not noted:
            return True
        # Words before the first label: few, but those of somebody who opens.
        return not self.seen_label and any(
            _PRESENTS.search(words) and not _NOTE.search(words) and POLITE.search(words)
            for number in members
            if len(words := self._words(number)[:5000]) > MIN_WORDS
        )

    def _without_title(self, members: list[int]) -> list[int]:
        """Drop the title, date and place lines before the first sentence."""
        words = [self._words(n) for n in members]
        presents = self.part == "presentation"
        spoken = next(
            (
                i
                for i, w in enumerate(words)
                if "。" in w[-40:] and (presents or not is_note(w[:5000]))
            ),
            next((i for i, w in enumerate(words) if "。" in w[-40:]), 0),
        )
        for number in members[:spoken]:
            self.drop(self.lines[number].start, self.lines[number].end, "preamble")
        return members[spoken:]

    def _words(self, number: int) -> str:
        return self.text[self.lines[number].start : self.lines[number].end]

    def head(self, number: int, part: str) -> None:
        self.close()
        line = self.lines[number]
        self.drop(line.start, line.end, f"{part}_heading")
        self.part = part
        if part == "qa":
            self.layout.qa_headings.append(len(self.layout.turns))

    def aside(self, number: int, reason: str) -> None:
        """Drop a line that is in no turn and opens no part."""
        self.close()
        self.drop(self.lines[number].start, self.lines[number].end, reason)

    def _topic_above(self, mark: Mark) -> int | None:
        """The line of a topic's heading above a question: 「■設備投資」, 「1. 業績について」."""
        if mark.side != "question" or len(self.open) < 2 or self.mark is None:
            return None
        filled = [n for n in self.open[-4:] if self._words(n).strip()]
        if len(filled) < 2:
            return None
        last, before = self._words(filled[-1]), self._words(filled[-2])
        if filled[-1] == self.mark.line or not _TOPIC.match(last) or _TOPIC.match(before):
            return None
        return filled[-1]

    def begin(self, mark: Mark) -> None:
        topic = self._topic_above(mark)
        if topic is not None:
            self.open = [n for n in self.open if n < topic]
            self.aside(topic, "heading")
        self.close()
        self.seen_label = True
        self.mark = mark
        self.open = [mark.line]


def _first(t0: float | None, other: float | None) -> float | None:
    return t0 if t0 is not None else other


def lay_out(page: Page, marks: list[Mark]) -> Layout:
    """Turns of the page's text by ``marks`` (at most one a line, ascending).

    Every non-space character is in exactly one turn or dropped span.
    """
    text, lines, parts, contents, furniture = page
    builder = _Builder(page)
    by_line = {mark.line: mark for mark in marks}
    bare = {"dash", *(mark.style for mark in marks)} if _only_asks(marks) else {"dash"}
    dash = any(mark.style in bare for mark in marks)
    builder.interview = any(m.style == "dash" for m in marks) and not any(
        mark.style.startswith("qa_") for mark in marks
    )
    tail = tail_begin(text, lines, marks)
    # Where the host's entries have a tag as well, one without any is an event: 「休憩（5分）」.
    tagged = any(
        mark.side is None and _tagged(mark) and role_of_title(mark.label) == "moderator"
        for mark in marks
    )
    for number, line in enumerate(lines[:tail]):
        mark = by_line.get(number)
        if mark is not None and mark.style == "timeline" and _event(mark, tagged=tagged):
            builder.aside(number, "event")
        elif mark is not None:
            builder.begin(mark)
        elif number in furniture:
            builder.open.append(number)
        elif number in contents:
            builder.aside(number, "contents")
        elif (part := parts[number]) is not None:
            builder.head(number, part)
        elif dash and _interview_answer(builder, number, line, bare):
            builder.begin(Mark("dash", number, line.start, line.start, "", "answer"))
        else:
            builder.open.append(number)
    builder.close()
    if tail < len(lines):
        builder.drop(lines[tail].start, len(text), "boilerplate")
    return _merged(builder.layout, text)


def _tagged(mark: Mark) -> bool:
    return mark.style == "timeline" and (mark.side is not None or mark.label not in ("", EVENT))


def _event(mark: Mark, *, tagged: bool) -> bool:
    return mark.label == EVENT or (tagged and not _tagged(mark))


def _only_asks(marks: Sequence[Mark]) -> bool:
    """Whether only the questions have marks: the answers stand below them without any."""
    return len(marks) >= MIN_ASKED and all(
        mark.side == "question" and mark.style.startswith("qa_") for mark in marks
    )


def _interview_answer(builder: _Builder, number: int, line: Line, styles: Collection[str]) -> bool:
    """The first unlabelled line after a question of those styles, which answers name nobody."""
    mark = builder.mark
    if mark is None or mark.style not in styles or mark.side != "question":
        return False
    asked = builder.text[mark.end : builder.lines[number - 1].end].rstrip(" 　\n")
    if number == builder.open[-1] + 1 and asked.endswith(("、", "，", ",", "が", "て", "は")):
        return False  # the question goes on in its next line
    return bool(builder.text[line.start : line.end].strip()) and number > mark.line


def _merged(layout: Layout, text: str) -> Layout:
    layout.dropped.sort(key=lambda span: span.start)
    merged: list[DroppedSpan] = []
    for span in layout.dropped:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.reason == span.reason != "label"
            and not text[last.end : span.start].strip()
        ):
            merged[-1] = DroppedSpan(start=last.start, end=span.end, reason=last.reason)
        else:
            merged.append(span)
    layout.dropped = merged
    return layout
