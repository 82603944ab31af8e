"""Cells of a statement: labels at the left, figures under each other, few rules or none.

Here: rows and columns from where the figures stand, for tables whose drawn rules do not part
them (a line under the header, one over each total, one year shaded), so that a grid of these
puts ten rows into one cell. Currency signs belong to the figure behind them, percent signs to
the one before; a header's words stand over their column, and over all columns of the rule
below them. Taken only when every character has its cell and no two figures share one. Pure
functions; for ``document``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.geometry import Block, Box, PageText, Rule, Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.stacked import is_value, merged_rows
from g2_pipelines.tables.rows import Cell

#: Characters farther apart than this share of their height are of two phrases.
PHRASE_GAP = 0.6
#: Left of this share of the way to the first figures a header's words are the labels'.
LABELS_SHARE = 0.6
#: A label's line nearer to the next than this share of the usual pitch goes on in it.
WRAP_PITCH = 0.85
MAX_HEADER_LINES = 8
MIN_ROWS, MIN_FIGURES = 3, 6
#: Lines with words among the figures: more of them and the table has columns of text.
MAX_TEXTS = 0.1
#: Share of the lines that hold figures without a label (totals).
MAX_UNNAMED = 0.3
#: Share of a table's figures that may share a cell before its rules are doubted.
MAX_GLUED = 0.04
#: A piece over or under a table with more characters than this in a line is text.
LOOSE_CHARS = 40
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

    @property
    def whole(self) -> str:
        """With its currency sign before and its percent sign behind."""
        return " ".join(filter(None, (self.prefix, self.text, self.suffix)))


@dataclass
class _Line:
    box: Box
    phrases: list[Phrase]
    labels: list[Phrase] = field(default_factory=list)
    figures: list[Phrase] = field(default_factory=list)


def glued_share(cells: Sequence[Cell]) -> float:
    """Share of the figures that stand in a cell with another figure and no word.

    Three or more in a cell over three columns or more count with words too: a row that no rule
    parts.
    """
    glued = every = 0
    for cell in cells:
        count = sum(any(char.isdigit() for char in word) for word in cell.text.split())
        every += count
        words = any(char.isalpha() for char in cell.text)
        wide = cell.colspan > 2 and count > 2
        glued += count if wide or (count > 1 and not words) else 0
    return glued / every if every else 0.0


def statement_cells(
    runs: Sequence[Run], rules: Sequence[Rule], top: float
) -> tuple[list[Cell], list[Run]] | None:
    """The cells and the runs in them; None when the lines are no statement.

    ``runs``: those of the table, of the lines above that may be its header and of those below
    that may be its end, all lines between the table's sides. ``top``: where the table begins
    for sure; lines over it are its header or not of it.
    """
    lines = [
        (line, _Line(around(run.box for run in line), _phrases(line)))
        for line in visual_lines(runs)
    ]
    columns = _columns([line for _, line in lines])
    if len(columns) < 2:
        return None
    for _, line in lines:
        line.labels = [p for p in line.phrases if p.box.centre[0] < columns[0][0]]
        line.figures = [p for p in line.phrases if p.box.centre[0] >= columns[0][0]]
    # A year centred over a column reaches left of its figures: a label begins at the left.
    left = min((line.box.x0 for _, line in lines), default=0.0)
    labels_end = left + LABELS_SHARE * (columns[0][0] - left)
    for _, line in lines:
        moved = [p for p in line.labels if p.box.x0 > labels_end] if not _is_row(line) else []
        line.labels = [p for p in line.labels if p not in moved]
        line.figures = [*moved, *line.figures]
    first = next((k for k, (_, line) in enumerate(lines) if _is_row(line)), None)
    last = max((k for k, (_, line) in enumerate(lines) if _is_row(line)), default=0)
    if first is None:
        return None
    header, body = _header_lines([line for _, line in lines], first, top)
    rows = [line for _, line in lines[body : last + 1]]
    texts = sum(any(not _is_figure(p) for p in line.figures) for line in rows)
    figures = sum(len(line.figures) for line in rows)
    unnamed = sum(bool(line.figures) and not line.labels for line in rows)
    # Labels that stand between two lines of figures name both: no rows of lines.
    if unnamed > MAX_UNNAMED * len(rows):
        return None
    if len(rows) < MIN_ROWS or figures < MIN_FIGURES or texts > MAX_TEXTS * len(rows):
        return None
    inside = [rule for rule in rules if rule.box.x0 > labels_end]
    cells = _header_cells([lines[k][1] for k in header], columns, inside)
    for labels, line in _wrapped(rows):
        found: dict[int, str] = {}
        for phrase in line.figures:
            column = _nearest(columns, phrase.box)
            if column in found:
                return None
            found[column] = phrase.whole
        row = max((cell.row for cell in cells), default=-1) + 1
        cells.append(Cell(row=row, col=0, text=" ".join(labels)))
        cells += [Cell(row=row, col=c + 1, text=found.get(c, "")) for c in range(len(columns))]
    taken = [run for k in [*header, *range(body, last + 1)] for run in lines[k][0]]
    return cells, taken


def _phrases(line: Sequence[Run]) -> list[Phrase]:
    """The line's phrases, currency and percent signs bound to the figures beside them."""
    found: list[Phrase] = []
    pending = ""
    broken = True
    for run in line:
        text = _with_spaces(run)
        for k, glyph in enumerate(run.glyphs):
            before = found[-1] if found else None
            gap = glyph.box.x0 - before.box.x1 if before else 0.0
            apart = before is None or broken or gap > PHRASE_GAP * glyph.box.height
            figure = before is not None and (before.suffix or is_value(before.text))
            if glyph.text in _CURRENCY and (apart or figure):
                pending, broken = pending + glyph.text, True
            elif (
                glyph.text in _PERCENT
                and before is not None
                and is_value(before.text)
                and not _begins_word(run, k)
            ):
                before.suffix += glyph.text
                broken = True
            elif apart or before is None:
                found.append(Phrase(glyph.text, glyph.box, prefix=pending))
                pending, broken = "", False
            else:
                space = " " if k and text[k] else ""
                before.text += space + glyph.text
                before.box = around((before.box, glyph.box))
    if pending and found:
        found[-1].suffix += pending
    return found


