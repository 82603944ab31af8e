"""DEI, the filing's own particulars.

Here: ``Dei`` and how it is read from name → text. Not here: finding the facts. Used by
``filing``; ``defs`` and ``cli`` may read it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from g2_pipelines.tables.rows import Row

_WAREKI = re.compile(
    r"(明治|大正|昭和|平成|令和)\s*(元|\d{1,2})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日"
)
_DATE = re.compile(r"(\d{4})\s*[-/年.]\s*(\d{1,2})\s*[-/月.]\s*(\d{1,2})")
_ERA_START = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019}
_FULL_WIDTH = str.maketrans("０１２３４５６７８９", "0123456789")


class Dei(Row):
    """DEI by our names; ``raw`` holds every DEI fact that is not nil, by its local name.

    Dates are ISO, whatever form the filing writes them in.
    """

    edinet_code: str | None = None
    security_code: str | None = None
    fund_code: str | None = None
    filer_name: str | None = None
    filer_name_english: str | None = None
    ordinance: str | None = None
    form: str | None = None
    accounting_standard: str | None = None
    consolidated: bool | None = None
    fiscal_year_start: str | None = None
    fiscal_year_end: str | None = None
    period_end: str | None = None
    period_type: str | None = None
    previous_fiscal_year_start: str | None = None
    previous_fiscal_year_end: str | None = None
    submission: int | None = None
    amendment: bool = False
    amends: str | None = None
    report_amendment: bool = False
    xbrl_amendment: bool = False
    raw: dict[str, str] = {}


def iso_date(text: str) -> str | None:
    """``令和７年６月25日``, ``2025年6月25日``, ``2025-06-25`` → ``2025-06-25``; else None."""
    plain = text.translate(_FULL_WIDTH)
    if match := _WAREKI.search(plain):
        era, year, month, day = match.groups()
        number = 1 if year == "元" else int(year)
        return f"{_ERA_START[era] + number - 1:04d}-{int(month):02d}-{int(day):02d}"
    if match := _DATE.search(plain):
        year, month, day = match.groups()
        return f"{int(year):04d}-{int(month):02d}-{int(day):02d}"
    return None


def _flag(text: str | None) -> bool | None:
    return None if text is None else text.strip().lower() in {"true", "1"}


def make_dei(raw: Mapping[str, str]) -> Dei:
    """``Dei`` from DEI facts by local name (``EDINETCodeDEI`` …); unknown ones stay in raw."""

    def date(name: str) -> str | None:
        return iso_date(raw[name]) if name in raw else None

    submission = raw.get("NumberOfSubmissionDEI", "")
    return Dei(
        edinet_code=raw.get("EDINETCodeDEI"),
        security_code=raw.get("SecurityCodeDEI"),
        fund_code=raw.get("FundCodeDEI"),
        filer_name=raw.get("FilerNameInJapaneseDEI"),
        filer_name_english=raw.get("FilerNameInEnglishDEI"),
        ordinance=raw.get("CabinetOfficeOrdinanceDEI"),
        form=raw.get("DocumentTypeDEI"),
        accounting_standard=raw.get("AccountingStandardsDEI"),
        consolidated=_flag(raw.get("WhetherConsolidatedFinancialStatementsArePreparedDEI")),
        fiscal_year_start=date("CurrentFiscalYearStartDateDEI"),
        fiscal_year_end=date("CurrentFiscalYearEndDateDEI"),
        period_end=date("CurrentPeriodEndDateDEI"),
        period_type=raw.get("TypeOfCurrentPeriodDEI"),
        previous_fiscal_year_start=date("PreviousFiscalYearStartDateDEI"),
        previous_fiscal_year_end=date("PreviousFiscalYearEndDateDEI"),
        submission=int(submission) if submission.isascii() and submission.isdigit() else None,
        amendment=bool(_flag(raw.get("AmendmentFlagDEI"))),
        amends=raw.get("IdentificationOfDocumentSubjectToAmendmentDEI"),
        report_amendment=bool(_flag(raw.get("ReportAmendmentFlagDEI"))),
        xbrl_amendment=bool(_flag(raw.get("XBRLAmendmentFlagDEI"))),
        raw=dict(sorted(raw.items())),
    )
