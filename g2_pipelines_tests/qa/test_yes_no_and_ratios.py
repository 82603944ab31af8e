"""Yes or no by two values, ratios by their lines, and sides that are of one kind."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.forms import is_polar
from g2_pipelines.qa.patterns import take_apart
from g2_pipelines.qa.steps import (
    compare_step,
    comparison_of,
    is_step,
    operation_of,
    over_average,
    sign_of,
    sign_step,
    sum_over,
)
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node

STATEMENT = node(
    "i",
    "(In millions)\t2031\t2030\nRevenues\t$ 4,100\t$ 3,280\nCost of sales\t2,050\t1,804\n"
    "Gross margin\t50.0 %\t45.0 %",
    kind="table",
    section=["Aomine Precision", "Consolidated Statements of Income"],
    page=5,
    order=20,
)
SHEET = node(
    "b",
    "(In millions)\t2031\t2030\nCash and equivalents\t$ 620\t$ 510\nShort-term investments\t180\t90\n"
    "Accounts receivable, net\t400\t300\nInventories\t450\t370\nTotal current assets\t1,650\t1,270\n"
    "Total current liabilities\t800\t640",
    kind="table",
    section=["Aomine Precision", "Consolidated Balance Sheets"],
    page=6,
    order=30,
)
BOTH = [STATEMENT, SHEET]
MARKETS = node(
    "m",
    "項目\t年度\t金額\t前年比\n情報化投資\t2031\t15.5兆円\t▲0.4%\n配信市場規模\t2031\t5,305億円\t+15.0%\n"
    "仮想市場規模\t2031\t1,825億円\t+145.3%\n人口カバー率\t2031\t93.2%\t―",
    kind="table",
)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        # 620 ÷ 800
        ("What is the cash ratio in 2031?", "0.78 times"),
        # (620 + 180 + 400) ÷ 800
        ("What is the quick ratio in fiscal 2031?", "1.50 times"),
        # 1,650 ÷ 800
        ("What is the current ratio in 2031? Round to two decimals.", "2.06 times"),
        # 2,050 ÷ ((450 + 370) ÷ 2)
        ("What is the inventory turnover in 2031?", "5.00 times"),
        # 4,100 ÷ ((400 + 300) ÷ 2)
        ("What is the receivables turnover ratio in FY2031?", "11.71 times"),
    ],
)
def test_a_ratio_is_made_of_its_lines(asked: str, answer: str) -> None:
    found = ask(asked, BOTH, "number")
    assert found.answer == answer
    assert {one.page for one in found.citations} <= {5, 6}


def test_a_ratio_lacks_what_the_sheet_lacks_and_says_so() -> None:
    without = SHEET.model_copy(
        update={
            "text": SHEET.text.replace("Short-term investments\t180\t90\n", ""),
            "cells": [cell for cell in SHEET.cells if cell.row != 2],
        }
    )
    refused = ask("What is the quick ratio in fiscal 2031?", [without], "number")
    assert refused.unanswerable
    assert "short-term" in refused.why
    # the year before the last is not there
    assert ask("What is the inventory turnover in 2030?", BOTH, "number").unanswerable


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Did the gross margin increase in fiscal 2031?", "Yes"),
        ("Did the gross margin decrease from 2030 to 2031?", "No"),
        ("Did inventories fall from 2030 to 2031?", "No"),
        ("情報化投資は前年より増えましたか。", "いいえ"),
        ("情報化投資は前年より減りましたか。", None),
        ("情報化投資は前年より減少しましたか。", "はい"),
        ("配信市場規模は前年より伸びましたか。", "はい"),
        ("仮想市場規模は配信市場規模より大きいですか。", "いいえ"),
        ("人口カバー率は前年より上昇しましたか。", None),
    ],
)
def test_yes_or_no_is_told_by_two_values_or_a_sign(asked: str, answer: str | None) -> None:
    found = ask(asked, [*BOTH, MARKETS])
    if answer is None:
        assert found.unanswerable
    else:
        assert found.answer == answer
        assert found.citations


def test_a_sentence_is_no_yes_or_no_in_short() -> None:
    said = node(
        "s", "The harbour site recoloured its logo on both accounts within the first hours."
    )
    assert ask("Is the logo of the harbour site consistent on both accounts?", [said]).unanswerable


@pytest.mark.parametrize(
    ("text", "polar"),
    [
        ("Did sales rise in 2031?", True),
        ("Is it red or blue?", False),
        ("What did it cost?", False),
        ("売上高は増えましたか。", True),
        ("売上高はどれだけ増えましたか。", False),
        ("最も多いのは何ですか。", False),
    ],
)
def test_what_yes_or_no_answers(text: str, polar: bool) -> None:
    assert is_polar(text) is polar


def test_steps_are_read_as_they_are_worded() -> None:
    for spoken in ("en", "ja"):
        more = compare_step("q1", "q2", less=False, spoken=spoken)
        less = compare_step("q1", "q2", less=True, spoken=spoken)
        assert (comparison_of(more), comparison_of(less)) == ("more", "less")
        assert operation_of(more) == operation_of(less) == "difference"
        signs = (
            sign_step("q1", less=False, spoken=spoken),
            sign_step("q1", less=True, spoken=spoken),
        )
        assert tuple(map(sign_of, signs)) == ("more", "less")
        assert all(map(is_step, (more, less, *signs)))
    assert operation_of(over_average("q1", "q2", "q3")) == "turnover"
    assert operation_of(sum_over(["q1", "q2"], "q3")) == "cover"
    assert not is_step("How much is the difference?")


def value(text: str, *, node_id: str = "n", label: str = "x", unit: str = "") -> CopiedValue:
    return CopiedValue(
        label=label, text=text, unit=unit, node_id=node_id, place=f"{node_id} {text}"
    )


def test_turnover_and_cover() -> None:
    turned = calculate("turnover", [value("90"), value("40"), value("20")], language="en")
    assert turned.text == "3.00 times"  # 90 ÷ 30
    cover = calculate("cover", [value("3"), value("5"), value("4")], language="ja")
    assert cover.text == "2.00倍"  # 8 ÷ 4
    with pytest.raises(CalculationError):
        calculate("turnover", [value("90"), value("0"), value("-0")], language="en")
    with pytest.raises(CalculationError):
        calculate("cover", [value("3"), value("0")], language="en")
    with pytest.raises(CalculationError):
        calculate("cover", [value("3 kg"), value("4%")], language="en")


def test_a_fall_is_told_as_an_amount() -> None:
    plan = take_apart("By how much did costs fall from 2030 to 2031?")
    assert [node.task for node in plan[:2]] == [
        "How much are the costs in 2030?",
        "How much are the costs in 2031?",
    ]
    assert (
        ask("How much did inventories increase from 2030 to 2031?", BOTH, "number").answer
        == "80 million"
    )


def test_sides_of_sentences_must_have_the_item_as_it_is_worded() -> None:
    said = [
        node(
            "p",
            "Compared with the baseline, where the prediction is wrong, it fixes 39.9%.",
            order=1,
        ),
        node("q", "The baseline wrong share at the harbour is 20.5%.", order=2),
    ]
    asked = "What is the sum of the baseline wrong percentage and the harbour wrong percentage?"
    assert ask(asked, said).unanswerable


def test_things_in_total_are_added() -> None:
    table = node("t", "Company\tPosts\nAlder\t24\nBirch\t12\nCedar\t5", kind="table")
    found = ask("How many posts are there by Alder, Birch and Cedar in total?", [table], "number")
    assert found.answer == "41"
    asked = "How many posts are there by Alder, Birch and Dogwood in total?"
    assert ask(asked, [table], "number").unanswerable
