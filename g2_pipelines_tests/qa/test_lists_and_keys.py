"""Lists of sentences and rows, keys with their values, steps, effects, colours, labels' places."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.enumerated import items_in
from g2_pipelines.qa.matching import words
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node


@pytest.mark.parametrize(
    ("text", "noun", "items"),
    [
        (
            "We offer goods in four key categories: Running, the Alder Line, Football (Soccer) and Training.",
            "categories",
            ["Running", "the Alder Line", "Football (Soccer)", "Training"],
        ),
        (
            "The segments of the group are: Kyushu; Europe, Middle East & Africa; and Asia (AP), and include stores.",
            "segments",
            ["Kyushu", "Europe, Middle East & Africa", "Asia (AP)"],
        ),
        # said to be five, but four follow
        ("We sell in five categories: Running, Football, Training and Yoga.", "categories", []),
        # another noun's list
        (
            "It is also a segment and operates in one industry: design, marketing and selling.",
            "segments",
            [],
        ),
        ("The categories are broad.", "categories", []),
        (
            "重視する点は「安全性」、「利用目的」、「取扱い方法」である。",
            "点",
            ["安全性", "利用目的", "取扱い方法"],
        ),
        ("「安全性」を高め、「利用目的」を示し、「取扱い方法」を学ぶ。", "点", []),
    ],
)
def test_what_a_sentence_lists(text: str, noun: str, items: list[str]) -> None:
    assert items_in(text, words(noun)) == items


def test_a_list_in_a_sentence_is_given_as_items() -> None:
    said = node(
        "s", "Aomine focuses its tools on three key categories: drills, lathes and gear grinders."
    )
    asked = "What are the key categories that Aomine focuses its tools on?"
    answer = ask(asked, [said], "list")
    assert answer.answer.splitlines() == ["drills", "lathes", "gear grinders"]
    vague = node(
        "v", "Aomine focuses its tools on key categories of customers and, in part, dealers."
    )
    assert ask(asked, [vague], "list").unanswerable


def test_rows_under_one_label_are_a_list_without_their_numbers() -> None:
    table = node(
        "t",
        "交付金メニュー\t\t補助率\n(1)活躍推進型\t(1)活躍推進型\t1/2\n(2)連携支援型\t(A)相談プラス\t1/2\n"
        "(2)連携支援型\t(B)つながり\t3/4",
        kind="table",
    )
    answer = ask("交付金の「連携支援型」にはどのようなメニューがありますか。", [table], "list")
    assert answer.answer.splitlines() == ["相談プラス", "つながり"]


STAFF = node(
    "t",
    "Site\tStaff\nAlder\t34\nBirch\t21\nCedar\t58\nTotal\t113",
    kind="table",
    caption="Table 1: Sites",
)


def test_rows_beyond_a_bound_are_a_list() -> None:
    assert ask("Which sites have more than 30 staff?", [STAFF], "list").answer.splitlines() == [
        "Alder",
        "Cedar",
    ]
    assert ask("Which sites have at most 21 staff?", [STAFF], "list").answer == "Birch"
    assert ask("Which sites have more than 90 staff?", [STAFF], "list").unanswerable


def test_a_bound_is_not_tried_on_a_column_with_a_cell_that_is_no_figure() -> None:
    holes = node("t", STAFF.text.replace("21", "n/a"), kind="table", caption="Table 1: Sites")
    assert ask("Which sites have more than 30 staff?", [holes], "list").unanswerable


def test_of_two_columns_that_fit_alike_none_is_ranked() -> None:
    table = node("t", "Site\tStaff 2030\tStaff 2031\nAlder\t34\t50\nBirch\t41\t20", kind="table")
    assert ask("Which site has the most staff?", [table]).unanswerable
    assert ask("Which site has the most staff in 2031?", [table]).answer == "Alder"


COVER = [
    node("c1", "Revised May 2031", kind="heading", order=1),
    node("c2", "Produced by:", kind="heading", section=["Revised May 2031"], order=2),
    node("c3", "Minato Health Office 4052 Quay Way", section=["Revised May 2031"], order=3),
    node("c4", "Kaede Mori", order=4),
    node("c5", "GOVERNOR", order=5),
    node("c6", "Plans of the division follow on the next pages.", order=6),
]


def test_a_key_before_its_value_is_read() -> None:
    answer = ask("Who produced the document that was revised in May 2031?", COVER)
    assert answer.answer == "Minato Health Office"
    assert answer.citations[0].quote.startswith("Minato Health Office")
    assert ask("Who produced the document that was revised in May 2029?", COVER).unanswerable


def test_a_role_under_a_name_is_that_persons() -> None:
    assert ask("What is the name of the governor?", COVER).answer == "Kaede Mori"
    assert ask("What is the name of the governor on the last page?", COVER).unanswerable
    rivals = [*COVER[:5], node("c6", "Ren Aoki", order=6)]
    assert ask("What is the name of the governor?", rivals).unanswerable


def test_steps_are_counted_under_their_heading() -> None:
    path = ["Guide", "Customizing the function of the Down button"]
    steps = [
        node("h", path[-1], kind="heading", order=1, section=path[:1]),
        node("a", "1 Press the Up button and open the list.", order=2, section=path, page=9),
        node("b", "2 Select an app.", order=3, section=path, page=10),
        node("z", "1 Connect the cable.", order=4, section=["Guide", "Charging"], page=10),
    ]
    asked = "How many steps are needed to customize the function of the Down button?"
    answer = ask(asked, steps, "number")
    assert answer.answer == "2"
    assert [one.page for one in answer.citations] == [9, 10]
    gap = [steps[0], steps[1], node("b", "3 Select an app.", order=3, section=path), steps[3]]
    assert ask(asked, gap, "number").unanswerable


def test_what_happens_is_the_cell_beside_the_action_under_its_own_title() -> None:
    actions = "Operation\tFunction\tRemarks\nPress once\t{}\t-\nPress and hold\t{}\t-"
    nodes = [
        node("u", "Up button", order=1),
        node("v", actions.format("Wake the screen.", "Restart the watch."), kind="table", order=2),
        node("d", "Down button", order=3),
        node("e", actions.format("Open the app.", "Wake up the assistant."), kind="table", order=4),
        node("f", "Press and hold the Up button, and then touch Restart.", order=5),
    ]
    asked = "What will happen when you press and hold the {} button?"
    assert ask(asked.format("down"), nodes).answer == "Wake up the assistant."
    assert ask(asked.format("up"), nodes).answer == "Restart the watch."
    assert ask(asked.format("left"), nodes).unanswerable


def test_a_colour_is_asked_of_sentences_that_name_one() -> None:
    plain = node(
        "p", "The watch shows different colors when the heart rate reaches the aerobic zone."
    )
    asked = "What is the color on the watch that shows the aerobic heart rate zone?"
    assert ask(asked, [plain]).unanswerable


def test_a_counted_part_is_cited_where_it_stands_itself() -> None:
    contents = node("t", "Appendix A 7\nAppendix B 11", kind="list", page=3, order=1)
    parts = [
        node("a", "Appendix A", kind="heading", page=7, order=2),
        node("b", "Appendix B", kind="heading", page=11, order=3),
    ]
    answer = ask("How many appendices are there?", [contents, *parts], "number")
    assert answer.answer == "2"
    assert [one.page for one in answer.citations] == [7, 11]


def test_more_sentences_come_from_the_same_place_only() -> None:
    nodes = [
        node(
            "a",
            "港の冷凍倉庫は停電に備えて予備電源を二系統に分けている。点検は毎週行う。",
            page=2,
            order=10,
        ),
        node("b", "港の見学会は停電の翌週に開かれ、参加者へ記念品を配布した。", page=9, order=90),
    ]
    asked = "港の冷凍倉庫は停電にどのように備え、参加者へ記念品を配布したのか説明してください。"
    answer = ask(asked, nodes, "sentence")
    assert {one.page for one in answer.citations} <= {2}


def test_an_open_question_is_answered_about_its_topic() -> None:
    nodes = [
        node(
            "a", "海事行政DXの推進", kind="heading", section=["海事行政DXの推進"], page=2, order=1
        ),
        node(
            "b",
            "地域交通のDXを推進し、業務の効率化の課題に取り組む事業者を支援する。",
            page=9,
            order=9,
        ),
    ]
    asked = "海事行政DXの推進における業務の効率化の課題について説明してください。"
    assert ask(asked, nodes, "sentence").unanswerable
