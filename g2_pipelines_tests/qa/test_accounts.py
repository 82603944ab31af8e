"""Items of accounts and statistics: the whole item, its year, its scale, or a refusal."""

from __future__ import annotations

import asyncio

import pytest

from g2_pipelines.qa.above import above, scale_of
from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.asking import understand
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.grids import grid_of
from g2_pipelines.qa.matching import Word, held, loosened, prepared, words
from g2_pipelines.qa.patterns import take_apart
from g2_pipelines.tables.line2 import Answer, AnswerFormat, CopiedValue, DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines_tests.qa.builders import FixedSource, evidence, node, question


class Whole(FixedSource):
    """Goes through all its nodes, as a stored document does."""

    async def survey(self, pattern: str) -> list[Evidence]:
        import re

        form = re.compile(pattern)
        return [item for item in evidence(self.nodes) if form.search(fold_text(item.node.text))]


def ask(text: str, nodes: list[DocumentNode], answer_format: AnswerFormat = "number") -> Answer:
    return asyncio.run(
        answer_question(
            question(text, format=answer_format, documents=["doc"]),
            evidence=Whole(nodes),
            **build_tasks(None)._asdict(),
        )
    )


TITLE = node("t0", "Aomine Precision", kind="heading", section=["Aomine Precision"])
INCOME = node(
    "i1",
    "(In millions, except per share data)\t2031\t2030\n"
    "Revenues\t$ 4,100\t$ 3,280\nCost of sales\t2,050\t1,804\n"
    "Net income\t$ 512\t$ (64)\nEarnings per share\t$ 2.56\t$ (0.32)",
    kind="table",
    section=["Aomine Precision", "Consolidated Statements of Income"],
    page=5,
    order=20,
)
REGION = node(
    "r1",
    "On a comparable basis, Kyushu revenues for fiscal 2031 grew 31%. "
    "Northern Europe Revenues increased 12% in 2031.",
    section=["Aomine Precision", "Discussion"],
    page=3,
    order=10,
)
BALANCE = [
    node("b0", "(In thousands)", page=6, order=30),
    node("b1", "2031", page=6, order=31),
    node("b2", "2030", page=6, order=32),
    node(
        "b3",
        "Current assets:\t\t\nCash\t$ 310\t$ 290\nOther current assets\t40\t35\n"
        "Total current assets\t900\t810\nAssets held for sale\t70\t0\n"
        "Total current liabilities\t$ 360\t$ 405",
        kind="table",
        section=["Aomine Precision", "Consolidated Balance Sheets"],
        page=6,
        order=33,
    ),
]
ACCOUNTS = [TITLE, REGION, INCOME, *BALANCE]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("What were revenues in 2031?", "$4,100 million"),
        ("What was Aomine's net income in fiscal 2031, in millions?", "$512 million"),
        ("How much was cost of sales in 2030?", "1,804 million"),
        ("What were earnings per share in 2031?", "$ 2.56"),
        ("What were total current assets in 2030?", "810 thousand"),
        # 900 ÷ 360
        ("What was the current ratio of Aomine in fiscal 2031? Round to two decimals.", "2.50 times"),
        ("What is the ratio of current assets to current liabilities in 2031?", "2.50 times"),
        # 4,100 − 3,280; 512 − (−64)
        ("By how much did revenues grow from fiscal 2030 to fiscal 2031?", "$820 million"),
        ("By how much did net income change from 2030 to 2031?", "$576 million"),
    ],
)  # fmt: skip
def test_an_item_of_accounts_has_its_own_row_year_and_scale(text: str, right: str) -> None:
    answer = ask(text, ACCOUNTS)
    assert (answer.answer, answer.verdict) == (right, "sufficient")


def test_a_part_or_a_growth_is_never_the_item_itself() -> None:
    for form in ("number", "sentence"):
        assert ask("What were revenues in 2031?", [TITLE, REGION], form).unanswerable
    assert ask("By how much did revenues grow from 2030 to 2031?", [TITLE, REGION]).unanswerable
    assert ask("What were current assets in 2031?", [TITLE, _held_for_sale()]).unanswerable


def _held_for_sale() -> DocumentNode:
    return node("s1", "Item\t2031\nAssets held for sale\t70\nDeferred tax\t3", kind="table")


def test_a_scale_belongs_to_its_column_and_not_to_shares_per_head_or_percentages() -> None:
    bought = grid_of(
        node(
            "g1",
            "Period\tShares bought\tMean price\tValue left (in millions)\n"
            "April\t1,200\t$ 31.50\t$ 870\nMay\t900\t$ 30.10\t$ 840",
            kind="table",
        )
    )
    income = grid_of(INCOME)
    assert bought is not None
    assert income is not None
    assert [bought.unit(1, column) for column in (1, 2, 3)] == ["", "", "million"]
    assert [income.unit(row, 1) for row in (1, 4)] == ["million", ""]
    assert scale_of("(Dollars in thousands)").currency == "dollars"
    assert scale_of("(単位：百万円)").name == "百万円"
    assert scale_of("in millions of cases that were seen")


