"""Labels, fields of forms, doers, tables by number and counted captions: answered or refused."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.asked_places import Reference, titled_otherwise
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node


def test_a_label_is_no_answer() -> None:
    label = node("a", "* 10. Name of Harbour Agency:")
    assert ask("What is the name of the harbour agency?", [label], "short").unanswerable
    filled = node("b", "Name of Harbour Agency: Alder Port Office", order=1)
    answer = ask("What is the name of the harbour agency?", [label, filled], "short")
    assert "Alder Port Office" in answer.answer


def test_a_line_of_fields_is_no_answer() -> None:
    fields = node("a", "Boat Name Birthday")
    assert ask("What is the boat name?", [fields], "short").unanswerable
    told = node("b", "Boat name: Mizumo", order=1)
    assert ask("What is the boat name?", [fields, told], "short").answer.endswith("Mizumo")


def test_their_own_is_no_owner() -> None:
    other = node("a", "The harbour retailers have begun to set their own prices.")
    assert ask("Who owns the harbour?", [other], "short").unanswerable
    owner = node("b", "Thornquist Marine owns the harbour and leases the docks.", order=1)
    assert "Thornquist" in ask("Who owns the harbour?", [other, owner], "sentence").answer


def test_a_footnote_names_no_maker() -> None:
    cited = node(
        "a",
        "青嶺新聞「みなと市長の偽動画を作成、拡散」2031年11月4日，<https://news.aomine.example/1>",
    )
    asked = "みなと市長の偽動画を作成したのは誰ですか。"
    assert ask(asked, [cited], "sentence").unanswerable
    told = node("b", "みなと市長の偽動画は、白波大学の学生の遠野氏が作成した。", order=1)
    assert "遠野氏" in ask(asked, [cited, told], "sentence").answer


@pytest.mark.parametrize(
    ("text", "otherwise"),
    [
        ("Table 325. Visits to ports", True),
        ("TABLE 325 Visits to ports", True),
        ("Table 324. Visits to ports", False),
        ("Table 325 shows more than Table 324.", False),
        ("表7 港の利用", True),
        ("表7に示す", False),
        ("図324 港の利用", False),
    ],
)
def test_a_text_under_the_title_of_another_table(text: str, otherwise: bool) -> None:
    assert titled_otherwise(Reference("table", "324"), text) is otherwise


def test_another_table_does_not_answer() -> None:
    other = node("a", "Table 7. Visits to ports. Total population of 5,120, see also Table 6.")
    asked = "What is the total population in Table 6?"
    assert ask(asked, [other], "number").unanswerable
    own = node("b", "Table 6. Visits to towns. Total population of 4,310.", order=1)
    assert ask(asked, [other, own], "number").answer == "4,310"
