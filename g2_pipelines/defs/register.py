"""Taking a file in: what it is, whose it is, its copy and its registry entry.

Here: the one path that both ``g2 add`` and the inbox sensors go. The registry's form stands
in ``registry``; what is made of the file stands in ``assets``. Nothing here knows Dagster.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import ValidationError

from g2_pipelines.defs.registry import FilingEntry, PdfEntry, TranscriptEntry
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.keys import check_key, document_key
from g2_pipelines.tables.line1 import DocumentKind, TranscriptKind
from g2_pipelines.tables.rows import Row

FileType = Literal["pdf", "transcript", "filing"]
MAX_FILE_BYTES = 400 * 1024 * 1024
_DOC_ID = re.compile(r"^(S[0-9A-Z]{7})(?![0-9A-Za-z])")
_ANNUAL_REPORT, _CORRECTION = "120", "130"


class ManifestRow(Row):
    """A line of a manifest: what a file's name cannot say."""

    file: str
    type: FileType | None = None
    edinet_code: str | None = None
    fiscal_year: str | None = None
    document_id: str | None = None
    kind: TranscriptKind = "full_year"
    document_kind: DocumentKind = "verbatim"
    url: str | None = None


class Registered(Row):
    """What became of a file: its type, the partition concerned, and whether it is news."""

    file: str
    type: FileType
    partitions: Literal["companies", "documents"]
    key: str
    document_id: str
    news: bool


class ManifestError(InputError):
    """A manifest is not what it should be."""

    code = "bad_manifest"


class UnassignedFileError(InputError):
    """A file does not say to which company or year it belongs."""

    code = "unassigned_file"


class WrongOwnerError(InputError):
    """A file names another company than it was registered for."""

    code = "wrong_company"


def read_manifest(content: bytes, name: str) -> dict[str, ManifestRow]:
    """A manifest.csv by file name.

    Raises:
        ManifestError: wrong encoding, column or value; names the line.
    """
    remedy = "Its columns are " + ", ".join(ManifestRow.model_fields)
    try:
        reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise ManifestError("The manifest is not UTF-8", file=name, remedy=remedy) from error
    unknown = sorted(set(reader.fieldnames or ()) - set(ManifestRow.model_fields))
    if unknown or "file" not in (reader.fieldnames or ()):
        detail = f"unknown {', '.join(unknown)}" if unknown else "no column file"
        raise ManifestError(
            f"The manifest's columns are wrong: {detail}", file=name, place="line 1", remedy=remedy
        )
    rows: dict[str, ManifestRow] = {}
    for line, raw in enumerate(reader, start=2):
        values: Mapping[str, str] = {k: v.strip() for k, v in raw.items() if k and v and v.strip()}
        try:
            row = ManifestRow.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise ManifestError(
                f"{field}: {first['msg']}", file=name, place=f"line {line}", remedy=remedy
            ) from error
        rows[row.file] = row
    return rows


def file_type(content: bytes, name: str) -> FileType:
    """What a file is, by its first bytes and else its name: a zip is a filing."""
    if content.startswith(b"PK\x03\x04"):
        return "transcript" if name.lower().endswith(".docx") else "filing"
    if b"%PDF-" in content[:1024] or name.lower().endswith(".pdf"):
        return "pdf"
    return "filing" if name.lower().endswith(".zip") else "transcript"


def register(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    """Take in one file as ``row`` says; the file itself is only read far enough to name it.

    Raises:
        InputError: too large, or it does not say whose it is (a filing that cannot be read is
            registered when its company is given, and then fails where it is read).
    """
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
        case "filing":
            return _register_filing(ws, content, row)


def _register_pdf(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    kept = ws.registry.keep(content, "pdfs", row.file)
    document_id = row.document_id or document_key(_stem(row.file), kept.digest)
    company = check_key(row.edinet_code, "EDINET code") if row.edinet_code else None
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


def _register_transcript(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    if not row.edinet_code or not row.fiscal_year:
        raise UnassignedFileError(
            "A transcript does not say its company and fiscal year",
            file=row.file,
            remedy="Give --company and --fiscal-year, or a manifest",
        )
    kept = ws.registry.keep(content, "transcripts", row.file)
    entry = TranscriptEntry(
        **kept.model_dump(),
        edinet_code=check_key(row.edinet_code, "EDINET code"),
        fiscal_year=check_key(row.fiscal_year, "fiscal year"),
        kind=row.kind,
        document_kind=row.document_kind,
        url=row.url,
    )
    news = ws.registry.add_transcript(entry)
    return Registered(
        file=row.file,
        type="transcript",
        partitions="companies",
        key=entry.edinet_code,
        document_id=document_key(_stem(row.file), kept.digest),
        news=news,
    )


def _register_filing(ws: Workspace, content: bytes, row: ManifestRow) -> Registered:
    from g2_pipelines.edinet.filing import ReadFiling, read_filing

    kept = ws.registry.keep(content, "filings", row.file)
    named = _DOC_ID.match(_stem(row.file))
    document_id = row.document_id or (
        named.group(1) if named else document_key(_stem(row.file), kept.digest)
    )
    read: ReadFiling | None = None
    try:
        with ws.registry.local_copy(kept.digest, kept.raw) as file:
            read = read_filing(file, document_id=document_id, with_facts=False)
    except InputError:
        if not row.edinet_code:
            raise
    company = row.edinet_code or (read.filing.edinet_code if read else "")
    if read and company != read.filing.edinet_code:
        raise WrongOwnerError(
            f"The filing is of {read.filing.edinet_code}, not of {company}",
            file=row.file,
            remedy="Leave out the company, or give the right one",
        )
    amendment = read is not None and read.filing.amendment
    entry = FilingEntry(
        **kept.model_dump(),
        edinet_code=check_key(company, "EDINET code"),
        document_id=check_key(document_id, "document id"),
        document_type=_CORRECTION if amendment else _ANNUAL_REPORT,
        fiscal_year=read.filing.fiscal_year if read else None,
    )
    news = ws.registry.add_filing(entry)
    return Registered(
        file=row.file,
        type="filing",
        partitions="companies",
        key=entry.edinet_code,
        document_id=document_id,
        news=news,
    )


def _stem(name: str) -> str:
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last.lstrip(".") else last


def manifest_row(
    name: str, manifest: Mapping[str, ManifestRow], folders: Sequence[str] = ()
) -> ManifestRow:
    """What is known of an inbox file: its manifest line, else its folders (company, year)."""
    row = manifest.get("/".join([*folders, name])) or manifest.get(name)
    if row is not None:
        return row
    return ManifestRow(
        file=name,
        edinet_code=folders[0] if folders else None,
        fiscal_year=folders[1] if len(folders) > 1 else None,
    )
