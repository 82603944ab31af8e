"""Answers as values: schema, recovery order, one named retry, typed failures."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from g2_pipelines.models.errors import (
    BadStructureError,
    BadTextError,
    Failure,
    ServerFailedError,
    TruncatedAnswerError,
    UnboundedSchemaError,
)
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult
from g2_pipelines.models.recover import UnusableAnswerError, recover
from g2_pipelines.models.structured import (
    Structured,
    complete_as,
    complete_text,
    schema_text,
)
from g2_pipelines_tests.models.helpers import ask, port_at
from g2_pipelines_tests.models.server import (
    ModelServer,
    Reply,
    ServerRequest,
    chat,
    error,
    instance_of,
)


class Issue(BaseModel):
    """A docstring for developers."""

    name: str = Field(max_length=40)
    grade: Literal["high", "low"]


class Node(BaseModel):
    summary: str = Field(max_length=200, description="at most two sentences")
    issues: list[Issue] = Field(max_length=3)
    count: int | None = Field(ge=0)


GOOD = '{"summary": "要約", "issues": [{"name": "人材", "grade": "high"}], "count": 3}'
NODE = Node(summary="要約", issues=[Issue(name="人材", grade="high")], count=3)


class FakePort:
    """A completion port that is a function of the request."""

    engine = "fake"
    model = "fake/1"

    def __init__(self, answer: Callable[[CompletionRequest, int], str | Failure]) -> None:
        self.answer = answer
        self.requests: list[CompletionRequest] = []

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        results: list[CompletionResult] = []
        for request in requests:
            self.requests.append(request)
            said = self.answer(request, len(self.requests))
            results.append(
                said if isinstance(said, Failure) else completion(said, len(self.requests))
            )
        return results


def completion(text: str, number: int) -> Completion:
    return Completion(
        text=text,
        finish_reason="stop",
        prompt_tokens=1,
        completion_tokens=1,
        cached_tokens=0,
        call_key=f"key-{number}",
        engine="fake",
        model="fake/1",
    )


def test_the_schema_is_strict_bounded_inlined_and_in_field_order() -> None:
    schema = json.loads(schema_text(Node))
    assert list(schema["properties"]) == ["summary", "issues", "count"]
    assert schema["required"] == ["summary", "issues", "count"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["summary"] == {
        "description": "at most two sentences",
        "maxLength": 200,
        "type": "string",
    }
    issue = schema["properties"]["issues"]["items"]
    assert issue["required"] == ["name", "grade"]
    assert issue["additionalProperties"] is False
    assert issue["properties"]["grade"]["enum"] == ["high", "low"]
    assert schema["properties"]["count"]["anyOf"][1] == {"type": "null"}
    assert "$" not in schema_text(Node)
    assert "developers" not in schema_text(Node)


class NoBound(BaseModel):
    text: str


class NoListBound(BaseModel):
    texts: list[Annotated[str, Field(max_length=3)]]


class FreeKeys(BaseModel):
    scores: dict[str, int]


class Recursive(BaseModel):
    children: list[Recursive] = Field(max_length=2)


class PatternAndLength(BaseModel):
    id: str = Field(pattern="^[a-z]{1,16}$", max_length=16)


class Even(BaseModel):
    """vLLM refuses the whole request for one of these: no plan was ever made there."""

    even: int = Field(multiple_of=2)


def test_a_pattern_that_bounds_itself_is_enough() -> None:
    class Named(BaseModel):
        id: str = Field(pattern="^[a-z]{1,16}$")

    assert json.loads(schema_text(Named))["properties"]["id"]["pattern"] == "^[a-z]{1,16}$"


@pytest.mark.parametrize(
    "schema", [NoBound, NoListBound, FreeKeys, Recursive, PatternAndLength, Even]
)
def test_a_schema_that_cannot_bound_a_model_is_refused_by_field(schema: type[BaseModel]) -> None:
    with pytest.raises(UnboundedSchemaError) as raised:
        schema_text(schema)
    assert raised.value.file == schema.__name__
    assert raised.value.place.split("[")[0].split(".")[0] in schema.model_fields


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n{GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"以下が回答です。\n```\n{GOOD}\n```\n以上です。",
        f"<think>{{'x': 1}} hmm</think>\n{GOOD}",
        f"reasoning without an opening tag</think>{GOOD}",
        f"Sure! {GOOD} Let me know.",
        f"We use {{braces}} like so: {GOOD}",
        GOOD.replace("要約", "要\\u7d04"),
    ],
)
def test_an_object_is_found_wherever_the_model_put_it(text: str) -> None:
    assert recover(text, Node) == NODE


def test_raw_control_characters_in_strings_are_accepted() -> None:
    assert recover(GOOD.replace("要約", "要\t約\n"), Node).summary == "要\t約\n"


def test_values_are_not_normalized() -> None:
    assert recover(GOOD.replace("要約", "か\u3099①㈱"), Node).summary == "か\u3099①㈱"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not valid JSON"),
        ("申し訳ありませんが、できません。", "not valid JSON"),
        (GOOD[:-20], "not valid JSON"),
        ("[1, 2]", "expected a JSON object"),
        (GOOD.replace('"count": 3', '"count": "3"'), "count"),
        (GOOD.replace('"count": 3', '"count": NaN'), "NaN"),
        (GOOD.replace('"count": 3', '"count": -1'), "count"),
        (GOOD.replace("high", "medium"), "issues.0.grade"),
        (GOOD.replace(', "count": 3', ""), "count"),
        (GOOD.replace('"count": 3', '"count": 3, "count": 4'), "twice"),
        (GOOD.replace("要約", "あ" * 201), "summary"),
        (GOOD.replace("要約", "\\ud800"), ""),
        ('{"a":' * 100_000, "nested too deep"),
        (GOOD.replace("3}", "9" * 5000 + "}"), "number is too long"),
    ],
)
def test_a_fault_is_named_so_that_the_model_can_mend_it(text: str, says: str) -> None:
    with pytest.raises(UnusableAnswerError) as raised:
        recover(text, Node)
    assert says in raised.value.message
    assert len(raised.value.message) < 600


def test_a_part_of_a_cut_answer_is_not_taken_for_the_answer() -> None:
    """Harm: {"items": [{…}, {"summa… would give its first item as the whole."""
    inner = '{"name": "人材", "grade": "high"}'
    with pytest.raises(UnusableAnswerError):
        recover('{"issues": [' + inner, Issue)


def test_a_right_answer_takes_one_call() -> None:
    port = FakePort(lambda request, n: GOOD)
    [result] = asyncio.run(complete_as(port, [ask()], Node))
    assert isinstance(result, Structured)
    assert (result.value, result.attempts, result.call_keys) == (NODE, 1, ("key-1",))
    assert port.requests[0].json_schema == schema_text(Node)


def test_a_wrong_answer_is_asked_again_once_with_its_fault_and_twice_the_budget() -> None:
    wrong = GOOD.replace("high", "medium")
    port = FakePort(lambda request, n: wrong if n == 1 else GOOD)
    [result] = asyncio.run(complete_as(port, [ask()], Node))
    assert isinstance(result, Structured)
    assert (result.value, result.attempts, result.call_keys) == (NODE, 2, ("key-1", "key-2"))
    retry = port.requests[1]
    assert retry.max_tokens == 100
    assert [message.role for message in retry.messages] == ["user", "assistant", "user"]
    assert retry.messages[1].text == wrong
    assert "issues.0.grade" in retry.messages[2].text
    assert "スキーマ" in retry.messages[2].text  # a Japanese prompt is asked again in Japanese


def test_an_english_prompt_is_asked_again_in_english() -> None:
    port = FakePort(lambda request, n: "no" if n == 1 else GOOD)
    asyncio.run(complete_as(port, [ask("Summarize.")], Node))
    assert "Answer again" in port.requests[1].messages[-1].text


def test_two_wrong_answers_are_a_typed_failure_and_the_others_stay() -> None:
    port = FakePort(lambda request, n: "no" if "壊" in request.messages[0].text else GOOD)
    good, bad, other = asyncio.run(complete_as(port, [ask("一"), ask("壊"), ask("二")], Node))
    assert isinstance(good, Structured)
    assert isinstance(other, Structured)
    assert type(bad) is BadStructureError
    assert (bad.file, bad.place) == ("E99001", "pre_summary")


def test_a_cut_answer_is_asked_again_and_never_a_success() -> None:
    cut = TruncatedAnswerError("cut")
    port = FakePort(lambda request, n: cut if request.max_tokens == 50 else GOOD)
    [result] = asyncio.run(complete_as(port, [ask()], Node))
    assert isinstance(result, Structured)
    assert result.call_keys == ("key-2",)
    port = FakePort(lambda request, n: cut)
    [result] = asyncio.run(complete_as(port, [ask()], Node))
    assert type(result) is TruncatedAnswerError
    assert "100 tokens" in result.message
    assert len(port.requests) == 2


def test_an_engines_failure_is_not_asked_again() -> None:
    port = FakePort(lambda request, n: ServerFailedError("500"))
    [result] = asyncio.run(complete_as(port, [ask()], Node))
    assert type(result) is ServerFailedError
    assert len(port.requests) == 1


def test_a_consumers_own_rule_is_a_fault_like_any_other() -> None:
    port = FakePort(lambda request, n: GOOD if n == 1 else GOOD.replace("人材", "設備"))

    def check(index: int, value: Node) -> str | None:
        return "人材 was not shown" if value.issues[0].name == "人材" else None

    [result] = asyncio.run(complete_as(port, [ask()], Node, check=check))
    assert isinstance(result, Structured)
    assert result.value.issues[0].name == "設備"
    assert "人材 was not shown" in port.requests[1].messages[-1].text


def test_the_server_gets_the_schema_and_its_answer_is_the_value(tmp_path: Path) -> None:
    with ModelServer() as server:
        [result] = asyncio.run(complete_as(port_at(server, tmp_path), [ask()], Node))
        assert server.requests[0].schema == json.loads(schema_text(Node))
    assert isinstance(result, Structured)
    assert result.value.model_dump() == instance_of(json.loads(schema_text(Node)))


def test_a_repaired_answer_costs_no_call_in_the_next_run(tmp_path: Path) -> None:
    def script(request: ServerRequest) -> Reply:
        return chat("no" if request.number == 0 else GOOD)

    with ModelServer(script) as server:
        results = [
            asyncio.run(complete_as(port_at(server, tmp_path), [ask()], Node)) for _ in range(2)
        ]
        assert server.count == 2
    assert results[0] == results[1]


def test_a_failed_structure_is_asked_anew_in_the_next_run(tmp_path: Path) -> None:
    """Harm: a bad answer in the cache would fail the partition for ever."""

    def script(request: ServerRequest) -> Reply:
        return chat("no" if request.number < 2 else GOOD)

    with ModelServer(script) as server:
        [bad] = asyncio.run(complete_as(port_at(server, tmp_path), [ask()], Node))
        [good] = asyncio.run(complete_as(port_at(server, tmp_path), [ask()], Node))
        assert server.count == 3
    assert type(bad) is BadStructureError
    assert isinstance(good, Structured)


def test_a_failure_in_the_retry_keeps_its_name_and_tells_why_it_was_asked(tmp_path: Path) -> None:
    def script(request: ServerRequest) -> Reply:
        return chat("no") if request.number == 0 else error(500)

    with ModelServer(script) as server:
        port = port_at(server, tmp_path, max_attempts=1)
        [result] = asyncio.run(complete_as(port, [ask()], Node))
    assert type(result) is ServerFailedError
    assert "asked again" in result.message


LOOP = "当社は成長を続けてまいります。" * 6


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "<think>何を書くか</think>  ",
        "The company grew its sales in the domestic market this year.",
        "本公司在国内市场的销售额今年有所增长，营业利润也随之大幅增加，前景良好。",
        LOOP,
        "あ" * 40,
    ],
)
def test_an_empty_foreign_or_looping_text_is_asked_again_once(wrong: str) -> None:
    right = "売上高は48,620百万円となりました。課題は熟練技能者の高齢化です。"
    port = FakePort(lambda request, n: wrong if n == 1 else f"<think>x</think>\n{right}\n")
    [result] = asyncio.run(complete_text(port, [ask()], language="ja"))
    assert isinstance(result, Structured)
    assert (result.value, result.attempts) == (right, 2)
    port = FakePort(lambda request, n: wrong)
    [result] = asyncio.run(complete_text(port, [ask()], language="ja"))
    assert type(result) is BadTextError


@pytest.mark.parametrize(
    "right",
    [
        "R&D、EV、AoLinkを展開しました。",
        "48,620",
        "―" * 60,
        "売上高、営業利益、経常利益、当期純利益はいずれも前年を上回りました。" * 2,
    ],
)
def test_a_plain_japanese_text_is_no_fault(right: str) -> None:
    port = FakePort(lambda request, n: right)
    [result] = asyncio.run(complete_text(port, [ask()], language="ja"))
    assert isinstance(result, Structured)
