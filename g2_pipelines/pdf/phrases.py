"""A line's phrases: figures with their currency and percent signs, labels, words of a header.

Here: where one phrase ends and the next begins, and which phrase is a figure or a year. Pure
functions; for ``statement`` and its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from g2_pipelines.pdf.geometry import Box, Run, around
from g2_pipelines.pdf.stacked import is_value

#: Characters farther apart than this share of their height are of two phrases.
PHRASE_GAP = 0.6
#: A sign farther from its figure than this share of its height has a space between.
SIGN_GAP = 0.15
#: Runs of Latin letters farther apart than this share of their height are two words.
WORD_GAP = 0.15
#: Heads of two columns stand no nearer than this share of their height.
HEAD_GAP = 0.4
#: Of what stands beside a row's label so much are figures: «50 | Full | None» are heads.
ROW_SHARE = 0.3
#: Figures lower than this share of their line are marks of notes.
MARK_SIZE = 0.75
#: Left of this share of the way to the first figures a header's words are the labels'.
LABELS_SHARE = 0.6
_CURRENCY = frozenset("$¥€£￥＄")
_PERCENT = frozenset("%％")
_YEAR = re.compile(r"(?:FY|Q[1-4]\s?)?(?:19|20)\d\d(?:年度?|/\d+期?)?")
_UNIT = re.compile(r"(?<=[\d)])\s?(?:[a-z]{1,4}|[円株倍人社件年点]|[百千]万?円)$")


@dataclass
class Phrase:
    """Characters of a line without a wide gap."""

    text: str
    box: Box
    prefix: str = ""
    suffix: str = ""
    #: Per space in the text its place, and where the characters beside it end and begin.
    spaces: list[tuple[int, float, float]] = field(default_factory=list)

    @property
    def whole(self) -> str:
        """With its currency sign before and its percent sign behind."""
        return self.prefix + self.text + self.suffix


@dataclass
class Line:
    """A line of a table: its phrases, and those parted into labels and what is beside them."""

    box: Box
    phrases: list[Phrase]
    labels: list[Phrase] = field(default_factory=list)
    figures: list[Phrase] = field(default_factory=list)

    @property
    def is_row(self) -> bool:
        """True for a line of figures that is no header of years."""
        # A small figure is a note's mark: «CHANGES(1)».
        least = MARK_SIZE * self.box.height
        figures = [p for p in self.figures if is_figure(p) and p.box.height > least]
        if not figures or all(is_year(phrase) for phrase in figures):
            return False
        return len(figures) >= ROW_SHARE * len(self.figures)


def line_of(runs: Sequence[Run]) -> Line:
    """The line of ``runs`` (from left to right) with its phrases, not parted yet."""
    return Line(around(run.box for run in runs), phrases_of(runs))


def part_labels(lines: Sequence[Line], start: float) -> None:
    """Parts every line's phrases: labels at the left, figures and heads from ``start`` on.

    A year centred over a column reaches left of its figures: in lines that are no rows a label
    begins at the left.
    """
    for line in lines:
        line.labels = [p for p in line.phrases if p.box.centre[0] < start]
        line.figures = [p for p in line.phrases if p.box.centre[0] >= start]
    end = labels_end(lines, start)
    for line in lines:
        if not line.is_row:
            moved = [p for p in line.labels if p.box.x0 > end]
            line.labels = [p for p in line.labels if p.box.x0 <= end]
            line.figures = [*moved, *line.figures]


def labels_end(lines: Sequence[Line], start: float) -> float:
    """Left of this x words of a header are the labels'."""
    left = min((line.box.x0 for line in lines), default=0.0)
    return left + LABELS_SHARE * (start - left)


