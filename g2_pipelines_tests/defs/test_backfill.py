"""Ten days of EDINET with faults: every filing is taken exactly once, and nothing twice."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from g2_pipelines.defs import specs
from g2_pipelines.tables.line1 import Listing
from g2_pipelines.tables.store import read_table
from g2_pipelines_tests.defs.following import Following, filing_zip, follow, listed
from g2_pipelines_tests.edinet.server import KEY, PDF

pytestmark = pytest.mark.slow
DAYS = [(dt.date(2025, 6, 16) + dt.timedelta(days=n)).isoformat() for n in range(10)]
COMPANIES = [f"E991{n:02}" for n in range(20)]
FOLLOWED = COMPANIES[:16]
WITHDRAWN, NOTICE = "S9100003", "S9200099"

#: One fault a request, of a day or document; each is over before the tries are.
PASSING = {
    f"list:{DAYS[0]}": ["500"],
    f"list:{DAYS[2]}": ["reset", "body500"],
    f"list:{DAYS[3]}": ["slow"],
    f"list:{DAYS[5]}": ["cut"],
    f"list:{DAYS[6]}": ["429"],
    "S9100000": ["503", "cut_zip"],
    "S9100001": ["cut"],
    "S9100004": ["slow"],
    "S9100005": ["body500", "429"],
    "S9100006": ["reset"],
}
#: Faults that outlast the tries: what they hit fails by name, and a later run gets it.
LASTING = {
    f"list:{DAYS[4]}": ["html"],
    f"list:{DAYS[8]}": ["503"] * 4,
    "S9100007": ["json"],
    "S9100008": ["html"],
}


def document(company: int) -> str:
    return f"S91{company:05}"


def fill(following: Following) -> None:
    """Two reports a day, a fund, a quarterly report; faults of the network and of EDINET."""
    edinet = following.edinet
    for n, company in enumerate(COMPANIES):
        day = edinet.days.setdefault(DAYS[n // 2], [])
        day.append(listed(len(day) + 1, document(n), company, "2025-03", pdfFlag="1"))
        edinet.documents[document(n)] = filing_zip(company, "2025-03")
        edinet.pdfs[document(n)] = PDF
    for day in DAYS:
        rows = edinet.days[day]
        rows.append(listed(3, f"S930{day[-2:]}00", FOLLOWED[0], "2025-03", docTypeCode="140"))
        rows.append(listed(4, f"S930{day[-2:]}01", FOLLOWED[0], "2025-03", ordinanceCode="030"))
    edinet.faults = {name: list(due) for name, due in (PASSING | LASTING).items()}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Following]:
    with follow(tmp_path / "home", FOLLOWED) as following:
        fill(following)
        yield following


def work_off(home: Following) -> list[tuple[list[str], str, bool]]:
    done: list[tuple[list[str], str, bool]] = []
    for sensor in ("filings_listed", "other_years", "filing_pdfs"):
        done += home.work(sensor)
    return done


def test_ten_days_with_faults_end_with_every_filing_taken_exactly_once(home: Following):
    edinet, instance = home.edinet, home.instance

    # The backfill, in one run: two days fail by name, the others are kept.
    assert not home.read(DAYS).success
    assert home.read_days() == set(DAYS) - {DAYS[4], DAYS[8]}
    [failure] = [e for e in home.results[-1].all_events if e.is_step_failure]
    data = failure.step_failure_data.user_failure_data
    assert {r.data["partition"] for r in data.metadata["failed"].records} == {DAYS[4], DAYS[8]}
    assert {r.data["code"] for r in data.metadata["failed"].records} == {"edinet_maintenance"}

    # A report is withdrawn after it was listed and before it is downloaded.
    edinet.withdraw(WITHDRAWN, NOTICE, "2025-06-27")

    # The runs that the sensor asks for: one file fails by name, a withdrawn one is no failure.
    first, second = home.work("filings_listed")
    assert first == (FOLLOWED[:8], "2025-03", False)
    assert second == (FOLLOWED[10:], "2025-03", True)
    [failure] = [e for e in home.results[-2].all_events if e.is_step_failure]
    failed = failure.step_failure_data.user_failure_data.metadata["failed"].records
    causes = {r.data["partition"]: r.data["code"] for r in failed if r.data["code"] != "blocked"}
    assert causes == {FOLLOWED[7]: "edinet_unexpected_answer"}
    gone = home.table(specs.FILINGS, FOLLOWED[3], "documents")
    assert [(row[0], row[2]) for row in gone if row[1] == "filing"] == [(WITHDRAWN, "not there")]
    assert not home.ws.home.table("filing_sections", FOLLOWED[3]).exists()

    # The failed days again, and what they list; a lasting fault of a document ends meanwhile.
    for day in (DAYS[4], DAYS[8]):
        assert home.run("listing", key=day).success
    assert home.read_days() == set(DAYS)
    assert work_off(home) == [(FOLLOWED[8:10], "2025-03", False)]
    assert home.run("sources", key=FOLLOWED[7]).success
    assert home.run("sources", key=FOLLOWED[8]).success

    # Every filing of a followed company once, whole; nobody else's at all.
    wanted = {document(n) for n in range(len(FOLLOWED))} - {WITHDRAWN}
    assert {d for (d, kind) in edinet.given if kind == "1"} == wanted
    assert set(edinet.given.values()) == {1}
    assert {d for (d, kind) in edinet.given if kind == "2"} == wanted
    for n, company in enumerate(FOLLOWED):
        if document(n) != WITHDRAWN:
            assert {s.document_id for s in home.sections(company)} == {document(n)}
    assert instance.get_materialized_partitions(specs.SOURCE_SPLITS) == {
        c for n, c in enumerate(FOLLOWED) if document(n) != WITHDRAWN
    }

    # What the days show.
    reasons = {row[1]: row[2] for row in home.table(specs.EDINET_LISTING, DAYS[0], "reasons")}
    assert reasons == {
        "annual report": "2",
        "another kind of document": "1",
        "a fund or foreign issuer (ordinance other than 010)": "1",
    }
    assert home.metadata(specs.EDINET_LISTING, DAYS[9])["taken"] == 0

    # The same ten days again: nothing is downloaded twice, nobody is asked for.
    before = dict(edinet.given)
    assert home.read(DAYS).success
    assert work_off(home) == []
    assert home.run("sources", key=FOLLOWED[0]).success
    assert dict(edinet.given) == before

    # The rewritten day shows the withdrawal, with who it was.
    changes = home.table(specs.EDINET_LISTING, DAYS[1], "changes_since_last_read")
    assert [row[:4] for row in changes] == [
        (WITHDRAWN, FOLLOWED[3], f"{FOLLOWED[3]}株式会社", "withdrawn")
    ]
    rows = read_table(home.ws.home.table("edinet_listing", DAYS[1]), Listing)
    assert [(r.docID, r.edinetCode) for r in rows][:2] == [
        (document(2), FOLLOWED[2]),
        (WITHDRAWN, None),
    ]


def test_the_key_is_nowhere_in_dagsters_storage_nor_in_the_home(tmp_path: Path):
    """Not in events, run configuration, metadata, logs, tables or the registry, failures included."""
    (tmp_path / "dagster").mkdir()
    with follow(tmp_path / "home", FOLLOWED, instance_dir=tmp_path / "dagster") as home:
        fill(home)
        home.edinet.faults[f"list:{DAYS[1]}"] = ["reset"] * 4
        home.edinet.faults[f"list:{DAYS[2]}"] = ["401"]
        home.read(DAYS[:3])
        home.work("filings_listed")
        outcomes = {result.success for result in home.results}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    stored = b"".join(path.read_bytes() for path in files if path.suffix == ".db")
    assert outcomes == {False, True}
    assert b"edinet_unreachable" in stored
    assert b"edinet_rejected_key" in stored
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
