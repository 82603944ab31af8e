"""Which listed documents are annual reports to take, and why others are not.

Here: the selection rule, and its reason for each row. Not here: the list (``client``), what
became of documents (``changes``). Pure; used by ``defs``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from g2_pipelines.tables.line1 import Listing
from g2_pipelines.tables.rows import Row

ANNUAL_REPORT, CORRECTION = "120", "130"
_TYPES = frozenset({ANNUAL_REPORT, CORRECTION})
_ORDINANCE = "010"
_DOCUMENT_ID, _CODE = re.compile(r"[A-Z0-9]{8}"), re.compile(r"[A-Z][0-9]{5}")

Reason = Literal[
    "annual report",
    "correction",
    "another kind of document",
    "a fund or foreign issuer (ordinance other than 010)",
    "company not followed",
    "withdrawn",
    "not disclosed",
    "expired: EDINET has deleted its data",
    "no XBRL",
    "an earlier row of the same document",
    "the notice of a withdrawal",
    "its document or company id is none of EDINET's",
]
TAKEN: frozenset[Reason] = frozenset({"annual report", "correction"})


class Decision(Row):
    """What is done with a row of the list, and why; ``company`` is the key it goes to."""

    row: Listing
    reason: Reason
    company: str | None = None

    @property
    def taken(self) -> bool:
        """Whether the document is to be downloaded."""
        return self.reason in TAKEN


def decide(
    rows: Sequence[Listing],
    codes: AbstractSet[str],
    *,
    merged: Mapping[str, str] | None = None,
    csv: bool = False,
) -> list[Decision]:
    """A decision for each row of a day's list, in the rows' order.

    Taken are 有価証券報告書 (120) and their corrections (130) under ordinance 010, by docTypeCode
    and ordinanceCode, not by one formCode (EDINET API v2 specification: 120 under 010 has
    several forms; 030 is funds), of the companies ``codes``. Withdrawn documents are left out,
    also where only a withdrawal's row (取下書, withdrawalStatus 1) names them as parent, and so
    are those whose disclosure is stopped (disclosureStatus 1, 2). Of a docID listed twice the
    later row counts.

    Args:
        rows: one day's list.
        codes: EDINET codes of the companies that are followed.
        merged: code that is used now by retired code (EDINETコード集約一覧); a row keeps the
            code that its filer had, and so does the filing itself. It is taken for the
            company of the retired code if either is followed.
        csv: whether a document without XBRL is taken where it has the CSV form.
    """
    withdrawn = {row.parentDocID for row in rows if row.withdrawalStatus == "1"}
    last = {row.docID: place for place, row in enumerate(rows)}
    decisions: list[Decision] = []
    for place, row in enumerate(rows):
        reason = _reason(row, codes, merged or {}, csv=csv)
        if reason in TAKEN and row.docID in withdrawn:
            reason = "withdrawn"
        if row.docID and last[row.docID] != place and row.withdrawalStatus != "1":
            reason = "an earlier row of the same document"
        decisions.append(Decision(row=row, reason=reason, company=row.edinetCode))
    return decisions


def _reason(
    row: Listing, codes: AbstractSet[str], merged: Mapping[str, str], *, csv: bool
) -> Reason:
    if row.withdrawalStatus == "1":
        return "the notice of a withdrawal"
    if row.withdrawalStatus == "2":
        return "withdrawn"
    if row.edinetCode is None and row.docTypeCode is None and row.legalStatus == "0":
        return "expired: EDINET has deleted its data"
    if row.docTypeCode not in _TYPES:
        return "another kind of document"
    if row.ordinanceCode != _ORDINANCE:
        return "a fund or foreign issuer (ordinance other than 010)"
    code = row.edinetCode or ""
    if code not in codes and merged.get(code) not in codes:
        return "company not followed"
    if row.disclosureStatus in {"1", "2"}:
        return "not disclosed"
    if row.xbrlFlag == "0" and not (csv and row.csvFlag == "1"):
        return "no XBRL"
    # The ids become file names, and a list is data of a server.
    if not (_DOCUMENT_ID.fullmatch(row.docID or "") and _CODE.fullmatch(code)):
        return "its document or company id is none of EDINET's"
    return "annual report" if row.docTypeCode == ANNUAL_REPORT else "correction"


def annual_reports(rows: Sequence[Listing], codes: AbstractSet[str]) -> list[Listing]:
    """The rows that ``decide`` takes, ordered by submission, then docID."""
    chosen = [decision.row for decision in decide(rows, codes) if decision.taken]
    return sorted(chosen, key=lambda row: (row.submitDateTime or "", row.docID or ""))
