"""Heads that stand sideways over a table are the heads of the columns under their middle."""

from __future__ import annotations

import pytest

from g2_pipelines.pdf.geometry import Block, Box, Glyph, PageText, Run, around
from g2_pipelines.pdf.sideways_heads import DOUBT, with_sideways_heads
from g2_pipelines.pdf.table_parts import mend_tables


def text(words: str, x: float, y: float) -> Run:
    """Letters of 5 × 10 points from the left."""
    glyphs = tuple(
        Glyph(char, Box(x + 5 * k, y, x + 5 * k + 5, y + 10))
        for k, char in enumerate(words)
        if char != " "
    )
    return Run(words, around(glyph.box for glyph in glyphs), glyphs)


def head(words: str, x: float, low: float, *, up: bool = True) -> Run:
    """Letters of 5 × 8 points on their side, around ``x`` and down to ``low``."""
    glyphs = []
    for k, char in enumerate(words):
        top = low - 5 * (k + 1 if up else len(words) - k)
        glyphs.append(Glyph(char, Box(x - 4, top, x + 4, top + 5)))
    return Run(words, around(glyph.box for glyph in glyphs), tuple(glyphs))


def page_of(heads: list[Run]) -> tuple[PageText, list[Block], Block]:
    """Four rows of three figures around x = 210, 260 and 310; the heads are loose text."""
    rows = [
        run
        for k, label in enumerate(["north", "south", "east", "west"])
        for run in (
            text(label, 100, 200 + 15 * k),
            *(text(f"{n}{k}.5", 200 + 50 * n, 200 + 15 * k) for n in range(3)),
        )
    ]
    corner = text("site", 100, 182)
    runs = (*heads, corner, *rows)
    page = PageText(1, 600, 800, 0, sum(r.chars for r in runs), runs, (), ())
    table = Block(
        kind="table", page=1, box=around(r.box for r in rows), runs=rows, engine="docvortex"
    )
    loose = [Block(kind="paragraph", page=1, box=r.box, runs=[r]) for r in [*heads, corner]]
    return page, [*loose, table], table


@pytest.mark.parametrize("up", [True, False])
def test_each_head_names_the_column_under_its_middle(up: bool) -> None:
    heads = [head(w, x, 195, up=up) for w, x in (("mild", 210), ("temperate", 260), ("cold", 310))]
    page, blocks, table = page_of(heads)
    mend_tables(page, blocks)
    assert blocks == [table]
    first = {cell.col: cell for cell in table.cells if cell.row == 0}
    assert [first[c].text for c in range(4)] == ["site", "mild", "temperate", "cold"]
    assert all(cell.header and cell.colspan == 1 for cell in first.values())
    assert [c.text for c in table.cells if c.row == 1] == ["north", "00.5", "10.5", "20.5"]


@pytest.mark.parametrize(("up", "told"), [(True, "deep cold"), (False, "cold deep")])
def test_two_lines_over_one_column_follow_as_they_are_read(up: bool, told: str) -> None:
    pairs = (("mild", 210), ("temperate", 260), ("deep", 304.5), ("cold", 315.5))
    page, blocks, table = page_of([head(word, x, 195, up=up) for word, x in pairs])
    mend_tables(page, blocks)
    assert [c.text for c in table.cells if c.row == 0] == ["site", "mild", "temperate", told]


def test_a_head_between_two_columns_names_none_and_is_told() -> None:
    page, blocks, table = page_of([head("mild", 210, 195), head("temperate", 285, 195)])
    assert not with_sideways_heads(page, blocks, table)
    assert table.warnings == [DOUBT]
    assert len(blocks) == 4
    assert not table.cells


def test_the_name_of_an_axis_beside_a_table_is_no_head() -> None:
    page, blocks, table = page_of([head("temperate", 80, 240)])
    assert not with_sideways_heads(page, blocks, table)
    assert table.warnings == []
