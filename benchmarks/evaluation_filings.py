"""The filings that ``benchmarks.evaluation`` checks sentences against.

Here: ``Filing``, ``read_filings`` and ``read_csv_filings``.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.evaluation.brief import BAD
from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import Claim, FilingFact

FOLDER = Path(__file__).parents[1].parent / "shared" / "data" / "edinet" / "filings"
SAMPLES = Path(__file__).parents[1] / "g2_pipelines" / "corpus" / "filings"
CSV = FOLDER.parent / "csv"
TRANSCRIPTS = FOLDER.parents[1] / "transcripts"
#: The parts that briefs are made from.
_SECTION = re.compile(
    r"(?:Business|Risk|Analysis|Issues|Policy|Overview|ResearchAndDevelopment)\w*TextBlock$"
)
_LONGEST_FIELD = 10**8  # characters of a text block


@dataclass
class Filing:
    """A filing as the checker sees it."""

    sources: list[Source]
    segments: list[str]
    facts: list[FilingFact]
    table: FactTable = field(init=False)

    def __post_init__(self) -> None:
        self.table = FactTable(self.facts)

    def check(self, text: str) -> list[Claim]:
        """The claims of ``text`` that are not borne out."""
        checked = check_text(text, self.sources, segments=self.segments, facts=self.table)
        return [claim for claim in checked.claims if claim.status in BAD]


def read_filings(folder: Path) -> dict[str, Filing]:
    """Filings of a folder that hold text to corrupt, by the name of their zip."""
    found: dict[str, Filing] = {}
    for file in sorted(folder.glob("*.zip")):
        read = read_filing(file)
        sources = [Source(source_id=s.source_id, text=s.text) for s in read.sections if s.text]
        if sum(len(source.text) for source in sources) > 3000:
            found[file.stem] = Filing(sources, read.segments, read.facts)
    return found


def read_csv_filings(folder: Path) -> dict[str, Filing]:
    """Text blocks of filings in EDINET's CSV form, which has no tables; no names, no facts.

    Tab-separated UTF-16: element first, value last. Filings that ``FOLDER`` has are left out.
    """
    found: dict[str, Filing] = {}
    for file in sorted(folder.glob("*.tsv")):
        if (FOLDER / f"{file.stem}.zip").exists():
            continue
        rows = _rows(file)
        sources = [
            Source(source_id=f"{row[0]}:{n}", text=row[-1].replace("。", "。\n"))
            for n, row in enumerate(rows)
            if _SECTION.search(row[0]) and len(row[-1]) > 200
        ]
        if sources:
            found[file.stem] = Filing(sources, [], [])
    return found


def _rows(file: Path) -> list[list[str]]:
    """A file's rows that hold something; the limit of a field, the whole process's, is put back."""
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        with file.open(encoding="utf-16", newline="") as lines:
            return [row for row in csv.reader(lines, delimiter="\t") if row]
    finally:
        csv.field_size_limit(before)
