"""No line of a table's region is lost because another engine's cells passed over it."""

from __future__ import annotations

from g2_pipelines.pdf.geometry import Block, Box, Glyph, Run, around
from g2_pipelines.pdf.leftover import lost_lines
from g2_pipelines.tables.rows import Cell


def run(text: str, y0: float, x0: float = 50.0) -> Run:
    glyphs = tuple(
        Glyph(char, Box(x0 + 5 * k, y0, x0 + 5 * (k + 1), y0 + 10))
        for k, char in enumerate(text)
        if not char.isspace()
    )
    return Run(text, around(glyph.box for glyph in glyphs), glyphs)


def table(runs: list[Run], *texts: str) -> Block:
    cells = [Cell(row=k, col=0, text=text) for k, text in enumerate(texts)]
    return Block(kind="table", page=1, box=Box(0, 0, 600, 400), runs=runs, cells=cells)


NOTE = "The figures of 2029 were restated"


def test_a_line_that_no_cell_holds_is_found() -> None:
    runs = [run("Sales", 10), run("4,120", 10, 200), run(NOTE, 40)]
    assert [one.text for one in lost_lines(table(runs, "Sales", "4,120"))] == [NOTE]


def test_lines_that_cells_hold_in_pieces_or_joined_are_not() -> None:
    runs = [run("Sales of ma-", 10), run("chines", 22), run("4,120", 10, 200)]
    assert lost_lines(table(runs, "Sales of machines", "4,120")) == []
    assert lost_lines(table([run("Sales 4,120 3,980", 10)], "Sales", "4,120", "3,980")) == []


def test_one_of_two_equal_lines_is_lost_once() -> None:
    runs = [run("4,120", 10), run("4,120", 30), run("ab", 50)]
    assert lost_lines(table(runs, "4,120", "4,120", "ab")) == []


def test_marks_are_no_lines() -> None:
    assert lost_lines(table([run("Sales", 10), run("$", 10, 150)], "Sales")) == []
