"""Taking a file in: what it is, whose it is, its copy and its registry entry.

Here: the one path that both ``g2 add`` and the inbox sensors go. The registry's form stands
in ``registry``; what is made of the file stands in ``assets``. Nothing here knows Dagster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from pydantic import ConfigDict

from g2_pipelines.defs.manifest import FileType, ManifestRow, read_manifest
from g2_pipelines.defs.register_text import register_text
from g2_pipelines.defs.registry import FilingEntry, PdfEntry, TranscriptEntry
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError, StateError
from g2_pipelines.keys import check_fiscal_year, check_key, digest_of, document_key, well_formed
from g2_pipelines.tables.rows import Row

MAX_FILE_BYTES = 400 * 1024 * 1024
_DOC_ID = re.compile(r"^(S[0-9A-Z]{7})(?![0-9A-Za-z])")
_ANNUAL_REPORT, _CORRECTION = "120", "130"


class Registered(Row):
    """What became of a file: its type, the partition concerned, and whether it is news.

    ``fault`` is what keeps a registered file from being read; its partition will fail with it.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    file: str
    type: FileType
    partitions: Literal["companies", "documents"]
    key: str
    document_id: str
    news: bool
    fault: InputError | None = None


class UnassignedFileError(InputError):
    """A file does not say to which company or year it belongs."""

    code = "unassigned_file"


class WrongOwnerError(InputError):
    """A file names another company than it was registered for."""

    code = "wrong_company"


def file_type(content: bytes, name: str) -> FileType:
    """What a file is, by its first bytes and else its name.

    A zip is a filing, unless it is a docx or holds nothing but transcripts.
    """
    if content.startswith(b"PK\x03\x04"):
        from g2_pipelines.transcripts.archives import holds_transcripts

        docx = name.lower().endswith(".docx")
        return "transcript" if docx or holds_transcripts(content) else "filing"
    if b"%PDF-" in content[:1024] or name.lower().endswith(".pdf"):
        return "pdf"
    return "filing" if name.lower().endswith(".zip") else "transcript"


def members(content: bytes, row: ManifestRow) -> Iterator[tuple[bytes, ManifestRow]]:
    """A zip of transcripts as its files, each with its line of the zip's own manifest; else itself.

    What ``row`` says holds for all files, unless the zip's manifest.csv says it better.

    Raises:
        InputError, LimitError: the zip or its manifest is not what it should be.
    """
    from g2_pipelines.transcripts.archives import holds_transcripts, unpack

    kind = row.type or file_type(content, row.file)
    if kind != "transcript" or not content.startswith(b"PK\x03\x04"):
        yield content, row
        return
    if not holds_transcripts(content):
        yield content, row  # a docx, or what its reader will name
        return
    manifest: dict[str, ManifestRow] = {}
    found = list(unpack(content, row.file))
    for member in found:
        if member.name.rsplit("/", 1)[-1] == "manifest.csv":
            manifest = read_manifest(member.content, f"{row.file}: {member.name}")
    for member in found:
        name = member.name.rsplit("/", 1)[-1]
        if name == "manifest.csv":
            continue
        own = manifest.get(member.name) or manifest.get(name) or ManifestRow(file=name)
        said = {**row.model_dump(exclude_unset=True), **own.model_dump(exclude_unset=True)}
        said |= {"file": name, "type": "transcript", "document_id": None}
        yield member.content, ManifestRow.model_validate(said)