def phrases_of(line: Sequence[Run]) -> list[Phrase]:
    """The line's phrases, currency and percent signs bound to the figures beside them."""
    found: list[Phrase] = []
    pending, sign_end = "", 0.0
    broken = True
    for run in line:
        text = _with_spaces(run)
        for k, glyph in enumerate(run.glyphs):
            before = found[-1] if found else None
            gap = glyph.box.x0 - before.box.x1 if before else 0.0
            apart = before is None or broken or gap > PHRASE_GAP * glyph.box.height
            figure = before is not None and (before.suffix or is_value(before.text))
            if glyph.text in _CURRENCY and (apart or figure or (text[k] and _ends_phrase(run, k))):
                pending, broken, sign_end = pending + glyph.text, True, glyph.box.x1
            elif (
                glyph.text in _PERCENT
                and before is not None
                and is_value(before.text)
                and not _begins_word(run, k)
            ):
                before.suffix += " " * bool(gap > SIGN_GAP * glyph.box.height) + glyph.text
                broken = True
            elif apart or before is None:
                away = pending and glyph.box.x0 - sign_end > SIGN_GAP * glyph.box.height
                found.append(Phrase(glyph.text, glyph.box, prefix=pending + " " * bool(away)))
                pending, broken = "", False
            else:
                # PDFium may part words of two heads into runs without a space between.
                parted = not k and gap > WORD_GAP * glyph.box.height and glyph.text.isascii()
                space = " " if parted or (k and text[k]) else ""
                if space:
                    before.spaces.append((len(before.text), before.box.x1, glyph.box.x0))
                before.text += space + glyph.text
                before.box = around((before.box, glyph.box))
    if pending and found:
        found[-1].suffix += " " + pending
    elif pending:  # signs alone
        found.append(Phrase(pending, around(run.box for run in line)))
    return found


def years_apart(phrase: Phrase) -> list[Phrase]:
    """The phrase cut behind each year that others follow: «FISCAL 2031 FISCAL 2030»."""
    found: list[Phrase] = []
    start, left = 0, phrase.box.x0
    for place, end, after in phrase.spaces:
        if _YEAR.fullmatch(phrase.text[start:place].rsplit(" ", 1)[-1]):
            box = Box(left, phrase.box.y0, end, phrase.box.y1)
            found.append(Phrase(phrase.text[start:place], box))
            start, left = place + 1, after
    if not found or _YEAR.search(phrase.text[start:]) is None:
        return [phrase]
    box = Box(left, phrase.box.y0, phrase.box.x1, phrase.box.y1)
    found.append(Phrase(phrase.text[start:], box, suffix=phrase.suffix))
    found[0].prefix = phrase.prefix
    return found


def cut_at_gaps(phrase: Phrase) -> list[Phrase]:
    """The phrase cut at its spaces that are wider than those between words."""
    found: list[Phrase] = []
    start, left = 0, phrase.box.x0
    for place, end, after in phrase.spaces:
        if after - end > HEAD_GAP * phrase.box.height:
            box = Box(left, phrase.box.y0, end, phrase.box.y1)
            found.append(Phrase(phrase.text[start:place], box))
            start, left = place + 1, after
    if not found:
        return [phrase]
    box = Box(left, phrase.box.y0, phrase.box.x1, phrase.box.y1)
    found.append(Phrase(phrase.text[start:], box, suffix=phrase.suffix))
    found[0].prefix = phrase.prefix
    return found


def _begins_word(run: Run, k: int) -> bool:
    """True for a percent sign with letters right behind it: «% change» is no figure's sign."""
    if k + 1 == len(run.glyphs):
        return False
    sign, after = run.glyphs[k], run.glyphs[k + 1]
    near = after.box.x0 - sign.box.x1 <= PHRASE_GAP * sign.box.height
    return near and after.text.isalpha()


def _ends_phrase(run: Run, k: int) -> bool:
    """True for a sign right behind words whose figure stands apart: it is the figure's."""
    if k + 1 == len(run.glyphs):
        return True
    sign, after = run.glyphs[k], run.glyphs[k + 1]
    return after.box.x0 - sign.box.x1 > PHRASE_GAP * sign.box.height


def _with_spaces(run: Run) -> list[bool]:
    """Per glyph whether white space stands before it."""
    spaced, at = [], 0
    for glyph in run.glyphs:
        place = run.text.find(glyph.text, at)
        spaced.append(run.text[at:place].strip() == "" and place > at)
        at = place + len(glyph.text)
    return spaced


def is_figure(phrase: Phrase) -> bool:
    """True for a figure, with a short unit or without (590 bps, 12円)."""
    return is_value(_UNIT.sub("", phrase.text))


def is_year(phrase: Phrase) -> bool:
    """True for a year alone (2031, FY2031, 2031年度)."""
    return _YEAR.fullmatch(phrase.text.strip()) is not None
