"""The dry run: what the summaries of companies would ask and cost, before a call is made.

Here: the step's own stages, worked in a scratch home on a port that sends nothing, so that
prompts, order and call cache are the run's own. Sums and money are made of the calls that
the port wrote down; nothing is stored.

https://docs.dagster.io/guides/build/jobs/op-jobs
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from upath import UPath

from g2_pipelines.briefs.config import hard_tokens
from g2_pipelines.defs.assets.summaries import summary_stages
from g2_pipelines.defs.batch import work_partition
from g2_pipelines.defs.failures import BlockedError, Failed
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.keys import check_key
from g2_pipelines.models.ports import CompletionPort, CompletionRequest, EmbeddingPort
from g2_pipelines.tables.ledger import EstimatedCost
from g2_pipelines.tables.paths import Home
from g2_pipelines.text.tokens import doubt

if TYPE_CHECKING:
    from g2_pipelines.models.estimate import AnswerSize, EstimatedCall
    from g2_pipelines.models.prices import ModelPrice

EstimateBy = Literal["asset", "partition", "task"]

#: Calls of a task in the ledger from which on their mean length is expected again.
_ENOUGH = 5
_LISTS = ("companies.csv", "Edinetcode.zip")


class NoModelError(InputError):
    """The configured engine makes no model calls."""

    code = "no_model"


@dataclass(frozen=True)
class Estimate:
    """Rows by group and their sum; ``notes`` say what the numbers rest on."""

    rows: list[EstimatedCost]
    total: EstimatedCost
    model: str
    currency: str
    notes: list[str]
    failed: list[Failed]


class _Scratch(Workspace):
    """A workspace whose tables are copies and whose completion port sends nothing."""

    def __init__(self, ws: Workspace, root: UPath, port: CompletionPort) -> None:
        super().__init__(ws.settings)
        self._root, self._port = root, port

    @cached_property
    def home(self) -> Home:
        """The scratch folder."""
        return Home(self._root)

    def completion(
        self,
        *,
        refresh: bool = False,  # noqa: ARG002 - as in the run; nothing is sent anyway
        budget_tokens: int = 0,  # noqa: ARG002
        budget_money: float = 0.0,  # noqa: ARG002
    ) -> CompletionPort:
        """The estimating port."""
        return self._port

    def embedding(self) -> EmbeddingPort:
        """The embedded one, also where a server is configured: an estimate asks nobody."""
        from g2_pipelines.models.build import build_embedding
        from g2_pipelines.models.config import EmbeddingConfig

        return build_embedding(EmbeddingConfig())


def companies_with_sources(ws: Workspace) -> list[str]:
    """Companies whose sources are split, so that summaries could be made; sorted."""
    folder = ws.home.root / "tables" / "source_splits"
    return sorted(path.stem for path in folder.glob("*.parquet")) if folder.exists() else []


def estimate_summaries(
    ws: Workspace, run: StepRun, companies: Sequence[str], *, by: EstimateBy = "asset"
) -> Estimate:
    """Estimate the step ``summaries`` over ``companies``.

    Raises:
        NoModelError: the engine is ``extractive``.
        BadModelSettingsError: the model's settings are incomplete.
        CallCacheError: the call cache cannot be read.
    """
    if ws.settings.engine == "extractive":
        raise NoModelError(
            "The engine extractive makes no model calls",
            place="G2_ENGINE",
            remedy="Set engine and model as the run will have them; nothing is sent",
        )
    from g2_pipelines.models.build import build_estimate
    from g2_pipelines.models.config import CacheConfig

    cache = CacheConfig(url=ws.call_cache_url, refresh=run.refresh)
    size, notes = _expected(ws)
    ports = [
        build_estimate(ws.model_config(), cache, ws.settings.tokenizer, size, worst=worst)
        for worst in (False, True)
    ]
    failed: list[Failed] = []
    for port in ports:
        failed = asyncio.run(_work(ws, run, companies, port)) or failed
    words = doubt(ws.settings.tokenizer, ws.settings.model)
    if words:
        notes.append(f"{words}: set G2_TOKENIZER to its tokenizer.json")
    if ws.settings.embedding != "embedded":
        notes.append("Chunks are ranked by the embedded embedding here, not by the server's")
    price = ws.prices.price(ports[0].model) if ws.prices else None
    if ws.prices and price is None:
        notes.append(f"The price table does not name {ports[0].model}")
    groups = sorted({str(getattr(call, by)) for port in ports for call in port.calls})
    expected, most = (port.calls for port in ports)
    rows = [_cost(group, by, expected, most, price) for group in groups]
    return Estimate(
        rows=rows,
        total=_cost("", None, expected, most, price),
        model=ports[0].model,
        currency=ws.prices.currency if ws.prices else "",
        notes=notes,
        failed=failed,
    )


async def _work(
    ws: Workspace, run: StepRun, companies: Sequence[str], port: CompletionPort
) -> list[Failed]:
    failed: list[Failed] = []
    with TemporaryDirectory(prefix="g2-estimate-") as folder:
        root = UPath(folder)
        for name in _LISTS:
            _copy(ws.home.root / name, root / name)
        stages = summary_stages(_Scratch(ws, root, port), run)
        tables = [path for path in _entries(ws.home.root / "tables") if path.is_dir()]
        for company in companies:
            file = f"{check_key(company, 'EDINET code')}.parquet"
            for table in tables:
                _copy(table / file, root / "tables" / table.name / file)
            ended = await work_partition(stages, company, lambda *_: None)
            failed += [one for one in ended if not isinstance(one.error, BlockedError)]
            await asyncio.to_thread(_forget, Path(folder), file)
    return failed


def _forget(folder: Path, file: str) -> None:
    """One company's tables at a time: thousands would fill a temporary folder."""
    for path in folder.glob(f"tables/**/{file}"):
        path.unlink()


