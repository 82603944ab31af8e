"""Makes the two sample filings: ``python -m g2_pipelines.corpus.makers.filings``.

Here: which members a filing's zip has, written in EDINET's type=1 layout with fixed times, so
that making it again gives the same members. A test compares them with the committed zips.
"""

from __future__ import annotations

import sys
from datetime import date
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from g2_pipelines.corpus.makers import filing_xbrl as xbrl
from g2_pipelines.corpus.makers.filing_accounts import accounts_of
from g2_pipelines.corpus.makers.filing_data import COMPANIES, Company
from g2_pipelines.corpus.makers.filing_markup import bar_chart
from g2_pipelines.corpus.makers.filing_pages import Filing, pages_of

FOLDER = Path(__file__).parents[1] / "filings"


def members_of(company: Company) -> dict[str, bytes]:
    """Path in the zip → content."""
    filing = Filing(company)
    bodies = pages_of(filing) | accounts_of(filing)
    bodies["0000000_header"] += "\n" + xbrl.header(filing)
    stem = filing.stem
    public = {
        f"{name}_{stem}_ixbrl.htm": xbrl.page(filing, name, body) for name, body in bodies.items()
    }
    pages = list(public)
    public |= {
        f"{stem}.xbrl": xbrl.instance(filing),
        f"{stem}.xsd": xbrl.schema(filing),
        f"{stem}_lab.xml": xbrl.labels(filing, "ja"),
        f"{stem}_lab-en.xml": xbrl.labels(filing, "en"),
        f"{stem}_def.xml": xbrl.definitions(filing),
        "manifest_PublicDoc.xml": xbrl.manifest("PublicDoc", "提出本文書", f"{stem}.xbrl", pages),
        "images/0102010_001.png": _chart(company),
    }
    audit = xbrl.audit_report(filing)
    return {f"XBRL/PublicDoc/{name}": content for name, content in public.items()} | {
        f"XBRL/AuditDoc/{name}": content for name, content in audit.items()
    }


def _chart(company: Company) -> bytes:
    if company.style == "heading":
        return bar_chart(list(zip(company.sales, company.operating_series, strict=True)))
    return bar_chart([segment.profit for segment in company.segments])


def zip_of(company: Company) -> bytes:
    """The filing's zip; member times are the filing's date."""
    filed = date.fromisoformat(company.filed)
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in sorted(members_of(company).items()):
            info = ZipInfo(name, (filed.year, filed.month, filed.day, 15, 0, 0))
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, ZIP_DEFLATED, compresslevel=9)
    return buffer.getvalue()


def main() -> None:
    """Write both zips into ``corpus/filings``."""
    FOLDER.mkdir(exist_ok=True)
    for company in COMPANIES:
        content = zip_of(company)
        path = FOLDER / f"{company.document_id}.zip"
        path.write_bytes(content)
        sys.stdout.write(f"{path.name} {len(content)} bytes\n")


if __name__ == "__main__":
    main()
