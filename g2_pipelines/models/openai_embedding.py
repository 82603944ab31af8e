"""Engine ``openai`` for embeddings: any server that speaks the OpenAI protocol.

Here: batches, their bodies, and the checks of what comes back (count, order, dimension,
NaN). Sending, retries and limits stand in ``server``. ``build`` imports this module.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from time import monotonic

from pydantic import BaseModel, ValidationError

from g2_pipelines.models.config import EmbeddingConfig
from g2_pipelines.models.control_tokens import neutral
from g2_pipelines.models.engines import Usage
from g2_pipelines.models.errors import (
    BadModelSettingsError,
    BrokenAnswerError,
    ContextOverflowError,
    Failure,
    RefusedRequestError,
)
from g2_pipelines.models.faults import BROKEN_REMEDY, Trial, status_trial
from g2_pipelines.models.ports import EmbeddingResult
from g2_pipelines.models.server import ServerClient
from g2_pipelines.models.vectors import checked, encodable
from g2_pipelines.text.tokens import tokenizer


class _Vector(BaseModel):
    index: int
    embedding: list[float]


class _Usage(BaseModel):
    prompt_tokens: int = 0


class _Reply(BaseModel):
    data: list[_Vector]
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text's vector or failure, with what the ledger wants.

    tokens: the text's share, by its length, of what the server counted for its request.
    """

    result: EmbeddingResult
    tokens: int = 0
    attempts: int = 0
    latency_s: float = 0.0


class OpenAIEmbedding:
    """The EmbeddingPort of a server.

    Raises:
        BadModelSettingsError: URL, model or dimension is missing.
    """

    engine = "openai"

    def __init__(self, config: EmbeddingConfig) -> None:
        self._config = config
        self._server = ServerClient(config)
        if config.dimension < 1:
            msg = "The embedding model's dimension is missing"
            remedy = "Set it to the length of the model's vectors"
            raise BadModelSettingsError(msg, place="embedding_dimension", remedy=remedy)

    @property
    def model(self) -> str:
        """Name, and ``@revision`` where one is configured."""
        revision = self._config.revision
        return f"{self._config.model}@{revision}" if revision else self._config.model

    @property
    def dimension(self) -> int:
        """As configured; every vector is checked against it."""
        return self._config.dimension

    async def embed(self, texts: Sequence[str]) -> list[EmbeddingResult]:
        """A vector a text, rounded to 6 decimals, or its failure; in order."""
        return [embedded.result for embedded in await self.measure(texts)]

    async def measure(self, texts: Sequence[str]) -> list[Embedded]:
        """Like ``embed``, with tokens, attempts and seconds.

        Equal texts are sent once. A batch that the server refuses is halved until the text
        that it refuses stands alone.
        """
        # A server reads control tokens in these texts too: one would end the text there.
        shown = [neutral(encodable(text)) for text in texts]
        unique = list(dict.fromkeys(shown))
        size = self._config.batch_texts
        parts = [unique[start : start + size] for start in range(0, len(unique), size)]
        async with self._server.session():
            done = await asyncio.gather(*(self._embed(part) for part in parts))
        vectors = dict(zip(unique, (vector for part in done for vector in part), strict=True))
        return [vectors[text] for text in shown]

    async def _embed(self, texts: list[str]) -> list[Embedded]:
        # Without encoding_format some servers send base64.
        body = {"model": self._config.model, "input": texts, "encoding_format": "float"}
        begin = monotonic()
        called = await self._server.call(
            "/embeddings",
            body,
            lane=texts[0],
            read=lambda content: self._read(content, len(texts)),
            tokens=self._weight(texts),
        )
        latency_s = (monotonic() - begin) / len(texts)
        shares = _shares(called.usage.prompt_tokens, texts)
        if called.value is not None:
            return [
                Embedded(vector, tokens, called.attempts, latency_s)
                for vector, tokens in zip(called.value, shares, strict=True)
            ]
        failure = called.failure
        if isinstance(failure, RefusedRequestError | ContextOverflowError) and len(texts) > 1:
            middle = len(texts) // 2
            return [*await self._embed(texts[:middle]), *await self._embed(texts[middle:])]
        if failure is None:  # pragma: no cover  a call holds one of the two
            msg = "a call ended without value and failure"
            raise AssertionError(msg)
        return [Embedded(failure, tokens, called.attempts, latency_s) for tokens in shares]

    def _weight(self, texts: list[str]) -> int:
        if not self._server.weighs:
            return 0
        counter = tokenizer(self._config.tokenizer)
        return sum(counter.count(text) for text in texts)

    def _read(self, content: bytes, count: int) -> Trial[list[EmbeddingResult]]:
        try:
            # The standard library reads NaN, so that only the vector with it is lost.
            body = json.loads(content)
            reply = _Reply.model_validate(body)
        except (ValidationError, ValueError, RecursionError):
            return self._broken(content)
        usage = Usage(prompt_tokens=max(0, reply.usage.prompt_tokens if reply.usage else 0))
        if sorted(vector.index for vector in reply.data) != list(range(count)):
            message = f"{len(reply.data)} vectors came back for {count} texts"
            return Trial(failure=self._failure(message), again=True, usage=usage)
        ordered = sorted(reply.data, key=lambda vector: vector.index)
        return Trial(
            value=[checked(vector.embedding, self.dimension, self.model) for vector in ordered],
            usage=usage,
        )

    def _broken(self, content: bytes) -> Trial[list[EmbeddingResult]]:
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict) and (body.get("error") or body.get("object") == "error"):
            return status_trial(200, content, {}, self._server.where)
        failure = self._failure("The answer's body is not one of the embedding protocol")
        return Trial(failure=failure, again=True)

    def _failure(self, message: str) -> Failure:
        where = self._server.where
        return BrokenAnswerError(
            message, file=where.server, place=where.model, remedy=BROKEN_REMEDY
        )


def _shares(total: int, texts: list[str]) -> list[int]:
    """``total`` dealt out by the texts' lengths; the shares' sum is ``total``."""
    lengths = [len(text) + 1 for text in texts]
    ends = [total * done // sum(lengths) for done in accumulate(lengths)]
    return [end - start for start, end in pairwise([0, *ends])]
