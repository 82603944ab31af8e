"""Every fiscal year since EDINET's present system by the official names of its era.

The names and years are those of the taxonomies and of filings seen (the MD&A is two blocks
until 2017, in the filer's own namespace in 2018 and 2019), written down apart from ``eras``.
"""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.register import register
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.edinet.errors import NotAnAnnualReportError
from g2_pipelines.edinet.filing import ReadFiling, read_filing
from g2_pipelines.settings import Settings
from g2_pipelines_tests.edinet.builder import DEI, STEM, block, filing_members, write_zip, zip_bytes

STANDARD = "http://disclosure.edinet-fsa.go.jp/taxonomy/jpcrp"
OWN = "jpcrp030000-asr_E99009-000"
ISSUES = "jpcrp_cor:IssuesToAddressTextBlock"
POLICY = "jpcrp_cor:BusinessPolicyBusinessEnvironmentIssuesToAddressEtcTextBlock"
OVERVIEW = "jpcrp_cor:OverviewOfBusinessResultsTextBlock"
ANALYSIS = "jpcrp_cor:AnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock"
MANAGEMENT = "ManagementAnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock"
GREEN = "DisclosureOfSustainabilityRelatedFinancialInformationTextBlock"
RISKS = "jpcrp_cor:BusinessRisksTextBlock"
OLD_CONTRACTS = "jpcrp_cor:CriticalContractsForOperationTextBlock"
CONTRACTS = "jpcrp_cor:CriticalContractsTextBlock"
RESEARCH = "jpcrp_cor:ResearchAndDevelopmentActivitiesTextBlock"

#: Blocks of 第2【事業の状況】 in the form's order.
UNTIL_2016 = (OVERVIEW, ISSUES, RISKS, OLD_CONTRACTS, RESEARCH, ANALYSIS)
OF_2017 = (OVERVIEW, POLICY, RISKS, OLD_CONTRACTS, RESEARCH, ANALYSIS)
OF_2018 = (POLICY, RISKS, f"{OWN}:{MANAGEMENT}", OLD_CONTRACTS, RESEARCH)
OF_2020 = (POLICY, RISKS, f"jpcrp_cor:{MANAGEMENT}", OLD_CONTRACTS, RESEARCH)
OF_2023 = (POLICY, f"{OWN}:{GREEN}", RISKS, f"jpcrp_cor:{MANAGEMENT}", OLD_CONTRACTS, RESEARCH)
OF_2024 = (POLICY, f"jpcrp_cor:{GREEN}", RISKS, f"jpcrp_cor:{MANAGEMENT}", CONTRACTS, RESEARCH)
YEARS = {
    "2014-03": ("2013-08-31", UNTIL_2016),
    "2015-03": ("2014-03-31", UNTIL_2016),
    "2016-03": ("2015-03-31", UNTIL_2016),
    "2017-03": ("2017-02-28", OF_2017),
    "2018-03": ("2018-02-28", OF_2018),
    "2019-03": ("2018-03-31", OF_2018),
    "2019-09": ("2019-02-28", OF_2018),
    "2020-03": ("2019-11-01", OF_2020),
    "2021-03": ("2020-11-01", OF_2020),
    "2022-03": ("2021-11-01", OF_2020),
    "2023-03": ("2022-11-01", OF_2023),
    "2024-03": ("2023-12-01", OF_2024),
    "2025-03": ("2024-11-01", OF_2024),
    "2026-03": ("2025-11-01", OF_2024),
}
SECTION = {
    ISSUES: "policy",
    POLICY: "policy",
    RISKS: "risks",
    OVERVIEW: "mdna",
    ANALYSIS: "mdna",
    OLD_CONTRACTS: "contracts",
    CONTRACTS: "contracts",
    RESEARCH: "research",
}


def section_of(element: str) -> str:
    local = element.partition(":")[2]
    return {MANAGEMENT: "mdna", GREEN: "sustainability"}.get(local) or SECTION[element]


def text_of(element: str) -> str:
    return f"{element.partition(':')[2]}について記載しております。" * 5


def dei_of(year: str) -> dict[str, str]:
    return DEI | {
        "CurrentFiscalYearEndDateDEI": f"{year}-{'30' if year.endswith('09') else '31'}",
        "CurrentPeriodEndDateDEI": f"{year}-{'30' if year.endswith('09') else '31'}",
    }


def as_pages(year: str, date: str, elements: tuple[str, ...]) -> dict[str, bytes]:
    """One page for all but the last block, one for that."""
    blocks = [block(element, f"<p>{text_of(element)}</p>") for element in elements]
    members = filing_members("".join(blocks[:-1]), blocks[-1], dei=dei_of(year))
    return {
        name: content.replace(b"2023-12-01", date.encode()) for name, content in members.items()
    }


