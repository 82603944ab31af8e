"""The EDINET listing's sensor and schedules: new filings of followed companies.

Here: when which days are read (schedules, off until switched on, for they need a key and call
a public service), and the sensor that turns a day's list into runs for the companies
concerned. The download itself happens in ``filings``, under the client's rate limit.

https://docs.dagster.io/guides/automate/schedules
"""

import datetime as dt
from collections.abc import Collection, Sequence
from zoneinfo import ZoneInfo

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.listing import decisions_of
from g2_pipelines.defs.chain import ChainCursor, new_events
from g2_pipelines.defs.days import LISTING, day_state
from g2_pipelines.defs.noting import Due, note_day, note_states
from g2_pipelines.defs.partitions import companies, contiguous_ranges, range_tags
from g2_pipelines.defs.run_requests import ask
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.edinet.changes import states
from g2_pipelines.errors import G2Error
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line1 import Listing
from g2_pipelines.tables.store import read_table

JAPAN = ZoneInfo("Asia/Tokyo")
#: Lists that a tick works through; it has 60 s, and a peak day's 1,800 rows take 0.05.
DAYS_PER_TICK = 250


def days_to_read(today: dt.date, read: Collection[str], *, again: int, catch_up: int) -> list[str]:
    """The days whose list is read on the morning of ``today``, oldest first.

    The last ``again`` days, for EDINET rewrites them nightly, and of the last ``catch_up``
    those that were never read: the scheduler was down, or their run failed.
    """
    back = [(today - dt.timedelta(days=n)).isoformat() for n in range(max(again, catch_up), 0, -1)]
    return [
        day for n, day in zip(range(len(back), 0, -1), back, strict=True)
        if n <= again or day not in read
    ]  # fmt: skip


def day_requests(days: Sequence[str], run_key: str) -> list[dg.RunRequest]:
    """A run request for each range of days that follow on one another."""
    if not days:
        return []
    first, last = (dt.date.fromisoformat(day) for day in (days[0], days[-1]))
    every = [(first + dt.timedelta(days=n)).isoformat() for n in range((last - first).days + 1)]
    return [
        dg.RunRequest(run_key=f"{run_key}:{keys[0]}:{keys[-1]}", tags=range_tags(keys))
        for keys in contiguous_ranges(set(days), every, len(every))
    ]


def build_listing_schedules() -> list[dg.ScheduleDefinition]:
    """``refresh_filings``, each morning in Japan, and ``watch_today``, during the day."""

    @dg.schedule(
        name="refresh_filings",
        job_name="listing",
        cron_schedule="30 6 * * *",
        execution_timezone="Asia/Tokyo",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="Reads EDINET's lists of the last days again, and days that were missed."
        " Needs G2_EDINET_API_KEY.",
    )
    def refresh_filings(
        context: dg.ScheduleEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> list[dg.RunRequest]:
        today = context.scheduled_execution_time.astimezone(JAPAN).date()
        given = workspace.settings
        read = context.instance.get_materialized_partitions(specs.EDINET_LISTING)
        days = days_to_read(
            today, read, again=given.edinet_reread_days, catch_up=given.edinet_catch_up_days
        )
        return day_requests(days, today.isoformat())

    @dg.schedule(
        name="watch_today",
        job_name="listing",
        cron_schedule="*/15 9-18 * * 1-5",
        execution_timezone="Asia/Tokyo",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="Reads today's list every quarter of an hour, for filings on the day itself."
        " Needs G2_EDINET_API_KEY.",
    )
    def watch_today(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
        at = context.scheduled_execution_time.astimezone(JAPAN)
        return dg.RunRequest(
            run_key=at.isoformat(timespec="minutes"), partition_key=at.date().isoformat()
        )

    return [refresh_filings, watch_today]


def build_listing_sensor(batch_size: int) -> dg.SensorDefinition:
    """The sensor ``filings_listed``."""

    @dg.sensor(
        name="filings_listed",
        job_name="sources",
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Asks for `sources` of followed companies that EDINET lists a filing of, or"
        " of which it withdrew one; for the filing's own fiscal year.",
    )
    def filings_listed(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        events, cursor = new_events(
            context.instance,
            [specs.EDINET_LISTING],
            ChainCursor.parse(context.cursor),
            limit=DAYS_PER_TICK,
        )
        followed = context.instance.get_dynamic_partitions(companies.name or "")
        days = sorted({event.partition for event in events})
        due, registry = Due(), workspace.registry
        for day in days:
            try:
                rows = read_table(workspace.home.table(LISTING, day), Listing)
            except G2Error as error:  # the day's own run says so too
                due.unread.append(str(error))
                continue
            note_states(registry, states(rows, as_of=day_state(workspace, day).as_of), due)
            note_day(registry, decisions_of(workspace, rows, followed), due)
        context.update_cursor(cursor.model_dump_json())
        runs = requests_of(context.instance, due, cursor, batch_size)
        words = due.words()
        for line in due.unread:
            context.log.error("%s", line)
        if words:
            context.log.info("%s", words)
        if runs:
            return dg.SensorResult(run_requests=runs)
        about = f"; {words}: a run that waits to begin will see it" if words else ""
        read = f"{len(days)} lists read" if days else "No list was read anew"
        unread = "".join(f"; {line}" for line in due.unread[:5])
        return dg.SkipReason(f"{read}, no new filing of a followed company{about}{unread}")

    return filings_listed


def requests_of(
    instance: dg.DagsterInstance, due: Due, cursor: ChainCursor, batch_size: int
) -> list[dg.RunRequest]:
    """Run requests of ``sources``, for each fiscal year by itself."""
    runs: list[dg.RunRequest] = []
    for year, wanted in sorted(due.by_year.items()):
        runs += ask(
            instance,
            wanted,
            companies,
            "sources",
            generation=digest_of(repr(sorted(cursor.after.items())).encode())[:16],
            limit=batch_size,
            fiscal_year=year,
        )
    return runs
