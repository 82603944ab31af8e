"""The rows of a table above or below a bound: «which sites have more than 20 staff».

Here: ``bound_hits``. Every cell of the column must be a figure of one unit, else what lies above
the bound is not known. Used by ``find``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from decimal import Decimal

from g2_pipelines.qa.arithmetic import operand
from g2_pipelines.qa.cell_told import row_quote
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.figures import figures
from g2_pipelines.qa.grids import Grid, is_figure, is_total, without_unit
from g2_pipelines.qa.hits import Hit, Scope
from g2_pipelines.qa.item import nearness
from g2_pipelines.qa.matching import Prepared
from g2_pipelines.qa.ports import Quote
from g2_pipelines.qa.ranks import column_of
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines.text.fold import fold_text

_EN = re.compile(
    r"\b(?:(?P<gt>(?:more|greater|higher|larger|longer|older) than|over|above|exceed(?:s|ed|ing)?)"
    r"|(?P<lt>(?:less|fewer|lower|smaller|shorter|younger) than|below|under)"
    r"|(?P<ge>at least)|(?P<le>at most)) (?P<amount>[$€£¥]?\s?\d[^?,]{0,24})"
)
_JA = re.compile(
    r"(?P<amount>\d[\d,.]*\s*[^\s、。\d]{0,5}?)(?:(?P<ge>以上)|(?P<le>以下)|(?P<lt>未満|より(?:小さ|少な|低))"
    r"|(?P<gt>を超え|を上回|より(?:大き|多|高)))"
)
_COMPARE: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "gt": operator.gt,
    "lt": operator.lt,
    "ge": operator.ge,
    "le": operator.le,
}
_FEWEST_ROWS = 2


def bound_hits(scope: Scope, grid: Grid, context: Prepared) -> list[Hit]:
    """The labels of the rows whose figure of the asked column meets the bound."""
    found = (_JA if scope.asked.language == "ja" else _EN).search(fold_text(scope.asked.core))
    if found is None or scope.asked.kind != "label":
        return []
    bounds = figures(found["amount"])
    if len(bounds) != 1:
        return []
    way = next(name for name in _COMPARE if found[name])
    named = Scope(
        asked=scope.asked,
        words=tuple(word for word in scope.words if not word.is_figure),
        weights={word: value for word, value in scope.weights.items() if not word.is_figure},
        topic=scope.topic,
        document=scope.document,
    )
    column, coverage = column_of(named, grid, context)
    if column is None:
        return []
    rows = [row for row in grid.body() if grid.row_label(row) and not is_total(grid.row_label(row))]
    values = [_value(grid, row, column) for row in rows]
    if len(rows) < _FEWEST_ROWS or any(value is None for value in values):
        return []
    kept = [value for value in values if value is not None]
    try:
        numbers = [operand(value) for value in kept]
    except CalculationError:
        return []
    units = {item.unit for item in numbers}
    if len(units) != 1 or (bounds[0].unit and bounds[0].unit not in units):
        return []
    test = _COMPARE[way]
    chosen = [
        (row, value)
        for row, value, number in zip(rows, kept, numbers, strict=True)
        if test(number.value, bounds[0].value)
    ]
    if not chosen or len(chosen) == len(rows):
        return []
    return [_hit(scope, grid, chosen, column, coverage)]


def _value(grid: Grid, row: int, column: int) -> CopiedValue | None:
    text = grid.rows[row][column]
    if not is_figure(text):
        return None
    unit = grid.unit(row, column)
    label = grid.row_label(row)
    return CopiedValue(label=label, text=text, unit=unit, node_id=grid.node.node_id)


def _hit(
    scope: Scope,
    grid: Grid,
    chosen: list[tuple[int, CopiedValue]],
    column: int,
    coverage: float,
) -> Hit:
    header = without_unit(grid.column_header(column))
    labels = [value.label for _, value in chosen]
    told = [f"{value.label} ({header} {value.text})" for _, value in chosen]
    gap = "、" if scope.asked.language == "ja" else "; "
    quotes = tuple(
        Quote(node_id=grid.node.node_id, text=row_quote(grid, row, value.text))
        for row, value in chosen
    )
    score = coverage + 0.4 + 0.1 * nearness(scope, header)
    return Hit(
        "\n".join(labels), gap.join(told), quotes, coverage=coverage, score=score, from_cell=True
    )
