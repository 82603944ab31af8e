"""A manifest.csv: for each file, what its name cannot say.

Here: its lines and how they are read. What is made of a file stands in ``register``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal
from urllib.parse import urlsplit

from pydantic import ValidationError, field_validator
from pydantic_core import PydanticCustomError

from g2_pipelines.defs.lists import read_list
from g2_pipelines.errors import InputError
from g2_pipelines.tables.line1 import DocumentKind, TranscriptKind
from g2_pipelines.tables.rows import Row

FileType = Literal["pdf", "transcript", "filing", "text"]
MAX_URL = 4_000


class ManifestRow(Row):
    """A line of a manifest: what a file's name cannot say."""

    file: str
    type: FileType | None = None
    text_type: str | None = None  # of type text: the source type that reads it
    edinet_code: str | None = None
    fiscal_year: str | None = None
    document_id: str | None = None
    kind: TranscriptKind = "full_year"
    document_kind: DocumentKind | None = None
    url: str | None = None

    @field_validator("url")
    @classmethod
    def _plain(cls, url: str | None) -> str | None:
        """It is kept in the registry and in tables, so it holds no password and starts no script."""
        if url is None:
            return None
        try:
            parts = urlsplit(url)
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") or len(url) > MAX_URL:
            raise PydanticCustomError("url", "Give an http or https address")
        if "@" in parts.netloc:
            raise PydanticCustomError("url", "The address holds a name or password")
        return url


class ManifestError(InputError):
    """A manifest is not what it should be."""

    code = "bad_manifest"


def read_manifest(content: bytes, name: str) -> dict[str, ManifestRow]:
    """A manifest.csv by file name.

    Raises:
        ManifestError: wrong encoding, column or value, a file that two lines describe
            differently, a document id of two files; names the line.
    """
    columns = tuple(ManifestRow.model_fields)
    remedy = "Its columns are " + ", ".join(columns)
    rows: dict[str, ManifestRow] = {}
    ids: dict[str, str] = {}
    for line, values in read_list(
        content,
        name,
        title="The manifest",
        columns=columns,
        needed=("file",),
        wrong=ManifestError,
    ):
        place = f"line {line}"
        try:
            row = ManifestRow.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            raise ManifestError(
                f"{field}: {first['msg']}", file=name, place=place, remedy=remedy
            ) from error
        if rows.setdefault(row.file, row) != row:
            raise ManifestError(
                f"An earlier line says something else of {row.file!r}",
                file=name,
                place=place,
                remedy="Keep one line a file",
            )
        if row.document_id and ids.setdefault(row.document_id, row.file) != row.file:
            raise ManifestError(
                f"{ids[row.document_id]!r} has the document id {row.document_id!r} already",
                file=name,
                place=place,
                remedy="Give each document its own id",
            )
    return rows


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
