"""EDINET's code list (EDINETコードリスト) → companies.

Here: reading the zip or CSV. Not here: downloading or choosing companies. Used by ``defs``.
"""

from __future__ import annotations

import csv
import io
import re

from g2_pipelines.edinet.archive import open_archive
from g2_pipelines.edinet.errors import CodeListError, CorruptArchiveError
from g2_pipelines.tables.line1 import Company

_COLUMNS = {
    "edinet_code": "ＥＤＩＮＥＴコード",
    "name": "提出者名",
    "name_english": "提出者名（英字）",
    "securities_code": "証券コード",
    "industry": "提出者業種",
    "fiscal_year_end": "決算日",
}
_CODE = re.compile(r"[A-Z]\d{5}")


def read_code_list(content: bytes) -> list[Company]:
    """Companies of ``Edinetcode.zip`` (or the CSV in it), in its order.

    The CSV is cp932; row 1 holds the date and count, row 2 the header. ``fiscal_year_end`` is
    as written there (``3月31日``); empty fields are None.

    Raises:
        CodeListError: not the code list, or a row without a code.
    """
    rows = list(csv.reader(io.StringIO(_text(content))))
    header = next((i for i, row in enumerate(rows[:5]) if _COLUMNS["edinet_code"] in row), None)
    if header is None or _COLUMNS["name"] not in rows[header]:
        raise _bad("There is no header row with ＥＤＩＮＥＴコード and 提出者名", "header")
    places = {k: rows[header].index(v) for k, v in _COLUMNS.items() if v in rows[header]}
    companies = []
    for number, row in enumerate(rows[header + 1 :], start=header + 2):
        if not any(row):
            continue
        values = {k: row[at].strip() for k, at in places.items() if at < len(row)}
        if not _CODE.fullmatch(values.get("edinet_code", "")) or not values.get("name"):
            raise _bad("A row has no EDINET code or name", f"row {number}")
        companies.append(Company(**{k: v or None for k, v in values.items()}))
    return companies


def _text(content: bytes) -> str:
    if content.startswith(b"PK"):
        try:
            with open_archive(content, "code list") as archive:
                names = [n for n in archive.names if n.lower().endswith(".csv")]
                if len(names) != 1:
                    raise _bad("The zip does not hold exactly one CSV", "zip")
                content = archive.read(names[0])
        except CorruptArchiveError as error:
            raise _bad("The zip cannot be read", "zip") from error
    try:
        if content.startswith(b"\xef\xbb\xbf"):
            return content.decode("utf-8-sig")
        return content.decode("cp932")
    except UnicodeDecodeError as error:
        raise _bad("The text is not cp932", "CSV") from error


def _bad(message: str, place: str) -> CodeListError:
    return CodeListError(
        message,
        file="code list",
        place=place,
        remedy="Download Edinetcode.zip from EDINET again",
    )
