"""Small synthetic filings for the tests, in EDINET's layouts."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

IX_2008 = "http://www.xbrl.org/2008/inlineXBRL"
IX_2013 = "http://www.xbrl.org/2013/inlineXBRL"
STEM = "jpcrp030000-asr-001_E99009-000_2024-03-31_01_2024-06-27"
POLICY = "jpcrp_cor:BusinessPolicyBusinessEnvironmentIssuesToAddressEtcTextBlock"
MDNA = "ManagementAnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock"
LONG = "当社グループは、品質を重んじる経営を続けております。" * 8

DEI = {
    "EDINETCodeDEI": "E99009",
    "SecurityCodeDEI": "99090",
    "FilerNameInJapaneseDEI": "試験工業株式会社",
    "AccountingStandardsDEI": "Japan GAAP",
    "WhetherConsolidatedFinancialStatementsArePreparedDEI": "true",
    "CurrentFiscalYearStartDateDEI": "2023-04-01",
    "CurrentPeriodEndDateDEI": "2024-03-31",
    "CurrentFiscalYearEndDateDEI": "2024-03-31",
    "NumberOfSubmissionDEI": "1",
    "AmendmentFlagDEI": "false",
}


def block(element: str, content: str, *, more: str = "", context: str = "FilingDateInstant") -> str:
    """A tagged text block."""
    return (
        f'<ix:nonNumeric name="{element}" contextRef="{context}" escape="true"{more}>'
        f"{content}</ix:nonNumeric>"
    )


def page(
    body: str, *, ix: str = IX_2008, prolog: str = '<?xml version="1.0" encoding="utf-8"?>'
) -> bytes:
    """An inline page with the BOM that EDINET's have."""
    return (
        b"\xef\xbb\xbf"
        + (
            f'{prolog}\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="{ix}"'
            ' xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2011-07-31"'
            ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
            ' xmlns:xbrli="http://www.xbrl.org/2003/instance"'
            ' xmlns:xbrldi="http://xbrl.org/2006/xbrldi"'
            ' xmlns:jpcrp_cor="http://disclosure.edinet-fsa.go.jp/taxonomy/jpcrp/2023-12-01/jpcrp_cor">'
            f"<head><title>x</title></head><body>{body}</body></html>"
        ).encode()
    )


def header(values: Mapping[str, str] = DEI, resources: str = "") -> str:
    """Body of a header page."""
    hidden = "".join(
        f'<ix:nonNumeric name="jpdei_cor:{k}" contextRef="FilingDateInstant">{v}</ix:nonNumeric>'
        for k, v in values.items()
    )
    return f"<ix:header><ix:hidden>{hidden}</ix:hidden><ix:resources>{resources}</ix:resources></ix:header>"


def manifest(names: list[str]) -> bytes:
    """A manifest naming pages."""
    listed = "".join(f"<ixbrl>{name}</ixbrl>" for name in names)
    return (
        '<?xml version="1.0" encoding="utf-8"?><manifest xmlns="http://disclosure.edinet-fsa.go.jp'
        f'/2013/manifest"><list><instance preferredFilename="{STEM}.xbrl">{listed}</instance></list>'
        "</manifest>"
    ).encode()


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """A zip of members."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def filing_members(
    *bodies: str,
    folder: str = "XBRL/PublicDoc/",
    dei: Mapping[str, str] = DEI,
    ix: str = IX_2008,
    with_manifest: bool = True,
    resources: str = "",
) -> dict[str, bytes]:
    """Members of a filing whose second and further pages are ``bodies``."""
    pages = {f"0000000_header_{STEM}_ixbrl.htm": page(header(dei, resources), ix=ix)}
    for number, body in enumerate(bodies):
        pages[f"010{2 + number}010_honbun_{STEM}_ixbrl.htm"] = page(body, ix=ix)
    members = {f"{folder}{name}": content for name, content in pages.items()}
    if with_manifest:
        members[f"{folder}manifest_PublicDoc.xml"] = manifest(list(pages))
    return members


def write_zip(folder: Path, members: Mapping[str, bytes], name: str = "S100ZZ01.zip") -> Path:
    """A zip on disk."""
    path = folder / name
    path.write_bytes(zip_bytes(members))
    return path
