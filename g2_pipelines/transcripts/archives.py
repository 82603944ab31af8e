"""A zip of transcripts into its members.

Here: which members are transcripts, and the limits that keep a hostile zip harmless: nothing
is written to disk, names never leave the archive, sizes are counted while unpacking. A docx
is no such archive, and a filing's zip is the affair of ``edinet``. ``defs`` may import this
module.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from g2_pipelines.transcripts.errors import (
    EmptyTranscriptError,
    TranscriptTooLargeError,
    UnreadableTranscriptError,
    UnsupportedTranscriptError,
)
from g2_pipelines.zips import entries_at_most

MAX_MEMBERS = 2_000
#: Members, folders and macOS's own entries.
MAX_ENTRIES = 10_000
MAX_MEMBER_BYTES = 64_000_000
MAX_TOTAL_BYTES = 512_000_000
#: Unpacked to packed size; text packs to a tenth, a bomb to a thousandth.
MAX_RATIO = 200
FREE_BYTES = 1_000_000
_TEXT = (".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".srt", ".vtt", ".json")
SUFFIXES = frozenset([*_TEXT, ".docx", ".pdf"])
_FILING = re.compile(r"(?:^|/)(?:XBRL|PublicDoc|AuditDoc|AttachDoc)/|\.(?:xbrl|xsd)$")
_ARCHIVES = frozenset([".zip", ".7z", ".gz", ".tar", ".tgz", ".rar", ".xz", ".bz2"])
_UTF8_NAMES = 0x800
_ENCRYPTED = 0x1


class Member(NamedTuple):
    """A transcript of an archive: its path inside and its bytes."""

    name: str
    content: bytes


def holds_transcripts(content: bytes) -> bool:
    """Whether a zip is one of transcripts: files of their kinds, no docx, no filing.

    One with more than MAX_ENTRIES entries is none: a filing's reader, too, refuses it by name.
    """
    if entries_at_most(io.BytesIO(content)) > MAX_ENTRIES:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = [_name_of(info) for info in archive.infolist()[: MAX_MEMBERS + 1]]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return False
    if any(n == "word/document.xml" or _FILING.search(n) for n in names):
        return False
    return any(PurePosixPath(name).suffix.lower() in SUFFIXES for name in names)


def unpack(content: bytes, name: str) -> Iterator[Member]:
    """The transcripts of a zip, in order of their names, a manifest.csv among them.

    Folders, hidden files and macOS's own entries are left out. Each member is read when it is
    asked for.

    Raises:
        UnreadableTranscriptError: Not a zip, damaged, or locked.
        UnsupportedTranscriptError: A member whose path leaves the archive, a link, an archive
            in the archive, or a file of a kind that no reader takes.
        TranscriptTooLargeError: More than 2,000 members (10,000 entries with folders and hidden
            ones), 64 MB in one, 512 MB in all, or packed more than 200 times.
        EmptyTranscriptError: No member at all.
    """
    if (count := entries_at_most(io.BytesIO(content))) > MAX_ENTRIES:
        raise TranscriptTooLargeError(
            f"The zip has {count:,} entries, more than {MAX_ENTRIES:,}",
            file=name,
            remedy="Split it",
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [(_name_of(i), i) for i in archive.infolist() if not i.is_dir()]
            members = [(n, i) for n, i in members if not _hidden(n)]
            if len(members) > MAX_MEMBERS:
                raise TranscriptTooLargeError(
                    f"The zip has more than {MAX_MEMBERS:,} files", file=name, remedy="Split it"
                )
            if not members:
                raise EmptyTranscriptError(
                    "The zip holds no file", file=name, remedy="Put transcripts into it"
                )
            for member, info in members:
                _check(member, info, name)
            total = 0
            for member, info in sorted(members, key=lambda pair: pair[0]):
                read = _read(archive, info, member, name)
                total += len(read)
                if total > MAX_TOTAL_BYTES:
                    raise TranscriptTooLargeError(
                        f"The zip unpacks to more than {MAX_TOTAL_BYTES:,} bytes",
                        file=name,
                        remedy="Split it",
                    )
                yield Member(member, read)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError) as error:
        raise UnreadableTranscriptError(
            "The zip is damaged", file=name, remedy="Make it again, or give its files one by one"
        ) from error


def _name_of(info: zipfile.ZipInfo) -> str:
    """The member's path; Windows writes Japanese names in cp932 without saying so."""
    if info.flag_bits & _UTF8_NAMES:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("cp932")
    except UnicodeError:
        return info.filename


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part == "__MACOSX" or (part.startswith(".") and part != "..") for part in parts)


def _check(member: str, info: zipfile.ZipInfo, name: str) -> None:
    path = PurePosixPath(member.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[0] or "\0" in member:
        raise UnsupportedTranscriptError(
            "The zip holds a path that leaves it", file=name, place=member, remedy="Make it anew"
        )
    if stat.S_ISLNK(info.external_attr >> 16):
        raise UnsupportedTranscriptError(
            "The zip holds a link", file=name, place=member, remedy="Put the file itself into it"
        )
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableTranscriptError(
            "The zip is locked", file=name, place=member, remedy="Make it without a password"
        )
    suffix = path.suffix.lower()
    if suffix in _ARCHIVES:
        raise UnsupportedTranscriptError(
            "The zip holds another archive", file=name, place=member, remedy="Unpack that one"
        )
    if suffix not in SUFFIXES and path.name != "manifest.csv":
        raise UnsupportedTranscriptError(
            f"The zip holds a file that is no transcript ({suffix or 'no ending'})",
            file=name,
            place=member,
            remedy="Leave it out",
        )


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, member: str, name: str) -> bytes:
    """The member's bytes, counted while unpacking: its header may lie about the size."""
    most = min(MAX_MEMBER_BYTES, max(FREE_BYTES, info.compress_size * MAX_RATIO))
    with archive.open(info) as stream:
        read = stream.read(most + 1)
    if len(read) > most:
        raise TranscriptTooLargeError(
            f"A file of the zip unpacks to more than {most:,} bytes",
            file=name,
            place=member,
            remedy="Give it by itself",
        )
    return read
