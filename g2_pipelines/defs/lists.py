"""CSV lists that people write: a manifest, the companies.

Here: reading one so that nothing in it is lost without a word. A cell too many, a column
twice, a broken quote, another encoding: each is an error that names the file, the line and
the columns. What the cells mean stands with the list's owner. Nothing here knows Dagster.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence

from g2_pipelines.errors import InputError


def read_list(
    content: bytes,
    name: str,
    *,
    title: str,
    columns: Sequence[str],
    needed: Collection[str],
    wrong: type[InputError],
    others: bool = False,
) -> list[tuple[int, dict[str, str]]]:
    """The lines of a CSV list as (number of its line, trimmed cells that are not empty).

    ``columns`` are those it knows, ``needed`` those it must have; ``others`` lets unknown
    ones pass. ``wrong`` is the error's type, ``title`` how a person calls the list.

    Raises:
        InputError: as ``wrong``; encoding, columns, quoting or a line's cells.
    """
    remedy = "Its columns are " + ", ".join(columns)
    try:
        reader = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
    except UnicodeDecodeError as error:
        raise wrong(f"{title} is not UTF-8", file=name, remedy=remedy) from error
    lines: list[tuple[int, dict[str, str]]] = []
    try:
        names = [cell.strip() for cell in next(reader, [])]
        detail = _columns_fault(names, columns if not others else names, needed)
        if detail:
            raise wrong(
                f"{title}'s columns are wrong: {detail}", file=name, place="line 1", remedy=remedy
            )
        for cells in reader:
            if len(cells) > len(names):
                raise wrong(
                    f"The line has {len(cells)} cells for {len(names)} columns",
                    file=name,
                    place=f"line {reader.line_num}",
                    remedy=f"Put a cell with a comma in quotes. {remedy}",
                )
            values = {k: v.strip() for k, v in zip(names, cells, strict=False) if v.strip()}
            if values:
                lines.append((reader.line_num, values))
    except csv.Error as error:
        raise wrong(
            f"{title} is not CSV: {error}",
            file=name,
            place=f"line {max(reader.line_num, 1)}",
            remedy=f"Save it as CSV with commas. {remedy}",
        ) from error
    return lines


def _columns_fault(names: Sequence[str], known: Collection[str], needed: Collection[str]) -> str:
    unknown = sorted(set(names) - set(known))
    if unknown:
        return "unknown " + ", ".join(n if n.isidentifier() else repr(n) for n in unknown)
    missing = sorted(set(needed) - set(names))
    if missing:
        return f"no column {', '.join(missing)}"
    twice = sorted({name for name in names if names.count(name) > 1})
    return f"{', '.join(repr(name) for name in twice)} stands there twice" if twice else ""
