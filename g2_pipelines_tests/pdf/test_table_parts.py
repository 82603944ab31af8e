"""Heads that an engine left beside a table, pieces of one table, and several in one region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from g2_pipelines.pdf.geometry import Block, Box, Rule, Run, around
from g2_pipelines.pdf.table_parts import mend_tables
from g2_pipelines.pdf.tables import grid_cells
from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines.tables.rows import Cell
from g2_pipelines_tests.pdf.conftest import page, run
from g2_pipelines_tests.pdf.test_statement import right, rows_of

ROWS = [
    ("Wood", "28,021", "23,305"),
    ("Iron", "(385)", "—"),
    ("Tin", "17", "15"),
    ("All", "27,653", "23,320"),
]


def lines(y: float, rows: Sequence[tuple[str, str, str]] = ROWS) -> list[Run]:
    """Labels at 20, figures that end at 200 and 300, a line every 8 points from ``y`` on."""
    found = []
    for k, (label, first, second) in enumerate(rows):
        found += [run(label, 20, y + 8 * k, size=5)]
        found += [right(first, 200, y + 8 * k), right(second, 300, y + 8 * k)]
    return found


def years(y: float) -> list[Run]:
    return [run("(tons)", 20, y, size=5), right("2031", 200, y), right("2030", 300, y)]


def block(runs: Sequence[Run], kind: NodeKind = "table", cells: Sequence[Cell] = ()) -> Block:
    box = around(r.box for r in runs)
    if kind == "table":
        box = Box(20, box.y0, 300, box.y1)
    return Block(kind=kind, page=1, box=box, runs=list(runs), cells=list(cells), engine="docvortex")


def sound(rows: Sequence[tuple[str, ...]] = ROWS) -> list[Cell]:
    return [Cell(row=r, col=c, text=t) for r, row in enumerate(rows) for c, t in enumerate(row)]


def chars(blocks: Sequence[Block]) -> int:
    """Characters in the cells of tables and the runs of all else."""
    return sum(
        sum(len("".join(cell.text.split())) for cell in b.cells) if b.cells else b.chars
        for b in blocks
    )


@pytest.mark.parametrize("kind", ["furniture", "equation", "paragraph", "caption"])
@pytest.mark.parametrize("cells", [[], sound()])
def test_a_header_of_years_is_the_tables_whatever_an_engine_called_it(
    kind: NodeKind, cells: list[Cell]
) -> None:
    table = block(lines(60), cells=cells)
    head = block(years(52), kind)
    blocks = [head, table]
    everything = head.chars + table.chars
    mend_tables(page([*head.runs, *table.runs]), blocks)
    assert blocks == [table]
    assert rows_of(table.cells)[:2] == [["(tons)", "2031", "2030"], ["Wood", "28,021", "23,305"]]
    assert [cell.header for cell in table.cells[:4]] == [True, True, True, False]
    assert chars(blocks) == everything


def test_a_header_goes_over_sound_cells_with_columns_of_text() -> None:
    rows = [
        ("Wood", "a long tale of the wood", "17"),
        ("Iron", "short", "18"),
        ("Tin", "tale", "9"),
    ]
    runs = [
        run(text, x, 60 + 8 * k, size=5)
        for k, row in enumerate(rows)
        for text, x in zip(row, (20, 100, 290), strict=True)
    ]
    # A second line of the first tale: no statement.
    runs.append(run("and more", 100, 64, size=5))
    table = block(
        runs, cells=sound([("Wood", "a long tale of the wood and more", "17"), *rows[1:]])
    )
    head = block([run("Tale", 100, 52, size=5), run("No", 290, 52, size=5)], "furniture")
    blocks = [head, table]
    mend_tables(page([*head.runs, *runs]), blocks)
    assert blocks == [table]
    assert rows_of(table.cells)[0] == ["", "Tale", "No"]
    assert rows_of(table.cells)[2] == ["Iron", "short", "18"]


@pytest.mark.parametrize(
    "text",
    ["Table 3: Harvests", "(in millions)", "The harvests of these years are as follows:"],
)
def test_titles_units_and_sentences_over_a_table_are_no_header(text: str) -> None:
    x = 230 if text.startswith("(") else 100 if text.startswith("Table") else 20
    over = block([run(text, x, 52, size=5)], "paragraph")
    table = block(lines(60), cells=sound())
    blocks = [over, table]
    mend_tables(page([*over.runs, *table.runs]), blocks)
    assert blocks == [over, table]
    assert rows_of(table.cells) == [list(row) for row in ROWS]


def test_words_over_all_columns_name_all_of_them() -> None:
    table = block(lines(60))
    heads = [*years(52), run("YEAR", 225, 44, size=5)]
    blocks = [block(heads, "furniture"), table]
    ruled = replace(page([*heads, *table.runs]), rules=(Rule(Box(170, 50, 305, 50)),))
    mend_tables(ruled, blocks)
    [top, *_] = [cell for cell in table.cells if cell.text == "YEAR"]
    assert (top.row, top.col, top.colspan) == (0, 1, 2)
    assert rows_of(table.cells)[1] == ["(tons)", "2031", "2030"]


def test_heads_of_years_in_one_phrase_are_two() -> None:
    heads = [run("FISCAL 2031 FISCAL 2030", 140, 52, size=5)]
    table = block(lines(60))
    narrow = [
        right(t, x, 60 + 8 * k)
        for k, row in enumerate(ROWS)
        for t, x in zip(row[1:], (195, 255), strict=True)
    ]
    table.runs = [*(r for r in table.runs if r.box.x0 == 20), *narrow]
    table.box = Box(20, 60, 300, 89)
    blocks = [block(heads, "furniture"), table]
    mend_tables(page([*heads, *table.runs]), blocks)
    assert rows_of(table.cells)[0] == ["", "FISCAL 2031", "FISCAL 2030"]


def test_pieces_that_touch_are_one_table_and_apart_ones_are_two() -> None:
    first, second = block(lines(60), cells=sound()), block(lines(92), cells=sound())
    first.box, second.box = Box(20, 58, 300, 90), Box(20, 90, 300, 122)
    blocks = [first, second]
    mend_tables(page([*first.runs, *second.runs]), blocks)
    assert [rows_of(b.cells) for b in blocks] == [[list(row) for row in (*ROWS, *ROWS)]]
    first, second = block(lines(60), cells=sound()), block(lines(112), cells=sound())
    blocks = [first, second]
    mend_tables(page([*first.runs, *second.runs]), blocks)
    assert len(blocks) == 2


def test_a_region_of_two_tables_and_a_text_is_cut_at_the_heads_and_the_text() -> None:
    text = run("Theharvestsofbothyearsweresoldtothemakersofthetownatoncelastyear", 20, 100, size=4)
    runs = [*years(52), *lines(60), text, *years(112), *lines(120)]
    table = block(runs)
    blocks = [table]
    mend_tables(page(runs), blocks)
    assert [b.kind for b in blocks] == ["table", "paragraph", "table"]
    for part in (blocks[0], blocks[2]):
        assert rows_of(part.cells) == [["(tons)", "2031", "2030"], *map(list, ROWS)]
    assert chars(blocks) == sum(r.chars for r in runs)


def test_a_second_header_of_years_begins_a_second_table() -> None:
    runs = [*years(52), *lines(60), *years(92), *lines(100)]
    blocks = [block(runs)]
    mend_tables(page(runs), blocks)
    assert [rows_of(b.cells) for b in blocks] == 2 * [
        [["(tons)", "2031", "2030"], *map(list, ROWS)]
    ]


def test_a_long_label_over_two_lines_cuts_nothing() -> None:
    label = "Moreorlessofwhatisowedtothemakersofthetownandothersbesidesthem"
    runs = [*years(52), *lines(60), run(label, 20, 92, size=2), *lines(95, [("now", "1", "2")])]
    blocks = [block(runs)]
    mend_tables(page(runs), blocks)
    assert len(blocks) == 1
    assert rows_of(blocks[0].cells)[-1] == [f"{label} now", "1", "2"]


def test_underlined_words_in_a_cell_are_no_border() -> None:
    region = Box(0, 0, 200, 60)
    xs, ys = (0, 100, 200), (0, 20, 60)
    rules = [Rule(Box(0, y, 200, y)) for y in ys] + [Rule(Box(x, 0, x, 60)) for x in xs]
    runs = [
        run("State", 10, 5),
        run("Area", 110, 5),
        run("United", 10, 25),
        run("States", 10, 40),
        run("7", 110, 32),
    ]
    links = [Rule(Box(10, 34, 70, 34)), Rule(Box(10, 49, 70, 49))]
    cells = grid_cells(region, runs, [*rules, *links])
    assert [(c.row, c.col, c.text) for c in cells] == [
        (0, 0, "State"),
        (0, 1, "Area"),
        (1, 0, "United States"),
        (1, 1, "7"),
    ]


def test_a_column_whose_texts_stand_far_apart_gets_no_header() -> None:
    rows = [("Wood", "old"), ("Iron", "new")]
    runs = [run("Wood", 20, 60, size=5), run("old", 100, 60, size=5)]
    runs += [run("Iron", 20, 68, size=5), run("new", 280, 68, size=5)]
    head = block([run("Age", 100, 52, size=5), run("No", 200, 52, size=5)], "furniture")
    table = block(runs, cells=sound(rows))
    blocks = [head, table]
    mend_tables(page([*head.runs, *runs]), blocks)
    assert blocks == [head, table]
    assert rows_of(table.cells) == [list(row) for row in rows]


def test_a_shade_inside_a_head_adds_no_columns() -> None:
    """The edges of a shade stand inside the borders of its cell: one border, not three."""
    xs, ys = (0, 100, 200), (0, 20, 40)
    rules = [Rule(Box(0, y, 200, y)) for y in ys] + [Rule(Box(x, 0, x, 40)) for x in xs]
    for x0, x1 in ((5, 95), (105, 195)):
        rules += [Rule(Box(x, 1, x, 19)) for x in (x0, x1)]
    runs = [run("Name", 20, 5, size=8), run("Age", 120, 5, size=8)]
    runs += [run("Mori", 20, 25, size=8), run("41", 120, 25, size=8)]
    cells = grid_cells(Box(0, 0, 200, 40), runs, rules)
    assert rows_of(cells) == [["Name", "Age"], ["Mori", "41"]]


def test_heads_in_the_middle_of_their_columns_span_these_in_an_engines_cells() -> None:
    """An engine put each year over one column; figures among the heads are a chart's."""
    top = [run("2030", 170, 20, size=5), run("2031", 370, 20, size=5)]
    sub = [
        right(text, x, 28)
        for text, x in zip(("wool", "silk") * 2, (160, 220, 360, 420), strict=True)
    ]
    rows = [
        (label, f"{k}1", f"{k}2", f"{k}3", f"{k}4") for k, label in enumerate(("a", "b", "c"), 3)
    ]
    body = [
        run(text, 20, 36 + 8 * r, size=5) if c == 0 else right(text, x, 36 + 8 * r)
        for r, row in enumerate(rows)
        for c, (text, x) in enumerate(zip(row, (0, 160, 220, 360, 420), strict=True))
    ]
    heads = ["", "2030 wool", "silk", "2031 wool", "silk"]
    table = block([*top, *sub, *body], cells=sound([tuple(heads), *rows]))
    table.box = around(r.box for r in table.runs)
    mend_tables(page(table.runs), [table])
    assert [(c.col, c.colspan, c.text) for c in table.cells if c.row == 0 and c.text] == [
        (1, 2, "2030"),
        (3, 2, "2031"),
    ]
    assert rows_of(table.cells)[1:] == [["", "wool", "silk", "wool", "silk"], *map(list, rows)]
