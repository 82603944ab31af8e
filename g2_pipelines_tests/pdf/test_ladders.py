"""Columns with lying rules of their own at the same heights, white between, are a table."""

from __future__ import annotations

from g2_pipelines.pdf.geometry import Box, Glyph, PageText, Rule, Run, around
from g2_pipelines.pdf.grids import grid_tables

HEIGHTS = [100, 120, 140, 160, 180]


def text(words: str, x: float, y: float) -> Run:
    """Letters of 5 × 10 points from the left."""
    glyphs = tuple(Glyph(c, Box(x + 5 * k, y, x + 5 * k + 5, y + 10)) for k, c in enumerate(words))
    return Run(words, around(glyph.box for glyph in glyphs), glyphs)


def page_of(gap: float, *more: Run, stub: bool = True) -> PageText:
    """Two columns from x = 100 and 200 + ``gap``; at the left boxes over two and over four rows
    of which the last has no rule below it.
    """
    second = 200 + gap
    rules = [Rule(Box(x, y, x + 100, y)) for y in HEIGHTS for x in (100, second)]
    if stub:
        rules += [Rule(Box(50, y, 95, y)) for y in (100, 140, 200)]
    rows = [
        run
        for k in range(5 if stub else 4)
        for run in (text(f"risk{k}", 105, 105 + 20 * k), text(f"case{k}", 225, 105 + 20 * k))
    ]
    runs = (text("risk", 105, 88), text("case", 225, 88), *rows, *more)
    return PageText(1, 600, 800, 0, sum(r.chars for r in runs), runs, (), tuple(rules))


def test_rules_heads_and_boxes_at_the_left_give_the_cells() -> None:
    [table] = grid_tables(
        page_of(6, text("when", 55, 88), text("old", 55, 115), text("new", 55, 165))
    )
    cells = {(c.row, c.col): (c.rowspan, c.text, c.header) for c in table.cells}
    assert cells == {
        (0, 0): (1, "when", True),
        (0, 1): (1, "risk", True),
        (0, 2): (1, "case", True),
        (1, 0): (2, "old", False),
        (3, 0): (3, "new", False),
        **{(k + 1, 1): (1, f"risk{k}", False) for k in range(5)},
        **{(k + 1, 2): (1, f"case{k}", False) for k in range(5)},
    }


def test_without_boxes_the_last_rule_closes_the_table() -> None:
    below = text("after", 105, 190)
    [table] = grid_tables(page_of(6, below, stub=False))
    assert [c.text for c in table.cells if c.row == 4] == ["risk3", "case3"]
    assert below not in table.runs


def test_a_line_over_the_white_between_columns_and_wide_white_are_no_table() -> None:
    assert grid_tables(page_of(6, text("over both of the columns", 150, 125))) == []
    assert grid_tables(page_of(25)) == []
