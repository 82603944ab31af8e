"""The inbox's state as pure functions: what is new, what has settled, what is next.

Here: what the inbox sensors remember and the comparison of a folder with it. The sensors
themselves stand in ``sensors``, the notes on refused files in ``rejected``. Files stay where
they are; what was seen is remembered by size and time of change, and taken in by digest.

What was seen lies in a file, and the sensor's cursor only names its generation: Dagster
keeps a copy of the cursor with every tick, and at 10,000 files that would be 2 GB a day. A
tick that is lost before its cursor is kept leaves the older generation in force, so that its
files are taken in again. Nothing here knows Dagster.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError
from upath import UPath

from g2_pipelines.errors import InputError
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.store import write_atomic

#: A file that changed less than this ago may still be written to.
SETTLE_S = 2.0
MANIFEST = "manifest.csv"
_FILE_ENDINGS = {".pdf", ".zip", ".csv", ".json", ".jsonl", ".txt", ".docx", ".html", ".xbrl"}
_HALF = re.compile("[\\ud800-\\udfff]")


class Cursor(BaseModel):
    """What a sensor has seen: signature by path; ``generation`` counts the changes.

    ``waiting`` has the digest of each question that waits for its documents, ``partly`` how
    many questions of a long file were taken in.
    """

    model_config = ConfigDict(frozen=True)

    generation: int = 0
    seen: dict[str, str] = {}
    waiting: dict[str, str] = {}
    partly: dict[str, int] = {}

    @classmethod
    def parse(cls, text: str | None) -> Cursor:
        """What a state file holds; an unreadable one starts anew (taking in is idempotent)."""
        try:
            return cls.model_validate_json(text) if text else cls()
        except ValidationError:
            return cls()

    def after(self, paths: Mapping[str, str]) -> Cursor:
        """The cursor once ``paths`` were dealt with."""
        return self.model_copy(
            update={"generation": self.generation + 1, "seen": {**self.seen, **paths}}
        )

    def without(self, gone: Iterable[str]) -> Cursor:
        """The cursor without files that are not there any more."""
        lost = set(gone)
        return self.model_copy(
            update={"seen": {name: sign for name, sign in self.seen.items() if name not in lost}}
        )


_GENERATION = re.compile(r"(\d{1,18})\.json")


def _states(home: Home, kind: str) -> tuple[UPath, list[int]]:
    folder = home.root / "registry" / "inbox" / kind
    names = [path.name for path in folder.iterdir()] if folder.exists() else []
    return folder, sorted(int(m.group(1)) for n in names if (m := _GENERATION.fullmatch(n)))


def load_cursor(home: Home, kind: str, text: str | None) -> Cursor:
    """What the sensor of ``kind`` has seen when its cursor reads ``text``.

    A cursor that was reset starts anew, but counts on: run keys hold the generation, and
    Dagster drops a repeated one for ever.
    """
    folder, there = _states(home, kind)
    if text and text.isdigit() and int(text) in there:
        return Cursor.parse((folder / f"{int(text)}.json").read_text(encoding="utf-8"))
    return Cursor(generation=max(there, default=0))


def save_cursor(home: Home, kind: str, before: Cursor, after: Cursor) -> str:
    """Keep ``after`` beside ``before``, which stays in force until Dagster keeps the text."""
    folder, there = _states(home, kind)
    write_atomic(folder / f"{after.generation}.json", after.model_dump_json().encode())
    for old in there:
        if old not in {before.generation, after.generation}:
            (folder / f"{old}.json").unlink(missing_ok=True)
    return str(after.generation)


@dataclass(frozen=True)
class InboxFile:
    """A file of the inbox: its path below it, its folders and its signature."""

    path: UPath
    relative: str
    signature: str
    changed_at: float
    size: int = 0
    fault: str = ""  # why it is not to be read at all

    @property
    def folders(self) -> list[str]:
        """Folders between the inbox and the file."""
        return self.relative.split("/")[:-1]


def list_inbox(folder: UPath) -> list[InboxFile]:
    """Files below ``folder`` in order of their path; hidden ones and drafts are left out."""
    if not folder.exists():
        return []
    found: list[InboxFile] = []
    prefix = str(folder).rstrip("/") + "/"
    for path in folder.rglob("*"):
        relative = _in_utf8(str(path).removeprefix(prefix))
        if any(part.startswith(".") for part in relative.split("/")):
            continue
        try:
            if not path.is_file():
                odd = _no_file(path, relative)
                found += [odd] if odd is not None else []
                continue
            stat = path.stat()
        except FileNotFoundError:  # taken away while the folder was read
            continue
        except OSError as error:  # a folder that may not be looked into: said, not passed over
            why = f"The file cannot be looked at: {error.strerror}"
            found.append(InboxFile(path, relative, "unreadable", 0.0, fault=why))
            continue
        changed = float(getattr(stat, "st_mtime", 0.0) or 0.0)
        signature = f"{stat.st_size}:{changed:.6f}"
        fault = link_fault(folder, path)
        found.append(InboxFile(path, relative, signature, changed, stat.st_size, fault))
    return sorted(found, key=lambda file: file.relative)


def _no_file(path: UPath, relative: str) -> InboxFile | None:
    """What is called like a file and is none, to be said by name; None for a plain folder."""
    if not isinstance(path, Path):
        return None
    stat = path.lstat()
    if path.is_dir():
        if path.suffix.lower() not in _FILE_ENDINGS:
            return None
        why = "This is a folder, not a file: its files are taken in, the folder is not"
    elif path.is_symlink():
        why = "The link leads to nothing that can be read as a file"
    else:
        why = "This is no regular file (a pipe, a socket or a device)"
    return InboxFile(path, relative, f"no file:{stat.st_mtime:.6f}", stat.st_mtime, fault=why)


def link_fault(folder: UPath, path: UPath) -> str:
    """Why ``path`` is not to be read, "" if nothing is against it.

    Whoever may put files into the inbox must not have Dagster's user read others of its files
    for them: what was taken in is kept, shown and sent to a model.
    """
    if not (isinstance(path, Path) and path.is_symlink()):
        return ""
    try:
        inside = path.resolve().is_relative_to(Path(str(folder)).resolve())
    except (OSError, RuntimeError):  # a link in a circle
        inside = False
    return "" if inside else "The link leads out of the inbox"


def read_bounded(file: InboxFile, most: int) -> bytes:
    """The file's bytes, of which there are not more than ``most``.

    Raises:
        FileNotFoundError: it was taken away since the folder was read.
        InputError: it is not to be read, cannot be read, or is too large.
    """
    if file.fault:
        raise InputError(file.fault, file=file.relative, remedy="Put the file itself there")
    try:
        with file.path.open("rb") as stream:
            content = bytes(stream.read(most + 1))  # it may grow while it is read
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(
            f"The file cannot be read: {error.strerror or 'no permission'}",
            file=file.relative,
            remedy="Let Dagster's user read it",
        ) from error
    if len(content) > most:
        raise InputError(
            f"The file has more than {most:,} bytes", file=file.relative, remedy="Split it"
        )
    return content


def _in_utf8(name: str) -> str:
    """A path's text; bytes that are no UTF-8 (cp932 from an old zip, say) as ``%83``.

    Digests, JSON and Dagster's storage take no half characters: one such name would fail
    every tick to come.
    """
    return _HALF.sub(lambda match: f"%{ord(match[0]) & 0xFF:02X}", name)


def next_files(
    files: Iterable[InboxFile], cursor: Cursor, limit: int, *, now: float | None = None
) -> tuple[list[InboxFile], bool]:
    """The next ``limit`` files that are new or changed and have settled; whether more wait."""
    at = time.time() if now is None else now
    fresh = [
        file
        for file in files
        if cursor.seen.get(file.relative) != file.signature
        and file.relative.rsplit("/", 1)[-1] != MANIFEST
        and at - file.changed_at >= SETTLE_S
    ]
    return fresh[:limit], len(fresh) > limit
