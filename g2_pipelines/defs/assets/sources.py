"""The step ``sources``: filings, sections, transcripts, turns, chunks, splits of a company.

Here: what each of these assets reads, which domain function it calls, what it stores and
reports; ``filings`` itself stands in ``assets.filings``. Parsing stands in ``edinet`` and ``transcripts``, splitting in ``briefs.sources``.

https://docs.dagster.io/guides/build/assets/defining-assets
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import dagster as dg

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.filings import make_filings, withdrawn_of, year_in_force
from g2_pipelines.defs.assets.source_metadata import kinds_list, votes_table, warnings_list
from g2_pipelines.defs.assets.texts import (
    COMPANY_TEXTS,
    SPEC,
    make_company_texts,
    read_texts,
    reads_texts,
)
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.downloads import Downloads
from g2_pipelines.defs.metadata import table_metadata
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.speakers import role_overrides, turn_finder
from g2_pipelines.defs.steps import BatchCheck, StepRun, build_step
from g2_pipelines.defs.summary_versions import split_version
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import read_year, replace_year
from g2_pipelines.errors import G2Error, InputError
from g2_pipelines.tables.line1 import (
    Filing,
    FilingFact,
    FilingSection,
    QaChunk,
    SourceSplit,
    Transcript,
    TranscriptSegmentation,
    Turn,
)
from g2_pipelines.tables.rows import R


async def make_filing_sections(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Extract the sections and facts of the year's filings; corrections replace theirs."""
    from g2_pipelines.edinet.corrections import apply_correction, apply_to_facts

    year = year_in_force(ws, run, company)
    filings = read_year(ws.home.table("filings", company), Filing, year)
    sections: list[FilingSection] = []
    facts: list[FilingFact] = []
    history: list[FilingSection] = []
    withdrawn = withdrawn_of(ws, company, year)
    for filing in sorted(
        [*filings, *withdrawn], key=lambda f: (f.amendment, f.submission or 0, f.document_id)
    ):
        read = ws.filings.read(
            digest=filing.digest,
            raw=filing.file,
            document_id=filing.document_id,
            document_type=filing.document_type,
            amends=filing.amends,
        )
        if filing in withdrawn:
            history += [
                section.model_copy(update={"superseded_by": "withdrawn"})
                for section in read.sections
                if section.text
            ]
            continue
        sections = apply_correction(sections, read.sections) if sections else read.sections
        facts = apply_to_facts(facts, read.facts) if facts else read.facts
    sections = [*sections, *history]
    path = ws.home.table("filing_sections", company)
    replace_year(ws.home.table("filing_facts", company), FilingFact, year, facts)
    digest = replace_year(path, FilingSection, year, sections)
    columns = ["section", "status", "element", "page_file", "text"]
    found: dict[str, int] = {
        str(s.section): len(s.text) for s in sections if s.superseded_by is None and s.text
    }
    more = {
        "fiscal_year": year,
        "characters": dg.MetadataValue.json(found),
        "facts": len(facts),
        "warnings": warnings_list(s.warnings for s in sections),
    }
    return Stored(digest, table_metadata(sections, columns, path, **more))


