"""The header of a table: which lines over its first row name its columns, and their cells.

Here: a header's words stand over their column, and over all columns of the rule below them.
What stands over the table's own top is its header only where it stands over its columns; a
table without its years is a wrong number waiting to happen. Pure functions; for ``statement``
and ``table_region``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from g2_pipelines.pdf.captions import is_caption
from g2_pipelines.pdf.columns import Range, nearest
from g2_pipelines.pdf.geometry import Box, Rule, around
from g2_pipelines.pdf.glyphs import join_lines
from g2_pipelines.pdf.head_spans import spans_of
from g2_pipelines.pdf.phrases import Line, Phrase, cut_at_gaps, is_year, years_apart
from g2_pipelines.tables.rows import Cell

MAX_HEADER_LINES = 10
#: White space of more line heights than this over a line ends the header.
HEADER_GAP = 1.2
#: Letters larger than the line below by this ratio are a title's.
TITLE_SIZE = 1.25
#: Alone in its line and nearer to the middle of all columns than this share: of all columns.
CENTRED = 0.03
_UNIT = re.compile(
    r"[（(［\[]?\s*(?:単位|(?:\w+ )?in (?:thousands|millions|billions|lacs|lakhs|crores)|units?\b).*",
    re.IGNORECASE,
)


def header_lines(
    lines: Sequence[Line],
    body: int,
    top: float,
    columns: Sequence[Range],
    rules: Sequence[Rule],
) -> range:
    """The lines of the header over line ``body``; those over ``top`` are not surely its own."""
    start = body
    while start and body - start < MAX_HEADER_LINES:
        line, below = lines[start - 1], lines[start]
        if below.box.y0 - line.box.y1 > HEADER_GAP * min(line.box.height, below.box.height):
            break
        own = line.box.centre[1] >= top
        if not own and (not line.figures or _is_title(line, below)):
            break
        start -= 1
    while start < body and lines[start].box.centre[1] < top:
        after = lines[start + 1] if start + 1 < body else None
        if _names_columns(lines[start], after, columns, rules):
            break
        start += 1
    # A sentence that leads to the table stands left of all heads.
    while start + 1 < body and not lines[start].figures:
        start += 1
    # Words under each other over one column alone are no header.
    sure = (
        lines[k].box.centre[1] >= top or _names_columns(lines[k], None, columns, rules)
        for k in range(start, body)
    )
    return range(start, body) if any(sure) else range(body, body)


def _is_title(line: Line, below: Line) -> bool:
    text = " ".join(phrase.whole for phrase in line.phrases)
    sizes = [max(p.box.height for p in each.phrases) for each in (line, below)]
    return is_caption(text) or sizes[0] > TITLE_SIZE * sizes[1]


def _names_columns(
    line: Line, below: Line | None, columns: Sequence[Range], rules: Sequence[Rule]
) -> bool:
    """True for a first line that is a header's: several heads, a year, or words over heads."""
    figures = line.figures
    if not figures or all(_UNIT.fullmatch(phrase.whole) for phrase in figures):
        return False
    named = len({nearest(columns, phrase.box) for phrase in figures})
    if named > 1 or (named == len(columns) and line.labels):
        return True
    [phrase] = figures[:1]
    over = below is not None and any(phrase.box.across(p.box) > 0 for p in below.figures)
    return over or is_year(phrase) or len(_ruled(phrase, figures, columns, rules)) > 1


def header_cells(
    lines: Sequence[Line], columns: Sequence[Range], rules: Sequence[Rule]
) -> list[Cell]:
    """The header: rows of what stands over several columns, then one row with a cell a column.

    Column 0 is the labels', column k + 1 that of ``columns[k]``.
    """
    texts: list[list[str]] = [[] for _ in range(len(columns) + 1)]
    levels: list[dict[int, tuple[int, list[str]]]] = []
    for line, heads in zip(lines, _named(lines, columns, rules), strict=True):
        texts[0] += [phrase.whole for phrase in line.labels]
        for head in heads:
            first, wide = head.columns[0], len(head.columns)
            if wide == 1:
                texts[first + 1] += head.words
                continue
            free = (k for k, row in enumerate(levels) if _free(row, head.columns))
            level = next(free, len(levels))
            if level == len(levels):
                levels.append({})
            levels[level][first] = (wide, head.words)
    cells = []
    for row, level_cells in enumerate(levels):
        column = -1
        while column < len(columns):
            wide, words = level_cells.get(column, (1, []))
            text = _joined(words)
            cells.append(Cell(row=row, col=column + 1, colspan=wide, text=text, header=True))
            column += wide
    if lines:
        cells += [
            Cell(row=len(levels), col=c, text=_joined(words), header=True)
            for c, words in enumerate(texts)
        ]
    return [cell for cell in cells if cell.col <= len(columns)]


