"""What a report reads: a company's judged texts of two sides, and the sources they stand in.

Here: from stored tables to ``evaluation.report.Case``, pairs for a judge and for readers. Not
here: the report (``reporting``), what judging is (``evaluation``). Nothing here knows Dagster's
runs or partitions.

A side is a strategy of this home or of another (``aspect``, ``simple@/data/g2-gpt``): two
strategies, two models or two runs are compared in the same way.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast, get_args

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.defs.years import Y, read_year
from g2_pipelines.errors import InputError, NotYetError
from g2_pipelines.evaluation.report import Case, Judged
from g2_pipelines.evaluation.report_company import SourceText, SpokenTurn
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    Company,
    FilingSection,
    QaChunk,
    Strategy,
    Summary,
    Transcript,
    Turn,
)
from g2_pipelines.tables.store import MissingTableError, read_table

_ROLES = {"question": "質問", "answer": "回答", "moderator": "司会", "presenter": "説明"}
OTHER = "other"


class UnknownSideError(InputError):
    """A side of a report is not a strategy, or its home is not there."""

    code = "unknown_side"


class StaleEvaluationError(NotYetError):
    """An evaluation is of other texts than those that are stored now."""

    code = "stale_evaluation"


@dataclass(frozen=True)
class Half:
    """One side: a strategy in a home. ``label`` is for people, ``slug`` for file names.

    Two slugs and ``-vs-`` are a key: at most 29 characters each.
    """

    ws: Workspace
    strategy: Strategy
    label: str
    slug: str


def half(ws: Workspace, text: str) -> Half:
    """The side that ``STRATEGY`` or ``STRATEGY@HOME`` names.

    Raises:
        UnknownSideError: no such strategy, or no such home.
    """
    name, _, home = text.partition("@")
    if name not in get_args(Strategy):
        raise UnknownSideError(
            f"There is no strategy {name[:60]!r}",
            place="side",
            remedy=f"Use one of {', '.join(get_args(Strategy))}, or STRATEGY@HOME",
        )
    strategy = cast("Strategy", name)
    if not home:
        return Half(ws, strategy, name, name)
    other = Workspace(ws.settings.model_copy(update={"home": home}))
    if not (other.home.root / "tables").exists():
        raise UnknownSideError(
            f"There are no tables in {home[:200]!r}",
            place="side",
            remedy="Give the folder (or URL) of another G2_HOME behind the @",
        )
    folder = re.sub(r"[^A-Za-z0-9]+", "-", home.rstrip("/").rsplit("/", 1)[-1]).strip("-")
    digest = digest_of(str(other.home.root).encode())[:6]
    return Half(other, strategy, f"{name}（{folder}）", f"{name}-{folder[:12].strip('-')}-{digest}")


def companies_of(ws: Workspace, table: str = "brief_evaluations") -> list[str]:
    """The companies that have a table, sorted."""
    folder = ws.home.root / "tables" / table
    if not folder.exists():
        return []
    return sorted(path.stem for path in folder.iterdir() if path.name.endswith(".parquet"))


def read_case(left: Half, right: Half, company: str, fiscal_year: str = "") -> Case:
    """A company's judged texts of both sides, of a year or the newest that the left side has.

    Raises:
        MissingTableError: nothing is judged.
        StaleEvaluationError: the texts were made again since.
        StateError: a table is damaged.
    """
    ours, theirs = (_evaluations(side, company) for side in (left, right))
    years = sorted({row.fiscal_year for row in ours or theirs})
    if not years:
        raise MissingTableError(
            f"No text by {left.label} or {right.label} is judged",
            file=company,
            place="brief_evaluations",
            remedy="Materialize `summaries` and `judgement`, with both strategies configured",
        )
    year = fiscal_year or years[-1]
    return Case(
        company=read_name(left.ws if ours else right.ws, company),
        fiscal_year=year,
        left=_judged(left, company, year, ours),
        right=_judged(right, company, year, theirs),
        type_of=type_of(left.ws, left.ws.brief_config, company, year),
    )


def read_name(ws: Workspace, company: str) -> Company:
    """The company by its lists or filing; its code where none names it."""
    from g2_pipelines.defs.assets.company import read_company

    try:
        return read_company(ws, company)
    except MissingTableError:
        return Company(edinet_code=company, name=company)


def _evaluations(side: Half, company: str) -> list[BriefEvaluation]:
    try:
        rows = read_table(side.ws.home.table("brief_evaluations", company), BriefEvaluation)
    except MissingTableError:
        return []
    return [row for row in rows if row.strategy == side.strategy]


def _judged(
    side: Half, company: str, year: str, evaluations: Sequence[BriefEvaluation]
) -> dict[str, Judged]:
    found: dict[str, Judged] = {}
    for evaluation in evaluations:
        if evaluation.fiscal_year != year:
            continue
        summary = _summary(side, company, evaluation)
        if summary is None:
            raise StaleEvaluationError(
                f"The evaluation of {evaluation.aspect} is of another text than is stored",
                file=company,
                place=f"{side.label}, {year}",
                remedy="Materialize `judgement` for this company again",
            )
        found[evaluation.aspect] = Judged(summary, evaluation)
    return found


def _summary(side: Half, company: str, evaluation: BriefEvaluation) -> Summary | None:
    """The stored text that an evaluation is of: of the strategy's own assets or the brief's."""
    aspect = evaluation.aspect
    for table in (f"{side.strategy}_summaries/{aspect}", f"final_summaries/{aspect}"):
        try:
            rows = read_year(side.ws.home.table(table, company), Summary, evaluation.fiscal_year)
        except MissingTableError:
            continue
        for row in rows:
            if (row.strategy, row.aspect) == (side.strategy, aspect) and _fits(row, evaluation):
                return row
    return None


def _fits(summary: Summary, evaluation: BriefEvaluation) -> bool:
    return all(summary.text[c.start : c.end] == c.text for c in evaluation.claims) and all(
        s.end <= len(summary.text) for s in evaluation.sentences
    )


def type_of(
    ws: Workspace, config: BriefConfig, company: str, year: str
) -> Callable[[str, int], str]:
    """(source_id, place) → the key of the source type that reads it, ``other`` for none."""
    sections = {s.select: s.key for s in config.source_types if s.reader == "filing_section"}
    parts = {s.select: s.key for s in config.source_types if s.reader == "transcript_part"}
    texts = [s.key for s in config.source_types if s.reader == "company_text"]
    places: dict[str, list[tuple[int, int, str]]] = {}

    def chunks() -> dict[str, list[tuple[int, int, str]]]:
        """Read once, and only where a transcript is cited."""
        if not places:
            places[""] = []
            try:
                rows = read_year(ws.home.table("qa_chunks", company), QaChunk, year)
            except MissingTableError:
                rows = []
            for row in rows:
                for span in row.spans:
                    places.setdefault(span.source_id, []).append((span.start, span.end, row.part))
            for spans in places.values():
                spans.sort()
        return places

    def find(source_id: str, place: int) -> str:
        kind, _, rest = source_id.partition(":")
        if kind == "filing":
            section = rest.split(":")[1] if rest.count(":") >= 2 else ""
            return sections.get(section, OTHER)
        if kind == "transcript":
            spans = chunks().get(source_id, [])
            at = bisect_right(spans, (place, 1 << 60, "")) - 1
            inside = at >= 0 and place < spans[at][1]
            return parts.get(spans[at][2], OTHER) if inside else OTHER
        return texts[0] if kind == "text" and len(texts) == 1 else OTHER

    return find


def read_source_texts(ws: Workspace, company: str, year: str) -> list[SourceText]:
    """The year's sources as a report's page shows them, in the order of a brief's page."""
    from g2_pipelines.briefs.page_words import section_title, transcript_line, transcript_title
    from g2_pipelines.defs.assets.texts import read_texts

    found: list[SourceText] = []
    for row in _rows(ws, "filing_sections", company, year, FilingSection):
        if row.text and row.superseded_by is None:
            line = f"書類管理番号 {row.document_id}｜{row.element or '要素名なし'}｜{row.page_file}"
            found.append(
                SourceText(
                    row.source_id, section_title(row), line, row.text, row.tables, row.headings
                )
            )
    turns = _rows(ws, "transcript_turns", company, year, Turn)
    for transcript in _rows(ws, "transcripts", company, year, Transcript):
        own = [turn for turn in turns if turn.transcript_id == transcript.transcript_id]
        found.append(
            SourceText(
                transcript.source_id,
                transcript_title(transcript),
                transcript_line(transcript),
                transcript.text,
                turns=[SpokenTurn(t.start, t.end, _who(t)) for t in own],
            )
        )
    found += [
        SourceText(text.source_id, text.title or text.file, text.file, text.text)
        for text in read_texts(ws, company, year)
    ]
    return found


