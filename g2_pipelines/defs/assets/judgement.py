"""The step ``judgement``: evaluations, the gates, and the briefs that pass them.

Here: what is read for an evaluation, the gate, and the page. Claims and checks stand in
``evaluation``, the page in ``briefs.page``. A brief whose text fails a gate is not written.

https://docs.dagster.io/guides/test/asset-checks
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import dagster as dg

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.company import read_company
from g2_pipelines.defs.assets.filings import year_in_force
from g2_pipelines.defs.assets.texts import COMPANY_TEXTS, read_texts, reads_texts
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.failures import GateError
from g2_pipelines.defs.gate_checks import gate_checks
from g2_pipelines.defs.metadata import page_link, table_metadata
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.steps import BatchCheck, StepRun, build_step
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import read_year, replace_year
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    CompanyBrief,
    CompanyText,
    Filing,
    FilingFact,
    FilingSection,
    Summary,
    Transcript,
    Turn,
)
from g2_pipelines.tables.store import write_atomic

if TYPE_CHECKING:
    from g2_pipelines.evaluation.sources import Source


def no_call(fiscal_year: str) -> str:
    """What a brief says when there is no full-year call of its year (YYYY-MM)."""
    year, _, month = fiscal_year.partition("-")
    return (
        f"{year}年{month.lstrip('0')}月期の通期の決算説明会の書き起こしが登録されていないため、"
        "有価証券報告書のみから作成しています。"
    )


def silent_calls(used: Sequence[Transcript], finals: Sequence[Summary]) -> list[str]:
    """What a brief says of each call that was read and from which it has no sentence."""
    cited = {span.source_id for row in finals for one in row.sentences for span in one.spans}
    return [
        f"決算説明会の記録（{call.title or call.file}）: 該当する記載なし。"
        "この記録からは、どの観点にも文を採っていません。"
        for call in used
        if call.source_id not in cited
    ]


def read_finals(ws: Workspace, config: BriefConfig, company: str, year: str) -> list[Summary]:
    """The year's published texts of all aspects, in the order of the configuration."""
    return _read(ws, [specs.final_summaries(a.key) for a in config.aspects], company, year)


def read_compared(ws: Workspace, config: BriefConfig, company: str, year: str) -> list[Summary]:
    """The year's texts of the strategies made for comparison; none that is published too."""
    published = {(row.aspect, row.strategy) for row in read_finals(ws, config, company, year)}
    rows = _read(ws, compared_assets(config), company, year)
    return [row for row in rows if (row.aspect, row.strategy) not in published]


def compared_assets(config: BriefConfig) -> list[dg.AssetKey]:
    """The assets of the texts made for comparison, strategy by strategy."""
    return [
        specs.compared_summaries(strategy, aspect.key)
        for strategy in config.compare
        for aspect in config.aspects
        if config.strategy_for(aspect, strategy) == strategy
    ]


def _read(ws: Workspace, assets: Sequence[dg.AssetKey], company: str, year: str) -> list[Summary]:
    return [
        row
        for asset in assets
        for row in read_year(ws.home.table(specs.table_name(asset), company), Summary, year)
    ]


def read_sources(
    ws: Workspace, company: str, year: str
) -> tuple[list[FilingSection], list[Transcript]]:
    """The year's current sections with text, and its transcripts."""
    sections = read_year(ws.home.table("filing_sections", company), FilingSection, year)
    transcripts = read_year(ws.home.table("transcripts", company), Transcript, year)
    return [s for s in sections if s.text and s.superseded_by is None], transcripts


def evaluation_sources(
    sections: Sequence[FilingSection],
    transcripts: Sequence[Transcript],
    texts: Sequence[CompanyText] = (),
    turns: Sequence[Turn] = (),
) -> list[Source]:
    """Everything that a brief's claims may stand in; ``turns`` say who speaks in a transcript."""
    from g2_pipelines.evaluation.sources import Source, SourceTurn

    spoken: dict[str, list[SourceTurn]] = {}
    for turn in turns:
        said = SourceTurn(start=turn.start, end=turn.end, role=turn.role, speaker=turn.speaker)
        spoken.setdefault(turn.transcript_id, []).append(said)

    made = [
        Source(source_id=s.source_id, text=s.text, label=f"{s.document_id} {s.section}")
        for s in sections
    ]
    made += [
        Source(
            source_id=t.source_id,
            text=t.text,
            label=t.file,
            turns=tuple(spoken.get(t.transcript_id, ())),
        )
        for t in transcripts
    ]
    made += [Source(source_id=t.source_id, text=t.text, label=t.file) for t in texts]
    return made


