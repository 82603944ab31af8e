"""The asset ``company_texts``: texts that configured source types read besides the two kinds.

Here: its spec and its work. It exists only where a source type has ``reader: company_text``.
Taking a text in stands in ``register_text``, reading formats in ``transcripts.readers``.

https://docs.dagster.io/guides/build/assets/defining-assets
"""

from __future__ import annotations

from pathlib import PurePath

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.filings import year_in_force
from g2_pipelines.defs.batch import Stored
from g2_pipelines.defs.metadata import table_metadata
from g2_pipelines.defs.register_text import text_types
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import read_year, replace_year
from g2_pipelines.keys import document_key
from g2_pipelines.tables.line1 import CompanyText

COMPANY_TEXTS = specs.key("company_texts")
SPEC = specs.asset_spec(
    COMPANY_TEXTS,
    CompanyText,
    group=specs.LINE_1,
    owner=specs.Owner.FILINGS,
    description="Clean text of the company's registered texts: product text, analyst report, news.",
    deps=(specs.FILINGS,),
)


def reads_texts(config: BriefConfig) -> bool:
    """Whether a source type reads company texts."""
    return bool(text_types(config))


async def make_company_texts(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Read the clean text of the company's registered texts, of the year and of every year.

    Raises:
        InputError: one of them cannot be read.
    """
    from g2_pipelines.transcripts.readers import read_text

    year = year_in_force(ws, run, company)
    rows: list[CompanyText] = []
    for entry in ws.registry.texts(company):
        if entry.fiscal_year not in (None, year):
            continue
        clean = read_text(ws.registry.original(entry.raw, entry.digest), entry.name)
        path = PurePath(entry.name)
        rows.append(
            CompanyText(
                edinet_code=company,
                fiscal_year=year,
                text_id=document_key(path.stem, entry.digest),
                text_type=entry.text_type,
                file=path.name,
                url=entry.url,
                digest=entry.digest,
                title=clean.title,
                text=clean.text,
                warnings=clean.warnings,
            )
        )
    path_of = ws.home.table("company_texts", company)
    digest = replace_year(path_of, CompanyText, year, rows)
    columns = ["text_id", "text_type", "file", "title", "text"]
    return Stored(digest, table_metadata(rows, columns, path_of, fiscal_year=year))


def read_texts(ws: Workspace, company: str, year: str) -> list[CompanyText]:
    """The year's company texts; none where no source type reads them.

    Raises:
        MissingTableError: they are read, and have not been made yet.
    """
    if not reads_texts(ws.brief_config):
        return []
    return read_year(ws.home.table("company_texts", company), CompanyText, year)
