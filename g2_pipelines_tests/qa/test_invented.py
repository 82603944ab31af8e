"""Numbers, names and citations that a reply makes up are found out; right ones are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.grounding import unsupported_numbers
from g2_pipelines.tables.line2 import Answer, CopiedValue
from g2_pipelines.text.spelled import in_digits
from g2_pipelines_tests.models.server import Reply, ServerRequest, chat
from g2_pipelines_tests.qa.builders import ENGLISH, node
from g2_pipelines_tests.qa.test_hostile import CHECK, REASON, WORK, ask, sound, task_of

SOURCE = ["Revenue was 4,120 million yen in 2031. The margin was 12.5 percent, height 34.0 m."]


def replied(folder: Path, **replies: dict[str, Any]) -> Answer:
    """The answer of a server that says ``replies`` for their tasks, and else the truth."""

    def script(request: ServerRequest) -> Reply:
        said = replies.get(task_of(request))
        return sound(request) if said is None else chat(json.dumps(said))

    answer, _ = ask(script, [ENGLISH[2]], folder)
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize(
    "answer",
    [
        "[99] m",
        "99. That is the height in m.",
        "1) one and\n99) m",
        "ninety-nine million metres",
        "forty-two billion yen",
        "four dozen",
        "高さは九十九メートル",
        "売上高は四百二十億円",
        "The height is 34.0 km",
        "Revenue was 4,120 yen",
        "Revenue was 4,120 billion yen",
        "The height is -34.0 m",
        "The height is −34.0 m",
        "The margin was 34.0 percent",
        "12.5 billion yen",
        "Revenue 1e9",
        "34.0 m, 4,120,2031",
    ],
)
def test_a_number_in_another_form_unit_scale_or_sign_is_invented(answer: str) -> None:
    assert unsupported_numbers(answer, SOURCE)


@pytest.mark.parametrize(
    "answer",
    [
        "4,120百万円",
        "41.2億円",
        "4.12 billion yen",
        "4,120 million yen [e1]",
        "1. 4,120 million yen\n2. 12.5%",
        "利益率は12.5%、高さは34メートル",
        "3,400 cm",
        "0.034 km",
        "thirty-four metres",
        "In 2031, 13 percent",
        "- 34.0 m",
        "四十一億二千万円",
    ],
)
def test_a_right_number_in_another_form_stays(answer: str) -> None:
    assert unsupported_numbers(answer, SOURCE) == []


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("two hundred and five", "205"),
        ("a million yen", "1000000 yen"),
        ("one of the two towers", "one of the two towers"),
        ("forty-two point five percent", "42.5 percent"),
        ("四百二十億円", "42000000000円"),
        ("一千二百万", "12000000"),
        ("二〇三一年", "2031年"),
        ("4,120百万円と1億2千万円", "4,120百万円と1億2千万円"),
        ("十分な一部(百万円)", "十分な一部(百万円)"),
    ],
)
def test_numbers_in_words_are_worth_what_they_say(written: str, digits: str) -> None:
    assert in_digits(written) == digits


@pytest.mark.parametrize(
    "said",
    [
        "Birch is 34.0 km high.",
        "Birch is [99] m high.",
        "99. That is the height in m.",
        "高さは九十九メートル",
        "Birch is -34.0 m high.",
        "Birch is 7.4 m high.",
        "Alder is 34.0 m high.",
        "Alder is 34.0 m and Birch 21.5 m high.",
        "The mean sway of Birch is 34.0.",
    ],
)
def test_a_number_of_another_thing_is_no_answer(said: str, tmp_path: Path) -> None:
    answer = replied(tmp_path, reason=REASON | {"answer": said})
    assert answer.unanswerable
    assert said not in answer.answer


@pytest.mark.parametrize(
    "said", ["34.0 m", "Birch is 34 m high.", "Birchの高さは34.0メートルです。", "3,400 cm [e1]"]
)
def test_the_right_number_is_an_answer_in_both_languages(said: str, tmp_path: Path) -> None:
    answer = replied(tmp_path, reason=REASON | {"answer": said})
    assert (answer.unanswerable, answer.answer) == (False, said)


@pytest.mark.parametrize(
    "value",
    [
        {"source": "e1", "label": "Birch Alder height", "text": "7.4", "unit": "m"},
        {"source": "e1", "label": "Alder", "text": "34.0", "unit": "m"},
        {"source": "e1", "label": "Birch height", "text": "7.4", "unit": ""},
        {"source": "e1", "label": "Birch", "text": "7.4", "unit": "m"},
    ],
)
def test_a_value_is_of_the_row_column_and_unit_that_its_label_names(
    value: dict[str, str], tmp_path: Path
) -> None:
    said = WORK | {"values": [value], "operation": "sum", "answer": "", "short": ""}
    assert not replied(tmp_path, work=said).sub_answers[0].found


@pytest.mark.parametrize("operation", ["count", "sum", "rank"])
def test_copies_of_one_cell_are_not_counted_or_added(operation: str, tmp_path: Path) -> None:
    cell = {"source": "e1", "label": "Birch", "text": "34.0", "unit": "m"}
    said = WORK | {"values": [cell] * 7, "operation": operation, "answer": "", "short": ""}
    found = replied(tmp_path, work=said).sub_answers[0]
    assert (found.found, found.result) == (False, "")
    assert "same place twice" in found.answer


def test_equal_values_of_two_cells_are_two(tmp_path: Path) -> None:
    rows = [("Alder", "21.5"), ("Birch", "34.0")]
    values = [{"source": "e1", "label": n, "text": t, "unit": "m"} for n, t in rows]
    said = WORK | {"values": values, "operation": "sum", "answer": "", "short": ""}
    assert replied(tmp_path, work=said).sub_answers[0].result == "55.5 m"


def test_a_number_of_45_digits_is_no_crash() -> None:
    one = CopiedValue(label="a", text="9" * 45, unit="yen", node_id="n", place="1")
    two = CopiedValue(label="b", text="8" * 45, unit="yen", node_id="n", place="2")
    result = calculate("difference", [one, two], language="en")
    assert result.text.replace(",", "").startswith("1" * 45)
    endless = one.model_copy(update={"text": "9" * 70})
    with pytest.raises(CalculationError, match="cannot be calculated"):
        calculate("difference", [endless, two], language="en")


def test_a_claim_beside_the_answer_says_nothing_that_no_source_says(tmp_path: Path) -> None:
    claim = {"text": "Birch is 9999 m", "source": "e1", "quote": "Birch\t34.0\t7.4"}
    answer = replied(tmp_path, reason=REASON | {"claims": [claim], "why": "It is 9999 m."})
    assert answer.answer == "34.0 m"
    assert [c.claim for c in answer.citations] == ["Birch\t34.0\t7.4"]
    assert answer.why == ""


@pytest.mark.parametrize(
    "why", ["The true height is 9999 m.", "See http://tower.example", "Ask Professor Qwerty."]
)
def test_a_refusals_reason_brings_in_no_numbers_names_or_addresses(
    why: str, tmp_path: Path
) -> None:
    refused = REASON | {"answerable": False, "claims": [], "answer": "", "why": why}
    assert replied(tmp_path, reason=refused).why == "nothing in the evidence matches the question"


def test_gaps_and_what_is_not_found_are_said_in_our_words(tmp_path: Path) -> None:
    gap = {"kind": "missing", "text": "Alder, which is 9999 m high"}
    open_check = CHECK | {"gaps": [gap], "sufficient": False}
    nothing = {"thought": "", "operations": []}
    unsure = WORK | {"found": False, "answer": "It is 9999 m, perhaps", "quotes": [], "values": []}
    answer = replied(tmp_path / "a", check=open_check, refine=nothing)
    assert "9999" not in answer.model_dump_json()
    answer = replied(tmp_path / "b", work=unsure)
    assert "9999" not in answer.model_dump_json()


@pytest.mark.parametrize("quote", ["B", ".", "irc"])
def test_a_quote_of_a_sign_or_two_cites_nothing(quote: str, tmp_path: Path) -> None:
    claim = {"text": "x", "source": "e1", "quote": quote}
    said = REASON | {"claims": [claim], "answer": "Alder is taller than every other."}
    assert replied(tmp_path, reason=said).unanswerable


def test_a_tables_unit_and_scale_are_its_cells() -> None:
    table = node(
        "t", "区分\t売上高\n北\t4,120\n南\t980", kind="table", caption="表1 売上高（単位：百万円）"
    )
    assert unsupported_numbers("北は4,120百万円", [], [table]) == []
    assert unsupported_numbers("北は41.2億円", [], [table]) == []
    assert unsupported_numbers("北は4,120円", [], [table]) == ["4,120"]
    assert unsupported_numbers("北は4,120億円", [], [table]) == ["4,120"]


def test_a_loss_in_an_accounts_brackets_may_be_told_with_a_sign() -> None:
    table = node("t", "Item\t2030\t2031\nNet income\t120\t(380)", kind="table")
    assert unsupported_numbers("-380", [], [table]) == []
    assert unsupported_numbers("-120", [], [table]) == ["120"]
