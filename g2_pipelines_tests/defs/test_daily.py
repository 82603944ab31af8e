"""What a day at EDINET does to a home: withdrawals, corrections, PDFs, downtime, other years."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from pydantic import SecretStr

from g2_pipelines.corpus.makers.filings import FOLDER
from g2_pipelines.defs import specs
from g2_pipelines.defs.days import changes_of
from g2_pipelines.defs.listing_sensor import day_requests, days_to_read
from g2_pipelines.tables.line1 import Filing, Listing, SourceSplit
from g2_pipelines.tables.line2 import DocumentNode, PdfDocument
from g2_pipelines.tables.store import read_table
from g2_pipelines_tests.defs.following import Following, filing_zip, follow, listed
from g2_pipelines_tests.defs.test_sensors import put_companies
from g2_pipelines_tests.edinet.builder import zip_bytes
from g2_pipelines_tests.edinet.server import PDF, row

DAY, LATER = "2025-06-25", "2025-07-14"
COMPANY, OTHER = "E99101", "E99102"
REPORT, OLDER, CORRECTION, NOTICE = "S9000001", "S9000002", "S9000003", "S9000004"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Following]:
    """One followed company, its report listed and there."""
    with follow(tmp_path / "home", [COMPANY], edinet_pdfs="off") as following:
        following.edinet.days[DAY] = [listed(1, REPORT, COMPANY, "2025-03")]
        following.edinet.documents[REPORT] = filing_zip(COMPANY, "2025-03")
        yield following


def take(home: Following, *days: str) -> list[tuple[list[str], str, bool]]:
    """Read days one by one and do what the sensor then asks for."""
    for day in days:
        assert home.run("listing", key=day).success
    return home.work("filings_listed")


def texts(home: Following, *, used: bool = True) -> set[str]:
    return {s.text.split("。")[0] for s in home.sections(COMPANY, used=used)}


# -- withdrawals


def test_a_withdrawn_report_is_used_no_more_and_stays_as_history(home: Following):
    """Its rows would have gone on into briefs for ever: the rewritten row names nobody."""
    assert take(home, DAY) == [([COMPANY], "2025-03", True)]
    assert home.work("summaries_after_sources")
    home.edinet.withdraw(REPORT, NOTICE, LATER)
    assert take(home, LATER) == [([COMPANY], "2025-03", True)]
    assert texts(home) == set()
    assert texts(home, used=False) == {f"{COMPANY}の2025-03の方針", f"{COMPANY}の2025-03の分析"}
    assert {s.superseded_by for s in home.sections(COMPANY, used=False)} == {"withdrawn"}
    splits = read_table(home.ws.home.table("source_splits", COMPANY), SourceSplit)
    assert splits == []
    assert read_table(home.ws.home.table("filings", COMPANY), Filing) == []
    [history] = home.table(specs.FILINGS, COMPANY, "documents")
    assert history[:4] == (REPORT, "filing", "history", f"withdrawn (取下げ) by {NOTICE}")
    assert home.work("summaries_after_sources") == []


def test_a_withdrawal_is_also_seen_in_the_rewritten_day_alone(home: Following):
    """The notice's own day may never be read: the report's day is, within the window."""
    take(home, DAY)
    home.edinet.withdraw(REPORT, NOTICE, LATER)
    assert take(home, DAY) == [([COMPANY], "2025-03", True)]
    assert texts(home) == set()
    assert take(home, DAY) == []
    [change] = changes_of(home.ws, DAY)
    assert (change.docID, change.edinetCode, change.change) == (REPORT, COMPANY, "withdrawn")


def test_a_withdrawn_correction_gives_the_reports_own_text_back(home: Following):
    home.edinet.days[LATER] = [
        listed(1, CORRECTION, COMPANY, "2025-03", docTypeCode="130", parentDocID=REPORT,
               periodEnd=None)
    ]  # fmt: skip
    home.edinet.documents[CORRECTION] = filing_zip(
        COMPANY, "2025-03", corrects=REPORT, policy="訂正後の方針。", mdna=""
    )
    take(home, DAY, LATER)
    assert texts(home) == {"訂正後の方針", f"{COMPANY}の2025-03の分析"}
    home.edinet.withdraw(CORRECTION, NOTICE, "2025-07-20")
    assert take(home, "2025-07-20") == [([COMPANY], "2025-03", True)]
    assert texts(home) == {f"{COMPANY}の2025-03の方針", f"{COMPANY}の2025-03の分析"}
    assert texts(home, used=False) == {"訂正後の方針"}


def test_a_report_takes_its_corrections_with_it(home: Following):
    """The correction's own row is rewritten only at night (specification 3-1-5)."""
    home.edinet.days[LATER] = [
        listed(1, CORRECTION, COMPANY, "2025-03", docTypeCode="130", parentDocID=REPORT)
    ]
    home.edinet.documents[CORRECTION] = filing_zip(
        COMPANY, "2025-03", corrects=REPORT, policy="訂正後の方針。", mdna=""
    )
    take(home, DAY, LATER)
    home.edinet.days["2025-07-20"] = [
        row(1, NOTICE, withdrawalStatus="1", parentDocID=REPORT, legalStatus="0")
    ]
    take(home, "2025-07-20")
    assert texts(home) == set()
    assert "訂正後の方針" in texts(home, used=False)


