"""What EDINET's API answered: content, or which typed failure.

Here: judging one answer by content type, magic bytes and in-body status, and listing rows.
Not here: the network (``client``). Pure.

EDINET reports most errors with HTTP 200 (EDINET API v2 specification): only the content type, the
first bytes and the body's ``metadata.status`` or ``StatusCode`` tell.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from g2_pipelines.edinet.errors import (
    BadRequestError,
    MaintenanceError,
    NotFoundError,
    RateLimitedError,
    RejectedKeyError,
    ServiceError,
    UnexpectedAnswerError,
)
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import Listing

_FIELDS = frozenset(Listing.model_fields)
#: Media type and first bytes of a download by its type: 1, 3, 4, 5 are zips, 2 a PDF.
_KINDS = {
    1: ("application/octet-stream", b"PK"),
    2: ("application/pdf", b"%PDF"),
    3: ("application/octet-stream", b"PK"),
    4: ("application/octet-stream", b"PK"),
    5: ("application/octet-stream", b"PK"),
}
#: Zips are sent as octet-stream; a server in between may know better.
_ZIP_TYPES = {"application/octet-stream", "application/zip", "application/x-zip-compressed"}


@dataclass(frozen=True)
class RawAnswer:
    """An answer as received; ``subject`` is the document or day asked for."""

    subject: str
    status: int
    content_type: str
    content: bytes

    @property
    def media_type(self) -> str:
        """Content type without parameters, lower case."""
        return self.content_type.partition(";")[0].strip().lower()


def download_of(answer: RawAnswer, kind: int) -> bytes:
    """The document's bytes.

    Raises:
        NotFoundError, RejectedKeyError, BadRequestError, RateLimitedError, MaintenanceError,
        ServiceError, UnexpectedAnswerError: see ``failure_of``.
    """
    media_type, magic = _KINDS[kind]
    allowed = _ZIP_TYPES if magic == b"PK" else {media_type}
    if answer.status == 200 and answer.media_type in allowed:
        if answer.content.startswith(magic):
            return answer.content
        raise UnexpectedAnswerError(
            f"EDINET sent {answer.media_type} that does not begin with {magic.decode()}",
            file=answer.subject,
            place=f"type={kind}",
            remedy="Try again later; the document may not be ready",
        )
    raise failure_of(answer)


def listing_of(answer: RawAnswer, date: str) -> list[Listing]:
    """Rows of a day's list, in the API's order; an empty list for a day without filings.

    Raises:
        as ``download_of``; an answer that is no list is never an empty list.
    """
    body = _json(answer)
    if answer.status != 200 or body is None or _status(body) != "200":
        raise failure_of(answer)
    results = body.get("results")
    if not isinstance(results, list) or not all(isinstance(row, dict) for row in results):
        raise UnexpectedAnswerError(
            "EDINET's list has no results",
            file=answer.subject,
            place="results",
            remedy="Try again later",
        )
    return [_row(row, date) for row in results]


def _row(row: dict[str, Any], date: str) -> Listing:
    values: dict[str, Any] = {"date": date}
    for name, value in row.items():
        if name == "seqNumber":
            values[name] = int(value) if str(value or "").isdigit() else None
        elif name in _FIELDS and name != "date":
            values[name] = None if value is None else str(value)
    return Listing.model_validate(values)


def _json(answer: RawAnswer) -> dict[str, Any] | None:
    try:
        body = json.loads(answer.content)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _status(body: dict[str, Any]) -> str:
    """``metadata.status``, or the top-level ``StatusCode`` of a rejected key."""
    metadata = body.get("metadata")
    value = metadata.get("status") if isinstance(metadata, dict) else None
    return str(value if value is not None else body.get("StatusCode", body.get("statusCode", "")))


def is_server_error(answer: RawAnswer) -> bool:
    """Whether asking again may help: HTTP 5xx, or 5xx in the body of an HTTP 200."""
    if answer.status >= 500:
        return True
    body = _json(answer) if answer.media_type == "application/json" else None
    return body is not None and _status(body).startswith("5")


def failure_of(answer: RawAnswer) -> G2Error:
    """The typed failure of an answer that is not what was asked for.

    The server's own words are not repeated: they may hold the address with the key.
    """
    body = _json(answer)
    status = _status(body) if body is not None else ""
    code = status if status and status != "200" else str(answer.status)
    subject = answer.subject
    if code == "401" or (code == "403" and body is not None):
        return RejectedKeyError(
            "EDINET rejected the subscription key",
            file=subject,
            remedy="Set G2_EDINET_API_KEY to a valid key of EDINET's API v2",
        )
    if code == "404":
        return NotFoundError(
            "EDINET has no such document",
            file=subject,
            remedy="Check the docID; a document listed a moment ago may appear later",
        )
    if code == "400":
        return BadRequestError(
            "EDINET refused the request's parameters", file=subject, remedy="Check date and docID"
        )
    if code in {"403", "429"}:
        return RateLimitedError(
            "EDINET refuses further requests for now",
            file=subject,
            remedy="Raise G2_EDINET_INTERVAL_S",
        )
    if body is None and (not answer.content.strip() or _is_html(answer)):
        return MaintenanceError(
            "EDINET answered with a web page or nothing, as during maintenance",
            file=subject,
            remedy="Try again later",
        )
    if code.startswith("5"):
        return ServiceError(
            f"EDINET failed with {code[:3]}", file=subject, remedy="Try again later"
        )
    return UnexpectedAnswerError(
        f"EDINET answered {code[:3]} with {answer.media_type[:60] or 'no content type'}",
        file=subject,
        remedy="Try again later",
    )


def _is_html(answer: RawAnswer) -> bool:
    start = answer.content[:200].lstrip().lower()
    return answer.media_type == "text/html" or start.startswith((b"<!doctype html", b"<html"))
