"""The completion port that all work goes through: an engine behind call cache and ledger.

Here: which requests are served, which are sent, who waits for whom. Storing stands in
``cache``, asking in the engine. Only ``build`` and tests import this module.

Each answer is committed before anybody gets it, so a kill costs at most the calls in flight.
Failures and answers cut at their limit are never stored. All database work runs in one
thread of its own: the event loop never waits for a disk or another process's lock.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import TypeVar
from uuid import uuid4

from pydantic import ValidationError

from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.claims import Claim, Finished, Held, Hit, Turned
from g2_pipelines.models.engines import Answered, Engine
from g2_pipelines.models.grouped import Grouped
from g2_pipelines.models.ledger import started_now
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult
from g2_pipelines.models.prefix import PrefixOrder
from g2_pipelines.models.purpose import purpose
from g2_pipelines.tables.ledger import ModelCall

R = TypeVar("R")

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.05, 1.0


class _Batch:
    """One ``complete``: requests by key, results so far, and the owner of its claims."""

    def __init__(self, port: CachedCompletion) -> None:
        self.owner = uuid4().hex
        self.requests: dict[str, list[CompletionRequest]] = {}
        self.results: dict[str, CompletionResult] = {}
        self.served: list[ModelCall] = []
        self.storing: set[asyncio.Task[None]] = set()
        self._turning = Grouped[Finished | ModelCall, Turned](
            lambda items: port.run(lambda: port.store.turn(items, self.owner))
        )

    async def acquire(self, row: ModelCall) -> Hit | Claim | Held:
        """Serve a key, claim it, or find it held."""
        state = await self._turning.do(row)
        if isinstance(state, Hit | Claim | Held):
            return state
        raise AssertionError(state)  # pragma: no cover  a call's own kind of result

    async def finish(self, call: Finished) -> bytes | None:
        """Commit an answer; the payload to use, which may be another's."""
        return await self.finished(self._turning.put(call))

    def store(self, call: Finished) -> Coroutine[None, None, Turned]:
        """Commit an answer before all that is asked of the database from now on."""
        return self._turning.put(call)

    @staticmethod
    async def finished(turned: Coroutine[None, None, Turned]) -> bytes | None:
        """The payload of ``store``, when it is committed."""
        payload = await turned
        if payload is None or isinstance(payload, bytes):
            return payload
        raise AssertionError(payload)  # pragma: no cover


