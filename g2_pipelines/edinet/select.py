"""Which listed documents are annual reports to take.

Here: the selection rule. Not here: the list (``client``). Pure; used by ``defs``.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from g2_pipelines.tables.line1 import Listing

_TYPES = frozenset({"120", "130"})
_ORDINANCE = "010"


def annual_reports(rows: Sequence[Listing], codes: AbstractSet[str]) -> list[Listing]:
    """有価証券報告書 (120) and their corrections (130) of the companies ``codes``.

    By docTypeCode and ordinanceCode 010, not by one formCode (EDINET API v2 specification: 120
    under 010 has several forms; 030 is funds). Withdrawn documents are left out, also where
    only a withdrawal's row (取下書, withdrawalStatus 1) names them as parent, and so are
    those whose disclosure is stopped (disclosureStatus 1, 2). Of a docID listed twice the
    later row counts. Ordered by submission, then docID.
    """
    withdrawn = {row.parentDocID for row in rows if row.withdrawalStatus == "1"}
    latest = {row.docID: row for row in rows if row.docID is not None}
    chosen = [
        row
        for doc_id, row in latest.items()
        if row.docTypeCode in _TYPES
        and row.ordinanceCode == _ORDINANCE
        and row.edinetCode in codes
        and row.withdrawalStatus not in {"1", "2"}
        and row.disclosureStatus not in {"1", "2"}
        and doc_id not in withdrawn
    ]
    return sorted(chosen, key=lambda row: (row.submitDateTime or "", row.docID or ""))
