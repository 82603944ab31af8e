"""Pages of more loose pieces than columns and paragraphs can be told for in bounded time.

Here: how many pieces are too many, and ``crowded_blocks``, their lines from top to bottom. The
orders of ``order`` and ``block_order`` compare pieces with pieces; thousands of single letters
on one page are a drawing or an attack and have no order to find. No character is lost. Pure
functions; for the modules of ``pdf`` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from g2_pipelines.pdf.geometry import Block, Run, around
from g2_pipelines.pdf.glyphs import join_row

#: More runs in no region or table, or more blocks, and the page is read line by line. Of 426
#: public pages the fullest has 1,465 runs, a newspaper's page 602 blocks.
MAX_LOOSE, MAX_BLOCKS = 5000, 1500
#: The lines of such a page are at most so many paragraphs.
MOST = 400
#: White space of this many line heights between lines ends a paragraph.
GAP = 0.75
CROWDED = "crowded"


def is_crowded(blocks: Sequence[Block]) -> bool:
    """True where some of a page's blocks are ``crowded_blocks``."""
    return any(block.role == CROWDED for block in blocks)


def crowded_blocks(runs: Sequence[Run], page: int) -> list[Block]:
    """The runs as lines over the whole page, from top to bottom, grouped to paragraphs by the
    white between them. A line is one run.
    """
    lines = [_joined(line) for line in _lines(runs)]
    groups: list[list[Run]] = []
    low = 0.0
    for line in lines:
        if groups and line.box.y0 - low < GAP * line.box.height:
            groups[-1].append(line)
            low = max(low, line.box.y1)
        else:
            groups.append([line])
            low = line.box.y1
    together = -(-len(groups) // MOST)
    parts = [
        [line for group in groups[k : k + together] for line in group]
        for k in range(0, len(groups), max(1, together))
    ]
    return [
        Block(
            kind="paragraph",
            page=page,
            box=around(run.box for run in part),
            runs=part,
            role=CROWDED,
        )
        for part in parts
    ]


def _lines(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs whose middles stand within half the usual height, each line from left to right."""
    if not runs:
        return []
    half = median(run.box.height for run in runs) / 2
    lines: list[list[Run]] = []
    top = 0.0
    for run in sorted(runs, key=lambda run: (run.box.centre[1], run.box.x0)):
        middle = run.box.centre[1]
        if lines and middle - top <= half:
            lines[-1].append(run)
        else:
            lines.append([run])
            top = middle
    return [sorted(line, key=lambda run: run.box.x0) for line in lines]


def _joined(line: Sequence[Run]) -> Run:
    if len(line) == 1:
        return line[0]
    glyphs = tuple(glyph for run in line for glyph in run.glyphs)
    return Run(join_row(line)[0], around(run.box for run in line), glyphs, line[-1].soft_hyphen)
