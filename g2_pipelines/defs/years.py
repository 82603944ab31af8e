"""Fiscal years inside a company's partition: replace one, keep the others.

Here: reading and writing the rows of one year of a table that holds all years. Nothing
here knows Dagster.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from upath import UPath

from g2_pipelines.errors import NotYetError
from g2_pipelines.tables.rows import Row
from g2_pipelines.tables.store import MissingTableError, read_table, write_table

Y = TypeVar("Y", bound=Row)


def year_of(row: Row) -> str:
    """A row's fiscal year."""
    year = getattr(row, "fiscal_year", None)  # a protocol's isinstance costs ten times this
    if not isinstance(year, str):
        msg = f"{type(row).__name__} has no fiscal year"
        raise TypeError(msg)
    return year


def replace_year(path: UPath, model: type[Y], fiscal_year: str, rows: Sequence[Y]) -> str:
    """Put ``rows`` in the place of the stored rows of their year; returns the table's digest.

    Raises:
        DamagedTableError: the stored table cannot be read; it is left as it is.
    """
    try:
        kept = [row for row in read_table(path, model) if year_of(row) != fiscal_year]
    except MissingTableError:
        kept = []
    merged = sorted([*kept, *rows], key=year_of)
    return write_table(path, merged, model)


def read_year(path: UPath, model: type[Y], fiscal_year: str) -> list[Y]:
    """The stored rows of one year (may be none).

    Raises:
        MissingTableError: the table has not been made yet.
    """
    return [row for row in read_table(path, model) if year_of(row) == fiscal_year]


def newest(years: Sequence[str], company: str) -> str:
    """The newest of ``years``.

    Raises:
        NotYetError: there is none.
    """
    if not years:
        msg = "No annual report is registered for this company"
        raise NotYetError(
            msg, file=company, remedy="Add its zip with `g2 add`, or wait for EDINET's listing"
        )
    return max(years)
