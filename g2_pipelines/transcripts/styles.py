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

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from g2_pipelines.tables.line1 import StyleVote
from g2_pipelines.transcripts.believed import (
    EXPLICIT,
    WEAK,
    Document,
)
from g2_pipelines.transcripts.choosing import choose, complete, passes
from g2_pipelines.transcripts.entries import with_heads
from g2_pipelines.transcripts.first_words import (
    from_first_words,
    without_companies,
    without_interpreters,
)
from g2_pipelines.transcripts.learned import STYLE, learned
from g2_pipelines.transcripts.lines import Heading, Line, Mark, flush
from g2_pipelines.transcripts.marks import candidates
from g2_pipelines.transcripts.merging import merge
from g2_pipelines.transcripts.rosters import Roster
from g2_pipelines.transcripts.two_lines import hosts_only, with_titles

#: A style that no grammar knows wins with so many marks, and so many times the others'.
MIN_RARE, RARE_FACTOR = 5, 1.5
#: 「（質問）暁光新聞 柳瀬記者 …」: names behind explicit marks, in so many of a hundred.
MIN_HEADED, HEADED = 3, 60


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
        if mark.line not in (roster.lines if mark.style in WEAK else roster.inline):
            by_style.setdefault(mark.style, []).append(mark)
    filled = flush(text, lines)
    _join_titles(by_style, text, lines)
    by_style = {s: from_first_words(s, m, text, lines) for s, m in by_style.items()}
    if "timeline" in by_style:
        by_style["timeline"] = with_heads(by_style["timeline"], text, lines)
    for style in EXPLICIT[1:]:
        if len(by_style.get(style, ())) >= MIN_HEADED:
            by_style[style] = with_heads(by_style[style], text, lines, always=False, share=HEADED)
    if "name_bracket" in by_style:
        by_style["name_bracket"] = without_interpreters(by_style["name_bracket"])
    _drop_companies(by_style)
    document = Document(text, lines, roster, filled, "qa" in parts)
    passing = {style: marks for style, marks in by_style.items() if passes(style, marks, document)}
    complete(passing, by_style, document)
    styles = choose(passing, document)
    if styles == ["name_line"] and (led := hosts_only(by_style.get("name_colon", []))):
        styles, passing["name_colon"] = ["name_line", "name_colon"], led
    merged = merge(styles, passing, document) if styles else []
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


def _join_titles(by_style: dict[str, list[Mark]], text: str, lines: Sequence[Line]) -> None:
    if "name_line" in by_style:
        by_style["name_line"] = with_titles(by_style["name_line"], text, lines)


def _drop_companies(by_style: dict[str, list[Mark]]) -> None:
    if "name_line" in by_style:
        by_style["name_line"] = without_companies(by_style["name_line"])


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


def _reason(by_style: Mapping[str, Sequence[Mark]]) -> str:
    if not by_style:
        return "no speaker labels found"
    style = max(sorted(by_style), key=lambda s: len(by_style[s]))
    count = _count(style, by_style[style], chosen=False)
    return (
        f"no label style won the vote: the best, {style}, has {count.labels} distinct labels "
        f"in {count.lines} lines and {count.repeats} repeats"
    )
