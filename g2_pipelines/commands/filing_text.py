"""What ``g2 filing sections`` prints for people: sections, warnings and, on wish, facts.

Here: lines. Not here: the JSON (``outputs``), reading (``files``).
"""

from __future__ import annotations

from collections.abc import Iterator

from g2_pipelines.commands.outputs import FilingSectionsOutput
from g2_pipelines.tables.line1 import FilingFact, FilingSection


def filing_text(output: FilingSectionsOutput) -> str:
    """Sections with their status and warnings, the filing's warnings, a line a fact."""
    parts = [_section(section) for section in output.sections]
    if output.warnings:
        parts.append("\n".join(f"! {warning}" for warning in output.warnings))
    if output.facts:
        parts.append("\n".join(_facts(output.facts)))
    return "\n\n".join(parts)


def _section(section: FilingSection) -> str:
    head = f"[{section.section}] {section.status} {section.element} {section.page_file}".rstrip()
    return "\n".join([head, *(f"! {warning}" for warning in section.warnings), section.text])


def _facts(facts: list[FilingFact]) -> Iterator[str]:
    """Label, value, unit, end of period, figure, element, context; parted by tabs, nil as ―."""
    for fact in facts:
        value = "―" if fact.value is None else " ".join(fact.value.split())
        cells = (fact.label, value, fact.unit, fact.period_end, fact.figure)
        yield "\t".join([cell or "" for cell in cells] + [fact.element, fact.context])
