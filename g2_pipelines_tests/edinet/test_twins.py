"""Synthetic twins of real and possible filings: layouts, eras, nesting, faults of markup."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from g2_pipelines.edinet.errors import NotAFilingError, UnsafeArchiveError
from g2_pipelines.edinet.filing import ReadFiling, read_filing
from g2_pipelines.tables.line1 import FilingSection
from g2_pipelines_tests.edinet.builder import (
    DEI,
    IX_2013,
    LONG,
    MDNA,
    POLICY,
    STEM,
    block,
    filing_members,
    page,
    write_zip,
)


def rows(read: ReadFiling, section: str) -> list[FilingSection]:
    return [row for row in read.sections if row.section == section]


def text_of(read: ReadFiling, section: str) -> str:
    return "".join(row.text for row in rows(read, section))


def read_bodies(tmp_path: Path, *bodies: str, **more: object) -> ReadFiling:
    return read_filing(write_zip(tmp_path, filing_members(*bodies, **more)))  # type: ignore[arg-type]


def test_every_section_has_a_row_and_missing_ones_say_so(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, block(POLICY, LONG))
    assert [r.section for r in read.sections] == [
        "business", "policy", "sustainability", "risks", "mdna", "contracts", "research",
    ]  # fmt: skip
    assert {r.section: r.status for r in read.sections}["mdna"] == "missing"
    assert rows(read, "mdna")[0].text == ""


def test_a_search_page_zip_is_read_and_names_its_document(tmp_path: Path) -> None:
    members = filing_members(block(POLICY, LONG), folder="S100ZZ77/XBRL/PublicDoc/")
    path = write_zip(tmp_path, members | {"XbrlSearchDlInfo.csv": b"x"}, "Xbrl_Search.zip")
    read = read_filing(path)
    assert read.filing.document_id == "S100ZZ77"
    assert text_of(read, "policy") == LONG


def test_of_several_filings_in_a_zip_the_document_id_chooses(tmp_path: Path) -> None:
    one = filing_members(block(POLICY, "甲" * 200), folder="S100ZZ01/XBRL/PublicDoc/")
    two = filing_members(block(POLICY, "乙" * 200), folder="S100ZZ02/XBRL/PublicDoc/")
    path = write_zip(tmp_path, one | two, "many.zip")
    assert text_of(read_filing(path, document_id="S100ZZ02"), "policy") == "乙" * 200
    with pytest.raises(NotAFilingError, match="S100ZZ01, S100ZZ02"):
        read_filing(path)


@pytest.mark.parametrize("level", ["", "XBRL", "XBRL/PublicDoc"])
def test_a_folder_is_read_like_its_zip(tmp_path: Path, level: str) -> None:
    path = write_zip(tmp_path, filing_members(block(POLICY, LONG)))
    folder = tmp_path / "S100ZZ01"
    ZipFile(path).extractall(folder)
    read = read_filing(folder / level, document_id="S100ZZ01")
    assert read.sections == read_filing(path).sections


def test_without_a_manifest_all_inline_pages_are_read_with_a_warning(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, block(POLICY, LONG), with_manifest=False)
    assert text_of(read, "policy") == LONG
    assert any("manifest" in w for w in read.warnings)


@pytest.mark.parametrize("href", ["../AuditDoc/x_ixbrl.htm", "/etc/passwd", "nowhere_ixbrl.htm"])
def test_a_manifest_that_leads_elsewhere_is_not_followed(tmp_path: Path, href: str) -> None:
    members = filing_members(block(POLICY, LONG))
    members["XBRL/AuditDoc/x_ixbrl.htm"] = page(block(POLICY, "監査" * 100))
    key = "XBRL/PublicDoc/manifest_PublicDoc.xml"
    members[key] = members[key].replace(b"<ixbrl>", f"<ixbrl>{href}</ixbrl><ixbrl>".encode(), 1)
    read = read_filing(write_zip(tmp_path, members))
    assert text_of(read, "policy") == LONG
    assert any(href in w for w in read.warnings)


def test_an_untagged_page_is_no_fault(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, "<p>タグのない頁</p>", block(POLICY, LONG))
    assert text_of(read, "policy") == LONG


def test_the_mdna_in_the_filers_namespace_is_found(tmp_path: Path) -> None:
    element = f"jpcrp030000-asr_E99009-000:{MDNA}"
    read = read_bodies(tmp_path, block(element, LONG))
    assert rows(read, "mdna")[0].element == element
    assert text_of(read, "mdna") == LONG


def test_the_form_until_2016_is_read(tmp_path: Path) -> None:
    old = {"CurrentPeriodEndDateDEI": "2015-03-31", "CurrentFiscalYearEndDateDEI": "2015-03-31"}
    read = read_bodies(
        tmp_path,
        block("jpcrp_cor:OverviewOfBusinessResultsTextBlock", "概要" * 100)
        + block("jpcrp_cor:IssuesToAddressTextBlock", "課題" * 100)
        + block(
            "jpcrp_cor:AnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock",
            "分析" * 100,
        ),
        dei=DEI | old,
    )
    assert text_of(read, "policy") == "課題" * 100
    assert [r.text[:2] for r in rows(read, "mdna")] == ["概要", "分析"]
    assert rows(read, "sustainability")[0].status == "not_in_this_form"
    assert read.filing.fiscal_year == "2015-03"


def test_a_heading_element_is_not_the_section(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, block("jpcrp_cor:BusinessRisksHeading", LONG))
    assert rows(read, "risks")[0].status == "missing"


def test_a_block_nested_in_its_own_section_is_read_once(tmp_path: Path) -> None:
    inner = block("jpcrp_cor:BusinessRisksTextBlock", "内側")
    concern = block(
        "jpcrp_cor:MaterialMattersRelatingToGoingConcernEtcBusinessRisksTextBlock", "継続企業"
    )
    outer = block(
        "jpcrp_cor:BusinessRisksTextBlock", f"<p>{LONG}</p><p>{concern}</p><p>{inner}</p>"
    )
    read = read_bodies(tmp_path, outer)
    assert len(rows(read, "risks")) == 1
    assert text_of(read, "risks") == f"{LONG}\n継続企業\n内側"


def test_the_same_block_on_two_pages_is_taken_once(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, block(POLICY, LONG), block(POLICY, LONG))
    assert len(rows(read, "policy")) == 1
    assert any("more than once" in w for w in rows(read, "policy")[0].warnings)


def test_an_mdna_in_two_blocks_on_two_pages_is_two_rows(tmp_path: Path) -> None:
    element = f"jpcrp_cor:{MDNA}"
    read = read_bodies(tmp_path, block(element, "前半" * 100), block(element, "後半" * 100))
    assert [(r.order, r.text[:2]) for r in rows(read, "mdna")] == [(0, "前半"), (1, "後半")]


def test_a_continuation_chain_of_the_2013_namespace_is_joined_in_order(tmp_path: Path) -> None:
    first = block(POLICY, "<p>一<ix:exclude>頁１</ix:exclude></p>", more=' continuedAt="c1"')
    read = read_bodies(
        tmp_path,
        first + '<ix:continuation id="c2"><p>三</p></ix:continuation>',
        '<p>他</p><ix:continuation id="c1" continuedAt="c2"><p>二</p></ix:continuation>',
        ix=IX_2013,
    )
    assert text_of(read, "policy") == "一\n二\n三"


@pytest.mark.parametrize("target", ["c1", "gone"])
def test_a_circular_or_broken_chain_ends_with_a_warning(tmp_path: Path, target: str) -> None:
    read = read_bodies(
        tmp_path,
        block(POLICY, "一", more=' continuedAt="c1"')
        + f'<ix:continuation id="c1" continuedAt="{target}">二</ix:continuation>',
    )
    assert text_of(read, "policy") == "一二"
    assert any("continuation" in w for w in rows(read, "policy")[0].warnings)


def test_a_self_closed_tag_swallows_nothing(tmp_path: Path) -> None:
    empty = (
        '<ix:nonNumeric name="jpcrp_cor:BusinessRisksTextBlock" contextRef="FilingDateInstant"/>'
    )
    read = read_bodies(tmp_path, empty + block(POLICY, LONG))
    assert rows(read, "risks")[0].status == "empty"
    assert text_of(read, "policy") == LONG


def test_html_entities_are_replaced_with_a_warning(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, block(POLICY, f"<p>{LONG}&nbsp;&mdash;&amp;終</p>"))
    assert text_of(read, "policy") == f"{LONG}\u00a0—&終"
    assert any("entities" in w for w in read.warnings)


def test_a_page_of_another_encoding_is_read_with_a_warning(tmp_path: Path) -> None:
    members = filing_members(block(POLICY, LONG))
    name = next(n for n in members if "honbun" in n)
    members[name] = members[name].removeprefix(b"\xef\xbb\xbf").decode().encode("cp932")
    read = read_filing(write_zip(tmp_path, members))
    assert text_of(read, "policy") == LONG
    assert any("cp932" in w for w in read.warnings)


def test_a_page_that_is_not_well_formed_is_read_as_far_as_possible(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, block(POLICY, f"<p>{LONG}<b></p>"))
    assert LONG in text_of(read, "policy")
    assert any("well-formed" in w for w in read.warnings)


def test_a_page_of_noise_is_left_out_with_a_warning(tmp_path: Path) -> None:
    members = filing_members(block(POLICY, LONG), "x")
    name = next(n for n in members if "0103010" in n)
    members[name] = bytes(range(256)) * 20
    read = read_filing(write_zip(tmp_path, members))
    assert text_of(read, "policy") == LONG


def test_only_an_instance_is_enough(tmp_path: Path) -> None:
    content = (
        '<?xml version="1.0" encoding="UTF-8"?><xbrli:xbrl'
        ' xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:jpcrp_cor="urn:c" xmlns:jpdei_cor="urn:d">'
        '<xbrli:context id="FilingDateInstant"><xbrli:period><xbrli:instant>2024-06-27</xbrli:instant>'
        "</xbrli:period></xbrli:context>"
        '<jpdei_cor:EDINETCodeDEI contextRef="FilingDateInstant">E99009</jpdei_cor:EDINETCodeDEI>'
        '<jpdei_cor:CurrentPeriodEndDateDEI contextRef="FilingDateInstant">2024-03-31</jpdei_cor:CurrentPeriodEndDateDEI>'
        '<jpcrp_cor:NetSales contextRef="FilingDateInstant" unitRef="JPY" decimals="-6">-5000000</jpcrp_cor:NetSales>'
        f'<{POLICY} contextRef="FilingDateInstant">&lt;p&gt;{LONG}&amp;amp;&lt;/p&gt;&lt;p&gt;&amp;lt;終&amp;gt;&lt;/p&gt;</{POLICY}>'
        "</xbrli:xbrl>"
    )
    path = tmp_path / f"{STEM}.xbrl"
    path.write_text(content, encoding="utf-8")
    read = read_filing(path, document_id="S100ZZ09")
    assert text_of(read, "policy") == f"{LONG}&\n<終>"
    assert [f.value for f in read.facts if f.unit] == ["-5000000"]


def test_missing_dei_are_taken_from_the_file_names_with_a_warning(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, block(POLICY, LONG), dei={})
    assert (read.filing.edinet_code, read.filing.fiscal_year) == ("E99009", "2024-03")
    assert any("DEI are missing" in w for w in read.warnings)


def test_a_fund_has_none_of_the_sections_in_its_form(tmp_path: Path) -> None:
    read = read_bodies(tmp_path, "<p>x</p>", dei=DEI | {"FundCodeDEI": "G01234"})
    assert {r.status for r in read.sections} == {"not_in_this_form"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"readme.txt": b"x"}, "PublicDoc"),
        ({"XBRL/PublicDoc/x.xsd": b"x"}, "no inline XBRL"),
        ({"XBRL/PublicDoc/a_ixbrl.htm": page("<p>x</p>")}, "whose filing"),
    ],
)
def test_what_is_no_filing_names_the_file_and_a_remedy(
    tmp_path: Path, content: dict[str, bytes], words: str
) -> None:
    with pytest.raises(NotAFilingError, match=words) as caught:
        read_filing(write_zip(tmp_path, content, "x.zip"))
    assert caught.value.file == "x.zip"
    assert caught.value.remedy


def test_a_name_without_a_document_id_gives_a_key_and_a_warning(tmp_path: Path) -> None:
    read = read_filing(write_zip(tmp_path, filing_members(block(POLICY, LONG)), "決算.zip"))
    assert read.filing.document_id == f"document-{read.filing.digest[:12]}"
    assert any("docID" in w for w in read.warnings)


@pytest.mark.parametrize("after", ["", "<p>尾</p>"])
def test_a_block_in_which_the_page_ends_is_marked_as_cut(tmp_path: Path, after: str) -> None:
    members = filing_members(
        block("jpcrp_cor:BusinessRisksTextBlock", f"<p>{LONG}</p>")
        + block(POLICY, f"<p>{LONG}</p><p>後{after}")
    )
    name = next(n for n in members if "honbun" in n)
    content = members[name]
    members[name] = content[: content.rindex(b"</ix:nonNumeric>")]
    read = read_filing(write_zip(tmp_path, members))
    assert rows(read, "policy")[0].status == "truncated_source"
    assert text_of(read, "policy").startswith(LONG)
    assert rows(read, "risks")[0].status == "found"


def _csv(*lines: tuple[str, str, str, str]) -> bytes:
    header = (
        "要素ID\t項目名\tコンテキストID\t相対年度\t連結・個別\t期間・時点\tユニットID\t単位\t値\r\n"
    )
    body = "".join(
        "\t".join(f'"{c}"' for c in (name, "x", context, "x", "x", "x", unit, "x", value)) + "\r\n"
        for name, context, unit, value in lines
    )
    return b"\xff\xfe" + (header + body).encode("utf-16-le")


def test_a_csv_zip_is_a_flagged_fallback_and_its_cut_values_are_marked(tmp_path: Path) -> None:
    own = _csv(
        ("jpdei_cor:EDINETCodeDEI", "FilingDateInstant", "－", "E99009"),
        ("jpdei_cor:CurrentFiscalYearEndDateDEI", "FilingDateInstant", "－", "2024-03-31"),
        (POLICY, "FilingDateInstant", "－", LONG),
        (f"jpcrp_cor:{MDNA}", "FilingDateInstant", "－", "あ" * 30_000),
        ("jpcrp_cor:NetAssets", "CurrentYearInstant", "JPY", "1000"),
        ("jpcrp_cor:Goodwill", "CurrentYearInstant", "JPY", "－"),
    )
    audit = _csv((POLICY, "FilingDateInstant", "－", "監査" * 100))
    members = {
        f"XBRL_TO_CSV/{STEM.replace('jpcrp030000-asr', 'jpaud-aai')}.csv": audit,
        f"XBRL_TO_CSV/{STEM}.csv": own,
    }
    read = read_filing(write_zip(tmp_path, members))
    assert text_of(read, "policy") == LONG
    assert rows(read, "mdna")[0].status == "truncated_source"
    assert any("CSV" in w for w in read.warnings)
    assert [(f.element, f.value) for f in read.facts if f.unit] == [
        ("jpcrp_cor:NetAssets", "1000"),
        ("jpcrp_cor:Goodwill", None),
    ]


def test_facts_of_a_csv_have_their_labels_periods_and_consolidation(tmp_path: Path) -> None:
    own = _csv(
        *((f"jpdei_cor:{k}", "FilingDateInstant", "－", v) for k, v in DEI.items()),
        ("x:Own", "CurrentYearDuration", "JPY", "1"),
        ("jpcrp_cor:NetAssets", "CurrentYearInstant_NonConsolidatedMember", "JPY", "2"),
        ("jpcrp_cor:NetAssets", "Prior4YearInstant", "JPY", "3"),
    )
    read = read_filing(write_zip(tmp_path, {f"XBRL_TO_CSV/{STEM}.csv": own}))
    assert [
        (f.label, f.figure, f.period_start, f.period_end, f.consolidated)
        for f in read.facts
        if f.unit == "JPY"
    ] == [
        ("x", None, "2023-04-01", "2024-03-31", True),
        ("純資産合計", "net_assets", None, "2024-03-31", False),
        ("純資産合計", "net_assets", None, None, True),
    ]


def test_a_folder_with_a_huge_page_is_refused_before_it_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "XBRL" / "PublicDoc"
    folder.mkdir(parents=True)
    for name, content in filing_members(block(POLICY, LONG)).items():
        (tmp_path / name).write_bytes(content)
    page_file = next(folder.glob("*honbun*"))
    with page_file.open("r+b") as opened:
        opened.truncate(200 * 1024 * 1024)  # sparse: nothing is written
    with pytest.raises(UnsafeArchiveError, match="over the limit") as caught:
        read_filing(tmp_path, document_id="S100ZZ01")
    assert caught.value.place.endswith(page_file.name)


def test_two_instances_without_pages_give_the_facts_of_both(tmp_path: Path) -> None:
    head = (
        '<?xml version="1.0" encoding="UTF-8"?><xbrli:xbrl xmlns:p="urn:p"'
        ' xmlns:xbrli="http://www.xbrl.org/2003/instance">'
    )
    dei = "".join(f'<p:{k} contextRef="FilingDateInstant">{v}</p:{k}>' for k, v in DEI.items())
    fact = '<p:{} contextRef="CurrentYearInstant" unitRef="JPY" decimals="-6">{}</p:{}>'
    members = {
        f"XBRL/PublicDoc/{STEM}.xbrl": head + dei + fact.format("NetAssets", 1, "NetAssets"),
        f"XBRL/PublicDoc/{STEM.replace('jpcrp030000', 'ifrs')}.xbrl": head
        + fact.format("Equity", 2, "Equity"),
    }
    path = write_zip(tmp_path, {n: f"{c}</xbrli:xbrl>".encode() for n, c in members.items()})
    read = read_filing(path)
    assert {f.element: f.value for f in read.facts if f.unit} == {
        "p:NetAssets": "1",
        "p:Equity": "2",
    }


@pytest.mark.parametrize(("day", "warned"), [("2024-03-31", False), ("2023-03-31", True)])
def test_a_context_declared_twice_is_warned_of_where_it_differs(
    tmp_path: Path, day: str, warned: bool
) -> None:
    context = (
        '<ix:header><ix:resources><xbrli:context id="C"><xbrli:period><xbrli:instant>{}'
        "</xbrli:instant></xbrli:period></xbrli:context></ix:resources></ix:header>"
    )
    fact = '<ix:nonFraction name="x:A" contextRef="C" unitRef="JPY">5</ix:nonFraction>'
    read = read_bodies(tmp_path, context.format("2024-03-31"), context.format(day) + fact)
    assert any("declared again" in w for w in read.warnings) is warned
    assert [f.period_end for f in read.facts if f.unit] == ["2024-03-31"]


def test_the_shared_csv_holds_the_same_text_as_the_pages(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "edinet"
    name = "jpcrp030000-asr-001_E02367-000_2024-03-31_01_2024-06-28.csv"
    content = (folder / "csv" / "S100TMMG.tsv").read_bytes()
    table = read_filing(write_zip(tmp_path, {f"XBRL_TO_CSV/{name}": content}, "S100TMMG.zip"))
    pages = read_filing(folder / "filings" / "S100TMMG.zip")
    for section in ("policy", "mdna", "risks"):
        assert text_of(table, section).split() != []
        assert "".join(text_of(table, section).split()) == "".join(text_of(pages, section).split())
