"""What EDINET's API answered: content, or which typed failure.

Here: judging one answer by content type, magic bytes and in-body status, and listing rows.
Not here: the network (``client``). Pure.

EDINET reports most errors with HTTP 200 (EDINET API v2 specification): only the content type, the
first bytes and the body's ``metadata.status`` or ``StatusCode`` tell.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any

from g2_pipelines.edinet.archive import MAX_MEMBERS
from g2_pipelines.edinet.errors import (
    BadRequestError,
    MaintenanceError,
    NotFoundError,
    RateLimitedError,
    RejectedKeyError,
    ServiceError,
    TruncatedAnswerError,
    UnexpectedAnswerError,
)
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import Listing
from g2_pipelines.zips import entries_at_most

_FIELDS = frozenset(Listing.model_fields)
_COUNT = re.compile(r"[0-9]{1,9}")
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
    etag: str = ""
    last_modified: str = ""
    retry_after_s: float = 0.0

    @property
    def media_type(self) -> str:
        """Content type without parameters, lower case."""
        return self.content_type.partition(";")[0].strip().lower()


@dataclass(frozen=True)
class Validators:
    """What tells a later request that nothing changed; "" where the server gave none.

    The specification (v2.4) names no conditional request, so that these are used only where a
    server sends them.
    """

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True)
class DayCount:
    """A day's metadata alone (type 1): the number of rows, and of when the list is."""

    count: int
    as_of: str


@dataclass(frozen=True)
class DayList:
    """A day's list as read; ``rows`` is None where the server says that it is unchanged.

    ``as_of`` is EDINET's processDateTime, ``YYYY-MM-DD hh:mm``, Japanese time; "" if unknown.
    """

    rows: list[Listing] | None
    as_of: str = ""
    validators: Validators = field(default_factory=Validators)


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
            if _is_whole(answer.content, magic):
                return answer.content
            raise TruncatedAnswerError(
                "EDINET's file ends before its end",
                file=answer.subject,
                place=f"type={kind}",
                remedy="Try again later",
            )
        raise UnexpectedAnswerError(
            f"EDINET sent {answer.media_type} that does not begin with {magic.decode()}",
            file=answer.subject,
            place=f"type={kind}",
            remedy="Try again later; the document may not be ready",
        )
    raise failure_of(answer)


def _is_whole(content: bytes, magic: bytes) -> bool:
    """Whether a zip has its directory, and a PDF its end mark: both stand at the very end."""
    if magic != b"PK":
        return b"%%EOF" in content[-2048:]
    if entries_at_most(io.BytesIO(content)) > MAX_MEMBERS:
        return True  # whole, and refused when it is opened: it is not worth 20 s here
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return bool(archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError, OSError):
        return False


def day_of(answer: RawAnswer, date: str) -> DayList:
    """A day's list; ``rows`` in the API's order, empty for a day without filings.

    Raises:
        as ``download_of``; an answer that is no list is never an empty list, and one with
        fewer rows than it says (``resultset.count``) never a shorter day.
    """
    validators = Validators(answer.etag, answer.last_modified)
    if answer.status == 304:
        return DayList(None, validators=validators)
    body = _good(answer)
    results = body.get("results")
    if not isinstance(results, list) or not all(isinstance(row, dict) for row in results):
        raise UnexpectedAnswerError(
            "EDINET's list has no results",
            file=answer.subject,
            place="results",
            remedy="Try again later",
        )
    said = _count(body)
    if said is not None and said != len(results):
        raise TruncatedAnswerError(
            f"EDINET's list says that it has {said} rows and holds {len(results)}",
            file=answer.subject,
            place="metadata.resultset.count",
            remedy="Try again later",
        )
    return DayList([_row(row, date) for row in results], _as_of(body), validators)


def count_of(answer: RawAnswer) -> DayCount:
    """A day's metadata (type 1).

    Raises:
        as ``day_of``.
    """
    body = _good(answer)
    count = _count(body)
    if count is None:
        raise UnexpectedAnswerError(
            "EDINET's metadata have no count",
            file=answer.subject,
            place="metadata.resultset.count",
            remedy="Try again later",
        )
    return DayCount(count, _as_of(body))


def _good(answer: RawAnswer) -> dict[str, Any]:
    body = _json(answer)
    if answer.status != 200 or body is None or _status(body) != "200":
        raise failure_of(answer)
    return body


def _metadata(body: dict[str, Any]) -> dict[str, Any]:
    metadata = body.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _count(body: dict[str, Any]) -> int | None:
    resultset = _metadata(body).get("resultset")
    count = resultset.get("count") if isinstance(resultset, dict) else None
    return _whole(count)


def _as_of(body: dict[str, Any]) -> str:
    value = _metadata(body).get("processDateTime")
    return value[:16] if isinstance(value, str) else ""


def _row(row: dict[str, Any], date: str) -> Listing:
    values: dict[str, Any] = {"date": date}
    for name, value in row.items():
        if name == "seqNumber":
            values[name] = _whole(value)
        elif name in _FIELDS and name != "date":
            values[name] = None if value is None else str(value)
    return Listing.model_validate(values)


def _whole(value: object) -> int | None:
    """A count as a number or in digits; None of anything else, also of one beyond any list."""
    said = isinstance(value, int | str) and _COUNT.fullmatch(str(value))
    return int(str(value)) if said else None


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


def worth_asking_again(answer: RawAnswer) -> bool:
    """Whether asking again soon may help.

    HTTP 5xx or 429; 5xx in the body of an HTTP 200; a file or list that is cut short.
    """
    if answer.status >= 500 or answer.status == 429:
        return True
    if answer.media_type == "application/json":
        body = _json(answer)
        if body is None:  # JSON that does not end
            return answer.status == 200
        if _status(body) == "200" and isinstance(body.get("results"), list):
            return _count(body) not in {None, len(body["results"])}
        return _status(body).startswith("5")
    if answer.status != 200:
        return False
    magic = next((m for m in (b"PK", b"%PDF") if answer.content.startswith(m)), None)
    return magic is not None and not _is_whole(answer.content, magic)


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
    if body is None and answer.status == 200 and answer.media_type == "application/json":
        return TruncatedAnswerError(
            "EDINET's JSON ends before its end", file=subject, remedy="Try again later"
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
