"""Calls that begin alike: one leads, and its lead passes on when it warmed nothing."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from g2_pipelines.models.config import ModelConfig
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines.models.ports import CompletionRequest, Message
from g2_pipelines.models.prefix import PrefixOrder
from g2_pipelines_tests.models.server import ModelServer


class Calls:
    """Calls that begin, and end when told."""

    def __init__(self, order: PrefixOrder) -> None:
        self.order = order
        self.begun: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def start(self, name: str, key: str | None, *, answered: bool = True) -> asyncio.Task[None]:
        self.gates[name] = asyncio.Event()

        async def call() -> None:
            async with self.order.turn(key) as turn:
                self.begun.append(name)
                await self.gates[name].wait()
                turn.answered = answered

        self.tasks.append(asyncio.create_task(call()))
        return self.tasks[-1]

    async def settle(self) -> list[str]:
        for _ in range(20):
            await asyncio.sleep(0)
        return list(self.begun)

    async def end(self, name: str) -> list[str]:
        self.gates[name].set()
        return await self.settle()


@pytest.fixture
def order() -> PrefixOrder:
    return PrefixOrder()


def test_the_others_follow_the_firsts_answer_all_at_once(order: PrefixOrder) -> None:
    async def story() -> None:
        calls = Calls(order)
        for name in ("a", "b", "c"):
            calls.start(name, "document")
        calls.start("other", "another document")
        calls.start("free", None)
        assert await calls.settle() == ["a", "other", "free"]
        assert await calls.end("a") == ["a", "other", "free", "b", "c"]
        calls.start("later", "document")
        assert (await calls.settle())[-1] == "later"
        for name in ("b", "c", "other", "free", "later"):
            await calls.end(name)
        await asyncio.gather(*calls.tasks)

    asyncio.run(story())


def test_a_leader_that_warmed_nothing_hands_the_lead_to_one_of_those_that_wait(
    order: PrefixOrder,
) -> None:
    """Served from the cache, failed or cancelled: the server still does not know the document."""

    async def story() -> None:
        calls = Calls(order)
        calls.start("cached", "document", answered=False)
        cancelled = calls.start("cancelled", "document")
        calls.start("c", "document")
        calls.start("d", "document")
        assert await calls.settle() == ["cached"]
        assert await calls.end("cached") == ["cached", "cancelled"]
        cancelled.cancel()
        assert await calls.settle() == ["cached", "cancelled", "c"]
        assert await calls.end("c") == ["cached", "cancelled", "c", "d"]
        await calls.end("d")
        await asyncio.gather(*calls.tasks, return_exceptions=True)

    asyncio.run(story())


def test_one_order_serves_one_event_loop_after_another(order: PrefixOrder) -> None:
    async def story(name: str) -> list[str]:
        calls = Calls(order)
        calls.start(name, "document", answered=False)
        begun = await calls.settle()
        await calls.end(name)
        return begun

    assert [asyncio.run(story(name)) for name in ("a", "b")] == [["a"], ["b"]]


def test_calls_that_begin_alike_go_to_one_server_and_documents_are_spread() -> None:
    """All prompts of a task have one system text: by that, every call would go to one server."""

    async def ask(urls: str) -> None:
        engine = OpenAIEngine(ModelConfig(base_url=urls, model="test"))
        await engine.complete(
            [
                CompletionRequest(
                    task="t",
                    subject="s",
                    prefix_key=f"document {n}",
                    messages=(
                        Message(role="system", text="the same"),
                        Message(role="user", text=f"document {n}, question {k}"),
                    ),
                    max_tokens=10,
                )
                for n in range(24)
                for k in range(2)
            ]
        )

    with ModelServer() as one, ModelServer() as two:
        asyncio.run(ask(f"{one.base_url},{two.base_url}"))
        seen = [
            Counter(request.body["messages"][1]["content"].split(",")[0] for request in s.requests)
            for s in (one, two)
        ]
    assert all(seen), "both servers are used"
    assert not seen[0].keys() & seen[1].keys()
    assert {*seen[0].values(), *seen[1].values()} == {2}
