"""The cross-check with Arelle: equal, different, without taxonomy, without facts."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

from g2_pipelines.edinet import crosscheck
from g2_pipelines.edinet.crosscheck import CrossCheckLimits, cross_check, taxonomy_root
from g2_pipelines.edinet.errors import ArelleLimitError, ArelleMissingError, TaxonomyFolderError
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines_tests.edinet.builder import STEM, write_zip

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("arelle") is None, reason="the extra arelle is not installed"
)


@pytest.fixture(scope="module")
def taxonomy(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("taxonomies")
    with ZipFile(shared_data / "edinet" / "taxonomy-2022-11-01.zip") as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def empty_taxonomy(tmp_path: Path) -> Path:
    (tmp_path / "taxonomy" / "jpcrp").mkdir(parents=True)
    return tmp_path


def test_a_real_filing_reads_the_same_and_a_changed_value_does_not(
    shared_data: Path, taxonomy: Path
) -> None:
    source = shared_data / "edinet" / "filings" / "S100TBUZ.zip"
    read = read_filing(source)
    result = cross_check(source, read, taxonomy=taxonomy)
    assert (result.outcome, result.entry) == ("same", "instance")
    assert result.facts == result.same_facts == 516
    assert result.blocks == result.same_blocks == 7
    assert result.missing == []
    number = next(i for i, f in enumerate(read.facts) if f.figure == "sales")
    wrong = read.facts[number].model_copy(update={"value": "1"})
    policy = next(i for i, s in enumerate(read.sections) if s.section == "policy")
    cut = read.sections[policy].model_copy(update={"text": read.sections[policy].text[:-1]})
    changed = replace(
        read,
        facts=[*read.facts[:number], wrong, *read.facts[number + 1 :]],
        sections=[*read.sections[:policy], cut, *read.sections[policy + 1 :]],
    )
    result = cross_check(source, changed, taxonomy=taxonomy)
    assert (result.outcome, result.n_differences) == ("different", 2)
    assert result.same_facts == result.facts - 1
    assert result.same_blocks == result.blocks - 1
    assert {d.element for d in result.differences} == {
        "NetSalesSummaryOfBusinessResults",
        read.sections[policy].element,
    }


@pytest.mark.slow
def test_pages_without_an_instance_read_the_same(shared_data: Path, taxonomy: Path) -> None:
    source = shared_data / "edinet" / "filings" / "S100T45G.zip"
    result = cross_check(source, read_filing(source), taxonomy=taxonomy)
    assert (result.outcome, result.entry, result.facts) == ("same", "inline", 1481)


def test_a_missing_taxonomy_is_said_and_nothing_compared(shared_data: Path, taxonomy: Path) -> None:
    source = shared_data / "edinet" / "filings" / "S100TMMG.zip"
    result = cross_check(source, read_filing(source), taxonomy=taxonomy)
    assert result.outcome == "taxonomy_missing"
    assert any(url.endswith("jpcrp_cor_2023-12-01.xsd") for url in result.missing)
    assert (result.facts, result.differences) == (0, [])


def test_an_instance_without_facts_is_another_outcome(tmp_path: Path, empty_taxonomy: Path) -> None:
    instance = (
        b'<?xml version="1.0" encoding="UTF-8"?><xbrli:xbrl'
        b' xmlns:xbrli="http://www.xbrl.org/2003/instance"></xbrli:xbrl>'
    )
    source = write_zip(tmp_path, {f"XBRL/PublicDoc/{STEM}.xbrl": instance})
    read = read_filing(source)
    assert cross_check(source, read, taxonomy=empty_taxonomy).outcome == "no_facts"


def test_limits_and_settings_fail_by_name(
    tmp_path: Path, empty_taxonomy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = b'<xbrli:xbrl xmlns:xbrli="http://www.xbrl.org/2003/instance"/>'
    source = write_zip(tmp_path, {f"XBRL/PublicDoc/{STEM}.xbrl": instance})
    read = read_filing(source)
    for limits in (CrossCheckLimits(timeout_s=0.01), CrossCheckLimits(memory_mb=20)):
        with pytest.raises(ArelleLimitError):
            cross_check(source, read, taxonomy=empty_taxonomy, limits=limits)
    with pytest.raises(TaxonomyFolderError) as caught:
        taxonomy_root(tmp_path / "nowhere")
    assert "G2_EDINET_TAXONOMY" in str(caught.value)
    monkeypatch.setattr(crosscheck, "find_spec", lambda name: None)
    with pytest.raises(ArelleMissingError, match="arelle"):
        cross_check(source, read, taxonomy=empty_taxonomy)


@pytest.mark.parametrize("place", ["", "taxonomy", "http/disclosure.edinet-fsa.go.jp/taxonomy"])
def test_the_folder_may_be_the_taxonomy_its_parent_or_a_cache(tmp_path: Path, place: str) -> None:
    (tmp_path / place / "jpcrp").mkdir(parents=True)
    assert taxonomy_root(tmp_path) == (tmp_path / place).resolve()
