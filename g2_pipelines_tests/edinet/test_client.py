"""The client against a local EDINET over real HTTP: success is judged by content."""

from __future__ import annotations

import json
import logging
import time
import traceback
from collections.abc import Iterator

import httpx
import pytest
from pydantic import SecretStr

from g2_pipelines.edinet.answers import RawAnswer, count_of, day_of
from g2_pipelines.edinet.client import EdinetClient
from g2_pipelines.edinet.errors import (
    BadRequestError,
    MaintenanceError,
    NotFoundError,
    RateLimitedError,
    RejectedKeyError,
    UnexpectedAnswerError,
    UnreachableError,
)
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import Listing
from g2_pipelines_tests.edinet.server import KEY, LocalEdinet, local_edinet, row


@pytest.fixture(scope="module")
def edinet() -> Iterator[LocalEdinet]:
    with local_edinet() as running:
        running.days["2025-06-25"] = [
            row(1, "S9000A01", edinetCode="E99001", docTypeCode="120", ordinanceCode="010"),
            row(2, "S9000W01", withdrawalStatus="2"),
        ]
        yield running


def client(edinet: LocalEdinet, key: str = KEY, **more: object) -> EdinetClient:
    options: dict[str, object] = {"interval_s": 0.0, "backoff_s": 0.001, "attempts": 2}
    return EdinetClient(edinet.url, SecretStr(key), **(options | more))  # type: ignore[arg-type]


def test_a_days_list_has_all_fields_nullable(edinet: LocalEdinet) -> None:
    with client(edinet) as api:
        rows = api.list_day("2025-06-25")
    assert [r.docID for r in rows] == ["S9000A01", "S9000W01"]
    assert rows[0].seqNumber == 1
    assert (rows[1].edinetCode, rows[1].withdrawalStatus) == (None, "2")
    assert rows[0].date == "2025-06-25"


def test_a_day_without_filings_is_empty_and_a_rejected_key_is_not(edinet: LocalEdinet) -> None:
    with client(edinet) as api:
        assert api.list_day("2025-06-28") == []
    with client(edinet, "wrong-key") as api, pytest.raises(RejectedKeyError):
        api.list_day("2025-06-28")


def test_a_rejected_key_is_asked_once(edinet: LocalEdinet) -> None:
    before = edinet.asked["S100ONCE"]
    with client(edinet, "wrong-key", attempts=5) as api, pytest.raises(RejectedKeyError):
        api.download("S100ONCE", 1)
    assert edinet.asked["S100ONCE"] == before + 1


def test_without_a_key_nothing_is_asked(edinet: LocalEdinet) -> None:
    before = sum(edinet.asked.values())
    with client(edinet, " ") as api, pytest.raises(RejectedKeyError, match="no subscription key"):
        api.list_day("2025-06-25")
    assert sum(edinet.asked.values()) == before


def test_downloads_are_what_their_type_says(edinet: LocalEdinet) -> None:
    with client(edinet) as api:
        assert api.download("S100GOOD", 1).startswith(b"PK")
        assert api.download("S100GOOD", 2).startswith(b"%PDF")
        assert api.download("S100GOOD", 5).startswith(b"PK")


@pytest.mark.parametrize(
    ("document_id", "error"),
    [
        ("S100MISS", NotFoundError),
        ("S100BAD0", BadRequestError),
        ("S100HTML", MaintenanceError),
        ("S100NONE", MaintenanceError),
        ("S100JSON", UnexpectedAnswerError),
        ("S100DOWN", MaintenanceError),
        ("S100RATE", RateLimitedError),
        ("S100MOVE", MaintenanceError),
    ],
)
def test_an_error_under_http_200_is_a_named_failure(
    edinet: LocalEdinet, document_id: str, error: type[G2Error]
) -> None:
    with client(edinet) as api, pytest.raises(error) as caught:
        api.download(document_id, 1)
    assert caught.value.file == document_id
    assert KEY not in _everything(caught.value)


def test_maintenance_is_no_empty_day(edinet: LocalEdinet) -> None:
    with client(edinet) as api, pytest.raises(MaintenanceError):
        api.list_day("2024-12-31")


@pytest.mark.parametrize("document_id", ["S100FLAK", "S100BODY", "S100DROP"])
def test_a_server_or_network_fault_is_retried(edinet: LocalEdinet, document_id: str) -> None:
    edinet.asked[document_id] = 0
    with client(edinet, attempts=3) as api:
        assert api.download(document_id, 1).startswith(b"PK")
    assert edinet.asked[document_id] == 2


