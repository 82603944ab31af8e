"""The step ``summaries``: pre-summaries and final summaries, per aspect and strategy.

Here: the assets of the brief's own strategy (``pre_summaries/A``, ``final_summaries/A``), those
of each strategy that is made for comparison (``simple_summaries/A``…), and the writers of a
run. The work stands in ``briefs``.

The stages of a company are worked beside each other: the aspects' calls about one source meet
at the completion port, which sends the first alone and the others after its answer. Each
asset stays one that can be materialized alone.

https://docs.dagster.io/guides/build/assets/defining-assets#multi-asset
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

import dagster as dg

from g2_pipelines.briefs.config import AspectSpec, BriefConfig
from g2_pipelines.briefs.ports import FinalSummarizer, PreSummarizer
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.company import read_company
from g2_pipelines.defs.assets.filings import year_in_force
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.metadata import table_metadata
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.steps import StepRun, build_step, completion
from g2_pipelines.defs.summary_versions import SummaryVersions
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import read_year, replace_year
from g2_pipelines.errors import InputError
from g2_pipelines.tables.line1 import SourceSplit, Strategy, Summary

if TYPE_CHECKING:
    from g2_pipelines.models.ports import CompletionPort
    from g2_pipelines.models.prompts import PromptSet


class UnknownStrategyError(InputError):
    """A run or setting asks for a strategy that there is not."""

    code = "unknown_strategy"


def strategy_in_force(ws: Workspace, asked: str = "") -> Strategy:
    """The brief's strategy: the run's, else the setting's, else the configuration's.

    Raises:
        UnknownStrategyError: there is no such strategy.
    """
    named = asked or ws.settings.strategy or ws.brief_config.strategy
    if named not in get_args(Strategy):
        raise UnknownStrategyError(
            f"There is no strategy {named[:60]!r}",
            place="strategy",
            remedy=f"Use one of {', '.join(get_args(Strategy))}",
        )
    return cast("Strategy", named)


class _Writers:
    """The summarizers of one run, made when the first summary is due."""

    def __init__(self, ws: Workspace, run: StepRun) -> None:
        self.ws, self.run = ws, run
        self._joint: dict[str, asyncio.Task[dict[str, list[Summary]]]] = {}

    @cached_property
    def completion(self) -> CompletionPort | None:
        """One port for the run, so that all its calls share order and limits."""
        return completion(self.ws, self.run)

    @cached_property
    def made(self) -> tuple[PreSummarizer, FinalSummarizer]:
        """(pre-summarizer, final summarizer) of the configured engine."""
        from g2_pipelines.briefs.build import build_summarizers

        return build_summarizers(self.completion)

    async def pre_summaries(
        self, aspect: AspectSpec, strategy: Strategy, company: str, year: str
    ) -> list[Summary]:
        """The year's pre-summaries of one strategy, for ``aspect`` or (simple) for none."""
        from g2_pipelines.briefs.pre_summaries import pre_summarize

        ws = self.ws
        if strategy == "joint":
            return (await self.jointly(company, year)).get(aspect.key, [])
        return await pre_summarize(
            read_year(ws.home.table("source_splits", company), SourceSplit, year),
            company=read_company(ws, company),
            aspect=None if strategy == "simple" else aspect,
            config=ws.brief_config,
            summarizer=self.made[0],
            tokenizer=ws.tokenizer,
            strategy=strategy,
            embedding=ws.embedding() if strategy == "retrieval" else None,
        )

    async def jointly(self, company: str, year: str) -> dict[str, list[Summary]]:
        """All aspects' pre-summaries of one call a source, made once for all their assets."""
        from g2_pipelines.briefs.build import build_joint
        from g2_pipelines.briefs.pre_summaries import pre_summarize_jointly

        if company not in self._joint:
            ws = self.ws
            self._joint[company] = asyncio.ensure_future(
                pre_summarize_jointly(
                    read_year(ws.home.table("source_splits", company), SourceSplit, year),
                    company=read_company(ws, company),
                    aspects=[a for a in ws.brief_config.aspects if a.form == "prose"],
                    config=ws.brief_config,
                    summarizer=build_joint(self.completion),
                    tokenizer=ws.tokenizer,
                )
            )
        return await self._joint[company]


