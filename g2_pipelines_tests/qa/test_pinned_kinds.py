"""Yes or no, differences, named lines and forecasts: by values that are theirs, or refused."""

from __future__ import annotations

import pytest

from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node
from g2_pipelines_tests.qa.test_pinned import EN, JA

TITLE_JA = node(
    "h1",
    "5. 事業別表5 事業別売上高と事業利益（単位：百万円）",
    section=["株式会社霧島計器"],
    order=1,
)
LINES_JA = node(
    "s1",
    "事業\t2040年3月期\t2041年3月期\n流量計\t3,020\t2,760\n水質計\t1,990\t2,040",
    kind="table",
    section=["株式会社霧島計器 2041年3月期 決算資料", "4. 事業別"],
    caption="表4 事業別売上高（単位：百万円）",
)
AIM_JA = node(
    "f1",
    "2042年3月期の連結業績予想は、売上高7,100百万円、営業利益120百万円です。",
    section=["株式会社霧島計器 2041年3月期 決算資料", "6. 見通し"],
)
AIM_EN = node(
    "f2",
    "For 2041 the board expects revenue between 5,500 and 5,700 thousand euros and a margin of 1 percent.",
    section=["Tarn Ferries annual review 2040", "6. Outlook"],
)
PLAN = node(
    "f3",
    "\t2040\t2041\nTicket sales\t310\t345",
    kind="table",
    section=["Tarn Ferries plan"],
    caption="Table 6: Forecast of sales by product (EUR thousands)",
)
COSTS = node(
    "c1",
    "\t2039\t2040\nFuel costs\t(1,210)\t(1,340)\nFinance costs\t(95)\t(80)\nProfit before tax\t(12)\t(30)",
    kind="table",
    section=["Tarn Ferries annual review 2040", "7. Costs"],
    caption="Table 7: Costs, in thousands of euros",
)
BATTERIES = node(
    "b1",
    "Type\t2039\t2040\nR2\t310\t290\nR2-X\t402\t377",
    kind="table",
    section=["Trial of the R2"],
    caption="Table 1: Price per unit",
)
WARRANTY = node(
    "b2",
    "The warranty is 4 years for the R2 and 6 years for the R2-X.",
    section=["Trial of the R2"],
)


@pytest.mark.parametrize(
    "question",
    [
        "連結の売上総利益は増えましたか。",
        "単体の事業利益は増えましたか。",
        "連結の営業利益は黒字でしたか。",
    ],
)
def test_a_heading_is_no_yes_or_no(question: str) -> None:
    answer = ask(question, [TITLE_JA, *JA], "sentence")
    assert answer.unanswerable


def test_yes_and_no_by_values_of_two_years() -> None:
    assert ask("連結の営業利益は2041年3月期に増えましたか。", JA).answer == "いいえ"
    assert ask("単体の売上高は2041年3月期に減りましたか。", JA).answer == "はい"
    assert ask("Did operating profit increase in 2040?", EN).answer == "No"


@pytest.mark.parametrize(
    ("question", "nodes"),
    [
        ("How much cheaper was the R2 than the R2-X in 2040?", [BATTERIES]),
        ("How much longer is the warranty of the R2-X?", [WARRANTY]),
        ("2041年3月期の連結の売上高の前期との差はいくらですか。", JA),
    ],
)
def test_one_value_is_no_difference(question: str, nodes: list[DocumentNode]) -> None:
    assert ask(question, nodes, "sentence").unanswerable


def test_a_line_that_is_named_is_the_values() -> None:
    nodes = [*JA, LINES_JA]
    assert "2,760" in ask("流量計の2041年3月期の売上高はいくらですか。", nodes).answer
    assert ask("第3四半期の流量計の受注高はいくらですか。", nodes).unanswerable
    assert ask("2041年3月期の流量計の売上総利益はいくらですか。", nodes).unanswerable


def test_a_forecast_is_no_result_and_said_to_be_one() -> None:
    asked = ask("2042年3月期の売上高はいくらですか。", [*JA, AIM_JA], "sentence")
    assert asked.unanswerable
    assert "予想" in asked.why
    told = ask("2042年3月期の売上高の予想はいくらですか。", [*JA, AIM_JA], "sentence")
    assert "予想" in told.answer
    assert "7,100百万円" in told.answer
    assert ask("2042年3月期の単体の売上高の予想はいくらですか。", [*JA, AIM_JA]).unanswerable
    assert ask("What is the revenue in 2041?", [AIM_EN], "sentence").unanswerable
    expected = ask("What revenue does the board expect for 2041?", [AIM_EN], "sentence")
    assert "expects" in expected.answer
    assert ask("How much were ticket sales in 2041?", [PLAN]).unanswerable
    assert (
        "forecast"
        in ask("What is the forecast of ticket sales in 2041?", [PLAN], "sentence").answer.lower()
    )
    assert ask("What is the forecast of revenue in 2040?", EN).unanswerable


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How much did fuel costs rise from 2039 to 2040?", "130"),
        ("How much did finance costs rise from 2039 to 2040?", "-15"),
        ("How much did finance costs fall from 2039 to 2040?", "15"),
        ("How much did the profit before tax change from 2039 to 2040?", "-18"),
    ],
)
def test_costs_in_brackets_rise_by_their_size(question: str, value: str) -> None:
    assert ask(question, [COSTS]).answer.split(" ")[0] == value


def test_the_unit_of_a_caption_goes_with_the_value() -> None:
    rates = node(
        "u1",
        "Line\t2039\t2040\nNorth\t7.1\t4.9\nSouth\t6.2\t6.6",
        kind="table",
        caption="Table 8: Margin by line (%)",
    )
    sales = node(
        "u2",
        "\t2039\t2040\nTicket sales\t12.4\t13.1",
        kind="table",
        caption="Table 9: Sales (EUR millions)",
    )
    assert ask("What was the margin of North in 2040?", [rates]).answer == "4.9%"
    assert ask("How much were the ticket sales in 2040?", [sales]).answer == "13.1 million euros"


def test_a_line_before_tax_is_no_net_income() -> None:
    table = node(
        "n1",
        "\t2040年3月期\t2041年3月期\n税金等調整前当期純利益\t402\t377",
        kind="table",
        caption="表1 連結損益計算書（単位：百万円）",
    )
    assert ask("2041年3月期の連結の当期純利益はいくらですか。", [table]).unanswerable
    asked = "2041年3月期の税金等調整前当期純利益はいくらですか。"
    assert ask(asked, [table]).answer == "377百万円"
