"""Foreign failures of a model server, translated at the edge to the most specific name.

Here: status codes, error bodies and exceptions of the SDK → a ``Trial`` that holds a typed
failure and says whether asking again can help. ``server`` and the engines import this.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar

from g2_pipelines.models.engines import NO_USAGE, Usage
from g2_pipelines.models.errors import (
    ContextOverflowError,
    Failure,
    OutOfQuotaError,
    RateLimitedError,
    RefusedKeyError,
    RefusedRequestError,
    ServerFailedError,
    UnknownModelError,
)

V = TypeVar("V")

BROKEN_REMEDY = "Check that the URL leads to an OpenAI-compatible server and not to a proxy's page"

_MAX_WORDS = 300
_QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_OVERFLOW = re.compile(
    r"context_length_exceeded|context (length|window|size)|maximum (context|model|input) length"
    r"|max_model_len|(prompt|input|request)[^.]{0,40} (is )?too (long|large)"
    r"|too many (input )?tokens|reduce the length",
    re.IGNORECASE,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\s]+")


@dataclass(frozen=True, slots=True)
class Trial(Generic[V]):
    """One attempt's end: a value, or a failure and whether another attempt can help.

    pause_s: what the server asked to wait, None if it did not say.
    """

    value: V | None = None
    failure: Failure | None = None
    again: bool = False
    pause_s: float | None = None
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True)
class Where:
    """What a failure names: server without credentials, model; and the key to scrub."""

    server: str
    model: str
    secret: str

    def clean(self, words: str) -> str:
        """``words`` of a server on one line, short, without the key."""
        if self.secret:
            words = words.replace(self.secret, "***")
        return _CONTROL.sub(" ", words).strip()[:_MAX_WORDS]


def status_trial(
    status: int, content: bytes, headers: Mapping[str, str], where: Where
) -> Trial[Any]:
    """The failure that an HTTP status and its body mean; 200 when the body is an error."""
    code, words = _error_of(content, where)
    if status == 200:
        status = int(code) if code.isdigit() and 400 <= int(code) < 600 else 500
    said = f": {words}" if words else ""
    place = {"file": where.server, "place": where.model}
    if status == 402 or code in _QUOTA_CODES:
        remedy = "Raise the account's quota, then run again: answers so far are kept"
        message = f"The account is out of quota{said}"
        return Trial(failure=OutOfQuotaError(message, remedy=remedy, **place))
    if status == 429 or code == "rate_limit_exceeded":
        remedy = "Lower the concurrency, or run again later: answers so far are kept"
        limited = RateLimitedError(f"The server limits the rate{said}", remedy=remedy, **place)
        return Trial(failure=limited, again=True, pause_s=retry_after_s(headers))
    if code == "context_length_exceeded" or (status in {400, 413, 422} and _OVERFLOW.search(words)):
        remedy = "Lower the input limit or the answer budget, or serve a longer context"
        message = f"Prompt and answer do not fit the model's context{said}"
        return Trial(failure=ContextOverflowError(message, remedy=remedy, **place))
    if status in {408, 409, 425} or status >= 500:
        remedy = "Look at the server's log; run again when it is well: answers so far are kept"
        message = f"The server failed with {status}{said}"
        failed = ServerFailedError(message, remedy=remedy, **place)
        return Trial(failure=failed, again=True, pause_s=retry_after_s(headers))
    return Trial(failure=_refusal(status, said, place))


def _refusal(status: int, said: str, place: dict[str, str]) -> Failure:
    if status in {401, 403}:
        remedy = "Check the API key and what it may use"
        return RefusedKeyError(
            f"The server refused the key ({status}){said}", remedy=remedy, **place
        )
    if status == 404:
        remedy = "Check the model's name and that the URL ends with /v1"
        return UnknownModelError(f"No such model or address (404){said}", remedy=remedy, **place)
    remedy = "Check that the model takes what is sent (schema, pictures); see the server's log"
    return RefusedRequestError(
        f"The server refused the request ({status}){said}", remedy=remedy, **place
    )


def _error_of(content: bytes, where: Where) -> tuple[str, str]:
    """Code and words of an error body; of a page only that it is one."""
    try:
        body = json.loads(content[:100_000])
    except (ValueError, RecursionError):
        head = content[:500].lstrip().lower()
        return "", "an HTML page" if head.startswith((b"<!doctype", b"<html")) else ""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return "", where.clean(error) if isinstance(error, str) else ""
    codes = [str(error[key]) for key in ("code", "type") if error.get(key)]
    quota = next((code for code in codes if code in _QUOTA_CODES), None)
    words = error.get("message") or error.get("detail") or ""
    return quota or (codes[0] if codes else ""), where.clean(str(words))


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``retry-after-ms`` or ``Retry-After`` (seconds or a date), else None."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or not text:
        return seconds
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
