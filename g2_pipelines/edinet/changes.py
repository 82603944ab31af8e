"""What changed between two reads of a day's list, and what EDINET says became of documents.

Here: merging a new read into the stored one, the differences as rows, and the states
(withdrawn, not disclosed, disclosed again) that notices and rewritten rows tell of. Not here:
reading (``client``), storing and acting on it (``defs``). Pure.

Source: EDINET API v2 specification 3-1-3 to 3-1-7. A row is known by its seqNumber, which
never changes within a day; one docID may stand in several rows, because an edit or the
beginning or end of non-disclosure is a row of its own on the day of the event. Past days are
rewritten each night: a withdrawn or expired document keeps its number and docID and loses
nearly all else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from g2_pipelines.tables.line1 import (
    DocumentState,
    FieldChange,
    Listing,
    ListingChange,
    ListingChangeKind,
)

_Key = tuple[int, str]


def merge(before: Sequence[Listing], after: Sequence[Listing]) -> list[Listing]:
    """The new read, plus the stored rows that it lacks; ordered by seqNumber.

    EDINET deletes a row's fields but never a row, so that a missing one is a fault of the
    answer: the stored one is kept (``compare`` reports it).
    """
    rows = {_key(row): row for row in before} | {_key(row): row for row in after}
    return [rows[key] for key in sorted(rows)]


def compare(
    before: Sequence[Listing], after: Sequence[Listing], *, as_of: str
) -> list[ListingChange]:
    """The differences between the stored rows of a day and a new read of it, by seqNumber.

    Who a change concerns (edinetCode, docTypeCode) is taken from before where EDINET has
    deleted it. ``as_of`` is the new read's processDateTime.
    """
    old, new = ({_key(row): row for row in rows} for rows in (before, after))
    changes: list[ListingChange] = []
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        fields = _fields(was, now) if was is not None and now is not None else []
        if was is not None and now is not None and not fields:
            continue
        known = [row for row in (was, now) if row is not None]
        changes.append(
            ListingChange(
                date=known[-1].date,
                seqNumber=known[-1].seqNumber,
                docID=known[-1].docID,
                edinetCode=_first(row.edinetCode for row in known),
                docTypeCode=_first(row.docTypeCode for row in known),
                filerName=_first(row.filerName for row in known),
                change=_kind(was, now),
                fields=fields,
                as_of=as_of,
            )
        )
    return changes


def states(rows: Sequence[Listing], *, as_of: str) -> list[DocumentState]:
    """What the rows of a day say became of documents, in the rows' order.

    From the notices on the day of the event (取下書: withdrawalStatus 1 with the document as
    parent; disclosureStatus 1 and 3) and from the document's own rewritten row
    (withdrawalStatus 2, disclosureStatus 2). A withdrawal also ends the document's children:
    their own rows say so, and until then whoever uses them asks for the parent's state.
    """
    found: list[DocumentState] = []
    for row in rows:
        event = _event(row, as_of)
        if event is not None:
            found.append(event)
    return found


def later(one: DocumentState | None, other: DocumentState) -> DocumentState:
    """The one of two states of a document that is in force: the later, a withdrawal for ever.

    So it does not matter in which order days are read: the notice of a non-disclosure stays
    in the list of its day after it has ended. Of two words on one withdrawal the notice's is
    kept, which says more than the rewritten row.
    """
    if one is None:
        return other
    ranks = [(state.state == "withdrawn", state.notice or "", state.at) for state in (one, other)]
    return other if ranks[1] > ranks[0] else one


def _event(row: Listing, as_of: str) -> DocumentState | None:
    at = row.opeDateTime or row.submitDateTime or row.date
    if row.withdrawalStatus == "1" and row.parentDocID:
        return DocumentState(
            document_id=row.parentDocID, state="withdrawn", at=at, notice=row.docID
        )
    if row.docID is None:
        return None
    if row.withdrawalStatus == "2":
        return DocumentState(document_id=row.docID, state="withdrawn", at=as_of or row.date)
    match row.disclosureStatus:
        case "1":
            return DocumentState(document_id=row.docID, state="undisclosed", at=at)
        case "2":
            return DocumentState(document_id=row.docID, state="undisclosed", at=as_of or row.date)
        case "3":
            return DocumentState(document_id=row.docID, state="disclosed", at=at)
        case _:
            return None


@dataclass(frozen=True)
class _Rule:
    """A change's kind, by a field's value that a row has now and had not before."""

    kind: ListingChangeKind
    field: str
    values: frozenset[str]


_RULES = (
    _Rule("withdrawn", "withdrawalStatus", frozenset("2")),
    _Rule("undisclosed", "disclosureStatus", frozenset("12")),
    _Rule("disclosed", "disclosureStatus", frozenset("03")),
    _Rule("edited", "docInfoEditStatus", frozenset("2")),
    _Rule("expired", "legalStatus", frozenset("0")),
)


def _kind(was: Listing | None, now: Listing | None) -> ListingChangeKind:
    if was is None:
        return "new"
    if now is None:
        return "missing"
    for rule in _RULES:
        value = getattr(now, rule.field)
        if value != getattr(was, rule.field) and value in rule.values:
            return rule.kind
    return "changed"


def _fields(was: Listing, now: Listing) -> list[FieldChange]:
    return [
        FieldChange(name=name, before=_text(getattr(was, name)), after=_text(getattr(now, name)))
        for name in Listing.model_fields
        if getattr(was, name) != getattr(now, name)
    ]


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _first(values: Iterable[str | None]) -> str | None:
    return next((value for value in values if value), None)


def _key(row: Listing) -> _Key:
    return (row.seqNumber if row.seqNumber is not None else 0, row.docID or "")
