"""Lines of a table's region that its cells do not hold.

Another engine's cells may pass over a sentence or note in the region; what they hold is measured
by characters alone, so a line may be missing. Here: ``lost_lines``; ``table_cells`` sets them
beside the table. Pure.
"""

from __future__ import annotations

from collections import Counter

from g2_pipelines.pdf.geometry import Block, Run

#: A line is lost when cells hold less than this share of its letters.
HELD = 0.5
#: Shorter ones are marks (a footnote's sign, a dollar).
LEAST = 2


def lost_lines(table: Block) -> list[Run]:
    """The table's runs of which most words stand in none of its cells."""
    cells = "\n".join("".join(cell.text.split()) for cell in table.cells)
    missing = Counter("".join("".join(run.text.split()) for run in table.runs))
    missing.subtract(cells)
    found = []
    for run in table.runs:
        letters = Counter("".join(run.text.split()))
        # A word that the cells break or join is there: its letters are.
        if run.chars >= LEAST and _held(run, cells) < HELD and letters <= +missing:
            missing.subtract(letters)
            found.append(run)
    return found


def _held(run: Run, cells: str) -> float:
    """The share of the run's letters in words that the cells hold."""
    if "".join(run.text.split()) in cells:
        return 1.0
    words = run.text.split()
    return sum(len(word) for word in words if word in cells) / max(1, sum(map(len, words)))
