"""Text between the rules of a captioned table is that table; other rules part texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from g2_pipelines.pdf.geometry import Block, Box, Rule, Run
from g2_pipelines.pdf.ruled import with_ruled_tables
from g2_pipelines.pdf.tables import table_text
from g2_pipelines_tests.pdf.conftest import page, run

ROWS = [
    [run("set", 104, 205, size=6), run("answer", 200, 205, size=6)],
    [
        run("first", 104, 225, size=6),
        run("It is cold in the", 200, 225, size=6),
        run("north of the bay.", 200, 233, size=6),
    ],
    [run("next", 104, 250, size=6), run("It is warm there.", 200, 250, size=6)],
]
RULES = [Rule(Box(100, y, 400, y)) for y in (200, 218, 265)]
CAPTION = run("Table 5: Answers of two sets.", 120, 275, size=6)
BODY = run("The sets are from the same bay.", 100, 100, size=6)


def block_of(*runs: Run, kind: str = "paragraph") -> Block:
    box = Box(
        min(r.box.x0 for r in runs),
        min(r.box.y0 for r in runs),
        max(r.box.x1 for r in runs),
        max(r.box.y1 for r in runs),
    )
    return Block(kind=kind, page=1, box=box, runs=list(runs))  # type: ignore[arg-type]


def laid_out(rules: Sequence[Rule], *, caption: Run = CAPTION) -> list[Block]:
    rows = [block_of(*row) for row in ROWS]
    runs = [BODY, *(r for row in ROWS for r in row), caption]
    whole = replace(page(runs), rules=tuple(rules))
    return with_ruled_tables(whole, [block_of(BODY), *rows, block_of(caption)])


def test_the_rules_columns_and_rows_give_the_cells() -> None:
    body, table, caption = laid_out(RULES)
    assert (body.runs, caption.runs) == ([BODY], [CAPTION])
    assert table.kind == "table"
    assert table_text(table.cells)[0].split("\n") == [
        "set\tanswer",
        "first\tIt is cold in the north of the bay.",
        "next\tIt is warm there.",
    ]
    assert table.box == Box(100, 200, 400, 265)


def test_a_caption_over_the_table_names_it_too() -> None:
    above = run("Table 5: Answers of two sets.", 120, 188, size=6)
    assert [block.kind for block in laid_out(RULES, caption=above)].count("table") == 1


@pytest.mark.parametrize(
    ("rules", "caption"),
    [
        (RULES[-1:], CAPTION),  # one rule closes nothing
        (RULES, run("The answers are of two sets.", 120, 275, size=6)),  # no caption
        (RULES, run("Figure 5: Answers of two sets.", 120, 275, size=6)),
        (RULES, run("Table 5: Answers of two sets.", 120, 320, size=6)),  # too far
        ([Rule(Box(100, y, 250, y)) for y in (200, 265)], CAPTION),  # text crosses the side
        ([RULES[0], Rule(Box(130, 265, 430, 265))], CAPTION),  # other ends
    ],
)
def test_other_rules_part_texts(rules: Sequence[Rule], caption: Run) -> None:
    assert [block.kind for block in laid_out(rules, caption=caption)].count("table") == 0


def test_two_tables_under_each_other_have_their_own_captions() -> None:
    """The first table's caption stands between the two: the second does not reach over it."""
    lower = [run("warm", 104, 305, size=6), run("It was June.", 200, 305, size=6)]
    second = run("Table 6: Months.", 120, 335, size=6)
    rules = [*RULES, Rule(Box(100, 295, 400, 295)), Rule(Box(100, 325, 400, 325))]
    rows = [block_of(*row) for row in [*ROWS, lower]]
    runs = [*(r for row in ROWS for r in row), CAPTION, *lower, second]
    whole = replace(page(runs), rules=tuple(rules))
    blocks = with_ruled_tables(whole, [*rows[:3], block_of(CAPTION), rows[3], block_of(second)])
    assert [b.kind for b in blocks] == ["table", "paragraph", "table", "paragraph"]
    assert [b.box.y0 for b in blocks if b.kind == "table"] == [200, 295]


def test_upper_rows_that_an_engine_saw_are_part_of_the_table() -> None:
    upper = block_of(*ROWS[0], *ROWS[1], kind="table")
    runs = [*(r for row in ROWS for r in row), CAPTION]
    whole = replace(page(runs), rules=tuple(RULES))
    table, caption = with_ruled_tables(whole, [upper, block_of(*ROWS[2]), block_of(CAPTION)])
    assert (table.kind, len(table.runs), caption.runs) == ("table", 7, [CAPTION])