def _who(turn: Turn) -> str:
    """A turn's role and speaker; title and organisation where the name does not hold them."""
    name = turn.speaker or ""
    more = [part for part in (turn.organisation, turn.title) if part and part not in name]
    return " ".join(part for part in (_ROLES.get(turn.role, ""), *more, name) if part)


def _rows(ws: Workspace, table: str, company: str, year: str, model: type[Y]) -> list[Y]:
    try:
        return read_year(ws.home.table(table, company), model, year)
    except MissingTableError:
        return []


def passages(case: Case, aspect: str, sources: Sequence[SourceText]) -> tuple[str, ...]:
    """The source passages that both sides' sentences on an aspect stand on, in their order.

    Each once, overlapping ones joined: nothing shows from which side one is.
    """
    order = {source.source_id: place for place, source in enumerate(sources)}
    spans = sorted(
        (order[span.source_id], span.start, span.end)
        for side in (case.left, case.right)
        if aspect in side
        for sentence in side[aspect].evaluation.sentences
        for span in sentence.evidence
        if span.source_id in order
    )
    joined: list[tuple[int, int, int]] = []
    for place, start, end in spans:
        if joined and joined[-1][0] == place and start <= joined[-1][2]:
            joined[-1] = (place, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((place, start, end))
    return tuple(sources[place].text[start:end].strip() for place, start, end in joined)


def pairs_of(case: Case, aspects: Sequence[str]) -> Iterator[tuple[str, Judged, Judged]]:
    """(aspect, left, right) of the aspects that both sides have."""
    for aspect in aspects:
        if aspect in case.left and aspect in case.right:
            yield aspect, case.left[aspect], case.right[aspect]
