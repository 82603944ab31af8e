"""The step ``edinet_listing``: one day's list of documents from EDINET.

Here: the daily asset. The client stands in ``edinet.client``; who takes documents from the
list stands in ``sensors``.

https://docs.dagster.io/guides/build/partitions-and-backfills/partitioning-assets
"""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.failures import WORTH_A_RETRY
from g2_pipelines.defs.metadata import table_metadata
from g2_pipelines.defs.partitions import listing_days
from g2_pipelines.defs.steps import op_name
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import Listing
from g2_pipelines.tables.store import write_table


def build_listing() -> dg.AssetsDefinition:
    """The asset ``edinet_listing``."""
    spec = specs.asset_spec(
        specs.EDINET_LISTING,
        Listing,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="A day's list of EDINET documents, all 29 fields. Past days are rewritten"
        " by EDINET (withdrawals, edits), so they are read again.",
        kinds=("api", "polars", "parquet"),
    )

    @dg.multi_asset(
        name=op_name("listing"),
        specs=[spec],
        partitions_def=listing_days,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=1),
    )
    def listing(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        day = context.partition_key
        try:
            with workspace.edinet() as client:
                rows = client.list_day(dt.date.fromisoformat(day))
        except G2Error as error:
            raise dg.Failure(str(error), allow_retries=WORTH_A_RETRY[error.kind]) from error
        path = workspace.home.table(specs.table_name(specs.EDINET_LISTING), day)
        digest = write_table(path, rows, Listing)
        columns = ["docID", "edinetCode", "filerName", "docTypeCode", "docDescription"]
        yield dg.MaterializeResult(
            asset_key=specs.EDINET_LISTING,
            data_version=dg.DataVersion(digest),
            metadata=table_metadata(rows, columns, path),
        )

    return listing
