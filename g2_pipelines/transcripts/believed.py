"""Which labels are believed to name somebody who speaks.

Here: what a label shows by itself, by the lists of those present, and by the words behind it;
whether a style's names as a whole are speakers. ``styles`` alone imports this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.cues import STAGE_LINE, is_question, role_of_title
from g2_pipelines.transcripts.labels import (
    alias_of,
    is_latin,
    is_party,
    is_short_name,
    parse_label,
)
from g2_pipelines.transcripts.lines import Line, Mark
from g2_pipelines.transcripts.rosters import Roster

EXPLICIT = (
    "timeline",
    "qa_bracket",
    "qa_paren",
    "qa_colon",
    "qa_behind",
    "qa_space",
    "qa_arrow",
)
#: Names with a sign of their own; a name that asks once is believed by its words.
SIGNED = (
    "name_colon",
    "name_space",
    "name_bracket",
    "name_line",
    "name_paren",
    "name_slash",
    "bullet_colon",
    "name_quote",
    "name_dash",
)
WEAK = ("name_space", "name_line", "dash")
#: Marks of one label that are looked at.
MAX_TRIES = 20
_POLITE = re.compile(
    r"(?:です|ます|ました|ません|でした|ください|でしょう)[^。\n]{0,4}(?:[。？?]|$)"
)


class Document(NamedTuple):
    """What the checks look at besides the marks."""

    text: str
    lines: list[Line]
    roster: Roster
    filled: int  # lines that are not blank
    qa_heading: bool


def words_of(mark: Mark, document: Document) -> str:
    """What stands behind a label on its line, or on the next where it fills its own."""
    return words_behind(mark, document.text, document.lines)


def words_behind(mark: Mark, text: str, lines: Sequence[Line]) -> str:
    """What stands behind a label on its line, else below it; at most 400 characters."""
    line = lines[mark.line]
    if mark.end < line.end:
        return text[mark.end : line.end][:400]
    below = mark.line + 1
    if below < len(lines) and lines[below].end <= mark.end:
        below += 1  # a label of two lines
    for _ in range(3):  # a blank line, 「[Interpreted]」 or applause may stand between
        if below + 1 >= len(lines) or not _wordless(text, lines[below]):
            break
        below += 1
    return text[lines[below].start : lines[below].end][:400] if below < len(lines) else ""


def _wordless(text: str, line: Line) -> bool:
    return line.start == line.end or STAGE_LINE.match(text, line.start, line.end) is not None


def names_pass(style: str, marks: Sequence[Mark], document: Document) -> bool:
    """Whether the style's labels are speakers: two at least, and most of them believed."""
    counts = Counter(mark.label for mark in marks)
    known = told_labels(style, marks, document)
    if style == "name_line":
        counts = Counter({k: n for k, n in counts.items() if n > 1 or k in known or is_whole(k)})
    if len(counts) < 2 or (max(counts.values()) < 2 and not _both_sides(style, counts)):
        return False
    total = counts.total()
    told = sum(n for label, n in counts.items() if label in known)
    repeated = sum(n for n in counts.values() if n > 1)
    if style == "name_bracket":
        names = sum(n for label, n in counts.items() if is_short_name(label))
        dense = 3 * total >= document.filled and repeated * 2 >= total
        return told * 2 >= total or (dense and (names == total or told * 3 >= total))
    if style in ("name_space", "name_line"):
        return told * 2 >= total or (repeated * 2 >= total and repeated * 4 >= document.filled)
    either = sum(n for label, n in counts.items() if n > 1 or label in known)
    return either * 2 >= total


def told_labels(style: str, marks: Sequence[Mark], document: Document) -> set[str]:
    """Labels that show by themselves, or by the words behind them, that somebody speaks."""
    labels = {mark.label for mark in marks}
    aliases = {alias for label in labels if (alias := alias_of(label))}
    told = {label for label in labels if label in aliases or _known(label, document.roster.sides)}
    told |= labels & names_of(told)
    if style in SIGNED or style.startswith("circle_"):
        # Somebody who asks once: a short name before a question.
        told |= named_by_words(marks, told, lambda mark: is_question(words_of(mark, document)))
    return told


def names_of(labels: Iterable[str]) -> set[str]:
    """The bare names of labels that tell more: 高梨 of 「社長 高梨」."""
    parsed = ((label, parse_label(label).name) for label in labels)
    return {name for label, name in parsed if name and name != label and is_short_name(name)}


def is_whole(label: str) -> bool:
    """A name in Latin letters of two words or more; a single one is a heading as well."""
    return is_latin(label) and " " in label


def is_polite(words: str) -> bool:
    """True if a sentence ends as one does that is said to somebody."""
    if words.isascii():
        return words.rstrip().endswith((".", "?", "!"))
    return _POLITE.search(words) is not None


def named_by_words(
    marks: Sequence[Mark], told: Collection[str], speaks: Callable[[Mark], bool]
) -> set[str]:
    """Short names of which the words behind one of their marks show that somebody speaks."""
    found: set[str] = set()
    tries: Counter[str] = Counter()
    for mark in marks:
        label = mark.label
        if label in told or label in found or tries[label] >= MAX_TRIES:
            continue
        tries[label] += 1
        if is_short_name(label) and speaks(mark):
            found.add(label)
    return found


def _both_sides(style: str, labels: Iterable[str]) -> bool:
    """A known pair among names: titles of both those who ask and those who answer."""
    roles = {role_of_title(label) for label in labels} - {None}
    return (style not in WEAK or style == "name_line") and {"question", "answer"} <= roles


def _known(label: str, roster: Mapping[str, Role]) -> bool:
    return label in roster or is_party(label) or parse_label(label).name in roster


def present(marks: Sequence[Mark], document: Document) -> list[Mark]:
    """The marks whose labels name a party by themselves or somebody of the attendance lists."""
    return [mark for mark in marks if _known(mark.label, document.roster.sides)]


def parties(marks: Sequence[Mark]) -> list[Mark]:
    """The marks whose labels show by themselves that they name a party to a call."""
    return [mark for mark in marks if is_party(mark.label)]
