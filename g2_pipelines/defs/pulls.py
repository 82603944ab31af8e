"""Files that a manifest names by their address: fetched once, asked for again by ETag.

Here: what a site said of each file, kept below ``registry/pulls``, and the copy that is used
where nothing has changed. The request itself stands in ``transcripts.pull``. Nothing here
knows Dagster.
"""

from __future__ import annotations

from typing import NamedTuple

from pydantic import ValidationError
from upath import UPath

from g2_pipelines.defs.registry import Original
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import StateError
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.rows import Row
from g2_pipelines.tables.store import write_atomic
from g2_pipelines.transcripts.pull import Puller, Validators


class PullRecord(Row):
    """What is kept of the last good answer."""

    url: str
    etag: str | None
    last_modified: str | None
    original: Original


class Fetched(NamedTuple):
    """A file's bytes; ``before`` is the digest of the version that they take the place of."""

    content: bytes
    before: str | None


def puller(ws: Workspace) -> Puller:
    """By the settings."""
    settings = ws.settings
    return Puller(interval_s=settings.pull_interval_s, private=settings.pull_private)


def _record(path: UPath) -> PullRecord:
    try:
        return PullRecord.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise StateError(
            "What was kept of a fetched file is damaged",
            file=str(path),
            remedy="Delete it; the file is then fetched anew",
        ) from error


def fetch(ws: Workspace, client: Puller, url: str, name: str) -> Fetched:
    """The file at ``url``: fetched, or our copy where the site says that it is the same.

    Raises:
        InputError, ModelError, LimitError: see ``Puller.pull``.
        StateError: the record of the last answer is damaged.
    """
    path = ws.home.root / "registry" / "pulls" / f"{digest_of(url.encode())[:32]}.json"
    record = _record(path) if path.exists() else None
    ours: bytes | None = None
    if record is not None:
        try:
            ours = ws.registry.original(record.original.raw, record.original.digest)
        except StateError:  # our copy is gone: fetch it anew
            record = None
    known = Validators(record.etag, record.last_modified) if record else None
    pulled = client.pull(url, known)
    if pulled.content is None and ours is not None:
        return Fetched(ours, None)
    content = pulled.content or b""
    kept = ws.registry.keep(content, "transcripts", name)
    new = PullRecord(url=url, original=kept, **pulled.validators._asdict())
    write_atomic(path, new.model_dump_json(indent=1).encode())
    before = record.original.digest if record else None
    return Fetched(content, before if before != kept.digest else None)
