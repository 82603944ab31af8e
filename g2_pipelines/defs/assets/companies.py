"""The step ``companies``: the company registry, from EDINET's code list.

Here: downloading the list, storing its table, and what the UI shows of it. Reading it stands
in ``edinet.codelist``, whom to follow and the look-up of one company in ``assets.company``.

https://docs.dagster.io/guides/build/assets/defining-assets
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import dagster as dg
from pydantic import Field

from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.company import (
    code_list,
    code_list_path,
    read_companies,
    read_followed,
    read_merged_codes,
)
from g2_pipelines.defs.failures import WORTH_A_RETRY
from g2_pipelines.defs.metadata import clip, table_metadata
from g2_pipelines.defs.steps import op_name
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error, NotYetError
from g2_pipelines.tables.line1 import Company
from g2_pipelines.tables.store import write_atomic, write_table


class CompaniesRun(dg.Config):
    """What a run of ``companies`` may be told."""

    download: bool = Field(
        default=True,
        description="Download EDINET's code list; else read G2_HOME/Edinetcode.zip as it lies there",
    )


def build_companies() -> dg.AssetsDefinition:
    """The asset ``companies``."""
    spec = specs.asset_spec(
        specs.COMPANIES,
        Company,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="The company registry: every filer of EDINET's code list with name,"
        " securities code, industry and the end of its fiscal year. companies.csv says who is"
        " followed; with G2_EDINET_FOLLOW=listed all that have a securities code are.",
        kinds=("csv", "polars", "parquet"),
    )

    @dg.multi_asset(name=op_name("companies"), specs=[spec])
    def companies(
        config: CompaniesRun, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        try:
            if config.download:
                _download(workspace)
            rows = list(code_list(workspace.home).values())
            if not rows:
                raise NotYetError(
                    "There is no code list",
                    file=str(code_list_path(workspace.home)),
                    remedy="Launch with `download: true`, or put EDINET's Edinetcode.zip there",
                )
            more = _explained(workspace, rows)
        except G2Error as error:
            raise dg.Failure(str(error), allow_retries=WORTH_A_RETRY[error.kind]) from error
        path = workspace.home.table(specs.table_name(specs.COMPANIES), "all")
        digest = write_table(path, rows, Company)
        columns = ["edinet_code", "name", "securities_code", "industry", "fiscal_year_end"]
        yield dg.MaterializeResult(
            asset_key=specs.COMPANIES,
            data_version=dg.DataVersion(digest),
            metadata={**table_metadata(rows, columns, path), **more},
        )

    return companies


def build_companies_schedule() -> dg.ScheduleDefinition:
    """``refresh_companies``: once a week; off until switched on, as it calls a public service."""
    return dg.ScheduleDefinition(
        name="refresh_companies",
        job_name="companies",
        cron_schedule="0 6 * * 1",
        execution_timezone="Asia/Tokyo",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="Downloads EDINET's code list anew. Needs no key.",
    )


def _download(ws: Workspace) -> None:
    """Replace the stored list by a good one; a bad answer leaves it as it is."""
    from g2_pipelines.edinet.codelist import read_code_list
    from g2_pipelines.edinet.fetch import fetch_code_list

    content = fetch_code_list(
        ws.settings.edinet_code_list_url,
        timeout_s=ws.settings.timeout_s,
        backoff_s=min(2.0, 2 * ws.settings.edinet_interval_s),
    )
    read_code_list(content)
    write_atomic(code_list_path(ws.home), content)


def _explained(ws: Workspace, rows: Sequence[Company]) -> dict[str, Any]:
    merged = read_merged_codes(ws.home)
    own = read_companies(ws.home.companies_csv)
    known = {row.edinet_code for row in rows}
    industries = Counter(row.industry or "—" for row in rows if row.securities_code)
    retired = [f"{code} is now {merged[code]}" for code in own if code in merged]
    unknown = [code for code in own if code not in known and code not in merged]
    lines = ["| industry | listed companies |", "|---|---|"]
    lines += [f"| {clip(name)} | {count} |" for name, count in industries.most_common()]
    return {
        "listed": sum(1 for row in rows if row.securities_code),
        "followed": len(read_followed(ws)),
        "industries": dg.MetadataValue.md("\n".join(lines)),
        "merged_codes": len(merged),
        "followed_under_a_retired_code": ", ".join(retired) or "none",
        "followed_and_not_in_the_list": ", ".join(unknown) or "none",
    }
