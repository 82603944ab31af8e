"""The check with Arelle: there only by setting; tells a missing taxonomy from missing facts."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from zipfile import ZipFile

import dagster as dg
import pytest

from g2_pipelines.defs.build import build_definitions
from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.register import register
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.edinet import crosscheck
from g2_pipelines_tests.defs.following import QUIET, filing_zip

COMPANY, REAL = "E99101", "E36322"


def run(ws: Workspace, content: bytes, company: str, name: str) -> dg.AssetCheckEvaluation:
    register(ws, content, ManifestRow(file=name, type="filing"))
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("companies", [company])
        result = (
            build_definitions(workspace=ws)
            .resolve_job_def("sources")
            .execute_in_process(instance=instance, partition_key=company, run_config=QUIET)
        )
    assert result.success
    [evaluation] = result.get_asset_check_evaluations()
    return evaluation


def words(evaluation: dg.AssetCheckEvaluation, company: str) -> str:
    failing = evaluation.metadata["failing"].value
    assert isinstance(failing, dict)
    return str(failing.get(company, ""))


def checking(ws: Workspace, taxonomy: Path) -> Workspace:
    return Workspace(ws.settings.model_copy(update={"edinet_taxonomy": str(taxonomy)}))


def test_without_a_taxonomy_folder_there_is_no_such_check(ws: Workspace, tmp_path: Path):
    names = {k.name for k in build_definitions(workspace=ws).resolve_asset_graph().asset_check_keys}
    assert "arelle" not in names
    with_check = build_definitions(workspace=checking(ws, tmp_path))
    assert "arelle" in {k.name for k in with_check.resolve_asset_graph().asset_check_keys}


def test_without_arelle_the_check_says_what_to_install(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(crosscheck, "find_spec", lambda _: None)
    found = run(checking(ws, tmp_path), filing_zip(COMPANY, "2025-03"), COMPANY, "S9000001.zip")
    assert not found.passed
    assert found.severity is dg.AssetCheckSeverity.WARN
    assert "not compared: Arelle is not installed" in words(found, COMPANY)


def test_a_folder_without_a_taxonomy_is_named(ws: Workspace, tmp_path: Path):
    pytest.importorskip("arelle")
    found = run(checking(ws, tmp_path), filing_zip(COMPANY, "2025-03"), COMPANY, "S9000001.zip")
    assert "The folder holds no EDINET taxonomy" in words(found, COMPANY)


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("arelle") is None, reason="the extra arelle")
def test_a_real_filing_passes_with_its_taxonomy_and_says_which_is_missing(
    ws: Workspace, shared_data: Path, tmp_path: Path
):
    content = (shared_data / "edinet" / "filings" / "S100TBUZ.zip").read_bytes()
    (tmp_path / "empty" / "taxonomy" / "jpcrp").mkdir(parents=True)
    missing = run(checking(ws, tmp_path / "empty"), content, REAL, "S100TBUZ.zip")
    assert "not compared: the taxonomy lacks" in words(missing, REAL)
    assert "jpcrp_cor_2022-11-01.xsd" in words(missing, REAL)
    with ZipFile(shared_data / "edinet" / "taxonomy-2022-11-01.zip") as archive:
        archive.extractall(tmp_path / "full")
    assert run(checking(ws, tmp_path / "full"), content, REAL, "S100TBUZ.zip").passed