class CachedCompletion:
    """A CompletionPort over ``engine`` that never pays for a call twice."""

    def __init__(self, engine: Engine, store: CallStore) -> None:
        self._engine = engine
        self.store = store
        self._prefixes = PrefixOrder()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="g2-calls")

    @property
    def engine(self) -> str:
        """The engine's kind."""
        return self._engine.engine

    @property
    def model(self) -> str:
        """The engine's model and revision."""
        return self._engine.model

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """Serve what is stored, send the rest, store before returning; in order.

        Equal requests of a batch are sent once. A key that another process works on is
        waited for. Raises CallCacheError when the database cannot be used; what was answered
        until then is stored, if it could be.
        """
        keys = [self._engine.key_of(request) for request in requests]
        batch = _Batch(self)
        for key, request in zip(keys, requests, strict=True):
            batch.requests.setdefault(key, []).append(request)
        await self._serve(batch, list(batch.requests))
        missing = [key for key in batch.requests if key not in batch.results]
        if missing:
            async with self._engine.session(), self._renewing(batch.owner):
                await self._work(batch, missing)
        self._count_repeats(batch)
        await self.run(lambda: self.store.record(batch.served, batch.owner))
        return [batch.results[key] for key in keys]

    async def withdraw(self, call_keys: Sequence[str]) -> None:
        """Forget stored answers that led to a typed failure (ports.Withdraws)."""
        await self.run(lambda: self.store.forget(call_keys))

    def close(self) -> None:
        """Close the database and its thread; the port cannot be used afterwards."""
        self._thread.shutdown()
        self.store.close()

    async def run(self, work: Callable[[], R]) -> R:
        """Run blocking ``work`` in the database's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _serve(self, batch: _Batch, keys: list[str]) -> None:
        """Take what is stored; an entry that is no completion any more is forgotten."""
        found = await self.run(lambda: self.store.find(keys))
        spoilt = []
        for key, payload in found.items():
            completion = _completion_of(payload)
            if completion is None:
                spoilt.append(key)
            else:
                batch.results[key] = completion
                batch.served.append(self._row(batch.requests[key][0], key, completion))
        if spoilt:
            await self.run(lambda: self.store.forget(spoilt))

    async def _work(self, batch: _Batch, missing: list[str]) -> None:
        """Answer the missing keys; those held by others are looked at again until done."""
        free, held, wait_s = missing, list[str](), _FIRST_WAIT_S
        while free or held:
            await self._send_all(batch, deque(free), held)
            if not held:
                return
            await asyncio.sleep(wait_s)
            wait_s = min(wait_s * 1.5, _LONGEST_WAIT_S)
            await self._serve(batch, held)
            held = [key for key in held if key not in batch.results]
            blocked = await self._blocked(held)
            free = [key for key in held if key not in blocked]  # released or run out
            held = [key for key in held if key in blocked]

    async def _blocked(self, keys: list[str]) -> set[str]:
        return await self.run(lambda: self.store.blocked(keys))

    async def _send_all(self, batch: _Batch, queue: deque[str], held: list[str]) -> None:
        async def worker() -> None:
            storing: asyncio.Task[None] | None = None
            while queue:
                key = queue.popleft()
                sent, storing = await self._send(batch, key, storing)
                if not sent:
                    held.append(key)
            if storing is not None:
                await storing

        # No more workers than slots: a slot is free again when its answer is committed (in
        # one transaction with its next claim), so that a kill costs at most ``concurrency``.
        count = min(len(queue), self._engine.concurrency)
        workers = [asyncio.create_task(worker()) for _ in range(count)]
        try:
            await asyncio.gather(*workers)
        finally:
            for task in workers:
                task.cancel()
            await asyncio.gather(*workers, *batch.storing, return_exceptions=True)

    async def _send(
        self, batch: _Batch, key: str, storing: asyncio.Task[None] | None
    ) -> tuple[bool, asyncio.Task[None] | None]:
        """Answer one key, once what was asked before is stored: ``storing``.

        Returns False when the key is held by another process or thread; and the task that
        stores its answer, None where it is stored.
        """
        request = batch.requests[key][0]
        if request.prefix_key is None:
            return await self._send_in_turn(batch, key, request, storing)
        if storing is not None:
            await storing
        async with self._prefixes.turn(request.prefix_key) as turn:
            sent, storing = await self._send_in_turn(batch, key, request, None)
            if storing is not None:
                await storing
                turn.answered = isinstance(batch.results[key], Completion)
        return sent, None

    async def _send_in_turn(
        self,
        batch: _Batch,
        key: str,
        request: CompletionRequest,
        storing: asyncio.Task[None] | None,
    ) -> tuple[bool, asyncio.Task[None] | None]:
        row = self._row(request, key, None)
        claim = await batch.acquire(row)
        if storing is not None:
            await storing
        match claim:
            case Held():
                return False, None
            case Hit(payload=payload):
                completion = _completion_of(payload)
                if completion is None:
                    await self.run(lambda: self.store.forget([key]))
                    return await self._send_in_turn(batch, key, request, None)
                batch.results[key] = completion
                batch.served.append(self._row(request, key, completion))
                return True, None
            case Claim():
                return True, await self._ask(batch, claim, request, row)

    async def _ask(
        self, batch: _Batch, claim: Claim, request: CompletionRequest, row: ModelCall
    ) -> asyncio.Task[None]:
        """Ask the engine; the task that stores the answer and hands it out."""
        cancelled = {"outcome": "failed", "error": "cancelled before an answer", "attempts": 1}
        ended = Finished(claim, None, row.model_copy(update=cancelled))
        result: CompletionResult | None = None
        try:
            answered = await self._engine.answer(request)
            result = answered.result
            payload = None
            if isinstance(result, Completion):
                payload = json.dumps(result.model_dump(), ensure_ascii=True).encode("ascii")
            ended = Finished(claim, payload, _ended(row, answered))
        finally:
            if result is None:
                # Cancelled, or an error of ours: the claim is given free.
                await batch.finish(ended)
        storing = asyncio.create_task(self._stored(batch, ended, batch.store(ended), result))
        batch.storing.add(storing)
        storing.add_done_callback(batch.storing.discard)
        return storing

    async def _stored(
        self,
        batch: _Batch,
        ended: Finished,
        turned: Coroutine[None, None, Turned],
        result: CompletionResult,
    ) -> None:
        kept = await batch.finished(turned)
        batch.results[ended.claim.key] = (_completion_of(kept) if kept else None) or result

    @asynccontextmanager
    async def _renewing(self, owner: str) -> AsyncIterator[None]:
        async def renew() -> None:
            while True:
                await asyncio.sleep(self.store.config.lease_s / 3)
                await self.run(lambda: self.store.renew(owner))

        task = asyncio.create_task(renew())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _count_repeats(self, batch: _Batch) -> None:
        for key, requests in batch.requests.items():
            completion = batch.results[key]
            if isinstance(completion, Completion):
                batch.served += [self._row(request, key, completion) for request in requests[1:]]

    def _row(self, request: CompletionRequest, key: str, served: Completion | None) -> ModelCall:
        """A ledger row: in flight, or served from the cache."""
        charged = purpose()
        return ModelCall(
            key=key,
            task=request.task,
            subject=request.subject,
            asset=charged.asset,
            partition=charged.partition,
            engine=self._engine.engine,
            model=self._engine.model,
            prompt_tokens=served.prompt_tokens if served else 0,
            completion_tokens=served.completion_tokens if served else 0,
            cached_tokens=served.cached_tokens if served else 0,
            latency_s=0.0,
            attempts=0,
            outcome="cached" if served else "in_flight",
            started_at=started_now(),
        )


def _ended(row: ModelCall, answered: Answered) -> ModelCall:
    result = answered.result
    error = "" if isinstance(result, Completion) else f"{result.code}: {result.message}"
    return row.model_copy(
        update={
            "prompt_tokens": answered.usage.prompt_tokens,
            "completion_tokens": answered.usage.completion_tokens,
            "cached_tokens": answered.usage.cached_tokens,
            "latency_s": round(answered.latency_s, 3),
            "attempts": answered.attempts,
            "outcome": "failed" if error else "ok",
            "error": error,
        }
    )


def _completion_of(payload: bytes) -> Completion | None:
    try:
        return Completion.model_validate(json.loads(payload))
    except (ValidationError, ValueError):
        return None
