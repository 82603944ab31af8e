"""A day's list of EDINET as stored: read as cheaply as EDINET allows, merged, its changes kept.

Here: one read of one day, and what is remembered for the next. The client stands in
``edinet.client``, the comparison in ``edinet.changes``; who takes documents from the list in
``listing_sensor``. Nothing here knows Dagster.

What EDINET offers (specification 3-1-3): no conditional request. Every past day's list is
replaced each night whether it changed or not, so that a past day costs one whole read. On the
day itself rows are only added, so that the count (type 1) tells whether there is anything to
read. Where a server sends validators (ETag, Last-Modified), they are used.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError
from upath import UPath

from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.edinet.answers import Validators
from g2_pipelines.edinet.changes import compare, merge
from g2_pipelines.tables.line1 import Listing, ListingChange
from g2_pipelines.tables.rows import Row
from g2_pipelines.tables.store import (
    DamagedTableError,
    MissingTableError,
    read_table,
    rows_digest,
    write_atomic,
    write_table,
)

if TYPE_CHECKING:
    from g2_pipelines.edinet.client import EdinetClient

LISTING, CHANGES = "edinet_listing", "listing_changes"


class DayState(Row):
    """What is remembered of a day's last read."""

    as_of: str = ""
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True)
class DayRead:
    """A day after a read: its rows, what this read changed, how it was read, and of when it is."""

    rows: list[Listing]
    changes: list[ListingChange]
    how: str
    as_of: str
    digest: str
    first: bool


def read_day(ws: Workspace, client: EdinetClient, day: str) -> DayRead:
    """Read a day's list again, or see that there is no need to; store rows, changes and state.

    A row once stored is never lost; the changes since the last read are added to
    ``listing_changes``. Of equal answers the tables are equal, whatever the number of reads.

    Raises:
        those of ``EdinetClient.read_day``; DamagedTableError: the stored day cannot be read.
    """
    path = ws.home.table(LISTING, day)
    stored, state = _stored(path), day_state(ws, day)
    if stored is not None and _in_progress(state, day):
        found = client.count_day(day)
        if found.count == len(stored) and _in_progress(DayState(as_of=found.as_of), day):
            words = (
                f"unchanged: still {found.count} rows, and rows are only added on the day itself"
            )
            return _unchanged(stored, words, found.as_of)
    known = Validators(state.etag, state.last_modified) if stored is not None else None
    answer = client.read_day(dt.date.fromisoformat(day), known)
    if answer.rows is None:
        return _unchanged(stored or [], "unchanged: EDINET says so (304)", state.as_of)
    changes: list[ListingChange] = []
    if stored is not None:
        changes = _add_changes(ws, day, compare(stored, answer.rows, as_of=answer.as_of))
    rows = merge(stored or [], answer.rows)
    digest = write_table(path, rows, Listing)
    _remember(
        ws,
        day,
        DayState(
            as_of=answer.as_of,
            etag=answer.validators.etag,
            last_modified=answer.validators.last_modified,
        ),
    )
    how = "read for the first time" if stored is None else "read again"
    return DayRead(rows, changes, how, answer.as_of, digest, first=stored is None)


def _unchanged(stored: Sequence[Listing], words: str, as_of: str) -> DayRead:
    return DayRead(list(stored), [], words, as_of, rows_digest(stored), first=False)


def _in_progress(state: DayState, day: str) -> bool:
    """Whether the list is of the day itself: processDateTime is not later than it."""
    return state.as_of != "" and state.as_of[:10] <= day


def _stored(path: UPath) -> list[Listing] | None:
    try:
        return read_table(path, Listing)
    except MissingTableError:
        return None
    except DamagedTableError as error:
        raise DamagedTableError(
            error.message, file=error.file, remedy="Delete the file; the day is then read anew"
        ) from error


def changes_of(ws: Workspace, day: str) -> list[ListingChange]:
    """All changes of a day that reads have seen, in the order in which they were seen."""
    try:
        return read_table(ws.home.table(CHANGES, day), ListingChange)
    except MissingTableError:
        return []


def _add_changes(ws: Workspace, day: str, seen: list[ListingChange]) -> list[ListingChange]:
    """Add what is news. Written before the rows: a kill in between shows it again, not never."""
    before = changes_of(ws, day)
    last = {(c.seqNumber, c.docID): c for c in before}
    fresh = [
        change
        for change in seen
        if (known := last.get((change.seqNumber, change.docID))) is None
        or known.model_copy(update={"as_of": change.as_of}) != change
    ]
    if fresh:
        write_table(ws.home.table(CHANGES, day), [*before, *fresh], ListingChange)
    return fresh


def _state_path(ws: Workspace, day: str) -> UPath:
    return ws.home.root / "registry" / "days" / f"{day}.json"


def day_state(ws: Workspace, day: str) -> DayState:
    """What is remembered of the day's last read; empty if it was never read."""
    try:
        return DayState.model_validate_json(_state_path(ws, day).read_bytes())
    except (FileNotFoundError, ValidationError):
        return DayState()  # the day is read whole


def _remember(ws: Workspace, day: str, state: DayState) -> None:
    write_atomic(_state_path(ws, day), (state.model_dump_json() + "\n").encode())
