"""Sensors that take things in: companies, filings, transcripts, PDFs.

Here: each sensor reads, asks a pure function what is next, and requests it. Taking files in
stands in ``register``, the inbox's state in ``inbox``; questions have ``question_sensor``,
EDINET's list ``listing_sensor``, and what joins the steps is in ``chain_sensors``. Run keys
hold the content's version: a repeated run key is dropped for ever.

https://docs.dagster.io/guides/automate/sensors
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import dagster as dg

from g2_pipelines.defs.assets.company import read_followed
from g2_pipelines.defs.inbox import (
    MANIFEST,
    InboxFile,
    link_fault,
    list_inbox,
    load_cursor,
    next_files,
    read_bounded,
    save_cursor,
)
from g2_pipelines.defs.instance import add_keys
from g2_pipelines.defs.manifest import ManifestRow, manifest_row, read_manifest
from g2_pipelines.defs.noting import Due, note_lists_read_before
from g2_pipelines.defs.partitions import companies, documents
from g2_pipelines.defs.register import MAX_FILE_BYTES, members, register
from g2_pipelines.defs.rejected import in_words, note_refusals
from g2_pipelines.defs.run_requests import ask
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.keys import digest_of

#: Files or keys a tick may take in, and the seconds after which it begins no other file. A
#: tick has 60 s; a filing takes one to read.
CHUNK, BUDGET_S = 200, 20.0
MAX_MANIFEST_BYTES = 32 * 1024 * 1024


@dataclass
class Taken:
    """What a tick took in: keys with a version each, what was refused, what was looked at."""

    keys: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)


def _manifest(ws: Workspace, kind: str) -> dict[str, ManifestRow]:
    folder = ws.home.inbox(kind)
    path = folder / MANIFEST
    if not path.exists():
        return {}
    file = InboxFile(path, str(path), "", 0.0, fault=link_fault(folder, path))
    return read_manifest(read_bounded(file, MAX_MANIFEST_BYTES), str(path))


def outside(manifest: Mapping[str, ManifestRow]) -> str:
    """What is wrong with lines that name no file of the inbox, "" if there are none."""
    names = [
        name
        for name in manifest
        if name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/")
    ]
    if not names:
        return ""
    told = ", ".join(repr(name[:80]) for name in names[:5])
    return f"Not read, since a line names files of the inbox only: {told}"


def with_manifest(
    files: Iterable[InboxFile], manifest: Mapping[str, ManifestRow]
) -> list[InboxFile]:
    """The files with their manifest line in the signature: a line that comes late is news."""
    found: list[InboxFile] = []
    for file in files:
        row = manifest.get(file.relative) or manifest.get(file.relative.rsplit("/", 1)[-1])
        if row is not None:
            line = digest_of(row.model_dump_json().encode())[:16]
            file = replace(file, signature=f"{file.signature}:{line}")  # noqa: PLW2901
        found.append(file)
    return found


_TYPES: Mapping[str, str] = {"filings": "filing", "transcripts": "transcript", "pdfs": "pdf"}


def take_files(
    ws: Workspace,
    kind: str,
    files: Iterable[InboxFile],
    manifest: Mapping[str, ManifestRow],
    *,
    budget_s: float = BUDGET_S,
) -> Taken:
    """Register inbox files of one kind; a refused one costs nothing else.

    At least one is taken; none is begun after ``budget_s``. What was not begun is not in
    ``seen`` and comes again.
    """
    taken = Taken()
    until = time.monotonic() + budget_s
    for file in files:
        if taken.seen and time.monotonic() > until:
            break
        name = file.relative.rsplit("/", 1)[-1]
        if kind == "pdfs" and name.lower().endswith(".zip") and not file.fault:
            taken.refused[file.relative] = "A zip is not taken in here. Unpack it into this folder"
            taken.seen[file.relative] = file.signature
            continue
        row = manifest_row(name, manifest, file.folders).model_copy(
            update={"file": name, "type": _TYPES[kind]}
        )
        try:
            registered = [
                register(ws, part, own)
                for part, own in members(read_bounded(file, MAX_FILE_BYTES), row)
            ]
        except FileNotFoundError:  # taken away since the folder was read
            continue
        except G2Error as error:
            taken.refused[file.relative] = str(error)
            taken.seen[file.relative] = file.signature
            continue
        taken.seen[file.relative] = file.signature
        for key in {one.key for one in registered}:
            taken.keys[key] = digest_of(
                f"{taken.keys.get(key, '')}{file.relative}{file.signature}".encode()
            )[:16]
    return taken


def _ready(ws: Workspace, kind: str, keys: Mapping[str, str]) -> dict[str, str]:
    """Keys whose run can do something: a transcript alone waits for its company's filing."""
    if kind != "transcripts":
        return dict(keys)
    return {
        key: version
        for key, version in keys.items()
        if ws.registry.filings(key) or ws.registry.listed(key)
    }


