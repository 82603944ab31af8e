"""One POST to an OpenAI-compatible server: concurrency, limits, retries, circuit breaker.

Here: ``ServerClient`` over the official SDK (``sdk``); the engines give it what to send and
how to read the body. Not here: what a body means (``openai_engine``, ``openai_embedding``),
what is kept (``cached``). Only the engines import this module.

The SDK's own retries are off: they would hide attempts from the ledger and send on after
the account ran out of quota. Its connections belong to one event loop, so a client lives
as long as some batch of that loop uses it.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit

import tenacity

from g2_pipelines.models.config import ServerConfig
from g2_pipelines.models.engines import NO_USAGE, Usage
from g2_pipelines.models.errors import (
    BadModelSettingsError,
    Failure,
    ModelTimeoutError,
    OutOfQuotaError,
    OversizedAnswerError,
    RateLimitedError,
    RefusedKeyError,
    UnreachableModelError,
)
from g2_pipelines.models.faults import Trial, Where, status_trial
from g2_pipelines.models.fleet import Fleet
from g2_pipelines.models.limits import shared_limiter
from g2_pipelines.models.sdk import SLOTS_PER_CLIENT, TooLargeError, open_client

if TYPE_CHECKING:
    import openai
    from openai import AsyncOpenAI

V = TypeVar("V")

#: Calls leave so far apart: sent in one burst, their answers come in one burst too, and each
#: waits for the CPU work of all (64 calls at 1 s: 0.93 of the ideal throughput against 0.95).
_SPACING_S = 0.001

#: Refused keys in a row after which nothing more is sent: a server may lock an account.
_MAX_REFUSED_KEYS = 3


@dataclass(frozen=True, slots=True)
class Called(Generic[V]):
    """A call's end: value or failure, attempts made (0: not sent), tokens of all attempts."""

    value: V | None
    failure: Failure | None
    attempts: int
    usage: Usage = NO_USAGE


@dataclass(slots=True)
class _Session:
    """slots: the free ones' numbers. clients: by URL and SLOTS_PER_CLIENT slots, when needed."""

    slots: asyncio.LifoQueue[int]
    clients: dict[tuple[str, int], AsyncOpenAI] = field(default_factory=dict)
    users: int = 0
    resume_at: float = 0.0
    leave_at: float = 0.0

    def client(self, config: ServerConfig, url: str, slot: int) -> AsyncOpenAI:
        """The client of a slot at ``url``, opened when first needed."""
        place = (url, slot // SLOTS_PER_CLIENT)
        found = self.clients.get(place)
        if found is None:
            found = self.clients[place] = open_client(config, url)
        return found


@dataclass(slots=True)
class _Breaker:
    stopped: Failure | None = None
    refused_keys: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, failure: Failure | None) -> None:
        with self.lock:
            refused = isinstance(failure, RefusedKeyError)
            self.refused_keys = self.refused_keys + 1 if refused else 0
            if isinstance(failure, OutOfQuotaError) or self.refused_keys >= _MAX_REFUSED_KEYS:
                self.stopped = failure


