"""The call cache's key: each thing that an answer depends on, and nothing else."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from g2_pipelines.models.callkey import call_key
from g2_pipelines.models.config import ModelConfig
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines.models.ports import CompletionRequest, ImagePart, Message

SCHEMA = '{"type":"object"}'

requests = st.builds(
    CompletionRequest,
    task=st.text(max_size=5),
    subject=st.text(max_size=5),
    messages=st.lists(
        st.builds(
            Message,
            role=st.sampled_from(["system", "user", "assistant"]),
            text=st.text(max_size=20),
            images=st.lists(
                st.builds(
                    ImagePart,
                    media_type=st.just("image/png"),
                    data=st.binary(min_size=1, max_size=5),
                ),
                max_size=2,
            ).map(tuple),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
    json_schema=st.none() | st.just(SCHEMA),
    max_tokens=st.integers(1, 9999),
    temperature=st.floats(0, 2),
    top_p=st.floats(0.01, 1),
    seed=st.none() | st.integers(0, 2**31),
)


def key_of(request: CompletionRequest) -> str:
    return call_key("openai", "m", "r1", request)


def changes(request: CompletionRequest) -> dict[str, dict[str, Any]]:
    first = request.messages[0]
    image = ImagePart(media_type="image/png", data=b"another picture")
    return {
        "text": {
            "messages": (
                first.model_copy(update={"text": first.text + "。"}),
                *request.messages[1:],
            )
        },
        "role": {
            "messages": (
                first.model_copy(update={"role": "user" if first.role != "user" else "system"}),
                *request.messages[1:],
            )
        },
        "image": {
            "messages": (
                first.model_copy(update={"images": (*first.images, image)}),
                *request.messages[1:],
            )
        },
        "one more message": {"messages": (*request.messages, Message(role="user", text=""))},
        "schema": {"json_schema": '{"type":"object","x":1}'},
        "max_tokens": {"max_tokens": request.max_tokens + 1},
        "temperature": {"temperature": request.temperature + 0.5},
        "top_p": {"top_p": request.top_p / 2},
        "seed": {"seed": 1 if request.seed is None else None},
    }


@settings(derandomize=True, max_examples=40, deadline=None)
@given(requests)
def test_the_key_changes_with_everything_that_the_model_is_told(request: CompletionRequest) -> None:
    keys = {
        name: key_of(request.model_copy(update=change)) for name, change in changes(request).items()
    }
    assert key_of(request) not in keys.values()
    assert len(set(keys.values())) == len(keys)


@settings(derandomize=True, max_examples=20, deadline=None)
@given(requests)
def test_the_key_changes_with_engine_model_and_revision(request: CompletionRequest) -> None:
    keys = {
        call_key(*names, request)
        for names in [
            ("openai", "m", "r1"),
            ("vllm", "m", "r1"),
            ("openai", "m2", "r1"),
            ("openai", "m", ""),
        ]
    }
    assert len(keys) == 4


@settings(derandomize=True, max_examples=20, deadline=None)
@given(requests, st.text(max_size=5), st.text(max_size=5))
def test_the_key_does_not_change_with_task_and_subject(
    request: CompletionRequest, task: str, subject: str
) -> None:
    other = request.model_copy(update={"task": task, "subject": subject})
    assert key_of(other) == key_of(request)


@settings(derandomize=True, max_examples=10, deadline=None)
@given(requests, st.floats(0.1, 900), st.integers(1, 99))
def test_the_key_does_not_change_with_url_key_timeout_and_limits(
    request: CompletionRequest, timeout_s: float, number: int
) -> None:
    one = OpenAIEngine(ModelConfig(base_url="http://a/v1", model="m", revision="r1"))
    two = OpenAIEngine(
        ModelConfig(
            base_url="https://b.example/v1",
            api_key=SecretStr("k"),
            model="m",
            revision="r1",
            timeout_s=timeout_s,
            concurrency=number,
            max_attempts=number,
        )
    )
    assert one.key_of(request) == two.key_of(request) == key_of(request)


def test_the_key_is_stable_between_versions_of_this_code() -> None:
    """Harm: an innocent change of the key asks for every paid answer again."""
    request = CompletionRequest(
        task="t", subject="s", messages=(Message(role="user", text="要約\ud800"),), max_tokens=10
    )
    assert key_of(request) == "b0307c0443549eeaeb1317f755cbc9a99f6b60a5ef6dd8477b3b3469bd39195e"
