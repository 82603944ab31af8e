"""The shared real filings: sections, DEI and facts are right, byte for byte."""

from __future__ import annotations

import hashlib
import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from g2_pipelines.edinet.archive import open_archive
from g2_pipelines.edinet.facts import numeric_of
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.edinet.scan import scan_page
from g2_pipelines.edinet.xml import parse_xml
from g2_pipelines.tables.line1 import FilingSection

IDS = [
    "S002XXXX", "S021XXXX", "S100AJZW", "S100DE5C", "S100MMP3", "S100T45G",
    "S100TBUZ", "S100TMMG", "S100TP3N", "S100TQWG", "S100TR7I", "S100U4EY",
]  # fmt: skip


@pytest.fixture(scope="module")
def filings(shared_data: Path) -> Path:
    return shared_data / "edinet" / "filings"


@pytest.fixture(scope="module")
def expected(shared_data: Path) -> dict[str, Any]:
    content = (shared_data / "edinet" / "expected.json").read_text(encoding="utf-8")
    return json.loads(content)


def test_every_expected_filing_is_checked_here(expected: dict[str, Any]) -> None:
    assert sorted(expected) == IDS


@pytest.mark.parametrize("document_id", IDS)
def test_policy_and_mdna_equal_the_independent_count(
    document_id: str, filings: Path, expected: dict[str, Any]
) -> None:
    read = read_filing(filings / f"{document_id}.zip", with_facts=False)
    for section in ("policy", "mdna"):
        right = expected[document_id][section]
        rows = [row for row in read.sections if row.section == section]
        text = "".join("".join(row.text.split()) for row in rows)
        assert [row.element for row in rows] == right["elements"]
        assert [row.page_file for row in rows] == right["files"]
        assert len(text) == right["chars_without_whitespace"]
        digest = hashlib.sha256(text.encode()).hexdigest()
        assert digest == right["sha256_without_whitespace"]
    for name, value in expected[document_id]["dei"].items():
        assert read.dei.raw[name] == value


@pytest.mark.parametrize("document_id", IDS)
def test_cells_and_headings_are_the_text_at_their_ranges(document_id: str, filings: Path) -> None:
    read = read_filing(filings / f"{document_id}.zip", with_facts=False)
    for row in read.sections:
        for table in row.tables:
            for cell in table.cells:
                assert row.text[cell.start : cell.end] == cell.text
                assert cell.col + cell.colspan <= table.cols
                if cell.text:
                    assert table.start <= cell.start < cell.end <= table.end
        for heading in row.headings:
            assert row.text[heading.start : heading.end] == heading.text
        assert all(0 <= image.place <= len(row.text) for image in row.images)


