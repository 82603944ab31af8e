"""Type=5 CSV of a filing: the fallback where nothing better is there.

Here: rows of one CSV → blocks, DEI, numeric facts. Not here: which file (``pages``). Used by
``gather``. EDINET cuts every value at 30,000 characters and glues table cells together
(measured), so a block of exactly that length is marked as cut.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, field

from g2_pipelines.edinet.blocks import FoundBlock
from g2_pipelines.edinet.dei import Dei
from g2_pipelines.edinet.eras import BLOCKS
from g2_pipelines.edinet.facts import NON_CONSOLIDATED, Context, RawFact
from g2_pipelines.edinet.xml import local_name
from g2_pipelines.tables.line1 import DimensionMember

CUT_CHARS = 30_000
_COLUMNS = 9
_NIL = "－"


@dataclass
class ReadCsv:
    """What one CSV holds."""

    blocks: list[tuple[FoundBlock, str]] = field(default_factory=list)
    dei: dict[str, str] = field(default_factory=dict)
    numeric: list[RawFact] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)  # 項目名 of the numeric facts
    warnings: list[str] = field(default_factory=list)


def blocks_and_facts(content: bytes, file: str) -> ReadCsv:
    """Read a CSV: UTF-16 with BOM, TAB-separated, nine columns, ``－`` for nil.

    A row of another width, or bytes of another encoding, are a warning and left out.
    """
    out = ReadCsv()
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError:
        out.warnings.append(f"{file}: not UTF-16; left out")
        return out
    wrong = 0
    limit = csv.field_size_limit(CUT_CHARS * 4)
    try:
        for row in list(csv.reader(io.StringIO(text, newline=""), delimiter="\t"))[1:]:
            if len(row) == _COLUMNS:
                _take(row, file, out)
            else:
                wrong += bool(row)
    except csv.Error:
        out.warnings.append(f"{file}: not readable as CSV to its end")
    finally:
        csv.field_size_limit(limit)
    if wrong:
        out.warnings.append(f"{file}: {wrong} rows do not have {_COLUMNS} columns; left out")
    return out


def _take(row: list[str], file: str, out: ReadCsv) -> None:
    name, label, context, *_, unit, _, value = row
    local = local_name(name)
    nil = value == _NIL
    if local in BLOCKS:
        found = FoundBlock(BLOCKS[local], name, context, file, (), nil, cut=len(value) == CUT_CHARS)
        out.blocks.append((found, "" if nil else value.strip()))
    elif local.endswith("DEI") and not nil:
        out.dei.setdefault(local, value)
    if unit not in {"", _NIL}:
        out.labels.setdefault(local, label)
        out.numeric.append(
            RawFact(name, context, unit, None, None, None, "", "" if nil else value, nil)
        )


def contexts_by_name(identifiers: Iterable[str], dei: Dei) -> dict[str, Context]:
    """Periods of the contexts that a CSV names but does not declare.

    By EDINET's rule of names, CurrentYear and Prior1Year alone: the DEI hold their dates. Years
    before may have had another length, so theirs are not guessed. Members are what follows _.
    """
    starts = {"CurrentYear": dei.fiscal_year_start, "Prior1Year": dei.previous_fiscal_year_start}
    ends = {"CurrentYear": dei.fiscal_year_end, "Prior1Year": dei.previous_fiscal_year_end}
    found: dict[str, Context] = {}
    for identifier in identifiers:
        base, _, member = identifier.partition("_")
        year = base.removesuffix("Duration").removesuffix("Instant")
        if year in ends and ends[year] and member in {"", NON_CONSOLIDATED}:
            start = starts[year] if base.endswith("Duration") else None
            axis = DimensionMember(axis="ConsolidatedOrNonConsolidatedAxis", member=member)
            found[identifier] = (
                Context(start, ends[year], (axis,), (f"jppfs_cor:{member}",))
                if member
                else Context(start, ends[year], (), ())
            )
    return found
