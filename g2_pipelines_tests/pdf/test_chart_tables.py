"""A chart beside a table keeps to its own side; the table keeps its rows."""

from __future__ import annotations

from g2_pipelines.pdf.chart_tables import with_rows_freed
from g2_pipelines.pdf.geometry import Block, Box, Glyph, PageText, Run, Shape, around


def text(words: str, x: float, y: float) -> Run:
    """Letters of 5 × 10 points from the left."""
    glyphs = tuple(
        Glyph(char, Box(x + 5 * k, y, x + 5 * k + 5, y + 10))
        for k, char in enumerate(words)
        if char != " "
    )
    return Run(words, around(glyph.box for glyph in glyphs), glyphs)


def row(label: str, y: float) -> list[Run]:
    return [text(label, 50, y), text("3.25", 150, y), text("4.50", 220, y)]


AXIS = [text("30", 310, 190), text("20", 310, 220), text("10", 310, 250)]
CURVE = Shape(Box(330, 180, 480, 260), slanted=True, filled=False)


def page_of(lower: list[Run], curve: Shape) -> tuple[PageText, list[Block], Block, Block]:
    """A table down to y = 190; a picture from there over the whole width, with ``lower``."""
    upper = [run for k in range(4) for run in row("corn", 130 + 15 * k)]
    runs = (*upper, *lower, *AXIS)
    page = PageText(1, 600, 800, 0, sum(r.chars for r in runs), runs, (), (), shapes=(curve,))
    table = Block(kind="table", page=1, box=around(r.box for r in upper), runs=upper)
    picture = Block(kind="figure", page=1, box=Box(50, 188, 500, 270), runs=[*lower, *AXIS])
    return page, [table, picture], table, picture


def test_rows_in_a_chart_go_to_the_table_beside_it_and_other_lines_to_the_page() -> None:
    lower = [*row("wheat", 190), text("near", 50, 205), *row("rice", 220)]
    note = text("a note below", 50, 250)
    page, blocks, table, picture = page_of([*lower, note], CURVE)
    found = with_rows_freed(page, blocks)
    assert [run.text for run in table.runs][-7:] == [run.text for run in lower]
    assert table.box.y1 == 230
    assert [run.text for run in picture.runs] == ["30", "20", "10"]
    assert picture.box == Box(table.box.x1, 188, 500, 270)
    [left] = [block for block in found if block.kind == "paragraph"]
    assert [run.text for run in left.runs] == ["a note below"]


def test_a_curve_over_the_tables_columns_keeps_its_numbers() -> None:
    lower = [*row("wheat", 190), *row("rice", 220)]
    page, blocks, table, picture = page_of(lower, Shape(Box(60, 180, 480, 260), True, False))
    assert with_rows_freed(page, blocks) == [table, picture]
    assert len(picture.runs) == 9


def test_one_line_of_figures_may_be_a_charts_scale() -> None:
    page, blocks, table, picture = page_of(row("month", 250), CURVE)
    assert with_rows_freed(page, blocks) == [table, picture]
    assert len(picture.runs) == 6


def test_a_picture_left_without_text_is_the_one_that_shows_it() -> None:
    lower = [*row("wheat", 190), *row("rice", 205)]
    page, blocks, _, picture = page_of(lower, CURVE)
    picture.runs = lower
    chart = Block(kind="figure", page=1, box=Box(300, 150, 500, 270), runs=list(AXIS))
    assert with_rows_freed(page, [*blocks, chart]) == [blocks[0], chart]