class _Characters(HTMLParser):
    """The characters of markup, by another parser than the one under test."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def characters(markup: str) -> str:
    parser = _Characters()
    parser.feed(markup)
    parser.close()
    return "".join("".join(parser.pieces).split())


def source_of(row: FilingSection, archive: ZipFile) -> str:
    """Markup of the block from the page's or instance's own characters."""
    name = next(n for n in archive.namelist() if n.endswith(f"PublicDoc/{row.page_file}"))
    content = archive.read(name).decode("utf-8-sig")
    element = re.escape(row.element)
    if row.page_file.endswith(".xbrl"):
        match = re.search(rf"<{element}\b[^>]*>(.*?)</{element}>", content, re.DOTALL)
        assert match is not None
        return html.unescape(match[1])  # escaped once: then it is markup
    start = re.search(rf'<ix:nonNumeric\b[^>]*\bname="{element}"[^>]*>', content)
    assert start is not None
    depth, at = 1, start.end()
    for tag in re.finditer(r"<(/?)ix:nonNumeric\b[^>]*?(/?)>", content[start.end() :]):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if not depth:
            return content[at : at + tag.start()]
    raise AssertionError(row.element)


@pytest.mark.parametrize("document_id", IDS)
def test_text_is_the_sources_characters_and_white_space(document_id: str, filings: Path) -> None:
    """Of all sections: no character lost, made or moved; every cell stands in the text in order."""
    path = filings / f"{document_id}.zip"
    read = read_filing(path, with_facts=False)
    found = [row for row in read.sections if row.status == "found"]
    assert len({row.section for row in found}) >= 5
    with ZipFile(path) as archive:
        for row in found:
            source = characters(source_of(row, archive))
            assert "".join(row.text.split()) == source, row.section
            for mark in "△▲①②㈱％０〜":
                assert row.text.count(mark) == source.count(mark)
            for table in row.tables:
                at = table.start
                for cell in table.cells:
                    if cell.text:
                        assert row.text.find(cell.text, at) == cell.start
                        at = cell.end


def test_the_old_mdna_is_two_rows_in_document_order(filings: Path) -> None:
    rows = [r for r in read_filing(filings / "S100AJZW.zip").sections if r.section == "mdna"]
    assert [r.order for r in rows] == [0, 1]
    assert [r.source_id for r in rows] == ["filing:S100AJZW:mdna:0", "filing:S100AJZW:mdna:1"]


def test_sustainability_is_not_in_the_form_before_2023(filings: Path) -> None:
    status = {r.section: r.status for r in read_filing(filings / "S100DE5C.zip").sections}
    assert status["sustainability"] == "not_in_this_form"
    assert status["mdna"] == "found"


def test_a_stub_is_found_with_a_warning(filings: Path) -> None:
    read = read_filing(filings / "S002XXXX.zip", with_facts=False)
    policy = next(r for r in read.sections if r.section == "policy")
    assert policy.status == "found"
    assert any("22 characters" in w for w in policy.warnings)


def test_a_missing_instance_is_a_warning(filings: Path) -> None:
    assert any(".xbrl" in w for w in read_filing(filings / "S100TQWG.zip").warnings)


def test_a_section_of_a_lost_page_comes_from_the_instance_and_says_so(filings: Path) -> None:
    read = read_filing(filings / "S100MMP3.zip", with_facts=False)
    business = next(r for r in read.sections if r.section == "business")
    assert business.status == "found"
    assert business.page_file.endswith(".xbrl")
    assert any("instance" in w and "business" in w for w in read.warnings)


def test_the_correction_is_of_type_130_and_names_its_report(filings: Path) -> None:
    read = read_filing(filings / "S021XXXX.zip", with_facts=False)
    assert (read.filing.document_type, read.filing.amendment) == ("130", True)
    assert read.filing.amends == "S002XXXX"


@pytest.mark.parametrize("document_id", ["S100T45G", "S100TBUZ", "S100DE5C"])
def test_scanning_a_page_finds_what_its_tree_holds(document_id: str, filings: Path) -> None:
    """The fast path must never differ from the true one."""
    scanned = 0
    with open_archive(filings / f"{document_id}.zip") as archive:
        for name in archive.names:
            if "PublicDoc" not in name or not name.endswith("_ixbrl.htm"):
                continue
            content = archive.read(name)
            found = scan_page(content)
            if found is not None:
                root = parse_xml(content, file="", place=name, warnings=[])
                assert [fact for fact, _ in found.numeric] == list(numeric_of(root))
                scanned += len(found.numeric)
    assert scanned > 300


def test_facts_are_scaled_signed_and_in_their_segments(filings: Path) -> None:
    """The filing's own prose states its sales in millions and names its segments."""
    read = read_filing(filings / "S100DE5C.zip")
    mdna = next(r.text for r in read.sections if r.section == "mdna")
    sales = {
        (f.value, f.unit, f.label)
        for f in read.facts
        if f.element == "jpcrp_cor:NetSalesSummaryOfBusinessResults"
        and f.context == "CurrentYearDuration"
    }
    value, unit, label = sales.pop()
    assert (sales, unit, label) == (set(), "JPY", "売上高")
    assert value is not None
    assert f"売上高{int(value) // 1_000_000:,}百万円" in mdna
    assert len(read.segments) == 3
    assert all(f"\nイ．{n}" in mdna or f"．{n}\n" in mdna for n in read.segments)
    assert any(float(f.value) < 0 for f in read.facts if f.value and f.unit == "JPY")


def test_reading_twice_gives_equal_rows(filings: Path) -> None:
    one, two = (read_filing(filings / "S100TBUZ.zip") for _ in range(2))
    assert one == two
