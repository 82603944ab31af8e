"""The company of a partition, as the list of companies or else its own filing names it.

Here: the one look-up that several assets share. The list itself is ``companies.csv``.
"""

from __future__ import annotations

from functools import lru_cache

from upath import UPath

from g2_pipelines.defs.lists import read_list
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.keys import is_key
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
    found: dict[str, Company] = {}
    for line, values in read_list(
        bytes(path.read_bytes()),
        str(path),
        title="The list of companies",
        columns=COLUMNS,
        needed=("edinet_code", "name"),
        wrong=CompanyListError,
        others=True,
    ):
        code = values.get("edinet_code", "")
        given = {name: values.get(name) for name in COLUMNS}
        row = Company.model_validate({**given, "edinet_code": code, "name": given["name"] or code})
        fault = (
            f"{code[:80]!r} is not a valid EDINET code"
            if not is_key(code)
            else f"An earlier line says something else of {code}"
            if found.setdefault(code, row) != row
            else ""
        )
        if fault:
            raise CompanyListError(
                fault,
                file=str(path),
                place=f"line {line}",
                remedy="Write one line a company, with its code of letters and digits, e.g. E02367",
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
