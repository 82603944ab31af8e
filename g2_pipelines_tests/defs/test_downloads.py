"""A document is downloaded once, whoever asks, and never half."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from g2_pipelines.defs.downloads import PDF, XBRL, Downloads
from g2_pipelines.edinet.client import EdinetClient
from g2_pipelines.edinet.errors import NotFoundError
from g2_pipelines.errors import StateError
from g2_pipelines.keys import digest_of
from g2_pipelines_tests.defs.following import Following, filing_zip, follow
from g2_pipelines_tests.edinet.server import PDF as PDF_BYTES

COMPANY = "E99101"
DOCUMENTS = [f"S900000{n}" for n in range(1, 5)]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Following]:
    with follow(tmp_path / "home", [COMPANY]) as following:
        for document in DOCUMENTS:
            following.edinet.documents[document] = filing_zip(COMPANY, "2025-03")
            following.edinet.pdfs[document] = PDF_BYTES
        yield following


def test_it_is_kept_under_its_digest_and_given_from_there(home: Following):
    first = Downloads(home.ws).fetch(DOCUMENTS[0], XBRL)
    kept = home.ws.registry.download(DOCUMENTS[0], XBRL)
    assert kept is not None
    assert kept.digest == digest_of(first)
    assert kept.raw == f"filings/{digest_of(first)}/{DOCUMENTS[0]}.zip"
    assert Downloads(home.ws).fetch(DOCUMENTS[0], XBRL) == first
    assert home.edinet.asked[DOCUMENTS[0]] == 1


def test_the_forms_of_a_document_are_files_of_their_own(home: Following):
    downloads = Downloads(home.ws)
    assert downloads.fetch(DOCUMENTS[0], PDF) == PDF_BYTES
    assert downloads.fetch(DOCUMENTS[0], XBRL).startswith(b"PK")
    assert home.edinet.given == {(DOCUMENTS[0], "1"): 1, (DOCUMENTS[0], "2"): 1}


def test_runs_at_the_same_time_download_a_document_once(home: Following):
    home.edinet.faults = {document: ["slow"] for document in DOCUMENTS}
    got: list[bytes] = []

    def work() -> None:
        downloads = Downloads(home.ws)
        got.extend(downloads.fetch(document, XBRL) for document in DOCUMENTS)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 3 * len(DOCUMENTS)
    assert {document: home.edinet.asked[document] for document in DOCUMENTS} == dict.fromkeys(
        DOCUMENTS, 1
    )


def test_a_killed_run_repeats_at_most_the_file_it_was_at(
    home: Following, monkeypatch: pytest.MonkeyPatch
):
    download = EdinetClient.download

    def killed(client: EdinetClient, document: str, form: int) -> bytes:
        content = download(client, document, form)
        if document == DOCUMENTS[2]:
            raise KeyboardInterrupt
        return content

    monkeypatch.setattr(EdinetClient, "download", killed)
    downloads = Downloads(home.ws)
    downloads.fetch(DOCUMENTS[0], XBRL)
    downloads.fetch(DOCUMENTS[1], XBRL)
    with pytest.raises(KeyboardInterrupt):
        downloads.fetch(DOCUMENTS[2], XBRL)
    monkeypatch.undo()
    for document in DOCUMENTS:
        Downloads(home.ws).fetch(document, XBRL)
    assert [home.edinet.given[document, "1"] for document in DOCUMENTS] == [1, 1, 2, 1]


def test_a_failed_download_leaves_nothing_behind(home: Following):
    home.edinet.faults[DOCUMENTS[0]] = ["cut_zip"] * 9
    with pytest.raises(Exception, match="ends before its end"):
        Downloads(home.ws).fetch(DOCUMENTS[0], XBRL)
    home.edinet.gone.add(DOCUMENTS[1])
    with pytest.raises(NotFoundError):
        Downloads(home.ws).fetch(DOCUMENTS[1], XBRL)
    assert home.ws.registry.download(DOCUMENTS[0], XBRL) is None
    assert not (Path(str(home.ws.home.raw)) / "filings").exists()


def test_a_stored_file_that_was_changed_is_not_given(home: Following):
    Downloads(home.ws).fetch(DOCUMENTS[0], XBRL)
    kept = home.ws.registry.download(DOCUMENTS[0], XBRL)
    assert kept is not None
    (Path(str(home.ws.home.raw)) / kept.raw).write_bytes(b"PK other")
    with pytest.raises(StateError, match="was changed"):
        Downloads(home.ws).fetch(DOCUMENTS[0], XBRL)
