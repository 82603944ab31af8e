"""The inbox sensors take every file in once, ask for what it concerns, and lose nothing."""

import os
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from g2_pipelines.defs import sensors
from g2_pipelines.defs.inbox import load_cursor
from g2_pipelines.defs.manifest import read_manifest
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines_tests.defs.sensing import Ticker, age, drop


def put_manifest(ws: Workspace, sample: Path, kind: str) -> None:
    """The sample's manifest lines of one kind, as they stand beside the files."""
    lines = (sample / "manifest.csv").read_text().splitlines()
    kept = [line.removeprefix(f"{kind}/") for line in lines[1:] if line.startswith(f"{kind}/")]
    drop(ws, kind, "manifest.csv", "\n".join([lines[0], *kept]) + "\n")


def put_corpus(ws: Workspace, sample: Path, kind: str) -> None:
    for file in sorted((sample / kind).iterdir()):
        drop(ws, kind, file.name, file.read_bytes())
    put_manifest(ws, sample, kind)


def put_companies(ws: Workspace, codes: list[str]) -> None:
    path = Path(str(ws.home.companies_csv))
    path.parent.mkdir(parents=True, exist_ok=True)
    header = "edinet_code,name,name_english,securities_code,industry,fiscal_year_end\n"
    path.write_text(header + "".join(f"{code},{code}社,,,,\n" for code in codes))


def pdf(text: str) -> bytes:
    """Enough of a PDF to be registered; no two texts give the same file."""
    return f"%PDF-1.7\n{text}\n%%EOF\n".encode()


def keys(ticker: Ticker, name: str = "companies") -> list[str]:
    return list(ticker.instance.get_dynamic_partitions(name))


# -- companies.csv


def test_companies_are_registered_once_and_in_chunks(ticker: Ticker, ws: Workspace):
    """4,000 keys in one tick took Dagster's daemon 100 s, of the 60 that it gives a tick."""
    codes = [f"E{n:05}" for n in range(450)]
    put_companies(ws, codes)
    for there in (200, 400, 450):
        assert ticker.asked("inbox_companies") == []
        assert len(keys(ticker)) == there
    assert ticker.words("inbox_companies") == "No new company to follow"
    assert sorted(keys(ticker)) == codes


def test_a_new_company_whose_filing_is_there_is_run_at_once(
    ticker: Ticker, ws: Workspace, sample: Path
):
    put_corpus(ws, sample, "filings")
    ticker.asked("inbox_filings")
    ticker.instance.delete_dynamic_partition("companies", "E99002")
    put_companies(ws, ["E00001", "E99001", "E99002"])
    assert ticker.asked("inbox_companies") == [["E99002"]]


def test_a_broken_list_of_companies_is_named_and_stops_nothing(ticker: Ticker, ws: Workspace):
    path = Path(str(ws.home.companies_csv))
    path.parent.mkdir(parents=True)
    path.write_text("code\nE1\n")
    assert "companies.csv" in ticker.words("inbox_companies")


# -- filings and transcripts


def test_filings_become_one_range_of_their_companies_and_a_second_tick_asks_nothing(
    ticker: Ticker, ws: Workspace, sample: Path
):
    put_corpus(ws, sample, "filings")
    assert ticker.asked("inbox_filings") == [["E99001", "E99002"]]
    assert [e.document_id for e in ws.registry.filings("E99001")] == ["S9000A01"]
    assert ticker.words("inbox_filings") == "Nothing new in inbox/filings"


def test_the_job_asked_for_can_be_launched_with_its_tags(
    ticker: Ticker, ws: Workspace, sample: Path
):
    """A range whose ends Dagster does not know fails after the cursor has moved on."""
    put_corpus(ws, sample, "filings")
    [request], _ = ticker.tick("inbox_filings")
    result = ticker.defs.resolve_job_def(request.job_name).execute_in_process(
        instance=ticker.instance, tags=request.tags, raise_on_error=False
    )
    assert result.success
    done = ticker.instance.get_materialized_partitions(dg.AssetKey("source_splits"))
    assert done == {"E99001", "E99002"}


