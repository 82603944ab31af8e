"""From a day's list to what is due: filings to download, documents that ended, and for whom.

Here: noting it in the registry, and the companies and fiscal years to run. What is taken
stands in ``assets.listing`` and ``edinet.select``; the sensors that use this in
``listing_sensor`` and ``sensors``. Nothing here knows Dagster.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from g2_pipelines.defs.assets.listing import decisions_of
from g2_pipelines.defs.days import LISTING
from g2_pipelines.defs.registry import ListedFiling, Registry
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.edinet.changes import later
from g2_pipelines.edinet.select import Decision
from g2_pipelines.errors import G2Error
from g2_pipelines.keys import is_key
from g2_pipelines.tables.line1 import DocumentState, Listing
from g2_pipelines.tables.store import read_table


def as_listed(decision: Decision) -> ListedFiling | None:
    """What is noted of a row that is taken; None for one without code, docID or type."""
    row = decision.row
    if not decision.taken or not (row.edinetCode and row.docID and row.docTypeCode):
        return None
    return ListedFiling(
        edinet_code=row.edinetCode,
        document_id=row.docID,
        document_type=row.docTypeCode,
        amends=row.parentDocID,
        description=row.docDescription,
        fiscal_year=row.periodEnd[:7] if row.periodEnd else None,
        date=row.date,
        xbrl=row.xbrlFlag != "0",
        pdf=row.pdfFlag == "1",
        csv=row.csvFlag == "1",
    )


@dataclass
class Due:
    """Companies to run by fiscal year ("" where it is not known yet), with the cause of each.

    ``unread`` says which stored days could not be read, in words; they cost themselves alone.
    """

    by_year: dict[str, dict[str, str]] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def add(self, company: str, year: str, cause: str) -> None:
        """Another reason to run ``company`` for ``year``."""
        known = self.by_year.setdefault(year, {})
        known[company] = f"{known.get(company, '')} {cause}".strip()

    def words(self) -> str:
        """Every company with its causes, in one line."""
        return "; ".join(
            f"{company}{f' {year}' if year else ''}: {cause}"
            for year, wanted in sorted(self.by_year.items())
            for company, cause in sorted(wanted.items())
        )


def note_day(registry: Registry, decisions: Iterable[Decision], due: Due) -> None:
    """Note what is to be downloaded; due is what is news or still not there."""
    for filing in filter(None, map(as_listed, decisions)):
        code, news = filing.edinet_code, registry.add_listed(filing)
        # Noted by a tick that was lost: still to be downloaded.
        if news or filing in registry.listed(code):
            due.add(code, year_of(registry, filing), filing.document_id)


def year_of(registry: Registry, filing: ListedFiling) -> str:
    """The fiscal year of a listed filing: its own, or that of the report it corrects."""
    if filing.fiscal_year:
        return filing.fiscal_year
    known = {e.document_id: e.fiscal_year for e in registry.noted(filing.edinet_code)}
    known |= {e.document_id: e.fiscal_year for e in registry.filings(filing.edinet_code)}
    return known.get(filing.document_id) or known.get(filing.amends or "") or ""


def note_states(registry: Registry, told: Iterable[DocumentState], due: Due) -> None:
    """Note what became of documents; due are the companies that have used one of them."""
    for state in told:
        if not is_key(state.document_id):
            continue
        before = registry.state(state.document_id)
        now = later(before, state)
        if not registry.add_state(now) or (before is not None and before.state == now.state):
            continue
        for code in registry.owners(state.document_id):
            for entry in registry.filings(code):
                mine = state.document_id in {entry.document_id, entry.amends}
                if mine and entry.fiscal_year:
                    due.add(code, entry.fiscal_year, f"{state.document_id} {now.state}")


def note_lists_read_before(ws: Workspace, codes: Collection[str], due: Due) -> None:
    """Note what the lists that were read before hold for companies followed from now on.

    Of each stored day only the column of codes is read, unless one of ``codes`` is in it.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = frozenset(codes)
    folder = ws.home.table(LISTING, "day").parent
    for path in sorted(folder.glob("*.parquet"), key=str) if folder.exists() else []:
        try:
            with path.open("rb") as file:
                there = pq.read_table(file, columns=["edinetCode"])["edinetCode"].to_pylist()
            rows = [] if wanted.isdisjoint(there) else read_table(path, Listing)
        except (pa.ArrowException, OSError, G2Error) as error:
            due.unread.append(f"The list of {path.stem} cannot be read: {error}")
            continue
        note_day(ws.registry, decisions_of(ws, rows, wanted), due)
