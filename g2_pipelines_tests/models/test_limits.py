"""Limits per minute that the client keeps: over any minute, over all tasks, by real tokens."""

from __future__ import annotations

import asyncio
import threading
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.models.config import ModelConfig
from g2_pipelines.models.errors import ContextOverflowError, RateLimitedError
from g2_pipelines.models.limits import Bucket, RateLimiter, shared_limiter
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines.models.ports import Completion
from g2_pipelines.models.server import ServerClient
from g2_pipelines.text.tokens import tokenizer
from g2_pipelines_tests.models.helpers import answers, ask
from g2_pipelines_tests.models.helpers import settings as engine_settings
from g2_pipelines_tests.models.server import ModelServer


@given(
    st.sampled_from([2, 3, 60, 600]),
    st.lists(st.floats(0, 5, allow_nan=False), min_size=1, max_size=400),
)
@settings(max_examples=60, derandomize=True, deadline=None)
def test_no_minute_sees_more_requests_than_the_limit(limit: int, gaps: list[float]) -> None:
    """Harm: a provider that counts by the minute answers the burst with 429s."""
    bucket, now, left = Bucket(limit), 0.0, []
    for gap in gaps:
        now += gap
        left.append(now + bucket.delay_s(1, now))
    assert left == sorted(left)
    for start in left:
        assert sum(start <= leaving < start + 59.99 for leaving in left) <= limit


def test_the_first_request_of_a_minute_waits_for_nothing_and_the_rest_are_spread() -> None:
    bucket = Bucket(61)  # 61/60 at once, 59.98 a minute after
    delays = [bucket.delay_s(1, 0.0) for _ in range(4)]
    assert delays[0] == 0
    assert [round(b - a) for a, b in pairwise(delays)] == [1, 1, 1]


def test_a_large_request_goes_when_the_bucket_is_full_and_is_paid_back_afterwards() -> None:
    limiter = RateLimiter(0, 6_000, clock=lambda: 0.0)
    assert limiter.delay_s(3_000) == 0
    assert 29 < limiter.delay_s(100) < 32  # 3,000 tokens take half a minute and a little


def test_tokens_that_were_not_used_are_free_again() -> None:
    limiter = RateLimiter(0, 6_000, clock=lambda: 0.0)
    limiter.delay_s(3_000)
    limiter.settle(3_000, 100)
    assert limiter.delay_s(100) < 2


def test_a_request_that_is_cancelled_while_it_waits_gives_its_tokens_back() -> None:
    """Harm: the next run of the process waits for calls that were never made."""
    limiter = RateLimiter(0, 6_000, clock=lambda: 0.0)
    limiter.delay_s(100)

    async def cancelled() -> None:
        task = asyncio.create_task(limiter.take(3_000))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert limiter.delay_s(100) < 2


def test_ports_of_one_process_share_a_limit_and_other_models_have_their_own() -> None:
    config = ModelConfig(base_url="http://a/v1", model="m", requests_per_minute=7)
    assert shared_limiter(config) is shared_limiter(config.model_copy(update={"timeout_s": 1.0}))
    assert shared_limiter(config) is not shared_limiter(config.model_copy(update={"model": "n"}))
    assert shared_limiter(config.model_copy(update={"requests_per_minute": 0})) is None


def test_two_ports_in_two_threads_keep_one_limit_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Harm: eight tasks of a run, each within the limit, are eight times over it."""
    delays: list[float] = []

    class Noting(RateLimiter):
        async def take(self, tokens: int) -> None:
            delays.append(self.delay_s(tokens))

    monkeypatch.setattr("g2_pipelines.models.limits.RateLimiter", Noting)
    with ModelServer() as server:
        config = engine_settings(server, requests_per_minute=1)
        shared = shared_limiter(config)
        assert isinstance(shared, Noting)
        shared._clock = lambda: 0.0
        threads = [
            threading.Thread(
                target=answers, args=(OpenAIEngine(config), [ask(f"{n}-{k}") for k in range(4)])
            )
            for n in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(round(delay) for delay in delays) == [60 * n for n in range(8)]


def test_tokens_are_counted_by_the_models_tokenizer_before_they_are_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Prompt and whole answer are taken; what the server says it used is settled."""
    seen: list[tuple[str, int]] = []

    class Noting(RateLimiter):
        async def take(self, tokens: int) -> None:
            seen.append(("taken", tokens))

        def settle(self, taken: int, used: int) -> None:
            seen.append(("used", used))

    monkeypatch.setattr(
        "g2_pipelines.models.server.shared_limiter", lambda config: Noting(0, 100_000)
    )
    text = "当期の営業利益は前年を上回りました。"
    with ModelServer() as server:
        config = engine_settings(server, tokens_per_minute=100_000, tokenizer="o200k")
        answers(OpenAIEngine(config), [ask(text, max_tokens=50)])
    assert seen == [("taken", tokenizer("o200k").count(text) + 50), ("used", 10)]


def test_a_call_larger_than_the_minutes_tokens_is_refused_unsent() -> None:
    with ModelServer() as server:
        config = engine_settings(server, tokens_per_minute=60)
        large, small = answers(OpenAIEngine(config), [ask("語" * 100), ask("語", max_tokens=5)])
        assert server.count == 1
    assert type(large) is RateLimitedError
    assert "not sent" in large.message
    assert isinstance(small, Completion)


def test_a_prompt_that_cannot_fit_the_context_is_refused_unsent() -> None:
    """Harm: a long prompt is paid for, or cut by a server that says nothing."""
    counter = tokenizer("qwen3")
    text = "当期の営業利益は前年を上回りました。" * 20
    fits = counter.count(text) + 50
    with ModelServer() as server:
        for context, failure in ((fits, None), (fits - 1, ContextOverflowError)):
            config = engine_settings(server, context_tokens=context)
            [result] = answers(OpenAIEngine(config), [ask(text, max_tokens=50)])
            assert (type(result) if failure else None) is failure
        assert server.count == 1
    assert str(fits - 1) in str(result)
    assert text[:10] not in str(result)


def test_calls_leave_one_after_another_not_in_one_burst() -> None:
    """Answers of a burst come in a burst, and each waits for the work on all."""
    client = ServerClient(ModelConfig(base_url="http://127.0.0.1:1/v1", model="m", concurrency=8))

    async def places() -> list[float]:
        async with client.session() as session:
            from g2_pipelines.models.server import _gate

            found = []
            for _ in range(5):
                await _gate(session)
                found.append(session.leave_at)
            return found

    found = asyncio.run(places())
    assert all(b - a >= 0.0009 for a, b in pairwise(found))
