"""What happens when something is done: the cell beside an action in a table of actions.

Here: ``effect_hits``. The action («press and hold») must be the row's own label and the thing it
is done to («down button») the table's title or headings; the next cell says what happens. A
sentence is an answer only where it holds all words of the question. Used by ``find``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.cell_told import row_quote
from g2_pipelines.qa.grids import Grid, is_figure
from g2_pipelines.qa.hits import Hit, Scope
from g2_pipelines.qa.item import nearness
from g2_pipelines.qa.matching import Prepared, held, prepared
from g2_pipelines.qa.passages import one_line
from g2_pipelines.qa.ports import Quote

_WHOLE = 1.0
_ALL = 0.9  #: of a row's label, its joining words («and») left out
_SHORTEST = 4


def effect_hits(scope: Scope, grids: Sequence[tuple[Grid, Prepared]]) -> list[Hit]:
    """The effects of the asked action, all of the words held by row and title."""
    if not scope.asked.effect:
        return []
    hits = [hit for grid, context in grids for hit in _of_grid(scope, grid, context)]
    return sorted(hits, key=lambda hit: -hit.score)


def _of_grid(scope: Scope, grid: Grid, context: Prepared) -> list[Hit]:
    hits: list[Hit] = []
    title = grid.above.title or grid.node.caption or grid.groups[-1]
    for row in grid.body():
        label = grid.row_label(row)
        ready = prepared(label)
        own = [word for word in scope.words if held(word, ready) >= _WHOLE]
        rest = [word for word in scope.words if word not in own]
        around = prepared(f"{title} {grid.groups[row]}")
        if not own or any(held(word, around) < _WHOLE for word in rest):
            continue
        named = nearness(scope, label) >= _ALL or _without_joints(ready, scope)
        effect = next(
            (cell for cell in grid.rows[row][grid.label_columns :] if len(cell) >= _SHORTEST), ""
        )
        if not named or not effect or is_figure(effect):
            continue
        text = one_line(effect)
        quote = Quote(node_id=grid.node.node_id, text=row_quote(grid, row, effect))
        extra = 0.1 * sum(held(word, context) for word in rest)
        hits.append(Hit(text, text, (quote,), coverage=1.0, score=1.5 + extra, from_cell=True))
    return hits


def _without_joints(label: Prepared, scope: Scope) -> bool:
    """True where every word of the label is the question's, beside «and», «the», «once»."""
    question = prepared(scope.asked.core)
    return label.stems <= question.stems