def _entries(folder: UPath) -> list[UPath]:
    return sorted(folder.iterdir()) if folder.exists() else []


def _copy(source: UPath, target: UPath) -> None:
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(bytes(source.read_bytes()))


def _expected(ws: Workspace) -> tuple[AnswerSize, list[str]]:
    """How long answers are expected to be: as those in the ledger, else their whole budget."""
    from g2_pipelines.models.build import open_ledger
    from g2_pipelines.models.config import CacheConfig

    means: dict[str, int] = {}
    notes: list[str] = []
    for row in open_ledger(CacheConfig(url=ws.call_cache_url)).totals(by=("task", "model")):
        good = row.sent - row.failed
        if row.model.split("@", 1)[0] == ws.settings.model and good >= _ENOUGH:
            means[row.task] = max(1, row.completion_tokens // good)
            notes.append(
                f"{row.task}: answers of {means[row.task]} tokens, the mean of {good} calls"
            )

    def size(request: CompletionRequest) -> int:
        whole = asked_tokens(request.max_tokens)
        return min(means.get(request.task, whole), whole)

    if not means:
        notes.append("No earlier calls of this model: answers as long as they are asked to be")
    return size, notes


def asked_tokens(most: int) -> int:
    """The length that a text is asked to have when ``most`` are let through.

    The inverse of ``hard_tokens``.
    """
    asked = max(1, min(most * 4 // 5 + 1, most - 64))
    return asked if hard_tokens(asked) <= most else asked - 1


def _cost(
    group: str,
    by: EstimateBy | None,
    expected: Sequence[EstimatedCall],
    most: Sequence[EstimatedCall],
    price: ModelPrice | None,
) -> EstimatedCost:
    sums: dict[str, int] = defaultdict(int)
    for name, calls in (("", expected), ("most_", most)):
        for call in calls:
            if by is not None and getattr(call, by) != group:
                continue
            if call.cached:
                sums[f"{name}cached"] += 1
                continue
            sums[f"{name}calls"] += 1
            sums[f"{name}prompt"] += call.prompt_tokens
            sums[f"{name}completion"] += call.completion_tokens
            sums[f"{name}reused"] += call.reused_tokens
            sums[f"{name}certain"] += call.prompt_tokens if call.certain else 0

    def money(name: str, cached: int = 0) -> float | None:
        if price is None:
            return None
        prompt, completion = sums[f"{name}prompt"], sums[f"{name}completion"]
        return round(price.money(prompt=prompt, completion=completion, cached=cached), 6)

    return EstimatedCost(
        group=group,
        calls=sums["calls"],
        cached=sums["cached"],
        prompt_tokens=sums["prompt"],
        certain_prompt_tokens=sums["certain"],
        computed_prompt_tokens=sums["prompt"] - sums["reused"],
        completion_tokens=sums["completion"],
        money=money(""),
        money_with_reuse=money("", sums["reused"]),
        most_calls=sums["most_calls"],
        most_prompt_tokens=sums["most_prompt"],
        most_completion_tokens=sums["most_completion"],
        most_money=money("most_"),
    )
