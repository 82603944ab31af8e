"""Whose a number is: the row and column of a table's value beside what a reply calls it.

Here: ``copied`` (the place of a value whose label, column and unit fit), ``cell_fits`` (a label
names the value's own row and column and no other) and ``misplaced`` (numbers of an answer that stand in
other rows or columns than those it speaks of). Imported by ``verify`` and ``conclude``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.amounts import Amount, Held, amounts_in, plain_text, worth
from g2_pipelines.qa.grids import Grid, grid_of, without_unit
from g2_pipelines.qa.grounding import find_quote, squeeze
from g2_pipelines.qa.matching import Prepared, Word, held, prepared, words
from g2_pipelines.qa.places import place_of
from g2_pipelines.tables.line2 import CopiedValue, DocumentNode
from g2_pipelines.text.sentences import sentences

_WHOLE = 0.9


def cells_of(text: str, node: DocumentNode, grid: Grid) -> list[tuple[int, int]]:
    """The body's cells that are ``text``, else those that hold it."""
    wanted = squeeze(text)
    body = [(row, col) for row in grid.body() for col in range(len(grid.rows[row]))]
    same = [(row, col) for row, col in body if squeeze(grid.rows[row][col]) == wanted]
    only: dict[str, object] = {"caption": None, "ocr_text": None, "cells": []}
    return same or [
        (row, col)
        for row, col in body
        if find_quote(text, node.model_copy(update=only | {"text": grid.rows[row][col]}))
    ]


def copied(value: CopiedValue, node: DocumentNode, taken: Sequence[str]) -> str | None:
    """Where ``value`` was copied from, a place not in ``taken`` if there is one; None where its
    label or unit belongs to another row or column of the table.
    """
    grid = grid_of(node)
    if grid is None or not cells_of(value.text, node, grid):
        first = place_of(value.text, node)
        if first not in taken:
            return first
        return next((p for p in _occurrences(value.text, node) if p not in taken), first)
    places = [
        f"p.{node.page}, row {row + 1}, column {column + 1}"
        for row, column in own_cells(value, node, grid)
    ]
    return next((p for p in places if p not in taken), places[0] if places else None)


def _occurrences(text: str, node: DocumentNode) -> list[str]:
    """Every place in the node's text where ``text`` stands as a number or word of its own."""
    pattern = re.compile(rf"(?<![\w.,]){re.escape(text.strip())}(?![\w]|[.,]\d)")
    return [f"p.{node.page}, characters {m.start()}-{m.end()}" for m in pattern.finditer(node.text)]


def own_cells(value: CopiedValue, node: DocumentNode, grid: Grid) -> list[tuple[int, int]]:
    """The cells of ``value`` whose row, column and unit are those that the reply names.

    A label may say less than row and column, but no word that tells another row or column
    from the value's own.
    """
    return [
        place
        for place in cells_of(value.text, node, grid)
        if _unit_fits(value, grid, *place) and cell_fits(value.label, grid, *place)
    ]


def _unit_fits(value: CopiedValue, grid: Grid, row: int, column: int) -> bool:
    stated = grid.unit(row, column)
    if not value.unit or not stated:
        return True
    one, two = worth(value.unit), worth(stated)
    if one is None or two is None:  # no unit that is known as one: compared as words
        named, found = squeeze(value.unit), squeeze(stated)
        return named in found or found in named
    return one == two


def cell_fits(label: str, grid: Grid, row: int, column: int) -> bool:
    """True where no word of ``label`` belongs to another row or column alone."""
    beside = [*grid.rows[row], *(cells[column] for cells in grid.rows)]
    around = [grid.corner, grid.groups[row], grid.node.caption or "", *grid.node.section_path]
    own = prepared("\n".join([*beside, *around]))
    others = [prepared(grid.row_label(r)) for r in grid.body() if r != row]
    others += [prepared(grid.column_header(c)) for c in range(len(grid.rows[0])) if c != column]
    return not any(
        held(word, own) < _WHOLE and any(held(word, other) >= _WHOLE for other in others)
        for word in words(label)
    )


def misplaced(answer: str, sources: Held) -> list[str]:
    """Numbers of ``answer`` that only cells support whose rows it does not speak of.

    In a sentence that names rows of the table, a number must be of one of them; where names
    and numbers alternate, of the name before it.
    """
    wrong: list[str] = []
    plain = plain_text(answer)
    for start, end in sentences(plain):
        text = plain[start:end]
        said = amounts_in(text)
        for amount in said:
            cells = _cells(amount, sources)
            if cells and not any(
                _named(text, amount, said, (sources.grids[name], row, column))
                for name, row, column in cells
            ):
                wrong.append(amount.text.strip())
    return list(dict.fromkeys(wrong))


def _cells(amount: Amount, sources: Held) -> list[tuple[str, int, int]]:
    """The cells that support ``amount``; none where a text supports it too."""
    places = [held_amount.cell for held_amount in sources.support(amount)]
    return [] if None in places else [place for place in places if place is not None]


def _named(text: str, amount: Amount, said: Sequence[Amount], cell: tuple[Grid, int, int]) -> bool:
    grid, row, column = cell
    if row not in grid.body() or column < grid.label_columns:
        return True
    return _row_named(text, amount, said, grid, row) and _column_named(
        text, amount, grid, (row, column)
    )


def _row_named(text: str, amount: Amount, said: Sequence[Amount], grid: Grid, row: int) -> bool:
    spots: list[tuple[int, str]] = []
    for label in dict.fromkeys(grid.row_label(r) for r in grid.body()):
        plain = plain_text(label).strip()
        at = text.find(plain) if plain else -1
        if at >= 0 and not any(one.start <= at < one.end for one in said):
            spots.append((at, plain))
    # A label inside a longer one (North, North-East) is not named by it.
    spots = [
        (at, name)
        for at, name in spots
        if not any(b <= at and at + len(name) <= b + len(o) and o != name for b, o in spots)
    ]
    own = plain_text(grid.row_label(row)).strip()
    if not spots or not own:
        return True
    if own not in {name for _, name in spots}:
        return False
    marks = sorted([(at, name) for at, name in spots] + [(one.start, "") for one in said])
    names, figures = marks[0::2], marks[1::2]
    alternate = (
        len(spots) == len(said) > 1 and all(n for _, n in names) and not any(n for _, n in figures)
    )
    if not alternate:
        return True
    before = [name for at, name in names if at < amount.start]
    return before[-1:] == [own]


def _column_named(text: str, amount: Amount, grid: Grid, cell: tuple[int, int]) -> bool:
    """False where the sentence has all words of another column's header and none of its own.

    A number with its unit is not taken for one of a column of another unit.
    """
    ready = prepared(text)
    row, column = cell
    columns = [
        c
        for c in range(grid.label_columns, len(grid.rows[0]))
        if not amount.unit or grid.unit(row, c) == grid.unit(row, column)
    ]
    shared = set.intersection(*(set(words(without_unit(grid.column_header(c)))) for c in columns))
    if _holds_some(set(words(without_unit(grid.column_header(column)))) - shared, ready):
        return True
    others = [
        set(words(without_unit(grid.column_header(c)))) - shared for c in columns if c != column
    ]
    return not any(
        telling and all(held(word, ready) >= _WHOLE for word in telling) for telling in others
    )


def _holds_some(telling: set[Word], ready: Prepared) -> bool:
    return any(held(word, ready) >= _WHOLE for word in telling)
