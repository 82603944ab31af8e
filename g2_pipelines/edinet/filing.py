"""A filing's archive → DEI, filing row, sections, facts, segments.

Here: ``read_filing`` and the rows it makes. Not here: the parts it uses (``archive``,
``pages``, ``gather``, ``clean``, ``facts``), downloading (``client``), storing (``defs``).
Used by ``defs`` and ``cli``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from g2_pipelines.edinet.archive import Archive, open_archive
from g2_pipelines.edinet.csvfile import contexts_by_name
from g2_pipelines.edinet.dei import Dei, make_dei
from g2_pipelines.edinet.eras import BLOCKS, SECTIONS
from g2_pipelines.edinet.errors import (
    NotAFilingError,
    NotAnAnnualReportError,
    UnsafeArchiveError,
)
from g2_pipelines.edinet.facts import Names, dei_facts, make_facts
from g2_pipelines.edinet.gather import Gatherer
from g2_pipelines.edinet.pages import REPORT_NAME, FilingFiles, find_files
from g2_pipelines.edinet.section_rows import Identity, section_rows
from g2_pipelines.edinet.segments import names_in_note, segment_members
from g2_pipelines.edinet.xml import local_name
from g2_pipelines.keys import check_key, document_key
from g2_pipelines.tables.line1 import Filing, FilingFact, FilingSection, SectionName

#: docTypeCode of a report and of its correction, by the document part of its file names.
_DOCUMENT_TYPES = {
    "asr": ("120", "130"),
    "q1r": ("140", "150"),
    "q2r": ("140", "150"),
    "q3r": ("140", "150"),
    "q4r": ("140", "150"),
    "ssr": ("160", "170"),
    "srs": ("030", "040"),
    "esr": ("180", "190"),
}
#: The same by the DEI's period, where a file name says nothing known; a year's else.
_TYPES_BY_PERIOD = dict.fromkeys(("Q1", "Q2", "Q3", "Q4"), ("140", "150")) | {"HY": ("160", "170")}
_ANNUAL = ("120", "130")
_CODE = re.compile(r"[A-Z][0-9]{5}")


@dataclass(frozen=True)
class ReadFiling:
    """Everything read from one filing.

    ``sections`` has at least one row for each of the seven section names, in the order of the
    form; ``warnings`` are the filing's, those of a section stand in its row. ``own_type`` is the
    docTypeCode that the filing itself tells, whatever it was called when it was given.
    """

    dei: Dei
    filing: Filing
    sections: list[FilingSection]
    facts: list[FilingFact]
    segments: list[str]
    warnings: list[str]
    own_type: str

    def require_annual_report(self) -> None:
        """Refuse what is no 有価証券報告書 (120) and no correction of one (130).

        A semi-annual report has the MD&A under the same element: it would pass for the year's.

        Raises:
            NotAnAnnualReportError: naming what it is instead.
        """
        if self.own_type not in _ANNUAL:
            raise NotAnAnnualReportError(
                f"This is a document of docTypeCode {self.own_type}, not an annual report (120)"
                " or a correction of one (130)",
                file=self.filing.file,
                place=self.dei.form or "",
                remedy="Give the 有価証券報告書; `g2 filing sections` reads others without taking"
                " them in",
            )


def read_filing(
    source: Path,
    *,
    document_id: str | None = None,
    document_type: str | None = None,
    amends: str | None = None,
    with_facts: bool = True,
) -> ReadFiling:
    """Read a filing from a type=1 zip, a zip of EDINET's search page, a folder or an instance.

    A type=5 zip (CSV) is read too, as a flagged fallback: its values end at 30,000 characters.

    Args:
        source: the zip, the folder (above, at or below ``XBRL``) or an ``.xbrl`` file.
        document_id: EDINET's docID; default: the one in the archive's or file's name, else a
            key made from name and digest. It also picks one of several filings in a zip.
        document_type: docTypeCode; default 120, 130 if the DEI say that it is a correction
            (quarterly and semi-annual reports likewise).
        amends: docID of the report that this one corrects, as the listing's parentDocID says;
            default: what the DEI say.
        with_facts: whether ``facts`` are read; ``segments`` need them.

    Raises:
        CorruptArchiveError: the zip or a member cannot be read.
        UnsafeArchiveError: zip slip, bomb, links, entity declarations.
        NotAFilingError: no PublicDoc, several filings, or neither DEI nor file names say whose
            and for which period it is.

    ``filing.file`` is the source's name; ``filing.digest`` the SHA-256 of the zip (a folder's:
    of its sorted members). Source: EDINET's form, and measurements on real filings.
    """
    with open_archive(source) as archive:
        try:
            return _read(
                archive,
                document_id=document_id,
                document_type=document_type,
                amends=amends,
                with_facts=with_facts,
            )
        except UnsafeArchiveError as error:
            error.file = error.file or archive.name
            raise


def _read(
    archive: Archive,
    *,
    document_id: str | None,
    document_type: str | None,
    amends: str | None,
    with_facts: bool,
) -> ReadFiling:
    files = find_files(archive, document_id)
    gatherer = Gatherer(archive, files, with_facts=with_facts)
    gatherer.pages()
    for table in files.tables:
        gatherer.table(table)
    gathered = gatherer.out
    _from_instance(gatherer, files)
    dei = make_dei(gathered.dei)
    identity = _identify(
        archive,
        files,
        dei,
        document_id=document_id,
        document_type=document_type,
        amends=amends,
        warnings=gathered.warnings,
    )
    if files.tables:
        gathered.contexts |= contexts_by_name((fact.context for fact in gathered.numeric), dei)
    gatherer.read_labels()
    sections = section_rows(gathered, identity, fund=dei.fund_code is not None)
    segments = _segments(gatherer, identity, sections)
    facts = make_facts(
        gathered.numeric,
        contexts=gathered.contexts,
        units=gathered.units,
        names=Names(gathered.labels, gathered.captions),
        key=identity.key,
        consolidated=dei.consolidated,
        has_contexts=not files.tables,
        warnings=gathered.warnings,
    )
    if with_facts:
        numeric = {local_name(fact.element) for fact in facts}
        texts = {name: text for name, text in dei.raw.items() if name not in numeric}
        facts = [*dei_facts(texts, identity.key), *facts]
    warnings = list(dict.fromkeys(gathered.warnings))
    filing = Filing(
        **identity.key,
        document_type=identity.document_type,
        amends=identity.amends,
        filer_name=dei.filer_name or identity.edinet_code,
        filer_name_english=dei.filer_name_english,
        securities_code=dei.security_code,
        accounting_standard=dei.accounting_standard,
        consolidated=dei.consolidated,
        period_start=dei.fiscal_year_start,
        period_end=identity.period_end,
        submission=dei.submission,
        amendment=dei.amendment,
        segments=segments,
        file=archive.name,
        digest=archive.digest,
        warnings=warnings,
    )
    own_type = _own_type(files, dei)
    return ReadFiling(dei, filing, sections, facts, segments, warnings, own_type)


def _from_instance(gatherer: Gatherer, files: FilingFiles) -> None:
    """Look into the instance for what no page holds; a fallback, so it is warned of."""
    if not files.instances:
        return
    gathered, instance = gatherer.out, files.instances[0]
    whole = files.lost_pages or not files.pages
    missing: set[SectionName] = set(SECTIONS) - gathered.sections()
    if missing and gathered.dei and not whole:
        content = gatherer.archive.read(instance)
        missing = {
            block.section
            for name, block in BLOCKS.items()
            if block.section in missing and name.encode() in content
        }
    if not missing and gathered.dei and not whole:
        return
    had_dei, facts = bool(gathered.dei), len(gathered.numeric)
    gatherer.instance(instance, sections=missing, facts=whole)
    if whole:  # a filing of the old IFRS layout has a second instance, its statements
        for other in files.instances[1:]:
            gatherer.instance(other, sections=set(), facts=True)
    if files.pages and len(gathered.numeric) > facts:
        gathered.warnings.append(
            "facts of the missing pages are read from the .xbrl instance as well"
        )
    taken = sorted(missing & gathered.sections())
    if taken or not had_dei:
        what = ", ".join(taken) or "DEI"
        gathered.warnings.append(f"read from the .xbrl instance, not from inline pages: {what}")


def _identify(
    archive: Archive,
    files: FilingFiles,
    dei: Dei,
    *,
    document_id: str | None,
    document_type: str | None,
    amends: str | None,
    warnings: list[str],
) -> Identity:
    name = _report_name(files)
    edinet_code, period_end = dei.edinet_code, dei.fiscal_year_end or dei.period_end
    if (edinet_code is None or period_end is None) and name is not None:
        warnings.append("DEI are missing; filer and period are taken from the file names")
        edinet_code = edinet_code or name["filer"]
        period_end = period_end or name["period_end"]
    if edinet_code is None or period_end is None:
        raise NotAFilingError(
            "Neither DEI nor file names say whose filing it is and for which period",
            file=archive.name,
            place="0000000_header",
            remedy="Give a complete type=1 zip from EDINET",
        )
    if document_id is None and files.document_id is None:
        warnings.append("the name holds no docID; the document_id is made from name and digest")
    chosen = (
        document_id or files.document_id or document_key(Path(archive.name).stem, archive.digest)
    )
    if not _CODE.fullmatch(edinet_code):
        raise NotAFilingError(
            f"{edinet_code[:40]!r} is not an EDINET code",
            file=archive.name,
            place="EDINETCodeDEI",
            remedy="Give a complete type=1 zip from EDINET",
        )
    return Identity(
        edinet_code=edinet_code,
        fiscal_year=period_end[:7],
        period_end=dei.period_end or period_end,
        document_id=check_key(chosen, "document_id"),
        document_type=document_type or _own_type(files, dei),
        amends=amends or dei.amends,
    )


def _report_name(files: FilingFiles) -> re.Match[str] | None:
    names = (REPORT_NAME.search(n) for n in (*files.pages, *files.instances, *files.tables))
    return next((match for match in names if match), None)


def _own_type(files: FilingFiles, dei: Dei) -> str:
    name = _report_name(files)
    by_period = _TYPES_BY_PERIOD.get(dei.period_type or "", _ANNUAL)
    types = _DOCUMENT_TYPES.get(name["document"], by_period) if name else by_period
    return types[int(dei.amendment)]


def _segments(gatherer: Gatherer, identity: Identity, sections: list[FilingSection]) -> list[str]:
    gathered = gatherer.out
    used = Counter(fact.context for fact in gathered.numeric)  # keeps first-use order
    members = segment_members(used, gathered.contexts, identity.period_end)
    if any(member not in gathered.labels for member in members):
        rows = gatherer.names_in_rows()
        gathered.labels = rows | gathered.labels
        gathered.warnings.append("segment names are taken from table rows: labels are missing")
    names = [gathered.labels[member] for member in members if member in gathered.labels]
    if not names and gatherer.with_facts:
        names = gatherer.names_in_notes() or next(
            filter(None, (names_in_note(s.text) for s in sections)), []
        )
    return [name for name in dict.fromkeys(names) if name != "その他"]
