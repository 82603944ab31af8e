"""Columns of prose that an engine takes for a table; labels with figures stay one."""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Block, Run, around
from g2_pipelines.pdf.prose import prose_blocks
from g2_pipelines.tables.rows import Cell
from g2_pipelines_tests.pdf.conftest import run

LEFT = [
    "The first mill of the valley was set up",
    "beside the old ford in the year of the",
    "great flood and burned down ten years",
    "later. Its owners built a second one of",
    "stone that still stands by the bridge and",
    "houses the records of the river trade",
]
RIGHT = [
    "Ground water feeds the wells of the lower",
    "fields. Two of them fell dry last summer",
    "when the pumps ran day and night for many",
    "weeks. The board then set a limit on the",
    "use of each well and pays for those that",
    "stay below it through the dry season",
]


def lines(texts: Sequence[str], x: float, y: float = 100) -> list[Run]:
    return [run(text, x, y + 12 * k, size=5) for k, text in enumerate(texts)]


def table(runs: Sequence[Run], engine: str = "liteparse") -> Block:
    box = around(r.box for r in runs)
    cells = [Cell(row=0, col=0, text="x")]
    return Block("table", 1, box, list(runs), cells=cells, engine=engine)


def test_two_columns_of_prose_are_read_one_after_the_other() -> None:
    runs = [*lines(LEFT, 20), *lines(RIGHT, 250)]
    blocks = prose_blocks(table(runs))
    assert {block.kind for block in blocks} == {"paragraph"}
    assert [r.text for block in blocks for r in block.runs] == [*LEFT, *RIGHT]


def test_rows_of_figures_under_the_prose_of_one_column_are_a_table() -> None:
    years = [("1850", "17"), ("1860", "NA"), ("1870", "1,597")]
    figures = [
        run(text, x, 180 + 12 * k, size=5)
        for k, row in enumerate(years)
        for text, x in zip(row, (20, 150), strict=True)
    ]
    more = lines(["and more about the wells of this place", *RIGHT], 250, 160)
    blocks = prose_blocks(table([*lines(LEFT, 20), *figures, *lines(RIGHT[:5], 250), *more]))
    [found] = [block for block in blocks if block.kind == "table"]
    assert [(cell.row, cell.col, cell.text) for cell in found.cells] == [
        (r, c, text) for r, row in enumerate(years) for c, text in enumerate(row)
    ]


def test_long_labels_with_figures_and_ruled_cells_stay_a_table() -> None:
    labels = lines([f"{text} and so on" for text in LEFT], 20)
    amounts = lines(["12", "7", "105", "3", "44", "8"], 400)
    assert prose_blocks(table([*labels, *amounts])) == []
    both = [*lines(LEFT, 20), *lines(RIGHT, 250)]
    assert prose_blocks(table(both, "docvortex+grid")) == []
    short = lines(["Wood", "Iron", "Tin", "Zinc", "Lead", "Gold"], 20)
    assert prose_blocks(table([*short, *lines(RIGHT, 250)])) == []
