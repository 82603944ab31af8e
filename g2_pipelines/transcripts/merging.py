"""The chosen styles' marks: one a line, and of names only those that speak.

Here: which labels of a winning style are believed. ``styles`` alone imports this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from g2_pipelines.transcripts.believed import (
    EXPLICIT,
    SIGNED,
    WEAK,
    Document,
    is_polite,
    is_whole,
    named_by_words,
    told_labels,
    words_of,
)
from g2_pipelines.transcripts.cues import is_question
from g2_pipelines.transcripts.labels import is_short_name, parse_label
from g2_pipelines.transcripts.lines import Mark, flush

#: Signs that stand before headings as well as before speakers.
_HEADING_GLYPHS = frozenset("■□▼▽▲△▶★☆")
_STOPS = re.compile(r"[。？?]|[.](?:\s|$)")
_CROWDED = frozenset({"name_colon", "bullet_colon", "name_slash", "name_bracket", "name_paren"})
#: 「当社は」, but not the は of 「おはよう」.
_PARTICLE = re.compile(r"(?<![ぁ-ん])[はがに]|[を、]|(?:とき|こと|ため|場合|通り|とおり)$")


def _spoken(mark: Mark, document: Document) -> bool:
    """Whether words that are said stand behind a label without a particle in it."""
    words = words_of(mark, document)
    return _PARTICLE.search(mark.label) is None and (is_polite(words) or is_question(words))


def merge(
    styles: list[str], passing: Mapping[str, Sequence[Mark]], document: Document
) -> list[Mark]:
    """One mark a line; explicit marks first, names beside them only where they are known."""
    by_line: dict[int, Mark] = {}
    mixed = any(style in EXPLICIT for style in styles)
    answered = any(mark.side == "answer" for style in styles for mark in passing[style])
    labelled = {mark.line for style in styles for mark in passing[style]}
    # Whom a mark names elsewhere: ``Ichiro Saegusa: …`` beside ``<A – Ichiro Saegusa>: …``.
    named = {
        name
        for style in styles
        if style in EXPLICIT
        for mark in passing[style]
        if (name := parse_label(mark.label).name)
    }
    begin = min(labelled, default=0)
    filled = flush(document.text, document.lines[begin:])
    dense = 2 * len(labelled) >= filled
    # Where every line has a label, what stands there once is one as well: 「kabu_taro：」.
    crowded = not mixed and len(labelled) * 10 >= filled * 9
    for style in sorted(styles, key=lambda s: s not in EXPLICIT):
        marks = passing[style]
        accepted = _accepted(style, marks, document, mixed=mixed, dense=dense, answered=answered)
        for mark in marks:
            told = accepted is None or mark.label in accepted or mark.label in named
            told = told or (crowded and style in _CROWDED and _spoken(mark, document))
            if mark.line not in by_line and told:
                by_line[mark.line] = mark
    return [by_line[line] for line in sorted(by_line)]


def _accepted(
    style: str,
    marks: Sequence[Mark],
    document: Document,
    *,
    mixed: bool,
    dense: bool,
    answered: bool,
) -> set[str] | None:
    """The labels of a name style that are speakers; None: all."""
    if style in EXPLICIT or style in (
        "dash",
        "time_speaker",
        "name_time",
        "name_main",
        "name_caps",
    ):
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
    if style == "name_line":
        told |= _of_shape(marks, told, document)
    if mixed and not answered:
        # Only the questions have marks: whose names come again answer them.
        said = [m for m in marks if _STOPS.search(words_of(m, document))]
        counts = Counter(mark.label for mark in said)
        told |= {k for k, n in counts.items() if n > 1 and is_short_name(k)}
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
