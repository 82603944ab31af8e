"""A company's partition holds all its years; a run replaces one of them."""

from pathlib import Path

import pytest
from upath import UPath

from g2_pipelines.defs.assets.judgement import no_call
from g2_pipelines.defs.years import newest, read_year, replace_year
from g2_pipelines.errors import NotYetError
from g2_pipelines.tables.line1 import CompanyBrief
from g2_pipelines.tables.store import DamagedTableError, read_table


def brief(year: str, text: str) -> CompanyBrief:
    return CompanyBrief(
        edinet_code="E99001",
        fiscal_year=year,
        aspect="issues",
        label="課題",
        text=text,
        sources=["S1"],
        page="p.html",
    )


def test_a_run_of_one_year_keeps_the_other_years(tmp_path: Path):
    """Making 2024 anew must not lose 2023."""
    path = UPath(tmp_path / "t.parquet")
    replace_year(path, CompanyBrief, "2024-03", [brief("2024-03", "old")])
    replace_year(path, CompanyBrief, "2023-03", [brief("2023-03", "kept")])
    replace_year(path, CompanyBrief, "2024-03", [brief("2024-03", "new")])
    assert [(r.fiscal_year, r.text) for r in read_table(path, CompanyBrief)] == [
        ("2023-03", "kept"),
        ("2024-03", "new"),
    ]
    assert [r.text for r in read_year(path, CompanyBrief, "2023-03")] == ["kept"]
    assert read_year(path, CompanyBrief, "2022-03") == []


def test_the_digest_is_that_of_all_years(tmp_path: Path):
    path = UPath(tmp_path / "t.parquet")
    one = replace_year(path, CompanyBrief, "2024-03", [brief("2024-03", "a")])
    two = replace_year(path, CompanyBrief, "2023-03", [brief("2023-03", "b")])
    assert one != two
    assert replace_year(path, CompanyBrief, "2024-03", [brief("2024-03", "a")]) == two


def test_a_damaged_table_is_not_written_over(tmp_path: Path):
    """Its other years may still be saved by hand."""
    path = UPath(tmp_path / "t.parquet")
    path.write_bytes(b"damaged")
    with pytest.raises(DamagedTableError):
        replace_year(path, CompanyBrief, "2024-03", [brief("2024-03", "a")])
    assert path.read_bytes() == b"damaged"


def test_the_newest_year_is_the_default_and_none_is_not_yet():
    assert newest(["2023-03", "2024-03", "2022-12"], "E99001") == "2024-03"
    with pytest.raises(NotYetError, match="No annual report"):
        newest([], "E99001")


def test_a_brief_without_a_call_says_so_in_words():
    assert no_call("2024-03").startswith("2024年3月期の通期の決算説明会の書き起こし")
    assert no_call("2023-12").startswith("2023年12月期の")
