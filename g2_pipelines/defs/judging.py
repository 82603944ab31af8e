"""Preferences over a report's pairs: a model's as judge, and readers' on blind sheets.

Here: ``judge_report``, ``make_blind_sheet``, ``read_blind_sheets``, and what of them a report shows.
Not here: prompts, schema and sums (``evaluation``). Nothing here knows Dagster's runs.

Verdicts lie in the table ``judge_verdicts``, votes in ``reader_votes``, by the report's name. A
verdict counts as long as both texts are those that were judged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import Any, TypeVar

from upath import UPath

from g2_pipelines.defs.report_cases import (
    Half,
    pairs_of,
    passages,
    read_case,
    read_source_texts,
)
from g2_pipelines.defs.reporting import ReportPlan, chosen_companies, report_name, sides
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error, InputError
from g2_pipelines.evaluation.judge import CRITERIA, JudgePair, Unjudged, judge_pairs
from g2_pipelines.evaluation.preferences import agreements, judge_totals, reader_totals
from g2_pipelines.evaluation.report import Report, text_digest
from g2_pipelines.evaluation.report_page import Missing
from g2_pipelines.evaluation.sheet import Sheet, SheetError, SheetPair, lot, make_sheet
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.report import JudgeVerdict, ReaderVote
from g2_pipelines.tables.store import MissingTableError, read_table, write_atomic, write_table

VERDICTS = "judge_verdicts"
VOTES = "reader_votes"
P = TypeVar("P", JudgeVerdict, ReaderVote)


@dataclass(frozen=True)
class _Pair:
    """A pair of texts with all that a judge or a reader is shown."""

    key: tuple[str, str, str]
    company: str
    texts: tuple[str, str]
    models: tuple[str, str]
    evidence: tuple[str, ...]


def _pairs(
    ws: Workspace, halves: tuple[Half, Half], plan: ReportPlan, skipped: list[Missing]
) -> Iterator[_Pair]:
    """The pairs of the plan's companies; one that cannot be read has none and is noted."""
    left, right = halves
    aspects = [aspect.key for aspect in ws.brief_config.aspects]
    for company in chosen_companies(left, right, plan):
        try:
            case = read_case(left, right, company, plan.fiscal_year)
        except G2Error as error:
            skipped.append(Missing(company, error.code, error.message, error.remedy))
            continue
        both = list(pairs_of(case, aspects))
        if not both:
            continue
        sources = read_source_texts(left.ws, company, case.fiscal_year)
        for aspect, ours, theirs in both:
            yield _Pair(
                (company, case.fiscal_year, aspect),
                case.company.name,
                (ours.summary.text, theirs.summary.text),
                (ours.summary.model, theirs.summary.model),
                passages(case, aspect, sources),
            )


def judge_report(
    ws: Workspace, plan: ReportPlan, *, limit: int = 120
) -> tuple[list[JudgeVerdict], list[Unjudged]]:
    """Let the configured judge compare up to ``limit`` pairs, chosen by the judge's seed.

    Its verdicts take the place of stored ones of the same report. Companies that cannot be
    read are named by the report itself.

    Raises:
        InputError: no judge is configured, or it wrote one of the texts.
        ModelError: no pair could be judged.
    """
    halves = sides(ws, plan)
    port = ws.judge()
    seed = ws.settings.judge_seed
    pairs = _pairs(ws, halves, plan, [])
    drawn = nsmallest(limit, pairs, key=lambda pair: _lot(seed, pair.key)) if limit else pairs
    chosen = sorted(drawn, key=lambda pair: pair.key)
    asked = [
        JudgePair(
            edinet_code=pair.key[0],
            fiscal_year=pair.key[1],
            aspect=pair.key[2],
            company=pair.company,
            label=ws.brief_config.aspect(pair.key[2]).label,
            meaning=ws.brief_config.aspect(pair.key[2]).meaning,
            left=pair.texts[0],
            right=pair.texts[1],
            left_digest=text_digest(pair.texts[0]),
            right_digest=text_digest(pair.texts[1]),
            evidence=pair.evidence,
        )
        for pair in chosen
    ]
    verdicts, failed = asyncio.run(
        judge_pairs(
            port,
            asked,
            generators={model for pair in chosen for model in pair.models},
            seed=seed,
            allow_same_model=ws.settings.judge_allow_same_model,
        )
    )
    if failed and not verdicts:
        raise failed[0].failure
    write_table(ws.home.table(VERDICTS, report_name(*halves)), verdicts, JudgeVerdict)
    return verdicts, failed


def _lot(seed: int, key: tuple[str, str, str]) -> str:
    return digest_of(f"{seed}\0{key}".encode())