async def make_pre_summaries(writers: _Writers, company: str, *, aspect: AspectSpec) -> Stored:
    """One pre-summary per source type of the year, by the brief's strategy."""
    ws = writers.ws
    year = year_in_force(ws, writers.run, company)
    strategy = strategy_in_force(ws, writers.run.strategy)
    strategy = ws.brief_config.strategy_for(aspect, strategy)
    rows = await writers.pre_summaries(aspect, strategy, company, year)
    return _store(ws, specs.pre_summaries(aspect.key), company, year, rows)


async def make_compared_pre_summaries(
    writers: _Writers, company: str, *, aspects: Sequence[AspectSpec], strategy: Strategy
) -> Stored:
    """The pre-summaries of a strategy for comparison that one asset holds."""
    ws = writers.ws
    year = year_in_force(ws, writers.run, company)
    rows: list[Summary] = []
    for aspect in aspects[:1] if strategy == "simple" else aspects:
        rows += await writers.pre_summaries(aspect, strategy, company, year)
    asset = specs.compared_pre_summaries(strategy, aspects[0].key)
    return _store(ws, asset, company, year, rows)


async def make_final_summary(
    writers: _Writers,
    company: str,
    *,
    aspect: AspectSpec,
    source: dg.AssetKey,
    asset: dg.AssetKey,
) -> Stored:
    """The final summary of an aspect, by whatever strategy its pre-summaries were made."""
    from g2_pipelines.briefs.final_summaries import finalize

    ws = writers.ws
    year = year_in_force(ws, writers.run, company)
    rows = read_year(ws.home.table(specs.table_name(source), company), Summary, year)
    pre = [row for row in rows if row.aspect in ("", aspect.key)]
    summary = await finalize(
        pre,
        company=read_company(ws, company),
        aspect=aspect,
        config=ws.brief_config,
        summarizer=writers.made[1],
        tokenizer=ws.tokenizer,
        strategy=pre[0].strategy if pre else "aspect",
    )
    return _store(ws, asset, company, year, [summary])


def _store(
    ws: Workspace, asset: dg.AssetKey, company: str, year: str, rows: Sequence[Summary]
) -> Stored:
    path = ws.home.table(specs.table_name(asset), company)
    digest = replace_year(path, Summary, year, rows)
    more = {
        "fiscal_year": year,
        "engine": ", ".join(sorted({f"{row.engine} {row.model}" for row in rows})),
        "strategy": ", ".join(sorted({row.strategy for row in rows})),
        "tokens": sum(row.tokens for row in rows),
        "text": dg.MetadataValue.md("\n\n".join(_quoted(row) for row in rows)),
        "warnings": dg.MetadataValue.md(
            "\n".join(f"* {row.source_type} {note}" for row in rows for note in row.warnings)
            or "none"
        ),
    }
    columns = ["source_type", "tokens", "finish_reason", "nothing_found", "text"]
    return Stored(digest, table_metadata(rows, columns, path, **more))


def _quoted(row: Summary) -> str:
    title = f"**{row.source_type}**\n\n" if row.source_type else ""
    text = row.text.replace("&", "&amp;").replace("<", "&lt;")
    return title + "\n".join(f"> {line}" for line in text.splitlines())


class _Made(NamedTuple):
    """An asset of the step: what it reads, what it depends on besides, and its work."""

    key: dg.AssetKey
    upstream: dg.AssetKey
    description: str
    version: str
    work: Callable[[_Writers, str], Awaitable[Stored]]


_HOW = {
    "aspect": "each source summarized for the aspect",
    "simple": "each source summarized without an aspect (the paper's baseline)",
    "joint": "all aspects of a source in one call",
    "retrieval": "of each source only the chunks that the aspect needs",
}


