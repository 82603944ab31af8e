"""Questions taken apart by their wording."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.config import PlanLimits
from g2_pipelines.qa.patterns import take_apart
from g2_pipelines.qa.plan import check_plan
from g2_pipelines.qa.ports import Operation
from g2_pipelines.qa.steps import operation_of, step_of

COMPARED: list[tuple[str, str, str, Operation]] = [
    ("青色型と赤色型の重量の差は何kgですか", "青色型の重量はいくつですか", "赤色型の重量はいくつですか", "difference"),
    ("3月末の在庫と4月末の在庫の差はいくらですか", "3月末の在庫はいくつですか", "4月末の在庫はいくつですか", "difference"),
    ("青色型の重量は赤色型より何kg重いですか", "青色型の重量はいくつですか", "赤色型の重量はいくつですか", "difference"),
    ("青色型の重量は赤色型の何倍ですか", "青色型の重量はいくつですか", "赤色型の重量はいくつですか", "ratio"),
    ("2020年から2021年への出荷台数の増加率は何%ですか", "2021年の出荷台数はいくつですか", "2020年の出荷台数はいくつですか", "growth"),
    ("青色型と赤色型の重量の合計はいくらですか", "青色型の重量はいくつですか", "赤色型の重量はいくつですか", "sum"),
    ("What is the difference in mass between Oak and Elm?", "How much is the mass of Oak?", "How much is the mass of Elm?", "difference"),
    ("How much higher is the mass of Oak than Elm?", "How much is the mass of Oak?", "How much is the mass of Elm?", "difference"),
    ("How much lower is the mass of Oak compared to Elm?", "How much is the mass of Elm?", "How much is the mass of Oak?", "difference"),
    ("What is the ratio of output to input?", "How much is the output?", "How much is the input?", "ratio"),
    ("What is the growth of sales from 2020 to 2021?", "What is the sales in 2021?", "What is the sales in 2020?", "growth"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "first", "second", "operation"), COMPARED)
def test_a_comparison_is_two_look_ups_and_a_calculation(
    text: str, first: str, second: str, operation: Operation
) -> None:
    plan = take_apart(text)
    assert [node.task for node in plan[:2]] == [first, second]
    assert operation_of(plan[2].task) == operation
    assert [node.depends_on for node in plan] == [[], [], ["q1", "q2"], ["q3"]]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("表2で、誤差が最も小さい機種の質量は何kgですか", "表2で、誤差が最も小さい機種はどれですか", "その機種の質量は何kgですか"),
        ("出力が最大の機種の質量は何kgですか", "出力が最大の機種はどれですか", "その機種の質量は何kgですか"),
        ("What is the mass of the model with the lowest error in Table 2?", "Which model has the lowest error in Table 2?", "What is the mass of the model?"),
    ],
)  # fmt: skip
def test_an_extreme_is_found_before_what_is_asked_about_it(
    text: str, first: str, second: str
) -> None:
    plan = take_apart(text)
    assert [(node.task, node.depends_on) for node in plan[:2]] == [(first, []), (second, ["q1"])]


def test_each_of_two_things_is_asked_alone() -> None:
    plan = take_apart("売上高と営業利益はそれぞれいくらですか")
    assert [node.task for node in plan[:-1]] == ["売上高はいくらですか", "営業利益はいくらですか"]
    plan = take_apart("What are the mass and the length of the model, respectively?")
    assert len(plan) == 3


def test_a_second_question_that_points_back_builds_on_the_first() -> None:
    plan = take_apart("最も多い年はいつですか？また、その理由は何ですか？")
    assert [node.depends_on for node in plan] == [[], ["q1"], ["q2"]]


@pytest.mark.parametrize(
    "text",
    ["質量は何kgですか", "What is the mass of the model?", "図3は何を示していますか", "Who?"],
)
def test_a_plain_question_is_one_step(text: str) -> None:
    plan = take_apart(text)
    assert [node.task for node in plan] == [text, text]


@pytest.mark.parametrize(
    "text",
    [
        *(item[0] for item in COMPARED),
        "和の文化の差異は何ですか",
        "差",
        "A" * 99_000,
        "のは" * 3_000,
    ],
)
def test_every_plan_made_here_keeps_the_rules(text: str) -> None:
    check_plan(take_apart(text), root="answer", question=text, limits=PlanLimits())


@pytest.mark.parametrize("operation", ["difference", "ratio", "growth", "sum"])
def test_a_calculation_step_is_read_as_it_is_written(operation: Operation) -> None:
    assert operation_of(step_of(operation, "q1", "q2", "ja")) == operation
    assert operation_of(step_of(operation, "q1", "q2", "en")) == operation
    assert operation_of("What is the difference between q1 and q2?") == ""


def test_two_things_to_explain_are_two_steps_and_what_lies_between_them_is_one() -> None:
    tasks = [
        n.task for n in take_apart("蓄電池の寿命と主軸の冷却方式について説明してください。")[:-1]
    ]
    assert tasks == [
        "蓄電池の寿命について説明してください。",
        "主軸の冷却方式について説明してください。",
    ]
    assert len(take_apart("従来方式と新方式の違いについて説明してください。")) == 2


def test_a_measure_of_two_sides_is_asked_of_each() -> None:
    tasks = [
        n.task
        for n in take_apart("What was the maximum inlet and maximum outlet flow of the pump?")
    ]
    assert tasks[:2] == [
        "What was the maximum inlet flow of the pump?",
        "What was the maximum outlet flow of the pump?",
    ]
