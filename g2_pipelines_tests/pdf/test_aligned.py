"""Borderless tables that an engine took apart are put together from their columns."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.aligned import with_aligned_table
from g2_pipelines.pdf.geometry import Block, Run
from g2_pipelines.pdf.tables import table_text, with_headers
from g2_pipelines_tests.pdf.conftest import page, run

ROWS = [
    ("Statement", "2024", "2025"),
    ("A) Sales", "124.504", "127.608"),
    ("of timber", "", ""),
    ("1) wood", "120", "-3.970"),
    ("2) iron", "0", "0"),
    ("3) other", "1.942", "(117)"),
    ("Total", "246", "-4"),
    ("Tax", "12", "9"),
]


def rows_of(rows: Sequence[tuple[str, str, str]], *, top: float = 100) -> list[Run]:
    """Labels at the left, values with their right edges at 330 and 450 points."""
    runs = []
    for k, (label, *values) in enumerate(rows):
        runs += [run(label, 50, top + 12 * k, size=8)] if label else []
        for right, value in zip((330, 450), values, strict=True):
            if value:
                runs.append(run(value, right - 8 * len(value), top + 12 * k, size=8))
    return runs


def apart(runs: Sequence[Run]) -> list[Block]:
    """Every run a paragraph of its own, as docvortex leaves odl_bialetti."""
    return [Block(kind="paragraph", page=1, box=r.box, runs=[r]) for r in runs]


def test_values_under_each_other_become_a_table_with_their_labels() -> None:
    runs = rows_of(ROWS)
    [table] = with_aligned_table(page(runs), apart(runs))
    assert table.engine == "pdfium+aligned"
    assert table_text(table.cells)[0].split("\n") == ["\t".join(row) for row in ROWS]
    assert {c.text for c in with_headers(table.cells) if c.header} == set(ROWS[0])


def test_text_above_and_below_stays_outside_in_its_order() -> None:
    before, after = (
        run("The year was good", 50, 40, size=8),
        run("Prices are in euro", 50, 300, size=8),
    )
    runs = rows_of(ROWS)
    blocks = with_aligned_table(page([before, *runs, after]), apart([before, *runs, after]))
    assert [b.kind for b in blocks] == ["paragraph", "table", "paragraph"]
    assert [blocks[0].runs, blocks[2].runs] == [[before], [after]]


def test_a_line_over_the_columns_is_a_cell_over_all_of_them() -> None:
    wide = run("a remark that goes over every column of it", 50, 100 + 12 * 8, size=8)
    more = rows_of([("Net", "234", "-13"), ("Due", "1", "2")], top=100 + 12 * 9)
    runs = [*rows_of(ROWS), wide, *more]
    blocks = with_aligned_table(page(runs), apart(runs))
    held = [r for b in blocks for r in b.runs]
    assert sorted(held, key=lambda r: r.box) == sorted(runs, key=lambda r: r.box)
    assert blocks[0].kind == "table"


def test_a_few_values_in_text_are_no_table() -> None:
    blocks = apart(rows_of(ROWS[:4]))
    assert with_aligned_table(page([r for b in blocks for r in b.runs]), blocks) == blocks


def test_a_table_that_the_engine_found_is_left_as_it_is() -> None:
    runs = rows_of(ROWS)
    whole = Block(kind="table", page=1, box=page(runs).runs[0].box, runs=[])
    whole.box = whole.box.grown(0)._replace(x1=460, y1=200)
    blocks = [whole, *apart(runs)]
    assert with_aligned_table(page(runs), blocks) == blocks


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "wood", "iron and steel", "a longer label here"]),
            st.sampled_from(["", "1", "12.345", "-"]),
            st.sampled_from(["", "0", "(9)", "n/a"]),
        ),
        max_size=20,
    )
)
def test_no_run_is_lost_or_doubled(rows: list[tuple[str, str, str]]) -> None:
    runs = rows_of(rows)
    blocks = with_aligned_table(page(runs), apart(runs))
    held = sorted(r.box for b in blocks for r in b.runs)
    assert held == sorted(r.box for r in runs)
