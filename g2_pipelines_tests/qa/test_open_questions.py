"""Open questions, ranges of years and parts that nothing confirms, on evidence made by hand."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.asking import understand
from g2_pipelines.qa.find import _scope
from g2_pipelines.qa.passages import passages_of
from g2_pipelines.qa.relevant import relevant_hit
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines_tests.qa.builders import evidence, node
from g2_pipelines_tests.qa.test_extractive import ask

ORCHARDS = [
    node("o1", "霜害の増加により、果樹園の減収が続いている。", order=1),
    node("o2", "こうした中、各農園は防霜ファンの設置と散水の自動化を進めている。", order=2),
    node("o3", "出荷組合は冷蔵庫を更新した。", order=3),
]
YEARS = node(
    "y",
    "（参考）過去の雪害と補償金支払額の例\t（参考）過去の雪害と補償金支払額の例"
    "\t（参考）過去の雪害と補償金支払額の例\n"
    "2011年度\t2012年度\t2013年\n一月大雪\t二月大雪\t三月大雪\n17億円\t1,678億円\t42億円",
    kind="table",
)
OPEN = "How is silt from the northern channel of the harbour pumped ashore?"
WHICH_YEAR = "2011年度から2013年度までのどの年が最も雪害の補償金支払額が高かったか？"


def test_an_open_question_gets_the_neighbouring_sentences_that_are_about_it() -> None:
    answer = ask(
        "霜害による減収に対し、各農園はどのような防霜ファンを使い、散水をどう進めていますか。"
        "説明してください。",
        ORCHARDS,
        "sentence",
    )
    assert not answer.unanswerable
    quotes = [citation.quote for citation in answer.citations]
    assert ORCHARDS[1].text in quotes
    assert set(quotes) <= {item.text for item in ORCHARDS}


@pytest.mark.parametrize(
    "text",
    [
        "養蜂場の減収に対し、各県はどのような補助金制度を設けていますか。説明してください。",
        "How does the harbour authority dredge the northern channel?",
        "Explain how Zephyr Ltd reduced frost damage in the orchards.",
    ],
)
def test_an_open_question_that_little_is_about_is_refused(text: str) -> None:
    assert ask(text, ORCHARDS, "sentence").unanswerable


def test_an_open_question_about_another_name_or_year_is_refused() -> None:
    told = node("o", "Frost fans and sprinklers reduced frost damage in the Elm orchards.")
    assert not ask(
        "How did fans reduce frost damage in the Elm orchards?", [told], "sentence"
    ).unanswerable
    for text in (
        "How did fans reduce frost damage in the Ash orchards?",
        "How did fans reduce frost damage in the Elm orchards in 2019?",
    ):
        assert ask(text, [told], "sentence").unanswerable


def test_the_years_of_a_range_are_ranked_and_not_required_as_words() -> None:
    assert ask(WHICH_YEAR, [YEARS], "sentence").answer == "2012年度です（1,678億円）。"
    least = WHICH_YEAR.replace("高かった", "低かった")
    assert ask(least, [YEARS], "sentence").answer == "2011年度です（17億円）。"


def test_a_range_that_the_table_does_not_cover_is_not_ranked() -> None:
    answer = ask(WHICH_YEAR.replace("2013", "2015"), [YEARS], "sentence")
    assert answer.unanswerable


def test_values_by_year_in_a_sentence_are_ranked() -> None:
    told = node(
        "s", "雪害の補償金支払額は、2011年度は17億円、2012年度は95億円、2013年度は42億円だった。"
    )
    assert ask(WHICH_YEAR, [told], "sentence").answer == "2012年です（95億円）。"
    english = node("e", "Snow damage payments: 2011: 17 million yen, 2012: 95 million yen, "
                        "2013: 42 million yen.")  # fmt: skip
    text = "Which year from 2011 to 2013 had the highest snow damage payments?"
    assert ask(text, [english], "sentence").answer.startswith("2012")


def test_two_years_with_the_same_greatest_value_are_no_answer() -> None:
    even = YEARS.model_copy(update={"text": YEARS.text.replace("42億円", "1,678億円"), "cells": []})
    assert ask(WHICH_YEAR, [even], "sentence").unanswerable


def test_an_open_part_that_nothing_confirms_is_named_beside_the_part_that_is_answered() -> None:
    answer = ask(f"{WHICH_YEAR}また、その理由についても説明しなさい。", [YEARS], "sentence")
    assert answer.answer.startswith("2012年度です（1,678億円）。")
    assert "「その理由」については" in answer.answer
    assert answer.answer.endswith("対象の文書からは確認できませんでした。")


def test_a_reason_that_stands_there_is_given_with_the_answer_before() -> None:
    why: DocumentNode = node(
        "w", "2012年度に雪害の補償金支払額が増えたのは、二月の大雪のためである。"
    )
    answer = ask(f"{WHICH_YEAR}また、その理由についても説明しなさい。", [YEARS, why], "sentence")
    assert why.text in answer.answer
    assert "確認できませんでした" not in answer.answer


def test_a_passage_that_is_only_about_the_question_is_said_to_be_that() -> None:
    scattered = [
        node("s1", "The harbour dredges its northern channel.", order=1),
        node("s2", "Silt is pumped ashore.", order=2),
        node("s3", "A spaniel sleeps.", order=3),
        node("s4", "Tickets cost little.", order=4),
    ]
    hit = relevant_hit(
        _scope(understand(OPEN), (), evidence(scattered)), passages_of(evidence(scattered))
    )
    assert hit is not None
    assert hit.answer == f"Relevant passage: {scattered[0].text} {scattered[1].text}"
    assert [quote.node_id for quote in hit.quotes] == ["s1", "s2"]


def test_sentences_of_places_far_apart_are_no_passage() -> None:
    apart = [
        node("s1", "The harbour dredges its northern channel.", order=1),
        node("s2", "Silt is pumped ashore.", order=9),
    ]
    hit = relevant_hit(_scope(understand(OPEN), (), evidence(apart)), passages_of(evidence(apart)))
    assert hit is None or len(hit.quotes) == 1