def test_transcripts_wait_for_their_companys_filing_and_then_go_with_it(
    ticker: Ticker, ws: Workspace, sample: Path
):
    """A company's first run would be red for no fault of anybody's."""
    put_corpus(ws, sample, "transcripts")
    assert "nothing to ask for yet" in ticker.words("inbox_transcripts")
    put_corpus(ws, sample, "filings")
    assert ticker.asked("inbox_filings") == [["E99001", "E99002"]]
    assert [len(ws.registry.transcripts(c)) for c in ("E99001", "E99002")] == [2, 1]


def test_a_manifest_that_comes_after_its_files_is_still_read(
    ticker: Ticker, ws: Workspace, sample: Path
):
    """People copy a folder; which of its files comes first is chance."""
    put_corpus(ws, sample, "filings")
    ticker.asked("inbox_filings")
    file = sample / "transcripts" / "minato_fy2019_full_year.txt"
    drop(ws, "transcripts", file.name, file.read_bytes())
    assert "does not say its company" in ticker.words("inbox_transcripts")
    put_manifest(ws, sample, "transcripts")
    assert ticker.asked("inbox_transcripts") == [["E99002"]]


def test_a_broken_manifest_is_named_and_nothing_is_lost(
    ticker: Ticker, ws: Workspace, sample: Path
):
    put_corpus(ws, sample, "filings")
    drop(ws, "filings", "manifest.csv", "file,colour\nS9000A01.zip,red\n")
    assert "unknown colour" in ticker.words("inbox_filings")
    put_manifest(ws, sample, "filings")
    assert ticker.asked("inbox_filings") == [["E99001", "E99002"]]


def test_a_corrupt_file_is_refused_by_name_and_costs_nothing_else(
    ticker: Ticker, ws: Workspace, sample: Path
):
    put_corpus(ws, sample, "filings")
    good = (sample / "filings" / "S9000A01.zip").read_bytes()
    drop(ws, "filings", "S9000C01.zip", good[:4000])
    assert ticker.asked("inbox_filings") == [["E99001", "E99002"]]
    [note] = Path(str(ws.home.outbox / "rejected")).iterdir()
    assert note.read_text().startswith("inbox/filings/S9000C01.zip: ")
    assert ticker.words("inbox_filings") == "Nothing new in inbox/filings"


def test_the_note_on_a_refused_file_goes_once_the_file_is_mended(
    ticker: Ticker, ws: Workspace, sample: Path
):
    good = (sample / "filings" / "S9000A01.zip").read_bytes()
    path = drop(ws, "filings", "S9000A01.zip", good[:4000])
    assert "S9000A01.zip" in ticker.words("inbox_filings")
    path.write_bytes(good)
    age(path, 30)
    assert ticker.asked("inbox_filings") == [["E99001"]]
    assert list(Path(str(ws.home.outbox / "rejected")).iterdir()) == []


def test_a_file_that_may_not_be_read_stops_no_other(
    ticker: Ticker, ws: Workspace, sample: Path, monkeypatch: pytest.MonkeyPatch
):
    """One file of another user's would otherwise fail every tick to come."""
    put_corpus(ws, sample, "filings")
    read = type(ws.home.root).open

    def refused(path: Path, *args: Any, **options: Any) -> Any:
        if path.name == "S9000A01.zip" and "inbox" in str(path):
            raise PermissionError(path)
        return read(path, *args, **options)

    monkeypatch.setattr(type(ws.home.root), "open", refused)
    assert ticker.asked("inbox_filings") == [["E99002"]]


def test_a_folder_that_may_not_be_looked_into_is_named_and_stops_no_other(
    ticker: Ticker, ws: Workspace, sample: Path, monkeypatch: pytest.MonkeyPatch
):
    put_corpus(ws, sample, "filings")
    is_file = type(ws.home.root).is_file

    def refused(path: Path) -> bool:
        if path.name == "S9000A01.zip" and "inbox" in str(path):
            raise PermissionError(13, "Permission denied")
        return is_file(path)

    monkeypatch.setattr(type(ws.home.root), "is_file", refused)
    assert ticker.asked("inbox_filings") == [["E99002"]]
    [note] = Path(str(ws.home.outbox / "rejected")).iterdir()
    assert "S9000A01.zip: The file cannot be looked at: Permission denied" in note.read_text()