async def make_evaluations(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Evaluate the year's final texts: those published and those made for comparison."""
    from g2_pipelines.evaluation.brief import evaluate
    from g2_pipelines.evaluation.fact_index import FactTable

    config = ws.brief_config
    year = year_in_force(ws, run, company)
    turns = read_year(ws.home.table("transcript_turns", company), Turn, year)
    sources = evaluation_sources(
        *read_sources(ws, company, year), read_texts(ws, company, year), turns
    )
    facts = FactTable(read_year(ws.home.table("filing_facts", company), FilingFact, year))
    filings = read_year(ws.home.table("filings", company), Filing, year)
    segments = list(dict.fromkeys(name for filing in filings for name in filing.segments))
    finals = read_finals(ws, config, company, year)
    compared = read_compared(ws, config, company, year)
    rows: list[BriefEvaluation] = []
    for own in [finals, *([c for c in compared if c.strategy == s] for s in config.compare)]:
        rows += [
            evaluate(
                summary,
                sources=sources,
                segments=segments,
                others=[other for other in own if other.aspect != summary.aspect],
                aspect=config.aspect(summary.aspect),
                budget=config.final_tokens_of(config.aspect(summary.aspect)),
                thresholds=ws.thresholds,
                facts=facts,
            )
            for summary in own
        ]
    path = ws.home.table("brief_evaluations", company)
    digest = replace_year(path, BriefEvaluation, year, rows)
    more = {"fiscal_year": year, "checks": _matrix(rows)}
    return Stored(digest, table_metadata(rows, ["aspect", "strategy", "passed"], path, **more))


async def make_brief(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Write the brief of the year, unless a gate keeps it back.

    Raises:
        GateError: names the aspect, the check and what it found.
    """
    from g2_pipelines.briefs.page import brief_page

    config = ws.brief_config
    year = year_in_force(ws, run, company)
    evaluations = read_year(ws.home.table("brief_evaluations", company), BriefEvaluation, year)
    finals = read_finals(ws, config, company, year)
    refuse_unless_passed(evaluations, finals, company)
    sections, transcripts = read_sources(ws, company, year)
    texts = read_texts(ws, company, year)
    used = [t for t in transcripts if t.kind in config.transcript_kinds]
    notes = silent_calls(used, finals) if used else [no_call(year)]
    page = ws.home.brief_page(company, year)
    html = brief_page(
        company=read_company(ws, company),
        fiscal_year=year,
        config=config,
        summaries=finals,
        compared=read_compared(ws, config, company, year),
        evaluations=evaluations,
        sections=sections,
        transcripts=transcripts,
        texts=texts,
        notes=notes,
    )
    write_atomic(page, html.encode())
    documents = [s.document_id for s in sections] + [t.transcript_id for t in used]
    documents += [t.text_id for t in texts]
    rows = [
        CompanyBrief(
            edinet_code=company,
            fiscal_year=year,
            aspect=summary.aspect,
            label=config.aspect(summary.aspect).label,
            text=summary.text,
            sources=list(dict.fromkeys(documents)),
            notes=notes,
            page=str(page).removeprefix(str(ws.home.pages)).lstrip("/"),
        )
        for summary in finals
    ]
    path = ws.home.table("company_briefs", company)
    digest = replace_year(path, CompanyBrief, year, rows)
    shown = "\n\n".join(f"**{row.label}**\n\n{_escape(row.text)}" for row in rows)
    more = {
        "fiscal_year": year,
        "brief": dg.MetadataValue.md(shown),
        "page": page_link(ws.home, page, ws.settings.pages_url),
        "document_kinds": ", ".join(sorted({t.document_kind for t in used})) or "none",
    }
    return Stored(digest, table_metadata(rows, ["label", "text", "notes"], path, **more))


def failed_gates(evaluations: Sequence[BriefEvaluation], published: Sequence[Summary]) -> list[str]:
    """The failed gates of the texts that would be published, in words."""
    texts = {(row.aspect, row.strategy) for row in published}
    return [
        f"{evaluation.aspect}: {check.message}"
        for evaluation in evaluations
        if (evaluation.aspect, evaluation.strategy) in texts
        for check in evaluation.checks
        if check.gate and not check.passed
    ]


def refuse_unless_passed(
    evaluations: Sequence[BriefEvaluation], published: Sequence[Summary], company: str
) -> None:
    """Raise GateError when a gate of a text that would be published failed."""
    failed = failed_gates(evaluations, published)
    if failed:
        raise GateError(
            "The brief was not written: " + "; ".join(failed),
            file=company,
            place="brief_evaluations",
            remedy="Look at the claims in brief_evaluations, then make the summaries again",
        )


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _matrix(rows: Sequence[BriefEvaluation]) -> dg.MarkdownMetadataValue:
    lines = [
        "| aspect | strategy | check | gate | passed | value | |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.aspect} | {row.strategy} | {check.name} | {'yes' if check.gate else ''}"
        f" | {'yes' if check.passed else '**no**'} | {check.value:g} | {_escape(check.message)} |"
        for row in rows
        for check in row.checks
    ]
    return dg.MetadataValue.md("\n".join(lines))


_SPECS = (
    specs.asset_spec(
        specs.BRIEF_EVALUATIONS,
        BriefEvaluation,
        group=specs.LINE_1,
        owner=specs.Owner.MODELS,
        description="Every number, period and segment name of a text, with its place in the"
        " sources; checks of form and fit; for the texts published and those compared.",
        deps=(
            specs.FILING_SECTIONS,
            specs.TRANSCRIPTS,
            specs.TRANSCRIPT_TURNS,
            specs.FILINGS,
        ),
    ),
    specs.asset_spec(
        specs.COMPANY_BRIEFS,
        CompanyBrief,
        group=specs.LINE_1,
        owner=specs.Owner.MODELS,
        description="The brief as published, a page for a person; written only when the gates"
        " pass.",
        deps=(specs.BRIEF_EVALUATIONS,),
        kinds=("html", "polars", "parquet"),
    ),
)


def _specs_for(config: BriefConfig) -> list[dg.AssetSpec]:
    finals = [specs.final_summaries(aspect.key) for aspect in config.aspects]
    evaluations, briefs = _SPECS
    return [
        evaluations.merge_attributes(deps=[*finals, *compared_assets(config), *_texts(config)]),
        briefs.merge_attributes(deps=finals),
    ]


def _texts(config: BriefConfig) -> list[dg.AssetKey]:
    return [COMPANY_TEXTS] if reads_texts(config) else []


def _stages(config: BriefConfig, ws: Workspace, run: StepRun) -> list[Stage]:
    finals = tuple(specs.final_summaries(aspect.key) for aspect in config.aspects)
    read = (
        *finals,
        *compared_assets(config),
        *_texts(config),
        specs.FILING_SECTIONS,
        specs.TRANSCRIPTS,
        specs.TRANSCRIPT_TURNS,
        specs.FILINGS,
    )
    return [
        Stage(specs.BRIEF_EVALUATIONS, read, partial(make_evaluations, ws, run)),
        Stage(
            specs.COMPANY_BRIEFS,
            (specs.BRIEF_EVALUATIONS, *finals),
            partial(make_brief, ws, run),
        ),
    ]


def _read_judged(
    ws: Workspace, run: StepRun, company: str
) -> tuple[list[BriefEvaluation], list[Summary]]:
    year = year_in_force(ws, run, company)
    path = ws.home.table("brief_evaluations", company)
    evaluations = read_year(path, BriefEvaluation, year)
    return evaluations, read_finals(ws, ws.brief_config, company, year)


def _gates(ws: Workspace, run: StepRun, company: str) -> str:
    return "; ".join(failed_gates(*_read_judged(ws, run, company)))


_CHECKS = (
    BatchCheck(
        dg.AssetCheckSpec(
            "gates",
            asset=specs.BRIEF_EVALUATIONS,
            description="No number is missing from the sources, no segment name is altered, no"
            " text is cut: else the brief is not written.",
        ),
        _gates,
    ),
    *gate_checks(_read_judged),
)


def build_judgement(config: BriefConfig, batch_size: int) -> dg.AssetsDefinition:
    """The step ``judgement`` for the configured aspects."""
    return build_step(
        "judgement",
        _specs_for(config),
        partial(_stages, config),
        partitions=companies,
        batch_size=batch_size,
        pool="judgement",  # as in ``sources``
        checks=_CHECKS,
    )
