"""The client when EDINET or the network misbehaves: nothing half is taken, nobody is hammered."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import SecretStr

from g2_pipelines.edinet.client import EdinetClient
from g2_pipelines.edinet.errors import (
    MaintenanceError,
    RateLimitedError,
    RejectedKeyError,
    TruncatedAnswerError,
    UnexpectedAnswerError,
    UnreachableError,
)
from g2_pipelines.edinet.pace import Pace
from g2_pipelines.errors import G2Error
from g2_pipelines_tests.edinet.builder import zip_bytes
from g2_pipelines_tests.edinet.server import KEY, PDF, LocalEdinet, local_edinet, row

DAY = "2025-06-25"
ZIP = zip_bytes({"XBRL/PublicDoc/a.htm": bytes(range(256)) * 400})


@pytest.fixture
def edinet() -> Iterator[LocalEdinet]:
    with local_edinet() as running:
        running.days[DAY] = [row(n, f"S900000{n}") for n in range(1, 4)]
        running.documents["S9000001"] = ZIP
        running.pdfs["S9000001"] = PDF
        yield running


def client(edinet: LocalEdinet, **more: object) -> EdinetClient:
    options: dict[str, object] = {"interval_s": 0.0, "backoff_s": 0.001, "attempts": 3}
    key = SecretStr(str(more.pop("key", KEY)))
    return EdinetClient(edinet.url, key, **(options | more))  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", ["500", "503", "429", "body500", "reset", "cut", "cut_zip"])
def test_a_passing_fault_costs_one_more_request_and_nothing_else(edinet: LocalEdinet, fault: str):
    edinet.faults["S9000001"] = [fault]
    with client(edinet) as api:
        assert api.download("S9000001", 1) == ZIP
    assert edinet.asked["S9000001"] == 2


def test_a_server_that_is_too_slow_is_asked_again(edinet: LocalEdinet):
    edinet.slow_s = 2.0
    edinet.faults["S9000001"] = ["slow"]
    with client(edinet, timeout_s=0.5) as api:
        assert api.download("S9000001", 1) == ZIP
    assert edinet.asked["S9000001"] == 2


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("503", MaintenanceError),
        ("429", RateLimitedError),
        ("html", MaintenanceError),
        ("empty", MaintenanceError),
        ("json", UnexpectedAnswerError),
        ("reset", UnreachableError),
        ("cut", UnreachableError),
        ("cut_zip", TruncatedAnswerError),
        ("401", RejectedKeyError),
    ],
)
def test_a_lasting_fault_is_named_and_gives_no_bytes(
    edinet: LocalEdinet, fault: str, error: type[G2Error]
):
    edinet.faults["S9000001"] = [fault] * 9
    with client(edinet) as api, pytest.raises(error) as caught:
        api.download("S9000001", 1)
    assert caught.value.file == "S9000001"
    assert caught.value.remedy


def test_half_a_pdf_is_no_pdf(edinet: LocalEdinet):
    edinet.pdfs["S9000002"] = b"%PDF-1.7\n" + b"x" * 5000
    with client(edinet) as api:
        assert api.download("S9000001", 2) == PDF
        with pytest.raises(TruncatedAnswerError):
            api.download("S9000002", 2)


def test_a_list_with_fewer_rows_than_it_says_is_no_shorter_day(edinet: LocalEdinet):
    """Taken for the day, it would have lost a filing for ever."""
    edinet.faults[f"list:{DAY}"] = ["cut"]
    with client(edinet) as api:
        assert len(api.list_day(DAY)) == 3
    edinet.faults[f"list:{DAY}"] = ["cut"] * 9
    with client(edinet) as api, pytest.raises(TruncatedAnswerError, match="3 rows and holds 2"):
        api.list_day(DAY)


def test_a_broken_file_is_continued_where_it_broke(edinet: LocalEdinet):
    """Of a file that breaks twice, each byte is sent once where the server knows ranges."""
    edinet.ranges = True
    edinet.faults["S9000001"] = ["cut", "cut"]
    with client(edinet) as api:
        assert api.download("S9000001", 1) == ZIP
    assert edinet.asked["S9000001"] == 3
    assert edinet.sent["S9000001"] == len(ZIP)


def test_a_file_that_changed_meanwhile_is_not_glued_together(edinet: LocalEdinet):
    edinet.ranges = True
    edinet.faults["S9000001"] = ["cut"]
    other = zip_bytes({"XBRL/PublicDoc/b.htm": b"y" * 90_000})
    edinet.after_cut["S9000001"] = other
    with client(edinet) as api:
        assert api.download("S9000001", 1) == other


def test_a_rejected_key_is_not_tried_for_other_documents(edinet: LocalEdinet):
    with client(edinet, key="wrong") as api:
        for document in ("S9000001", "S9000002", "S9000003"):
            with pytest.raises(RejectedKeyError):
                api.download(document, 1)
    assert sum(edinet.asked.values()) == 1


def test_nobody_hammers_a_server_that_is_down(edinet: LocalEdinet):
    """A batch of 200 days during maintenance asks three of them, and says so of the others."""
    for number in range(1, 9):
        edinet.faults[f"S900000{number}"] = ["html"] * 9
    with client(edinet, give_up_after=3) as api:
        for number in range(1, 9):
            with pytest.raises(MaintenanceError, match="Not asked" if number > 3 else "web page"):
                api.download(f"S900000{number}", 1)
    assert sum(edinet.asked.values()) == 3


def test_a_success_between_failures_says_that_the_server_is_up(edinet: LocalEdinet):
    edinet.faults = {f"S900000{n}": ["html"] for n in (2, 3, 4, 5)}
    with client(edinet, give_up_after=3) as api:
        for number in (2, 3, 4, 5):
            with pytest.raises(MaintenanceError, match="web page"):
                api.download(f"S900000{number}", 1)
            if number == 3:
                api.list_day(DAY)


def test_an_unchanged_day_is_not_sent_again_where_the_server_can_say_so(edinet: LocalEdinet):
    edinet.validators = True
    with client(edinet) as api:
        first = api.read_day(DAY)
        assert first.as_of == edinet.as_of
        assert api.read_day(DAY, first.validators).rows is None
        edinet.days[DAY].append(row(4, "S9000004"))
        assert len(api.read_day(DAY, first.validators).rows or []) == 4


def test_a_days_count_is_asked_without_its_rows(edinet: LocalEdinet):
    with client(edinet) as api:
        found = api.count_day(DAY)
    assert (found.count, found.as_of) == (3, edinet.as_of)
    assert edinet.queries[-1]["type"] == ["1"]


def test_processes_share_one_pace(tmp_path: Path):
    """A listing run and a download run go on at once; EDINET sees one user."""
    code = (
        "import sys; from pathlib import Path; from g2_pipelines.edinet.pace import Pace\n"
        "pace = Pace(0.05, Path(sys.argv[1]))\n"
        "for _ in range(5): print(pace.wait())"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "pace")], stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    starts = sorted(float(line) for run in runs for line in run.communicate()[0].splitlines())
    assert len(starts) == 10
    assert all(after - before > 0.049 for before, after in pairwise(starts))


def test_a_clock_that_was_set_back_stops_nobody(tmp_path: Path):
    ahead = time.time() + 1e6
    (tmp_path / "pace").write_text(f"{ahead}")
    assert Pace(0.01, tmp_path / "pace").wait() < ahead
