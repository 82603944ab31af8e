"""A home that follows invented companies on a local EDINET, run as Dagster would run it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import dagster as dg
from pydantic import SecretStr

from g2_pipelines.defs import specs
from g2_pipelines.defs.batch import Stored
from g2_pipelines.defs.partitions import range_tags
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line1 import FilingSection
from g2_pipelines.tables.store import read_table
from g2_pipelines_tests.defs.sensing import Ticker
from g2_pipelines_tests.edinet.builder import DEI, LONG, MDNA, POLICY, block, filing_members
from g2_pipelines_tests.edinet.builder import zip_bytes as zipped
from g2_pipelines_tests.edinet.server import KEY, LocalEdinet, Row, local_edinet, row

__all__ = ["Following", "Stored", "filing_zip", "follow", "listed"]


#: What runs log is in their events.
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def filing_zip(
    code: str, year: str, *, corrects: str = "", policy: str = "", mdna: str = "x"
) -> bytes:
    """A small filing of an invented company; ``year`` is YYYY-MM, ``mdna`` "" leaves it out."""
    end = f"{year}-{'28' if year.endswith('02') else '30' if year.endswith(('06', '09')) else '31'}"
    dei = {**DEI, "EDINETCodeDEI": code, "CurrentFiscalYearEndDateDEI": end}
    dei |= {"CurrentPeriodEndDateDEI": end, "FilerNameInJapaneseDEI": f"{code}株式会社"}
    if corrects:
        dei |= {"AmendmentFlagDEI": "true", "NumberOfSubmissionDEI": "2"}
        dei |= {"IdentificationOfDocumentSubjectToAmendmentDEI": corrects}
    parts = [block(POLICY, f"<p>{policy or f'{code}の{year}の方針。'}{LONG}</p>")]
    if mdna:
        parts.append(block(f"jpcrp_cor:{MDNA}", f"<p>{code}の{year}の分析。{LONG}</p>"))
    return zipped(filing_members("".join(parts), dei=dei))


def listed(number: int, document_id: str, code: str | None, year: str, **more: object) -> Row:
    """A row of an annual report's filing."""
    values: Row = {
        "edinetCode": code,
        "filerName": f"{code}株式会社",
        "ordinanceCode": "010",
        "formCode": "030000",
        "docTypeCode": "120",
        "periodEnd": f"{year}-31",
        "docDescription": f"有価証券報告書－{year}",
        "xbrlFlag": "1",
        "legalStatus": "1",
    }
    return row(number, document_id, **(values | more))


@dataclass
class Following:
    """The home, its Dagster instance and the EDINET it reads."""

    ws: Workspace
    instance: dg.DagsterInstance
    edinet: LocalEdinet
    ticker: Ticker
    results: list[dg.ExecuteInProcessResult] = field(default_factory=list)

    def run(
        self,
        job: str,
        tags: Mapping[str, str] | None = None,
        *,
        key: str | None = None,
        config: Mapping[str, object] | None = None,
    ) -> dg.ExecuteInProcessResult:
        """A run of a job in this process."""
        result = self.ticker.defs.resolve_job_def(job).execute_in_process(
            instance=self.instance,
            partition_key=key,
            tags=dict(tags or {}),
            run_config={**QUIET, **(config or {})},
            raise_on_error=False,
        )
        self.results.append(result)
        return result

    def read(self, days: Sequence[str]) -> dg.ExecuteInProcessResult:
        """One run of ``listing`` over a range of days, as a backfill launches it."""
        return self.run("listing", range_tags(days))

    def work(self, sensor: str) -> list[tuple[list[str], str, bool]]:
        """Do what one tick asks for: its partitions, fiscal year, and whether it succeeded."""
        done = []
        for request in self.ticker.tick(sensor)[0]:
            result = self.run(request.job_name or "", request.tags, config=request.run_config)
            ops = request.run_config.get("ops", {})
            [year] = [step["config"]["fiscal_year"] for step in ops.values()] or [""]
            done.append((self.ticker.keys(request.tags), year, result.success))
        return done

    def read_days(self) -> set[str]:
        """Days that were read."""
        return set(self.instance.get_materialized_partitions(specs.EDINET_LISTING))

    def sections(self, company: str, *, used: bool = True) -> list[FilingSection]:
        """A company's sections with text: those in force, or those that are history."""
        rows = read_table(self.ws.home.table("filing_sections", company), FilingSection)
        return [r for r in rows if r.text and (r.superseded_by is None) == used]

    def metadata(self, asset: dg.AssetKey, partition: str) -> dict[str, object]:
        """What the last materialization of a partition shows."""
        records = self.instance.fetch_materializations(
            dg.AssetRecordsFilter(asset, asset_partitions=[partition]), limit=1
        ).records
        event = records[0].asset_materialization
        assert event is not None
        return {
            name: _rows(value) if isinstance(value, dg.TableMetadataValue) else value.value
            for name, value in event.metadata.items()
        }

    def table(self, asset: dg.AssetKey, partition: str, name: str) -> list[tuple[object, ...]]:
        """A table of the last materialization's metadata."""
        rows = self.metadata(asset, partition)[name]
        assert isinstance(rows, list)
        return rows


def _rows(table: dg.TableMetadataValue) -> list[tuple[object, ...]]:
    names = [column.name for column in table.schema.columns]
    return [tuple(record.data[name] for name in names) for record in table.records]


@contextmanager
def follow(
    home: Path | str, companies: Sequence[str], *, key: str = KEY, instance_dir: Path | None = None,
    **settings: object,
) -> Iterator[Following]:  # fmt: skip
    """A home that follows ``companies``; nothing is listed or downloaded yet."""
    with local_edinet() as edinet:
        given: dict[str, object] = {
            "home": str(home),
            "edinet_base_url": edinet.url,
            "edinet_api_key": SecretStr(key),
            "edinet_interval_s": 0,
            "edinet_code_list_url": edinet.url.replace("api/v2", "codelist/Edinetcode.zip"),
        }
        ws = Workspace(Settings(_env_file=None, **(given | settings)))  # type: ignore[arg-type]
        storage = (
            dg.DagsterInstance.ephemeral()
            if instance_dir is None
            else dg.DagsterInstance.local_temp(str(instance_dir))
        )
        with storage as instance:
            instance.add_dynamic_partitions("companies", list(companies))
            yield Following(ws, instance, edinet, Ticker(ws, instance))