def test_what_is_not_disclosed_for_a_time_comes_back(home: Following):
    take(home, DAY)
    start = listed(
        7, REPORT, COMPANY, "2025-03", disclosureStatus="1", opeDateTime=f"{LATER} 19:30"
    )
    end = listed(
        9, REPORT, COMPANY, "2025-03", disclosureStatus="3", opeDateTime="2025-08-01 17:30"
    )
    home.edinet.days |= {LATER: [start], "2025-08-01": [end]}
    assert take(home, LATER) == [([COMPANY], "2025-03", True)]
    assert texts(home) == set()
    assert take(home, "2025-08-01") == [([COMPANY], "2025-03", True)]
    assert len(texts(home)) == 2
    assert take(home, LATER) == []  # read again, the old notice undoes nothing
    assert home.edinet.given[REPORT, "1"] == 1


def test_a_document_that_is_listed_before_it_can_be_had_is_no_failure(home: Following):
    home.edinet.gone.add(REPORT)
    assert take(home, DAY) == [([COMPANY], "2025-03", True)]
    [found] = home.table(specs.FILINGS, COMPANY, "documents")
    assert found[:3] == (REPORT, "filing", "not there")
    home.edinet.gone.clear()
    assert take(home, DAY) == [([COMPANY], "2025-03", True)]
    assert len(texts(home)) == 2


def test_what_edinet_edits_of_a_document_is_taken_over_and_not_downloaded_again(home: Following):
    """A correction whose report was named wrongly: the notice names the right one."""
    wrong = listed(2, CORRECTION, COMPANY, "2025-03", docTypeCode="130", parentDocID=OLDER)
    home.edinet.days[DAY].append(wrong)
    home.edinet.documents[CORRECTION] = filing_zip(
        COMPANY, "2025-03", corrects=REPORT, policy="訂正後の方針。", mdna=""
    )
    take(home, DAY)
    notice = {"parentDocID": REPORT, "docInfoEditStatus": "1", "opeDateTime": f"{LATER} 09:30"}
    home.edinet.days[LATER] = [wrong | {"seqNumber": 99} | notice]
    assert take(home, LATER) == [([COMPANY], "2025-03", True)]
    filings = read_table(home.ws.home.table("filings", COMPANY), Filing)
    assert {f.document_id: f.amends for f in filings} == {REPORT: None, CORRECTION: REPORT}
    assert home.edinet.given[CORRECTION, "1"] == 1


def test_a_home_on_an_object_store_does_the_same(tmp_path: Path):
    with follow(f"memory://{tmp_path.name}", [COMPANY], edinet_pdfs="store") as home:
        home.edinet.days[DAY] = [listed(1, REPORT, COMPANY, "2025-03", pdfFlag="1")]
        home.edinet.documents[REPORT] = filing_zip(COMPANY, "2025-03")
        home.edinet.pdfs[REPORT] = PDF
        assert take(home, DAY) == [([COMPANY], "2025-03", True)]
        home.edinet.withdraw(REPORT, NOTICE, LATER)
        assert take(home, LATER) == [([COMPANY], "2025-03", True)]
        assert texts(home) == set()
        assert set(home.edinet.given.values()) == {1}


# -- a day's reading


