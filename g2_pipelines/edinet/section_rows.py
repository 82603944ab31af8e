"""A filing's blocks → its rows of sections, with their statuses.

Here: which block counts, what a missing one is, the row. Not here: finding blocks (``gather``),
whose filing it is (``filing``). Used by ``filing`` only.
"""

from __future__ import annotations

from dataclasses import dataclass

from g2_pipelines.edinet.blocks import FoundBlock
from g2_pipelines.edinet.clean import CleanBlock
from g2_pipelines.edinet.eras import SECTIONS, STUB_CHARS, STUB_SECTIONS, in_form
from g2_pipelines.edinet.gather import Gathered
from g2_pipelines.edinet.headings import find_headings
from g2_pipelines.tables.line1 import FilingSection, SectionName, SectionStatus

_EXPECTED_CONTEXT = "FilingDateInstant"


@dataclass(frozen=True)
class Identity:
    """Whose report a filing is, of which period, and under which id."""

    edinet_code: str
    fiscal_year: str
    period_end: str
    document_id: str
    document_type: str
    amends: str | None

    @property
    def key(self) -> dict[str, str]:
        """The columns that every row of the filing begins with."""
        return {
            "edinet_code": self.edinet_code,
            "fiscal_year": self.fiscal_year,
            "document_id": self.document_id,
        }


def section_rows(gathered: Gathered, identity: Identity, *, fund: bool) -> list[FilingSection]:
    """At least one row for each of the seven sections, in the order of the form."""
    rows: list[FilingSection] = []
    for section in SECTIONS:
        blocks = [(f, c) for f, c in gathered.blocks if f.block.section == section]
        blocks, notes = _once(blocks)
        if not blocks:
            rows.append(_absent(section, identity, fund=fund))
        orders = _orders([found for found, _ in blocks])
        for order, (found, cleaned) in zip(orders, blocks, strict=True):
            rows.append(_section(found, cleaned, identity, order=order, notes=notes))
    return rows


def _once(
    blocks: list[tuple[FoundBlock, CleanBlock]],
) -> tuple[list[tuple[FoundBlock, CleanBlock]], list[str]]:
    """Each text once; blocks of the expected context alone if there are any."""
    notes: list[str] = []
    expected = [b for b in blocks if b[0].context == _EXPECTED_CONTEXT]
    if expected and len(expected) < len(blocks):
        notes.append("the block exists in several contexts; FilingDateInstant is taken")
    kept: dict[tuple[str, str], tuple[FoundBlock, CleanBlock]] = {}
    for found, cleaned in expected or blocks:
        identity = (found.element, "".join(cleaned.text.split()))
        if identity in kept:
            notes.append("the same block occurs more than once; taken once")
        kept.setdefault(identity, (found, cleaned))
    return list(kept.values()), list(dict.fromkeys(notes))


def _orders(blocks: list[FoundBlock]) -> list[int]:
    """Order within the section: the rank, so that 【分析】 is 1 also when it comes alone in a
    correction; by position where blocks share a rank.
    """
    ranks = [found.block.rank for found in blocks]
    return ranks if len(set(ranks)) == len(ranks) else list(range(len(blocks)))


def _absent(section: SectionName, identity: Identity, *, fund: bool) -> FilingSection:
    expected = in_form(section, period_end=identity.period_end, fund=fund)
    return FilingSection(
        **identity.key,
        document_type=identity.document_type,
        amends=identity.amends,
        section=section,
        element="",
        context="",
        page_file="",
        order=0,
        text="",
        status="missing" if expected else "not_in_this_form",
        warnings=["no element of this section is in the filing"] if expected else [],
    )


def _section(
    found: FoundBlock, cleaned: CleanBlock, identity: Identity, *, order: int, notes: list[str]
) -> FilingSection:
    warnings = [*notes, *found.warnings]
    chars = len("".join(cleaned.text.split()))
    if not chars:
        warnings.append("the block is nil" if found.nil else "the block holds no text")
    elif chars < STUB_CHARS and found.block.section in STUB_SECTIONS:
        warnings.append(f"only {chars} characters: a heading or stub rather than a text")
    if found.cut:
        warnings.append("the source ends inside this block; the rest of its text is missing")
    if found.context != _EXPECTED_CONTEXT:
        warnings.append(f"the context is {found.context or 'none'}, not {_EXPECTED_CONTEXT}")
    return FilingSection(
        **identity.key,
        document_type=identity.document_type,
        amends=identity.amends,
        section=found.block.section,
        element=found.element,
        context=found.context,
        page_file=found.page,
        order=order,
        text=cleaned.text,
        headings=find_headings(cleaned.text, cleaned.tables, cleaned.marked),
        tables=cleaned.tables,
        images=cleaned.images,
        status=_status(chars, cut=found.cut),
        warnings=warnings,
    )


def _status(chars: int, *, cut: bool) -> SectionStatus:
    if not chars:
        return "empty"
    return "truncated_source" if cut else "found"