def _begins_word(run: Run, k: int) -> bool:
    """True for a percent sign with letters right behind it: «% change» is no figure's sign."""
    if k + 1 == len(run.glyphs):
        return False
    sign, after = run.glyphs[k], run.glyphs[k + 1]
    near = after.box.x0 - sign.box.x1 <= PHRASE_GAP * sign.box.height
    return near and after.text.isalpha()


def _with_spaces(run: Run) -> list[bool]:
    """Per glyph whether white space stands before it."""
    spaced, at = [], 0
    for glyph in run.glyphs:
        place = run.text.find(glyph.text, at)
        spaced.append(run.text[at:place].strip() == "" and place > at)
        at = place + len(glyph.text)
    return spaced


def _is_figure(phrase: Phrase) -> bool:
    """True for a figure, with a short unit or without (590 bps, 12円)."""
    return is_value(_UNIT.sub("", phrase.text))


def _is_year(phrase: Phrase) -> bool:
    return _YEAR.fullmatch(phrase.text.strip()) is not None


def _is_row(line: _Line) -> bool:
    """True for a line of figures that is no header of years."""
    figures = [p for p in line.figures if _is_figure(p)]
    return bool(figures) and not all(_is_year(p) for p in figures)


def _columns(lines: Sequence[_Line]) -> list[tuple[float, float]]:
    """The x ranges of the figures that stand under each other."""
    figures = sorted(
        (
            phrase.box
            for line in lines
            for phrase in line.phrases
            if _is_figure(phrase) and any(c.isdigit() for c in phrase.text) and not _is_year(phrase)
        ),
        key=lambda box: box.x0,
    )
    found = _ranges(figures, 1 if len(lines) <= MIN_ROWS else 2)
    if not found:
        return []
    # A column of marks for none alone: what stands between or behind the others.
    marks = sorted(
        (
            phrase.box
            for line in lines
            for phrase in line.phrases
            if _is_figure(phrase)
            and phrase.box.x0 > found[0][1]
            and all(phrase.box.x1 < x0 or phrase.box.x0 > x1 for x0, x1 in found)
        ),
        key=lambda box: box.x0,
    )
    return sorted([*found, *(span for span in _ranges(marks, 2) if not _touches(span, found))])


