"""Pure rules: code list, selection, corrections, numbers, dates, segments, headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2_pipelines.edinet.codelist import read_code_list
from g2_pipelines.edinet.corrections import apply_correction, apply_to_facts
from g2_pipelines.edinet.dei import iso_date
from g2_pipelines.edinet.errors import CodeListError, CorrectionMismatchError
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.edinet.headings import find_headings
from g2_pipelines.edinet.select import annual_reports
from g2_pipelines.edinet.transforms import number_text
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.tables.line1 import FilingFact, FilingSection, Listing
from g2_pipelines_tests.edinet.builder import (
    LONG,
    POLICY,
    block,
    filing_members,
    write_zip,
    zip_bytes,
)

_HEADER = "ＥＤＩＮＥＴコード,提出者種別,決算日,提出者名,提出者名（英字）,提出者業種,証券コード"


def test_the_real_code_list_is_read(shared_data: Path) -> None:
    content = (shared_data / "edinet" / "codelist" / "Edinetcode_20231031.zip").read_bytes()
    companies = read_code_list(content)
    assert len(companies) == 10_669  # as its first row says
    assert len({c.edinet_code for c in companies}) == 10_669
    listed = [c for c in companies if c.securities_code]
    assert all(len(c.securities_code or "") == 5 for c in listed)
    assert all(c.industry for c in companies)
    assert all((c.fiscal_year_end or "3月31日").endswith("日") for c in companies)


def test_an_unlisted_company_has_no_securities_code() -> None:
    text = (
        f'日付,2025年,件数,1件\r\n{_HEADER}\r\n"E99009","x","3月31日","試験工業㈱","","機械",""\r\n'
    )
    company = read_code_list(zip_bytes({"Edinet.csv": text.encode("cp932")}))[0]
    assert (company.name, company.name_english, company.securities_code) == (
        "試験工業㈱",
        None,
        None,
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04broken",
        b"a,b\r\n1,2\r\n",
        zip_bytes({"a.csv": b"x", "b.csv": b"y"}),
        f"x\r\n{_HEADER}\r\nnot a code,,,,,,\r\n".encode("cp932"),
        b"\xff\xfe\x81",
    ],
)
def test_what_is_no_code_list_is_refused(content: bytes) -> None:
    with pytest.raises(CodeListError) as caught:
        read_code_list(content)
    assert caught.value.remedy


def _listing(doc_id: str, **more: str | None) -> Listing:
    values: dict[str, str | None] = {
        "edinetCode": "E99001",
        "docTypeCode": "120",
        "ordinanceCode": "010",
        "withdrawalStatus": "0",
        "submitDateTime": "2025-06-25 09:00",
    }
    return Listing(date="2025-06-25", docID=doc_id, **(values | more))  # type: ignore[arg-type]


def test_annual_reports_and_their_corrections_are_taken_and_nothing_else() -> None:
    rows = [
        _listing("S100ZZ02", docTypeCode="130", submitDateTime="2025-07-01 09:00"),
        _listing("S100ZZ01", formCode="080000"),
        _listing("S100ZZ03", docTypeCode="140"),
        _listing("S100ZZ04", ordinanceCode="030"),
        _listing("S100ZZ05", edinetCode="E99002"),
        _listing("S100ZZ06", withdrawalStatus="2"),
        _listing("S100ZZ07"),
        _listing("S100ZZ08", docTypeCode=None, withdrawalStatus="1", parentDocID="S100ZZ07"),
        _listing("S100ZZ09", edinetCode=None),
        _listing("S100ZZ10", disclosureStatus="2"),
    ]
    assert [r.docID for r in annual_reports(rows, {"E99001"})] == ["S100ZZ01", "S100ZZ02"]
    assert annual_reports(rows, set()) == []


def test_a_row_edited_later_in_the_day_counts() -> None:
    rows = [_listing("S100ZZ01"), _listing("S100ZZ01", withdrawalStatus="2")]
    assert annual_reports(rows, {"E99001"}) == []


def _section(document_id: str, section: str, text: str, **more: object) -> FilingSection:
    values = {
        "edinet_code": "E99009", "fiscal_year": "2017-03", "document_type": "120", "order": 0,
        "element": f"jpcrp_cor:{section}TextBlock", "context": "FilingDateInstant",
        "page_file": "p", "status": "found" if text else "missing",
    }  # fmt: skip
    return FilingSection.model_validate(
        values | {"document_id": document_id, "section": section, "text": text} | more
    )


def test_a_correction_replaces_only_what_it_contains() -> None:
    old = [_section("S1", "policy", "旧方針"), _section("S1", "risks", "旧リスク")]
    new = [_section("S2", "policy", "新方針"), _section("S2", "risks", "")]
    rows = apply_correction(old, new)
    assert [(r.document_id, r.text, r.superseded_by) for r in rows] == [
        ("S1", "旧方針", "S2"),
        ("S1", "旧リスク", None),
        ("S2", "新方針", None),
    ]


def test_corrections_of_corrections_keep_the_history_and_repeat_without_change() -> None:
    old = [_section("S1", "policy", "一")]
    once = apply_correction(old, [_section("S2", "policy", "二")])
    twice = apply_correction(once, [_section("S3", "policy", "三")])
    assert [(r.text, r.superseded_by) for r in twice] == [("一", "S2"), ("二", "S3"), ("三", None)]
    assert apply_correction(twice, [_section("S3", "policy", "三")]) == twice
    assert old[0].superseded_by is None


def test_one_half_of_the_old_mdna_can_be_corrected_alone() -> None:
    overview = "jpcrp_cor:OverviewOfBusinessResultsTextBlock"
    analysis = "jpcrp_cor:AnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock"
    old = [
        _section("S1", "mdna", "概要", element=overview),
        _section("S1", "mdna", "分析", element=analysis, order=1),
    ]
    rows = apply_correction(old, [_section("S2", "mdna", "新分析", element=analysis, order=1)])
    current = [r.text for r in sorted(rows, key=lambda r: r.order) if r.superseded_by is None]
    assert current == ["概要", "新分析"]


def test_a_missing_section_is_superseded_when_the_correction_brings_it() -> None:
    rows = apply_correction([_section("S1", "policy", "")], [_section("S2", "policy", "新")])
    assert [r.superseded_by for r in rows] == ["S2", None]


def _fact(document_id: str, element: str, value: str | None, **more: str) -> FilingFact:
    values = {
        "edinet_code": "E99009", "fiscal_year": "2017-03", "context": "CurrentYearDuration",
        "unit": "JPY",
    }  # fmt: skip
    return FilingFact.model_validate(
        values | {"document_id": document_id, "element": element, "value": value} | more
    )


def test_a_corrected_figure_is_history_and_others_stay_in_force() -> None:
    """Else a claim of the figure that was withdrawn as wrong would be found supported."""
    old = [
        _fact("S1", "jpcrp_cor:NetSales", "100"),
        _fact("S1", "jpcrp_cor:NetSales", "90", context="Prior1YearDuration"),
        _fact("S1", "jpcrp_cor:OperatingIncome", "10"),
    ]
    once = apply_to_facts(old, [_fact("S2", "jpcrp_cor:NetSales", "101")])
    twice = apply_to_facts(once, [_fact("S3", "jpcrp_cor:NetSales", None)])
    assert [(f.value, f.superseded_by) for f in once] == [
        ("100", "S2"), ("90", None), ("10", None), ("101", None),
    ]  # fmt: skip
    assert [(f.value, f.superseded_by) for f in twice] == [
        ("100", "S2"), ("90", None), ("10", None), ("101", "S3"), (None, None),
    ]  # fmt: skip
    assert {fact.number.value for fact in FactTable(once).facts} == {90, 10, 101}
    with pytest.raises(CorrectionMismatchError):
        apply_to_facts(old, [_fact("S2", "jpcrp_cor:NetSales", "1", fiscal_year="2018-03")])


def test_a_correction_of_another_report_is_refused() -> None:
    with pytest.raises(CorrectionMismatchError):
        apply_correction(
            [_section("S1", "policy", "a")],
            [_section("S2", "policy", "b", fiscal_year="2018-03")],
        )


@pytest.mark.parametrize(
    ("text", "form", "scale", "sign", "value"),
    [
        ("48,620", "numdotdecimal", "6", None, "48620000000"),
        ("19,481", "numdotdecimal", "6", "-", "-19481000000"),
        ("6.4", "numdotdecimal", "-2", None, "0.064"),
        ("△24.3", "", None, None, "-24.3"),
        ("１，２３４", "", "0", None, "1234"),
        ("1.234,5", "numcommadecimal", None, None, "1234.5"),
        ("－", "zerodash", "6", None, "0"),
        ("0", "", "6", "-", "0"),
        ("該当なし", "", "6", None, None),
        ("", "", None, None, None),
        ("1", "", "999999999", None, None),
        ("NaN", "", None, None, None),
    ],
)
def test_displayed_numbers_become_decimals(
    text: str, form: str, scale: str | None, sign: str | None, value: str | None
) -> None:
    found = number_text(text, form=form, scale=scale, sign=sign)
    assert (None if found is None else float(found)) == (None if value is None else float(value))


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("令和７年６月25日", "2025-06-25"),
        ("令和元年５月１日", "2019-05-01"),
        ("平成31年3月31日", "2019-03-31"),
        ("2025年6月25日", "2025-06-25"),
        ("2025-06-25", "2025-06-25"),
        ("未定", None),
    ],
)
def test_dates_of_both_calendars_become_iso(text: str, date: str | None) -> None:
    assert iso_date(text) == date


def test_headings_nest_by_the_order_of_their_kinds() -> None:
    text = "１【方針】\n（１）環境\n本文であります。\n① 国内\n② 海外\n（２）課題\n（単位：百万円）"
    found = [(h.level, h.text) for h in find_headings(text, [], frozenset())]
    assert found == [
        (1, "１【方針】"),
        (2, "（１）環境"),
        (3, "① 国内"),
        (3, "② 海外"),
        (2, "（２）課題"),
    ]


def test_a_numbering_that_begins_anew_below_another_is_deeper_until_the_outer_goes_on() -> None:
    lines = "(1) 概要", "④ 実績", "(1) 生産", "(2) 受注", "(3) 販売", "(2) 分析", "① 売上", "① 再掲"
    found = find_headings("\n".join(lines), [], frozenset())
    assert [h.level for h in found] == [1, 2, 3, 3, 3, 1, 2, 2]


_AXIS = (
    '<xbrli:context id="CurrentYearDuration_{0}"><xbrli:period><xbrli:startDate>2023-04-01'
    "</xbrli:startDate><xbrli:endDate>2024-03-31</xbrli:endDate></xbrli:period><xbrli:scenario>"
    '<xbrldi:explicitMember dimension="jpcrp_cor:OperatingSegmentsAxis">'
    "jpcrp030000-asr_E99009-000:{0}</xbrldi:explicitMember></xbrli:scenario></xbrli:context>"
)
_MEMBERS = ("AlphaReportableSegmentMember", "BetaReportableSegmentMember")


def _segment_row(name: str, member: str) -> str:
    return (
        f'<tr><td><p>{name}</p></td><td><ix:nonFraction name="jpcrp_cor:NumberOfEmployees"'
        f' contextRef="CurrentYearDuration_{member}" unitRef="pure" decimals="0">5</ix:nonFraction>'
        "</td></tr>"
    )


def test_without_labels_segments_are_named_by_their_rows(tmp_path: Path) -> None:
    rows = _segment_row("甲事業", _MEMBERS[0]) + _segment_row("乙事業", _MEMBERS[1])
    resources = "".join(_AXIS.format(m) for m in _MEMBERS)
    members = filing_members(f"<table>{rows}</table>", resources=resources)
    read = read_filing(write_zip(tmp_path, members))
    assert read.segments == ["甲事業", "乙事業"]
    assert any("labels are missing" in w for w in read.warnings)
    fact = next(f for f in read.facts if f.unit)
    assert (fact.dimensions[0].axis, fact.dimensions[0].member) == (
        "OperatingSegmentsAxis",
        _MEMBERS[0],
    )
    assert fact.label == "従業員数"


def test_without_members_the_segment_note_names_them(tmp_path: Path) -> None:
    note = "<p>当社は、「甲事業」及び「乙事業」の２つを報告セグメントとしております。</p>"
    element = "jpcrp_cor:NotesSegmentInformationEtcConsolidatedFinancialStatementsTextBlock"
    members = filing_members(block(POLICY, LONG), block(element, note))
    assert read_filing(write_zip(tmp_path, members)).segments == ["甲事業", "乙事業"]


def test_a_nil_fact_has_no_value_and_a_repeated_one_is_one_row(tmp_path: Path) -> None:
    fact = (
        '<ix:nonFraction name="jpcrp_cor:NetAssets" contextRef="X" unitRef="JPY" decimals="-6"'
        ' scale="6" format="ixt:numdotdecimal">{}</ix:nonFraction>'
    )
    nil = '<ix:nonFraction name="jpcrp_cor:Goodwill" contextRef="X" unitRef="JPY" xsi:nil="true"/>'
    body = fact.format("1,200") + nil + fact.format("1,200") + fact.format("<!-- -->1,300")
    read = read_filing(write_zip(tmp_path, filing_members(body)))
    assert [(f.element, f.value) for f in read.facts if f.unit] == [
        ("jpcrp_cor:NetAssets", "1200000000"),
        ("jpcrp_cor:Goodwill", None),
        ("jpcrp_cor:NetAssets", "1300000000"),
    ]
    assert any("context" in w for w in read.warnings)
