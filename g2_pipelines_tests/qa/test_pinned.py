"""A period's part and whose accounts: said where the value stands, or refused."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.pinned import Around, basis_around, basis_of, parts_of
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node

GROUP_JA = node(
    "g1",
    "\t2040年3月期\t2041年3月期\n売上高\t7,310\t6,840\n営業利益\t512\t△77\n売上総利益\t2,010\t1,730",
    kind="table",
    section=["株式会社霧島計器 2041年3月期 決算資料", "1. 連結業績"],
    caption="表1 連結損益計算書（単位：百万円）",
)
PARENT_JA = node(
    "p1",
    "\t2040年3月期\t2041年3月期\n売上高\t4,120,300\t3,905,110\n営業利益\t201,440\t△33,020",
    kind="table",
    section=["株式会社霧島計器 2041年3月期 決算資料", "2. 単体業績"],
    caption="表2 個別損益計算書（単位：千円）",
)
QUARTERS_JA = node(
    "q1",
    "\t第1四半期\t第2四半期\t第3四半期\t第4四半期\n"
    "売上高\t1,700\t1,690\t1,740\t1,710\n受注高\t1,810\t1,620\t1,590\t1,905",
    kind="table",
    section=["株式会社霧島計器 2041年3月期 決算資料", "3. 四半期"],
    caption="表3 四半期別の連結業績（2041年3月期、単位：百万円）",
)
GROUP_EN = node(
    "g2",
    "\t2039\t2040\nRevenue\t5,310\t5,480\nOperating profit\t402\t(61)\nGross profit\t1,900\t1,720",
    kind="table",
    section=["Tarn Ferries annual review 2040", "1. Results"],
    caption="Table 1: Consolidated income statement (EUR thousands)",
)
PARENT_EN = node(
    "p2",
    "\t2039\t2040\nRevenue\t81.2\t79.9\nOperating profit\t9.4\t7.7",
    kind="table",
    section=["Tarn Ferries annual review 2040", "2. Parent company only"],
    caption="Table 2: Income statement of the parent company",
)
QUARTERS_EN = node(
    "q2",
    "\tQ1 2040\tQ2 2040\tQ3 2040\tQ4 2040\nRevenue\t1,310\t1,402\t1,377\t1,391\nOrders\t900\t870\t955\t910",
    kind="table",
    section=["Tarn Ferries annual review 2040", "3. Quarters"],
    caption="Table 3: Revenue by quarter",
)
JA = [GROUP_JA, PARENT_JA, QUARTERS_JA]
EN = [GROUP_EN, PARENT_EN, QUARTERS_EN]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("2041年3月期の単体の売上高はいくらですか。", "3,905,110千円"),
        ("2041年3月期の連結の売上高はいくらですか。", "6,840百万円"),
        ("2041年3月期の売上高はいくらですか。", "6,840百万円"),
        ("2040年3月期の個別の営業利益はいくらですか。", "201,440千円"),
        ("第3四半期の受注高はいくらですか。", "1,590百万円"),
        ("2041年3月期第2四半期の売上高はいくらですか。", "1,690百万円"),
    ],
)
def test_what_is_pinned_down_and_there_is_answered(question: str, value: str) -> None:
    assert value in ask(question, JA).answer


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("2040年3月期の第2四半期の営業利益はいくらですか。", "第2四半期"),
        ("2041年3月期の上期の営業利益はいくらですか。", "上期"),
        ("2041年3月期下期の売上高はいくらですか。", "下期"),
        ("2041年3月期の受注高はいくらですか。", "2041年3月期"),
        ("2041年3月期の単体の売上総利益はいくらですか。", "単体"),
        ("2041年3月期の提出会社の売上総利益はいくらですか。", "提出会社"),
        ("2041年3月期第1四半期の単体の売上高はいくらですか。", ""),
    ],
)
def test_what_is_pinned_down_and_not_there_is_refused(question: str, lacking: str) -> None:
    answer = ask(question, JA)
    assert answer.unanswerable
    assert lacking in answer.why


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the revenue of the parent company in 2040?", "79.9"),
        ("What was the consolidated revenue in 2040?", "5,480"),
        ("What was the operating profit in 2040?", "(61)"),
        ("What was the revenue in Q3 2040?", "1,377"),
    ],
)
def test_english_pins(question: str, value: str) -> None:
    assert value in ask(question, EN).answer


@pytest.mark.parametrize(
    "question",
    [
        "What was the gross profit of the parent company in 2040?",
        "What was the standalone gross profit in 2040?",
        "What was the operating profit in the first half of 2040?",
        "What was the operating profit in Q3 2040?",
        "What were the orders in 2040?",
        "What was the operating profit for the nine months of 2040?",
        "What was the operating profit in 2039 before the restatement?",
    ],
)
def test_english_pins_that_are_not_there(question: str) -> None:
    assert ask(question, EN).unanswerable


def test_parts_and_bases() -> None:
    assert parts_of("第2四半期累計期間") == {"H1"}
    assert parts_of("in the third quarter of 2040") == {"Q3"}
    assert parts_of("nine months ended December 31") == {"9M"}
    assert not parts_of("2041年3月期")
    assert basis_of("前連結会計年度の売上高") == ""
    assert basis_of("親会社株主に帰属する当期純利益") == ""
    assert basis_of("非連結") == basis_of("non-consolidated") == "parent"
    assert basis_around(Around(caption=("個別損益計算書",), headings=("連結業績",))) == "parent"
