"""Cells of tables from rules, HTML and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.blocks import engine_blocks
from g2_pipelines.pdf.geometry import Block, Box, Rule, Run
from g2_pipelines.pdf.stacked import cut_rows, merged_rows
from g2_pipelines.pdf.tables import (
    box_cells,
    grid_cells,
    holds_region,
    html_cells,
    joined,
    table_text,
    with_headers,
)
from g2_pipelines.tables.rows import Cell
from g2_pipelines_tests.pdf.conftest import page, run


def lying(y: float, x0: float, x1: float) -> Rule:
    return Rule(Box(x0, y, x1, y))


def standing(x: float, y0: float, y1: float) -> Rule:
    return Rule(Box(x, y0, x, y1))


REGION = Box(0, 0, 300, 60)
FULL = [
    *(lying(y, 0, 300) for y in (0, 20, 40, 60)),
    *(standing(x, 0, 60) for x in (0, 100, 200, 300)),
]
RUNS = [
    run(f"{row}{col}", 5 + 100 * col, 5 + 20 * row, size=8) for row in range(3) for col in range(3)
]


def test_rules_that_close_a_grid_give_its_cells() -> None:
    cells = grid_cells(REGION, RUNS, FULL)
    assert [(c.row, c.col, c.text) for c in cells] == [
        (row, col, f"{row}{col}") for row in range(3) for col in range(3)
    ]


def test_a_missing_rule_joins_two_cells() -> None:
    rules = [rule for rule in FULL if rule.box.x0 != 100 or rule.horizontal]
    rules.append(standing(100, 20, 60))  # the first row's border between 0 and 1 is gone
    first = grid_cells(REGION, RUNS, rules)[0]
    assert (first.colspan, first.text) == (2, "00 01")


def test_a_line_of_text_over_two_cells_is_cut_at_their_border() -> None:
    cells = grid_cells(REGION, [run("abcdefghijklmno", 20, 5)], FULL)
    assert [c.text for c in cells[:2]] == ["abcdefgh", "ijklmno"]


def test_rows_of_numbers_stacked_in_one_ruled_row_are_cut_apart() -> None:
    """pl_nics_rotated: a rule after every fifth state only."""
    heads = [run(f"h{col}", 5 + 100 * col, 5, size=8) for col in range(3)]
    names = [run(name, 5, y, size=8) for name, y in (("Ohio", 21), ("Iowa", 31))]
    numbers = [
        run(str(10 * col + k), 5 + 100 * col, 21 + 10 * k, size=8) for col in (1, 2) for k in (0, 1)
    ]
    cells = grid_cells(REGION, [*heads, *names, *numbers], FULL)
    assert table_text(cells)[0] == "h0\th1\th2\nOhio\t10\t20\nIowa\t11\t21\n\t\t"


def test_stacked_rows_with_marks_for_none_are_cut_apart() -> None:
    """odl_1901.03003, table 9: a dash or a starred figure in most cells, one rule in all."""
    rows = [("Wang", "40.2 32.4 -", "-"), ("Shi", "91.2 77.4", "59.2*"), ("Cheng", "-", "68.2")]
    heads = [run(f"h{col}", 5 + 100 * col, 5, size=4) for col in range(3)]
    runs = [
        run(text, 5 + 100 * col, 21 + 6 * k, size=5)
        for k, row in enumerate(rows)
        for col, text in enumerate(row)
    ]
    cells = grid_cells(REGION, [*heads, *runs], FULL)
    assert table_text(cells)[0].split("\n")[1:4] == ["\t".join(row) for row in rows]


def test_a_full_width_row_is_cut_at_the_headers_borders_and_its_note_is_not() -> None:
    """PIP_Seniors: only the header has borders between its columns."""
    rules = [rule for rule in FULL if rule.horizontal or rule.box.x0 in (0, 300)]
    rules += [standing(100, 0, 20), standing(200, 0, 20)]
    heads = [run("Age", 105, 5, size=8)]
    lines = [("a", "65-69", "74cd"), ("b", "70-74", "68cd")]
    runs = [
        run(text, 5 + 100 * col, 21 + 6 * k, size=5)
        for k, line in enumerate(lines)
        for col, text in enumerate(line)
    ]
    note = run("Note: columns marked with a superscript letter", 5, 33, size=5)
    cells = grid_cells(REGION, [*heads, *runs, note], rules)
    assert table_text(cells)[0].split("\n")[:4] == [
        "\tAge\t",
        "a\t65-69\t74cd",
        "b\t70-74\t68cd",
        note.text,
    ]


def open_table(*stacks: list[str]) -> tuple[list[Run], list[Rule]]:
    """A header over one ruled row of four columns; no rule on the left and the right side."""
    heads = [run(f"h{col}", 5 + 100 * col, 105, size=8) for col in range(4)]
    cells = [
        run(text, 5 + 100 * col, (121 if len(lines) > 1 else 127) + 12 * k, size=8)
        for col, lines in enumerate(stacks)
        for k, text in enumerate(lines)
    ]
    rules = [lying(y, 0, 400) for y in (100, 120, 145)]
    return [*heads, *cells], [*rules, *(standing(x, 100, 145) for x in (100, 200, 300))]


OPEN_REGION = Box(0, 100, 400, 145)


def test_a_table_with_open_sides_has_stacked_rows_under_a_label_that_spans_them() -> None:
    """docling_2305.03393-pg9: one layer count beside the rows of two languages."""
    runs, rules = open_table(["6"], ["Wood", "Iron"], ["0.96", "0.97"], ["2.7", "5.3"])
    cells = grid_cells(OPEN_REGION, runs, rules)
    assert sorted((c.row, c.col, c.rowspan, c.text) for c in cells if c.row > 0) == [
        (1, 0, 2, "6"),
        (1, 1, 1, "Wood"),
        (1, 2, 1, "0.96"),
        (1, 3, 1, "2.7"),
        (2, 1, 1, "Iron"),
        (2, 2, 1, "0.97"),
        (2, 3, 1, "5.3"),
    ]
    assert table_text(cells)[0] == "h0\th1\th2\th3\n6\tWood\t0.96\t2.7\n\tIron\t0.97\t5.3"
    assert holds_region(cells, sum(r.chars for r in runs))


def test_values_over_their_errors_without_labels_of_their_own_stay_one_row() -> None:
    runs, rules = open_table(["6"], ["0.95", "(0.01)"], ["0.96", "(0.02)"], ["2.7", "(0.3)"])
    closed = [*rules, standing(0, 100, 145), standing(400, 100, 145)]
    for sides in (rules, closed):
        cells = grid_cells(OPEN_REGION, runs, sides)
        assert [c.text for c in cells if c.row == 1] == [
            "6",
            "0.95 (0.01)",
            "0.96 (0.02)",
            "2.7 (0.3)",
        ]


def test_an_open_table_whose_rows_seem_merged_is_left_to_the_other_engines() -> None:
    stack = ["1", "2", "3"]
    runs, rules = open_table(["Wood Iron"], stack, stack, stack)
    rules = [r if r.box.y0 != 145 else lying(160, 0, 400) for r in rules]
    assert grid_cells(OPEN_REGION, runs, rules) == []


def test_a_header_without_a_rule_below_spans_the_columns_under_it() -> None:
    runs, rules = open_table(["x"], ["1"], ["2"], ["3"])
    rules = [r for r in rules if r.horizontal or r.box.x0 == 100]
    rules += [lying(110, 200, 400), standing(200, 100, 145), standing(300, 110, 145)]
    heads = [
        run("top", 290, 100.5, size=8),
        *(run(t, x, 111, size=8) for t, x in (("l", 240), ("r", 340))),
    ]
    cells = grid_cells(OPEN_REGION, [*(r for r in runs if r.box.y0 > 120), *heads], rules)
    assert [(c.row, c.col, c.rowspan, c.colspan, c.text) for c in cells if c.row < 2] == [
        (0, 0, 2, 1, ""),
        (0, 1, 2, 1, ""),
        (0, 2, 1, 2, "top"),
        (1, 2, 1, 1, "l"),
        (1, 3, 1, 1, "r"),
    ]


def test_more_lines_of_figures_than_rows_are_said() -> None:
    runs = [
        run(text, 5 + 100 * c, 12 * k, size=8)
        for k in range(4)
        for c, text in enumerate(("a", "1"))
    ]
    cells = [Cell(row=0, col=0, text="a a a a"), Cell(row=0, col=1, text="1 1 1 1")]
    assert merged_rows(cells, runs) == "rows may be merged: 4 lines of figures in 1 rows"
    whole = [Cell(row=k, col=c, text="x") for k in range(4) for c in (0, 1)]
    assert merged_rows(whole, runs) is None


def test_a_tables_box_ends_with_its_rules_where_another_block_begins() -> None:
    """odl_1901.03003, table 5: a figure of the other column gave its letters to a cell."""
    cells = [run(f"{r}{c}", 5 + 100 * c, 105 + 20 * r, size=8) for r in range(3) for c in range(3)]
    label = run("Predict", 420, 125, size=8)
    rules = tuple(Rule(Box(b.x0, b.y0 + 100, b.x1, b.y1 + 100)) for (b,) in FULL)
    raw = [
        {"type": "table", "bbox": [0, 100 / 800, 500 / 600, 160 / 800], "text": ""},
        {"type": "image", "bbox": [400 / 600, 50 / 800, 550 / 600, 300 / 800], "text": ""},
    ]
    [table, figure] = engine_blocks(replace(page([*cells, label]), rules=rules), raw)[0]
    assert (table.kind, table.box.x1, figure.runs) == ("table", 302, [label])


def test_a_header_of_two_lines_is_one_row() -> None:
    heads = [run(t, 5 + 100 * c, y, size=8) for c in range(3) for t, y in (("top", 2), ("low", 11))]
    assert table_text(grid_cells(REGION, heads, FULL))[0].startswith("top low\ttop low")


def test_text_outside_the_grid_makes_it_untrusted() -> None:
    assert grid_cells(REGION, [run("out", 350, 5)], FULL) == []
    assert grid_cells(REGION, RUNS, [rule for rule in FULL if rule.horizontal]) == []


def test_html_cells_stand_at_their_grid_places() -> None:
    html = (
        '<table><tr><th rowspan="2">a</th><th colspan="2">b &amp; c</th></tr>'
        "<tr><td>d</td><td>e<br>f</td></tr></table>"
    )
    assert [(c.row, c.col, c.rowspan, c.colspan, c.text) for c in html_cells(html)] == [
        (0, 0, 2, 1, "a"),
        (0, 1, 1, 2, "b & c"),
        (1, 1, 1, 1, "d"),
        (1, 2, 1, 1, "e f"),
    ]
    assert html_cells("no table") == []


def test_rows_that_come_upside_down_are_turned() -> None:
    table = {
        "rows": [
            [{"text": "below", "bbox": [0, 50, 9, 60]}],
            [{"text": "above", "bbox": [0, 10, 9, 20]}],
        ]
    }
    assert [c.text for c in box_cells(table)] == ["above", "below"]


def test_cells_must_hold_the_regions_characters_and_not_twice() -> None:
    cells = [Cell(row=0, col=0, text="12345"), Cell(row=0, col=1, text="67 890")]
    assert holds_region(cells, 10)
    assert not holds_region(cells, 5)
    assert not holds_region(cells, 12)


def test_a_row_of_words_over_numbers_is_the_header() -> None:
    cells = html_cells(
        "<table><tr><td>Year</td><td>t</td></tr><tr><td>2019</td><td>3</td></tr></table>"
    )
    assert [c.header for c in with_headers(cells)] == [True, True, False, False]
    numbers = html_cells(
        "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"
    )
    assert not any(c.header for c in with_headers(numbers))


def table(page: int, rows: list[list[str]]) -> Block:
    cells = [Cell(row=r, col=c, text=t) for r, row in enumerate(rows) for c, t in enumerate(row)]
    return Block(kind="table", page=page, box=Box(50, 50, 550, 700), cells=with_headers(cells))


def test_a_table_that_goes_on_loses_its_repeated_header() -> None:
    first, second = table(1, [["a", "b"], ["1", "2"]]), table(2, [["a", "b"], ["3", "4"]])
    assert joined(first, second)
    assert table_text(first.cells)[0] == "a\tb\n1\t2\n3\t4"
    assert first.regions == [(2, second.box)]


def test_a_table_of_other_columns_is_another_table() -> None:
    assert not joined(table(1, [["a", "b"]]), table(2, [["a", "b", "c"]]))


@settings(derandomize=True, max_examples=50)
@given(
    st.lists(st.lists(st.text(alphabet="ab \n図1", max_size=6), min_size=1, max_size=4), max_size=4)
)
def test_every_cells_range_points_at_its_text(rows: list[list[str]]) -> None:
    cells = [Cell(row=r, col=c, text=t) for r, row in enumerate(rows) for c, t in enumerate(row)]
    text, placed = table_text(cells)
    assert [text[c.start : c.end] for c in placed] == [" ".join(c.text.split()) for c in cells]


def test_a_cell_that_runs_down_beside_its_parts_is_read() -> None:
    """All of the firms, and below, set in, those of one kind: the outer cell has no rectangle."""
    rules = [
        *(Rule(Box(0, y, 300, y)) for y in (0, 20, 60)),
        *(Rule(Box(x, 0, x, 60)) for x in (0, 100, 200, 300)),
        Rule(Box(20, 40, 300, 40)),
        Rule(Box(20, 40, 20, 60)),
    ]
    texts = [
        ("year", 30, 4), ("tons", 120, 4), ("men", 220, 4),
        ("all", 4, 24), ("12", 120, 24), ("7", 220, 24),
        ("mills", 30, 44), ("9", 120, 44), ("4", 220, 44),
    ]  # fmt: skip
    runs = [run(text, x, y, size=10) for text, x, y in texts]
    found = grid_cells(Box(0, 0, 300, 60), runs, rules)
    rows = [[c.text for c in found if c.row == r] for r in range(3)]
    assert [[text for text in row if text] for row in rows] == [
        ["year", "tons", "men"],
        ["all", "12", "7"],
        ["mills", "9", "4"],
    ]
    [mills] = [cell for cell in found if cell.text == "mills"]
    assert mills.col == 1
    # Text where no cell is a rectangle: a rule was missed.
    assert not grid_cells(Box(0, 0, 300, 60), [*runs, run("x", 4, 44, size=10)], rules)


def _column(x: float, texts: Sequence[tuple[str, float]]) -> list[Run]:
    return [run(text, x, y, size=5) for text, y in texts]


def test_rows_with_words_that_wrap_in_some_columns_are_cut_at_their_labels() -> None:
    ys = (100, 118, 136)
    parts = {
        (0, 0): _column(10, [("Aoi", ys[0]), ("Ren", ys[1]), ("Mio", ys[2])]),
        (0, 1): _column(
            110, [("outside", ys[0]), ("member", 106), ("staff", ys[1]), ("none", ys[2])]
        ),
        (0, 2): _column(210, [("7", ys[0]), ("6", ys[1]), ("5", ys[2])]),
        (0, 3): _column(310, [("yes", ys[0]), ("yes", ys[1]), ("no", ys[2])]),
    }
    cells = cut_rows([0, 100, 200, 300, 400], dict.fromkeys(parts, (1, 1)), parts)
    assert [[c.text for c in cells if c.row == r] for r in range(3)] == [
        ["Aoi", "outside member", "7", "yes"],
        ["Ren", "staff", "6", "yes"],
        ["Mio", "none", "5", "no"],
    ]


def test_a_column_that_begins_no_line_beside_a_label_leaves_the_row_whole() -> None:
    parts = {
        (0, 0): _column(10, [("Aoi", 100), ("Ren", 118), ("Mio", 136)]),
        (0, 1): _column(110, [("one text", 109), ("for all", 127)]),
        (0, 2): _column(210, [("7", 100), ("6", 118), ("5", 136)]),
        (0, 3): _column(310, [("yes", 100), ("yes", 118), ("no", 136)]),
    }
    cells = cut_rows([0, 100, 200, 300, 400], dict.fromkeys(parts, (1, 1)), parts)
    assert {cell.row for cell in cells} == {0}
