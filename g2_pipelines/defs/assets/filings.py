"""The asset ``filings``: a company's filings of a fiscal year, downloaded and named.

Here: which registered filings make up a year, which are history because EDINET withdrew
them, and what is said of the others. Downloading stands in ``downloads``, reading in
``edinet``; sections and transcripts in ``assets.sources``.

https://docs.dagster.io/guides/build/assets/defining-assets
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from g2_pipelines.defs.batch import Stored
from g2_pipelines.defs.downloads import Downloads, Outcome, out_of_use
from g2_pipelines.defs.metadata import clip, table_metadata
from g2_pipelines.defs.registry import FilingEntry
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import newest, read_year, replace_year
from g2_pipelines.errors import G2Error, InputError, NotYetError
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line1 import Filing
from g2_pipelines.tables.store import MissingTableError, read_table, rows_digest, write_table

ANNUAL_REPORT = "120"
#: The filings that EDINET withdrew, in the form of ``filings``: history, used by nothing.
WITHDRAWN = "withdrawn_filings"
#: Metadata by which sensors know what else is due.
WAITING_YEARS, PDF_DOCUMENTS = "waiting_years", "pdf_documents"
_COLUMNS = ("document_id", "document_type", "filer_name", "period_end", "accounting_standard")


class WrongCompanyError(InputError):
    """A filing was registered for another company than it names."""

    code = "wrong_company"


@dataclass
class _Known:
    """A company's registered filings and their faults; ``ended`` says why one is history."""

    entries: list[FilingEntry] = field(default_factory=list)
    ended: dict[str, str] = field(default_factory=dict)
    faults: dict[str, G2Error] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def of(self, year: str, *, in_force: bool) -> list[FilingEntry]:
        """The year's filings that are used, or those that are history."""
        return [
            entry
            for entry in self.entries
            if entry.fiscal_year == year and (entry.document_id not in self.ended) == in_force
        ]

    def years(self, *, in_force: bool) -> list[str]:
        """Years with an annual report that is used, or with one that is history."""
        return [
            entry.fiscal_year
            for entry in self.entries
            if entry.fiscal_year
            and entry.document_type == ANNUAL_REPORT
            and (entry.document_id not in self.ended) == in_force
        ]


async def make_filings(ws: Workspace, downloads: Downloads, run: StepRun, company: str) -> Stored:
    """Download what EDINET lists, then read the DEI of the company's filings of one year.

    A file that cannot be read costs itself alone: the others are stored, and the run ends red
    and names it. Withdrawn filings leave the table for ``withdrawn_filings``.

    Raises:
        NotYetError: nothing of the year is there; else the fault of the only file that is.
    """
    known = _known(ws, company, downloads.take(company))
    faults = [o.fault for o in known.outcomes if o.fault is not None]
    faults += known.faults.values()
    years = known.years(in_force=True) or known.years(in_force=False)
    year = run.fiscal_year or max(years, default="")
    used, gone = known.of(year, in_force=True), known.of(year, in_force=False)
    if not year or not (used or gone):
        return _nothing(ws, company, year, known, faults)
    rows, unreadable = _read(ws, used)
    if used and not rows:
        raise unreadable[0]
    faults += unreadable
    replace_year(ws.home.table(WITHDRAWN, company), Filing, year, _read(ws, gone)[0])
    path = ws.home.table("filings", company)
    digest = replace_year(path, Filing, year, rows)
    more = _metadata(ws, company, year, known, faults)
    return Stored(digest, {**more, **table_metadata(rows, _COLUMNS, path)}, tuple(faults))


def _nothing(
    ws: Workspace, company: str, year: str, known: _Known, faults: Sequence[G2Error]
) -> Stored:
    """No filing of the year: a fault's, a state of EDINET's, or a mistake of who asked.

    A listed document may be withdrawn before it is downloaded, and its period may be another
    than the list says: states, for which the table stays as it is.
    """
    if faults:
        raise faults[0]
    if not any(o.what == "filing" for o in known.outcomes):
        if not year:
            newest([], company)  # raises
        msg = f"No annual report of {year} is registered"
        raise NotYetError(msg, file=company, remedy="Add its zip, or choose another fiscal year")
    path = ws.home.table("filings", company)
    rows = _stored(ws, company, "filings")
    digest = rows_digest(rows) if path.exists() else write_table(path, rows, Filing)
    more = _metadata(ws, company, year, known, faults)
    return Stored(digest, {**more, **table_metadata(rows, _COLUMNS, path)}, last=True)


def _known(ws: Workspace, company: str, outcomes: list[Outcome]) -> _Known:
    known = _Known(outcomes=outcomes)
    for entry in ws.registry.filings(company):
        ended = out_of_use(ws, entry)
        if ended:
            known.ended[entry.document_id] = ended
        if entry.fiscal_year is None and not ended:  # it could not be read when it was taken in
            rows, faults = _read(ws, [entry])
            if faults:
                known.faults[entry.document_id] = faults[0]
            entry = entry.model_copy(  # noqa: PLW2901
                update={"fiscal_year": rows[0].fiscal_year if rows else None}
            )
        known.entries.append(entry)
    return known