def register(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    """Take in one file as ``row`` says; the file itself is only read far enough to name it.

    Raises:
        InputError: too large, or it does not say whose it is (a filing or transcript that
            cannot be read is registered when its company is given, and then fails where it is
            read, until a good file of the same name takes its place). Names the file.
    """
    row = row.model_copy(update={"file": well_formed(row.file)})
    try:
        return _register(ws, content, row)
    except InputError as error:
        error.file = error.file or row.file
        raise


def _register(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"The file has {len(content):,} bytes, more than {MAX_FILE_BYTES:,}",
            file=row.file,
            remedy="Split it",
        )
    match row.type or file_type(content, row.file):
        case "pdf":
            return _register_pdf(ws, content, row)
        case "transcript":
            return _register_transcript(ws, content, row)
        case "text":
            return _register_text(ws, content, row)
        case "filing":
            return _register_filing(ws, content, row)


def _register_pdf(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    document_id = check_key(
        row.document_id or document_key(_stem(row.file), digest_of(content)), "document id"
    )
    company = check_key(row.edinet_code, "EDINET code") if row.edinet_code else None
    kept = ws.registry.keep(content, "pdfs", row.file)
    entry = PdfEntry(**kept.model_dump(), document_id=document_id, edinet_code=company, url=row.url)
    news = ws.registry.add_pdf(entry)
    return Registered(
        file=row.file,
        type="pdf",
        partitions="documents",
        key=document_id,
        document_id=document_id,
        news=news,
    )


def _register_text(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    entry, news = register_text(
        ws,
        content,
        row.file,
        text_type=row.text_type or "",
        company=row.edinet_code,
        fiscal_year=row.fiscal_year,
        url=row.url,
    )
    return Registered(
        file=row.file,
        type="text",
        partitions="companies",
        key=entry.edinet_code,
        document_id=document_key(_stem(row.file), entry.digest),
        news=news,
        fault=_reading_fault(content, row.file),
    )


def _register_transcript(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    if not row.edinet_code or not row.fiscal_year:
        raise UnassignedFileError(
            "A transcript does not say its company and fiscal year",
            file=row.file,
            remedy="Give --company and --fiscal-year, or a manifest",
        )
    company = check_key(row.edinet_code, "EDINET code")
    year = check_fiscal_year(row.fiscal_year)
    kept = ws.registry.keep(content, "transcripts", row.file)
    entry = TranscriptEntry(
        **kept.model_dump(),
        edinet_code=company,
        fiscal_year=year,
        kind=row.kind,
        document_kind=row.document_kind,
        url=row.url,
    )
    news = ws.registry.add_transcript(entry)
    fault = _reading_fault(content, row.file)
    if fault is None:
        _drop_unreadable_twins(ws, entry)
    return Registered(
        file=row.file,
        type="transcript",
        partitions="companies",
        key=entry.edinet_code,
        document_id=document_key(_stem(row.file), kept.digest),
        news=news,
        fault=fault,
    )


def _drop_unreadable_twins(ws: Workspace, entry: TranscriptEntry) -> None:
    """A good transcript takes the place of a bad one of its name, company and year.

    Transcripts are known by their content, so that the bad one would stay beside its mended
    version and fail the company for ever. Readable ones of one name are two transcripts.
    """
    for other in ws.registry.transcripts(entry.edinet_code):
        if (other.name, other.fiscal_year) != (entry.name, entry.fiscal_year):
            continue
        try:
            before = ws.registry.original(other.raw, other.digest)
        except StateError:  # not ours to judge here: its own run says so
            continue
        if _reading_fault(before, other.name):
            ws.registry.drop_transcript(other)


def _reading_fault(content: bytes, name: str) -> InputError | None:
    from g2_pipelines.transcripts.readers import read_text

    try:
        read_text(content, name)
    except InputError as error:
        return error
    return None


def _register_filing(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    from g2_pipelines.edinet.filing import ReadFiling, read_filing

    kept = ws.registry.keep(content, "filings", row.file)
    named = _DOC_ID.match(_stem(row.file))
    document_id = row.document_id or (
        named.group(1) if named else document_key(_stem(row.file), kept.digest)
    )
    read: ReadFiling | None = None
    fault: InputError | None = None
    try:
        with ws.registry.local_copy(kept.digest, kept.raw) as file:
            read = read_filing(file, document_id=document_id, with_facts=False)
    except InputError as error:
        if not row.edinet_code:
            raise
        fault = error
    company = row.edinet_code or (read.filing.edinet_code if read else "")
    if read and company != read.filing.edinet_code:
        raise WrongOwnerError(
            f"The filing is of {read.filing.edinet_code}, not of {company}",
            file=row.file,
            remedy="Leave out the company, or give the right one",
        )
    if read:
        read.require_annual_report()
    amendment = read is not None and read.filing.amendment
    entry = FilingEntry(
        **kept.model_dump(),
        edinet_code=check_key(company, "EDINET code"),
        document_id=check_key(document_id, "document id"),
        document_type=_CORRECTION if amendment else _ANNUAL_REPORT,
        fiscal_year=read.filing.fiscal_year if read else None,
    )
    news = ws.registry.add_filing(entry)
    if read is not None:
        for other in ws.registry.filings(entry.edinet_code):
            if other.fiscal_year is None and other.name == entry.name:
                ws.registry.drop_filing(other)
    return Registered(
        file=row.file,
        type="filing",
        partitions="companies",
        key=entry.edinet_code,
        document_id=document_id,
        news=news,
        fault=fault,
    )


def _stem(name: str) -> str:
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last.lstrip(".") else last