def test_a_day_in_progress_is_read_whole_only_when_rows_were_added(home: Following):
    home.edinet.as_of = f"{DAY} 10:15"
    take(home, DAY)
    home.run("listing", key=DAY)
    assert [query["type"] for query in home.edinet.queries if "date" in query] == [
        ["2"], ["1"],
    ]  # fmt: skip
    assert str(home.metadata(specs.EDINET_LISTING, DAY)["read"]).startswith("unchanged")
    home.edinet.days[DAY].append(listed(2, OLDER, COMPANY, "2024-03"))
    home.edinet.documents[OLDER] = filing_zip(COMPANY, "2024-03")
    assert take(home, DAY) == [([COMPANY], "2024-03", True)]
    [change] = home.table(specs.EDINET_LISTING, DAY, "changes_since_last_read")
    assert change[:4] == (OLDER, COMPANY, f"{COMPANY}株式会社", "new")


def test_the_nightly_rewriting_is_read_though_the_count_is_equal(home: Following):
    home.edinet.as_of = f"{DAY} 18:15"
    take(home, DAY)
    home.edinet.as_of = "2025-06-26 00:10"
    home.edinet.days[DAY][0] |= {"docInfoEditStatus": "2"}
    home.run("listing", key=DAY)
    [change] = changes_of(home.ws, DAY)
    assert (change.change, change.as_of) == ("edited", "2025-06-26 00:10")


def test_a_day_read_again_unchanged_gives_the_same_bytes(home: Following):
    take(home, DAY)
    path = Path(str(home.ws.home.table("edinet_listing", DAY)))
    before = path.read_bytes()
    home.edinet.as_of = "2026-02-01 00:10"
    home.run("listing", key=DAY)
    assert path.read_bytes() == before
    assert changes_of(home.ws, DAY) == []
    assert take(home) == []


def test_a_row_that_an_answer_lacks_is_kept_and_said_once(home: Following):
    home.edinet.days[DAY].append(listed(2, OLDER, OTHER, "2024-03"))
    take(home, DAY)
    del home.edinet.days[DAY][1]
    for _ in range(2):
        home.run("listing", key=DAY)
    rows = read_table(home.ws.home.table("edinet_listing", DAY), Listing)
    assert [r.docID for r in rows] == [REPORT, OLDER]
    assert [(c.docID, c.change) for c in changes_of(home.ws, DAY)] == [(OLDER, "missing")]


def test_a_stored_day_that_is_damaged_costs_itself_alone(home: Following):
    home.edinet.days[LATER] = [listed(1, OLDER, COMPANY, "2024-03")]
    home.edinet.documents[OLDER] = filing_zip(COMPANY, "2024-03")
    for day in (DAY, LATER):
        home.run("listing", key=day)
    path = Path(str(home.ws.home.table("edinet_listing", DAY)))
    path.write_bytes(b"PAR1 damaged")
    assert [(year, good) for _, year, good in home.work("filings_listed")] == [("2024-03", True)]
    assert not home.run("listing", key=DAY).success
    [failure] = [e for e in home.results[-1].all_events if e.is_step_failure]
    assert "Delete the file" in str(failure.step_failure_data.user_failure_data.description)
    put_companies(home.ws, [COMPANY, OTHER])
    assert home.work("inbox_companies") == []
    path.unlink()
    assert take(home, DAY) == [([COMPANY], "2025-03", True)]


def test_ids_that_are_none_of_edinets_reach_no_path(home: Following):
    """A list is data of a server: an id may not lead out of the home, nor stop the others."""
    home.edinet.days[DAY] += [
        listed(2, "../../x", COMPANY, "2025-03"),
        row(4, NOTICE, withdrawalStatus="1", parentDocID="../../y", legalStatus="0"),
    ]
    assert take(home, DAY) == [([COMPANY], "2025-03", True)]
    assert [f.document_id for f in home.ws.registry.noted(COMPANY)] == [REPORT]
    reasons = {row[1] for row in home.table(specs.EDINET_LISTING, DAY, "reasons")}
    assert "its document or company id is none of EDINET's" in reasons


# -- fiscal years