def _read(ws: Workspace, entries: Sequence[FilingEntry]) -> tuple[list[Filing], list[G2Error]]:
    rows: list[Filing] = []
    faults: list[G2Error] = []
    for entry in entries:
        try:
            rows.append(_read_filing(ws, entry))
        except G2Error as error:
            faults.append(error)
    return rows, faults


def _read_filing(ws: Workspace, entry: FilingEntry) -> Filing:
    read = ws.filings.read(
        digest=entry.digest,
        raw=entry.raw,
        document_id=entry.document_id,
        document_type=entry.document_type,
        amends=entry.amends,
    )
    if read.filing.edinet_code != entry.edinet_code:
        msg = f"The filing is of {read.filing.edinet_code}, not of {entry.edinet_code}"
        raise WrongCompanyError(msg, file=entry.name, remedy="Add it again for its own company")
    read.require_annual_report()
    return read.filing.model_copy(
        update={"file": entry.raw, "digest": entry.digest, "segments": read.segments}
    )


def _stored(ws: Workspace, company: str, table: str) -> list[Filing]:
    try:
        return read_table(ws.home.table(table, company), Filing)
    except MissingTableError:
        return []


def withdrawn_of(ws: Workspace, company: str, year: str) -> list[Filing]:
    """The year's filings that were withdrawn after they were taken in."""
    try:
        return read_year(ws.home.table(WITHDRAWN, company), Filing, year)
    except MissingTableError:
        return []


def year_in_force(ws: Workspace, run: StepRun, company: str) -> str:
    """The run's fiscal year, by default the newest one with a stored annual report.

    Where all reports were withdrawn, the newest of theirs.
    """
    if run.fiscal_year:
        return run.fiscal_year
    filings = read_table(ws.home.table("filings", company), Filing)
    reports = [f for f in filings or _stored(ws, company, WITHDRAWN) if not f.amendment]
    return newest([f.fiscal_year for f in reports], company)


def _waiting(ws: Workspace, company: str, known: _Known, year: str) -> dict[str, str]:
    """Other years whose registered filings are not those of their stored rows.

    With a digest of those filings, so that what waits is known from what waited before.
    """
    stored = {
        (f.fiscal_year, f.document_id, f.digest, used)
        for table, used in (("filings", True), (WITHDRAWN, False))
        for f in _stored(ws, company, table)
    }
    there = {
        (e.fiscal_year, e.document_id, e.digest, e.document_id not in known.ended)
        for e in known.entries
        if e.fiscal_year
    }
    waiting = sorted({y for y, *_ in there - stored if y != year})
    return {
        y: digest_of(repr(sorted(row for row in there if row[0] == y)).encode())[:16]
        for y in waiting
    }


def _metadata(
    ws: Workspace, company: str, year: str, known: _Known, faults: Sequence[G2Error]
) -> dict[str, Any]:
    pdfs = [o.document_id for o in known.outcomes if o.what == "pdf" and o.state == "taken"]
    due = {
        document: ws.registry.pdf(document).digest[:16]
        for document in pdfs
        if not ws.home.table("pdf_documents", document).exists()
    }
    waiting = _waiting(ws, company, known, year)
    due_elsewhere = {WAITING_YEARS: waiting, PDF_DOCUMENTS: due}
    return {
        "fiscal_year": year or "none",
        "documents": _documents(known),
        "bad_files": dg.MetadataValue.md(
            "\n".join(f"* {clip(str(fault), 300)}" for fault in faults) or "none"
        ),
        **{name: dg.MetadataValue.json(what) for name, what in due_elsewhere.items() if what},
    }


def _documents(known: _Known) -> dg.TableMetadataValue:
    """Every file that is known of, with what became of it and why."""
    records: list[dict[str, str]] = []
    for entry in known.entries:
        fault = known.faults.get(entry.document_id)
        ended = known.ended.get(entry.document_id, "")
        state = "bad file" if fault else "history" if ended else "in force"
        words = str(fault) if fault else ended or entry.name
        records.append(_record(entry.document_id, "filing", state, words, entry.fiscal_year))
    there = {entry.document_id for entry in known.entries}
    for outcome in known.outcomes:
        if outcome.what == "pdf" or outcome.document_id not in there:
            why = outcome.why
            records.append(_record(outcome.document_id, outcome.what, outcome.state, why, ""))
    columns = ("document", "what", "state", "why", "fiscal_year")
    return dg.MetadataValue.table(
        records=[dg.TableRecord(dict(record)) for record in records],
        schema=dg.TableSchema(columns=[dg.TableColumn(name, "string") for name in columns]),
    )


def _record(document_id: str, what: str, state: str, why: str, year: str | None) -> dict[str, str]:
    return {
        "document": document_id,
        "what": what,
        "state": state,
        "why": clip(why, 300),
        "fiscal_year": year or "",
    }
