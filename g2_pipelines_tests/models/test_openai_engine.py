"""The engine against a real local server: what is sent, and what each fault becomes."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from g2_pipelines.models.config import ModelConfig
from g2_pipelines.models.errors import (
    BadModelSettingsError,
    OutOfQuotaError,
    RefusedKeyError,
    RefusedRequestError,
    UnreachableModelError,
)
from g2_pipelines.models.faults import retry_after_s
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines.models.ports import Completion, ImagePart, Message
from g2_pipelines_tests.models.helpers import KEY, answers, ask, settings
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat, error


def test_results_stand_in_the_order_of_requests_whatever_finishes_first() -> None:
    def script(request: ServerRequest) -> Reply:
        return chat(f"answer to {request.prompt}", delay_s=0.2 if request.prompt == "0" else 0)

    with ModelServer(script) as server:
        results = answers(OpenAIEngine(settings(server)), [ask(str(n)) for n in range(10)])
    assert [r.text for r in results if isinstance(r, Completion)] == [
        f"answer to {n}" for n in range(10)
    ]


def test_a_passing_fault_is_retried_and_all_attempts_are_counted() -> None:
    with ModelServer(lambda r: error(500) if r.number < 2 else None) as server:
        engine = OpenAIEngine(settings(server))
        answered = asyncio.run(engine.answer(ask()))
    assert isinstance(answered.result, Completion)
    assert answered.attempts == 3


def test_retry_after_is_waited_for_and_holds_back_the_other_requests() -> None:
    times: list[float] = []

    def script(request: ServerRequest) -> Reply | None:
        times.append(time.monotonic())
        return error(429, headers={"Retry-After": "0.5"}) if request.number == 0 else None

    with ModelServer(script) as server:
        results = answers(OpenAIEngine(settings(server, concurrency=1)), [ask("a"), ask("b")])
    assert all(isinstance(result, Completion) for result in results)
    assert times[1] - times[0] >= 0.45


def test_out_of_quota_stops_the_calls_that_were_not_sent() -> None:
    """Harm: thousands of refused requests against an account that is blocked."""
    with ModelServer(lambda r: error(429, "quota", "insufficient_quota")) as server:
        engine = OpenAIEngine(settings(server, concurrency=2))
        results = answers(engine, [ask(str(n)) for n in range(30)])
        assert all(type(result) is OutOfQuotaError for result in results)
        assert server.count <= 2


def test_a_key_refused_again_and_again_stops_the_calls() -> None:
    with ModelServer(lambda r: error(401)) as server:
        results = answers(
            OpenAIEngine(settings(server, concurrency=1)), [ask(str(n)) for n in range(30)]
        )
        assert all(type(result) is RefusedKeyError for result in results)
        assert server.count == 3


def test_no_more_requests_are_in_flight_than_configured() -> None:
    flying, most = 0, 0
    lock = threading.Lock()

    def script(request: ServerRequest) -> Reply:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        time.sleep(0.02)
        with lock:
            flying -= 1
        return chat("ok")

    with ModelServer(script) as server:
        answers(OpenAIEngine(settings(server, concurrency=3)), [ask(str(n)) for n in range(12)])
    assert most == 3


def test_the_body_holds_schema_seed_images_and_budget() -> None:
    png = b"\x89PNG\r\n\x1a\nfake"
    request = ask(
        "読む",
        json_schema='{"type":"object","properties":{},"required":[],"additionalProperties":false}',
        schema_name="node",
        temperature=0.5,
        top_p=0.9,
        seed=7,
        messages=(
            Message(role="system", text="規則"),
            Message(
                role="user", text="読む", images=(ImagePart(media_type="image/png", data=png),)
            ),
        ),
    )
    with ModelServer() as server:
        answers(OpenAIEngine(settings(server)), [request])
        body = server.requests[0].body
    assert body["messages"][0] == {"role": "system", "content": "規則"}
    image, text = body["messages"][1]["content"]
    assert image["image_url"]["url"] == "data:image/png;base64," + base64.b64encode(png).decode()
    assert text == {"type": "text", "text": "読む"}
    assert body["response_format"]["json_schema"]["name"] == "node"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert (body["max_tokens"], body["seed"], body["temperature"], body["top_p"]) == (
        50,
        7,
        0.5,
        0.9,
    )
    assert body["model"] == "test-model"


def test_tokens_and_prefix_cache_of_the_server_are_reported() -> None:
    with ModelServer() as server:
        [result] = answers(OpenAIEngine(settings(server, revision="abc")), [ask()])
    assert isinstance(result, Completion)
    assert (result.prompt_tokens, result.completion_tokens, result.cached_tokens) == (7, 3, 2)
    assert (result.engine, result.model) == ("openai", "test-model@abc")


def test_the_text_is_returned_as_the_model_wrote_it() -> None:
    """NFD, NUL, tabs and full width survive: spans point into this text."""
    text = "が\u3099か\u3099\t１２３\x00△ ㈱"
    with ModelServer(lambda r: chat(text)) as server:
        [result] = answers(OpenAIEngine(settings(server)), [ask()])
    assert isinstance(result, Completion)
    assert result.text == text


def test_a_prompt_with_half_a_surrogate_is_refused_without_a_call() -> None:
    with ModelServer() as server:
        [result] = answers(OpenAIEngine(settings(server)), [ask("\ud800")])
        assert type(result) is RefusedRequestError
        assert server.count == 0


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with ModelServer() as server:
        config = settings(server)
    [result] = answers(OpenAIEngine(config), [ask()])
    assert type(result) is UnreachableModelError


def test_several_servers_share_the_work_and_one_prefix_stays_at_one() -> None:
    with ModelServer() as one, ModelServer() as two:
        config = ModelConfig(base_url=f"{one.base_url}, {two.base_url}", model="test-model")
        engine = OpenAIEngine(config)
        answers(engine, [ask(str(n)) for n in range(40)])
        assert min(one.count, two.count) > 5
        before = (one.count, two.count)
        answers(engine, [ask("同じ文書", max_tokens=n) for n in range(1, 9)])
        assert sorted([one.count - before[0], two.count - before[1]]) == [0, 8]


def test_an_engine_works_in_one_event_loop_after_another() -> None:
    """Dagster runs a loop per step; connections of a closed loop must not be used again."""
    with ModelServer() as server:
        engine = OpenAIEngine(settings(server))
        for _ in range(3):
            assert isinstance(answers(engine, [ask()])[0], Completion)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"base_url": ""}, "base_url"),
        ({"base_url": "localhost:8000"}, "base_url"),
        ({"model": ""}, "model"),
        ({"api_key": "sk-\u3042"}, "api_key"),
        ({"api_key": "sk-x\n"}, "api_key"),
    ],
)
def test_incomplete_settings_are_refused_by_the_name_of_the_field(
    fields: dict[str, str], place: str
) -> None:
    values = {"base_url": "http://127.0.0.1:1/v1", "model": "m", "api_key": "k", **fields}
    with pytest.raises(BadModelSettingsError) as raised:
        OpenAIEngine(ModelConfig.model_validate(values))
    assert raised.value.place == place
    assert values["api_key"] not in str(raised.value)


def test_a_failure_names_the_server_without_user_and_query() -> None:
    config = ModelConfig(
        base_url="http://user:pw@127.0.0.1:1/v1?token=t", model="m", max_attempts=1
    )
    [result] = answers(OpenAIEngine(config), [ask()])
    assert "127.0.0.1:1/v1" in str(result)
    assert "pw" not in str(result)
    assert "token" not in str(result)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers) == seconds


def test_retry_after_as_a_date_is_the_time_until_then() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    seconds = retry_after_s({"retry-after": later})
    assert seconds is not None
    assert 95 < seconds <= 100
    past = format_datetime(datetime.now(UTC) - timedelta(seconds=100), usegmt=True)
    assert retry_after_s({"retry-after": past}) == 0.0


def test_the_key_goes_to_the_server_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    """A server that echoes the key must not bring it into messages, logs or tracebacks."""
    caplog.set_level(0)
    with ModelServer(lambda r: error(401, f"Incorrect API key provided: {KEY}")) as server:
        engine = OpenAIEngine(settings(server))
        [result] = answers(engine, [ask()])
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert isinstance(result, RefusedKeyError)
    shown = [
        str(result),
        repr(result),
        repr(result.__cause__),
        repr(engine),
        repr(settings(server)),
    ]
    shown += [json.dumps(str(vars(result))), settings(server).model_dump_json(), caplog.text]
    assert result.__cause__ is None
    assert not any(KEY in text for text in shown)
