"""The EDINET listing's sensor and schedule: new filings of followed companies.

Here: the daily schedule (off until switched on, for it needs a key and calls a public
service) and the sensor that turns a day's list into runs for the companies concerned. The
download itself happens in ``filings``, under the client's rate limit.

https://docs.dagster.io/guides/automate/schedules
"""

import datetime as dt
from collections.abc import Sequence
from zoneinfo import ZoneInfo

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.chain import ChainCursor, new_versions
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.registry import ListedFiling
from g2_pipelines.defs.sensors import ask
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line1 import Listing
from g2_pipelines.tables.store import read_table

#: EDINET rewrites past lists daily (withdrawals, edits): so many are read again each morning.
REREAD_DAYS = 7


def days_to_read(today: dt.date) -> list[str]:
    """The days whose list is read on the morning of ``today``, oldest first."""
    return [(today - dt.timedelta(days=back)).isoformat() for back in range(REREAD_DAYS, 0, -1)]


def build_listing_schedule() -> dg.ScheduleDefinition:
    """The schedule ``refresh_filings``: the lists of the last days, each morning in Japan."""

    @dg.schedule(
        name="refresh_filings",
        job_name="listing",
        cron_schedule="30 6 * * *",
        execution_timezone="Asia/Tokyo",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="Reads EDINET's lists of the last days again. Needs G2_EDINET_API_KEY.",
    )
    def refresh_filings(context: dg.ScheduleEvaluationContext) -> list[dg.RunRequest]:
        at = context.scheduled_execution_time.astimezone(ZoneInfo("Asia/Tokyo"))
        return [
            dg.RunRequest(run_key=f"{at.date().isoformat()}:{day}", partition_key=day)
            for day in days_to_read(at.date())
        ]

    return refresh_filings


def listed_filings(rows: Sequence[Listing], followed: Sequence[str]) -> list[ListedFiling]:
    """The annual reports and corrections among ``rows`` of the companies that are followed."""
    from g2_pipelines.edinet.select import annual_reports

    return [
        ListedFiling(
            edinet_code=row.edinetCode,
            document_id=row.docID,
            document_type=row.docTypeCode,
            amends=row.parentDocID,
            description=row.docDescription,
        )
        for row in annual_reports(rows, frozenset(followed))
        if row.edinetCode and row.docID and row.docTypeCode
    ]


def build_listing_sensor(batch_size: int) -> dg.SensorDefinition:
    """The sensor ``filings_listed``."""

    @dg.sensor(
        name="filings_listed",
        job_name="sources",
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Asks for `sources` of followed companies that EDINET lists a filing of.",
    )
    def filings_listed(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        found, cursor = new_versions(
            context.instance, [specs.EDINET_LISTING], ChainCursor.parse(context.cursor)
        )
        followed = context.instance.get_dynamic_partitions(companies.name or "")
        due: dict[str, str] = {}
        table = specs.table_name(specs.EDINET_LISTING)
        for day in sorted(found):
            rows = read_table(workspace.home.table(table, day), Listing)
            for filing in listed_filings(rows, followed):
                code = filing.edinet_code
                # Noted by a tick that was lost: still to be downloaded.
                if workspace.registry.add_listed(filing) or filing in workspace.registry.listed(
                    code
                ):
                    due[code] = f"{due.get(code, '')}{filing.document_id}"
        context.update_cursor(cursor.model_dump_json())
        runs = ask(
            context.instance,
            due,
            companies,
            "sources",
            generation=digest_of(repr(sorted(cursor.after.items())).encode())[:16],
            limit=batch_size,
        )
        if runs:
            return dg.SensorResult(run_requests=runs)
        return dg.SkipReason(f"{len(found)} lists read, no new filing of a followed company")

    return filings_listed
