"""A day's list from a local EDINET becomes runs, and the run downloads what is listed."""

from pathlib import Path

import dagster as dg
import pytest
from pydantic import SecretStr

from g2_pipelines.defs import specs
from g2_pipelines.defs.build import build_definitions
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line1 import FilingSection, Listing
from g2_pipelines.tables.store import read_table
from g2_pipelines_tests.edinet.server import KEY, LocalEdinet, local_edinet, row

DAY = "2025-06-25"


@pytest.fixture
def edinet(sample: Path):
    with local_edinet() as server:
        listed = {
            "ordinanceCode": "010",
            "formCode": "030000",
            "docTypeCode": "120",
            "xbrlFlag": "1",
        }
        server.days[DAY] = [
            row(1, "S9000A01", edinetCode="E99001", filerName="青嶺精機株式会社", **listed),
            row(2, "S9000B01", edinetCode="E99002", filerName="株式会社みなと食品", **listed),
            row(3, "S9000C01", edinetCode=None, withdrawalStatus="1"),
        ]
        server.documents["S9000A01"] = (sample / "filings/S9000A01.zip").read_bytes()
        yield server


@pytest.fixture
def following(edinet: LocalEdinet, tmp_path: Path) -> Workspace:
    return Workspace(
        Settings(
            _env_file=None,
            home=str(tmp_path / "home"),
            edinet_base_url=edinet.url,
            edinet_api_key=SecretStr(KEY),
            edinet_interval_s=0,
        )
    )


def run(
    ws: Workspace, instance: dg.DagsterInstance, job: str, key: str
) -> dg.ExecuteInProcessResult:
    defs = build_definitions(workspace=ws)
    return defs.resolve_job_def(job).execute_in_process(
        instance=instance, partition_key=key, raise_on_error=False
    )


def tick(ws: Workspace, instance: dg.DagsterInstance, cursor: str | None = None):
    defs = build_definitions(workspace=ws)
    [sensor] = [s for s in defs.sensors or () if s.name == "filings_listed"]
    context = dg.build_sensor_context(
        instance=instance, cursor=cursor, resources={"workspace": ws}, definitions=defs
    )
    return sensor.evaluate_tick(context)


@pytest.mark.slow
def test_a_listed_filing_of_a_followed_company_is_downloaded_and_read(
    following: Workspace, edinet: LocalEdinet
):
    """Nobody else's filing is downloaded, none twice, and the key is nowhere in the log."""
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("companies", ["E99001"])
        assert run(following, instance, "listing", DAY).success
        rows = read_table(following.home.table("edinet_listing", DAY), Listing)
        assert [r.docID for r in rows] == ["S9000A01", "S9000B01", "S9000C01"]
        asked = tick(following, instance)
        [request] = asked.run_requests
        assert request.job_name == "sources"
        assert request.tags["dagster/asset_partition_range_start"] == "E99001"
        result = run(following, instance, "sources", "E99001")
        assert result.success
        sections = read_table(following.home.table("filing_sections", "E99001"), FilingSection)
        assert {s.section for s in sections if s.text} >= {"policy", "mdna"}
        assert edinet.asked["S9000A01"] == 1
        assert edinet.asked["S9000B01"] == 0
        assert run(following, instance, "sources", "E99001").success
        assert edinet.asked["S9000A01"] == 1
        assert not any(KEY in str(event) for event in result.all_events)
        again = tick(following, instance, asked.cursor)
        assert not again.run_requests


def test_a_rejected_key_is_red_and_says_so(following: Workspace, tmp_path: Path):
    """A rejected key must not read as a day without filings."""
    wrong = Workspace(
        following.settings.model_copy(update={"edinet_api_key": SecretStr("wrong-secret")})
    )
    with dg.DagsterInstance.ephemeral() as instance:
        result = run(wrong, instance, "listing", DAY)
        assert not result.success
        [event] = [e for e in result.all_events if e.is_step_failure]
        message = event.step_failure_data.user_failure_data.description
        assert "key" in message
        assert "wrong-secret" not in str(result.all_events)
        assert instance.get_materialized_partitions(specs.EDINET_LISTING) == set()
