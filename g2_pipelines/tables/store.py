"""Atomic writes and verified reads of tables and files. Used by ``defs`` and ``cli`` only.

A table is one Parquet file with its name, schema version, row count and content digest in
the metadata and a checksum on every page. A draft is synced and then renamed, so a reader
sees the old state or the new one, never half of it. Object stores put whole objects.

A column that was added with a default needs no new schema version: in a table written before,
its rows have the default. Every other change of a model does.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError
from upath import UPath

from g2_pipelines.errors import NotYetError, StateError
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.rows import R, Row, dump, from_frame, schema_of
from g2_pipelines.tables.schemas import is_earlier

SCHEMA_VERSION = "1"
_NAME, _VERSION, _DIGEST, _ROWS = b"g2_table", b"g2_schema", b"g2_digest", b"g2_rows"
_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
#: Tables of up to so many bytes are kept once read: the stages of a company's partition read
#: its filings a dozen times, and each reading costs more than a millisecond.
_SMALL_BYTES, _KEPT = 32_768, 16


class MissingTableError(NotYetError):
    """The table of this partition has not been made yet."""

    code = "missing_table"


class DamagedTableError(StateError):
    """A stored table is damaged, truncated or of another schema."""

    code = "damaged_table"


def rows_digest(rows: Sequence[Row]) -> str:
    """SHA-256 over the rows' canonical JSON; equal rows have equal digests everywhere."""
    return _digest([row.model_dump() for row in rows])


def _digest(dumped: Sequence[dict[str, Any]]) -> str:
    lines = "\n".join(map(_CANONICAL.encode, dumped))
    return digest_of(lines.encode("utf-8", "surrogatepass"))


@cache
def _arrow_schema(model: type[Row]) -> pa.Schema:
    return pl.DataFrame(schema=schema_of(model)).to_arrow().schema


def write_atomic(path: UPath, content: bytes) -> None:
    """Put ``content`` at ``path`` whole or not at all; parents are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(path, Path):
        path.write_bytes(content)
        return
    draft_fd, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    try:
        with os.fdopen(draft_fd, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def write_table(path: UPath, rows: Sequence[R], model: type[R]) -> str:
    """Write ``rows`` as the table of ``model`` atomically; returns their content digest."""
    dumped = dump(rows, model)  # once: a filing has some 1,500 facts
    digest = _digest(dumped)
    # Straight to Arrow: the same bytes as through a Polars frame, in a quarter of its time.
    table = pa.Table.from_pylist(dumped, schema=_arrow_schema(model))
    metadata = {
        _NAME: model.__name__.encode(),
        _VERSION: SCHEMA_VERSION.encode(),
        _DIGEST: digest.encode(),
        _ROWS: str(len(rows)).encode(),
    }
    buffer = io.BytesIO()
    pq.write_table(
        table.replace_schema_metadata(metadata),
        buffer,
        compression="zstd",
        write_page_checksum=True,
    )
    write_atomic(path, buffer.getvalue())
    return digest


def read_table(path: UPath, model: type[R]) -> list[R]:
    """The rows at ``path``, verified against ``model``.

    Columns (and fields of nested values) that the table lacks have the model's defaults.

    Raises:
        MissingTableError: nothing is there.
        DamagedTableError: unreadable, truncated, or another table or schema version.
    """
    content = _read(path, model)
    try:
        if len(content) <= _SMALL_BYTES:
            return list(_small(content, model))
        return _rows_of(content, model)
    except _FaultError as fault:
        raise _damaged(path, fault.message) from fault.__cause__


class _FaultError(Exception):
    """Content that is no table of the model; ``read_table`` knows whose it is."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@lru_cache(maxsize=_KEPT)
def _small(content: bytes, model: type[R]) -> tuple[R, ...]:
    """Rows by the bytes themselves: a table written anew is never mistaken for the old one."""
    return tuple(_rows_of(content, model))


def _rows_of(content: bytes, model: type[R]) -> list[R]:
    name = model.__name__
    try:
        # Not pq.read_table: its dataset and threads cost a small table more than its bytes do.
        file = pq.ParquetFile(io.BytesIO(content), page_checksum_verification=True)
        table = file.read(use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise _FaultError(f"{name} cannot be read: {error}") from error
    metadata = table.schema.metadata or {}
    if metadata.get(_NAME) != name.encode():
        raise _FaultError(f"this is not a {name} table")
    if metadata.get(_VERSION) != SCHEMA_VERSION.encode():
        raise _FaultError(f"{name} was written by another version")
    frame = pl.DataFrame(table)
    as_it_should = frame.schema == schema_of(model) or is_earlier(frame.schema, model)
    if not as_it_should or metadata.get(_ROWS) != str(frame.height).encode():
        raise _FaultError(f"{name} has other columns or rows than it should")
    try:
        return from_frame(frame, model)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise _FaultError(
            f"{name} holds a value that it must not: {place}, {first['msg']}"
        ) from error


def table_digest(path: UPath, model: type[Row]) -> str:
    """The content digest recorded in the table at ``path``; same errors as read_table."""
    content = _read(path, model)
    try:
        metadata = pq.read_schema(io.BytesIO(content)).metadata or {}
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, f"{model.__name__} cannot be read: {error}") from error
    if metadata.get(_NAME) != model.__name__.encode() or _DIGEST not in metadata:
        raise _damaged(path, f"this is not a {model.__name__} table")
    return str(metadata[_DIGEST], "ascii")


def _read(path: UPath, model: type[Row]) -> bytes:
    try:
        return bytes(path.read_bytes())
    except FileNotFoundError as error:
        msg = f"{model.__name__} of {path.stem} has not been made yet"
        raise MissingTableError(
            msg, file=path.stem, place=model.__name__, remedy="Materialize it first"
        ) from error


def _damaged(path: UPath, message: str) -> DamagedTableError:
    return DamagedTableError(
        message, file=str(path), remedy="Materialize this partition again; the file is left as is"
    )
