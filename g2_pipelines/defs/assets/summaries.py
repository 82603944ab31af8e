"""The step ``summaries``: pre-summaries and final summaries, per aspect and without.

Here: one asset an aspect for the paper's design (pre-summary for the aspect, final summary)
and for its baseline (pre-summary without the aspect). The work stands in ``briefs``.

https://docs.dagster.io/guides/build/assets/defining-assets#multi-asset
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import dagster as dg

from g2_pipelines.briefs.config import AspectSpec, BriefConfig
from g2_pipelines.briefs.ports import FinalSummarizer, PreSummarizer
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.company import read_company
from g2_pipelines.defs.assets.filings import year_in_force
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.metadata import table_metadata
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.steps import StepRun, build_step
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import read_year, replace_year
from g2_pipelines.tables.line1 import SourceSplit, Strategy, Summary
from g2_pipelines.tables.rows import Row


class _Writers:
    """The summarizers of one run, made when the first summary is due."""

    def __init__(self, ws: Workspace, run: StepRun) -> None:
        self.ws, self.run = ws, run
        self._made: tuple[PreSummarizer, FinalSummarizer] | None = None

    def get(self) -> tuple[PreSummarizer, FinalSummarizer]:
        """(pre-summarizer, final summarizer) of the configured engine."""
        from g2_pipelines.briefs.build import build_summarizers

        if self._made is None:
            self._made = build_summarizers(self.ws.completion(refresh=self.run.refresh))
        return self._made


async def make_pre_summaries(writers: _Writers, aspect: AspectSpec | None, company: str) -> Stored:
    """One pre-summary per source type of the year, for ``aspect`` or for none."""
    from g2_pipelines.briefs.pre_summaries import pre_summarize

    ws = writers.ws
    year = year_in_force(ws, writers.run, company)
    rows = await pre_summarize(
        read_year(ws.home.table("source_splits", company), SourceSplit, year),
        company=read_company(ws, company),
        aspect=aspect,
        config=ws.brief_config,
        summarizer=writers.get()[0],
        tokenizer=ws.tokenizer,
    )
    asset = specs.pre_summaries(aspect.key) if aspect else specs.SIMPLE_PRE_SUMMARIES
    return _store(ws, asset, company, year, rows)


async def make_final_summary(
    writers: _Writers, aspect: AspectSpec, strategy: Strategy, company: str
) -> Stored:
    """The final summary of an aspect from the pre-summaries of one strategy."""
    from g2_pipelines.briefs.final_summaries import finalize

    ws = writers.ws
    year = year_in_force(ws, writers.run, company)
    simple = strategy == "simple"
    source = specs.SIMPLE_PRE_SUMMARIES if simple else specs.pre_summaries(aspect.key)
    summary = await finalize(
        read_year(ws.home.table(specs.table_name(source), company), Summary, year),
        company=read_company(ws, company),
        aspect=aspect,
        config=ws.brief_config,
        summarizer=writers.get()[1],
        tokenizer=ws.tokenizer,
        strategy=strategy,
    )
    asset = specs.simple_summaries(aspect.key) if simple else specs.final_summaries(aspect.key)
    return _store(ws, asset, company, year, [summary])


def _store(
    ws: Workspace, asset: dg.AssetKey, company: str, year: str, rows: Sequence[Summary]
) -> Stored:
    path = ws.home.table(specs.table_name(asset), company)
    digest = replace_year(path, Summary, year, rows)
    more = {
        "fiscal_year": year,
        "engine": ", ".join(sorted({f"{row.engine} {row.model}" for row in rows})),
        "tokens": sum(row.tokens for row in rows),
        "text": dg.MetadataValue.md("\n\n".join(_quoted(row) for row in rows)),
    }
    columns = ["source_type", "tokens", "finish_reason", "nothing_found", "text"]
    return Stored(digest, table_metadata(rows, columns, path, **more))


def _quoted(row: Summary) -> str:
    title = f"**{row.source_type}**\n\n" if row.source_type else ""
    text = row.text.replace("&", "&amp;").replace("<", "&lt;")
    return title + "\n".join(f"> {line}" for line in text.splitlines())


def _spec(
    asset: dg.AssetKey, description: str, deps: tuple[dg.AssetKey, ...], model: type[Row] = Summary
) -> dg.AssetSpec:
    return specs.asset_spec(
        asset,
        model,
        group=specs.LINE_1,
        owner=specs.Owner.MODELS,
        description=description,
        deps=deps,
        kinds=("llm", "polars", "parquet"),
    )


def _specs(config: BriefConfig) -> list[dg.AssetSpec]:
    made = [
        _spec(
            specs.SIMPLE_PRE_SUMMARIES,
            "The baseline: each source summarized without an aspect.",
            (specs.SOURCE_SPLITS,),
        )
    ]
    for aspect in config.aspects:
        made += [
            _spec(
                specs.pre_summaries(aspect.key),
                f"Each source summarized for 「{aspect.label}」, so that its facts survive.",
                (specs.SOURCE_SPLITS,),
            ),
            _spec(
                specs.final_summaries(aspect.key),
                f"The brief's text on 「{aspect.label}」, from the pre-summaries for it.",
                (specs.pre_summaries(aspect.key),),
            ),
            _spec(
                specs.simple_summaries(aspect.key),
                f"The baseline's text on 「{aspect.label}」, from the plain pre-summaries.",
                (specs.SIMPLE_PRE_SUMMARIES,),
            ),
        ]
    return made


def _stages(config: BriefConfig, ws: Workspace, run: StepRun) -> list[Stage]:
    writers = _Writers(ws, run)
    pre = [
        Stage(
            specs.pre_summaries(aspect.key),
            (specs.SOURCE_SPLITS,),
            partial(make_pre_summaries, writers, aspect),
        )
        for aspect in config.aspects
    ]
    simple = Stage(
        specs.SIMPLE_PRE_SUMMARIES,
        (specs.SOURCE_SPLITS,),
        partial(make_pre_summaries, writers, None),
    )
    finals = [
        stage
        for aspect in config.aspects
        for stage in (
            Stage(
                specs.final_summaries(aspect.key),
                (specs.pre_summaries(aspect.key),),
                partial(make_final_summary, writers, aspect, "aspect"),
            ),
            Stage(
                specs.simple_summaries(aspect.key),
                (specs.SIMPLE_PRE_SUMMARIES,),
                partial(make_final_summary, writers, aspect, "simple"),
            ),
        )
    ]
    return [*pre, simple, *finals]


def build_summaries(config: BriefConfig, batch_size: int) -> dg.AssetsDefinition:
    """The step ``summaries`` for the configured aspects."""
    return build_step(
        "summaries",
        _specs(config),
        partial(_stages, config),
        partitions=companies,
        batch_size=batch_size,
        concurrency=8,
        pool="models",
    )
