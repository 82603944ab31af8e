"""Embeddings of a server behind the call cache: a text is paid once per model.

Only ``build`` and tests import this module. The embedded engine needs none of it: it is
faster than a look into the cache. Claims, leases and generations are those of ``cache``;
a batch is committed when its engine call ends, so a kill costs at most one batch of texts.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from uuid import uuid4

from g2_pipelines.keys import digest_of
from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.claims import Claim, Finished, Held, Hit
from g2_pipelines.models.ledger import started_now
from g2_pipelines.models.openai_embedding import Embedded, OpenAIEmbedding
from g2_pipelines.models.ports import EmbeddingResult
from g2_pipelines.models.purpose import purpose
from g2_pipelines.models.vectors import checked, encodable
from g2_pipelines.tables.ledger import ModelCall

R = TypeVar("R")

KEY_VERSION = 1
_TEXTS_PER_STEP = 256
_WAIT_S = 0.2


class CachedEmbedding:
    """An EmbeddingPort over ``port`` that never pays for a text twice."""

    def __init__(self, port: OpenAIEmbedding, store: CallStore) -> None:
        self._port = port
        self._store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="g2-vectors")

    @property
    def engine(self) -> str:
        """The engine's kind."""
        return self._port.engine

    @property
    def model(self) -> str:
        """The engine's model and revision."""
        return self._port.model

    @property
    def dimension(self) -> int:
        """The engine's dimension."""
        return self._port.dimension

    async def embed(self, texts: Sequence[str]) -> list[EmbeddingResult]:
        """A vector a text, served or sent; failures are not kept. In order.

        Raises CallCacheError when the database cannot be used.
        """
        by_key = {self._key(text): text for text in texts}
        results: dict[str, EmbeddingResult] = {}
        owner = uuid4().hex
        waiting = list(by_key)
        while waiting:
            held: list[str] = []
            for start in range(0, len(waiting), _TEXTS_PER_STEP):
                step = waiting[start : start + _TEXTS_PER_STEP]
                held += await self._step(step, by_key, results, owner)
            if held:
                await asyncio.sleep(_WAIT_S)
            waiting = held
        return [results[self._key(text)] for text in texts]

    async def _step(
        self,
        keys: list[str],
        by_key: dict[str, str],
        results: dict[str, EmbeddingResult],
        owner: str,
    ) -> list[str]:
        """Answer ``keys`` into ``results``; returns those that another process works on."""
        found = await self._run(lambda: self._store.find(keys))
        results.update({key: self._vector(payload) for key, payload in found.items()})
        rows = [self._row(key) for key in keys if key not in found]
        if not rows:
            return []
        states = await self._run(lambda: self._store.acquire(rows, owner))
        claims: list[tuple[Claim, ModelCall]] = []
        held: list[str] = []
        for row, state in zip(rows, states, strict=True):
            match state:
                case Hit(payload=payload):
                    results[row.key] = self._vector(payload)
                case Held():
                    held.append(row.key)
                case Claim():
                    claims.append((state, row))
        if claims:
            await self._send(claims, by_key, results)
        return held

    async def _send(
        self,
        claims: list[tuple[Claim, ModelCall]],
        by_key: dict[str, str],
        results: dict[str, EmbeddingResult],
    ) -> None:
        cancelled = {"outcome": "failed", "error": "cancelled before an answer", "attempts": 1}
        ended = [Finished(claim, None, row.model_copy(update=cancelled)) for claim, row in claims]
        try:
            made = await self._port.measure([by_key[row.key] for _, row in claims])
            ended = [
                _ended(claim, row, embedded)
                for (claim, row), embedded in zip(claims, made, strict=True)
            ]
            results.update(
                {row.key: embedded.result for (_, row), embedded in zip(claims, made, strict=True)}
            )
        finally:
            kept = await asyncio.shield(self._run(lambda: self._store.finish(ended)))
        for (_, row), payload in zip(claims, kept, strict=True):
            if payload is not None:
                results[row.key] = self._vector(payload)

    def _vector(self, payload: bytes) -> EmbeddingResult:
        return checked(json.loads(payload), self.dimension, self.model)

    def _key(self, text: str) -> str:
        told = [KEY_VERSION, "embedding", self.engine, self.model, self.dimension, encodable(text)]
        return digest_of(json.dumps(told, ensure_ascii=True).encode("ascii"))

    def _row(self, key: str) -> ModelCall:
        charged = purpose()
        return ModelCall(
            key=key,
            task="embedding",
            subject=charged.partition,
            asset=charged.asset,
            partition=charged.partition,
            engine=self.engine,
            model=self.model,
            prompt_tokens=0,
            completion_tokens=0,
            cached_tokens=0,
            latency_s=0.0,
            attempts=0,
            outcome="in_flight",
            started_at=started_now(),
        )

    async def _run(self, work: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _ended(claim: Claim, row: ModelCall, embedded: Embedded) -> Finished:
    vector = embedded.result
    cost: dict[str, object] = {
        "prompt_tokens": embedded.tokens,
        "attempts": embedded.attempts,
        "latency_s": round(embedded.latency_s, 3),
    }
    if isinstance(vector, list):
        payload = json.dumps(vector).encode("ascii")
        return Finished(claim, payload, row.model_copy(update={**cost, "outcome": "ok"}))
    error = f"{vector.code}: {vector.message}"
    ended = row.model_copy(update={**cost, "outcome": "failed", "error": error})
    return Finished(claim, None, ended)