def _own(config: BriefConfig, strategy: Strategy, versions: SummaryVersions) -> Iterator[_Made]:
    for aspect in config.aspects:
        how = config.strategy_for(aspect, strategy)
        yield _Made(
            specs.pre_summaries(aspect.key),
            specs.SOURCE_SPLITS,
            f"Each source summarized for 「{aspect.label}」, so that its facts survive"
            f" ({_HOW[how]}).",
            versions.pre(aspect, how),
            partial(make_pre_summaries, aspect=aspect),
        )
    for aspect in config.aspects:
        pre, final = specs.pre_summaries(aspect.key), specs.final_summaries(aspect.key)
        yield _Made(
            final,
            pre,
            f"The brief's text on 「{aspect.label}」, from the pre-summaries for it.",
            versions.final(aspect, config.strategy_for(aspect, strategy)),
            partial(make_final_summary, aspect=aspect, source=pre, asset=final),
        )


def _compared(
    config: BriefConfig, strategy: Strategy, versions: SummaryVersions
) -> Iterator[_Made]:
    aspects = [a for a in config.aspects if config.strategy_for(a, strategy) == strategy]
    whole = specs.compared_pre_summaries(strategy, "")
    together = len(whole.path) == 1
    for some in [aspects] if together else [[aspect] for aspect in aspects]:
        if some:
            yield _Made(
                specs.compared_pre_summaries(strategy, some[0].key),
                specs.SOURCE_SPLITS,
                f"For comparison: {_HOW[strategy]}.",
                versions.pre(None if together else some[0], strategy),
                partial(make_compared_pre_summaries, aspects=some, strategy=strategy),
            )
    for aspect in aspects:
        pre = specs.compared_pre_summaries(strategy, aspect.key)
        final = specs.compared_summaries(strategy, aspect.key)
        yield _Made(
            final,
            pre,
            f"For comparison: the text on 「{aspect.label}」, {_HOW[strategy]}.",
            versions.final(aspect, strategy),
            partial(make_final_summary, aspect=aspect, source=pre, asset=final),
        )


def _assets(config: BriefConfig, strategy: Strategy, versions: SummaryVersions) -> list[_Made]:
    """All assets; pre-summaries first, as the aspects of one source are to follow each other."""
    made = list(_own(config, strategy, versions))
    for compared in config.compare:
        made += _compared(config, compared, versions)
    return sorted(made, key=lambda one: one.upstream != specs.SOURCE_SPLITS)


def _spec(made: _Made) -> dg.AssetSpec:
    return specs.asset_spec(
        made.key,
        Summary,
        group=specs.LINE_1,
        owner=specs.Owner.MODELS,
        description=made.description,
        deps=(made.upstream,),
        kinds=("llm", "polars", "parquet"),
        code_version=made.version,
    )


def _stages(assets: Sequence[_Made], ws: Workspace, run: StepRun) -> list[Stage]:
    writers = _Writers(ws, run)
    return [
        Stage(
            made.key,
            (made.upstream,),
            partial(made.work, writers),
            code_version=made.version,
            beside=True,
        )
        for made in assets
    ]


def summary_stages(ws: Workspace, run: StepRun) -> list[Stage]:
    """The step's stages as one run would work them, for the workspace's own settings."""
    config = ws.brief_config
    strategy = strategy_in_force(ws, run.strategy)
    assets = _assets(config, strategy, SummaryVersions(config, ws.settings.engine))
    return _stages(assets, ws, run)


def build_summaries(
    config: BriefConfig,
    batch_size: int,
    *,
    engine: str = "extractive",
    strategy: Strategy | None = None,
    concurrency: int = 16,
    prompts: PromptSet | None = None,
) -> dg.AssetsDefinition:
    """The step ``summaries`` for the configured aspects and strategies.

    Args:
        config: Aspects, source types, strategies, budgets.
        batch_size: Companies a run.
        engine: Who writes; the assets' versions depend on it.
        strategy: The brief's; None takes the configuration's.
        concurrency: Requests in flight; as many companies are worked at once, since of one
            company only as many calls as it has sources go first.
        prompts: The prompt files whose versions count; None takes the shipped ones.
    """
    assets = _assets(config, strategy or config.strategy, SummaryVersions(config, engine, prompts))
    return build_step(
        "summaries",
        [_spec(made) for made in assets],
        partial(_stages, assets),
        partitions=companies,
        batch_size=batch_size,
        concurrency=max(8, concurrency),
        pool="models",
    )