def _ranges(boxes: Sequence[Box], least: int) -> list[tuple[float, float]]:
    """The x ranges of boxes, by their left side, that overlap; those of ``least`` or more."""
    ranges: list[list[float]] = []
    for box in boxes:
        if ranges and box.x0 < ranges[-1][1]:
            ranges[-1][1] = max(ranges[-1][1], box.x1)
            ranges[-1][2] += 1
        else:
            ranges.append([box.x0, box.x1, 1])
    return [(x0, x1) for x0, x1, count in ranges if count >= least]


def _touches(span: tuple[float, float], others: Sequence[tuple[float, float]]) -> bool:
    return any(span[0] < x1 and x0 < span[1] for x0, x1 in others)


def _nearest(columns: Sequence[tuple[float, float]], box: Box) -> int:
    """The column that the box stands in, else the one whose middle is nearest."""

    def rank(k: int) -> tuple[float, float]:
        x0, x1 = columns[k]
        across = min(box.x1, x1) - max(box.x0, x0)
        return (-max(0.0, across), abs(box.centre[0] - (x0 + x1) / 2))

    return min(range(len(columns)), key=rank)


def _header_lines(lines: Sequence[_Line], first: int, top: float) -> tuple[range, int]:
    """The header's lines, and the first line of the body."""
    body = first
    # Lines of labels alone right over the first figures are rows: «Revenues by:».
    while body and not lines[body - 1].figures and lines[body - 1].box.centre[1] > top:
        body -= 1
    start = body
    while start and body - start < MAX_HEADER_LINES:
        above, below = lines[start - 1].box, lines[start].box
        if below.y0 - above.y1 > 1.2 * min(above.height, below.height):
            break
        # Over the table's own top only what stands over its columns is its header.
        if above.centre[1] < top and not lines[start - 1].figures:
            break
        start -= 1
    return range(start, body), body


def _header_cells(
    lines: Sequence[_Line], columns: Sequence[tuple[float, float]], rules: Sequence[Rule]
) -> list[Cell]:
    """The header: rows of what stands over several columns, then one row with a cell a column."""
    texts: list[list[str]] = [[] for _ in range(len(columns) + 1)]
    levels: list[dict[int, tuple[int, list[str]]]] = []
    for line in lines:
        texts[0] += [phrase.whole for phrase in line.labels]
        for phrase in line.figures:
            under = _under(phrase, line.figures, columns, rules)
            if len(under) == 1:
                texts[under[0] + 1].append(phrase.whole)
                continue
            level = next((k for k, row in enumerate(levels) if _free(row, under)), len(levels))
            if level == len(levels):
                levels.append({})
            levels[level][under[0]] = (len(under), [phrase.whole])
    cells = []
    for row, level_cells in enumerate(levels):
        column = -1
        while column < len(columns):
            wide, words = level_cells.get(column, (1, []))
            text = " ".join(words)
            cells.append(Cell(row=row, col=column + 1, colspan=wide, text=text, header=True))
            column += wide
    if lines:
        cells += [
            Cell(row=len(levels), col=c, text=" ".join(words), header=True)
            for c, words in enumerate(texts)
        ]
    return [cell for cell in cells if cell.col <= len(columns)]


def _free(row: dict[int, tuple[int, list[str]]], under: Sequence[int]) -> bool:
    return all(under[-1] < column or column + wide <= under[0] for column, (wide, _) in row.items())


