"""Key facts: labels, main figures in every standard, consolidation, segments by words."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from zipfile import ZipFile

import pytest

from g2_pipelines.edinet.figures import figure_of, known
from g2_pipelines.edinet.filing import ReadFiling, read_filing
from g2_pipelines.edinet.segments import names_in_note
from g2_pipelines_tests.edinet.builder import (
    DEI,
    STEM,
    filing_members,
    write_zip,
)

OWN = "jpcrp030000-asr_E99009-000"
CONTEXTS = "".join(
    f'<xbrli:context id="{name}"><xbrli:entity><xbrli:segment/></xbrli:entity><xbrli:period>{period}'
    f"</xbrli:period><xbrli:scenario>{scenario}</xbrli:scenario></xbrli:context>"
    for name, period, scenario in (
        (
            "CurrentYearDuration",
            "<xbrli:startDate>2023-04-01</xbrli:startDate><xbrli:endDate>2024-03-31</xbrli:endDate>",
            "",
        ),
        (
            "CurrentYearDuration_NonConsolidatedMember",
            "<xbrli:startDate>2023-04-01</xbrli:startDate><xbrli:endDate>2024-03-31</xbrli:endDate>",
            '<xbrldi:explicitMember dimension="jppfs_cor:ConsolidatedOrNonConsolidatedAxis">'
            "jppfs_cor:NonConsolidatedMember</xbrldi:explicitMember>",
        ),
        (
            "CurrentYearInstant_No1MajorShareholdersMember",
            "<xbrli:instant>2024-03-31</xbrli:instant>",
            '<xbrldi:explicitMember dimension="jpcrp_cor:MajorShareholdersAxis">'
            "jpcrp_cor:No1MajorShareholdersMember</xbrldi:explicitMember>",
        ),
    )
)


def fact(element: str, value: str, context: str = "CurrentYearDuration", more: str = "") -> str:
    return (
        f'<ix:nonFraction name="{element}" contextRef="{context}" unitRef="JPY" decimals="-6"'
        f' scale="6" format="ixt:numdotdecimal"{more}>{value}</ix:nonFraction>'
    )


def row(*cells: str) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def read_rows(tmp_path: Path, *rows: str, **more: object) -> ReadFiling:
    body = f"<table>{''.join(rows)}</table>"
    members = filing_members(body, resources=CONTEXTS, dei=more.get("dei", DEI))  # type: ignore[arg-type]
    if "labels" in more:
        members[f"XBRL/PublicDoc/{STEM}_lab.xml"] = str(more["labels"]).encode()
    return read_filing(write_zip(tmp_path, members))


def numbers(read: ReadFiling) -> dict[str, tuple[str | None, str | None, str | None]]:
    return {
        f.element.rpartition(":")[2]: (f.value, f.label, f.figure)
        for f in read.facts
        if f.unit is not None
    }


@pytest.mark.parametrize(
    ("element", "figure", "label"),
    [
        ("NetSalesSummaryOfBusinessResults", "sales", "売上高"),
        ("OrdinaryIncomeSummaryOfBusinessResults", "sales", "経常収益"),  # a bank's
        ("OrdinaryIncomeBNK", "sales", "経常収益"),
        ("OperatingIncomeINS", "sales", "経常収益"),  # an insurer's
        ("OrdinaryIncomeLossSummaryOfBusinessResults", "ordinary_profit", "経常利益"),
        ("OrdinaryIncome", "ordinary_profit", "経常利益"),
        ("OperatingIncome", "operating_profit", "営業利益"),
        ("RevenueIFRSSummaryOfBusinessResults", "sales", "売上収益"),
        ("OperatingProfitLossIFRS", "operating_profit", "営業利益"),
        ("ProfitLossBeforeTaxIFRSSummaryOfBusinessResults", "pretax_profit", "税引前利益"),
        ("RevenuesUSGAAPSummaryOfBusinessResults", "sales", "売上高"),
        ("OperatingIncomeLossUSGAAPSummaryOfBusinessResults", "operating_profit", "営業利益"),
        ("TotalAssetsUSGAAPSummaryOfBusinessResults", "total_assets", "総資産額"),
        # Its English name says ratio; the item is an amount per share.
        ("EquityToAssetRatioIFRSSummaryOfBusinessResults", "bps", "１株当たり親会社所有者帰属持分"),
        ("EquityToAssetRatioSummaryOfBusinessResults", "equity_ratio", "自己資本比率"),
    ],
)
def test_a_main_figure_is_known_by_its_element(
    tmp_path: Path, element: str, figure: str, label: str
) -> None:
    read = read_rows(tmp_path, row("x", fact(f"jpcrp_cor:{element}", "1,234")))
    assert numbers(read) == {element: ("1234000000", label, figure)}


def test_a_filers_own_element_in_the_summary_is_a_figure_by_its_label(tmp_path: Path) -> None:
    labels = (
        '<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink"><link:labelLink>'
        f'<link:loc xlink:href="x.xsd#{OWN}_PremiumsSummaryOfBusinessResults" xlink:label="l"/>'
        '<link:label xlink:label="t" xlink:role="http://www.xbrl.org/2003/role/label">正味収入保険料</link:label>'
        '<link:labelArc xlink:from="l" xlink:to="t"/></link:labelLink></link:linkbase>'
    )
    own = f"{OWN}:PremiumsSummaryOfBusinessResults"
    read = read_rows(tmp_path, row("x", fact(own, "5")), labels=labels)
    assert numbers(read) == {
        "PremiumsSummaryOfBusinessResults": ("5000000", "正味収入保険料", "net_premiums")
    }


@pytest.mark.parametrize(
    ("label", "figure"),
    [
        ("営業利益（IFRS）、経営指標等", "operating_profit"),
        ("営業利益又は営業損失（△）（US GAAP）、経営指標等", "operating_profit"),
        ("正味収入保険料、経営指標等、保険業", "net_premiums"),
        ("営業利益率、経営指標等", None),
        ("経営指標等", None),
    ],
)
def test_a_verbose_label_says_the_same(label: str, figure: str | None) -> None:
    assert figure_of("OwnItemSummaryOfBusinessResults", label) == figure
    assert figure_of("OwnItem", label) is None


#: In no schema of 2022-11-01, but in real filings: of later years, ``ifrs-full``, filers' own.
SEEN_ELSEWHERE = {
    "AllEmployeesDifferencesInWagesBetweenMaleAndFemaleEmployees",
    "AllEmployeesRatioOfMaleEmployeesTakingChildcareLeave",
    "BasicEarningsLossPerShare",
    "CashFlowsFromUsedInFinancingActivities",
    "CashFlowsFromUsedInInvestingActivities",
    "CashFlowsFromUsedInOperatingActivities",
    "ComprehensiveIncomeAttributableToOwnersOfParent",
    "DilutedEarningsLossPerShare",
    "Equity",
    "EquityAttributableToOwnersOfParent",
    "GrossScope1GreenhouseGasEmissionsScope1And2GreenhouseGasEmissions",
    "GrossScope2GreenhouseGasEmissionsScope1And2GreenhouseGasEmissions",
    "NonRegularEmployeesDifferencesInWagesBetweenMaleAndFemaleEmployees",
    "NumberOfEmployeesIFRSSummaryOfBusinessResults",
    "OperatingIncomeSummaryOfBusinessResults",
    "OperatingRevenuesIFRSKeyFinancialData",
    "ProfitLossBeforeTax",
    "ProfitLossFromOperatingActivities",
    "RatioOfFemaleEmployeesInManagerialPositions",
    "RegularEmployeesDifferencesInWagesBetweenMaleAndFemaleEmployees",
    "SalesRevenuesIFRS",
    "TotalNetRevenuesIFRS",
}
_OF_WHOM = re.compile("MetricsOf(?:ReportingCompany|ConsolidatedSubsidiaries)$")


def test_no_element_of_the_table_is_made_up(shared_data: Path) -> None:
    """An element id that exists nowhere looks like coverage and is none."""
    schemas = b""
    with ZipFile(shared_data / "edinet" / "taxonomy-2022-11-01.zip") as taxonomy:
        for name in taxonomy.namelist():
            if name.endswith(".xsd"):
                schemas += taxonomy.read(name)
    official = {
        name.decode() for name in re.findall(rb'<[\w:]*element\b[^>]*\bname="(\w+)"', schemas)
    }
    with (files("g2_pipelines.edinet") / "labels.csv").open(encoding="utf-8") as table:
        ours = {row["element"] for row in csv.DictReader(table)}
    assert {_OF_WHOM.sub("", name) for name in ours - official} == SEEN_ELSEWHERE
    summary = {n for n in official if n.endswith(("SummaryOfBusinessResults", "KeyFinancialData"))}
    assert summary <= ours
    assert len(summary) > 90


def test_without_a_linkbase_the_row_names_the_fact(tmp_path: Path) -> None:
    read = read_rows(
        tmp_path,
        row("科目", "金額"),
        row(
            "　営業利益又は営業損失（△）", "(百万円)", fact(f"{OWN}:XSummaryOfBusinessResults", "7")
        ),
        row("特別な引当金", "※１,２", fact(f"{OWN}:SpecialProvision", "8")),
        row("合計", fact(f"{OWN}:AllOfIt", "9")),
    )
    assert numbers(read) == {
        "XSummaryOfBusinessResults": ("7000000", "営業利益又は営業損失（△）", "operating_profit"),
        "SpecialProvision": ("8000000", "特別な引当金", None),
        "AllOfIt": ("9000000", None, None),
    }


def test_the_row_of_a_shareholder_names_no_fact(tmp_path: Path) -> None:
    member = "CurrentYearInstant_No1MajorShareholdersMember"
    read = read_rows(tmp_path, row("信託銀行", fact(f"{OWN}:Held", "1", member)))
    assert numbers(read) == {"Held": ("1000000", None, None)}


def test_consolidated_and_separate_figures_are_told_apart(tmp_path: Path) -> None:
    element = "jpcrp_cor:NetSalesSummaryOfBusinessResults"
    rows = [
        row(
            "x",
            fact(element, "10"),
            fact(element, "4", "CurrentYearDuration_NonConsolidatedMember"),
        )
    ]
    read = read_rows(tmp_path, *rows)
    assert [(f.value, f.consolidated) for f in read.facts if f.figure == "sales"] == [
        ("10000000", True),
        ("4000000", False),
    ]
    alone = DEI | {"WhetherConsolidatedFinancialStatementsArePreparedDEI": "false"}
    read = read_rows(tmp_path, *rows, dei=alone)
    assert [f.consolidated for f in read.facts if f.figure == "sales"] == [None, False]


def test_a_fact_of_an_unknown_context_is_no_figure_of_the_year(tmp_path: Path) -> None:
    """Without its context nobody knows of which year or of whom it is."""
    read = read_rows(tmp_path, row("売上高", fact("jppfs_cor:NetSales", "5", "CurrentYear")))
    (sales,) = [f for f in read.facts if f.unit]
    assert (sales.value, sales.period_end) == ("5000000", None)
    assert (sales.figure, sales.consolidated) == (None, None)
    assert any("context that is not in the filing" in warning for warning in read.warnings)


def test_the_dei_stand_beside_the_numbers_with_labels(tmp_path: Path) -> None:
    read = read_rows(tmp_path, row("x", "y"))
    standards = [f for f in read.facts if f.element == "jpdei_cor:AccountingStandardsDEI"]
    assert [(f.value, f.label, f.unit) for f in standards] == [("Japan GAAP", "会計基準", None)]
    assert len(read.facts) == len(DEI)


def test_the_table_of_labels_names_each_element_once_and_every_figure() -> None:
    text = files("g2_pipelines.edinet").joinpath("labels.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    names = [r["element"] for r in rows]
    assert len(names) == len(set(names))
    assert all(r["label"] and r["label"] == r["label"].strip() for r in rows)
    needed = {"sales", "operating_profit", "ordinary_profit", "pretax_profit", "net_profit"}
    needed |= {"total_assets", "net_assets", "employees", "eps", "operating_cash_flow"}
    assert needed <= {r["figure"] for r in rows}
    assert known("NoSuchElement") is None
    assert figure_of("Unknown", "売上高") is None  # a label alone, outside the summary


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("当社グループは、「食品事業」の単一セグメントであるため、記載を省略。", ["食品事業"]),
        ("なお、当社はコンテンツ事業の単一セグメントであるため", ["コンテンツ事業"]),
        ("当社グループはものづくり支援事業の単一セグメントである。", []),  # cut names are none
        ("当社の報告セグメントは「電力事業」のみである。", ["電力事業"]),
        (
            "当社は「甲事業」及び「乙事業」を報告セグメントとする。「丙」は別。",
            ["甲事業", "乙事業"],
        ),
        ("当社グループは単一セグメントのため、記載していない。", []),
        ("報告セグメントの利益は「営業利益」に基づく。", []),
    ],
)
def test_segment_names_in_words(text: str, names: list[str]) -> None:
    assert names_in_note(text) == names


def test_an_untagged_segment_note_names_the_segments(tmp_path: Path) -> None:
    note = "<p>６．事業セグメント</p><p>当社の報告セグメントは「甲事業」<b>及び</b>「乙事業」である。</p>"
    read = read_filing(write_zip(tmp_path, filing_members("<p>x</p>", note)))
    assert read.segments == ["甲事業", "乙事業"]


def test_facts_of_a_lost_page_come_from_the_instance(tmp_path: Path) -> None:
    members = filing_members(
        f"<table>{row('x', fact('jpcrp_cor:NetAssets', '3'))}</table>", "<p>lost</p>",
        resources=CONTEXTS,
    )  # fmt: skip
    lost = next(n for n in members if "0103010" in n)
    del members[lost]
    members[f"XBRL/PublicDoc/{STEM}.xbrl"] = (
        b'<?xml version="1.0" encoding="UTF-8"?><xbrli:xbrl xmlns:xbrli="http://www.xbrl.org/2003/instance"'
        b' xmlns:p="urn:c"><p:NetAssets contextRef="CurrentYearDuration" unitRef="JPY" decimals="-6">3000000'
        b'</p:NetAssets><p:Assets contextRef="CurrentYearDuration" unitRef="JPY" decimals="-6">9000000</p:Assets>'
        b"</xbrli:xbrl>"
    )
    read = read_filing(write_zip(tmp_path, members))
    assert [(f.element, f.value) for f in read.facts if f.unit] == [
        ("jpcrp_cor:NetAssets", "3000000"),
        ("p:Assets", "9000000"),
    ]
    assert any("missing pages" in w for w in read.warnings)


IDS = ["S100AJZW", "S100DE5C", "S100MMP3", "S100T45G", "S100TBUZ", "S100TMMG", "S100TQWG",
       "S100TR7I", "S100U4EY"]  # fmt: skip
#: S100TP3N lacks the page of its statements, the FSA's samples are no real year.


@pytest.mark.parametrize("document_id", IDS)
def test_the_summary_and_the_statements_of_a_real_filing_agree(
    document_id: str, shared_data: Path
) -> None:
    """Both are tagged apart, under different elements, so a wrong figure would show."""
    read = read_filing(shared_data / "edinet" / "filings" / f"{document_id}.zip")
    found: dict[str, set[str]] = defaultdict(set)
    consolidated = bool(read.dei.consolidated)
    for f in read.facts:
        of_year = (
            f.period_start in (None, read.filing.period_start)
            and f.period_end == read.filing.period_end
        )
        if f.figure and f.value and of_year and (f.consolidated is True) == consolidated:
            found[f.figure].add(f.value)
    ordinary = "ordinary_profit" if read.dei.accounting_standard == "Japan GAAP" else "profit"
    for figure in ("sales", "operating_profit", ordinary, "pretax_profit", "net_profit",
                   "total_assets", "net_assets", "employees"):  # fmt: skip
        assert len(found[figure]) == 1, (figure, found[figure])
    labelled = sum(f.label is not None for f in read.facts) / len(read.facts)
    assert labelled > 0.9