async def make_transcripts(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Read the clean text of the company's registered transcripts of the year."""
    from g2_pipelines.transcripts.make import make_transcript

    year = year_in_force(ws, run, company)
    rows: list[Transcript] = []
    bad: list[tuple[str, G2Error]] = []
    for entry in ws.registry.transcripts(company):
        if entry.fiscal_year != year:
            continue
        try:
            transcript, _ = make_transcript(
                ws.registry.original(entry.raw, entry.digest),
                entry.name,
                edinet_code=company,
                fiscal_year=year,
                kind=entry.kind,
                document_kind=entry.document_kind,
                url=entry.url,
            )
        except G2Error as error:
            bad.append((entry.kind, error))
            continue
        rows.append(transcript)
    for kind, fault in bad:
        # A brief must not say that there was no call because its file is bad.
        if kind not in {row.kind for row in rows}:
            raise fault
    path = ws.home.table("transcripts", company)
    digest = replace_year(path, Transcript, year, rows)
    columns = ["transcript_id", "kind", "document_kind", "file", "title", "text"]
    more = {"fiscal_year": year, "document_kinds": kinds_list(rows)}
    return Stored(digest, table_metadata(rows, columns, path, **more))


async def make_turns(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Cut the transcripts into speakers' turns with roles."""
    from g2_pipelines.transcripts.assisted import find_turns
    from g2_pipelines.transcripts.readers import read_text
    from g2_pipelines.transcripts.segment import segment

    roles = role_overrides(ws, company)
    finder = turn_finder(ws)
    year = year_in_force(ws, run, company)
    originals = {entry.digest: entry for entry in ws.registry.transcripts(company)}
    turns: list[Turn] = []
    cuts: list[TranscriptSegmentation] = []
    for transcript in read_year(ws.home.table("transcripts", company), Transcript, year):
        entry = originals[transcript.digest]
        content = ws.registry.original(entry.raw, entry.digest)
        timings = read_text(content, entry.name).timings
        found, cut = segment(transcript, timings, roles=roles)
        if finder is not None and cut.segmentation == "unsegmented":
            found, cut = await find_turns(transcript, cut, finder, timings)
        turns.extend(found)
        cuts.append(cut)
    path = ws.home.table("transcript_turns", company)
    replace_year(
        ws.home.table("transcript_segmentations", company), TranscriptSegmentation, year, cuts
    )
    digest = replace_year(path, Turn, year, turns)
    columns = ["order", "speaker", "organisation", "role", "role_source", "text"]
    more = {
        "fiscal_year": year,
        "votes": votes_table(cuts),
        "segmentation": ", ".join(f"{c.transcript_id}: {c.segmentation} ({c.style})" for c in cuts),
        "warnings": warnings_list(c.warnings for c in cuts),
    }
    return Stored(digest, table_metadata(turns, columns, path, **more))


async def make_qa_chunks(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Cut the turns into chunks, each a question up to the next question."""
    from g2_pipelines.transcripts.chunks import chunk

    year = year_in_force(ws, run, company)
    turns = read_year(ws.home.table("transcript_turns", company), Turn, year)
    cuts = read_year(
        ws.home.table("transcript_segmentations", company), TranscriptSegmentation, year
    )
    by_id = {cut.transcript_id: cut for cut in cuts}
    rows: list[QaChunk] = []
    for transcript in read_year(ws.home.table("transcripts", company), Transcript, year):
        rows.extend(
            chunk(
                transcript,
                [turn for turn in turns if turn.transcript_id == transcript.transcript_id],
                by_id[transcript.transcript_id],
                policy=ws.settings.qa_pattern,
                max_tokens=ws.settings.chunk_tokens,
                tokenizer=ws.tokenizer,
            )
        )
    path = ws.home.table("qa_chunks", company)
    digest = replace_year(path, QaChunk, year, rows)
    patterns: dict[str, int] = {}
    for row in rows:
        patterns[row.pattern or row.part] = patterns.get(row.pattern or row.part, 0) + 1
    columns = ["order", "part", "pattern", "questioner", "n_questions", "tokens", "text"]
    more = {"fiscal_year": year, "patterns": dg.MetadataValue.json(patterns)}
    return Stored(digest, table_metadata(rows, columns, path, **more))


async def make_source_splits(ws: Workspace, run: StepRun, company: str) -> Stored:
    """Split every source of the year at the model's input limit, losing nothing.

    A year whose report was withdrawn has no splits any more: nothing is to be made of it.
    """
    from g2_pipelines.briefs.sources import make_splits
    from g2_pipelines.transcripts.model_view import model_view

    year = year_in_force(ws, run, company)
    filings = _rows(ws, "filings", company, Filing, year)
    if not filings and (gone := withdrawn_of(ws, company, year)):
        path = ws.home.table("source_splits", company)
        digest = replace_year(path, SourceSplit, year, [])
        words = ", ".join(filing.document_id for filing in gone)
        more = {"fiscal_year": year, "withdrawn": words}
        return Stored(digest, table_metadata([], [], path, **more))
    rows = make_splits(
        sections=_rows(ws, "filing_sections", company, FilingSection, year),
        transcripts=_rows(ws, "transcripts", company, Transcript, year),
        turns=_rows(ws, "transcript_turns", company, Turn, year),
        chunks=_rows(ws, "qa_chunks", company, QaChunk, year),
        texts=read_texts(ws, company, year),
        config=ws.brief_config,
        tokenizer=ws.tokenizer,
        model_view=model_view,
    )
    if not rows:
        msg = f"None of the configured sources of {year} has text"
        raise InputError(
            msg, file=company, place="source_splits", remedy="See the sections' statuses"
        )
    path = ws.home.table("source_splits", company)
    digest = replace_year(path, SourceSplit, year, rows)
    columns = ["source_type", "k", "n", "tokens", "text"]
    tokens = sum(r.tokens for r in rows)
    return Stored(digest, table_metadata(rows, columns, path, fiscal_year=year, tokens=tokens))


def _rows(ws: Workspace, table: str, company: str, model: type[R], year: str) -> list[R]:
    return read_year(ws.home.table(table, company), model, year)


_SPECS = (
    specs.asset_spec(
        specs.FILINGS,
        Filing,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="有価証券報告書: the company's stored filings, with what their DEI says.",
        deps=(dg.AssetDep(specs.EDINET_LISTING, partition_mapping=dg.AllPartitionMapping()),),
        kinds=("xbrl", "polars", "parquet"),
    ),
    specs.asset_spec(
        specs.FILING_SECTIONS,
        FilingSection,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="Clean text of 経営方針・経営環境・課題, MD&A and the other sections of 第2"
        " 【事業の状況】, with tables, images and the place in the filing. Facts beside it.",
        deps=(specs.FILINGS,),
        kinds=("xbrl", "polars", "parquet"),
    ),
    specs.asset_spec(
        specs.TRANSCRIPTS,
        Transcript,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="決算説明会の書き起こし: originals with their clean text and document kind.",
        deps=(specs.FILINGS,),
    ),
    specs.asset_spec(
        specs.TRANSCRIPT_TURNS,
        Turn,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="Speakers' turns with role and confidence; the style's vote in the metadata.",
        deps=(specs.TRANSCRIPTS,),
    ),
    specs.asset_spec(
        specs.QA_CHUNKS,
        QaChunk,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="Questions up to the next question (Q→A, Q→AA, Q→QA kept whole), and the"
        " presentation.",
        deps=(specs.TRANSCRIPT_TURNS,),
    ),
    specs.asset_spec(
        specs.SOURCE_SPLITS,
        SourceSplit,
        group=specs.LINE_1,
        owner=specs.Owner.MODELS,
        description="Each source cut at the model's input limit; the parts partition the source.",
        deps=(specs.FILING_SECTIONS, specs.QA_CHUNKS),
    ),
)
_WORK = (
    (specs.FILING_SECTIONS, (specs.FILINGS,), make_filing_sections),
    (specs.TRANSCRIPTS, (specs.FILINGS,), make_transcripts),
    (specs.TRANSCRIPT_TURNS, (specs.TRANSCRIPTS,), make_turns),
    (specs.QA_CHUNKS, (specs.TRANSCRIPT_TURNS,), make_qa_chunks),
    (specs.SOURCE_SPLITS, (specs.FILING_SECTIONS, specs.QA_CHUNKS), make_source_splits),
)


def _stages(config: BriefConfig | None, ws: Workspace, run: StepRun) -> list[Stage]:
    stages = [Stage(specs.FILINGS, (), partial(make_filings, ws, Downloads(ws), run))]
    with_texts = config is not None and reads_texts(config)
    if with_texts:
        texts = partial(make_company_texts, ws, run)
        stages.append(Stage(COMPANY_TEXTS, (specs.FILINGS,), texts))
    for key, upstream, work in _WORK:
        if key == specs.SOURCE_SPLITS:
            more = (COMPANY_TEXTS,) if with_texts else ()
            version = split_version(config) if config else "1"
            made = Stage(key, (*upstream, *more), partial(work, ws, run), code_version=version)
        else:
            made = Stage(key, upstream, partial(work, ws, run))
        stages.append(made)
    return stages


def _specs_for(config: BriefConfig | None) -> list[dg.AssetSpec]:
    if config is None:
        return list(_SPECS)
    version = split_version(config)
    *others, splits = _SPECS
    if not reads_texts(config):
        return [*others, splits.replace_attributes(code_version=version)]
    made = splits.merge_attributes(deps=[COMPANY_TEXTS]).replace_attributes(code_version=version)
    return [*others, SPEC, made]


def build_sources(
    batch_size: int, config: BriefConfig | None = None, *, checks: Sequence[BatchCheck] = ()
) -> dg.AssetsDefinition:
    """The step ``sources``; ``config`` says whether company texts are read, and how all is cut."""
    return build_step(
        "sources",
        _specs_for(config),
        partial(_stages, config),
        partitions=companies,
        batch_size=batch_size,
        farmed=True,
        checks=checks,
        pool="sources",  # two runs over one company would overwrite each other's years
    )