def test_a_name_that_is_no_utf_8_stops_nothing(ticker: Ticker, ws: Workspace):
    """「テ」 as cp932 writes it, which old zips leave behind: it failed every tick to come."""
    folder = Path(str(ws.home.inbox("pdfs")))
    folder.mkdir(parents=True)
    for name, text in ((b"\x83\x65.pdf", "one"), (b"\x83\x66.pdf", "two"), (b"good.pdf", "three")):
        path = Path(os.fsdecode(os.fsencode(folder) + b"/" + name))
        path.write_bytes(pdf(text))
        age(path, 10)
    [range_] = ticker.asked("inbox_pdfs")
    assert len(range_) == 3
    assert ticker.words("inbox_pdfs") == "Nothing new in inbox/pdfs"
    names = sorted(entry.name for entry in ws.registry.pdfs())
    assert names == ["%83e.pdf", "%83f.pdf", "good.pdf"]


def test_a_link_out_of_the_inbox_is_not_followed(ticker: Ticker, ws: Workspace, tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("colour,SECRET\n")
    folder = Path(str(ws.home.inbox("transcripts"))) / "E99001" / "2025-03"
    folder.mkdir(parents=True)
    (folder / "call.txt").symlink_to(secret)
    age(secret, 10)
    assert "The link leads out of the inbox" in ticker.words("inbox_transcripts")
    assert ws.registry.transcripts("E99001") == []
    (folder.parent.parent / "manifest.csv").symlink_to(secret)
    words = ticker.words("inbox_transcripts")
    assert "The link leads out of the inbox" in words
    assert "SECRET" not in words


def test_a_link_within_the_inbox_is_a_file(ticker: Ticker, ws: Workspace):
    path = drop(ws, "pdfs", "a.pdf", pdf("one"))
    path.with_name("b.pdf").symlink_to(path)
    [range_] = ticker.asked("inbox_pdfs")
    assert len(range_) == 2


def test_a_folder_in_the_manifests_place_is_named(ticker: Ticker, ws: Workspace):
    (Path(str(ws.home.inbox("pdfs"))) / "manifest.csv").mkdir(parents=True)
    assert "manifest.csv" in ticker.words("inbox_pdfs")


def test_a_changed_file_runs_again_under_another_run_key(
    ticker: Ticker, ws: Workspace, sample: Path
):
    """Dagster drops a repeated run key for ever."""
    put_corpus(ws, sample, "filings")
    [first], _ = ticker.tick("inbox_filings")
    age(Path(str(ws.home.inbox("filings"))) / "S9000A01.zip", 10)
    [second], _ = ticker.tick("inbox_filings")
    assert ticker.keys(second.tags) == ["E99001"]
    assert first.run_key != second.run_key


def test_a_tick_that_was_lost_asks_again_under_the_same_run_key(
    ticker: Ticker, ws: Workspace, sample: Path
):
    """A daemon killed after the tick and before its cursor was kept must lose nothing."""
    ticker.tick("inbox_filings")
    file = sample / "filings" / "S9000B01.zip"
    drop(ws, "filings", file.name, file.read_bytes())
    ticker.tick("inbox_filings")
    put_corpus(ws, sample, "filings")
    [first], _ = ticker.tick("inbox_filings", lost=True)
    [second], _ = ticker.tick("inbox_filings")
    assert (first.run_key, first.tags) == (second.run_key, second.tags)
    assert ticker.asked("inbox_filings") == []


def test_a_reset_cursor_takes_all_in_again_under_new_run_keys(
    ticker: Ticker, ws: Workspace, sample: Path
):
    put_corpus(ws, sample, "filings")
    [first], _ = ticker.tick("inbox_filings")
    ticker.cursors.clear()
    [second], _ = ticker.tick("inbox_filings")
    assert first.tags == second.tags
    assert first.run_key != second.run_key


def test_a_company_whose_run_waits_to_begin_is_not_asked_for_twice(
    ticker: Ticker, ws: Workspace, sample: Path
):
    """A run reads what is there when it begins; a second one would do its work again."""
    put_corpus(ws, sample, "filings")
    [request], _ = ticker.tick("inbox_filings")
    ticker.queue(request)
    put_corpus(ws, sample, "transcripts")
    assert "nothing to ask for yet" in ticker.words("inbox_transcripts")


def test_a_company_whose_run_has_begun_is_asked_for_again(
    ticker: Ticker, ws: Workspace, sample: Path
):
    """The run may have read the transcripts before this one came."""
    put_corpus(ws, sample, "filings")
    [request], _ = ticker.tick("inbox_filings")
    ticker.run(request.job_name, request.tags, dg.DagsterRunStatus.STARTED)
    put_corpus(ws, sample, "transcripts")
    assert ticker.asked("inbox_transcripts") == [["E99001", "E99002"]]


# -- PDFs and many of them


def test_a_file_still_being_copied_waits(ticker: Ticker, ws: Workspace):
    path = drop(ws, "pdfs", "a.pdf", pdf("a"), age_s=0)
    assert ticker.words("inbox_pdfs") == "Nothing new in inbox/pdfs"
    age(path, 3)
    assert len(ticker.asked("inbox_pdfs")) == 1


def test_the_same_pdf_under_two_names_is_two_documents_and_one_run(ticker: Ticker, ws: Workspace):
    """The name is part of a document's key; the bytes are kept once a name."""
    for name in ("a.pdf", "b.pdf"):
        drop(ws, "pdfs", name, pdf("same"))
    assert [len(run) for run in ticker.asked("inbox_pdfs")] == [2]


def test_a_burst_is_taken_in_chunks_and_each_is_one_run(
    ticker: Ticker, ws: Workspace, monkeypatch: pytest.MonkeyPatch
):
    assert sensors.CHUNK == 200
    monkeypatch.setattr(sensors, "CHUNK", 20)
    for n in range(45):
        drop(ws, "pdfs", f"{n:03}.pdf", pdf(str(n)))
    runs = [[len(run) for run in ticker.asked("inbox_pdfs")] for _ in range(4)]
    assert runs == [[20], [20], [5], []]


def test_a_tick_stops_in_time_and_the_rest_comes_with_the_next(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
):
    """Dagster ends a tick after 60 s; one that always takes longer never moves on."""
    files = [drop(ws, "pdfs", f"{n}.pdf", pdf(str(n))) for n in range(3)]
    from g2_pipelines.defs.inbox import list_inbox

    there = list_inbox(ws.home.inbox("pdfs"))
    monkeypatch.setattr(sensors.time, "monotonic", iter(range(0, 1000, 15)).__next__)
    taken = sensors.take_files(ws, "pdfs", there, {}, budget_s=20)
    assert list(taken.seen) == [file.name for file in files[:2]]


def test_the_cursor_stays_small_with_many_files(ticker: Ticker, ws: Workspace):
    """Dagster keeps a copy with every tick: 10,000 names would be 2 GB a day."""
    for n in range(20):
        drop(ws, "pdfs", f"{n:03}.pdf", pdf(str(n)))
    ticker.asked("inbox_pdfs")
    assert len(ticker.cursors["inbox_pdfs"] or "") < 100


def test_files_that_were_taken_away_are_forgotten(ticker: Ticker, ws: Workspace):
    first = drop(ws, "pdfs", "a.pdf", pdf("a"))
    ticker.asked("inbox_pdfs")
    first.unlink()
    drop(ws, "pdfs", "b.pdf", pdf("b"))
    ticker.asked("inbox_pdfs")
    assert set(load_cursor(ws.home, "pdfs", ticker.cursors["inbox_pdfs"]).seen) == {"b.pdf"}


def test_a_range_holds_no_key_that_another_sensor_put_between(ticker: Ticker, ws: Workspace):
    """A range follows the order in which keys came in, whoever added them."""
    drop(ws, "pdfs", "a.pdf", pdf("a"))
    [[a]] = ticker.asked("inbox_pdfs")
    ticker.instance.add_dynamic_partitions("documents", ["between"])
    drop(ws, "pdfs", "c.pdf", pdf("c"))
    age(Path(str(ws.home.inbox("pdfs"))) / "a.pdf", 10)
    runs = ticker.asked("inbox_pdfs")
    assert sorted(len(run) for run in runs) == [1, 1]
    assert {key for run in runs for key in run} == {a, *keys(ticker, "documents")} - {"between"}


def test_the_samples_manifest_names_what_is_there(sample: Path):
    rows = read_manifest((sample / "manifest.csv").read_bytes(), "manifest.csv")
    assert all((sample / name).exists() for name in rows)
