"""EDINET's code list (EDINETコードリスト) → companies, and its merged codes.

Here: reading the zip or CSV of either list. Not here: downloading or choosing companies. Used
by ``defs``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from g2_pipelines.edinet.archive import open_archive
from g2_pipelines.edinet.errors import CodeListError, CorruptArchiveError
from g2_pipelines.tables.line1 import CodeMerger, Company

_COLUMNS = {
    "edinet_code": "ＥＤＩＮＥＴコード",
    "name": "提出者名",
    "name_english": "提出者名（英字）",
    "securities_code": "証券コード",
    "industry": "提出者業種",
    "fiscal_year_end": "決算日",
}
_COMPANIES, _MERGERS = "Edinetcode.zip", "ESE140190.csv"
_CODE = re.compile(r"[A-Z]\d{5}")
_COUNT = re.compile(r"(\d+)件")
_MERGED, _USED, _MERGED_ON = "廃止EDINETコード", "継続EDINETコード", "集約処理日"


def read_code_list(content: bytes) -> list[Company]:
    """Companies of ``Edinetcode.zip`` (or the CSV in it), in its order.

    The CSV is cp932; row 1 holds the date and count, row 2 the header. ``fiscal_year_end`` is
    as written there (``3月31日``); empty fields are None.

    Raises:
        CodeListError: not the code list, or a row without a code.
    """
    rows = _rows(_text(content))
    header = next((i for i, row in enumerate(rows[:5]) if _COLUMNS["edinet_code"] in row), None)
    if header is None or _COLUMNS["name"] not in rows[header]:
        raise _bad("There is no header row with ＥＤＩＮＥＴコード and 提出者名", "header")
    places = {k: rows[header].index(v) for k, v in _COLUMNS.items() if v in rows[header]}
    said = next((m for row in rows[:header] for cell in row if (m := _COUNT.fullmatch(cell))), None)
    companies = []
    for number, row in enumerate(rows[header + 1 :], start=header + 2):
        if not any(row):
            continue
        values = {k: row[at].strip() for k, at in places.items() if at < len(row)}
        if not _CODE.fullmatch(values.get("edinet_code", "")) or not values.get("name"):
            raise _bad("A row has no EDINET code or name", f"row {number}")
        companies.append(Company(**{k: v or None for k, v in values.items()}))
    if said and int(said.group(1)) != len(companies):
        raise _bad(
            f"The list says that it has {said.group(1)} rows and holds {len(companies)}", "row 1"
        )
    return companies


def read_mergers(content: bytes) -> list[CodeMerger]:
    """The retired codes of EDINETコード集約一覧 (``ESE140190.csv``), in its order.

    cp932; row 1 is the title, row 2 the header (specification 3-1-8-2).

    Raises:
        CodeListError: not that list, or a row without two codes.
    """
    rows = [[cell.strip() for cell in row] for row in _rows(_text(content))]
    heads = [[cell.replace(" ", "") for cell in row] for row in rows[:5]]
    header = next((i for i, row in enumerate(heads) if _MERGED in row and _USED in row), None)
    if header is None:
        raise _bad(f"There is no header row with {_MERGED} and {_USED}", "header", _MERGERS)
    merged, used = heads[header].index(_MERGED), heads[header].index(_USED)
    day = heads[header].index(_MERGED_ON) if _MERGED_ON in heads[header] else None
    found: list[CodeMerger] = []
    for number, row in enumerate(rows[header + 1 :], start=header + 2):
        if not any(row):
            continue
        codes = [row[at] if at < len(row) else "" for at in (merged, used)]
        if not all(_CODE.fullmatch(code) for code in codes):
            raise _bad("A row has no two EDINET codes", f"row {number}", _MERGERS)
        date = row[day] if day is not None and day < len(row) and row[day] else None
        found.append(CodeMerger(merged=codes[0], used=codes[1], date=date))
    return found


def codes_in_use(mergers: Sequence[CodeMerger]) -> dict[str, str]:
    """The code used now by each retired code, through several mergers; a circle ends itself."""
    step = {merger.merged: merger.used for merger in mergers}
    result: dict[str, str] = {}
    for code in step:
        now, seen = code, {code}
        while now in step and step[now] not in seen:
            now = step[now]
            seen.add(now)
        result[code] = now
    return result


def _rows(text: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text))
    try:
        return list(reader)
    except csv.Error as error:
        raise _bad(f"The CSV cannot be read ({error})", f"line {reader.line_num}") from error


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


def _bad(message: str, place: str, name: str = _COMPANIES) -> CodeListError:
    return CodeListError(
        message,
        file="code list",
        place=place,
        remedy=f"Download {name} from EDINET again",
    )
