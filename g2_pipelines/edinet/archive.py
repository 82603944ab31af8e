"""Safe reading of a filing's files from a zip, a folder or one instance document.

Here: what members there are, their bytes, and the digest of the whole. Not here: which of
them is a page and what it means (``pages``). Used by ``filing`` and by whoever stores zips.

Nothing is ever unpacked to disk, so a hostile name cannot escape; it is refused anyway,
because a filing that holds one was not made by EDINET.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self
from zipfile import BadZipFile, ZipFile, ZipInfo

from g2_pipelines.edinet.errors import CorruptArchiveError, NotAFilingError, UnsafeArchiveError
from g2_pipelines.keys import digest_of
from g2_pipelines.zips import entries_at_most

#: Real filings hold ≤ 130 members, ≤ 30 MB, and their text compresses ≤ 40 times (measured
#: on ten); the limits leave more than ten times that.
MAX_MEMBERS = 5_000
MAX_TOTAL_BYTES = 400_000_000
MAX_MEMBER_BYTES = 64_000_000
MAX_RATIO = 400
#: A small member may compress better than MAX_RATIO without being a bomb.
RATIO_FREE_BYTES = 1_000_000

#: All that ``zipfile`` raises on damaged, encrypted or lying archives (found by fuzzing).
_DAMAGE = (BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError,
           OverflowError)  # fmt: skip
_REMEDY = "Download the document again from EDINET (type 1)"
_DRIVE = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True)
class Archive:
    """Members of a filing by their path with ``/``; ``read`` gives one member's bytes.

    ``digest`` is the SHA-256 of the zip or file; for a folder, of its sorted members' names
    and digests. It is computed on first use: reading sections alone does not need it.
    """

    name: str
    sizes: dict[str, int]
    _read: Callable[[str], bytes] = field(repr=False)
    _digest: Callable[[], str] = field(repr=False)
    _close: Callable[[], None] = field(repr=False)

    @property
    def names(self) -> list[str]:
        """Sorted paths of all members; nested archives are listed but never opened."""
        return sorted(self.sizes)

    @property
    def digest(self) -> str:
        """SHA-256 in hex of the original."""
        return self._digest()

    def read(self, name: str) -> bytes:
        """Bytes of a member.

        Raises:
            CorruptArchiveError: the member cannot be decompressed or fails its checksum.
            UnsafeArchiveError: it is larger than MAX_MEMBER_BYTES.
            KeyError: there is no such member.
        """
        if self.sizes[name] > MAX_MEMBER_BYTES:
            raise UnsafeArchiveError(
                f"A member of {self.sizes[name]} bytes is over the limit of {MAX_MEMBER_BYTES}",
                file=self.name,
                place=name,
                remedy=_REMEDY,
            )
        return self._read(name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._close()


def open_archive(source: Path | bytes, name: str = "") -> Archive:
    """Open a zip (path or bytes), a folder, or a single ``.xbrl`` / ``_ixbrl.htm`` file.

    ``name`` is how errors call it (default: the path's name).

    Raises:
        CorruptArchiveError: not a zip, damaged, or encrypted.
        UnsafeArchiveError: absolute or ``..`` paths, links, duplicate names, more than
            MAX_MEMBERS members, MAX_TOTAL_BYTES, or a compression ratio over MAX_RATIO.
        NotAFilingError: the path does not exist.
    """
    if isinstance(source, bytes):
        return _open_zip(source, io.BytesIO(source), name or "zip", lambda: source)
    name = name or source.name
    if source.is_dir():
        return _open_folder(source, name)
    if not source.is_file():
        raise NotAFilingError("There is no such file or folder", file=name, remedy="Check the path")
    if source.suffix.lower() in {".xbrl", ".htm", ".html"}:
        return _open_single(source, name)
    return _open_zip(source, source, name, source.read_bytes)


def _open_zip(
    source: Path | bytes, handle: Path | io.BytesIO, name: str, content: Callable[[], bytes]
) -> Archive:
    try:
        _check_entries(handle, name)
        zip_file = ZipFile(handle)
    except _DAMAGE as error:
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        raise CorruptArchiveError(
            f"This is not a readable zip ({size} bytes)", file=name, remedy=_REMEDY
        ) from error
    try:
        sizes = _checked_sizes(zip_file.infolist(), name)
    except UnsafeArchiveError:
        zip_file.close()
        raise

    def read(member: str) -> bytes:
        try:
            return zip_file.read(member)
        except _DAMAGE as e:
            raise CorruptArchiveError(
                "A member of the zip cannot be read (damaged or encrypted)",
                file=name,
                place=member,
                remedy=_REMEDY,
            ) from e

    return Archive(name, sizes, read, lambda: digest_of(content()), zip_file.close)


def _check_entries(handle: Path | io.BytesIO, name: str) -> None:
    """Counts the entries before ``ZipFile`` reads them all, folders included."""
    if isinstance(handle, Path):
        with handle.open("rb") as file:
            count = entries_at_most(file)
    else:
        count = entries_at_most(handle)
    if count > MAX_MEMBERS:
        raise _unsafe(name, "", f"{count} members are over the limit of {MAX_MEMBERS}")


def _checked_sizes(infos: list[ZipInfo], name: str) -> dict[str, int]:
    sizes: dict[str, int] = {}
    total = 0
    for info in infos:
        _check_name(info.orig_filename, name)
        if info.is_dir():
            continue
        if stat.S_ISLNK(info.external_attr >> 16):
            raise _unsafe(name, info.filename, "The zip holds a symbolic link")
        if info.filename in sizes:
            raise _unsafe(name, info.filename, "The zip holds the same name twice")
        ratio = info.file_size / max(1, info.compress_size)
        if info.file_size > RATIO_FREE_BYTES and ratio > MAX_RATIO:
            raise _unsafe(name, info.filename, f"A member is compressed {ratio:.0f} times")
        total += info.file_size
        sizes[info.filename] = info.file_size
    if total > MAX_TOTAL_BYTES:
        raise _unsafe(name, "", f"{total} bytes unpacked are over the limit of {MAX_TOTAL_BYTES}")
    return sizes


def _check_name(member: str, name: str) -> None:
    parts = member.replace("\\", "/").split("/")
    if member.startswith(("/", "\\")) or _DRIVE.match(member) or ".." in parts or "\0" in member:
        raise _unsafe(name, member[:200], "A member's path leads out of the archive")


def _unsafe(name: str, place: str, message: str) -> UnsafeArchiveError:
    return UnsafeArchiveError(message, file=name, place=place, remedy=_REMEDY)


def _open_folder(folder: Path, name: str) -> Archive:
    sizes: dict[str, int] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        sizes[path.relative_to(folder).as_posix()] = path.stat().st_size
        if len(sizes) > MAX_MEMBERS or sum(sizes.values()) > MAX_TOTAL_BYTES:
            raise _unsafe(name, "", "The folder holds more files or bytes than any filing")

    def read(member: str) -> bytes:
        try:
            return (folder / member).read_bytes()
        except OSError as error:
            raise CorruptArchiveError(
                "A file of the folder cannot be read", file=name, place=member, remedy=_REMEDY
            ) from error

    def digest() -> str:
        whole = sha256()
        for member in sorted(sizes):
            whole.update(f"{member}\0{digest_of(read(member))}\n".encode())
        return whole.hexdigest()

    return Archive(name, sizes, read, digest, lambda: None)


def _open_single(path: Path, name: str) -> Archive:
    def read(member: str) -> bytes:
        del member
        return path.read_bytes()

    return Archive(
        name,
        {path.name: path.stat().st_size},
        read,
        lambda: digest_of(path.read_bytes()),
        lambda: None,
    )
