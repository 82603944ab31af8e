"""Charts that a page draws itself: one node with their numbers; tables and text stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.blocks import engine_blocks, plain_blocks
from g2_pipelines.pdf.chart_signs import has_bars, has_scale, is_tabular, value_of
from g2_pipelines.pdf.charts import chart_blocks
from g2_pipelines.pdf.document import flow, lay_out
from g2_pipelines.pdf.geometry import Block, Box, PageText, Rule, Run, Shape
from g2_pipelines.pdf.layout import Layout
from g2_pipelines_tests.pdf.conftest import page, run

PLACES = ("北町", "南町", "東町", "西町")
VALUES = (62.5, 81.0, 40.0, 17.5)
PROSE = [
    run("青嶺精機の主軸は毎分一万二千回転まで安定して動くことが分かった", 80, 60 + 14 * k, size=11)
    for k in range(3)
]


def bar(x0: float, y0: float, x1: float, y1: float) -> Shape:
    return Shape(Box(x0, y0, x1, y1), slanted=False, filled=True)


def line(x0: float, y0: float, x1: float, y1: float) -> Shape:
    return Shape(Box(x0, y0, x1, y1), slanted=False, filled=False)


def bar_chart(top: float = 200) -> tuple[list[Run], list[Shape]]:
    """Four lying bars from x = 150, 3 points a percent, with gridlines, scale, names and values."""
    runs = [run(str(20 * k), 146 + 60 * k, top, size=7) for k in range(6)]
    shapes = [line(150 + 60 * k, top + 10, 150 + 60 * k, top + 110) for k in range(6)]
    for k, (place, value) in enumerate(zip(PLACES, VALUES, strict=True)):
        y = top + 15 + 25 * k
        shapes.append(bar(150, y, 150 + 3 * value, y + 14))
        runs += [run(place, 125, y + 3, size=8), run(f"{value}", 160, y + 3, size=8)]
    return runs, shapes


def with_shapes(runs: Sequence[Run], shapes: Sequence[Shape]) -> PageText:
    return replace(page(runs), shapes=tuple(shapes))


def texts_of(blocks: Sequence[Block]) -> list[str]:
    return sorted(r.text for block in blocks for r in block.runs)


def test_a_chart_is_one_block_with_its_scale_names_and_values() -> None:
    runs, shapes = bar_chart()
    [chart] = chart_blocks(with_shapes([*PROSE, *runs], shapes))
    assert chart.kind == "chart"
    assert texts_of([chart]) == sorted(r.text for r in runs)
    assert chart.box.y0 > PROSE[-1].box.y1
    assert all(chart.box.holds(*shape.box.centre) for shape in shapes)


def test_without_a_layout_the_text_around_stays_and_nothing_is_lost_or_doubled() -> None:
    runs, shapes = bar_chart()
    blocks = plain_blocks(with_shapes([*PROSE, *runs], shapes))
    assert [block.kind for block in blocks] == ["paragraph", "chart"]
    assert texts_of(blocks) == sorted(r.text for r in [*PROSE, *runs])


def test_a_chart_that_the_engine_took_for_text_is_a_chart() -> None:
    runs, shapes = bar_chart()
    whole = with_shapes([*PROSE, *runs], shapes)
    regions = [(0.1, 0.06, 0.9, 0.14), (0.1, 0.24, 0.9, 0.39)]
    raw = [{"type": "text", "bbox": list(box), "text": "", "starts": False} for box in regions]
    blocks, _ = engine_blocks(whole, raw)
    assert [block.kind for block in blocks] == ["paragraph", "chart"]
    assert texts_of(blocks) == sorted(r.text for r in [*PROSE, *runs])


def test_an_engines_own_figure_keeps_its_box_and_gets_the_labels_beside_it() -> None:
    runs, shapes = bar_chart()
    whole = with_shapes(runs, shapes)
    raw = [{"type": "image", "bbox": [0.25, 0.26, 0.8, 0.39], "text": "", "starts": False}]
    [figure] = engine_blocks(whole, raw)[0]
    assert texts_of([figure]) == sorted(r.text for r in runs)
    assert figure.box.x0 <= 125


def test_the_title_in_the_middle_over_a_chart_is_its_caption() -> None:
    runs, shapes = bar_chart()
    title = run("人口に占める割合", 250, 180, size=12)
    found = lay_out([with_shapes([*PROSE, title, *runs], shapes)], Layout(failed={1: "late"}))
    blocks = flow(found)
    assert [(b.kind, b.caption and b.caption.text) for b in blocks] == [
        ("paragraph", None),
        ("chart", "人口に占める割合"),
    ]
    assert "人口に占める割合" not in blocks[1].text
    assert "62.5" in blocks[1].text.split()


def tinted_table() -> tuple[list[Run], list[Shape], list[Rule]]:
    """Five rows of tinted cells, the first row's over several columns."""
    runs, shapes, rules = [], [], []
    xs = (100, 220, 300, 380)
    for r in range(5):
        y = 200 + 16 * r
        cells = [(100, 300), (300, 380)] if r == 0 else list(pairwise(xs))
        shapes += [bar(a, y, b, y + 16) for a, b in cells]
        rules.append(Rule(Box(100, y, 380, y)))
        runs.append(run("名前", 104, y + 4, size=8))
        runs += [run(f"{r * 7 + c}12", b - 30, y + 4, size=8) for c, b in enumerate(xs[2:])]
    rules += [Rule(Box(100, 280, 380, 280)), *(Rule(Box(x, 200, x, 280)) for x in xs)]
    return runs, shapes, rules


