"""EDINET's files: downloaded once, whole, under their digest; and what came of each.

Here: fetching a company's noted filings and their PDFs into the registry. The client stands in
``edinet.client``, what is noted in ``listing_sensor``, what is read of the files in
``assets.filings``. Nothing here knows Dagster.

A file is kept under its SHA-256 and then noted as downloaded, each atomically: a killed run
repeats at most the file that it was at. One process of a machine downloads a document at a
time; the others find it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.register import register
from g2_pipelines.defs.registry import Download, FilingEntry, ListedFiling, PdfEntry
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.edinet.errors import NotFoundError
from g2_pipelines.errors import G2Error
from g2_pipelines.keys import digest_of

if TYPE_CHECKING:
    from g2_pipelines.edinet.client import EdinetClient

XBRL, PDF, CSV = 1, 2, 5
State = Literal["taken", "stored", "skipped", "not there", "failed"]


@dataclass(frozen=True)
class Outcome:
    """What came of one noted file: ``what`` is filing or pdf, ``why`` in words."""

    document_id: str
    what: Literal["filing", "pdf"]
    state: State
    why: str
    fault: G2Error | None = None


class Downloads:
    """A run's downloads: one client for all its companies, opened when first needed.

    One client, so that a rejected key or a server that is down is found out once a run and
    not once a company.
    """

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws

    @cached_property
    def _client(self) -> EdinetClient:
        return self._ws.edinet()

    def take(self, company: str) -> list[Outcome]:
        """Download what is noted for ``company`` and not there yet; a failure is an outcome.

        Filings are registered; PDFs stored and, by setting, registered as documents.
        """
        there = {entry.document_id: entry for entry in self._ws.registry.filings(company)}
        outcomes: list[Outcome] = []
        for noted in self._ws.registry.noted(company):
            ended = out_of_use(self._ws, noted)
            if noted.document_id in there:  # EDINET may have edited what it says of it
                self._ws.registry.add_filing(_as_listed(there[noted.document_id], noted))
            else:
                outcomes.append(
                    Outcome(noted.document_id, "filing", "skipped", ended)
                    if ended
                    else self._guarded(noted, "filing")
                )
            if noted.pdf and not ended and self._ws.settings.edinet_pdfs != "off":
                outcomes.append(self._guarded(noted, "pdf"))
        return outcomes

    def _guarded(self, noted: ListedFiling, what: Literal["filing", "pdf"]) -> Outcome:
        try:
            return self._filing(noted) if what == "filing" else self._pdf(noted)
        except NotFoundError:
            why = (
                "EDINET lists it and has no such file: withdrawn meanwhile, or not ready yet."
                " It is asked for again by the next run"
            )
            return Outcome(noted.document_id, what, "not there", why)
        except G2Error as error:
            return Outcome(noted.document_id, what, "failed", str(error), error)

    def _filing(self, noted: ListedFiling) -> Outcome:
        fallback = noted.csv and self._ws.settings.edinet_csv_fallback
        if not noted.xbrl and not fallback:
            return Outcome(noted.document_id, "filing", "skipped", "EDINET offers no XBRL of it")
        forms = [XBRL] * noted.xbrl + [CSV] * fallback
        for form in forms:
            content = self.fetch(noted.document_id, form)
            fault = self._register(noted, content)
            if fault is None:
                why = "downloaded" if form == XBRL else "downloaded as CSV: values end at 30,000"
                return Outcome(noted.document_id, "filing", "taken", why)
        # Registered all the same: it fails where it is read, by name, until a good file comes.
        return Outcome(noted.document_id, "filing", "taken", f"it cannot be read: {fault}")

    def _register(self, noted: ListedFiling, content: bytes) -> G2Error | None:
        row = ManifestRow(
            file=f"{noted.document_id}.zip",
            type="filing",
            edinet_code=noted.edinet_code,
            document_id=noted.document_id,
        )
        registered = register(self._ws, content, row)
        registry = self._ws.registry
        [entry] = [
            entry
            for entry in registry.filings(noted.edinet_code)
            if entry.document_id == noted.document_id
        ]
        registry.add_filing(_as_listed(entry, noted))
        return registered.fault

    def _pdf(self, noted: ListedFiling) -> Outcome:
        registry = self._ws.registry
        before = registry.download(noted.document_id, PDF)
        if before is None:
            self.fetch(noted.document_id, PDF)
        kept = registry.download(noted.document_id, PDF)
        if self._ws.settings.edinet_pdfs == "store" or kept is None:
            return Outcome(noted.document_id, "pdf", "stored", "G2_EDINET_PDFS is store")
        registry.add_pdf(
            PdfEntry(
                name=kept.name,
                digest=kept.digest,
                raw=kept.raw,
                document_id=noted.document_id,
                edinet_code=noted.edinet_code,
            )
        )
        return Outcome(noted.document_id, "pdf", "taken", "a document of its company")

    def fetch(self, document_id: str, form: int) -> bytes:
        """The document's file of a type, downloaded unless it was before.

        Raises:
            NotFoundError and the others of ``EdinetClient.download``; StateError: the stored
            file is damaged.
        """
        registry = self._ws.registry
        # A few locks for all documents: each is a file that stays.
        with registry.only_one(f"download-{digest_of(document_id.encode())[:2]}"):
            kept = registry.download(document_id, form)
            if kept is not None:
                return registry.original(kept.raw, kept.digest)
            content = self._client.download(document_id, form)
            original = (
                registry.keep(content, "pdfs", f"{document_id}.pdf")
                if form == PDF
                else registry.keep(content, "filings", f"{document_id}.zip")
            )
            registry.add_download(
                Download(**original.model_dump(), document_id=document_id, form=form)
            )
            return content


def out_of_use(ws: Workspace, filing: ListedFiling | FilingEntry) -> str:
    """Why EDINET says that a filing must not be used any more; "" if it may be.

    A withdrawal of a report withdraws its corrections too (specification 3-1-5).
    """
    for document_id in (filing.document_id, filing.amends):
        state = ws.registry.state(document_id) if document_id else None
        if state is None or state.state == "disclosed":
            continue
        if state.state == "withdrawn":
            notice = f" by {state.notice}" if state.notice else ""
            whose = "" if document_id == filing.document_id else f" with its report {document_id}"
            return f"withdrawn (取下げ){notice}{whose}"
        if document_id == filing.document_id:
            return "not disclosed (不開示)"
    return ""


def _as_listed(entry: FilingEntry, noted: ListedFiling) -> FilingEntry:
    """The entry with what only EDINET's list knows: its type and what it corrects."""
    return entry.model_copy(
        update={"document_type": noted.document_type, "amends": noted.amends or entry.amends}
    )
