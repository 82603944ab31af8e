"""What a run of ``filings`` leaves to others: other fiscal years, and filings' PDFs.

Here: two sensors that read what ``assets.filings`` reports in its metadata. EDINET's lists
have ``listing_sensor``, the inbox ``sensors``, the joints of the lines ``chain_sensors``.

https://docs.dagster.io/guides/automate/sensors
"""

from collections.abc import Mapping

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.filings import PDF_DOCUMENTS, WAITING_YEARS
from g2_pipelines.defs.chain import ChainCursor, Made, new_events
from g2_pipelines.defs.partitions import companies, documents
from g2_pipelines.defs.run_requests import ask


def reported(event: Made, name: str) -> dict[str, str]:
    """What an event's metadata say is due, with its version; empty where there is nothing."""
    value = event.metadata.get(name)
    found = value.value if isinstance(value, dg.JsonMetadataValue) else None
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, Mapping) else {}


def build_filing_sensors(batch_size: int) -> list[dg.SensorDefinition]:
    """``other_years`` and ``filing_pdfs``."""

    @dg.sensor(
        name="other_years",
        job_name="sources",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Asks for `sources` of fiscal years whose filings came in with another"
        " year's: a run replaces one year.",
    )
    def other_years(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
        events, cursor = new_events(
            context.instance, [specs.FILINGS], ChainCursor.parse(context.cursor)
        )
        last = {event.partition: event for event in events}
        wanted: dict[str, dict[str, str]] = {}
        for company, event in last.items():
            for year, version in reported(event, WAITING_YEARS).items():
                wanted.setdefault(year, {})[company] = version
        context.update_cursor(cursor.model_dump_json())
        runs: list[dg.RunRequest] = []
        for year, due in sorted(wanted.items()):
            runs += ask(
                context.instance,
                due,
                companies,
                "sources",
                generation="waiting",  # not the cursor: a year that failed is asked for once
                limit=batch_size,
                fiscal_year=year,
            )
        return dg.SensorResult(run_requests=runs) if runs else dg.SkipReason("No year waits")

    @dg.sensor(
        name="filing_pdfs",
        job_name="documents",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Asks for `documents` of filings' PDFs that were registered"
        " (G2_EDINET_PDFS=register).",
    )
    def filing_pdfs(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
        events, cursor = new_events(
            context.instance, [specs.FILINGS], ChainCursor.parse(context.cursor)
        )
        due: dict[str, str] = {}
        for event in events:
            due |= reported(event, PDF_DOCUMENTS)
        context.update_cursor(cursor.model_dump_json())
        runs = ask(
            context.instance, due, documents, "documents", generation="filing", limit=batch_size
        )
        return dg.SensorResult(run_requests=runs) if runs else dg.SkipReason("No new PDF")

    return [other_years, filing_pdfs]
