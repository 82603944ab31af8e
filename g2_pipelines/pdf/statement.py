"""Cells of a statement: labels at the left, figures under each other, few rules or none.

Here: rows and columns from where the figures stand, for tables whose drawn rules do not part
them (a line under the header, one over each total, one year shaded), so that a grid of these
puts ten rows into one cell. Currency signs belong to the figure behind them, percent signs to
the one before; words in columns of their own are cells where none goes on in a second line.
Taken only when every character has its cell and no two figures share one. Pure functions; for
``table_region``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from g2_pipelines.pdf.columns import (
    WRAP_PITCH,
    Range,
    figure_columns,
    nearest,
    torn_lines,
    word_columns,
)
from g2_pipelines.pdf.geometry import Rule, Run
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.phrases import Line, is_figure, labels_end, line_of, part_labels
from g2_pipelines.pdf.stacked import is_value
from g2_pipelines.pdf.table_header import header_cells, header_lines
from g2_pipelines.tables.rows import Cell

MIN_ROWS, MIN_FIGURES = 3, 6
#: Lines with words among the figures: more of them and the table has columns of text.
MAX_TEXTS = 0.1
#: Share of the lines that hold figures without a label (totals).
MAX_UNNAMED = 0.3
_SIGN_BEHIND = re.compile(r"[\d)）—–-]\s*[$¥€£]")


def glued_share(cells: Sequence[Cell]) -> float:
    """Share of the figures that stand in a cell with another figure and no word.

    Three or more in a cell over three columns or more count with words too: a row that no rule
    parts. So do figures with the next one's currency sign and three figures in a row, which no
    text has.
    """
    glued = every = 0
    for cell in cells:
        count = sum(any(char.isdigit() for char in word) for word in cell.text.split())
        every += count
        words = any(char.isalpha() for char in cell.text)
        wide = cell.colspan > 2 and count > 2
        sign = not words and _SIGN_BEHIND.search(cell.text) is not None
        row = words and _figures_in_row(cell.text) > 2
        glued += count if wide or sign or row or (count > 1 and not words) else 0
    return glued / every if every else 0.0


def _figures_in_row(text: str) -> int:
    most = count = 0
    for word in text.split():
        figure = is_value(word) and any(char.isdigit() for char in word)
        count = count + 1 if figure else 0
        most = max(most, count)
    return most


def statement_cells(
    runs: Sequence[Run], rules: Sequence[Rule], top: float
) -> tuple[list[Cell], list[Run]] | None:
    """The cells and the runs in them; None when the lines are no statement.

    ``runs``: those of the table, of the lines above that may be its header and of those below
    that may be its end, all lines between the table's sides. ``top``: where the table begins
    for sure; lines over it are its header or not of it.
    """
    groups = visual_lines(runs)
    lines = [line_of(group) for group in groups]
    few = len(lines) <= MIN_ROWS or sum(any(map(is_figure, li.phrases)) for li in lines) == 1
    figures = figure_columns(lines, 1 if few else 2)
    words = word_columns(lines, figures) if figures else []
    for columns_of_words in [words, []] if words else [[]]:
        found = _cells(lines, figures, columns_of_words, rules, top)
        if found is not None:
            cells, taken = found
            return cells, [run for k in taken for run in groups[k]]
    return None


def _cells(
    lines: Sequence[Line],
    figures: Sequence[Range],
    words: Sequence[Range],
    rules: Sequence[Rule],
    top: float,
) -> tuple[list[Cell], list[int]] | None:
    """The cells with these columns of words, and the places of the lines in them."""
    columns = sorted([*figures, *words])
    if not columns:
        return None
    part_labels(lines, columns[0][0])
    body_lines = [k for k, line in enumerate(lines) if line.is_row]
    if not body_lines:
        return None
    first, last = body_lines[0], body_lines[-1]
    # Lines of labels alone right over the first figures are rows: «Revenues by:».
    while first and not lines[first - 1].figures and lines[first - 1].box.centre[1] > top:
        first -= 1
    inside = [rule for rule in rules if rule.box.x0 > labels_end(lines, columns[0][0])]
    header = header_lines(lines, first, top, columns, inside)
    rows = lines[first : last + 1]
    heads = len(lines[header[-1]].figures) if header else 0
    if not _is_statement(rows, columns, words, heads):
        return None
    cells = header_cells([lines[k] for k in header], columns, inside)
    for labels, line in _wrapped(rows):
        found: dict[int, list[str]] = {}
        for phrase in line.figures:
            column = nearest(columns, phrase.box)
            if column in found and columns[column] not in words:
                return None
            found.setdefault(column, []).append(phrase.whole)
        row = max((cell.row for cell in cells), default=-1) + 1
        cells.append(Cell(row=row, col=0, text=" ".join(labels)))
        cells += [
            Cell(row=row, col=c + 1, text=" ".join(found.get(c, []))) for c in range(len(columns))
        ]
    return _without_empty_labels(cells), [*header, *range(first, last + 1)]


def _is_statement(
    rows: Sequence[Line], columns: Sequence[Range], words: Sequence[Range], heads: int
) -> bool:
    """True for rows enough, labels for most, and no texts over several lines.

    ``heads``: of the header's last line; where each column has one, a row is enough.
    """

    def in_words(line: Line) -> list[bool]:
        return [columns[nearest(columns, p.box)] in words for p in line.figures]

    texts = figures = unnamed = 0
    for line in rows:
        worded = in_words(line)
        amounts = [p for p, word in zip(line.figures, worded, strict=True) if not word]
        texts += any(not is_figure(p) for p in amounts)
        figures += len(amounts)
        # Labels that stand between two lines of figures name both: no rows of lines.
        unnamed += bool(amounts) and not line.labels and not any(worded)
    if len(columns) == 1:
        return len(rows) >= MIN_ROWS and figures > MIN_ROWS and not unnamed + texts
    if unnamed > MAX_UNNAMED * len(rows) or texts > MAX_TEXTS * len(rows):
        return False
    if words and unnamed + torn_lines(rows, columns, words) > MAX_TEXTS * len(rows):
        return False
    if len(rows) == 1:
        return figures == heads == len(columns) >= MIN_FIGURES
    if heads and len(rows) == MIN_ROWS - 1:
        return figures == len(rows) * len(columns)
    return len(rows) >= MIN_ROWS and figures >= MIN_FIGURES


def _without_empty_labels(cells: list[Cell]) -> list[Cell]:
    """The cells without column 0 where it is empty: the labels stand elsewhere."""
    spanned = any(cell.col == 0 and (cell.text or cell.colspan > 1) for cell in cells)
    if spanned:
        return cells
    return [cell.model_copy(update={"col": cell.col - 1}) for cell in cells if cell.col]


def _wrapped(rows: Sequence[Line]) -> list[tuple[list[str], Line]]:
    """Rows with the words of their labels; a label over two lines is one."""
    steps = [b.box.y0 - a.box.y0 for a, b in pairwise(rows) if a.figures and b.figures]
    pitch = median(steps) if steps else 0.0
    result: list[tuple[list[str], Line]] = []
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
