"""The sample filings: made again they are the same, and their figures agree everywhere."""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from g2_pipelines.corpus.makers.filing_data import AOMINE, COMPANIES, MINATO, Company
from g2_pipelines.corpus.makers.filings import FOLDER, members_of, zip_of
from g2_pipelines.edinet.filing import ReadFiling, read_filing

BOTH = pytest.mark.parametrize("company", COMPANIES, ids=["aomine", "minato"])


def read(company: Company) -> ReadFiling:
    return read_filing(FOLDER / f"{company.document_id}.zip")


def text_of(filing: ReadFiling, section: str) -> str:
    return "\n".join(r.text for r in filing.sections if r.section == section)


@BOTH
def test_the_maker_makes_the_committed_zip(company: Company) -> None:
    committed = (FOLDER / f"{company.document_id}.zip").read_bytes()
    assert len(committed) < 300_000
    assert zip_of(company) == zip_of(company)
    with ZipFile(BytesIO(committed)) as archive, ZipFile(BytesIO(zip_of(company))) as again:
        # By member: another build of zlib may compress the same bytes otherwise.
        assert [(i.filename, i.date_time, i.CRC) for i in archive.infolist()] == [
            (i.filename, i.date_time, i.CRC) for i in again.infolist()
        ]
        assert {name: archive.read(name) for name in archive.namelist()} == members_of(company)


@BOTH
def test_the_sections_are_long_enough_and_without_warnings(company: Company) -> None:
    filing = read(company)
    assert filing.warnings == []
    assert all(r.warnings == [] for r in filing.sections)
    assert len("".join(text_of(filing, "policy").split())) >= 2_500
    assert len("".join(text_of(filing, "mdna").split())) >= 3_500
    mdna = next(r for r in filing.sections if r.section == "mdna")
    assert len(mdna.tables) >= 5
    assert len(mdna.images) == 1
    assert mdna.images[0].alt.endswith("した。")
    assert "△" in mdna.text


def test_the_two_filings_are_of_two_eras() -> None:
    a, b = read(AOMINE), read(MINATO)
    elements = {
        f.filing.document_id: r.element for f in (a, b) for r in f.sections if r.section == "mdna"
    }
    assert elements["S9000A01"].startswith("jpcrp_cor:")
    assert elements["S9000B01"].startswith("jpcrp030000-asr_E99002-000:")
    status = {r.section: r.status for r in b.sections}
    assert status.pop("sustainability") == "not_in_this_form"
    assert set(status.values()) == {"found"}
    assert {r.status for r in a.sections} == {"found"}
    assert text_of(a, "mdna").startswith("４【")
    assert text_of(b, "mdna").startswith("３【")


@BOTH
def test_dei_and_segments_are_the_companys(company: Company) -> None:
    filing = read(company)
    assert filing.filing.filer_name == company.name
    assert filing.filing.fiscal_year == company.period_end[:7]
    assert filing.filing.securities_code == company.securities_code
    assert filing.segments == [s.name for s in company.segments]
    assert filing.filing.segments == filing.segments


@BOTH
def test_the_instance_holds_the_same_text_as_the_pages(company: Company, tmp_path: Path) -> None:
    with ZipFile(FOLDER / f"{company.document_id}.zip") as archive:
        name = next(n for n in archive.namelist() if n.endswith(".xbrl") and "PublicDoc" in n)
        path = tmp_path / Path(name).name
        path.write_bytes(archive.read(name))
    whole, alone = read(company), read_filing(path, document_id=company.document_id)
    for section in ("policy", "mdna", "business", "risks", "research", "contracts"):
        assert text_of(alone, section).split() == text_of(whole, section).split()
    numbers = {(f.element, f.context, f.value) for f in whole.facts if "DEI" not in f.element}
    assert numbers == {
        (f.element, f.context, f.value) for f in alone.facts if "DEI" not in f.element
    }


@BOTH
def test_the_accounts_add_up(company: Company) -> None:
    for year in (0, 1):
        at = year - 2
        sales = company.sales[at]
        assert sum(s.sales[year] for s in company.segments) == sales
        profit = sum(s.profit[year] for s in company.segments) + company.adjustment[year]
        assert sales - company.cost_of_sales[year] - company.expenses[year] == profit
        assert profit == company.operating_series[at]
        ordinary = profit + company.other_income[year] - company.other_expenses[year]
        assert ordinary == company.ordinary[at]
        before_tax = ordinary - company.extraordinary_loss[year]
        assert before_tax - company.taxes[year] == company.net_income[at]
    assert (
        sum(s.employees for s in company.segments) + company.corporate_employees
        == company.employees[-1]
    )


@BOTH
def test_every_figure_of_the_accounts_stands_in_the_prose(company: Company) -> None:
    mdna = text_of(read(company), "mdna")
    figures = [company.sales[-1], company.ordinary[-1], company.net_income[-1]]
    figures += [company.total_assets[-1], company.net_assets[-1], company.operating_cash[-1]]
    figures += [v for s in company.segments for v in (*s.sales, *s.profit)]
    for figure in figures:
        assert f"{figure:,}" in mdna


@BOTH
def test_every_table_row_of_two_years_states_its_true_growth(company: Company) -> None:
    """前期, 当期, [増減額,] 増減率: worked out again from the row's own numbers."""
    checked = 0
    for row in read(company).sections:
        for line in row.text.split("\n"):
            cells = [_number(c) for c in line.split("\t")[1:]]
            if None in cells or len(cells) not in {3, 4, 6}:
                continue
            values = [c for c in cells if c is not None]
            groups = [values[:3], values[3:]] if len(values) == 6 else [values]
            for group in groups:
                before, after, rate = group[0], group[1], group[-1]
                if len(group) == 4 and abs(group[2]) > 100 and group[2] != after - before:
                    continue
                if len(group) == 3 and (rate == after - before or abs(rate) > 100):
                    continue
                if before <= 100 or after <= 100:
                    continue
                grown = (after - before) * 100 / before
                assert abs(grown - rate) < Decimal("0.06"), line
                checked += 1
    assert checked >= 10


def _number(cell: str) -> Decimal | None:
    if not re.fullmatch(r"△?[\d,]+(\.\d+)?", cell):
        return None
    return Decimal(cell.replace(",", "").replace("△", "-"))


def test_the_companies_of_the_corpus_are_the_filings() -> None:
    content = (files("g2_pipelines.corpus") / "companies.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(content.splitlines()))
    assert [
        (r["edinet_code"], r["name"], r["name_english"], r["securities_code"]) for r in rows
    ] == [(c.edinet_code, c.name, c.name_english, c.securities_code) for c in COMPANIES]