def as_instance(year: str, date: str, elements: tuple[str, ...]) -> dict[str, bytes]:
    facts = "".join(
        f'<{element} contextRef="FilingDateInstant">'
        f"{html.escape(f'<p>{text_of(element)}</p>')}</{element}>"
        for element in elements
    )
    dei = "".join(
        f'<jpdei_cor:{name} contextRef="FilingDateInstant">{value}</jpdei_cor:{name}>'
        for name, value in dei_of(year).items()
    )
    content = (
        '<?xml version="1.0" encoding="utf-8"?><xbrli:xbrl'
        ' xmlns:xbrli="http://www.xbrl.org/2003/instance"'
        f' xmlns:jpcrp_cor="{STANDARD}/{date}/jpcrp_cor" xmlns:jpdei_cor="{STANDARD}/jpdei_cor"'
        f' xmlns:{OWN}="http://disclosure.edinet-fsa.go.jp/jpcrp030000/asr/001/E99009-000">'
        f"{dei}{facts}</xbrli:xbrl>"
    )
    return {f"XBRL/PublicDoc/{STEM}.xbrl": content.encode()}


@pytest.mark.parametrize("form", [as_pages, as_instance], ids=["pages", "instance"])
@pytest.mark.parametrize("year", YEARS)
def test_every_year_has_its_sections_under_its_eras_names(year: str, form, tmp_path: Path):
    """A year whose MD&A is silently missing makes a brief of half a report."""
    date, elements = YEARS[year]
    read: ReadFiling = read_filing(write_zip(tmp_path, form(year, date, elements)))
    assert read.filing.fiscal_year == year
    found = [(row.section, row.element, row.text) for row in read.sections if row.status == "found"]
    wanted = [(section_of(element), element, text_of(element)) for element in elements]
    assert sorted(found) == sorted(wanted)
    # The two blocks of the old form stand in document order.
    halves = [row.element for row in read.sections if row.section == "mdna"]
    assert halves == [element for element in elements if section_of(element) == "mdna"]
    statuses = {row.section: row.status for row in read.sections}
    assert statuses["sustainability"] == ("found" if year >= "2023-03" else "not_in_this_form")
    assert statuses["business"] == "missing"
    assert not [row.warnings for row in read.sections if row.status == "found" and row.warnings]


HALF_YEAR = DEI | {
    "CurrentFiscalYearEndDateDEI": "2025-03-31",
    "CurrentPeriodEndDateDEI": "2024-09-30",
    "TypeOfCurrentPeriodDEI": "HY",
}
OTHERS = {
    "160": ("jpcrp040300-ssr-001", HALF_YEAR),
    "170": ("jpcrp040300-ssr-001", HALF_YEAR | {"AmendmentFlagDEI": "true"}),
    "140": ("jpcrp040300-q2r-001", HALF_YEAR | {"TypeOfCurrentPeriodDEI": "Q2"}),
    "030": ("jpcrp020000-srs-001", DEI),
}


def another_kind(stem: str, dei: dict[str, str], *, renamed: bool = False) -> bytes:
    members = filing_members(block(f"jpcrp_cor:{MANAGEMENT}", text_of(MANAGEMENT)), dei=dei)
    plain = "page" if renamed else STEM.replace("jpcrp030000-asr-001", stem)
    return zip_bytes(
        {
            n.replace(STEM, plain): c.replace(STEM.encode(), plain.encode())
            for n, c in members.items()
        }
    )


@pytest.mark.parametrize("kind", OTHERS)
def test_no_other_report_is_taken_for_a_years(kind: str, tmp_path: Path):
    """A semi-annual report has the MD&A under the same element, and a year in its DEI."""
    ws = Workspace(Settings(home=str(tmp_path / "home")))
    with pytest.raises(NotAnAnnualReportError, match=f"docTypeCode {kind}") as caught:
        register(ws, another_kind(*OTHERS[kind]), ManifestRow(file="S100ZZ08.zip"))
    assert caught.value.file == "S100ZZ08.zip"
    assert ws.registry.filings("E99009") == []


def test_a_half_year_with_names_of_its_own_is_told_by_its_dei(tmp_path: Path):
    path = tmp_path / "S100ZZ09.zip"
    path.write_bytes(another_kind("", HALF_YEAR, renamed=True))
    read = read_filing(path, document_type="120")
    assert read.own_type == "160"
    with pytest.raises(NotAnAnnualReportError):
        read.require_annual_report()
