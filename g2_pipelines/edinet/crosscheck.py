"""Our reading of a filing held against Arelle's: same facts, same text blocks.

Here: ``cross_check``, its limits and its result. Not here: Arelle itself, which runs in a
process of its own (``arelle_worker``), offline, with limits of time and memory. An optional
check: Arelle is the extra ``arelle``, and the taxonomy of the filing's year must lie in a
folder. Used by ``defs`` as an asset check.

Arelle reports success also when the taxonomy is not there: facts of unknown elements and all
text blocks are just gone (35 of 1,394 facts left of one filing, measured). So every taxonomy
schema that it could not load is looked at before any fact: that is ``taxonomy_missing``,
never ``no_facts`` and never a difference. Missing label files alone are no hindrance.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from g2_pipelines.edinet.archive import open_archive
from g2_pipelines.edinet.errors import (
    ArelleFailedError,
    ArelleLimitError,
    ArelleMissingError,
    TaxonomyFolderError,
)
from g2_pipelines.edinet.filing import ReadFiling
from g2_pipelines.edinet.pages import find_files
from g2_pipelines.edinet.xml import local_name
from g2_pipelines.pdf.parse import worker_environment
from g2_pipelines.tables.line1 import FilingSection
from g2_pipelines.tables.rows import Row

Outcome = Literal["same", "different", "taxonomy_missing", "no_facts"]
HOST = "disclosure.edinet-fsa.go.jp"
_INSTALL = "Install the extra: pip install 'g2_pipelines[arelle]'"
#: Differences named in a result; the counts are whole.
SHOWN = 50


@dataclass(frozen=True)
class CrossCheckLimits:
    """Limits of one filing's cross-check (measured: ≤ 13 s, ≤ 305 MB)."""

    timeout_s: float = 120.0
    memory_mb: int = 3_000


class FactDifference(Row):
    """A fact that the two read differently; None on the side that has no such fact."""

    element: str
    context: str
    ours: str | None
    arelle: str | None


class CrossCheck(Row):
    """What the comparison found.

    ``facts`` are numeric facts, ``blocks`` the sections' text blocks, both counted once.
    ``differences`` holds the first ``SHOWN`` of ``n_differences``. Where the outcome is
    taxonomy_missing nothing was compared and ``missing`` names the schemas.
    """

    outcome: Outcome
    document_id: str
    entry: Literal["instance", "inline"]
    facts: int = 0
    same_facts: int = 0
    blocks: int = 0
    same_blocks: int = 0
    n_differences: int = 0
    differences: list[FactDifference] = []
    missing: list[str] = []
    arelle_version: str = ""


def taxonomy_root(folder: Path) -> Path:
    """The folder ``taxonomy`` below which ``jpcrp/2023-12-01/…`` lies.

    ``folder`` may be it, its parent, or a cache of Arelle's (``http/HOST/taxonomy``).

    Raises:
        TaxonomyFolderError: there is none.
    """
    for candidate in (folder / "http" / HOST / "taxonomy", folder / "taxonomy", folder):
        if (candidate / "jpcrp").is_dir() or (candidate / "jpdei").is_dir():
            return candidate.resolve()
    raise TaxonomyFolderError(
        "The folder holds no EDINET taxonomy",
        file=str(folder),
        place="G2_EDINET_TAXONOMY",
        remedy="Unpack a year's taxonomy from the FSA there (taxonomy/jpcrp/…), or unset it",
    )


def cross_check(
    source: Path, read: ReadFiling, *, taxonomy: Path, limits: CrossCheckLimits | None = None
) -> CrossCheck:
    """Compare ``read``, made from ``source`` with its facts, with what Arelle reads from it.

    The instance is given to Arelle where there is one, else the inline pages by their
    manifest. Nothing is written but in a temporary folder, and nothing is downloaded.

    Raises:
        ArelleMissingError: the extra is not installed.
        TaxonomyFolderError: ``taxonomy`` holds no taxonomy of EDINET.
        ArelleLimitError: time or memory ran out.
        ArelleFailedError: Arelle ended without an answer.
        CorruptArchiveError, UnsafeArchiveError, NotAFilingError: as ``read_filing``.
    """
    limits = limits or CrossCheckLimits()
    if find_spec("arelle") is None:
        raise ArelleMissingError("Arelle is not installed", file=source.name, remedy=_INSTALL)
    root = taxonomy_root(taxonomy)
    with tempfile.TemporaryDirectory(prefix="g2-arelle-") as folder:
        work = Path(folder)
        cache = work / "cache"
        (cache / "http" / HOST).mkdir(parents=True)
        (cache / "http" / HOST / "taxonomy").symlink_to(root, target_is_directory=True)
        entries, kind = _unpack(source, read.filing.document_id, work / "filing")
        reply = _run(work, cache, entries, limits, source.name)
    schemas = sorted(
        url if url.startswith("http") else PurePosixPath(url).name
        for url in reply["missing"]
        if url.endswith(".xsd")
    )
    result = {
        "document_id": read.filing.document_id,
        "entry": kind,
        "arelle_version": reply["version"],
    }
    if schemas:
        return CrossCheck(outcome="taxonomy_missing", missing=schemas, **result)
    if not reply["facts"]:
        return CrossCheck(outcome="no_facts", **result)
    return _compared(read, reply["facts"], result)


