"""A head over several columns is one cell though the grid's standing rules cut its words."""

from __future__ import annotations

from g2_pipelines.pdf.geometry import Box, Glyph, Rule, Run, around
from g2_pipelines.pdf.tables import grid_cells
from g2_pipelines.tables.rows import Cell

COLUMNS, ROWS = [100, 160, 220, 280, 340], [100, 130, 145, 160]


def centred(words: str, x: float, y: float) -> Run:
    """Letters of 5 × 8 points around ``x``."""
    start = x - 2.5 * len(words)
    glyphs = tuple(
        Glyph(char, Box(start + 5 * k, y, start + 5 * k + 5, y + 8))
        for k, char in enumerate(words)
        if char != " "
    )
    return Run(words, around(glyph.box for glyph in glyphs), glyphs)


def table(heads: list[Run]) -> list[Cell]:
    """Five columns, of which the first is the labels'; all rules go through."""
    xs, ys = [40, *COLUMNS], ROWS
    rules = [Rule(Box(40, y, 340, y)) for y in ys] + [Rule(Box(x, 100, x, 160)) for x in xs]
    names = [
        centred(n, x, 119) for n, x in zip(["a", "b", "a", "b"], range(130, 320, 60), strict=True)
    ]
    rows = [
        centred(text, 70 + 60 * k, 133 + 15 * r)
        for r, values in enumerate((["site", "1", "2", "3", "4"], ["farm", "5", "6", "7", "8"]))
        for k, text in enumerate(values)
    ]
    return grid_cells(Box(40, 100, 340, 160), [*heads, *names, *rows], rules)


def test_words_over_a_border_are_the_head_of_both_columns_and_stay_whole() -> None:
    cells = table([centred("returned", 160, 104), centred("redeemed", 280, 104)])
    heads = [(c.row, c.col, c.colspan, c.text) for c in cells if c.header]
    assert heads == [
        (0, 0, 1, ""),
        (0, 1, 2, "returned"),
        (0, 3, 2, "redeemed"),
        *((1, k, 1, text) for k, text in enumerate(["", "a", "b", "a", "b"])),
    ]
    assert [c.text for c in cells if c.row == 2] == ["site", "1", "2", "3", "4"]
    assert [c.text for c in cells if c.row == 3] == ["farm", "5", "6", "7", "8"]


def test_heads_that_no_border_cuts_stay_one_row() -> None:
    cells = table([centred("left", 130, 104), centred("right", 190, 104)])
    assert [c.text for c in cells if c.row == 0] == ["", "left a", "right b", "a", "b"]


def test_a_cut_head_in_the_middle_of_no_columns_is_left() -> None:
    cells = table([centred("returned", 174, 104)])
    assert [c.text for c in cells if c.row == 1] == ["site", "1", "2", "3", "4"]
