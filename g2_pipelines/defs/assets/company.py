"""The company of a partition, as the list of companies or else its own filing names it.

Here: the one look-up that several assets share. The list itself is ``companies.csv``.
"""

from __future__ import annotations

import csv
import io
from functools import lru_cache

from upath import UPath

from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.keys import check_key
from g2_pipelines.tables.line1 import Company, Filing
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.store import read_table

COLUMNS = tuple(Company.model_fields)


class CompanyListError(InputError):
    """companies.csv is not what it should be."""

    code = "bad_company_list"


def read_companies(path: UPath) -> dict[str, Company]:
    """companies.csv by EDINET code; empty if there is no such file.

    Raises:
        CompanyListError: wrong encoding, columns or codes; names the line.
    """
    if not path.exists():
        return {}
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CompanyListError(
            "The list of companies is not UTF-8", file=str(path), remedy="Save it as UTF-8"
        ) from error
    reader = csv.DictReader(io.StringIO(text))
    missing = {"edinet_code", "name"} - set(reader.fieldnames or ())
    if missing:
        raise CompanyListError(
            f"The list of companies lacks {', '.join(sorted(missing))}",
            file=str(path),
            place="line 1",
            remedy="Its columns are " + ", ".join(COLUMNS),
        )
    found: dict[str, Company] = {}
    for line, row in enumerate(reader, start=2):
        code = check_key((row["edinet_code"] or "").strip(), f"EDINET code in line {line}")
        values = {name: (row.get(name) or "").strip() or None for name in COLUMNS}
        found[code] = Company.model_validate(
            {**values, "edinet_code": code, "name": values["name"] or code}
        )
    return found


def read_followed(home: Home) -> dict[str, Company]:
    """The companies to follow: companies.csv, else the listed ones of EDINET's code list.

    The code list is ``G2_HOME/Edinetcode.zip`` as EDINET gives it; of its 11,000 entries only
    those with a securities code are followed. Empty where there is neither file.

    Raises:
        CompanyListError, CodeListError: the file is not what it should be.
    """
    if home.companies_csv.exists():
        return read_companies(home.companies_csv)
    path = home.root / "Edinetcode.zip"
    if not path.exists():
        return {}
    return dict(_listed(bytes(path.read_bytes())))


@lru_cache(maxsize=1)
def _listed(code_list: bytes) -> dict[str, Company]:
    """Kept, because each stage of each company asks for its name."""
    from g2_pipelines.edinet.codelist import read_code_list

    rows = read_code_list(code_list)
    return {company.edinet_code: company for company in rows if company.securities_code}


def read_company(ws: Workspace, edinet_code: str) -> Company:
    """The company, from the list or from its newest filing.

    Raises:
        MissingTableError: neither names it.
    """
    listed = read_followed(ws.home).get(edinet_code)
    if listed is not None:
        return listed
    filing = max(
        read_table(ws.home.table("filings", edinet_code), Filing), key=lambda f: f.fiscal_year
    )
    return Company(
        edinet_code=edinet_code,
        name=filing.filer_name,
        name_english=filing.filer_name_english,
        securities_code=filing.securities_code,
    )