def test_a_correction_of_an_older_year_makes_that_year_anew(home: Following):
    home.edinet.days[DAY].append(listed(2, OLDER, COMPANY, "2024-03"))
    home.edinet.documents[OLDER] = filing_zip(COMPANY, "2024-03")
    assert [(year, good) for _, year, good in take(home, DAY)] == [
        ("2024-03", True), ("2025-03", True),
    ]  # fmt: skip
    home.edinet.days[LATER] = [
        listed(1, CORRECTION, COMPANY, "2024-03", docTypeCode="130", parentDocID=OLDER,
               periodEnd=None)
    ]  # fmt: skip
    home.edinet.documents[CORRECTION] = filing_zip(
        COMPANY, "2024-03", corrects=OLDER, policy="訂正後の方針。", mdna=""
    )
    assert take(home, LATER) == [([COMPANY], "2024-03", True)]
    old = {s.text.split("。")[0] for s in home.sections(COMPANY) if s.fiscal_year == "2024-03"}
    assert old == {"訂正後の方針", f"{COMPANY}の2024-03の分析"}
    [request] = home.ticker.tick("summaries_after_sources")[0][:1]
    years = [
        r.run_config["ops"]["summaries_step"]["config"]["fiscal_year"]
        for r in [request, *home.ticker.tick("summaries_after_sources")[0]]
    ]
    assert "2024-03" in years


def test_a_year_that_only_the_filing_knows_is_made_by_a_run_of_its_own(home: Following):
    """A correction's row may lack the period, and its report may not be in the home."""
    home.edinet.days[DAY].append(listed(2, OLDER, COMPANY, "2024-03", periodEnd=None))
    home.edinet.documents[OLDER] = filing_zip(COMPANY, "2024-03")
    assert [(year, good) for _, year, good in take(home, DAY)] == [("", True), ("2025-03", True)]
    assert home.work("other_years") == [([COMPANY], "2024-03", True)]
    assert {s.fiscal_year for s in home.sections(COMPANY)} == {"2024-03", "2025-03"}
    assert home.work("other_years") == []


# -- bad files


def test_a_bad_file_costs_itself_alone_and_is_named(home: Following):
    home.edinet.days[DAY].append(listed(2, OLDER, COMPANY, "2025-03", docTypeCode="130"))
    home.edinet.documents[OLDER] = zip_bytes({"XBRL/PublicDoc/readme.txt": b"no filing"})
    assert take(home, DAY) == [([COMPANY], "2025-03", False)]
    assert len(texts(home)) == 2
    states = {r[0]: r[2] for r in home.table(specs.FILINGS, COMPANY, "documents")}
    assert states == {REPORT: "in force", OLDER: "bad file"}
    assert OLDER in str(home.metadata(specs.FILINGS, COMPANY)["bad_files"])
    assert COMPANY in home.instance.get_materialized_partitions(specs.SOURCE_SPLITS)
    [failure] = [e for e in home.results[-1].all_events if e.is_step_failure]
    assert f"{OLDER}.zip" in str(failure.step_failure_data.user_failure_data.description)


def test_the_csv_form_stands_in_for_unreadable_xbrl_only_by_setting(tmp_path: Path):
    for fallback in (False, True):
        home = tmp_path / str(fallback)
        with follow(home, [COMPANY], edinet_pdfs="off", edinet_csv_fallback=fallback) as following:
            edinet = following.edinet
            edinet.days[DAY] = [listed(1, REPORT, COMPANY, "2025-03", csvFlag="1", xbrlFlag="0")]
            edinet.csvs[REPORT] = zip_bytes({"XBRL_TO_CSV/readme.txt": b"x"})
            asked = take(following, DAY)
            assert bool(asked) is fallback
            assert edinet.given[REPORT, "5"] == int(fallback)
            reasons = following.table(specs.EDINET_LISTING, DAY, "reasons")
            assert reasons == [
                ("taken", "annual report", "1") if fallback else ("skipped", "no XBRL", "1")
            ]


# -- whom to follow, and when


def test_a_company_followed_from_now_on_gets_what_was_listed_before(home: Following):
    home.edinet.days[DAY].append(listed(2, OLDER, OTHER, "2025-03"))
    home.edinet.documents[OLDER] = filing_zip(OTHER, "2025-03")
    take(home, DAY)
    assert home.edinet.asked[OLDER] == 0
    put_companies(home.ws, [COMPANY, OTHER])
    assert home.work("inbox_companies") == [([OTHER], "2025-03", True)]
    assert {s.document_id for s in home.sections(OTHER)} == {OLDER}


