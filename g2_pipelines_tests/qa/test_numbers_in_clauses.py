"""Numbers of a sentence: whose they are, whole, and never cut from a name or a citation."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.figures import figures
from g2_pipelines.qa.item import is_change
from g2_pipelines.qa.number_names import extent, no_value
from g2_pipelines_tests.qa.asking_rules import ask
from g2_pipelines_tests.qa.builders import node


@pytest.mark.parametrize(
    ("text", "digits", "refused"),
    [
        ("The Mizumo4 model is small.", "4", True),
        ("AlderChat2-7B was released.", "7", True),
        ("Thornquist (Birch et al., 2029) has layers.", "2029", True),
        ("as shown in [12]", "12", True),
        ("港湾法*16による", "16", True),
        ("On 12.2.2031 it left", "12", True),
        ("It cost USD120 in all.", "120", False),
        ("The hall (built in 2029) has 12 rooms.", "12", False),
        ("同社等8社が合意した", "8", False),
    ],
)
def test_digits_that_are_no_value(text: str, digits: str, refused: bool) -> None:
    start = text.rfind(digits)
    assert no_value(text, start, start + len(digits)) is refused


@pytest.mark.parametrize(
    ("text", "digits", "whole"),
    [
        ("大きさは3～50億である", "3", "3～50億"),
        ("Permit 4071-0006", "4071", "4071-0006"),
        ("a rate of 1.5 × 10−3", "1.5", "1.5 × 10−3"),
        ("12 of 40 rooms", "12", "12"),
        ("10%〜20%に", "10%", "10%〜20%"),
    ],
)
def test_a_range_or_code_is_whole(text: str, digits: str, whole: str) -> None:
    start, end = extent(text, text.index(digits), text.index(digits) + len(digits))
    assert text[start:end] == whole


def test_a_range_is_given_whole() -> None:
    text = node("p", "青嶺の「ミナモ」のパラメータサイズは6～70億と軽量であり、費用を低減できる。")
    asked = "青嶺のミナモのパラメータサイズはいくつですか。"
    assert ask(asked, [text], "short").answer == "6～70億"
    code = node("p", "Permit number: 4071-0006 Expiration Date: 01/31/2031")
    assert ask("What is the permit number?", [code], "short").answer == "4071-0006"


def test_a_year_of_a_citation_counts_nothing() -> None:
    cited = node("p", "The Alder engine follows the design of valves (Birch et al., 2029) closely.")
    assert ask("How many valves does the Alder engine have?", [cited], "number").unanswerable
    plain = node("p", "The Alder engine has 16 valves (Birch et al., 2029) and no pump.")
    assert ask("How many valves does the Alder engine have?", [plain], "number").answer == "16"


CHECKED = (
    "青嶺によると、同社の検査器が偽の真珠を正しく偽物と判定する確率は31％で、"
    "逆に本物の真珠を誤って偽物と判定する「誤判定」の確率も8％あったという。"
)
JOINED = "同年6月には、新たにみなと、白波、遠野等5社が参加し、同11社は荷札の共通化を進めている。"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("青嶺の検査器が本物の真珠を誤って偽物とした誤判定の確率は何％ですか。", "8％"),
        ("青嶺の検査器が偽の真珠を正しく偽物と判定する確率は何％ですか。", "31％"),
    ],
)
def test_the_share_of_the_asked_clause(asked: str, answer: str) -> None:
    assert ask(asked, [node("p", CHECKED)], "number").answer == answer


def test_a_count_told_before_is_not_the_new_one() -> None:
    evidence = [node("p", JOINED, section=["2031年の荷札"])]
    assert ask("6月に新たに参加したのは何社ですか。", evidence, "number").answer == "5社"
    assert ask("荷札の共通化を進めているのは何社ですか。", evidence, "number").answer == "11社"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("What percentage of real pearls does the tester reject?", "8%"),
        ("What percentage of false pearls does the tester detect?", "31%"),
    ],
)
def test_the_percentage_of_the_asked_clause(asked: str, answer: str) -> None:
    text = "The tester does detect 31% of false pearls, while it does reject 8% of real pearls."
    assert ask(asked, [node("p", text)], "number").answer == answer


def test_another_year_of_the_sentence_is_refused() -> None:
    text = node("p", "Alder sold 40 boats in 2030 and 55 in 2031, all of them red.")
    assert ask("How many boats did Alder sell in 2030?", [text], "number").answer == "40"
    assert ask("How many boats did Alder sell in 2031?", [text], "number").answer != "40"


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("It does well, improving over Birch by 6.7 points.", True),
        ("It does well and reaches 6.7 points.", False),
        ("The rate rose against the year before by 6.7 points.", True),
    ],
)
def test_what_it_improved_by_is_not_what_it_reached(text: str, change: bool) -> None:
    number = next(one for one in figures(text) if one.text.startswith("6.7"))
    assert is_change(number, text) is change