def judge_panels(ws: Workspace, name: str, report: Report) -> dict[str, Any]:
    """What a report shows of stored verdicts: those on the texts that it is of."""
    try:
        rows = read_table(ws.home.table(VERDICTS, name), JudgeVerdict)
    except MissingTableError:
        return {"criteria": CRITERIA}
    fresh = _fresh(rows, report)
    named = (
        ("審査員", {row.model for row in fresh}),
        ("シード", {str(row.seed) for row in fresh}),
        ("プロンプト", {row.prompt_version for row in fresh}),
    )
    facts = [f"{what} {'、'.join(sorted(values))}" for what, values in named if values]
    if len(fresh) < len(rows):
        facts.append(f"文章が変わったため除いた判定 {len(rows) - len(fresh)} 件")
    return {"criteria": CRITERIA, "judge": judge_totals(fresh), "judge_facts": facts}


def _fresh(rows: Sequence[P], report: Report) -> list[P]:
    """The preferences between texts that are still those of the report."""
    texts = {(t.edinet_code, t.fiscal_year, t.aspect, t.where): t.digest for t in report.texts}
    return [
        row
        for row in rows
        if texts.get((row.edinet_code, row.fiscal_year, row.aspect, "left")) == row.left_digest
        and texts.get((row.edinet_code, row.fiscal_year, row.aspect, "right")) == row.right_digest
    ]


def make_blind_sheet(
    ws: Workspace, plan: ReportPlan, *, seed: int, limit: int = 0
) -> tuple[Sheet, list[Missing]]:
    """A blind sheet of the plan's pairs, and companies that could not be read for it.

    Its key is kept below G2_HOME/sheets. With a limit no more pairs are held than it says.

    Raises:
        InputError: the plan is wrong, or no two texts differ.
    """
    from g2_pipelines.briefs.page_words import year_in_words
    from g2_pipelines.evaluation.sheet import key_csv

    left, right = halves = sides(ws, plan)
    skipped: list[Missing] = []
    equal = 0

    def pairs() -> Iterator[SheetPair]:
        nonlocal equal
        for pair in _pairs(ws, halves, plan, skipped):
            if pair.texts[0] == pair.texts[1]:
                equal += 1
                continue
            yield SheetPair(
                edinet_code=pair.key[0],
                fiscal_year=pair.key[1],
                aspect=pair.key[2],
                company=pair.company,
                year_label=year_in_words(pair.key[1]),
                label=ws.brief_config.aspect(pair.key[2]).label,
                left=pair.texts[0],
                right=pair.texts[1],
                evidence=pair.evidence,
            )

    drawn = nsmallest(limit, pairs(), key=lambda p: lot(seed, p.key)) if limit else list(pairs())
    sheet = make_sheet(
        drawn, seed=seed, left=left.slug, right=right.slug, criteria=tuple(CRITERIA.values())
    )
    write_atomic(key_path(ws, sheet.sheet_id), key_csv(sheet))
    return replace(sheet, equal=equal), skipped


def key_path(ws: Workspace, sheet_id: str) -> UPath:
    """Where the key of a sheet lies; not below the pages, which are served.

    Raises:
        InputError: no such id can be.
    """
    from g2_pipelines.keys import check_key

    return ws.home.root / "sheets" / f"{check_key(sheet_id, 'sheet id')}.key.csv"


def read_blind_sheets(
    ws: Workspace, files: list[tuple[str, bytes]], *, key: tuple[str, bytes] | None = None
) -> list[ReaderVote]:
    """The votes of filled sheets, stored for their report.

    ``key``: the key's name and content where it is not the one below G2_HOME/sheets.

    Raises:
        SheetError: a sheet or the key is not what it should be.
    """
    from g2_pipelines.evaluation.sheet import read_key
    from g2_pipelines.evaluation.sheet_answers import read_answers, sheet_id_of

    if not files:
        raise InputError("There is no filled sheet", remedy="Give the CSV files that came back")
    if key is None:
        path = key_path(ws, sheet_id_of(*files[0]))
        try:
            key = (path.name, bytes(path.read_bytes()))
        except FileNotFoundError as error:
            raise SheetError(
                "The key of this sheet is not in this home",
                file=files[0][0],
                place=path.stem,
                remedy="Set G2_HOME to where `g2 sheet make` ran, or give --key FILE",
            ) from error
    rows = read_key(key[1], file=key[0])
    votes = read_answers(files, rows, CRITERIA)
    name = f"{rows[0].left}-vs-{rows[0].right}"
    write_table(ws.home.table(VOTES, name), votes, ReaderVote)
    return votes


def reader_panels(ws: Workspace, name: str, report: Report) -> dict[str, Any]:
    """What a report shows of readers' votes: those on the texts that it is of."""
    try:
        votes = read_table(ws.home.table(VOTES, name), ReaderVote)
    except MissingTableError:
        return {}
    fresh = _fresh(votes, report)
    stale = len(votes) - len(fresh)
    return {
        "readers": reader_totals(fresh),
        "agreement": agreements(fresh),
        "readers_note": f"文章が変わったため除いた投票 {stale} 件" if stale else "",
    }
