"""Cells: the asked item and no other, in tables, beside texts, by year and in a picture's lines."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.above import above
from g2_pipelines.qa.grids import grid_of
from g2_pipelines.qa.linegrids import line_grids
from g2_pipelines.qa.matching import misspelt, prepared
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.tables.rows import Cell
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node


def bare_table(node_id: str, text: str, *, order: int, page: int = 1) -> DocumentNode:
    """A table no row of which a parser marked as its header."""
    made = node(node_id, text, kind="table", order=order, page=page)
    cells = [
        Cell(row=row, col=col, text=cell, header=False)
        for row, line in enumerate(text.splitlines())
        for col, cell in enumerate(line.split("\t"))
    ]
    return made.model_copy(update={"cells": cells})


EXPENSES = node(
    "x1",
    "\tFiscal 2031\tFiscal 2030\nAdvertising expense\t$ 410\t$ 395\n"
    "Total selling expense\t$ 1,025\t$ 980\n% of revenues\t25.0 %\t29.7 %",
    kind="table",
    order=3,
)
INCOME = node(
    "x2",
    "\t2031\t2030\nNet income\t512\t440\nAccumulated other comprehensive income\t(38)\t(56)",
    kind="table",
    order=5,
)
HOLDERS = node(
    "x3",
    "Holding\tNumber of shareholders\tPercentage of shareholders\tPercentage of shares\n"
    "1-50\t4,510\t61.20\t0.90\n51-500\t2,804\t38.05\t18.70\n501 & above\t55\t0.75\t80.40",
    kind="table",
    order=7,
)
STANCE = node(
    "x4",
    "\t1位\t1位\t2位\t2位\n大企業\t維持更新\t62.6\t省力化\t42.5\n中小企業\t能力拡大\t53.8\t維持更新\t52.6",
    kind="table",
    order=2,
)
STANCE_UNIT = node("x5", "〔回答社数構成比、単位：％〕", order=1)
DAMAGE = bare_table(
    "x6",
    "支払額の例\t支払額の例\t支払額の例\n2028年度\t2029年度\t2030年度\n台風8号\t台風15号\t大雨\n1,217億円\t678億円\t429億円",
    order=4,
)


def test_a_share_row_is_the_share_of_the_row_above_it() -> None:
    answer = ask(
        "What percentage of revenues was total selling expense in fiscal 2031?", [EXPENSES]
    )
    assert answer.answer == "25.0 %"
    assert "25.0" in answer.citations[0].quote


def test_an_amount_is_no_percentage_though_another_row_of_its_table_is() -> None:
    refused = ask("What percentage of revenues was advertising expense in fiscal 2031?", [EXPENSES])
    assert refused.unanswerable


def test_a_column_that_the_question_says_word_by_word_goes_before_one_that_shares_its_stem() -> (
    None
):
    asked = "What percentage of shares do shareholders with a holding of 501 & above have?"
    assert ask(asked, [HOLDERS]).answer == "80.40"
    asked = "What percentage of shareholders have a holding of 501 & above?"
    assert ask(asked, [HOLDERS]).answer == "0.75"


@pytest.mark.parametrize("year", ["2031", "2030"])
def test_net_income_and_other_comprehensive_income_are_no_comprehensive_income(year: str) -> None:
    assert ask(f"What was the comprehensive income in {year}?", [INCOME]).unanswerable


def test_the_text_beside_a_figure_names_it_where_one_header_spans_both() -> None:
    nodes = [STANCE_UNIT, STANCE]
    answer = ask("中小企業の「維持更新」の構成比は何%ですか。", nodes, "number")
    assert answer.answer == "52.6%"
    answer = ask("大企業の「維持更新」の構成比は何%ですか。", nodes, "number")
    assert answer.answer == "62.6%"
    assert ask("中小企業の「省力化」の構成比は何%ですか。", nodes, "number").unanswerable


def test_a_table_of_years_across_is_read_by_year() -> None:
    answer = ask("2029年度の台風15号の支払額はいくらですか。", [DAMAGE], "number")
    assert answer.answer == "678億円"
    assert ask("2031年度の台風15号の支払額はいくらですか。", [DAMAGE], "number").unanswerable


def test_a_first_row_of_amounts_is_no_header() -> None:
    stores = bare_table("s", "Harbour stores\t204\nStation stores\t30\nOutlet stores\t91", order=3)
    grid = grid_of(stores)
    assert grid is not None
    assert grid.header_rows == 0
    assert ask("How many outlet stores are there?", [stores], "number").answer == "91"
    assert ask("How many harbour stores are there?", [stores], "number").answer == "204"


def test_years_and_scale_above_a_table_that_has_no_header_are_its_columns() -> None:
    lines = [
        node("l1", "2031 (Dollars in millions)", order=1),
        node("l2", "YEAR ENDED MAY 31,", order=2),
        node("l3", "2030", order=3),
    ]
    table = bare_table("t", "Net income\t$ 512\t$ 440\nTOTAL INCOME\t$ 540\t$ 431", order=4)
    found = above(table, lines)
    assert found.years == ("2031", "2030")
    answer = ask("What was the total income in 2030?", [*lines, table], "number")
    assert answer.answer == "$431 million"


def test_a_value_with_its_spread_is_calculated_with() -> None:
    table = node(
        "t",
        "Method\tHarbour\tStation\nPlain\t54.3% (0.3%)\t70.9% (0.9%)\nGuided\t63.2% (0.4%)\t79.9% (1.0%)",
        kind="table",
        caption="Table 2: Accuracy",
    )
    asked = "How much higher is the accuracy of Guided on Harbour compared to Plain on Harbour?"
    assert ask(asked, [table]).answer == "8.9 percentage points"  # 63.2 − 54.3


def test_what_a_section_says_before_its_table_chooses_among_tables_alike() -> None:
    def section(name: str, heading: str, said: str, value: str, order: int) -> list[DocumentNode]:
        path = ["調査の概要", heading]
        table = (
            f"\t令和6年9月末見通し\t令和6年12月末見通し\n大企業\t{value}\t1.9\n中小企業\t8.1\t8.8"
        )
        return [
            node(f"{name}1", said, kind="list", section=path, order=order),
            node(f"{name}2", table, kind="table", section=path, order=order + 1),
        ]

    nodes = [
        *section("a", "2 景況", "・「景況判断」BSIは大企業で上昇した", "5.7", 10),
        *section("b", "3 雇用", "・「従業員数判断」BSIは大企業で不足気味である", "22.6", 20),
    ]
    asked = "令和6年9月末の従業員数判断BSIの見通しで、大企業はいくつですか。"
    answer = ask(asked, nodes, "number")
    assert answer.answer == "22.6"
    assert any("従業員数判断" in one.quote for one in answer.citations)


def test_an_era_year_is_no_month_of_that_year() -> None:
    table = node("t", "\t令和5年3月期\n基礎利益\t27,695億円", kind="table")
    assert ask("令和5年3月期の基礎利益はいくらですか。", [table], "number").answer == "27,695億円"
    assert ask("令和5年度の基礎利益はいくらですか。", [table], "number").unanswerable


def picture(text: str) -> DocumentNode:
    return node("p", "", kind="figure", ocr_text=text, caption="主要各社の決算")


READ = (
    "(単位：億円)\n令和4年3月期 令和5年3月期 前年比\n基礎利益 38.852 27,695 ▲11,157\n"
    "経常利益 12,734 8,575 4,158\n特別損益 1,485 306 621"
)


def test_of_a_picture_with_signs_only_figures_that_their_change_proves_are_read() -> None:
    [grid] = line_grids(picture(READ))
    # 38,852 was misread as 38.852; 12,734 − 8,575 = 4,159, printed 4,158; 1,485 − 306 is not 621.
    assert grid.rows[1] == ("基礎利益", "", "27,695", "")
    assert grid.rows[2] == ("経常利益", "12,734", "8,575", "")
    assert grid.rows[3] == ("特別損益", "", "", "")


def test_a_cell_of_a_picture_has_the_scale_stated_in_it_and_cites_its_line() -> None:
    answer = ask("令和5年3月期の基礎利益はいくらですか。", [picture(READ)], "number")
    assert answer.answer == "27,695億円"
    assert answer.citations[0].quote == "基礎利益 38.852 27,695 ▲11,157"
    assert ask("令和5年3月期の特別損益はいくらですか。", [picture(READ)], "number").unanswerable


def test_a_fall_between_two_figures_of_a_picture_is_calculated() -> None:
    asked = "経常利益は、令和4年3月期から令和5年3月期にかけていくら減少しましたか。"
    assert ask(asked, [picture(READ)], "number").answer == "4,159億円"


def test_lines_without_a_head_of_their_width_are_no_grid() -> None:
    assert line_grids(picture("合計 3 4\n小計 1 2")) == []
    assert line_grids(node("q", "Year Sales Costs\n2031 4 2\n2030 3 1")) == []


def test_a_header_that_two_lines_broke_is_one_word() -> None:
    table = node(
        "t",
        "Class\tDis- tance (km)\tPre- and post-checks\nTrunk\t287\t4\nMixed\t41\t9",
        kind="table",
    )
    answer = ask("What is the distance of the mixed class?", [table], "sentence")
    assert answer.answer == "Distance of Mixed: 41 km."


def test_a_share_that_no_line_prints_is_made_of_two_lines_of_one_column() -> None:
    table = node(
        "t",
        "(In millions)\t2031\t2030\nRevenues\t$ 4,100\t$ 3,280\nCost of sales\t2,050\t1,804",
        kind="table",
    )
    asked = "What share of revenues was cost of sales in 2030?"
    assert ask(asked, [table]).answer == "55.0%"  # 1,804 ÷ 3,280
    assert ask("What share of revenues was cost of sales in 2029?", [table]).unanswerable
    assert ask("What share of revenues was research expense in 2030?", [table]).unanswerable
    costs = node("u", "科目\t2031年度\n売上高\t8,000百万円\n研究開発費\t600百万円", kind="table")
    assert ask("売上高に占める研究開発費の割合は何%ですか。", [costs], "number").answer == "7.5%"


def test_a_row_is_also_named_by_its_label_and_what_the_labels_are() -> None:
    table = node(
        "t",
        "チャネル\t2003年度\t2021年度\n営業職員\t71.8%\t55.9%\n代理店\t22.5%\t37.7%",
        kind="table",
    )
    assert ask("営業職員チャネルの2021年度の割合は何%ですか。", [table], "number").answer == "55.9%"
    assert ask("通信販売チャネルの2021年度の割合は何%ですか。", [table], "number").unanswerable


def test_a_place_is_no_figure_of_a_period() -> None:
    table = node("t", "\t令和6年7~9月\t令和6年10~12月\n大企業\t(7.5) 9.2\t10.7", kind="table")
    assert ask("大企業の7位は何ですか。", [table]).unanswerable
    ranked = node("u", "\t1位\t7位\n大企業\t維持更新\t省力化", kind="table")
    assert ask("大企業の7位は何ですか。", [ranked]).answer == "省力化"


def test_two_figures_in_a_cell_are_no_value() -> None:
    table = node("t", "\t前回調査\t現状判断\n大企業\t8.0\t(7.4) 5.8", kind="table")
    assert ask("大企業の現状判断はいくつですか。", [table], "number").unanswerable
    assert ask("大企業の前回調査はいくつですか。", [table], "number").answer == "8.0"


def test_a_sentence_without_a_word_of_the_item_gives_no_value_of_it() -> None:
    said = node("s", "The effective tax rate for fiscal 2031 was 14.0%, lower than 16.1% before.")
    assert ask(
        "What was the effective interest rate in fiscal 2031?", [said], "number"
    ).unanswerable
    yes = ask("What was the effective tax rate in fiscal 2031?", [said], "number")
    assert "14.0%" in yes.answer


@pytest.mark.parametrize(
    ("word", "text", "near"),
    [
        ("country", "Hamilton County covers 538 square miles", True),
        ("inventry", "Inventory fell", True),
        ("revenue", "Revenues rose", True),  # the same word
        ("internal", "External audits", False),
        ("rate", "Rates and raw data", False),  # too short to be sure
    ],
)
def test_a_long_word_may_have_one_wrong_letter(word: str, text: str, near: bool) -> None:
    assert misspelt(word, prepared(text)) is near


def test_dots_between_a_label_and_its_figures_are_no_part_of_it() -> None:
    table = bare_table(
        "l",
        "Crime\tTotal\nBurglary. . . . . . .\t240.9\nArson … … …\t9.8\nOther etc.\t3.1",
        order=6,
    )
    grid = grid_of(table)
    assert grid is not None
    assert [grid.row_label(row) for row in grid.body()] == ["Burglary", "Arson", "Other etc."]