def test_a_table_with_tinted_cells_is_no_chart() -> None:
    runs, shapes, rules = tinted_table()
    whole = replace(with_shapes(runs, shapes), rules=tuple(rules))
    assert chart_blocks(whole) == []


def test_a_diagram_of_boxes_with_words_is_no_chart() -> None:
    runs, shapes = [], []
    for k in range(6):
        x, y = 80 + 150 * (k % 3), 200 + 60 * (k // 3)
        shapes.append(Shape(Box(x, y, x + 120, y + 40), slanted=k % 2 == 0, filled=True))
        runs.append(run("部署の名前と役割を書く欄", x + 4, y + 10, size=8))
        runs.append(run(str(k + 1), x + 110, y + 30, size=6))
    assert chart_blocks(with_shapes(runs, shapes)) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("62.8", 62.8),
        ("1,234", 1234.0),
        ("▲10", -10.0),
        ("△3.5%", -3.5),
        ("100 (%)", 100.0),
        ("3,000件", 3000.0),
        ("第2章", None),
        ("2021年度", 2021.0),
        ("1.2.3", None),
        ("", None),
    ],
)
def test_numbers_with_a_unit_are_values(text: str, value: float | None) -> None:
    assert value_of(text) == value


def column(values: Sequence[object], *, step: float = 20) -> list[Run]:
    return [run(str(value), 100, 100 + step * k, size=8) for k, value in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([400, 300, 200, 100, 0], True),
        (["▲20", "▲10", "0", "10"], True),
        ([0.2, 0.4, 0.6, 0.8], True),
        ([0, 50, 100], False),  # too few
        ([1, 2, 3, 4, 5], False),  # rows' numbers
        ([1960, 1970, 1980, 1990, 2000], False),  # a census
        ([10, 25, 30, 70], False),
    ],
)
def test_a_scale_has_equal_steps(values: Sequence[object], scale: bool) -> None:
    assert has_scale(column(values)) is scale


def test_a_scale_stands_at_equal_distances() -> None:
    runs = [run(str(100 * k), 100, y, size=8) for k, y in enumerate((100, 120, 150, 200, 210))]
    assert not has_scale(runs)


def test_bars_of_three_lengths_on_one_line_are_bars_and_equal_ones_are_not() -> None:
    assert has_bars([bar(100, 200 - h, 110 + 0, 200) for h in (20, 50, 80)])
    assert not has_bars([bar(100 + 20 * k, 150, 110 + 20 * k, 200) for k in range(5)])


def test_numbers_in_columns_and_rows_are_tabular_and_bars_values_are_not() -> None:
    assert is_tabular([r for r in tinted_table()[0] if value_of(r.text) is not None])
    assert not is_tabular(bar_chart()[0])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(1, 100), min_size=0, max_size=8),
    st.booleans(),
    st.integers(100, 600),
)
def test_whatever_is_drawn_every_run_is_in_one_block(
    lengths: list[float], words: bool, top: int
) -> None:
    shapes = [bar(100, top + 12 * k, 100 + v, top + 12 * k + 8) for k, v in enumerate(lengths)]
    runs = [run(f"{v:.1f}", 104, top + 12 * k, size=7) for k, v in enumerate(lengths)]
    runs += PROSE if words else []
    blocks = plain_blocks(with_shapes(runs, shapes))
    assert texts_of(blocks) == sorted(r.text for r in runs)


def test_a_page_full_of_large_shapes_costs_nothing_and_has_no_chart() -> None:
    shapes = [bar(k % 50, 10, 500 + k % 50, 380) for k in range(3000)]
    runs = [run(str(7 * k * k), 50, 400 + 20 * k, size=7) for k in range(8)]
    assert chart_blocks(with_shapes(runs, shapes)) == []
