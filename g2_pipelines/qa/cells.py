"""Finding a question's cell in tables, by row and column.

Here: ``cell_hits``. A cell counts only when words of the question choose
its row among the rows and its column among the columns, and a word that sets rows or columns
apart must stand in the chosen one; two cells that fit equally well with
different values are no answer. Used by ``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from g2_pipelines.qa.cell_told import is_years, label_of, statement
from g2_pipelines.qa.forms import tells_change
from g2_pipelines.qa.grids import Grid, is_figure, without_unit
from g2_pipelines.qa.hits import IN_CONTEXT, Hit, Scope
from g2_pipelines.qa.item import another, nearness, verbatim, whole, without_modifier
from g2_pipelines.qa.limits import contrary, other_side
from g2_pipelines.qa.matching import Prepared, Word, held, prepared, stem
from g2_pipelines.text.fold import fold_text

#: Less than for a sentence: a row and a column chosen by the question's words say much.
ENOUGH_IN_CELLS = 0.6
_NAMED = 0.9  #: a label made up of the question's words is chosen though others hold them too
_SHARE = re.compile(r"[%割率比]|percent|\bshare of\b|\bshare$|proportion|\brate")
_FIGURES = re.compile(r"(?<![\d.,])\d[\d,.]*")
_MOST_FIGURES = 6
_PAIR = 2
_WHOLE = 0.5  #: a label that is the asked item itself outweighs any sentence about it
_VERBATIM = 0.2  #: a header that the question says word by word
_STATEMENT = 0.25  #: of two such rows, that of the consolidated statement is the whole's
_STATEMENTS = re.compile(
    r"^consolidated (?:statements?|balance sheets?)|^連結(?:貸借対照表|損益計算書|キャッシュ)"
)
_NOTE = re.compile(r"^note\b|注記")
TELLING = 0.5  #: held at least this far, a word chooses a row or a column


@dataclass(frozen=True)
class _Choice:
    """How far each line (row or column) of a grid holds each word."""

    held: list[dict[Word, float]]

    def telling(self, place: int) -> bool:
        """True when a word chooses this line and not all lines of the table."""
        return any(
            value >= TELLING and not self._in_all(word) for word, value in self.held[place].items()
        )

    def some(self, word: Word) -> bool:
        """True when some lines hold the word and others do not: it sets them apart."""
        return any(line[word] >= TELLING for line in self.held) and not self._in_all(word)

    def _in_all(self, word: Word) -> bool:
        return len(self.held) > 1 and all(line[word] >= TELLING for line in self.held)


def cell_hits(scope: Scope, grid: Grid, context: Prepared) -> list[Hit]:
    """The cells of ``grid`` that answer the question, best first."""
    grid = grid.by_year() or grid
    body = list(grid.body())
    columns = range(len(grid.rows[0]))
    around = {word: IN_CONTEXT * held(word, context) for word in scope.words}
    headers = _Choice([held_words(scope, grid.column_header(column)) for column in columns])
    corner = held_words(scope, grid.corner)
    texts = {row: [held_words(scope, cell) for cell in grid.rows[row]] for row in body}
    hits: list[Hit] = []
    for column in columns:
        chosen = headers.telling(column) or _hinted(scope, grid, column)
        chosen = chosen or _only_candidate(scope, grid, column)
        if not chosen and not any(grid.named_by(row, column) for row in body):
            continue
        rows = _Choice([_row_held(scope, grid, texts[row], row, column) for row in body])
        for place, row in enumerate(body):
            value = grid.rows[row][column]
            if not chosen and not _names_pair(scope, grid, row, column):
                continue
            label = grid.row_label(row)
            chosen_row = rows.telling(place) or nearness(scope, label) > _NAMED
            chosen_row = chosen_row or verbatim(scope, label)
            if not value or not (chosen_row or len(body) == 1):
                continue
            layers = [rows.held[place], headers.held[column], corner]
            apart = {word for word in scope.words if rows.some(word) or headers.some(word)}
            apart = {word for word in apart if not _ends_year(scope, word, context)}
            layers.append({word: 0.0 if word in apart else around[word] for word in around})
            hit = _hit(scope, grid, row, column, layers)
            if hit is not None:
                hits.append(hit)
    return sorted(hits, key=lambda hit: -hit.score)


def _ends_year(scope: Scope, word: Word, context: Prepared) -> bool:
    """True for the 3 of 2031年3月期 where the table's caption says that of all columns, of which
    one is 第3四半期.
    """
    if not word.is_figure:
        return False
    period = re.search(rf"\d{{4}}年{word.text}月期", fold_text(scope.asked.core))
    return period is not None and period[0] in context.squeezed


def _names_pair(scope: Scope, grid: Grid, row: int, column: int) -> bool:
    """True where the text that names the figure beside it is all asked for, and no other text
    of its row is.
    """
    name = grid.named_by(row, column)
    if not name or nearness(scope, name) < _NAMED:
        return False
    return (
        sum(nearness(scope, cell) >= _NAMED for cell in grid.rows[row][grid.label_columns :]) == 1
    )


def held_words(scope: Scope, text: str) -> dict[Word, float]:
    """How far ``text`` holds each of the question's words."""
    ready = prepared(text)
    return {word: held(word, ready) for word in scope.words}


