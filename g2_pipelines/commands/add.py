"""``g2 add``: files are registered and what they concern is materialized.

Here: the row per file and its state. Taking a file in stands in ``defs.register``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from g2_pipelines.commands.files import read_input
from g2_pipelines.commands.outputs import AddedFile, AddOutput
from g2_pipelines.commands.printing import record, sentence_of
from g2_pipelines.commands.runs import PartitionSet, failure_of, run_chain
from g2_pipelines.defs.manifest import FileType, ManifestRow, read_manifest
from g2_pipelines.defs.pulls import fetch, puller
from g2_pipelines.defs.register import Registered, members, register
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import EXIT_CODES, G2Error, InputError


def add_files(
    ws: Workspace,
    files: Sequence[Path],
    *,
    company: str | None,
    fiscal_year: str | None,
    manifest: Path | None,
    run: bool,
    pull: bool = False,
    kind: str | None = None,
) -> tuple[AddOutput, list[int]]:
    """Register ``files`` (or all of ``manifest``) and run their lines; (rows, exit codes).

    ``kind`` is their type: pdf, transcript, filing, or that of a configured company text.
    With ``pull`` (or the setting) a file that is not there is fetched from its line's url.
    """
    listed = read_manifest(read_input(manifest), str(manifest)) if manifest else {}
    given = {"edinet_code": company, "fiscal_year": fiscal_year, **_typed(kind)}
    wanted = [(file, _row(file, listed, given)) for file in files]
    if manifest:
        named = {row.file for _, row in wanted}
        wanted += [(manifest.parent / r.file, r) for r in listed.values() if r.file not in named]
    given_here = len(files)
    if not wanted:
        raise InputError(
            "There is nothing to add",
            file=str(manifest) if manifest else "",
            remedy="Write a line a file into it" if manifest else "Give files or --manifest",
        )
    ws.home.make_inbox()
    registered: list[tuple[Path, Registered | G2Error]] = []
    source = _Source(ws, pull=pull or ws.settings.pull)
    for number, (file, row) in enumerate(wanted):
        try:
            if manifest and number >= given_here:
                _stay_below(manifest.parent, file)
            content = source.read(file, row)
            for part, own in members(content, row.model_copy(update={"file": file.name})):
                inside = file if own.file == file.name else file / own.file
                registered.append((inside, register(ws, part, own)))
        except G2Error as error:
            registered.append((file, error))
    failures = _run(ws, [r for _, r in registered if isinstance(r, Registered)]) if run else {}
    rows: list[AddedFile] = []
    codes: list[int] = []
    for file, outcome in registered:
        fault = (
            outcome
            if isinstance(outcome, G2Error)
            else outcome.fault or failures.get((outcome.partitions, outcome.key))
        )
        rows.append(_added(file, outcome, fault))
        codes.append(EXIT_CODES[fault.kind] if fault else 0)
    return AddOutput(files=rows), codes


def _stay_below(folder: Path, file: Path) -> None:
    """Refuse a manifest's path that leads out of its folder.

    A manifest comes with the files, from somebody else maybe: it must not have other files of
    ours taken in, shown and sent to a model.
    """
    try:
        inside = file.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # name too long, null byte, links in a circle
        inside = False
    if not inside:
        raise InputError(
            "The manifest's path leads out of its folder, or is none",
            file=str(file)[:300],
            remedy="Put the file below the manifest, or give it as an argument too",
        )


class _Source:
    """Reads files, or fetches those that are not there."""

    def __init__(self, ws: Workspace, *, pull: bool) -> None:
        self._ws = ws
        self._client = puller(ws) if pull else None

    def read(self, file: Path, row: ManifestRow) -> bytes:
        if not row.url or _is_there(file):
            return read_input(file)
        if self._client is None:
            raise InputError(
                "The file is not there, and its url is not fetched unless asked to",
                file=str(file),
                remedy="Put it there, or run with --pull (G2_PULL=true)",
            )
        fetched = fetch(self._ws, self._client, row.url, file.name)
        if fetched.before is not None and row.edinet_code:
            for entry in self._ws.registry.transcripts(row.edinet_code):
                if entry.digest == fetched.before and entry.url == row.url:
                    self._ws.registry.drop_transcript(entry)  # the site has a newer version
        return fetched.content


def _is_there(file: Path) -> bool:
    try:
        return file.exists()
    except (OSError, ValueError):  # reading it says why it cannot be
        return True


def _typed(kind: str | None) -> dict[str, str | None]:
    if kind is None or kind in get_args(FileType):
        return {"type": kind}
    return {"type": "text", "text_type": kind}


def _row(
    file: Path,
    listed: dict[str, ManifestRow],
    given: dict[str, str | None],
) -> ManifestRow:
    row = listed.get(file.name) or listed.get(str(file)) or ManifestRow(file=file.name)
    return row.model_copy(update={name: value for name, value in given.items() if value})


def _run(
    ws: Workspace, registered: Sequence[Registered]
) -> dict[tuple[PartitionSet, str], G2Error]:
    failures: dict[tuple[PartitionSet, str], G2Error] = {}
    sets: tuple[PartitionSet, ...] = ("companies", "documents")
    for partitions in sets:
        keys = sorted({r.key for r in registered if r.partitions == partitions})
        for key in keys:
            failure = failure_of(run_chain(ws, partitions, [key]), key)
            if failure is not None:
                failures[partitions, key] = failure
    return failures


def _added(file: Path, outcome: Registered | G2Error, error: G2Error | None) -> AddedFile:
    if isinstance(outcome, G2Error):
        return AddedFile(file=str(file), state="failed", error=record(outcome))
    return AddedFile(
        file=str(file),
        key=outcome.key,
        type=outcome.type,
        document_id=outcome.document_id,
        state="failed" if error else "done" if outcome.news else "unchanged",
        error=record(error) if error else None,
    )


def add_words(output: AddOutput) -> str:
    """A line a file."""
    return "\n".join(
        f"{row.state:9} {row.type:10} {row.key:24} {row.file}"
        + (f"\n          {sentence_of(row.error)}" if row.error else "")
        for row in output.files
    )
