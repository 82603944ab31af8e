"""How questions, figures, tables and words are read by the extractive implementation."""

from __future__ import annotations

from decimal import Decimal

import pytest

from g2_pipelines.qa.asked_places import Reference
from g2_pipelines.qa.asking import understand
from g2_pipelines.qa.figures import figures
from g2_pipelines.qa.grids import grid_of, is_figure, is_total
from g2_pipelines.qa.matching import Word, held, prepared, stem, weights, words
from g2_pipelines.tables.rows import Cell
from g2_pipelines_tests.qa.builders import JAPANESE, node


@pytest.mark.parametrize(
    ("text", "kind", "units"),
    [
        ("重量は何kgですか", "number", ("kg",)),
        ("容量は何kWhですか", "number", ("kwh",)),
        ("割合は何％ですか", "number", ("%", "パーセント", "割")),
        ("いつ開業しますか", "date", ()),
        ("最も重い機種はどれですか", "label", ()),
        ("材質は何ですか", "value", ()),
        ("なぜ重いのですか", "text", ()),
        ("When was it built?", "date", ()),
        ("How many towers are there?", "number", ()),
        ("Which tower is oldest?", "label", ()),
        ("What is the colour?", "value", ()),
        ("Why is it closed?", "text", ()),
        ("How does it work?", "text", ()),
    ],
)
def test_the_kind_of_answer_is_read_from_the_wording(
    text: str, kind: str, units: tuple[str, ...]
) -> None:
    asked = understand(text)
    assert (asked.kind, asked.units) == (kind, units)


def test_references_are_conditions_and_no_words() -> None:
    asked = understand("図2と表１で、主軸の温度は何℃ですか")
    assert asked.references == (Reference("figure", "2"), Reference("table", "1"))
    assert [word.text for word in asked.words] == ["主軸", "温度"]
    assert understand("What stands on page fourteen?").references == (Reference("page", "14"),)
    assert understand("Who is named on the cover page?").references == (Reference("page", "1"),)


def test_sentences_about_the_form_of_the_answer_do_not_count() -> None:
    asked = understand("What is the mass of Oak? Please write the answer in float format.")
    assert asked.core == "What is the mass of Oak?"
    assert [word.text for word in asked.words] == ["mass", "oak"]


def test_names_codes_and_figures_are_strict() -> None:
    found = {
        word.text: word.strict
        for word in understand("How heavy was the GPT-4 box of Oak in 2019?").words
    }
    assert found == {"box": False, "gpt-4": True, "oak": True, "2019": True}
    found = {
        word.text: word.strict for word in words("浜松B工場の不良率は捨てた2,024個のうち何個か")
    }
    assert found["浜松b工場"]
    assert found["2024"]
    assert not found["不良率"]
    assert "捨" in found


def test_a_part_of_a_compound_counts_for_a_part() -> None:
    text = prepared("設備投資は増えた。Prices fell by 12.50 % in the countries.")
    assert held(Word("設備投資", strict=False), text) == 1.0
    assert 0 < held(Word("設備投資額", strict=False), text) < 1
    assert held(Word("研究開発", strict=False), text) == 0.0
    assert held(Word("price", strict=False), text) == 1.0
    assert held(Word("country", strict=False), text) == 1.0
    assert held(Word("12.5", strict=True), text) == 1.0
    assert held(Word("12", strict=True), text) == 0.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("measured", "measure"),
        ("kept", "keep"),
        ("stopped", "stop"),
        ("studies", "study"),
        ("boxes", "box"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_rare_words_weigh_more_than_those_that_stand_everywhere() -> None:
    common, rare = Word("mass", strict=False), Word("oak", strict=False)
    texts = [prepared("mass of oak"), *[prepared("mass")] * 9]
    found = weights([common, rare], texts)
    assert found[rare] > found[common]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 12.5 °C at −25 °C", [("12.5 °C", "12.5"), ("−25 °C", "-25")]),
        ("38 bases in 2019 and GPT-4", [("38", "38")]),
        ("every 30 seconds", [("30 seconds", "30")]),
        ("1.2億円と3割", [("1.2億円", "120000000"), ("3割", "30")]),
        ("係数は年に四回更新し、十二台に載せる", [("四回", "4"), ("十二台", "12")]),
        ("図2と表1、第3章、Table 4", []),
        ("室温23℃で1,200時間", [("23℃", "23"), ("1,200時間", "1200")]),
    ],
)
def test_figures_are_read_with_unit_and_sign(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(item.text, item.value) for item in figures(text)] == [
        (shown, Decimal(value)) for shown, value in expected
    ]


def test_a_grid_knows_headers_labels_units_and_spans() -> None:
    cells = [
        Cell(row=0, col=0, rowspan=2, text="工場", header=True),
        Cell(row=0, col=1, colspan=2, text="暖機時間（分）", header=True),
        Cell(row=1, col=1, text="導入前", header=True),
        Cell(row=1, col=2, text="導入後", header=True),
        Cell(row=2, col=0, text="北工場"),
        Cell(row=2, col=1, text="45"),
        Cell(row=2, col=2, text="12"),
    ]
    grid = grid_of(node("t", "", kind="table").model_copy(update={"cells": cells}))
    assert grid is not None
    assert (grid.header_rows, grid.label_columns) == (2, 1)
    assert grid.column_header(2) == "暖機時間（分） 導入後"
    assert grid.unit(2, 2) == "分"
    assert grid.row_label(2) == "北工場"
    assert grid.corner == "工場"


def test_a_group_row_names_the_rows_below_it() -> None:
    grid = grid_of(node("t", "品目\t重量\n木材\t\nOak\t5\nElm\t6", kind="table"))
    assert grid is not None
    assert grid.groups[2:] == ("木材", "木材")


def test_what_is_no_table_gives_no_grid() -> None:
    assert grid_of(JAPANESE[1]) is None
    assert grid_of(node("t", "one\ttwo", kind="table")) is None
    assert grid_of(node("t", "\n".join(["a\tb\tc"] * 7_000), kind="table")) is None


@pytest.mark.parametrize(
    "text", ["12", "△4.2%", "−25.0 °C", "¥1,200", "12.3 ± 0.4", "（5）", "3,815百万円"]
)
def test_figures_of_cells(text: str) -> None:
    assert is_figure(text)


@pytest.mark.parametrize("text", ["", "A1 steel", "2024年3月期の実績", "一部", "n/a"])
def test_words_of_cells(text: str) -> None:
    assert not is_figure(text)


def test_totals_are_known_in_both_languages() -> None:
    assert is_total("合計")
    assert is_total("Total, all towers")
    assert not is_total("Totalisator")
    assert not is_total("計測事業")
