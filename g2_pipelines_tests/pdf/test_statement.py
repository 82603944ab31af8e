"""Statements: rows and columns from where the figures stand."""

from __future__ import annotations

from g2_pipelines.pdf.geometry import Block, Box, Rule, Run, around
from g2_pipelines.pdf.phrases import phrases_of
from g2_pipelines.pdf.statement import glued_share, statement_cells
from g2_pipelines.pdf.table_region import with_statement
from g2_pipelines.tables.rows import Cell
from g2_pipelines_tests.pdf.conftest import page, run


def right(text: str, x1: float, y: float) -> Run:
    """A run of 5 point glyphs that ends at ``x1``."""
    return run(text, x1 - 5 * len(text), y, size=5)


def rows_of(cells: list[Cell]) -> list[list[str]]:
    last = max(cell.row for cell in cells)
    return [
        [c.text for c in sorted(cells, key=lambda c: c.col) if c.row == r] for r in range(last + 1)
    ]


#: label, then two years of figures with the signs of an American report.
LINES = [
    ("Sales:", "", ""),
    ("Wood", "28,021", "23,305"),
    ("Iron", "(385)", "—"),
    ("Tin", "17", "15"),
    ("Total", "27,653", "23,320"),
]


def statement() -> list[Run]:
    runs = [right("2031", 200, 52), right("2030", 300, 52), run("(tons)", 20, 52, size=5)]
    for k, (label, first, second) in enumerate(LINES):
        y = 60 + 8 * k
        runs.append(run(label, 20, y, size=5))
        runs += [right(text, x, y) for text, x in ((first, 200), (second, 300)) if text]
    runs += [run("$", 150, 68, size=5), run("$", 250, 68, size=5)]
    return runs


def test_labels_and_figures_become_rows_and_years_their_header() -> None:
    found = statement_cells(statement(), [], 51)
    assert found is not None
    cells, taken = found
    assert rows_of(cells) == [
        ["(tons)", "2031", "2030"],
        ["Sales:", "", ""],
        ["Wood", "$ 28,021", "$ 23,305"],
        ["Iron", "(385)", "—"],
        ["Tin", "17", "15"],
        ["Total", "27,653", "23,320"],
    ]
    assert [cell.header for cell in cells[:4]] == [True, True, True, False]
    assert len(taken) == len(statement())


def test_words_over_the_rule_of_two_columns_span_both() -> None:
    ruled = [Rule(Box(140, 50, 305, 50.5))]
    found = statement_cells([*statement(), run("TONS", 210, 44, size=5)], ruled, 43)
    assert found is not None
    [_, spanner, *_] = found[0]
    assert (spanner.text, spanner.row, spanner.col, spanner.colspan) == ("TONS", 0, 1, 2)


def test_a_label_over_two_lines_is_one() -> None:
    runs = [r for r in statement() if r.text != "Tin"]
    found = statement_cells(
        [*runs, run("Tin and", 20, 79, size=5), run("lead", 20, 84, size=5)], [], 51
    )
    assert found is not None
    assert ["Tin and lead", "17", "15"] in rows_of(found[0])


def test_a_percent_sign_belongs_to_the_figure_before_it_unless_it_begins_a_word() -> None:
    runs = [*statement(), run("%", 212, 84, size=5), run("% change", 165, 44, size=5)]
    found = statement_cells(runs, [], 43)
    assert found is not None
    rows = rows_of(found[0])
    assert rows[0] == ["(tons)", "% change 2031", "2030"]
    assert rows[4] == ["Tin", "17 %", "15"]


def test_words_in_a_column_of_their_own_are_cells() -> None:
    runs = [*statement(), *(run("handmade", 330, 68 + 8 * k, size=5) for k in range(4))]
    found = statement_cells(runs, [], 51)
    assert found is not None
    rows = rows_of(found[0])
    assert rows[0] == ["(tons)", "2031", "2030", ""]
    assert rows[2] == ["Wood", "$ 28,021", "$ 23,305", "handmade"]


def test_texts_over_several_lines_are_no_statement() -> None:
    runs = statement()
    runs += [run("made by hand", 330, 68 + 8 * k, size=5) for k in range(4)]
    runs += [run("and machine", 330, 72 + 8 * k, size=5) for k in range(4)]
    assert statement_cells(runs, [], 51) is None


def test_two_figures_for_one_place_are_no_statement() -> None:
    runs = [r for r in statement() if r.text != "23,305"]
    runs += [right("1", 282, 68), right("2", 300, 68)]
    assert statement_cells(runs, [], 51) is None


def test_figures_that_share_a_cell_are_counted() -> None:
    cells = [
        Cell(row=0, col=0, text="1,204 1,301"),
        Cell(row=0, col=1, text="7"),
        Cell(row=1, col=0, text="From 2030 to 2031"),
        Cell(row=2, col=0, colspan=3, text="Total 1 2 3"),
    ]
    assert glued_share(cells) == 5 / 8


def test_a_table_of_glued_cells_takes_its_loose_header_and_last_row() -> None:
    runs = statement()
    head = [r for r in runs if r.box.y0 == 52]
    last = [r for r in runs if r.box.y0 == 92]
    inner = [r for r in runs if r not in head and r not in last]
    table = Block(
        kind="table",
        page=1,
        box=around(r.box for r in inner),
        runs=inner,
        cells=[Cell(row=0, col=0, text="28,021 (385) 17"), Cell(row=0, col=1, text="23,305 — 15")],
        engine="docvortex+grid",
    )
    loose = [Block(kind="paragraph", page=1, box=r.box, runs=[r]) for r in (*head, *last)]
    blocks = [*loose[:3], table, *loose[3:]]
    # The sides of the table: its pieces stand between them.
    table.box = Box(20, table.box.y0, 300, table.box.y1)
    assert with_statement(page(runs), blocks, table)
    assert blocks == [table]
    assert rows_of(table.cells)[0] == ["(tons)", "2031", "2030"]
    assert rows_of(table.cells)[-1] == ["Total", "27,653", "23,320"]
    assert table.engine == "docvortex+columns"


def test_a_table_whose_cells_are_sound_stays() -> None:
    found = statement_cells(statement(), [], 51)
    assert found is not None
    box = around(r.box for r in statement())
    table = Block(kind="table", page=1, box=box, runs=statement(), cells=found[0])
    assert not with_statement(page(statement()), [table], table)


def test_heads_of_two_columns_in_runs_that_nearly_touch_are_two_heads() -> None:
    """PDFium puts no space between the two runs, and the gap is less than a phrase's."""
    rows = [("Wood", "28,021", "23,305"), ("Iron", "385", "12"), ("Tin", "17", "15")]
    runs = [run("Current", 158, 20, size=6), run("Long-", 203, 20, size=6)]
    for k, (label, first, second) in enumerate(rows):
        y = 30 + 8 * k
        runs += [run(label, 20, y, size=5), right(first, 200, y), right(second, 240, y)]
    found = statement_cells(runs, [], 18)
    assert found is not None
    assert rows_of(found[0])[0] == ["", "Current", "Long-"]
    assert [phrase.text for phrase in phrases_of(runs[:2])] == ["Current Long-"]
