"""A gate that fails keeps the brief back, and says in the UI which text, which claim and why."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.commands.demo import corpus
from g2_pipelines.commands.runs import failure_of, run_chain
from g2_pipelines.defs import partitions
from g2_pipelines.defs.assets.judgement import build_judgement
from g2_pipelines.defs.gate_checks import GATES
from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.register import register
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.evaluation.brief import evaluate
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line1 import Summary
from g2_pipelines.tables.store import read_table, write_table
from g2_pipelines_tests.evaluation.samples import ASPECT, SEGMENTS, SOURCE, summary

COMPANY = "E99001"


def test_the_gates_that_are_shown_are_those_that_there_are():
    found = evaluate(
        summary("売上高は48,620百万円となりました。"),
        sources=[SOURCE],
        segments=SEGMENTS,
        others=[],
        aspect=ASPECT,
    )
    assert {check.name for check in found.checks if check.gate} == set(GATES)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The sample company, with a figure of one published text altered."""
    folder = str(tmp_path_factory.mktemp("gates") / "home")
    ws = Workspace(Settings(_env_file=None, home=folder))
    file = corpus() / "filings/S9000A01.zip"
    register(ws, file.read_bytes(), ManifestRow(file=file.name, type="filing"))
    run_chain(ws, "companies", [COMPANY], steps=("sources", "summaries"))
    return ws


def alter(ws: Workspace) -> None:
    path = ws.home.table("final_summaries/outlook", COMPANY)
    [row] = read_table(path, Summary)
    text = "2025年3月期の売上高は48,602百万円となりました。"
    changed = row.model_copy(
        update={"text": text, "sentences": [], "nothing_found": False, "engine": "openai"}
    )
    write_table(path, [changed], Summary)


def judge(ws: Workspace) -> dg.ExecuteInProcessResult:
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(partitions.companies.name or "", [COMPANY])
        return dg.materialize(
            [build_judgement(ws.brief_config, 10)],
            resources={"workspace": ws},
            instance=instance,
            partition_key=COMPANY,
            raise_on_error=False,
        )


@pytest.mark.slow
def test_a_failed_gate_is_seen_with_its_reason_and_no_brief_is_written(home: Workspace):
    done = judge(home)
    assert done.success
    checks = {c.check_name: c for c in done.get_asset_check_evaluations()}
    assert {f"gate_{name}" for name in GATES} < set(checks)
    assert all(check.passed for check in checks.values())
    assert checks["gate_missing_numbers"].metadata["published_texts"].value == 4
    page = Path(str(home.home.brief_page(COMPANY, "2025-03")))
    assert page.exists()
    page.unlink()

    alter(home)
    done = judge(home)
    assert not done.success
    assert not page.exists()
    checks = {c.check_name: c for c in done.get_asset_check_evaluations()}
    failed = checks["gate_missing_numbers"]
    assert not failed.passed
    assert failed.severity is dg.AssetCheckSeverity.ERROR
    assert "48,602百万円" in str(failed.description)
    [record] = failed.metadata["failing"].records
    assert (record.data["company"], record.data["aspect"]) == (COMPANY, "outlook")
    assert "48,602百万円" in str(record.data["why"])
    assert failed.metadata["threshold"].text == "0"
    assert checks["gate_truncated"].passed
    [failure] = [e for e in done.all_events if e.event_type_value == "STEP_FAILURE"]
    assert "48,602百万円" in str(failure.step_failure_data)


@pytest.mark.slow
def test_a_threshold_of_the_settings_lets_a_text_pass(home: Workspace):
    alter(home)
    outcomes = run_chain(home, "companies", [COMPANY], steps=("judgement",))
    error = failure_of(outcomes, COMPANY)
    assert error is not None
    assert error.code == "gate"
    given = {"missing_numbers": 1, "missing_periods": 9}
    mild = Workspace(Settings(_env_file=None, home=str(home.home.root), thresholds=given))
    assert (
        failure_of(run_chain(mild, "companies", [COMPANY], steps=("judgement",)), COMPANY) is None
    )
