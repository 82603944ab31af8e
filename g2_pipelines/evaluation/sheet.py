"""A blind sheet: pairs of texts for human readers, who cannot know which is whose.

Here: ``make_sheet`` (order and sides by a seed, the key apart) and its CSV. Not here: the page
(``sheet_page``), reading what came back (``sheet_answers``). ``defs`` and ``cli`` may import this
module.

A sheet names no strategy, model or seed, and its id is of what a reader sees. Which text is
whose stands in the key alone. Half of the items show the left text as A.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from g2_pipelines.errors import InputError
from g2_pipelines.evaluation.report import text_digest
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.report import Where
from g2_pipelines.tables.rows import Row

SHEET, ITEM, READER, NOTE = "シート", "項目", "読み手", "メモ"
#: The votes: A, B, and no difference.
TIE = "同"
_FORMULA = frozenset("=+-@|%＝＋－＠")


class SheetError(InputError):
    """A sheet or its key is not what it should be; names row and column."""

    code = "bad_sheet"


@dataclass(frozen=True)
class SheetPair:
    """A pair to be read: texts and, as for a judge, the source passages of both."""

    edinet_code: str
    fiscal_year: str
    aspect: str
    company: str
    year_label: str
    label: str
    left: str
    right: str
    evidence: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Company, year and aspect."""
        return f"{self.edinet_code}/{self.fiscal_year}/{self.aspect}"


@dataclass(frozen=True)
class SheetItem:
    """What a reader sees of a pair; ``number`` counts from 1."""

    number: int
    company: str
    year_label: str
    label: str
    text_a: str
    text_b: str
    evidence: tuple[str, ...]


class KeyRow(Row):
    """Which text of an item is whose: ``a`` is the side of text A. Digests are the texts'."""

    sheet_id: str
    item: int
    edinet_code: str
    fiscal_year: str
    aspect: str
    a: Where
    left: str
    right: str
    left_digest: str
    right_digest: str


_KEY_COLUMNS = tuple(KeyRow.model_fields)


@dataclass(frozen=True)
class Sheet:
    """Items in the order in which they are read, their key, and pairs left out as equal."""

    sheet_id: str
    criteria: tuple[str, ...]
    items: list[SheetItem]
    key: list[KeyRow]
    equal: int


def make_sheet(
    pairs: Sequence[SheetPair],
    *,
    seed: int,
    left: str,
    right: str,
    criteria: Sequence[str],
    limit: int = 0,
) -> Sheet:
    """A sheet of the pairs; equal texts are left out and counted.

    Args:
        pairs: In any order; the seed decides which come first and which text is A.
        seed: Keep it as secret as the key.
        left: Whose the left texts are, for the key alone.
        right: Likewise.
        criteria: What is asked of each pair, as readers see it.
        limit: Items at most, chosen by the seed; 0 takes all.

    Raises:
        SheetError: there is no pair that differs.
    """
    different = [pair for pair in pairs if pair.left != pair.right]
    if not different:
        raise SheetError(
            "There are no two different texts to read",
            remedy="Make the texts of both sides first (jobs summaries and judgement)",
        )
    ordered = sorted(different, key=lambda pair: lot(seed, pair.key))
    ordered = ordered[:limit] if limit else ordered
    by_side = sorted(ordered, key=lambda pair: lot(seed, pair.key, "side"))
    left_is_a = {pair.key for pair in by_side[::2]}
    items = [
        _item(number, pair, left_is_a=pair.key in left_is_a)
        for number, pair in enumerate(ordered, start=1)
    ]
    sheet_id = "s-" + digest_of(repr(items).encode("utf-8", "surrogatepass"))[:12]
    key = [
        KeyRow(
            sheet_id=sheet_id,
            item=number,
            edinet_code=pair.edinet_code,
            fiscal_year=pair.fiscal_year,
            aspect=pair.aspect,
            a="left" if pair.key in left_is_a else "right",
            left=left,
            right=right,
            left_digest=text_digest(pair.left),
            right_digest=text_digest(pair.right),
        )
        for number, pair in enumerate(ordered, start=1)
    ]
    return Sheet(sheet_id, tuple(criteria), items, key, len(pairs) - len(different))


def lot(seed: int, key: str, what: str = "order") -> str:
    """A pair's place in the draw: the smallest come first."""
    return digest_of(f"{seed}\0{what}\0{key}".encode())


def _item(number: int, pair: SheetPair, *, left_is_a: bool) -> SheetItem:
    a, b = (pair.left, pair.right) if left_is_a else (pair.right, pair.left)
    return SheetItem(number, pair.company, pair.year_label, pair.label, a, b, pair.evidence)


def columns(criteria: Sequence[str]) -> list[str]:
    """The sheet's columns, in order."""
    return [SHEET, ITEM, "企業", "決算期", "観点", "文A", "文B", *criteria, READER, NOTE]


def sheet_csv(sheet: Sheet) -> bytes:
    """The sheet for a spreadsheet: UTF-8 with BOM, every cell quoted, none a formula."""
    rows = [
        [
            sheet.sheet_id,
            str(item.number),
            item.company,
            item.year_label,
            item.label,
            item.text_a,
            item.text_b,
            *("" for _ in sheet.criteria),
            "",
            "",
        ]
        for item in sheet.items
    ]
    return _csv([columns(sheet.criteria), *rows])


def key_csv(sheet: Sheet) -> bytes:
    """The key, to be kept from the readers."""
    rows = [[str(getattr(row, name)) for name in _KEY_COLUMNS] for row in sheet.key]
    return _csv([_KEY_COLUMNS, *rows])


def read_key(content: bytes, *, file: str) -> list[KeyRow]:
    """The key's rows.

    Raises:
        SheetError: it is not a key; names the row.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error) as error:
        raise SheetError("The key cannot be read", file=file, remedy="Give the key file") from error
    found = []
    for place, row in enumerate(rows, start=2):
        try:
            side: Literal["left", "right"] = "left" if row["a"] == "left" else "right"
            found.append(
                KeyRow(
                    sheet_id=row["sheet_id"],
                    item=int(row["item"]),
                    edinet_code=row["edinet_code"],
                    fiscal_year=row["fiscal_year"],
                    aspect=row["aspect"],
                    a=side,
                    left=row["left"],
                    right=row["right"],
                    left_digest=row["left_digest"],
                    right_digest=row["right_digest"],
                )
            )
        except (KeyError, ValueError, TypeError) as error:
            raise SheetError(
                "This is not the key of a sheet", file=file, place=f"row {place}"
            ) from error
    if not found:
        raise SheetError("The key holds no item", file=file, remedy="Give the key file")
    return found


def safe_cell(text: str) -> str:
    """``text`` as a spreadsheet shows it and never runs it.

    A cell that begins with a formula's sign (also full-width, or behind white space) gets an
    apostrophe (OWASP, CSV Injection).
    """
    lead = text.lstrip()[:1]
    return f"'{text}" if lead in _FORMULA or text[:1] in {"\t", "\r", "\n"} else text


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    for row in rows:
        writer.writerow([safe_cell(cell).replace("\0", "\ufffd") for cell in row])
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")
