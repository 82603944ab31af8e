"""Which element is which section, in every era of the forms.

Here: the table of local names (measured on 101 CSV files and 19 inline
sets, and the taxonomy's deprecated list) and since when a section is in the form. Not here:
reading. Used by ``blocks`` and ``filing``.

Elements are matched by local name in every namespace: in FY2018 and FY2019 the MD&A stood in
the filer's own (22 of 22 filings), and sustainability did so in the first year (2022-11-01).
"""

from __future__ import annotations

from dataclasses import dataclass

from g2_pipelines.tables.line1 import SectionName

#: Sections in the order of the form.
SECTIONS: tuple[SectionName, ...] = (
    "business",
    "policy",
    "sustainability",
    "risks",
    "mdna",
    "contracts",
    "research",
)


@dataclass(frozen=True)
class Block:
    """A text block's section and its rank where the section has several (the old MD&A)."""

    section: SectionName
    rank: int = 0


#: Local name without the suffix TextBlock → section.
_STEMS: dict[str, Block] = {
    "DescriptionOfBusiness": Block("business"),
    "BusinessPolicyBusinessEnvironmentIssuesToAddressEtc": Block("policy"),
    "IssuesToAddress": Block("policy"),
    "DisclosureOfSustainabilityRelatedFinancialInformation": Block("sustainability"),
    "BusinessRisks": Block("risks"),
    "ManagementAnalysisOfFinancialPositionOperatingResultsAndCashFlows": Block("mdna"),
    "OverviewOfBusinessResults": Block("mdna", 0),
    "AnalysisOfFinancialPositionOperatingResultsAndCashFlows": Block("mdna", 1),
    "CriticalContracts": Block("contracts"),
    "CriticalContractsForOperation": Block("contracts"),
    "ResearchAndDevelopmentActivities": Block("research"),
}

#: With the NA infix (``…NATextBlock``) a filer says that there is nothing to report.
BLOCKS: dict[str, Block] = {
    f"{stem}{suffix}": block
    for stem, block in _STEMS.items()
    for suffix in ("TextBlock", "NATextBlock")
}

#: First period end whose form asks for the section (the ordinance of January 2023).
SUSTAINABILITY_SINCE = "2023-03-31"

#: A block of these sections shorter than this, white space left out, is warned of: real ones
#: have ≥ 1,000 characters, the FSA's stub samples 22 and 35. Short contracts and research
#: blocks (該当事項はありません。) are ordinary.
STUB_CHARS = 100
STUB_SECTIONS: frozenset[SectionName] = frozenset({"policy", "mdna", "business", "risks"})


def in_form(section: SectionName, *, period_end: str, fund: bool) -> bool:
    """Whether a report for the period asks for ``section``; a fund's form has none of them."""
    if fund:
        return False
    return section != "sustainability" or period_end >= SUSTAINABILITY_SINCE
