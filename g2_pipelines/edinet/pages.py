"""Which files of an archive are the filing: both layouts, manifest first.

Here: the PublicDoc folder, its inline pages in order, its instances and label linkbases.
Not here: their contents. Used by ``filing``.

Pages come from ``manifest_PublicDoc.xml`` (EDINET's own order); without a
usable one all ``*_ixbrl.htm`` of PublicDoc count. AuditDoc is never read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from lxml import etree

from g2_pipelines.edinet.archive import Archive
from g2_pipelines.edinet.errors import NotAFilingError
from g2_pipelines.edinet.xml import parse_xml

#: A docID: S and seven characters (FSA's API specification: eight characters).
DOCUMENT_ID = re.compile(r"(?<![A-Z0-9])S\d{3}[0-9A-Z]{4}(?![A-Z0-9])")
#: File name of an EDINET report: form, document, filer, period end, submission, filing date.
REPORT_NAME = re.compile(
    r"(?P<form>[a-z0-9]+)-(?P<document>[a-z0-9]+)-\d{3}_(?P<filer>[A-Z]\d{5})-\d{3}_"
    r"(?P<period_end>\d{4}-\d{2}-\d{2})_(?P<submission>\d{2})_(?P<filed>\d{4}-\d{2}-\d{2})"
)
_LOST = "which is not in PublicDoc"
_REMEDY = "Give a type=1 zip from EDINET's API, a zip from its search page, or such a folder"


@dataclass(frozen=True)
class FilingFiles:
    """Members of one filing; ``document_id`` only if the archive itself tells it."""

    document_id: str | None
    pages: tuple[str, ...]
    instances: tuple[str, ...]
    labels: tuple[str, ...]
    warnings: tuple[str, ...]
    tables: tuple[str, ...] = ()  # type=5 CSV files of the report, only where nothing better is
    lost_pages: bool = False  # the manifest names pages that are not there


def find_files(archive: Archive, document_id: str | None = None) -> FilingFiles:
    """The files of the one filing in ``archive``; ``document_id`` picks one of several.

    Raises:
        NotAFilingError: there is no PublicDoc with pages or instance, or several filings and
            no ``document_id`` to choose by.
    """
    tables = _csv_files(archive)
    if tables:
        warning = "read from type=5 CSV: values end at 30,000 characters, table cells are glued"
        return FilingFiles(_id_in(archive.name), (), (), (), (warning,), tables)
    folder, found_id = _public_folder(archive, document_id)
    members = [n for n in archive.names if n.startswith(folder) and "/" not in n[len(folder) :]]
    warnings: list[str] = []
    pages = _pages_by_manifest(archive, folder, members, warnings)
    all_pages = [n for n in members if n.endswith("_ixbrl.htm")]
    if not pages:
        pages = all_pages
    instances = [n for n in members if n.endswith(".xbrl")]
    # The filer's report first: an IFRS filing of the old layout has two instances.
    instances.sort(key=lambda n: (not PurePosixPath(n).name.startswith("jpcrp"), n))
    if not pages and not instances:
        raise NotAFilingError(
            "There are no inline XBRL pages and no instance in PublicDoc",
            file=archive.name,
            remedy=_REMEDY,
        )
    if pages and not instances:
        warnings.append("the .xbrl instance is missing; read from the inline pages")
    labels = [n for n in members if n.endswith("_lab.xml")]
    return FilingFiles(
        found_id,
        tuple(pages),
        tuple(instances),
        tuple(labels),
        tuple(warnings),
        lost_pages=any(_LOST in warning for warning in warnings),
    )


def _csv_files(archive: Archive) -> tuple[str, ...]:
    """CSV files of a type=5 zip, the auditor's (``jpaud``) left out; none in other archives."""
    if any("PublicDoc" in name.split("/") for name in archive.names):
        return ()
    named = [n for n in archive.names if n.endswith(".csv") and REPORT_NAME.search(n)]
    return tuple(n for n in named if not PurePosixPath(n).name.startswith("jpaud"))


def _public_folder(archive: Archive, document_id: str | None) -> tuple[str, str | None]:
    folders: dict[str, None] = {}
    for name in archive.names:
        parts = name.split("/")
        if "PublicDoc" in parts[:-1]:
            depth = parts.index("PublicDoc") + 1
            folders["/".join(parts[:depth]) + "/"] = None
    if not folders:
        if any("/" not in n and n.endswith(("_ixbrl.htm", ".xbrl")) for n in archive.names):
            return "", _id_in(archive.name)
        raise NotAFilingError("There is no PublicDoc folder", file=archive.name, remedy=_REMEDY)
    by_id = {folder: _id_in(folder) for folder in folders}
    if len(folders) > 1 and document_id is not None:
        by_id = {f: i for f, i in by_id.items() if i == document_id} or by_id
    if len(by_id) > 1:
        ids = ", ".join(sorted(i or f for f, i in by_id.items()))
        raise NotAFilingError(
            f"There are {len(by_id)} filings in it ({ids[:200]})",
            file=archive.name,
            remedy="Name one by its document_id, or give them one by one",
        )
    folder, found = next(iter(by_id.items()))
    return folder, found or _id_in(archive.name)


def _id_in(text: str) -> str | None:
    match = DOCUMENT_ID.search(text)
    return match.group(0) if match else None


def _pages_by_manifest(
    archive: Archive, folder: str, members: list[str], warnings: list[str]
) -> list[str]:
    manifest = f"{folder}manifest_PublicDoc.xml"
    if manifest not in members:
        warnings.append("manifest_PublicDoc.xml is missing; all inline pages are read")
        return []
    try:
        root = parse_xml(
            archive.read(manifest), file=archive.name, place=manifest, warnings=warnings
        )
    except etree.XMLSyntaxError:
        warnings.append("manifest_PublicDoc.xml cannot be read; all inline pages are read")
        return []
    pages: dict[str, None] = {}
    known = set(members)
    for item in root.iter("{*}ixbrl"):
        href = (item.text or "").strip()
        # Only plain names: an absolute or .. href must not lead to another member.
        if f"{folder}{href}" in known:
            pages[f"{folder}{href}"] = None
        else:
            warnings.append(f"the manifest names {href[:120]!r}, {_LOST}")
    if not pages:
        warnings.append("the manifest names no page that is there; all inline pages are read")
    return list(pages)
