"""Counts, lists, contacts, changes and bounds: answered where the form is sure, else refused."""

from __future__ import annotations

import asyncio

import pytest

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.asking import understand
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.forms import (
    asks_change,
    asks_several,
    contact_of,
    counted_label,
    has_bound,
)
from g2_pipelines.qa.labelled import label_hit, singular
from g2_pipelines.tables.line2 import Answer, AnswerFormat, DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines_tests.qa.builders import FixedSource, evidence, node, question


class Whole(FixedSource):
    """Goes through all its nodes, as a stored document does."""

    async def survey(self, pattern: str) -> list[Evidence]:
        import re

        form = re.compile(pattern)
        texts = [
            (item, fold_text(f"{item.node.text}\n{item.node.caption or ''}"))
            for item in evidence(self.nodes)
        ]
        return [item for item, text in texts if form.search(text)]


def ask(text: str, nodes: list[DocumentNode], answer_format: AnswerFormat = "number") -> Answer:
    return asyncio.run(
        answer_question(
            question(text, format=answer_format, documents=["doc"]),
            evidence=Whole(nodes),
            **build_tasks(None)._asdict(),
        )
    )


# -- what is read off the wording


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("how many figures are there in the paper?", "figures"),
        ("how many appendices appear in the document?", "appendices"),
        ("how many figures show a bridge?", ""),
        ("how many tables are there in section 3?", ""),
        ("図はいくつありますか", "図"),
        ("この報告書に表は全部で何個ありますか", "表"),
        ("表はこの報告書に全部でいくつありますか", ""),
    ],
)
def test_only_a_count_over_the_whole_document_is_one(text: str, label: str) -> None:
    assert counted_label(text) == label


@pytest.mark.parametrize(
    ("plural", "one"),
    [("figures", "figure"), ("appendices", "appendix"), ("quizzes", "quiz"), ("boxes", "box"),
     ("annexes", "annex"), ("stories", "story"), ("図", "図")],
)  # fmt: skip
def test_plurals_are_undone(plural: str, one: str) -> None:
    assert singular(plural) == one


def test_several_changes_and_bounds_are_told_apart_from_single_values() -> None:
    assert asks_several("which countries are members?")
    assert not asks_several("which business is the largest?")
    assert asks_change("営業利益はどの程度増加しましたか")
    assert not asks_change("営業利益はいくらですか")
    assert asks_change("by how much did sales grow?")
    assert has_bound("which sites have more than 200 staff?")
    assert has_bound("従業員が200人以上の拠点はどこですか")
    assert not has_bound("which site has more staff than kita?")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("what is the e-mail address of mr. mori?", "email"),
        ("問い合わせ先の電話番号は何番ですか", "phone"),
        ("what is the fax number?", "fax"),
        ("how many emails were sent?", ""),
    ],
)
def test_a_contact_is_asked_for_by_its_name(text: str, kind: str) -> None:
    assert contact_of(text)[0] == kind


@pytest.mark.parametrize(
    ("text", "page"),
    [("What is on the second page?", "2"), ("Which date is on the 3rd page?", "3"),
     ("What is written on page fourteen?", "14"), ("Who is named on the cover page?", "1")],
)  # fmt: skip
def test_pages_are_named_in_words_too(text: str, page: str) -> None:
    assert [item.number for item in understand(text).references] == [page]


# -- counts

FIGURES = [
    node(f"f{n}", "", kind="figure", caption=f"Figure {n}: Part {n}", order=n) for n in (1, 2, 3)
]
APPENDICES = [node(f"a{c}", f"Appendix {c} More", kind="heading", order=9) for c in "ABCD"]


def test_labels_without_a_gap_are_counted_and_the_labels_are_cited() -> None:
    answer = ask("How many figures are there in this report?", FIGURES)
    assert answer.answer == "3"
    step = answer.sub_answers[0]
    assert (step.operation, step.result) == ("count", "3")
    assert [item.quote for item in answer.citations] == ["Figure 1", "Figure 2", "Figure 3"]
    assert ask("How many appendices does the document have?", APPENDICES).answer == "4"