class ServerClient:
    """Calls to one server (or several alike), safe in threads and event loops.

    Raises:
        BadModelSettingsError: base_url or model is missing, a URL is not http(s), or the key
            cannot stand in a header.
    """

    def __init__(self, config: ServerConfig) -> None:
        self.config = config
        self.urls = _urls(config)
        self.where = Where(
            server=", ".join(_bare(url) for url in self.urls),
            model=config.model,
            secret=config.api_key.get_secret_value(),
        )
        self._sessions: dict[asyncio.AbstractEventLoop, _Session] = {}
        self._lock = threading.Lock()
        self._breaker = _Breaker()
        self._fleet = Fleet(self.urls)
        self._limiter = shared_limiter(config)

    @property
    def weighs(self) -> bool:
        """Whether a call's tokens are wanted before it is sent."""
        return bool(self.config.tokens_per_minute or self.config.context_tokens)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[_Session]:
        """Keep this loop's connections open; nested uses share them."""
        loop = asyncio.get_running_loop()
        with self._lock:
            session = self._sessions.get(loop)
            if session is None:
                session = self._sessions[loop] = _open_session(self.config)
            session.users += 1
        try:
            yield session
        finally:
            with self._lock:
                session.users -= 1
                last = session.users == 0
                if last:
                    del self._sessions[loop]
            if last:
                await asyncio.gather(*(client.close() for client in session.clients.values()))

    async def call(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        lane: str,
        read: Callable[[bytes], Trial[V]],
        tokens: int = 0,
    ) -> Called[V]:
        """POST until a value, a failure that stays, or the last attempt. Never raises these.

        ``lane``: requests of the same lane go to the same server, to another one while it is
        away. ``read`` turns a 200's
        body into a value or names its fault. ``tokens``: what it may use at most, for the
        limit per minute; what it used is settled afterwards.
        """
        if 0 < self.config.tokens_per_minute < tokens:
            return Called(None, self._too_heavy(tokens), 0)
        async with self.session() as session:
            slot = await session.slots.get()
            try:
                return await self._call(
                    session, slot, path, body, lane=lane, read=read, tokens=tokens
                )
            finally:
                session.slots.put_nowait(slot)

    async def _call(
        self,
        session: _Session,
        slot: int,
        path: str,
        body: Mapping[str, Any],
        *,
        lane: str,
        read: Callable[[bytes], Trial[V]],
        tokens: int,
    ) -> Called[V]:
        usages: list[Usage] = []
        tried: list[str] = []

        async def attempt() -> Trial[V]:
            if self._breaker.stopped is not None:
                return Trial(failure=self._breaker.stopped)
            if self._limiter is not None:
                await self._limiter.take(tokens)
            await _gate(session)
            if self._breaker.stopped is not None:  # while this one waited
                return Trial(failure=self._breaker.stopped)
            url = self._fleet.choose(lane, tried)
            tried.append(url)
            sent_at = self._fleet.now()
            trial = await self._attempt(session.client(self.config, url, slot), path, body, read)
            self._fleet.note(url, trial.failure, sent_at)
            if self._limiter is not None:
                used = trial.usage.prompt_tokens + trial.usage.completion_tokens
                # A server that counts nothing leaves the estimate standing.
                self._limiter.settle(tokens, used if used or trial.failure else tokens)
            usages.append(trial.usage)
            self._breaker.note(trial.failure)
            return self._pause(session, trial)

        trial: Trial[V] = await self._retrying()(attempt)
        return Called(trial.value, trial.failure, len(usages), _sum(usages))

    def _retrying(self) -> tenacity.AsyncRetrying:
        config = self.config
        grow = tenacity.wait_exponential_jitter(
            initial=config.backoff_s, max=config.max_pause_s, jitter=config.backoff_s
        )

        def wait(state: tenacity.RetryCallState) -> float:
            trial: Trial[Any] | None = state.outcome.result() if state.outcome else None
            if trial is not None and trial.pause_s is not None:
                return trial.pause_s
            return grow(state)

        def last(state: tenacity.RetryCallState) -> Any:
            return state.outcome.result() if state.outcome else None

        return tenacity.AsyncRetrying(
            stop=tenacity.stop_after_attempt(config.max_attempts),
            retry=tenacity.retry_if_result(lambda trial: trial.again),
            wait=wait,
            retry_error_callback=last,
        )

    def _pause(self, session: _Session, trial: Trial[V]) -> Trial[V]:
        """Honour a Retry-After for all of this loop's requests, unless it is too long."""
        if trial.pause_s is None:
            return trial
        if trial.pause_s > self.config.max_pause_s:
            failure = RateLimitedError(
                f"The server asks to wait {trial.pause_s:.0f} s",
                file=self.where.server,
                place=self.where.model,
                remedy="Run again then: answers so far are kept; or raise max_pause_s",
            )
            return Trial(failure=failure)
        session.resume_at = max(session.resume_at, monotonic() + trial.pause_s)
        return trial

    async def _attempt(
        self,
        client: AsyncOpenAI,
        path: str,
        body: Mapping[str, Any],
        read: Callable[[bytes], Trial[V]],
    ) -> Trial[V]:
        import httpx2
        import openai

        try:
            async with asyncio.timeout(self.config.timeout_s):
                # Not chat.completions.create: it walks through the body once more, a fifth
                # of a call's CPU, and would hide the fields that servers add.
                response = await client.post(path, cast_to=httpx2.Response, body=body)
        except openai.APIStatusError as error:
            response = error.response
            return status_trial(error.status_code, response.content, response.headers, self.where)
        except (TimeoutError, openai.APITimeoutError):
            return self._timed_out()
        except openai.APIConnectionError as error:
            return self._unreachable(error)
        except TooLargeError as error:
            return Trial(failure=self._oversized(error))
        return read(response.content)

    def _too_heavy(self, tokens: int) -> RateLimitedError:
        return RateLimitedError(
            f"A call of up to {tokens} tokens is more than the {self.config.tokens_per_minute} "
            "of a minute; it was not sent",
            file=self.where.server,
            place=self.where.model,
            remedy="Raise tokens_per_minute, or lower the input limit",
        )

    def _timed_out(self) -> Trial[V]:
        failure = ModelTimeoutError(
            f"No complete answer within {self.config.timeout_s:g} s",
            file=self.where.server,
            place=self.where.model,
            remedy="Raise the timeout, lower the concurrency, or look at the server",
        )
        return Trial(failure=failure, again=True)

    def _unreachable(self, error: openai.APIConnectionError) -> Trial[V]:
        cause = error.__cause__ or error
        failure = UnreachableModelError(
            f"The connection failed or broke ({type(cause).__name__}: "
            f"{self.where.clean(str(cause))})",
            file=self.where.server,
            place=self.where.model,
            remedy="Check the URL and that the server runs",
        )
        return Trial(failure=failure, again=True)

    def _oversized(self, cause: TooLargeError) -> OversizedAnswerError:
        return OversizedAnswerError(
            f"The answer {cause}; reading stopped",
            file=self.where.server,
            place=self.where.model,
            remedy="Check what answers at this URL; max_answer_bytes raises the limit",
        )


