"""Requests and tokens per minute, kept by the client: one token bucket a server and model.

Here: the bucket, and the one that all ports of a process share. What a request weighs is
``weight``'s matter; pauses that a server asks for are ``server``'s. Only this package's
modules import this one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from time import monotonic

from g2_pipelines.models.config import ServerConfig

_MINUTE_S = 60.0


class Bucket:
    """A token bucket that no 60 s see more than ``per_minute`` units leave.

    It holds a second's share and is filled with the rest of the minute: a bucket as large as
    the limit would let twice the limit through in its first minute. A request larger than
    the bucket goes when it is full, and leaves it in debt.
    """

    def __init__(self, per_minute: float) -> None:
        self.per_minute = per_minute
        self._size = max(1.0, per_minute / _MINUTE_S)
        left = per_minute - self._size
        self._per_second = (left if left > 0 else per_minute) / _MINUTE_S
        self._level = self._size
        self._at: float | None = None

    def delay_s(self, units: float, now: float) -> float:
        """Take ``units``; seconds from ``now`` at which their request may leave."""
        if self._at is not None:
            self._level = min(self._size, self._level + (now - self._at) * self._per_second)
        self._at = now
        needed = min(units, self._size)
        delay = max(0.0, (needed - self._level) / self._per_second)
        self._level -= units
        return delay

    def give_back(self, units: float) -> None:
        """Correct an estimate: what was not used is free again, what was used more is owed."""
        self._level = min(self._size, self._level + units)


class RateLimiter:
    """Requests and tokens per minute; safe in threads and event loops, 0 means no limit."""

    def __init__(
        self,
        requests_per_minute: int,
        tokens_per_minute: int,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.tokens_per_minute = tokens_per_minute
        self._requests = Bucket(requests_per_minute) if requests_per_minute else None
        self._tokens = Bucket(tokens_per_minute) if tokens_per_minute else None
        self._clock = clock
        self._lock = threading.Lock()

    def delay_s(self, tokens: int) -> float:
        """Take one request of ``tokens``; seconds until it may leave, in order of arrival."""
        with self._lock:
            now = self._clock()
            delays = [0.0]
            if self._requests:
                delays.append(self._requests.delay_s(1, now))
            if self._tokens:
                delays.append(self._tokens.delay_s(tokens, now))
            return max(delays)

    async def take(self, tokens: int) -> None:
        """Wait until a request of ``tokens`` may leave; cancelled, it gives them back."""
        delay = self.delay_s(tokens)
        if delay > 0:
            try:
                await asyncio.sleep(delay)
            except asyncio.CancelledError:
                self.settle(tokens, 0)
                raise

    def settle(self, taken: int, used: int) -> None:
        """Say what a request of ``taken`` tokens used."""
        if self._tokens:
            with self._lock:
                self._tokens.give_back(taken - used)


_SHARED: dict[tuple[str, str, int, int], RateLimiter] = {}
_SHARING = threading.Lock()


def shared_limiter(config: ServerConfig) -> RateLimiter | None:
    """The process's one limiter of this server and model, None where nothing is limited.

    All runs, tasks, threads and event loops of the process share it; several processes
    divide the limit among them by their settings.
    """
    requests, tokens = config.requests_per_minute, config.tokens_per_minute
    if not requests and not tokens:
        return None
    name = (config.base_url, config.model, requests, tokens)
    with _SHARING:
        return _SHARED.setdefault(name, RateLimiter(requests, tokens))
