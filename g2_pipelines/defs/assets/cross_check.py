"""The asset check ``arelle`` on ``filing_sections``: our reading held against Arelle's.

Here: which filings are compared and how the outcome reads. The comparison stands in
``edinet.crosscheck``. Optional: it is there where G2_EDINET_TAXONOMY names a folder; it takes 2
to 13 s a filing and never stops anything.

https://docs.dagster.io/guides/test/asset-checks
"""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.filings import year_in_force
from g2_pipelines.defs.steps import BatchCheck, StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import read_year
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import Filing

_SHOWN = 3


def build_cross_check(taxonomy: str) -> list[BatchCheck]:
    """The check, where ``taxonomy`` names a folder; else none."""
    if not taxonomy:
        return []
    spec = dg.AssetCheckSpec(
        "arelle",
        asset=specs.FILING_SECTIONS,
        description="Arelle reads the same numbers and the same text blocks. Without the year's"
        " taxonomy nothing is compared, and the check says so.",
    )
    return [BatchCheck(spec, differing, severity=dg.AssetCheckSeverity.WARN)]


def differing(ws: Workspace, run: StepRun, company: str) -> str:
    """What Arelle reads otherwise in the year's filings, or why it could not be asked; "" if equal.

    Raises:
        MissingTableError: the company has no filings yet.
    """
    year = year_in_force(ws, run, company)
    filings = read_year(ws.home.table("filings", company), Filing, year)
    found = [words for filing in filings if (words := _of_filing(ws, filing))]
    return "; ".join(found)


def _of_filing(ws: Workspace, filing: Filing) -> str:
    from g2_pipelines.edinet.crosscheck import cross_check
    from g2_pipelines.edinet.filing import read_filing

    taxonomy = Path(ws.settings.edinet_taxonomy)
    with ws.registry.local_copy(filing.digest, filing.file) as file:
        try:
            read = read_filing(
                file,
                document_id=filing.document_id,
                document_type=filing.document_type,
                amends=filing.amends,
            )
            result = cross_check(file, read, taxonomy=taxonomy)
        except G2Error as error:  # also: Arelle is not installed, the folder has no taxonomy
            return f"{filing.document_id}: not compared: {error}"
    match result.outcome:
        case "same":
            return ""
        case "taxonomy_missing":
            missing = ", ".join(result.missing[:_SHOWN])
            more = (
                f" and {len(result.missing) - _SHOWN} more" if len(result.missing) > _SHOWN else ""
            )
            return f"{filing.document_id}: not compared: the taxonomy lacks {missing}{more}"
        case "no_facts":
            return f"{filing.document_id}: Arelle finds no facts though the taxonomy is there"
        case "different":
            facts, blocks = result.facts - result.same_facts, result.blocks - result.same_blocks
            first = ", ".join(d.element for d in result.differences[:_SHOWN])
            return (
                f"{filing.document_id}: {facts} of {result.facts} facts and {blocks} of"
                f" {result.blocks} text blocks differ ({first})"
            )
