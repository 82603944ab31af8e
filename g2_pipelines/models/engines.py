"""What stands behind the completion port: one engine, wrapped by the call cache.

Here: the Protocol of an engine and what it tells the ledger. ``openai_engine`` implements
it; an engine that runs in process and batches collects its concurrent ``answer`` calls.
Only this package's modules import this one.
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from g2_pipelines.models.ports import CompletionRequest, CompletionResult


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a call cost, as the server counts them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class Answered:
    """A result with what the ledger wants: attempts (0: not sent), tokens of all, seconds."""

    result: CompletionResult
    attempts: int
    usage: Usage
    latency_s: float


class Engine(Protocol):
    """What the call cache wraps. An engine that batches collects concurrent ``answer`` calls."""

    @property
    def engine(self) -> str:
        """Kind of engine, part of the key."""
        ...

    @property
    def model(self) -> str:
        """Name and revision, for rows."""
        ...

    @property
    def concurrency(self) -> int:
        """Requests that it works on at once."""
        ...

    def key_of(self, request: CompletionRequest) -> str:
        """The call cache's key of ``request``."""
        ...

    def session(self) -> AbstractAsyncContextManager[None]:
        """Async context manager that keeps connections for a batch."""
        ...

    async def answer(self, request: CompletionRequest) -> Answered:
        """One answer; failures are values."""
        ...
