"""Sensors that take things in: companies, filings, transcripts, PDFs.

Here: each sensor reads, asks a pure function what is next, and requests it. Taking files in
stands in ``register``, the inbox's state in ``inbox``; questions have ``question_sensor``,
EDINET's list ``listing_sensor``, and what joins the steps is in ``chain_sensors``. Run keys
hold the content's version: a repeated run key is dropped for ever.

https://docs.dagster.io/guides/automate/sensors
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import dagster as dg

from g2_pipelines.defs.assets.company import read_companies
from g2_pipelines.defs.inbox import MANIFEST, Cursor, InboxFile, list_inbox, next_files
from g2_pipelines.defs.partitions import (
    companies,
    contiguous_ranges,
    documents,
    range_tags,
)
from g2_pipelines.defs.register import ManifestRow, manifest_row, read_manifest, register
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.keys import digest_of

#: Files or keys a tick may take in; a tick has 60 s.
CHUNK = 200


@dataclass
class Taken:
    """What a tick took in: keys by partition set, with a version each, and what was refused."""

    keys: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def requests(
    wanted: Collection[str],
    existing: Sequence[str],
    job: str,
    version: str,
    limit: int,
) -> tuple[list[str], list[dg.RunRequest]]:
    """The keys to add and one run request per contiguous range, new keys last and sorted."""
    fresh = sorted(set(wanted) - set(existing))
    ordered = [*existing, *fresh]
    return fresh, [
        dg.RunRequest(
            run_key=f"{job}:{version}:{digest_of(' '.join(keys).encode())[:16]}",
            job_name=job,
            tags=range_tags(keys),
        )
        for keys in contiguous_ranges(set(wanted), ordered, limit)
    ]


def _result(
    context: dg.SensorEvaluationContext,
    taken: Taken,
    definition: dg.DynamicPartitionsDefinition,
    job: str,
    cursor: Cursor,
    *,
    limit: int,
) -> dg.SensorResult | dg.SkipReason:
    for name, why in taken.refused.items():
        context.log.error("%s: %s", name, why)
    name = definition.name or ""
    existing = context.instance.get_dynamic_partitions(name)
    version = f"{cursor.generation}:{digest_of(repr(sorted(taken.keys.items())).encode())[:16]}"
    fresh, runs = requests(taken.keys, existing, job, version, limit)
    context.update_cursor(cursor.model_dump_json())
    if not runs and taken.refused:
        return dg.SkipReason("Refused: " + "; ".join(f"{n}: {w}" for n, w in taken.refused.items()))
    return dg.SensorResult(
        run_requests=runs,
        dynamic_partitions_requests=[definition.build_add_request(fresh)] if fresh else [],
    )


def _manifest(ws: Workspace, kind: str) -> dict[str, ManifestRow]:
    path = ws.home.inbox(kind) / MANIFEST
    return read_manifest(path.read_bytes(), str(path)) if path.exists() else {}


def take_files(ws: Workspace, kind: str, files: Iterable[InboxFile]) -> Taken:
    """Register inbox files of one kind; a refused one costs nothing else."""
    taken = Taken()
    manifest = _manifest(ws, kind)
    types: Mapping[str, str] = {"filings": "filing", "transcripts": "transcript", "pdfs": "pdf"}
    for file in files:
        name = file.relative.rsplit("/", 1)[-1]
        row = manifest_row(name, manifest, file.folders).model_copy(
            update={"file": name, "type": types[kind]}
        )
        try:
            registered = register(ws, file.path.read_bytes(), row)
        except G2Error as error:
            taken.refused[file.relative] = str(error)
            continue
        taken.keys[registered.key] = digest_of(
            f"{taken.keys.get(registered.key, '')}{file.relative}{file.signature}".encode()
        )[:16]
    return taken


def _inbox_sensor(
    kind: str, definition: dg.DynamicPartitionsDefinition, job: str, batch_size: int
) -> dg.SensorDefinition:
    @dg.sensor(
        name=f"inbox_{kind}",
        job_name=job,
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description=f"Takes in files of inbox/{kind} and asks for `{job}` of what they concern."
        " The files stay where they are.",
    )
    def inbox(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        cursor = Cursor.parse(context.cursor)
        files, _ = next_files(list_inbox(workspace.home.inbox(kind)), cursor, CHUNK)
        if not files:
            return dg.SkipReason(f"Nothing new in inbox/{kind}")
        try:
            taken = take_files(workspace, kind, files)
        except G2Error as error:
            return dg.SkipReason(str(error))
        after = cursor.after({file.relative: file.signature for file in files})
        return _result(context, taken, definition, job, after, limit=batch_size)

    return inbox


def _companies_sensor(batch_size: int) -> dg.SensorDefinition:
    @dg.sensor(
        name="inbox_companies",
        job_name="sources",
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Registers the companies of companies.csv; asks for `sources` of those that"
        " already have a filing.",
    )
    def new_companies(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        try:
            listed = read_companies(workspace.home.companies_csv)
        except G2Error as error:
            return dg.SkipReason(str(error))
        existing = set(context.instance.get_dynamic_partitions(companies.name or ""))
        fresh = sorted(set(listed) - existing)[:CHUNK]
        if not fresh:
            return dg.SkipReason("No new company in companies.csv")
        ready = {code: "new" for code in fresh if workspace.registry.filings(code)}
        version = digest_of(" ".join(fresh).encode())[:16]
        ordered = context.instance.get_dynamic_partitions(companies.name or "")
        _, runs = requests(ready, [*ordered, *fresh], "sources", version, batch_size)
        return dg.SensorResult(
            run_requests=runs, dynamic_partitions_requests=[companies.build_add_request(fresh)]
        )

    return new_companies


def build_inbox_sensors(batch_size: int) -> list[dg.SensorDefinition]:
    """The sensors that take in companies and files."""
    return [
        _companies_sensor(batch_size),
        _inbox_sensor("filings", companies, "sources", batch_size),
        _inbox_sensor("transcripts", companies, "sources", batch_size),
        _inbox_sensor("pdfs", documents, "documents", batch_size),
    ]
