"""Tables of an engine that are columns of prose: text beside text, or beside a box of facts.

Lines of sentences that go on from one to the next are no cells: read across they mix up two
texts. Here: ``prose_blocks``. Pure functions; for ``table_cells`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from g2_pipelines.pdf.geometry import Block, Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.stacked import is_value
from g2_pipelines.tables.rows import Cell

#: A line of prose has so many words and characters.
WORDS, CHARS = 4, 25
#: So many such lines stand at the left of the region, over this share of all lines there …
MIN_LINES, MIN_SHARE = 6, 0.5
#: … and so many of them begin in the middle of a sentence.
GOES_ON = 0.2
#: … or nearly all reach over this share of their column: names of rows differ in length.
LONG, ALL_LONG = 0.85, 0.8
#: Of a table more lines than this share end in figures; it has so many rows.
MAX_FIGURES, MIN_ROWS = 0.2, 3
_WORD = re.compile(r"[^\W\d_]{2,}")


def prose_blocks(table: Block) -> list[Block]:
    """The paragraphs, and the tables between them, in the region of ``table``.

    Empty where it may be a table: cells that drawn rules close are a table's whatever is in
    them, and so are lines that end in figures.
    """
    if "+" in table.engine or not table.runs:
        return []
    lines = visual_lines(table.runs)
    left = min(run.box.x0 for run in table.runs)
    reach = left + 0.15 * (max(run.box.x1 for run in table.runs) - left)
    firsts = [line[0] for line in lines if line[0].box.x0 < reach]
    prose = [run for run in firsts if _is_prose(run)]
    if len(prose) < max(MIN_LINES, MIN_SHARE * len(firsts)) or not _goes_on(prose):
        return []
    if sum(is_value(line[-1].text) for line in lines) > MAX_FIGURES * len(lines):
        return []
    return [piece for column in _columns(table.runs) for piece in _pieces(table, column)]


def _goes_on(prose: Sequence[Run]) -> bool:
    """True for lines that begin in the middle of sentences, or are all about as long."""
    going = sum(run.text.lstrip()[:1].islower() for run in prose)
    right = max(run.box.x1 for run in prose)
    long = sum(run.box.x1 - run.box.x0 > LONG * (right - run.box.x0) for run in prose)
    return going >= GOES_ON * len(prose) or long >= ALL_LONG * len(prose)


def _columns(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs parted at white that goes through all lines."""
    groups: list[list[Run]] = []
    reach = float("-inf")
    for run in sorted(runs, key=lambda run: run.box.x0):
        if run.box.x0 - reach >= 0.8 * run.box.height:
            groups.append([])
        groups[-1].append(run)
        reach = max(reach, run.box.x1)
    return groups


def _pieces(table: Block, runs: Sequence[Run]) -> list[Block]:
    """A column's lines: those of several runs with figures among them are a table."""
    groups: list[tuple[bool, list[Run]]] = []
    for line in visual_lines(runs):
        row = len(line) > 1 and any(is_value(run.text) for run in line[1:])
        if not groups or groups[-1][0] != row:
            groups.append((row, []))
        groups[-1][1].extend(line)
    blocks: list[Block] = []
    for row, members in groups:
        if row and len(visual_lines(members)) >= MIN_ROWS:
            box = around(run.box for run in members)
            cells = _cells(members)
            why = [] if cells else ["table without cells: its lines as text"]
            blocks.append(replace(table, box=box, runs=members, cells=cells, html="", warnings=why))
        else:
            blocks += line_blocks(members, table.page)
    return blocks


def _cells(runs: Sequence[Run]) -> list[Cell]:
    """A cell a run, where all lines have as many that stand under each other; else none."""
    lines = visual_lines(runs)
    columns = list(zip(*lines, strict=False))
    ends = [(min(r.box.x0 for r in c), max(r.box.x1 for r in c)) for c in columns]
    apart = all(a[1] < b[0] for a, b in pairwise(ends))
    if not apart or len({len(line) for line in lines}) > 1:
        return []
    return [
        Cell(row=r, col=c, text=" ".join(run.text.split()))
        for r, line in enumerate(lines)
        for c, run in enumerate(line)
    ]


def _is_prose(run: Run) -> bool:
    return run.chars >= CHARS and len(_WORD.findall(run.text)) >= WORDS