def _row_held(
    scope: Scope, grid: Grid, cells: Sequence[dict[Word, float]], row: int, column: int
) -> dict[Word, float]:
    """What the row holds beside the cell itself: its other cells and its group's label."""
    group = prepared(grid.groups[row])
    compound = prepared(f"{grid.row_label(row)}{grid.corner}")  # 営業職員 of チャネル
    japanese = scope.asked.language == "ja" and column >= grid.label_columns
    others = [cell for place, cell in enumerate(cells) if place != column]
    return {
        word: max(
            held(word, group),
            held(word, compound) if japanese else 0.0,
            *(cell[word] for cell in others),
        )
        for word in scope.words
    }


def _hinted(scope: Scope, grid: Grid, column: int) -> bool:
    """True when the header says what «how high», «how long» ask for (height, duration)."""
    header = prepared(grid.column_header(column))
    return any(held(hint, header) >= 1.0 for hint in scope.asked.hints)


def _only_candidate(scope: Scope, grid: Grid, column: int) -> bool:
    """True when the kind of answer alone leaves no other column of figures."""
    if scope.asked.kind != "number" or column < grid.label_columns:
        return False
    figures = [
        place
        for place in range(grid.label_columns, len(grid.rows[0]))
        if any(is_figure(grid.rows[row][place]) for row in grid.body())
        and not is_years(grid, place)
        and (scope.asked.change or not _is_change(grid, place))
    ]
    units = scope.asked.units
    if units:
        figures = [place for place in figures if _has_unit(grid, place, units)] or figures
    return figures == [column]


def _has_unit(grid: Grid, column: int, units: Sequence[str]) -> bool:
    stated = fold_text(grid.unit(grid.header_rows, column))
    cells = [fold_text(grid.rows[row][column]) for row in grid.body()]
    return stated in units or any(cell.endswith(tuple(units)) for cell in cells)


def _hit(
    scope: Scope, grid: Grid, row: int, column: int, layers: Sequence[dict[Word, float]]
) -> Hit | None:
    value = grid.rows[row][column]
    if not _may_answer(scope, grid, value, row, column) or _has_twin(grid, row, column):
        return None
    merged = {word: max(layer[word] for layer in layers) for word in scope.words}
    coverage, unmet = scope.share(merged)
    if unmet or coverage < ENOUGH_IN_CELLS:
        return None
    label, header = label_of(scope, grid, row, column), without_unit(grid.column_header(column))
    named = any(nearness(scope, cell) > _NAMED for cell in grid.rows[row][: grid.label_columns])
    amount = is_figure(value) and scope.asked.kind in ("number", "value")
    if amount and not named and another(scope, label):
        return None
    if amount and _turned_round(scope, grid, row, column):
        return None
    around = (label, header, grid.groups[row], grid.corner, grid.node.caption or "")
    if amount and without_modifier(scope, (*around, grid.above.title, *grid.rows[row])):
        return None
    near = nearness(scope, label) + nearness(scope, header)
    score = coverage + 0.25 * near + 0.2 + _VERBATIM * verbatim(scope, header)
    hit = statement(scope, grid, row, column, coverage=coverage, score=score)
    if whole(scope, label, [grid.column_header(column), grid.groups[row], grid.corner]):
        more = _WHOLE + (_STATEMENT if _is_statement(grid) else 0.0)
        hit = replace(hit, score=score + more, whole=is_figure(value))
    return hit


