"""The columns of a table from where its figures and words stand.

Here: the x ranges of figures under each other, of words in columns of their own between or
beside them, and the column that a phrase stands in. Pure functions; for ``statement`` and
``table_header``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.geometry import Box
from g2_pipelines.pdf.phrases import Line, Phrase, is_figure, is_year

Range = tuple[float, float]
#: A column of words has them on this share of the rows at least.
WORDS_SHARE = 0.3
#: A line nearer to a row than this share of the usual pitch goes on in it.
WRAP_PITCH = 0.85


def figure_columns(lines: Sequence[Line], least: int) -> list[Range]:
    """The x ranges of the figures that stand under each other, ``least`` or more of them."""
    figures = sorted(
        (p.box for line in lines for p in line.phrases if _is_amount(p)), key=lambda box: box.x0
    )
    found = _ranges(figures, least)
    if not found:
        return []
    # A column of marks for none alone: what stands between or behind the others.
    marks = sorted(
        (
            phrase.box
            for line in lines
            for phrase in line.phrases
            if is_figure(phrase)
            and phrase.box.x0 > found[0][1]
            and all(phrase.box.x1 < x0 or phrase.box.x0 > x1 for x0, x1 in found)
        ),
        key=lambda box: box.x0,
    )
    return sorted([*found, *(span for span in _ranges(marks, 2) if not _touches(span, found))])


def word_columns(lines: Sequence[Line], figures: Sequence[Range]) -> list[Range]:
    """The x ranges of words in columns of their own, the labels at the left apart."""
    rows = [
        line
        for line in lines
        if any(_is_amount(p) and _touches((p.box.x0, p.box.x1), figures) for p in line.phrases)
    ]
    words = sorted(
        (
            phrase.box
            for line in rows
            for phrase in line.phrases
            if not _touches((phrase.box.x0, phrase.box.x1), figures)
            and any(char.isalnum() for char in phrase.text)
        ),
        key=lambda box: box.x0,
    )
    least = max(2, int(WORDS_SHARE * len(rows) + 0.5))
    left = [box for box in words if box.x1 <= figures[0][0]]
    labels = _ranges(left, 1)[:1]
    return [
        span
        for span in (*_ranges(left, least), *_ranges([b for b in words if b not in left], least))
        if not labels or span[0] > labels[0][1]
    ]


def torn_lines(lines: Sequence[Line], columns: Sequence[Range], words: Sequence[Range]) -> int:
    """Lines that go on in the words of the row above or below: texts over several lines."""
    if not words:
        return 0
    tops = [line.box.y0 for line in lines if line.is_row]
    steps = [b - a for a, b in pairwise(tops)]
    pitch = median(steps) if steps else 0.0
    return sum(
        not line.is_row
        and any(columns[nearest(columns, p.box)] in words for p in line.figures)
        and min(abs(line.box.y0 - top) for top in tops) < WRAP_PITCH * pitch
        for line in lines
    )


def nearest(columns: Sequence[Range], box: Box) -> int:
    """The column that the box stands in, else the one whose middle is nearest."""

    def rank(k: int) -> tuple[float, float]:
        x0, x1 = columns[k]
        across = min(box.x1, x1) - max(box.x0, x0)
        return (-max(0.0, across), abs(box.centre[0] - (x0 + x1) / 2))

    return min(range(len(columns)), key=rank)


def _is_amount(phrase: Phrase) -> bool:
    return is_figure(phrase) and any(c.isdigit() for c in phrase.text) and not is_year(phrase)


def _ranges(boxes: Sequence[Box], least: int) -> list[Range]:
    """The x ranges of boxes, by their left side, that overlap; those of ``least`` or more."""
    ranges: list[list[float]] = []
    for box in boxes:
        if ranges and box.x0 < ranges[-1][1]:
            ranges[-1][1] = max(ranges[-1][1], box.x1)
            ranges[-1][2] += 1
        else:
            ranges.append([box.x0, box.x1, 1])
    return [(x0, x1) for x0, x1, count in ranges if count >= least]


def _touches(span: Range, others: Sequence[Range]) -> bool:
    return any(span[0] < x1 and x0 < span[1] for x0, x1 in others)
