"""Client of EDINET's API v2: a day's list, downloads.

Here: requests, retries, taking up a broken download where it broke, giving up when EDINET is
down. Not here: the pace (``pace``), what an answer means (``answers``), which documents to
take (``select``), where they are stored (``defs``). Used by ``defs``.

The key goes into requests only (``transport``); our errors name only the document or day.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from datetime import date
from typing import Self, TypeVar

import httpx
from pydantic import SecretStr
from tenacity import (
    RetryCallState,
    RetryError,
    Retrying,
    retry_if_exception_type,
    retry_if_result,
    stop_after_attempt,
    wait_random_exponential,
)

from g2_pipelines.edinet.answers import (
    DayCount,
    DayList,
    RawAnswer,
    Validators,
    count_of,
    day_of,
    download_of,
    worth_asking_again,
)
from g2_pipelines.edinet.errors import (
    BadRequestError,
    MaintenanceError,
    RateLimitedError,
    RejectedKeyError,
    ServiceError,
    UnreachableError,
)
from g2_pipelines.edinet.pace import Pace
from g2_pipelines.edinet.transport import KeyTransport, Received
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import Listing

T = TypeVar("T")

MAX_ANSWER_BYTES = 400_000_000
#: A server that sends a byte a minute is as good as none.
MAX_ANSWER_S = 900.0
#: So long a server may ask us to wait before the next try (Retry-After).
MAX_RETRY_AFTER_S = 120.0
_DOCUMENT_ID = re.compile(r"[A-Z0-9]{8}")
_KINDS = frozenset({1, 2, 3, 4, 5})
#: Failures after which the next document would fail too.
_DOWN = (UnreachableError, MaintenanceError, ServiceError, RateLimitedError)


class EdinetClient:
    """EDINET's API v2 at a polite pace; a context manager, safe to share between threads.

    A rejected key is not tried again, also for other documents; after ``give_up_after``
    documents or days in a row that failed because EDINET is down, nothing more is asked.

    Args:
        base_url: e.g. ``https://api.edinet-fsa.go.jp/api/v2``.
        api_key: the subscription key.
        interval_s: least seconds between the starts of two requests.
        timeout_s: seconds to connect, and between two pieces of an answer.
        attempts: tries of a request whose network or server failed; nothing else is retried.
        backoff_s: first pause between tries; it doubles, with jitter, up to a minute.
        give_up_after: failures in a row after which EDINET counts as down.
        pace: the pace, where it is shared with others; else one of ``interval_s``.
        transport: httpx transport in place of the network's.
    """

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr,
        *,
        interval_s: float = 1.0,
        timeout_s: float = 60.0,
        attempts: int = 4,
        backoff_s: float = 2.0,
        give_up_after: int = 3,
        pace: Pace | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._has_key = bool(api_key.get_secret_value().strip())
        self._pace = pace or Pace(interval_s)
        self._attempts = attempts
        self._wait = wait_random_exponential(multiplier=backoff_s, max=60)
        self._give_up_after = give_up_after
        self._lock = threading.Lock()
        self._refused = False
        self._down: tuple[int, G2Error | None] = (0, None)
        self._http = httpx.Client(
            timeout=timeout_s,
            follow_redirects=False,  # the key goes to no other host
            transport=KeyTransport(transport or httpx.HTTPTransport(), api_key),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def list_day(self, day: date | str) -> list[Listing]:
        """All documents submitted on ``day`` (date or ``YYYY-MM-DD``), in the API's order.

        Past days change (withdrawals, edits are written in nightly): do not keep them for ever.

        Raises:
            BadRequestError, RejectedKeyError, MaintenanceError, ServiceError, UnreachableError,
            TruncatedAnswerError, UnexpectedAnswerError, RateLimitedError: see ``answers``.
        """
        return self.read_day(day).rows or []

    def read_day(self, day: date | str, known: Validators | None = None) -> DayList:
        """The day's list with what it is of; its rows are None where ``known`` still holds.

        The specification has no conditional request; ``known`` helps where a server sends
        validators all the same.

        Raises:
            as ``list_day``.
        """
        text = _date(day)
        headers: dict[str, str] = {}
        if known is not None and known.etag:
            headers["If-None-Match"] = known.etag
        elif known is not None and known.last_modified:
            headers["If-Modified-Since"] = known.last_modified
        return self._ask(
            "/documents.json",
            {"date": text, "type": "2"},
            subject=text,
            judge=lambda answer: day_of(answer, text),
            headers=headers,
        )

    def count_day(self, day: date | str) -> DayCount:
        """How many rows the day's list has (type 1): a few bytes.

        On the day itself rows are only added (specification 3-1-3-1), so that an equal count
        means an equal list. Past days are edited in place: there it means nothing.

        Raises:
            as ``list_day``.
        """
        text = _date(day)
        return self._ask(
            "/documents.json", {"date": text, "type": "1"}, subject=text, judge=count_of
        )

    def download(self, document_id: str, kind: int) -> bytes:
        """A document's file: ``kind`` 1 zip with XBRL, 2 PDF, 3 attachments, 4 English, 5 CSV.

        Raises:
            NotFoundError: EDINET has no such file (yet, or no more).
            the others of ``list_day``.
        """
        if not _DOCUMENT_ID.fullmatch(document_id) or kind not in _KINDS:
            raise BadRequestError(
                f"{document_id[:40]!r} with type {kind} is no EDINET download",
                place="document_id",
                remedy="A docID has eight characters, a type is 1 to 5",
            )
        return self._ask(
            f"/documents/{document_id}",
            {"type": str(kind)},
            subject=document_id,
            judge=lambda answer: download_of(answer, kind),
        )

    def _ask(
        self,
        path: str,
        query: dict[str, str],
        *,
        subject: str,
        judge: Callable[[RawAnswer], T],
        headers: dict[str, str] | None = None,
    ) -> T:
        self._refuse_useless(subject)
        try:
            result = judge(self._get(path, query, headers or {}, subject=subject))
        except RejectedKeyError:
            self._refused = True
            raise
        except _DOWN as error:
            with self._lock:
                self._down = (self._down[0] + 1, error)
            raise
        except G2Error:
            with self._lock:
                self._down = (0, None)
            raise
        with self._lock:
            self._down = (0, None)
        return result

    def _refuse_useless(self, subject: str) -> None:
        """Do not ask what cannot be answered: no key, a rejected key, EDINET down."""
        if not self._has_key:
            raise RejectedKeyError(
                "There is no subscription key for EDINET",
                file=subject,
                remedy="Set G2_EDINET_API_KEY to a key of EDINET's API v2",
            )
        if self._refused:
            raise RejectedKeyError(
                "Not asked: EDINET rejected the subscription key",
                file=subject,
                remedy="Set G2_EDINET_API_KEY to a valid key of EDINET's API v2",
            )
        count, last = self._down
        if last is not None and count >= self._give_up_after:
            raise type(last)(
                f"Not asked: EDINET failed {count} times in a row ({last.message})",
                file=subject,
                remedy=last.remedy,
            )

    def _get(
        self, path: str, query: dict[str, str], headers: dict[str, str], *, subject: str
    ) -> RawAnswer:
        retrying = Retrying(
            stop=stop_after_attempt(self._attempts),
            wait=self._pause,
            retry=retry_if_exception_type(httpx.TransportError)
            | retry_if_result(worth_asking_again),
        )
        try:
            return retrying(self._once, path, query, headers, subject, Received())
        except RetryError as error:
            outcome = error.last_attempt
            if not outcome.failed:  # a server error to the end: judged like any answer
                return outcome.result()  # type: ignore[no-any-return]
            reason = type(outcome.exception()).__name__
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = type(error).__name__
        # Not chained: httpx's exceptions lead to the request.
        raise UnreachableError(
            f"EDINET could not be reached ({reason}, {self._attempts} tries)",
            file=subject,
            remedy="Check the network and G2_EDINET_BASE_URL; try again later",
        )

    def _pause(self, state: RetryCallState) -> float:
        """Seconds before the next try: growing, and at least what the server asks for."""
        outcome = state.outcome
        asked = 0.0
        if outcome is not None and not outcome.failed:
            asked = min(outcome.result().retry_after_s, MAX_RETRY_AFTER_S)
        return max(float(self._wait(state)), asked)

    def _once(
        self,
        path: str,
        query: dict[str, str],
        headers: dict[str, str],
        subject: str,
        received: Received,
    ) -> RawAnswer:
        self._pace.wait()
        until = time.monotonic() + MAX_ANSWER_S
        more = {**headers, **received.headers()}
        with self._http.stream(
            "GET", self._base_url + path, params=query, headers=more
        ) as response:
            if response.status_code == 416:  # the rest is not there: once more from the start
                received.content.clear()
                raise httpx.RemoteProtocolError("The range was refused")
            received.begin(response)
            for piece in response.iter_bytes():
                received.content += piece
                if len(received.content) > MAX_ANSWER_BYTES:
                    raise RateLimitedError(
                        f"The answer is larger than {MAX_ANSWER_BYTES} bytes", file=subject
                    )
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("The answer takes too long")
            answered = response.headers
            return RawAnswer(
                subject,
                200 if response.status_code == 206 else response.status_code,
                answered.get("content-type", ""),
                bytes(received.content),
                etag=answered.get("etag", ""),
                last_modified=answered.get("last-modified", ""),
                retry_after_s=_seconds(answered.get("retry-after", "")),
            )


def _date(day: date | str) -> str:
    text = day if isinstance(day, str) else day.isoformat()
    try:
        date.fromisoformat(text)
    except ValueError as error:
        raise BadRequestError(
            f"{text[:40]!r} is not a date", place="date", remedy="Write YYYY-MM-DD"
        ) from error
    return text


def _seconds(text: str) -> float:
    """Retry-After in seconds; its other form, a date, is not used by rate limits in practice."""
    return float(text) if text.isascii() and text.isdigit() else 0.0
