"""A correction (訂正報告書) applied to the sections and facts that it corrects.

Here: which rows stay current. Not here: how the two filings are linked (``Listing.parentDocID``
or the DEI; ``defs``). Pure; used by ``defs``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.edinet.errors import CorrectionMismatchError
from g2_pipelines.edinet.xml import local_name
from g2_pipelines.tables.line1 import FilingFact, FilingSection


def apply_correction(
    old: Sequence[FilingSection], new: Sequence[FilingSection]
) -> list[FilingSection]:
    """Sections after a correction: ``old`` with ``superseded_by`` set, then what replaced them.

    Only sections that the correction really contains (status found) replace anything; its
    other rows are left out, since 'missing' in a correction means 'unchanged'. Where the old
    section has several blocks (the MD&A until FY2017), a correction of one of them replaces
    that one; a section corrected under another element is replaced whole. Rows superseded
    earlier stay as they are, so the history is kept; applying the same correction again
    changes nothing.

    Raises:
        CorrectionMismatchError: the two are of different companies or fiscal years.
    """
    _check_same_report(old, new)
    contained = [row for row in new if row.status == "found"]
    documents = {row.document_id for row in contained}
    # Applied before: take its rows out first, then apply afresh.
    rows = [_revived(row, documents) for row in old if row.document_id not in documents]
    result = [_after(row, contained) for row in rows]
    return [*result, *contained]


def apply_to_facts(old: Sequence[FilingFact], new: Sequence[FilingFact]) -> list[FilingFact]:
    """Facts after a correction: those of ``old`` that it states anew are superseded.

    The same fact is one of the same element in the same context and unit, whatever its value.
    What the correction does not state stays in force; what was superseded earlier stays so.

    Raises:
        CorrectionMismatchError: the two are of different companies or fiscal years.
    """
    _check_same_report(old, new)
    stated = {_same(row): row.document_id for row in new}
    kept = [
        row.model_copy(update={"superseded_by": stated[_same(row)]})
        if row.superseded_by is None and _same(row) in stated
        else row
        for row in old
    ]
    return [*kept, *new]


def _same(row: FilingFact) -> tuple[str, str, str | None]:
    return local_name(row.element), row.context, row.unit


def _check_same_report(
    old: Sequence[FilingSection | FilingFact], new: Sequence[FilingSection | FilingFact]
) -> None:
    reports = {(row.edinet_code, row.fiscal_year) for row in (*old, *new)}
    if len(reports) > 1:
        named = ", ".join(f"{code} {year}" for code, year in sorted(reports))
        raise CorrectionMismatchError(
            f"A correction cannot be applied across reports: {named}",
            file=new[0].document_id if new else "",
            remedy="Link the correction to the report that its parentDocID names",
        )


def _revived(row: FilingSection, documents: set[str]) -> FilingSection:
    if row.superseded_by in documents:
        return row.model_copy(update={"superseded_by": None})
    return row


def _after(row: FilingSection, contained: Sequence[FilingSection]) -> FilingSection:
    if row.superseded_by is not None:
        return row
    rivals = [new for new in contained if new.section == row.section]
    if not rivals:
        return row
    same = [new for new in rivals if local_name(new.element) == local_name(row.element)]
    # The two blocks of the old MD&A are replaced one by one.
    if not same and _is_half(row) and all(_is_half(new) for new in rivals):
        return row
    return row.model_copy(update={"superseded_by": (same or rivals)[0].document_id})


_HALVES = {
    "OverviewOfBusinessResultsTextBlock",
    "AnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock",
}


def _is_half(row: FilingSection) -> bool:
    return local_name(row.element) in _HALVES
