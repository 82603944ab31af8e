"""What an answer says of a table's cell: its label, its value with the unit, and the quotes.

Here: ``statement``, ``label_of``, ``with_unit`` and ``row_quote``. Which cell answers a question stands
in ``cells``. Used by ``cells``, ``ranks``, ``bounds`` and ``effects``.
"""

from __future__ import annotations

import re

from g2_pipelines.qa.grids import Grid, is_figure, without_unit
from g2_pipelines.qa.grounding import squeeze
from g2_pipelines.qa.hits import Hit, Scope
from g2_pipelines.qa.matching import held, prepared, words
from g2_pipelines.qa.pinned import Around
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines.text.fold import fold_text

_PERIOD = re.compile(r"\b(?:19|20)\d\d\b")
_YEAR_CELL = re.compile(r"(?:fy ?)?(?:19|20)\d\d(?:年度?)?")
_SPREAD = re.compile(r"([^()]*\d[^()]*?)\s*\([^()]*\d[^()]*\)")  #: 63.2% (0.4%)
HELD = 0.5  #: held less than this far, a text does not have a word


def is_years(grid: Grid, column: int) -> bool:
    """True for a column that says of which year each row is."""
    cells = [grid.rows[row][column] for row in grid.body() if grid.rows[row][column]]
    return bool(cells) and all(_YEAR_CELL.fullmatch(fold_text(cell)) for cell in cells)


def label_of(scope: Scope, grid: Grid, row: int, column: int) -> str:
    """What the row is called: its label, or the cell that the question names it by."""
    label = grid.row_label(row) if column >= grid.label_columns else ""
    if not grid.header_rows and _YEAR_CELL.fullmatch(fold_text(label)):
        return label  # a table by year
    named = max(
        (cell for place, cell in enumerate(grid.rows[row]) if place != column and cell),
        key=lambda cell: sum(held(word, prepared(cell)) for word in scope.words),
        default="",
    )
    words_in_label = sum(held(word, prepared(label)) for word in scope.words)
    if named and sum(held(word, prepared(named)) for word in scope.words) > words_in_label:
        return named
    if label and is_figure(label):
        return f"{without_unit(grid.corner)} {label}".strip()
    return label or named


def statement(
    scope: Scope, grid: Grid, row: int, column: int, *, coverage: float, score: float
) -> Hit:
    """The hit of a cell: the value with its unit, said with row and column, and its line."""
    value = grid.rows[row][column]
    unit = grid.unit(row, column) if is_figure(value) else ""
    shown = with_unit(value, unit)
    label, header = label_of(scope, grid, row, column), without_unit(grid.column_header(column))
    dated = [
        f"{grid.column_header(place) if words(header) else ''} {grid.rows[row][place]}".strip()
        for place in range(grid.label_columns, len(grid.rows[0]))
        if place != column and is_years(grid, place) and grid.rows[row][place]
    ]
    pair = grid.named_by(row, column)
    if pair and pair not in label:
        label = f"{label}・{pair}" if scope.asked.language == "ja" else f"{label}, {pair}"
    share_of = grid.share_of(row)
    if share_of and share_of not in label:
        label = f"{share_of}・{label}" if scope.asked.language == "ja" else f"{share_of}, {label}"
    named = f"{label} {header}".strip()
    if dated and label:
        label += f"（{dated[0]}）" if scope.asked.language == "ja" else f" ({dated[0]})"
    if scope.asked.language == "ja":
        answer = f"{label}の{header}は{shown}です。" if header else f"{label}は{shown}です。"
    elif label and _PERIOD.search(header):
        answer = f"{label} ({header}): {shown}."
    else:
        answer = f"{header} of {label}: {shown}." if header else f"{label}: {shown}."
    spread = _SPREAD.fullmatch(value)
    bare = spread[1].strip() if spread else value
    copied = CopiedValue(label=named, text=bare, unit=unit, node_id=grid.node.node_id)
    return Hit(
        short=shown,
        answer=answer,
        quotes=(
            Quote(node_id=grid.node.node_id, text=row_quote(grid, row, value)),
            *(Quote(node_id=node.node_id, text=node.text) for node in grid.above.nodes),
            *_introduced(scope, grid),
        ),
        coverage=coverage,
        score=score,
        values=(copied,) if is_figure(bare) else (),
        from_cell=True,
        column=grid.column_header(column),
        around=around_cell(grid, row, column),
    )


def around_cell(grid: Grid, row: int, column: int) -> Around:
    """Row, group and column of a cell, then its table's caption and title, then the headings."""
    beside = [cell for place, cell in enumerate(grid.rows[row]) if place < grid.label_columns]
    return Around(
        own=(*beside, grid.groups[row], grid.column_header(column), grid.named_by(row, column)),
        caption=(grid.node.caption or "", grid.above.title, grid.above.unit_line),
        headings=tuple(reversed(grid.node.section_path)),
    )


def _introduced(scope: Scope, grid: Grid) -> list[Quote]:
    """The lines before the table that alone hold a name of the question."""
    node = grid.node
    own = prepared("\n".join([node.text, node.caption or "", *node.section_path]))
    lacking = [word for word in scope.words if word.strict and held(word, own) < HELD]
    found: list[Quote] = []
    for word in lacking:
        line = next(
            (
                Quote(node_id=told.node_id, text=text.strip())
                for told in grid.above.told
                for text in told.text.splitlines()
                if held(word, prepared(text)) >= HELD
            ),
            None,
        )
        if line is not None and line not in found:
            found.append(line)
    return found


def with_unit(value: str, unit: str) -> str:
    """A cell as it is shown, with the unit that its table gives it."""
    if not unit or unit.casefold() in value.casefold():
        return value
    value = value.replace("$ ", "$")
    return f"{value} {unit}" if unit[0].isascii() and unit[0].isalpha() else f"{value}{unit}"


def row_quote(grid: Grid, row: int, value: str) -> str:
    """The row's line as it stands in the node's text, else the value's cell alone."""
    wanted = [cell for cell in dict.fromkeys(grid.rows[row]) if cell]
    for line in grid.node.text.splitlines():
        if [
            " ".join(cell.split()) for cell in dict.fromkeys(line.split("\t")) if cell.strip()
        ] == wanted:
            return line.strip()
    label, own = squeeze(grid.row_label(row)), squeeze(value)
    for line in f"{grid.node.text}\n{grid.node.ocr_text or ''}".splitlines():
        if grid.node.kind != "table" and squeeze(line).startswith(label) and own in squeeze(line):
            return line.strip()
    return value