def _under(
    phrase: Phrase,
    beside: Sequence[Phrase],
    columns: Sequence[tuple[float, float]],
    rules: Sequence[Rule],
) -> list[int]:
    """The columns that a phrase of the header names: those of the rule right below it.

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
                    nearest = min(beside, key=lambda p: abs(p.box.centre[0] - middle))
                    found += [k] if nearest is phrase else []
            if len(found) > 1:
                return found
    return [_nearest(columns, phrase.box)]


def _wrapped(rows: Sequence[_Line]) -> list[tuple[list[str], _Line]]:
    """Rows with the words of their labels; a label over two lines is one."""
    steps = [b.box.y0 - a.box.y0 for a, b in pairwise(rows) if a.figures and b.figures]
    pitch = median(steps) if steps else 0.0
    result: list[tuple[list[str], _Line]] = []
    above: list[str] = []
    for k, line in enumerate(rows):
        words = [*above, *(phrase.whole for phrase in line.labels)]
        above = []
        after = rows[k + 1] if k + 1 < len(rows) else None
        wraps = (
            not line.figures
            and after is not None
            and bool(after.labels)
            and after.box.y0 - line.box.y0 < WRAP_PITCH * pitch
        )
        if wraps:
            above = words
        else:
            result.append((words, line))
    return result


def with_statement(page: PageText, blocks: list[Block], table: Block) -> bool:
    """Gives ``table`` a statement's cells where it has none or glued ones; whether it did.

    What an engine took for an equation or code becomes a table in the same way.

    Its header and its last rows, which an engine left over and under it as loose pieces, are
    taken out of their ``blocks``; what of the table fits no row becomes text over or under it.
    """
    before = glued_share(table.cells) if table.cells else 1.0
    if merged_rows(table.cells, table.runs):
        before = max(before, 2 * MAX_GLUED)
    if before <= MAX_GLUED:
        return False
    near = _around(table, blocks)
    found = statement_cells(near, page.rules, table.box.y0)
    if found is None:
        return False
    cells, taken = found
    held = sum(len("".join(cell.text.split())) for cell in cells)
    chars = sum(run.chars for run in taken)
    if held != chars or glued_share(cells) > before / 2:
        return False
    known = {id(run) for run in taken}
    left = [run for run in table.runs if id(run) not in known]
    for block in [b for b in blocks if b is not table]:
        kept = [run for run in block.runs if id(run) not in known]
        if len(kept) == len(block.runs):
            continue
        if kept:
            block.runs, block.box = kept, around(run.box for run in kept)
        else:
            blocks[:] = [other for other in blocks if other is not block]
    table.cells, table.runs, table.box = cells, taken, around(run.box for run in taken)
    table.kind, table.role = "table", "table"
    table.engine = table.engine.split("+", 1)[0] + "+columns"
    table.warnings = []
    place = next(k for k, block in enumerate(blocks) if block is table)
    over = [run for run in left if run.box.centre[1] < table.box.y0]
    under = [run for run in left if run.box.centre[1] >= table.box.y0]
    blocks[place + 1 : place + 1] = line_blocks(under, page.page)
    titles = line_blocks(over, page.page)
    if len(titles) == 1:
        titles[0].kind = "caption"
    blocks[place:place] = titles
    return True


def _around(table: Block, blocks: Sequence[Block]) -> list[Run]:
    """The table's runs and the loose pieces right above and below it."""
    above: list[Run] = []
    below: list[Run] = []
    for block in blocks:
        short = max((run.chars for run in block.runs), default=0) <= LOOSE_CHARS
        loose = block.kind in ("paragraph", "list") and short
        inside = block.box.x0 > table.box.x0 - 10 and block.box.x1 < table.box.x1 + 10
        if block is table or not loose or not inside:
            continue
        (above if block.box.centre[1] < table.box.y0 else below).extend(block.runs)
    top, bottom = table.box.y0, table.box.y1
    chosen = list(table.runs)
    for line in reversed(visual_lines(above)):
        box = around(run.box for run in line)
        if top - box.y1 > box.height or bottom < box.y0:
            break
        chosen, top = [*chosen, *line], min(top, box.y0)
    for line in visual_lines(below):
        box = around(run.box for run in line)
        if box.y0 - bottom > box.height:
            break
        chosen, bottom = [*chosen, *line], max(bottom, box.y1)
    return chosen