def _open_session(config: ServerConfig) -> _Session:
    slots: asyncio.LifoQueue[int] = asyncio.LifoQueue()
    for slot in reversed(range(config.concurrency)):
        slots.put_nowait(slot)
    return _Session(slots)


async def _gate(session: _Session) -> None:
    """Wait for one's place behind the others, and until a pause that the server asked for ends."""
    now = monotonic()
    session.leave_at = max(now, session.leave_at + _SPACING_S)
    if session.leave_at > now:
        await asyncio.sleep(session.leave_at - now)
    while (left := session.resume_at - monotonic()) > 0:  # noqa: ASYNC110  a time, not an event
        await asyncio.sleep(left)


def _sum(usages: list[Usage]) -> Usage:
    return Usage(
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        cached_tokens=sum(usage.cached_tokens for usage in usages),
    )


def _urls(config: ServerConfig) -> list[str]:
    urls = [url for url in config.base_url.replace(",", " ").split() if url]
    if not urls:
        msg = "The model server's URL is missing"
        raise BadModelSettingsError(
            msg, place="base_url", remedy="Set it, e.g. http://host:8000/v1"
        )
    for url in urls:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            msg = "The model server's URL is not an http(s) address"
            raise BadModelSettingsError(msg, place="base_url", remedy="e.g. http://host:8000/v1")
    if re.search(r"[^\x21-\x7e]", config.api_key.get_secret_value()):
        msg = "The API key holds a space, a line break or a character that no key has"
        raise BadModelSettingsError(msg, place="api_key", remedy="Copy the key again")
    if not config.model:
        msg = "The model's name is missing"
        raise BadModelSettingsError(msg, place="model", remedy="Set it as the server names it")
    return urls


def _bare(url: str) -> str:
    """Scheme, host, port and path: user names and query strings can hold secrets."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