def test_a_gap_in_the_labels_is_no_count() -> None:
    """Figure 4 without Figure 3: a page was not read, or the text speaks of another document."""
    later = node("f9", "", kind="figure", caption="Figure 5: Part", order=9)
    assert ask("How many figures are there?", [*FIGURES, later]).unanswerable


def test_a_mention_in_the_text_is_no_figure() -> None:
    text = node("t", "As Figure 4 of Mori (2019) shows, it rains.", order=8)
    assert ask("How many figures are there?", [*FIGURES, text]).answer == "3"


PICTURES = [node(f"z{n}", "", kind="figure", caption=f"図{n} 港の様子{n}", order=n) for n in (1, 2)]


def test_a_figure_that_only_the_text_names_makes_the_count_unsure() -> None:
    named = node("t", "The last port is shown in Figure 4 and in Figure 1.", order=8)
    assert ask("How many figures are there?", [*FIGURES, named]).unanswerable
    known = node("t", "The last port is shown in Figure 3 and in Figure 1.", order=8)
    assert ask("How many figures are there?", [*FIGURES, known]).answer == "3"
    said = node("t", "最後の港を図3に示す。", order=8)
    assert label_hit("図", evidence([*PICTURES, said]), language="ja") is None
    count = label_hit("図", evidence(PICTURES), language="ja")
    assert count is not None
    assert count.short == "2"


def test_a_year_before_the_counted_noun_is_no_count() -> None:
    text = node("t", "It was signed on December 1, 2016, Exhibits being attached.")
    assert ask("How many Exhibits are attached?", [text]).unanswerable


# -- contacts

LETTER = node(
    "l",
    "Contact: Aoi Mori\na.mori@aomine.example\nTel: 045-555-0101\nFax: 045-555-0199\n"
    "Press: Jun Hara, press@aomine.example",
    section=["Aomine"],
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the email address of Aoi Mori?", "a.mori@aomine.example"),
        ("What is the e-mail address of Jun Hara?", "press@aomine.example"),
        ("What is the fax number of Aomine?", "045-555-0199"),
    ],
)
def test_an_address_is_found_by_its_form_and_its_owner(text: str, expected: str) -> None:
    answer = ask(text, [LETTER], "short")
    assert answer.answer == expected
    assert answer.citations[0].quote in LETTER.text


def test_an_address_of_somebody_else_is_no_answer() -> None:
    assert ask("What is the email address of Ken Sato?", [LETTER], "short").unanswerable


# -- lists, bounds, changes

BOARD = node(
    "b",
    "Director\tRole\tMeetings\nAoi Mori\tExecutive\t7\nJun Hara\tIndependent\t5\n"
    "Ken Sato\tIndependent\t7\nMai Oda\tExecutive\t6",
    kind="table",
    caption="Table 1 Directors of the board",
)


def test_rows_that_meet_a_condition_are_listed() -> None:
    answer = ask("Which directors of the board are independent?", [BOARD], "list")
    assert answer.answer == "Jun Hara\nKen Sato"
    assert {item.quote for item in answer.citations} == {"Jun Hara", "Ken Sato"}


def test_a_bound_is_not_answered_with_a_cell() -> None:
    assert ask("Which directors attended more than 6 meetings?", [BOARD], "short").unanswerable


def test_one_name_is_no_answer_to_a_question_for_several() -> None:
    text = node("t", "The director Mai Oda joined the board in spring.")
    assert ask("What are the directors of the board?", [text], "list").unanswerable


def test_a_state_is_no_answer_to_how_much_it_changed() -> None:
    table = node(
        "c",
        "業種\t前回調査\t現状判断\n化学\t12.1\t15.4\n食料\t3.0\t2.5",
        kind="table",
        caption="表1 景況判断",
    )
    assert ask("化学は前回調査からどの程度上昇しましたか", [table]).unanswerable
    change = node(
        "d",
        "業種\t前回調査からの増減\n化学\t3.3\n食料\t0.5",
        kind="table",
        caption="表2 景況判断の変化",
    )
    assert ask("化学は前回調査からどの程度増加しましたか", [change]).answer == "3.3"


def test_a_whole_column_in_one_cell_is_no_value() -> None:
    run = node("r", "Site\tStaff\nKita Minami Higashi\t12 14 16 18 20 22 24 26", kind="table")
    assert ask("How many staff does Kita have?", [run]).unanswerable
