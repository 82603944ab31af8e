"""Which row has the greatest or least figure of a column. Here: ``rank_hits`` and ``column_of``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.arithmetic import operand
from g2_pipelines.qa.cell_told import row_quote, with_unit
from g2_pipelines.qa.cells import TELLING, held_words
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.grids import Grid, is_figure, is_total, without_unit
from g2_pipelines.qa.hits import IN_CONTEXT, Hit, Scope
from g2_pipelines.qa.item import nearness
from g2_pipelines.qa.matching import Prepared, held, prepared, stem
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines.text.fold import fold_text

_ALIKE = 0.01
_KIND = re.compile(r"\b(?:which|what) ([a-z]{3,})\b")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def rank_hits(scope: Scope, grid: Grid, context: Prepared) -> list[Hit]:
    """Which row has the greatest or least figure of the column that the question names."""
    ways = [grid, grid.turned()]
    kind = _KIND.search(fold_text(scope.asked.core))
    if kind:  # «which method»: a table whose rows are methods is not ranked across
        ways = ways[:1] if stem(kind[1]) in prepared(grid.corner).stems else ways
    hits = [_rank_hit(scope, way, context) for way in ways]
    return sorted((hit for hit in hits if hit is not None), key=lambda hit: -hit.score)


def _rank_hit(scope: Scope, grid: Grid, context: Prepared) -> Hit | None:
    column, coverage = column_of(scope, grid, context)
    if column is None:
        return None
    values = _column_values(grid, column)
    if scope.asked.kind == "date":
        values = [item for item in values if _YEAR.search(item[1].label)]
    values = _of_group(scope, grid, column, values, context)
    return _extreme_hit(scope, grid, column, values, coverage) if len(values) > 1 else None


def _of_group(
    scope: Scope,
    grid: Grid,
    column: int,
    values: list[tuple[int, CopiedValue]],
    context: Prepared,
) -> list[tuple[int, CopiedValue]]:
    """The rows of the group that the question names («which futures»); none where it names
    other rows than those of a group, since what belongs to these the table does not say.
    """
    around = prepared(f"{grid.column_header(column)} {grid.corner}")
    rest = [
        word
        for word in scope.words
        if max(held(word, around), held(word, context)) < TELLING and not word.is_figure
    ]
    groups = {row: prepared(grid.groups[row]) for row, _ in values}
    for word in rest:
        grouped = [item for item in values if held(word, groups[item[0]]) >= TELLING]
        if grouped:
            values = grouped
        elif any(held(word, prepared(grid.row_label(row))) >= TELLING for row in grid.body()):
            return []
    return values


def column_of(scope: Scope, grid: Grid, context: Prepared) -> tuple[int | None, float]:
    """The one column that the question's words name, with their share; None where two columns
    fit alike or too little is held.
    """
    around = {word: IN_CONTEXT * held(word, context) for word in scope.words}
    strengths: dict[int, float] = {}
    for column in range(grid.label_columns, len(grid.rows[0])):
        header = grid.column_header(column)
        beyond = {w: v for w, v in held_words(scope, header).items() if v >= TELLING}
        if beyond:
            near = 0.2 * nearness(scope, without_unit(header))
            strengths[column] = sum(scope.weights[word] for word in beyond) + near
    best = max(strengths.values(), default=0.0)
    columns = [column for column, strength in strengths.items() if best - strength < _ALIKE]
    if len(columns) != 1:
        return None, 0.0
    corner = held_words(scope, grid.corner)
    merged = {
        word: max(value, around[word], corner[word])
        for word, value in held_words(scope, grid.column_header(columns[0])).items()
    }
    coverage, unmet = scope.share(merged)
    return (None, 0.0) if unmet or coverage < scope.enough else (columns[0], coverage)


def _column_values(grid: Grid, column: int) -> list[tuple[int, CopiedValue]]:
    values: list[tuple[int, CopiedValue]] = []
    for row in grid.body():
        text, label = grid.rows[row][column], grid.row_label(row)
        if not label or not is_figure(text) or is_total(label):
            continue
        unit = grid.unit(row, column)
        values.append(
            (row, CopiedValue(label=label, text=text, unit=unit, node_id=grid.node.node_id))
        )
    return values


def _extreme_hit(
    scope: Scope,
    grid: Grid,
    column: int,
    values: Sequence[tuple[int, CopiedValue]],
    coverage: float,
) -> Hit | None:
    try:
        numbers = [(operand(value).value, row, value) for row, value in values]
    except CalculationError:
        return None
    most = scope.asked.extreme == "most"
    amount = max(n[0] for n in numbers) if most else min(n[0] for n in numbers)
    winners = [(row, value) for number, row, value in numbers if number == amount]
    if len(winners) != 1:
        return None
    row, value = winners[0]
    header, shown = without_unit(grid.column_header(column)), with_unit(value.text, value.unit)
    if scope.asked.language == "ja":
        answer = f"{value.label}です（{header} {shown}）。"
    else:
        answer = f"{value.label} ({header}: {shown})."
    return Hit(
        short=value.label,
        answer=answer,
        quotes=(Quote(node_id=grid.node.node_id, text=row_quote(grid, row, value.text)),),
        coverage=coverage,
        score=coverage + 0.4,
        values=tuple(copied for _, copied in values),
        operation="rank",
    )