def test_years_and_unit_above_a_table_are_its_own_only_without_a_table_between() -> None:
    found = above(BALANCE[-1], BALANCE)
    assert (found.years, found.unit_line) == (("2031", "2030"), "(In thousands)")
    between = node("b9", "a\tb\nc\t1", kind="table", page=6, order=32)
    assert above(BALANCE[-1], [*BALANCE[:2], between]).years == ()
    assert above(BALANCE[-1], [n.model_copy(update={"page": 7}) for n in BALANCE[:3]]).years == ()


STATISTICS = node(
    "k1",
    "項目\t年度\t値\t前年比\n6G人口普及率\t2031\t41.5%\t＋3.0%\n小型端末保有率（個人）\t2032\t63.2%\t61.0%\n"
    "6G対応端末出荷台数\t2031\t217万台\t＋8.0%",
    kind="table",
    page=2,
)
TARGET = node("k2", "6G人口普及率（2035年度末）を全国88%とする目標に向けて整備を進める。", page=4)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("6Gの人口普及率は何％ですか。", "41.5%"),
        ("6G人口普及率は2031年度に何％でしたか。", "41.5%"),
        ("小型端末保有率（個人）は何％ですか。", "63.2%"),
        ("6G対応端末出荷台数は何万台ですか。", "217万台"),
    ],
)
def test_a_row_of_statistics_is_found_and_a_target_is_no_value(text: str, right: str) -> None:
    nodes = [TARGET.model_copy(update={"text": TARGET.text.replace("6G", "6Ｇ")}), STATISTICS]
    assert ask(text, nodes).answer == right


def test_a_target_alone_is_told_as_one_and_is_the_answer_where_it_is_asked_for() -> None:
    refused = ask("6G人口普及率は何％ですか。", [TARGET])
    assert refused.unanswerable
    assert "目標" in refused.why
    assert "88%" in refused.why
    assert ask("6G人口普及率の目標は何％ですか。", [TARGET]).answer == "88%"


def test_the_unit_line_above_a_japanese_table_goes_into_the_value() -> None:
    line = node("u0", "（単位：百万円）", page=3, order=1)
    table = node("u1", "科目\t2031年度\t2030年度\n売上高\t8,210\t7,905\n営業利益\t640\t598",
                 kind="table", page=3, order=2)  # fmt: skip
    assert ask("2031年度の売上高はいくらですか。", [line, table]).answer == "8,210百万円"


def test_loss_in_brackets_is_negative_and_one_column_of_accounts_is_one_currency() -> None:
    first, second = (
        CopiedValue(label=label, text=text, unit="million", node_id="n")
        for label, text in (("A", "512"), ("B", "$ (64)"))
    )
    assert calculate("difference", [first, second], language="en").value == 576_000_000


def test_codes_possessives_and_compounds_are_words_as_they_are_meant() -> None:
    assert Word("5g", strict=True) in words("5Gの契約数")
    assert held(Word("5g", strict=True), prepared("15G回線")) == 0.0
    assert [w.text for w in understand("What was Minato's revenue, in millions?").words] == [
        "minato", "revenue",
    ]  # fmt: skip
    assert [w.text for w in loosened(words("青嶺製品の活用率"), prepared("製品"))][:2] == [
        "青嶺",
        "製品",
    ]


def test_both_sides_of_a_ratio_have_the_year_and_the_right_verb() -> None:
    tasks = [step.task for step in take_apart("What is the ratio of debts to equity in 2031?")]
    assert tasks[:2] == ["How much are the debts in 2031?", "How much is the equity in 2031?"]


def test_values_in_the_order_of_years_words_apart_and_one_place_twice_are_refused() -> None:
    ordered = node(
        "o1",
        "Stocks of $ 610 million and $ 580 million as of May 31, 2031 and 2030, respectively, were "
        "finished goods. The operating segments added $ 19 million to income in 2031.",
        section=["Aomine Precision", "Note 2"],
    )
    assert ask("How much were stocks in 2030?", [TITLE, ordered]).unanswerable
    assert ask("By how much did stocks decline from 2030 to 2031?", [TITLE, ordered]).unanswerable
    assert ask("What was operating income in 2031?", [TITLE, ordered]).unanswerable


def test_what_is_per_share_is_never_in_millions_by_its_group() -> None:
    table = node(
        "p1",
        "(In millions, except per share data)\t2031\t2030\nEarnings per common share:\t\t\n"
        "Diluted earnings\t$ 2.41\t$ 1.12",
        kind="table",
    )
    grid = grid_of(table)
    assert grid is not None
    assert grid.unit(2, 1) == ""
