"""The inbox's state as pure functions: what is new, what has settled, what is next.

Here: the cursor of the inbox sensors and the comparison of a folder with it. The sensors
themselves stand in ``sensors``. Files stay where they are; what was seen is remembered by
size and time of change, and taken in by digest. Nothing here knows Dagster.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError
from upath import UPath

#: A file that changed less than this ago may still be written to.
SETTLE_S = 2.0
MANIFEST = "manifest.csv"


class Cursor(BaseModel):
    """What a sensor has seen: signature by path; ``generation`` counts the changes."""

    model_config = ConfigDict(frozen=True)

    generation: int = 0
    seen: dict[str, str] = {}

    @classmethod
    def parse(cls, text: str | None) -> Cursor:
        """The cursor of the last tick; an unreadable one starts anew (taking in is idempotent)."""
        try:
            return cls.model_validate_json(text) if text else cls()
        except ValidationError:
            return cls()

    def after(self, paths: Mapping[str, str]) -> Cursor:
        """The cursor once ``paths`` were dealt with."""
        return Cursor(generation=self.generation + 1, seen={**self.seen, **paths})


@dataclass(frozen=True)
class InboxFile:
    """A file of the inbox: its path below it, its folders and its signature."""

    path: UPath
    relative: str
    signature: str
    changed_at: float

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
        relative = str(path).removeprefix(prefix)
        if any(part.startswith(".") for part in relative.split("/")) or not path.is_file():
            continue
        stat = path.stat()
        changed = float(getattr(stat, "st_mtime", 0.0) or 0.0)
        found.append(InboxFile(path, relative, f"{stat.st_size}:{changed:.6f}", changed))
    return sorted(found, key=lambda file: file.relative)


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