def _joined(words: Sequence[str]) -> str:
    """A head's lines as one text, a word that a line's end broke whole again."""
    text = join_lines([(word, False) for word in words])
    return re.sub(r"(?<=[^\W\d_])- (?=[^\W\d_])", "-", text)


@dataclass
class _Head:
    """Words over columns; the words of several lines where one stands right over the other."""

    box: Box
    words: list[str]
    columns: list[int]


def _named(
    lines: Sequence[Line], columns: Sequence[Range], rules: Sequence[Rule]
) -> list[list[_Head]]:
    """Per line the heads that end in it, with the columns they name."""
    result: list[list[_Head]] = []
    below: list[_Head] = []
    own: dict[int, tuple[Box, str]] = {}
    for line in reversed(lines):
        phrases = [part for phrase in line.figures for part in _heads(phrase, columns)]
        here, ended = [], []
        for phrase, spans in zip(phrases, spans_of(phrases, columns, own, rules), strict=True):
            ruled = _ruled(phrase, phrases, columns, rules)
            under = ruled or spans or _under(phrase, phrases, columns)
            whole = (
                h for h in below if _goes_on(phrase, h, under) and (len(under) == 1 or not ruled)
            )
            head = next(whole, None)
            if head is None:
                head = _Head(phrase.box, [phrase.whole], under)
                ended.append(head)
            else:
                head.words.insert(0, phrase.whole)
                head.box = phrase.box
            here.append(head)
        for head in here:
            if len(head.columns) == 1:
                box, words = own.get(head.columns[0], (head.box, ""))
                own[head.columns[0]] = around((box, head.box)), head.words[0] + words
        result.insert(0, ended)
        below = here
    return result


def _goes_on(phrase: Phrase, head: _Head, under: Sequence[int]) -> bool:
    """True for words centred right over words that name several columns."""
    height = phrase.box.height
    near = head.box.y0 - phrase.box.y1 < 0.5 * height
    same = len(under) == 1 or list(under) == head.columns
    centred = abs(phrase.box.centre[0] - head.box.centre[0]) < height
    return near and same and len(head.columns) > 1 and centred


def _heads(phrase: Phrase, columns: Sequence[Range]) -> list[Phrase]:
    """The heads of several columns that stand so close that they look like one phrase."""
    for parts in (years_apart(phrase), cut_at_gaps(phrase)):
        under = [nearest(columns, part.box) for part in parts]
        apart = len(set(under)) == len(parts) > 1
        if apart and all(
            columns[k][0] < part.box.x1 and columns[k][1] > part.box.x0
            for k, part in zip(under, parts, strict=True)
        ):
            return parts
    return [phrase]


def _free(row: dict[int, tuple[int, list[str]]], under: Sequence[int]) -> bool:
    return all(under[-1] < column or column + wide <= under[0] for column, (wide, _) in row.items())


def _under(phrase: Phrase, beside: Sequence[Phrase], columns: Sequence[Range]) -> list[int]:
    """The columns that a phrase names: all where it stands alone in their middle, else one."""
    left, right = columns[0][0], columns[-1][1]
    off = abs(phrase.box.centre[0] - (left + right) / 2)
    if len(beside) == 1 and off < CENTRED * (right - left):
        return list(range(len(columns)))
    return [nearest(columns, phrase.box)]


def _ruled(
    phrase: Phrase,
    beside: Sequence[Phrase],
    columns: Sequence[Range],
    rules: Sequence[Rule],
) -> list[int]:
    """The columns over the rule right below a phrase, two or more, else none.

    Of several phrases over one rule (``beside``) each names the columns it is nearest to.
    """
    x, height = phrase.box.centre[0], phrase.box.height
    for rule in rules:
        box = rule.box
        below = -0.3 * height < box.centre[1] - phrase.box.y1 < 0.8 * height
        if rule.horizontal and below and box.x0 <= x <= box.x1:
            found = []
            for k, (x0, x1) in enumerate(columns):
                middle = (x0 + x1) / 2
                if box.x0 <= middle <= box.x1:
                    by_middle = min(beside, key=lambda p: abs(p.box.centre[0] - middle))
                    found += [k] if by_middle is phrase else []
            if len(found) > 1:
                return found
    return []