def test_what_is_no_server_fault_is_not_retried(edinet: LocalEdinet) -> None:
    before = edinet.asked["S100MISS"]
    with client(edinet, attempts=4) as api, pytest.raises(NotFoundError):
        api.download("S100MISS", 1)
    assert edinet.asked["S100MISS"] == before + 1


def test_an_unreachable_server_is_named_without_the_address() -> None:
    nowhere = LocalEdinet(url="http://127.0.0.1:9/api/v2")
    with client(nowhere) as api, pytest.raises(UnreachableError) as caught:
        api.list_day("2025-06-25")
    assert KEY not in _everything(caught.value)


def test_the_key_is_in_no_log_line(edinet: LocalEdinet, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with client(edinet) as api:
        api.list_day("2025-06-25")
        with pytest.raises(NotFoundError):
            api.download("S100MISS", 1)
    assert edinet.queries[-1]["Subscription-Key"] == [KEY]
    assert "HTTP Request" in caplog.text
    assert KEY not in caplog.text
    assert KEY not in repr(api)
    assert KEY not in repr(vars(api))


def test_requests_keep_their_interval(edinet: LocalEdinet) -> None:
    with client(edinet, interval_s=0.05) as api:
        start = time.monotonic()
        for _ in range(4):
            api.list_day("2025-06-28")
        assert time.monotonic() - start >= 0.15


@pytest.mark.parametrize(("document_id", "kind"), [("../x", 1), ("S100", 1), ("S100GOOD", 9)])
def test_what_cannot_be_asked_is_not_sent(edinet: LocalEdinet, document_id: str, kind: int) -> None:
    before = sum(edinet.asked.values())
    with client(edinet) as api, pytest.raises(BadRequestError):
        api.download(document_id, kind)
    with client(edinet) as api, pytest.raises(BadRequestError):
        api.list_day("2025/06/25")
    assert sum(edinet.asked.values()) == before


def test_the_shared_answers_are_judged_by_their_bodies(shared_data: object) -> None:
    folder = shared_data / "edinet" / "api"  # type: ignore[operator]

    def answering(name: str) -> EdinetClient:
        content = (folder / name).read_bytes()

        def answer(request: httpx.Request) -> httpx.Response:
            return httpx.Response(
                200, content=content, headers={"Content-Type": "application/json; charset=utf-8"}
            )

        return EdinetClient(
            "http://edinet.invalid/api/v2", SecretStr(KEY), interval_s=0,
            transport=httpx.MockTransport(answer),
        )  # fmt: skip

    rows = answering("edinet-replay_documents_success.json").list_day("2025-06-27")
    correction = next(r for r in rows if r.docID == "S100W81U")
    assert (correction.docTypeCode, correction.periodEnd) == ("130", None)
    for name, error in (
        ("edinet-replay_auth_error.json", RejectedKeyError),
        ("edinet-replay_bad_request.json", BadRequestError),
        ("edinet-replay_not_found.json", NotFoundError),
    ):
        with pytest.raises(error):
            answering(name).list_day("2025-06-27")
        with pytest.raises(error):
            answering(name).download("S100W81U", 1)


def _everything(error: BaseException) -> str:
    """All that a person or log could see of an error, causes and contexts included."""
    seen = "".join(traceback.format_exception(error))
    chain: BaseException | None = error
    while chain is not None:
        seen += repr(chain) + repr(vars(chain))
        request = getattr(chain, "_request", None)
        seen += str(request.url) if request is not None else ""
        chain = chain.__cause__ or chain.__context__
    return seen


@pytest.mark.parametrize("number", ["²", "9" * 5_000, 10**30, -1, 1.5, True, "１"])
def test_a_number_that_is_none_costs_no_day(number: object) -> None:
    """Digits that ``int`` refuses, or that no column holds, would end the whole batch."""
    row = {"seqNumber": number, "docID": "S100ZZ01"}
    body = {"metadata": {"status": "200", "resultset": {"count": number}}, "results": [row]}
    answer = RawAnswer("2025-06-26", 200, "application/json", json.dumps(body).encode())
    day = day_of(answer, "2025-06-26")
    assert day.rows == [Listing(date="2025-06-26", docID="S100ZZ01")]
    with pytest.raises(UnexpectedAnswerError):
        count_of(answer)
