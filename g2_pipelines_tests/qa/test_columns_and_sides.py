"""Which column, which side of a limit, how many of each: right or refused, never the neighbour."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.limits import contrary, other_side
from g2_pipelines.qa.numbered import counts_columns, counts_rows
from g2_pipelines.qa.patterns import take_apart
from g2_pipelines.qa.ports import Operation
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node

VISITORS = node(
    "t1",
    "No.\tYear\tHarbour visits\tMuseum visits\tMuseum rate\n"
    "(1)\t(2)\t(3)\t(4)\t(5)\n"
    "1.\t2017\t5120\t820\t4.1\n"
    "2.\t2018\t5260\t910\t4.6\n"
    "3.\t2019\t5480\t870\t4.4",
    kind="table",
    caption="Visits to Port Alder, 2017 to 2019",
)
MEMBERS = node(
    "t2",
    "Club\tTotal\tWomen Under 30 years\t30 years and over\tTotal\tMen Under 30 years\t30 years and over\n"
    "Rowing\t90\t31\t59\t70\t28\t42\n"
    "Chess\t60\t12\t48\t66\t20\t46",
    kind="table",
    caption="Members of the clubs",
)
CLUBS = node(
    "t3",
    "Club activity\tAlder\tBirch\tCedar\nWater sport\t40\t30\t20\nRowing\t25\t10\t11\nSailing\t15\t20\t9",
    kind="table",
    caption="Table 3. Members by town",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the museum rate in 2018?", "4.6"),
        ("How many harbour visits were there in 2019?", "5480"),
        ("By how much did the harbour visits increase from 2017 to 2019?", "360"),
        ("In which year was the museum rate highest?", "2018"),
        ("Was the museum rate higher in 2019 than in 2018?", "No"),
    ],
)
def test_a_first_column_that_counts_rows_is_no_label(question: str, answer: str) -> None:
    assert ask(question, [VISITORS]).answer == answer


def test_numbers_of_rows_and_columns() -> None:
    assert counts_columns(["(1)", "(2)", "(3)"])
    assert not counts_columns(["(1)", "(2)", "(4)"])
    assert not counts_columns(["(1)", "(2)"])
    assert counts_rows(["1.", "2.", "3."])
    assert not counts_rows(["1.", "3.", "4."])
    assert not counts_rows(["2017", "2018", "2019"])


def test_of_columns_with_one_and_the_same_head_none_is_given() -> None:
    answer = ask("How many women of 30 years and over are members of the rowing club?", [MEMBERS])
    assert answer.unanswerable


def test_the_other_side_of_a_limit_is_no_answer() -> None:
    assert other_side("women of 30 years and over", "Women under 30 years")
    assert other_side("40歳以上の会員は何人ですか", "40歳未満")
    assert other_side("How many women are members?", "Women under 30 years")
    assert not other_side("women under 30 years", "Women under 30 years")
    assert not other_side("Members aged 65 and over", "65+")
    assert not other_side("Members in 2019", "Members under review")


METHODS = node(
    "t4",
    "Method\tPorts\tLakes\nOnly nets\t61.0\t58.2\nHarrow without sieve\t64.5\t60.1\nHarrow with sieve\t66.8\t63.9",
    kind="table",
    caption="Table 4. Catch of the Harrow",
)


def test_with_and_without_are_two_rows() -> None:
    asked = "What catch does Harrow {} sieve reach on Lakes according to Table 4?"
    assert ask(asked.format("without"), [METHODS], "number").answer == "60.1"
    assert ask(asked.format("with"), [METHODS], "number").answer == "63.9"
    labels = ["Profit before tax", "Profit after tax"]
    assert contrary("What is the profit before tax?", labels[1], labels)
    assert not contrary("What is the profit before tax?", labels[0], labels)
    assert contrary(
        "賃料を含む費用はいくらですか", "費用（賃料を除く）", ["費用（賃料を除く）", "費用"]
    )


def test_a_header_that_goes_on_in_the_next_row() -> None:
    table = node(
        "t5",
        "Fleet\tSummer\tWinter\nsize\tCatch (t)\tCatch (t)\n12\t30.5\t9.2\n24\t41.7\t12.8\n48\t55.0\t13.1",
        kind="table",
        caption="Table 5. Catch by fleet size, in boats",
    )
    asked = "What is the winter catch for a fleet size of 24 boats in Table 5?"
    assert ask(asked, [table], "number").answer == "12.8 t"


def test_how_many_more_is_two_values_and_never_one() -> None:
    tasks = [n.task for n in take_apart("How many more boys than girls were members in 2019?")]
    assert tasks[:2] == [
        "How many boys were members in 2019?",
        "How many girls were members in 2019?",
    ]
    answer = ask("How many more members does Rowing have in Alder than anywhere else?", [CLUBS])
    assert answer.unanswerable


def test_what_is_ranked_is_what_the_corner_names() -> None:
    asked = "Which activity under water sport had the fewest members in Table 3?"
    assert ask(asked, [CLUBS]).unanswerable
    asked = "Which activity has the fewest members in Birch in Table 3?"
    assert ask(asked, [CLUBS]).answer == "Rowing"


@pytest.mark.parametrize(
    ("operation", "texts", "result"),
    [
        ("sum", ["2.075.000", "1.962.000"], "4,037,000"),
        ("difference", ["1.466.000", "461.000"], "1,005,000"),
        ("ratio", ["1.200.000", "600.000"], "2.00 times"),
        ("sum", ["57.125", "461.250"], "518.375"),
    ],
)
def test_dots_that_part_thousands(operation: Operation, texts: list[str], result: str) -> None:
    values = [
        CopiedValue(label=f"row {place}", text=text, node_id="t", place=f"row {place}")
        for place, text in enumerate(texts)
    ]
    assert calculate(operation, values, language="en").text == result


def test_the_cost_of_a_and_of_b_on_one_line_of_one_table() -> None:
    tasks = [
        n.task
        for n in take_apart(
            "What is the difference between the cost of Rowing and of Sailing on Sundays in Table 4?"
        )
    ]
    assert tasks[:2] == [
        "How much is the cost of Rowing on Sundays in Table 4?",
        "How much is the cost of Sailing on Sundays in Table 4?",
    ]


def test_a_number_in_a_name_counts_nothing() -> None:
    text = "Boards like Orion 365 enabled many users to draw on the same sheet at the same time."
    assert ask("How many users does Orion have?", [node("p", text)], "number").unanswerable


def test_the_number_of_a_noun_stands_beside_the_noun() -> None:
    text = "青嶺研究所は2031年7月に、240GBの文章を用いて、300億パラメータの言語モデルを開発した。"
    asked = "青嶺研究所が2031年7月に開発した言語モデルのパラメータ数はいくつですか。"
    assert ask(asked, [node("p", text)], "short").answer == "300億"


def test_one_thing_is_no_list() -> None:
    text = "4月に最初の帳票が公開され、今期末時点で以下の3つの帳票が公開されている。"
    items = node("l", "• 売上帳\n• 仕入帳\n• 現金帳", kind="list", order=1)
    asked = "今期末時点で公開されている3つの帳票は何ですか。"
    assert ask(asked, [node("p", text)], "list").unanswerable
    assert ask(asked, [node("p", text), items], "list").items == ["売上帳", "仕入帳", "現金帳"]
    two = node("l", "• 売上帳\n• 仕入帳", kind="list", order=1)
    assert ask(asked, [node("p", text), two], "list").unanswerable


def test_a_definition_comes_before_a_mention() -> None:
    mention = node("a", "波止場税を利用した脱税には、港の帳簿を悪用した行為もある。")
    definition = node("b", "「波止場税」とは、港に入る船の長さに応じて港の管理者が課す税をいう。")
    answer = ask("波止場税とはどのようなものですか。", [mention, definition], "sentence")
    assert "長さに応じて" in answer.answer


def test_a_year_is_found_though_the_sentence_says_no_year() -> None:
    text = "Patented in 1871 by Ada Thornquist, the paper press spread quickly."
    asked = "In which year was the paper press patented by Ada Thornquist?"
    assert ask(asked, [node("p", text)]).answer == "1871"


def test_the_number_of_an_item_is_no_number_of_its_value() -> None:
    table = node(
        "t6",
        "Account\t2030\t2031\n8) Rent\t2.746.000\t2.830.000\n9) Staff costs\t8.524.000\t9.354.000",
        kind="table",
    )
    answer = ask("By how much did the staff costs change from 2030 to 2031?", [table], "number")
    assert answer.answer == "830,000"


def test_a_ratio_of_two_years() -> None:
    tasks = [
        n.task for n in take_apart("What is the ratio of rent in 2030 to staff costs in 2031?")
    ]
    assert tasks[:2] == ["How much is the rent in 2030?", "How much are the staff costs in 2031?"]
    tasks = [n.task for n in take_apart("What is the sum of rent in 2030 and 2031?")]
    assert tasks[:2] == ["How much is the rent in 2030?", "How much is the rent in 2031?"]
