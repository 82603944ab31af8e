"""Client of EDINET's API v2: a day's list, downloads.

Here: requests, polite pace, retries. Not here: what an answer means (``answers``), which
documents to take (``select``), where they are stored (``defs``). Used by ``defs``.

The key never leaves this module: it is added to the address below httpx's own logging and
exceptions, both of which show the address, and our errors name only the document or day.
"""

from __future__ import annotations

import re
import threading
import time
from datetime import date
from typing import Self

import httpx
from pydantic import SecretStr
from tenacity import (
    RetryError,
    Retrying,
    retry_if_exception_type,
    retry_if_result,
    stop_after_attempt,
    wait_random_exponential,
)

from g2_pipelines.edinet.answers import RawAnswer, download_of, is_server_error, listing_of
from g2_pipelines.edinet.errors import (
    BadRequestError,
    RateLimitedError,
    RejectedKeyError,
    UnreachableError,
)
from g2_pipelines.tables.line1 import Listing

MAX_ANSWER_BYTES = 400_000_000
_DOCUMENT_ID = re.compile(r"[A-Z0-9]{8}")
_KINDS = frozenset({1, 2, 3, 4, 5})


class _KeyTransport(httpx.BaseTransport):
    """Adds the key to the query of a copy of the request, out of sight of httpx's log lines.

    httpx logs each request's address at INFO and keeps the request in its exceptions.
    """

    def __init__(self, inner: httpx.BaseTransport, key: SecretStr) -> None:
        self._inner = inner
        self._key = key

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        keyed = httpx.Request(
            request.method,
            request.url.copy_merge_params({"Subscription-Key": self._key.get_secret_value()}),
            headers=request.headers,
            extensions=request.extensions,
        )
        return self._inner.handle_request(keyed)

    def close(self) -> None:
        self._inner.close()


class EdinetClient:
    """EDINET's API v2 at a polite pace; a context manager, safe to share between threads.

    Args:
        base_url: e.g. ``https://api.edinet-fsa.go.jp/api/v2``.
        api_key: the subscription key.
        interval_s: least seconds between the starts of two requests.
        timeout_s: seconds to connect, and between two pieces of an answer.
        attempts: tries of a request whose network or server failed; nothing else is retried.
        backoff_s: first pause between tries; it doubles, with jitter, up to a minute.
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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._has_key = bool(api_key.get_secret_value().strip())
        self._interval_s = interval_s
        self._attempts = attempts
        self._backoff_s = backoff_s
        self._lock = threading.Lock()
        self._next_start = 0.0
        self._http = httpx.Client(
            timeout=timeout_s,
            follow_redirects=False,  # the key goes to no other host
            transport=_KeyTransport(transport or httpx.HTTPTransport(), api_key),
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
            BadRequestError, RejectedKeyError, MaintenanceError, ServiceError,
            UnreachableError, UnexpectedAnswerError, RateLimitedError: see ``answers``.
        """
        text = day if isinstance(day, str) else day.isoformat()
        try:
            date.fromisoformat(text)
        except ValueError as error:
            raise BadRequestError(
                f"{text[:40]!r} is not a date", place="date", remedy="Write YYYY-MM-DD"
            ) from error
        answer = self._get("/documents.json", {"date": text, "type": "2"}, subject=text)
        return listing_of(answer, text)

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
        answer = self._get(f"/documents/{document_id}", {"type": str(kind)}, subject=document_id)
        return download_of(answer, kind)

    def _get(self, path: str, query: dict[str, str], *, subject: str) -> RawAnswer:
        if not self._has_key:
            raise RejectedKeyError(
                "There is no subscription key for EDINET",
                file=subject,
                remedy="Set G2_EDINET_API_KEY to a key of EDINET's API v2",
            )
        retrying = Retrying(
            stop=stop_after_attempt(self._attempts),
            wait=wait_random_exponential(multiplier=self._backoff_s, max=60),
            retry=retry_if_exception_type(httpx.TransportError) | retry_if_result(is_server_error),
        )
        try:
            return retrying(self._once, path, query, subject)
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

    def _once(self, path: str, query: dict[str, str], subject: str) -> RawAnswer:
        self._wait_turn()
        with self._http.stream("GET", self._base_url + path, params=query) as response:
            content = bytearray()
            for piece in response.iter_bytes():
                content += piece
                if len(content) > MAX_ANSWER_BYTES:
                    raise RateLimitedError(
                        f"The answer is larger than {MAX_ANSWER_BYTES} bytes", file=subject
                    )
            return RawAnswer(
                subject,
                response.status_code,
                response.headers.get("content-type", ""),
                bytes(content),
            )

    def _wait_turn(self) -> None:
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next_start)
            self._next_start = start + self._interval_s
        if start > now:
            time.sleep(start - now)
