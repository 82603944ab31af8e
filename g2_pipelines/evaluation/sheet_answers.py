"""Filled blind sheets read back: votes by reader, item and criterion.

Here: ``read_answers``, for one or several filled CSVs and the key. Not here: what votes come to
(``preferences``). ``defs`` and ``cli`` may import this module.

People fill these in spreadsheets: full-width letters, cp932 and missing columns happen. What is
not understood is an error with row and column, never a vote.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from g2_pipelines.evaluation.sheet import ITEM, READER, SHEET, TIE, KeyRow, SheetError
from g2_pipelines.tables.report import Preference, ReaderVote

_TIES = frozenset({TIE, "同じ", "T", "TIE", "=", "引き分け", "どちらともいえない", "-"})
_MAX_BYTES = 50_000_000
_SHOWN = 40


def read_answers(
    files: Sequence[tuple[str, bytes]], key: Sequence[KeyRow], criteria: Mapping[str, str]
) -> list[ReaderVote]:
    """All votes of the files, ordered by reader, item and criterion.

    Args:
        files: (name, content) of each filled CSV; a reader without a name is called as the
            file.
        key: The sheet's key.
        criteria: Key → the column's name.

    Raises:
        SheetError: another sheet, an unknown item, a vote that is none, two votes of one
            reader on one item; names file, row and column.
    """
    votes: list[ReaderVote] = []
    seen: dict[tuple[str, int], str] = {}
    for file, content in files:
        for row, reader, found in _file_votes(file, content, key, criteria):
            for vote in found:
                before = seen.setdefault((reader, vote.item), f"{file}: row {row}")
                if before != f"{file}: row {row}":
                    raise SheetError(
                        f"{reader[:_SHOWN]} has voted on item {vote.item} before, in {before}",
                        file=file,
                        place=f"row {row}, column {ITEM}",
                        remedy="Keep one of the two rows, or name the readers in their column",
                    )
            votes += found
    if not votes:
        raise SheetError(
            "No vote is filled in",
            file=", ".join(file for file, _ in files),
            place=", ".join(criteria.values()),
            remedy=f"Fill A, B or {TIE} into the criteria's columns",
        )
    order = list(criteria)
    return sorted(votes, key=lambda v: (v.reader, v.item, order.index(v.criterion)))


def sheet_id_of(file: str, content: bytes) -> str:
    """The id of the sheet that a filled CSV is of, by its first row with one.

    Raises:
        SheetError: it is no CSV, or has no such column or row.
    """
    rows = _rows(file, content)
    header = [_plain(cell) for cell in rows[0]] if rows else []
    if SHEET in header:
        place = header.index(SHEET)
        for row in rows[1:]:
            if _cell(row, place):
                return _cell(row, place)
    raise SheetError(
        f"Columns are missing: {SHEET}",
        file=file,
        place=f"row 1, column {SHEET}",
        remedy="Keep the sheet's first row and column as they were",
    )


def _file_votes(
    file: str, content: bytes, key: Sequence[KeyRow], criteria: Mapping[str, str]
) -> list[tuple[int, str, list[ReaderVote]]]:
    rows = _rows(file, content)
    header = [_plain(cell) for cell in rows[0]] if rows else []
    places = _places(file, header, criteria)
    sides = {row.item: row for row in key}
    sheet_id = key[0].sheet_id
    named = {_cell(row, places.get(READER)) for row in rows[1:]} - {""}
    found = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        said = _cell(row, places[SHEET])
        if said != sheet_id:
            raise _wrong(
                file, number, SHEET, f"Sheet {said[:_SHOWN]!r} is not {sheet_id}, the key's"
            )
        item = _item(file, number, _cell(row, places[ITEM]), sides)
        reader = _reader(file, number, _cell(row, places.get(READER)), named)
        votes = [
            ReaderVote(
                sheet_id=sheet_id,
                reader=reader,
                item=item.item,
                edinet_code=item.edinet_code,
                fiscal_year=item.fiscal_year,
                aspect=item.aspect,
                left_digest=item.left_digest,
                right_digest=item.right_digest,
                criterion=criterion,
                vote=vote,
            )
            for criterion, column in criteria.items()
            if column in places
            and (vote := _vote(file, number, column, _cell(row, places[column]), item)) is not None
        ]
        found.append((number, reader, votes))
    return found


def _rows(file: str, content: bytes) -> list[list[str]]:
    if len(content) > _MAX_BYTES:
        raise SheetError("The sheet is larger than 50 MB", file=file, remedy="Give a filled sheet")
    text = _decoded(file, content)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise SheetError(
            f"This is not CSV: {error}", file=file, remedy="Save the sheet as CSV (UTF-8)"
        ) from error


def _decoded(file: str, content: bytes) -> str:
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise SheetError(
        "The sheet is neither UTF-8 nor cp932", file=file, remedy="Save it as CSV (UTF-8)"
    )


def _places(file: str, header: Sequence[str], criteria: Mapping[str, str]) -> dict[str, int]:
    places = {name: place for place, name in reversed(list(enumerate(header))) if name}
    missing = [name for name in (SHEET, ITEM) if name not in places]
    if missing or not any(column in places for column in criteria.values()):
        absent = missing or list(criteria.values())
        raise SheetError(
            f"Columns are missing: {', '.join(absent)}",
            file=file,
            place=f"row 1, column {absent[0]}",
            remedy="Keep the sheet's first row as it was",
        )
    return places


def _item(file: str, row: int, said: str, sides: Mapping[int, KeyRow]) -> KeyRow:
    number = int(said) if said.isascii() and said.isdigit() and len(said) < 9 else 0
    if number not in sides:
        raise _wrong(file, row, ITEM, f"There is no item {said[:_SHOWN]!r} in this sheet")
    return sides[number]


def _reader(file: str, row: int, said: str, named: set[str]) -> str:
    """The row's reader; one name anywhere in the column counts for the whole file."""
    if said:
        return said
    if len(named) > 1:
        raise _wrong(file, row, READER, "The reader is not named, and the file has several")
    return next(iter(named), PurePath(file).stem)


def _vote(file: str, row: int, column: str, said: str, item: KeyRow) -> Preference | None:
    word = said.upper()
    if not word:
        return None
    if word in _TIES:
        return "tie"
    if word not in ("A", "B"):
        raise _wrong(file, row, column, f"{said[:_SHOWN]!r} is no vote")
    return item.a if word == "A" else ("right" if item.a == "left" else "left")


def _wrong(file: str, row: int, column: str, message: str) -> SheetError:
    return SheetError(
        message,
        file=file,
        place=f"row {row}, column {column}",
        remedy=f"Votes are A, B or {TIE}, or empty; leave the other columns as they were",
    )


def _cell(row: Sequence[str], place: int | None) -> str:
    return _plain(row[place]) if place is not None and place < len(row) else ""


def _plain(text: str) -> str:
    """A cell without the apostrophe that kept it from being a formula, full-width folded."""
    return unicodedata.normalize("NFKC", text).strip().removeprefix("'").strip()