def _turned_round(scope: Scope, grid: Grid, row: int, column: int) -> bool:
    """True for a row or column of the other side of a limit, or without what it should be with."""
    label, header = grid.row_label(row), grid.column_header(column)
    labels = [grid.row_label(place) for place in grid.body()]
    headers = [grid.column_header(place) for place in range(grid.label_columns, len(grid.rows[0]))]
    return (
        other_side(scope.asked.core, f"{header}\n{label}")
        or contrary(scope.asked.core, label, labels)
        or contrary(scope.asked.core, header, headers)
    )


def _is_statement(grid: Grid) -> bool:
    path = [fold_text(heading).strip() for heading in grid.node.section_path]
    notes = any(_NOTE.match(heading) for heading in path)
    return not notes and any(_STATEMENTS.match(heading) for heading in path[-2:])


def _is_run(value: str) -> bool:
    """True for a whole column in one cell, as parsers leave it: many figures or lines."""
    return len(_FIGURES.findall(value)) > _MOST_FIGURES


def _is_pair(value: str) -> bool:
    """True for two figures in one cell, none of which is the other's spread: «(7.5) 9.2»."""
    numbers = _FIGURES.findall(value)
    bare = not any(char.isalpha() for char in value)
    return len(numbers) == _PAIR and bare and value.lstrip().startswith(("(", "（"))


def _is_change(grid: Grid, column: int) -> bool:
    """True for a cell that its header or caption calls a change (増減, growth)."""
    around = f"{grid.column_header(column)} {grid.node.caption or ''}"
    return tells_change(fold_text(around))


def _counts(scope: Scope, grid: Grid, row: int, column: int) -> bool:
    """True for a plain number under or beside the noun that «how many» names."""
    around = f"{grid.column_header(column)} {grid.row_label(row)} {grid.corner} {grid.node.caption or ''}"
    named = {stem(piece) for piece in re.findall(r"[a-z-]+", fold_text(around))}
    return stem(scope.asked.counted) in named


def _has_twin(grid: Grid, row: int, column: int) -> bool:
    """True where another column has the very same header and another figure of the same kind:
    the heads above them were lost, so whose the figure is nobody can tell.
    """
    value, header = grid.rows[row][column], grid.column_header(column)
    if not header or column < grid.label_columns or not is_figure(value):
        return False
    return any(
        place != column
        and grid.column_header(place) == header
        and is_figure(other)
        and other != value
        and ("%" in fold_text(other)) == ("%" in fold_text(value))
        and not grid.named_by(row, column)
        for place, other in enumerate(grid.rows[row][grid.label_columns :], grid.label_columns)
    )


def _may_answer(scope: Scope, grid: Grid, value: str, row: int, column: int) -> bool:
    """True when a cell has the form of what is asked: a figure, a date, a name."""
    if not any(map(str.isalnum, value)) or _is_run(value) or _is_pair(value):
        return False
    if scope.asked.change and not _is_change(grid, column):
        return False
    match scope.asked.kind:
        case "number":
            if "%" in scope.asked.units and not _is_share(grid, value, row, column):
                return False
            if scope.asked.counted:
                return is_figure(value) and _counts(scope, grid, row, column)
            return is_figure(value) or (value[0].isdigit() and len(value.split()) <= 3)
        case "date":
            return any(char.isdigit() for char in value)
        case "label":
            return len(value) <= 200 and any(char.isalpha() for char in value)
        case "value":
            return len(value) <= 200
        case "text":
            header = prepared(grid.column_header(column))
            asked = any(held(word, header) >= 1.0 for word in scope.asked.head)
            return asked and (len(value) >= 16 or is_figure(value))


def _is_share(grid: Grid, value: str, row: int, column: int) -> bool:
    """True for a cell that says, or whose table says, that it is a share of a whole."""
    first = next((c for r in grid.body() if is_figure(c := grid.rows[r][column])), "")
    around = [value, grid.column_header(column), grid.node.caption or "", grid.corner]
    around += [grid.row_label(row), grid.groups[row], grid.unit(row, column), grid.above.unit_line]
    if "%" in fold_text(first):  # as with a currency, the sign may stand in the first row alone
        around.append(first)
    return _SHARE.search(fold_text(" ".join(around))) is not None