def _unpack(
    source: Path, document_id: str, folder: Path
) -> tuple[list[str], Literal["instance", "inline"]]:
    """The filing's own files in ``folder``, by plain names, and what Arelle is to open."""
    folder.mkdir()
    with open_archive(source) as archive:
        files = find_files(archive, document_id)
        first = next(iter((*files.pages, *files.instances)), "")
        public = first.rpartition("/")[0]
        for name in archive.names:
            path = PurePosixPath(name)
            if str(path.parent) == (public or ".") and path.suffix in {
                ".xbrl",
                ".xsd",
                ".xml",
                ".htm",
            }:
                (folder / path.name).write_bytes(archive.read(name))
    if files.instances:
        return [str(folder / PurePosixPath(name).name) for name in files.instances], "instance"
    return [str(folder / "manifest_PublicDoc.xml")], "inline"


def _run(
    work: Path, cache: Path, entries: list[str], limits: CrossCheckLimits, name: str
) -> dict[str, Any]:
    reply = work / "reply.json"
    request = {
        "entries": entries,
        "cache": str(cache),
        "reply": str(reply),
        "memory_mb": limits.memory_mb,
    }
    (work / "request.json").write_text(json.dumps(request), encoding="utf-8")
    module = "g2_pipelines.edinet.arelle_worker"
    command = [sys.executable, "-P", "-m", module, str(work / "request.json")]
    with (work / "stderr").open("wb") as errors:
        process = subprocess.Popen(  # noqa: S603 - our own module
            command,
            env=worker_environment(work) | {"XDG_CONFIG_HOME": str(work)},
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        try:
            process.wait(timeout=limits.timeout_s)
        except subprocess.TimeoutExpired:
            raise ArelleLimitError(
                f"Arelle took longer than {limits.timeout_s:g} s", file=name
            ) from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if reply.is_file():
        answer: dict[str, Any] = json.loads(reply.read_text(encoding="utf-8"))
        return answer
    last = (work / "stderr").read_text(encoding="utf-8", errors="replace").strip()[-300:]
    if "MemoryError" in last or "alloc" in last:
        raise ArelleLimitError(f"Arelle needs more than {limits.memory_mb} MB", file=name)
    raise ArelleFailedError(
        f"Arelle ended without an answer ({last.splitlines()[-1] if last else 'no message'})",
        file=name,
        remedy="Run Arelle on the file by hand, or leave the cross-check out",
    )


def _compared(
    read: ReadFiling, theirs: Sequence[dict[str, Any]], head: dict[str, Any]
) -> CrossCheck:
    ours_by = _by_key(
        (local_name(f.element), f.context, f.value, f.decimals)
        for f in read.facts
        if f.unit is not None
    )
    arelle_by = _by_key(
        (f["element"], f["context"], f["value"], f["decimals"])
        for f in theirs
        if f["unit"] is not None
    )
    differences: list[FactDifference] = []
    same = 0
    for key in sorted(ours_by.keys() | arelle_by.keys()):
        ours, arelle = ours_by.get(key, set()), arelle_by.get(key, set())
        same += len(ours & arelle)
        if ours != arelle:
            differences.append(
                FactDifference(
                    element=key[0],
                    context=key[1],
                    ours=_shown(ours - arelle),
                    arelle=_shown(arelle - ours),
                )
            )
    blocks, same_blocks, wrong = _compared_blocks(read.sections, theirs)
    differences += wrong
    return CrossCheck(
        outcome="different" if differences else "same",
        facts=sum(len(values) for values in ours_by.values()),
        same_facts=same,
        blocks=blocks,
        same_blocks=same_blocks,
        n_differences=len(differences),
        differences=differences[:SHOWN],
        **head,
    )


def _by_key(
    facts: Iterable[tuple[str, str, str | None, str | None]],
) -> dict[tuple[str, str], set[tuple[str | None, str | None]]]:
    """Element and context → values with decimals."""
    found: dict[tuple[str, str], set[tuple[str | None, str | None]]] = {}
    for element, context, value, decimals in facts:
        found.setdefault((element, context), set()).add(
            (_plain(value), decimals if value is not None else None)
        )
    return found


def _plain(value: str | None) -> str | None:
    """One spelling a number: 1.50 and 1.5 are the same value."""
    if value is None:
        return None
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    if not number:
        return "0"  # Arelle keeps a sign on zero
    return f"{number.normalize():f}" if number.is_finite() else value


def _shown(values: set[tuple[str | None, str | None]]) -> str | None:
    texts = sorted(f"{value} (decimals {decimals})" for value, decimals in values)
    return "; ".join(texts)[:200] or None


def _compared_blocks(
    sections: Sequence[FilingSection], theirs: Sequence[dict[str, Any]]
) -> tuple[int, int, list[FactDifference]]:
    there = {(f["element"], f["context"]): f["words"] for f in theirs if f["words"]}
    differences: list[FactDifference] = []
    compared = [row for row in sections if row.element]
    for row in compared:
        digest = sha256("".join(row.text.split()).encode()).hexdigest()
        arelle = there.get((local_name(row.element), row.context))
        if arelle != digest:
            differences.append(
                FactDifference(element=row.element, context=row.context, ours=digest, arelle=arelle)
            )
    return len(compared), len(compared) - len(differences), differences
