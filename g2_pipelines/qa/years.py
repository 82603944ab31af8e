"""Which year of a range has the greatest or least value: tables and sentences by year.

Here: ``year_hits``. The years of a range are labels to choose among, never words that
evidence must hold; values count only where every label of a line can be read as a year and
both ends of the range are there, else the greatest of the range is not known. Used by
``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from g2_pipelines.qa.arithmetic import operand
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.figures import figures
from g2_pipelines.qa.grids import Grid, is_figure
from g2_pipelines.qa.hits import IN_CONTEXT, Hit, Scope
from g2_pipelines.qa.matching import Prepared, held, prepared
from g2_pipelines.qa.passages import Passage
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines.text.fold import fold_text

_YEAR = re.compile(r"(?:fy\s*|fiscal (?:year )?)?((?:19|20)\d\d)\s*(?:年度?(?:\d{1,2}月期)?)?")
_IN_TEXT = re.compile(
    r"(?<!\d)((?:19|20)\d\d)\s*(?:年度?)?\s*(?:は|が|に|の|:|:|was|had|saw|,|、)?\s*$"
)
_FEWEST = 2

#: A year, its label as printed, and its value as printed.
_Point = tuple[int, CopiedValue]


def year_hits(
    scope: Scope, grids: Sequence[tuple[Grid, Prepared]], passages: Sequence[Passage]
) -> list[Hit]:
    """The year of the asked range with the extreme value, best covered first."""
    if scope.asked.years is None or not scope.asked.extreme:
        return []
    hits = [_table_hit(scope, turned, around) for grid, around in grids for turned in _both(grid)]
    hits += [_sentence_hit(scope, passage) for passage in passages]
    return sorted((hit for hit in hits if hit is not None), key=lambda hit: -hit.score)


def _both(grid: Grid) -> tuple[Grid, Grid]:
    return grid, grid.turned()


def year_of(label: str) -> int | None:
    """The year that a label is and nothing else (2018年度, FY2018), or None."""
    found = _YEAR.fullmatch(fold_text(label).strip())
    return int(found[1]) if found else None


def _table_hit(scope: Scope, grid: Grid, around: Prepared) -> Hit | None:
    """The extreme of the one row of figures below a row of years."""
    for place, labels in enumerate(grid.rows):
        columns = {c: year for c, label in enumerate(labels) if (year := year_of(label))}
        if len(columns) < _FEWEST:
            continue
        lines = [row for row in grid.rows if all(is_figure(row[column]) for column in columns)]
        lines = [row for row in lines if row is not labels]
        if len(lines) != 1:
            return None
        above = " ".join(dict.fromkeys(cell for row in grid.rows[:place] for cell in row))
        beside = " ".join(cell for c, cell in enumerate(lines[0]) if c not in columns)
        points = [
            (year, CopiedValue(label=labels[c], text=lines[0][c], node_id=grid.node.node_id))
            for c, year in columns.items()
        ]
        points = [p for k, p in enumerate(points) if p not in points[:k]]  # a cell may span
        title = prepared(f"{above} {beside} {labels[0]}")
        quotes = _lines_of(grid, points)
        return _extreme_hit(scope, points, [(1.0, title), (IN_CONTEXT, around)], quotes)
    return None


def _lines_of(grid: Grid, points: Sequence[_Point]) -> list[str]:
    """The lines of the node's text that hold the year and value, else their cells alone."""
    lines = [line.strip() for line in grid.node.text.splitlines()]
    return [
        line for line in lines if any(v.label in line or v.text in line for _, v in points)
    ] or [text for _, value in points for text in (value.label, value.text)]


def _sentence_hit(scope: Scope, passage: Passage) -> Hit | None:
    """The extreme of values that a sentence gives each after its year."""
    points: list[_Point] = []
    for number in figures(passage.text):
        before = _IN_TEXT.search(fold_text(passage.text[: number.start]))
        if before is None:
            continue
        text = passage.text[number.start : number.end].strip()
        label = f"{before[1]}年" if scope.asked.language == "ja" else before[1]
        copied = CopiedValue(label=label, text=text, node_id=passage.node.node_id)
        points.append((int(before[1]), copied))
    if len(points) < _FEWEST:
        return None
    layers = [(1.0, prepared(passage.text)), (IN_CONTEXT, prepared(passage.context))]
    return _extreme_hit(scope, points, layers, [passage.text])


def _extreme_hit(
    scope: Scope,
    points: Sequence[_Point],
    layers: Sequence[tuple[float, Prepared]],
    quotes: Sequence[str],
) -> Hit | None:
    first, last = scope.asked.years or (0, 0)
    coverage, unmet = scope.share(
        {word: max(factor * held(word, text) for factor, text in layers) for word in scope.words}
    )
    asked = [(year, value) for year, value in points if first <= year <= last]
    there = {year for year, _ in asked}
    whole = {first, last} <= there and len(there) == len(asked)
    if unmet or coverage < scope.enough or not whole:
        return None
    winner = _winner([value for _, value in asked], most=scope.asked.extreme == "most")
    if winner is None:
        return None
    if scope.asked.language == "ja":
        answer = f"{winner.label}です（{winner.text}）。"
    else:
        answer = f"{winner.label} ({winner.text})."
    return Hit(
        short=winner.label,
        answer=answer,
        quotes=tuple(Quote(node_id=winner.node_id, text=quote) for quote in quotes),
        coverage=coverage,
        score=coverage + 0.4,
        values=tuple(value for _, value in asked),
        operation="rank",
    )


def _winner(values: Sequence[CopiedValue], *, most: bool) -> CopiedValue | None:
    """The one greatest or least value, None where two share it or units differ."""
    try:
        numbers: list[Decimal] = [operand(value).value for value in values]
        units = {operand(value).unit for value in values}
    except CalculationError:
        return None
    amount = max(numbers) if most else min(numbers)
    if len(units) != 1 or numbers.count(amount) != 1:
        return None
    return values[numbers.index(amount)]
