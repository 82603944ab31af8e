"""The company of a partition, as the lists of companies or else its own filing name it.

Here: reading the lists that a person or EDINET gives (``companies.csv``, the code list, the
merged codes), whom they say to follow, and the one look-up that several assets share. The
asset ``companies`` stands in ``assets.companies``.
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


def read_followed(ws: Workspace) -> dict[str, Company]:
    """The companies to follow: those of companies.csv and, by setting, all listed ones.

    G2_EDINET_FOLLOW=listed adds the companies of EDINET's code list that have a securities
    code, some 3,900 of 11,000.

    Raises:
        CompanyListError, CodeListError: a list is not what it should be.
    """
    followed = read_companies(ws.home.companies_csv)
    if ws.settings.edinet_follow == "listed":
        listed = {c.edinet_code: c for c in code_list(ws.home).values() if c.securities_code}
        return listed | followed
    return followed


def code_list_path(home: Home) -> UPath:
    """EDINET's code list: downloaded by the asset ``companies``, or put there by a person."""
    return home.root / "Edinetcode.zip"


def code_list(home: Home) -> dict[str, Company]:
    """The companies of EDINET's code list by EDINET code; empty if it is not there yet.

    Raises:
        CodeListError: the file is not the code list.
    """
    path = code_list_path(home)
    return _code_list(bytes(path.read_bytes())) if path.exists() else {}


@lru_cache(maxsize=1)
def _code_list(content: bytes) -> dict[str, Company]:
    """Kept, because each stage of each company asks for its name."""
    from g2_pipelines.edinet.codelist import read_code_list

    return {company.edinet_code: company for company in read_code_list(content)}


def read_merged_codes(home: Home) -> dict[str, str]:
    """The code in use by retired code, of ``G2_HOME/ESE140190.csv``; empty without that file.

    Raises:
        CodeListError: the file is not EDINETコード集約一覧.
    """
    from g2_pipelines.edinet.codelist import codes_in_use, read_mergers

    path = home.root / "ESE140190.csv"
    return codes_in_use(read_mergers(bytes(path.read_bytes()))) if path.exists() else {}


def read_company(ws: Workspace, edinet_code: str) -> Company:
    """The company, from companies.csv, EDINET's code list or else its newest filing.

    Raises:
        MissingTableError: none of them names it.
    """
    listed = read_companies(ws.home.companies_csv).get(edinet_code)
    listed = listed or code_list(ws.home).get(edinet_code)
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
