"""Two ruled tables in one region: each keeps its own columns."""

from __future__ import annotations

from dataclasses import replace

from g2_pipelines.pdf.geometry import Block, Box, PageText, Rule, Run
from g2_pipelines.pdf.ruled_parts import ruled_parts
from g2_pipelines_tests.pdf.conftest import page, run
from g2_pipelines_tests.pdf.test_statement import rows_of


def grid(xs: list[int], y: int, names: list[str]) -> tuple[list[Rule], list[Run]]:
    """Two rows of 20 points between these borders, their texts by column and row."""
    rules = [Rule(Box(x, y, x, y + 40)) for x in xs]
    rules += [Rule(Box(xs[0], y + step, xs[-1], y + step)) for step in (0, 20, 40)]
    runs = [
        run(f"{name}{row}", x + 4, y + 5 + 20 * row, size=8)
        for row in range(2)
        for x, name in zip(xs, names, strict=False)
    ]
    return rules, runs


def region(*pieces: tuple[list[Rule], list[Run]], more: list[Run]) -> tuple[PageText, Block]:
    runs = [r for _, found in pieces for r in found] + more
    whole = replace(page(runs), rules=tuple(rule for rules, _ in pieces for rule in rules))
    return whole, Block(kind="table", page=1, box=Box(10, 100, 210, 200), runs=runs)


def test_two_tables_with_other_columns_are_two_with_the_text_between() -> None:
    title = run("Second", 20, 148, size=8)
    upper, lower = (
        grid([10, 110, 210], 100, ["a", "b"]),
        grid([10, 70, 140, 210], 160, ["c", "d", "e"]),
    )
    parts = ruled_parts(*region(upper, lower, more=[title]))
    assert [part.kind for part in parts] == ["table", "paragraph", "table"]
    assert rows_of(parts[0].cells) == [["a0", "b0"], ["a1", "b1"]]
    assert parts[1].runs == [title]
    assert rows_of(parts[2].cells) == [["c0", "d0", "e0"], ["c1", "d1", "e1"]]


def test_a_table_whose_borders_go_on_at_the_same_places_is_one() -> None:
    upper, lower = grid([10, 110, 210], 100, ["a", "b"]), grid([10, 110, 210], 160, ["c", "d"])
    assert ruled_parts(*region(upper, lower, more=[])) == []


def test_a_frame_without_columns_leaves_the_region_whole() -> None:
    upper, lower = grid([10, 110, 210], 100, ["a", "b"]), grid([40, 180], 160, ["c"])
    assert ruled_parts(*region(upper, lower, more=[])) == []