def _inbox_sensor(
    kind: str, definition: dg.DynamicPartitionsDefinition, job: str, batch_size: int
) -> dg.SensorDefinition:
    @dg.sensor(
        name=f"inbox_{kind}",
        job_name=job,
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description=f"Takes in files of inbox/{kind} and asks for `{job}` of what they concern."
        " The files stay where they are; notes on refused ones lie in outbox/rejected.",
    )
    def inbox(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        home = workspace.home
        before = load_cursor(home, kind, context.cursor)
        try:
            manifest = _manifest(workspace, kind)
        except G2Error as error:
            note_refusals(home, kind, {MANIFEST: ""}, {MANIFEST: str(error)})
            return dg.SkipReason(str(error))
        strange = outside(manifest)
        note_refusals(home, kind, {MANIFEST: ""}, {MANIFEST: strange} if strange else {})
        there = with_manifest(list_inbox(home.inbox(kind)), manifest)
        files, _ = next_files(there, before, CHUNK)
        if not files:
            return dg.SkipReason(f"Nothing new in inbox/{kind}")
        taken = take_files(workspace, kind, files, manifest)
        note_refusals(home, kind, taken.seen, taken.refused)
        for name, why in taken.refused.items():
            context.log.error("%s: %s", name, why)
        gone = before.seen.keys() - {file.relative for file in there}
        after = before.without(gone).after(taken.seen)
        add_keys(context.instance, definition, sorted(taken.keys))
        runs = ask(
            context.instance,
            _ready(workspace, kind, taken.keys),
            definition,
            job,
            generation=after.generation,
            limit=batch_size,
        )
        context.update_cursor(save_cursor(home, kind, before, after))
        if runs:
            return dg.SensorResult(run_requests=runs)
        waiting = f"{len(taken.keys)} taken in, and nothing to ask for yet" if taken.keys else ""
        return dg.SkipReason("; ".join(filter(None, (in_words(taken.refused), waiting))))

    return inbox


def _companies_sensor(batch_size: int) -> dg.SensorDefinition:
    @dg.sensor(
        name="inbox_companies",
        job_name="sources",
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Registers the companies to follow: those of companies.csv and, by setting,"
        " all listed ones of EDINET's code list. Asks for `sources` of those that have a filing,"
        " also one in a list of EDINET that was read before.",
    )
    def new_companies(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        try:
            listed = read_followed(workspace)
        except G2Error as error:
            return dg.SkipReason(str(error))
        existing = set(context.instance.get_dynamic_partitions(companies.name or ""))
        fresh = sorted(set(listed) - existing)[:CHUNK]
        if not fresh:
            return dg.SkipReason("No new company to follow")
        due = Due()
        note_lists_read_before(workspace, fresh, due)
        for line in due.unread:
            context.log.error("%s", line)
        add_keys(context.instance, companies, fresh)
        for code in fresh:
            if workspace.registry.filings(code):
                due.add(code, "", "new")
        runs: list[dg.RunRequest] = []
        for year, wanted in sorted(due.by_year.items()):
            runs += ask(
                context.instance,
                wanted,
                companies,
                "sources",
                generation=digest_of(" ".join(fresh).encode())[:16],
                limit=batch_size,
                fiscal_year=year,
            )
        if runs:
            return dg.SensorResult(run_requests=runs)
        return dg.SkipReason(f"{len(fresh)} companies registered, none has a filing yet")

    return new_companies


def build_inbox_sensors(batch_size: int) -> list[dg.SensorDefinition]:
    """The sensors that take in companies and files."""
    return [
        _companies_sensor(batch_size),
        _inbox_sensor("filings", companies, "sources", batch_size),
        _inbox_sensor("transcripts", companies, "sources", batch_size),
        _inbox_sensor("pdfs", documents, "documents", batch_size),
    ]
