"""Where an answer looked and what it cites, against the pages that hold the evidence.

Here: ``places_of``, over (document, page) pairs. Nothing here knows documents' ids: the caller
names both sides alike.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from g2_pipelines.tables.rows import Row

Place = tuple[str, int]


class Places(Row):
    """Counts of one answer; None where the gold pages or document are not known.

    page_recall: share of the gold pages among the pages that workers saw. all_evidence: all
    of them. cited: citations; cited_right: those on a gold page; cited_document: those in a
    gold document. document_seen: a gold document was among what workers saw.
    """

    page_recall: float | None
    all_evidence: bool | None
    document_seen: bool | None
    cited: int
    cited_right: int | None
    cited_document: int | None


def places_of(
    gold: Collection[Place], *, seen: Collection[Place], cited: Sequence[Place]
) -> Places:
    """Compare places; a gold place with page 0 tells its document only."""
    pages = {place for place in gold if place[1] > 0}
    documents = {document for document, _ in gold}
    found = len(pages & set(seen))
    return Places(
        page_recall=found / len(pages) if pages else None,
        all_evidence=found == len(pages) if pages else None,
        document_seen=any(place[0] in documents for place in seen) if documents else None,
        cited=len(cited),
        cited_right=sum(place in pages for place in cited) if pages else None,
        cited_document=sum(place[0] in documents for place in cited) if documents else None,
    )