def test_the_last_week_is_read_again_and_missed_days_are_made_up_for():
    today = dt.date(2025, 7, 2)
    days = days_to_read(today, [], again=7, catch_up=0)
    assert (days[0], days[-1], len(days)) == ("2025-06-25", "2025-07-01", 7)
    read = [(today - dt.timedelta(days=n)).isoformat() for n in (8, 9, 11, 12, 13, 14)]
    assert days_to_read(today, read, again=7, catch_up=14) == ["2025-06-22", *days]


def test_days_that_follow_on_one_another_are_one_run():
    days = ["2025-06-22", "2025-06-25", "2025-06-26"]
    ranges = [
        tuple(r.tags[f"dagster/asset_partition_range_{end}"] for end in ("start", "end"))
        for r in day_requests(days, "2025-07-02")
    ]
    assert ranges == [("2025-06-22", "2025-06-22"), ("2025-06-25", "2025-06-26")]
    assert day_requests([], "x") == []


def test_the_schedule_reads_what_was_missed_while_it_was_down(tmp_path: Path):
    (tmp_path / "dagster").mkdir()
    with follow(tmp_path / "home", [COMPANY], instance_dir=tmp_path / "dagster") as home:
        [schedule] = [s for s in home.ticker.defs.schedules or () if s.name == "refresh_filings"]
        assert home.run("listing", key="2025-06-01").success
        with dg.build_schedule_context(
            instance=home.instance,
            scheduled_execution_time=dt.datetime(2025, 6, 30, 21, 30, tzinfo=dt.UTC),
            resources={"workspace": home.ws},
        ) as context:
            requests = schedule(context)
    ends = [
        r.tags[f"dagster/asset_partition_range_{e}"] for r in requests for e in ("start", "end")
    ]
    assert ends == ["2025-05-02", "2025-05-31", "2025-06-02", "2025-06-30"]


def test_a_rejected_key_is_asked_once_for_a_whole_range(tmp_path: Path):
    with follow(tmp_path / "home", [COMPANY]) as home:
        wrong = home.ws.settings.model_copy(update={"edinet_api_key": SecretStr("wrong-secret")})
        home.ws.__dict__["settings"] = wrong
        assert not home.read(["2025-06-16", "2025-06-17", "2025-06-18", "2025-06-19"]).success
        assert sum(home.edinet.asked.values()) == 1
        assert home.read_days() == set()
        assert "wrong-secret" not in str(home.results[-1].all_events)


# -- PDFs


@pytest.mark.slow
def test_a_filings_pdf_becomes_a_document_of_its_company(tmp_path: Path):
    pdf = (FOLDER.parent / "pdfs" / "minato_cold_chain_en.pdf").read_bytes()
    with follow(tmp_path / "home", [COMPANY], edinet_pdfs="store") as home:
        home.edinet.days[DAY] = [listed(1, REPORT, COMPANY, "2025-03", pdfFlag="1")]
        home.edinet.documents[REPORT] = filing_zip(COMPANY, "2025-03")
        home.edinet.pdfs[REPORT] = pdf
        take(home, DAY)
        kept = home.ws.registry.download(REPORT, 2)
        assert kept is not None
        assert home.ws.registry.original(kept.raw, kept.digest) == pdf
        assert home.work("filing_pdfs") == []
        assert home.ws.registry.pdfs() == []

        # The setting changed: what is stored is registered, and not downloaded again.
        changed = home.ws.settings.model_copy(update={"edinet_pdfs": "register"})
        home.ws.__dict__["settings"] = changed
        assert home.run("sources", key=COMPANY).success
        assert home.work("filing_pdfs") == [([REPORT], "", True)]
        assert home.edinet.given[REPORT, "2"] == 1
        [document] = read_table(home.ws.home.table("pdf_documents", REPORT), PdfDocument)
        assert (document.document_id, document.edinet_code) == (REPORT, COMPANY)
        assert read_table(home.ws.home.table("document_nodes", REPORT), DocumentNode)
        pictures = home.ws.home.document_images(REPORT)
        html = (pictures / "overview.html").read_text(encoding="utf-8")
        assert "minato" in html or REPORT in html
        assert html.count("data:image/png;base64,") == document.pages
        assert len(list(pictures.glob("overview-*.png"))) == document.pages
        assert home.run("sources", key=COMPANY).success
        assert home.work("filing_pdfs") == []
