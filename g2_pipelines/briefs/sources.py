"""Sources of a brief: sections, transcripts, texts of one fiscal year → parts at the limit.

Here: which rows are a source, how it is cut (losslessly: the parts' spans partition it) and
what a model sees of each part (``model_text``, with its map back). Not here: how a text is
cut at a token limit (``text.splits``) and how speech is cleaned (given as ``model_view``).
Importable by briefs, defs and cli.

The paper cuts what exceeds the input limit into equal parts (§5); its sources are two
sections of the annual report and the full-year earnings call (§4.1).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from g2_pipelines.briefs.config import BriefConfig, SourceTypeSpec
from g2_pipelines.errors import InputError, LimitError
from g2_pipelines.models.control_tokens import neutral
from g2_pipelines.tables.line1 import (
    CompanyText,
    FilingSection,
    QaChunk,
    SourceSplit,
    Transcript,
    Turn,
)
from g2_pipelines.tables.rows import Offset, Span
from g2_pipelines.text.language import language
from g2_pipelines.text.splits import split_ranges
from g2_pipelines.text.tokens import Tokenizer

ModelView = Callable[[str], tuple[str, list[Offset]]]

#: Who speaks, as it stands at the head of a line of ``model_text`` (Japanese, English).
ROLE_MARKS: dict[str, tuple[str, str]] = {
    "question": ("【質問】", "[Question] "),
    "answer": ("【回答】", "[Answer] "),
    "moderator": ("【司会】", "[Moderator] "),
    "presenter": ("【説明】", "[Presentation] "),
    "unknown": ("【発言】", "[Speaker] "),
}


class MixedYearsError(InputError):
    """Rows of several fiscal years or companies were given as one brief's sources."""

    code = "mixed_sources"


class SplitLimitError(LimitError):
    """A source cannot be cut into parts that fit the input limit."""

    code = "split_limit"


class _Piece(NamedTuple):
    """A range of one stored text by one speaker; role "" in a filing.

    ``question`` is what an answer answers, for a part that begins with the answer; ``opens``
    are the places of ``text`` where a chunk begins.
    """

    source_id: str
    text: str
    start: int
    end: int
    role: str
    turn: int
    question: str = ""
    opens: tuple[int, ...] = ()


def make_splits(
    *,
    sections: Sequence[FilingSection],
    transcripts: Sequence[Transcript],
    turns: Sequence[Turn],
    chunks: Sequence[QaChunk],
    config: BriefConfig,
    tokenizer: Tokenizer,
    model_view: ModelView,
    texts: Sequence[CompanyText] = (),
) -> list[SourceSplit]:
    """Cut the sources of one company and fiscal year into parts at the input limit.

    Used are sections that hold text (status found, or truncated_source, which the page then
    says) and are not superseded, and transcripts of the configured kinds. The order of the
    rows given does not matter. A source type without text has no part.

    Args:
        sections: The year's filing sections.
        transcripts: The year's transcripts (clean text).
        turns: Their turns, for who speaks.
        chunks: Their chunks; the ranges of one part (presentation, qa) are the source.
        config: Source types and limits.
        tokenizer: Counts tokens.
        model_view: Speech without fillers, with the offset map into the text given.
        texts: The year's company texts.

    Returns:
        Parts in the order of the configuration and of the sources; k of n, 1-based. The
        spans of a source's parts partition it; ``text`` is their characters, joined.

    Raises:
        MixedYearsError: rows of more than one company or fiscal year.
        SplitLimitError: a part cannot be made small enough.
    """
    years = {(row.edinet_code, row.fiscal_year) for row in sections}
    years |= {(row.edinet_code, row.fiscal_year) for row in transcripts}
    years |= {(row.edinet_code, row.fiscal_year) for row in texts}
    if not years:
        return []
    if len(years) > 1:
        listed = ", ".join(f"{code} {year}" for code, year in sorted(years))
        raise MixedYearsError(
            "the sources of one brief are of one company and fiscal year",
            place=listed,
            remedy="Make one brief a fiscal year",
        )
    edinet_code, fiscal_year = next(iter(years))
    used = [row for row in transcripts if row.kind in config.transcript_kinds]
    tokenizer = _CountedOnce(tokenizer)
    result: list[SourceSplit] = []
    for source in config.source_types:
        if source.reader == "filing_section":
            pieces = _section_pieces(sections, source.select)
        elif source.reader == "transcript_part":
            pieces = _transcript_pieces(used, turns, chunks, source.select)
        else:
            pieces = _text_pieces(texts, source.text_type)
        parts = _cut(pieces, source, config, tokenizer, model_view)
        for k, (spans, text, model_text, offsets) in enumerate(parts, 1):
            result.append(
                SourceSplit(
                    edinet_code=edinet_code,
                    fiscal_year=fiscal_year,
                    source_type=source.key,
                    split_id=f"{fiscal_year}-{source.key}-{k}",
                    k=k,
                    n=len(parts),
                    spans=spans,
                    text=text,
                    model_text=model_text,
                    model_offsets=offsets,
                    tokens=tokenizer.count(neutral(model_text)),
                    tokenizer=tokenizer.name,
                )
            )
    return result


class _CountedOnce:
    """A tokenizer that counts a text once: what is cut is counted whole, cut, and as a part."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.name = tokenizer.name
        self.count = cache(tokenizer.count)


def _section_pieces(sections: Sequence[FilingSection], select: str) -> list[_Piece]:
    chosen = [
        row
        for row in sections
        if row.section == select
        and row.superseded_by is None
        and row.status in ("found", "truncated_source")
        and row.text
    ]
    chosen.sort(key=lambda row: (row.document_id, row.order, row.element))
    return [
        _Piece(
            row.source_id,
            row.text,
            0,
            len(row.text),
            "",
            number,
            opens=(0, *(heading.start for heading in row.headings)),
        )
        for number, row in enumerate(chosen)
    ]


def _text_pieces(texts: Sequence[CompanyText], text_type: str) -> list[_Piece]:
    chosen = [row for row in texts if row.text_type == text_type and row.text]
    chosen.sort(key=lambda row: row.text_id)
    return [
        _Piece(row.source_id, row.text, 0, len(row.text), "", number, opens=(0,))
        for number, row in enumerate(chosen)
    ]


def _transcript_pieces(
    transcripts: Sequence[Transcript],
    turns: Sequence[Turn],
    chunks: Sequence[QaChunk],
    part: str,
) -> list[_Piece]:
    pieces: list[_Piece] = []
    for transcript in sorted(transcripts, key=lambda row: row.transcript_id):
        own = [row for row in chunks if row.transcript_id == transcript.transcript_id]
        ranges = _disjoint(
            (span.start, span.end)
            for row in sorted(own, key=lambda row: row.order)
            if row.part == part
            for span in row.spans
        )
        speakers = sorted(
            (row for row in turns if row.transcript_id == transcript.transcript_id),
            key=lambda row: (row.start, row.order),
        )
        asked = _questions(own, transcript.text)
        starts = [start for start, _ in asked]
        for start, end in ranges:
            for a, b, role, order in _by_speaker(start, end, speakers):
                number = bisect_right(starts, a) - 1
                question = asked[number][1] if role == "answer" and number >= 0 else ""
                opens = (a,) if number >= 0 and starts[number] == a else ()
                pieces.append(
                    _Piece(
                        transcript.source_id, transcript.text, a, b, role, order, question, opens
                    )
                )
    return pieces


def _questions(chunks: Sequence[QaChunk], text: str) -> list[tuple[int, str]]:
    """Where each chunk begins, and the words of it that ask."""
    return sorted(
        (row.spans[0].start, "\n".join(text[s.start : s.end] for s in row.question))
        for row in chunks
        if row.spans
    )


def _disjoint(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ascending disjoint ranges: a question repeated in several chunks is counted once."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        begin = max(start, result[-1][1]) if result else start
        if begin < end:
            result.append((begin, end))
    return result


def _by_speaker(start: int, end: int, turns: Sequence[Turn]) -> Iterable[tuple[int, int, str, int]]:
    """Cut [start, end) at the turns' borders; what no turn holds is of an unknown speaker."""
    at = start
    for turn in turns:
        if turn.end <= at or turn.start >= end:
            continue
        if turn.start > at:
            yield at, turn.start, "unknown", -1
            at = turn.start
        stop = min(turn.end, end)
        yield at, stop, turn.role, turn.order
        at = stop
    if at < end:
        yield at, end, "unknown", -1


_Part = tuple[list[Span], str, str, list[Offset]]


def _cut(
    pieces: Sequence[_Piece],
    source: SourceTypeSpec,
    config: BriefConfig,
    tokenizer: Tokenizer,
    model_view: ModelView,
) -> list[_Part]:
    """Parts of one source whose model_text fits. The marks make a model_text longer than
    its text: the limit of the cut is lowered until each part fits.
    """
    if not pieces:
        return []
    text = "".join(piece.text[piece.start : piece.end] for piece in pieces)
    borders, paragraphs = _borders(pieces)
    limit = config.text_limit(source)
    target = limit
    while True:
        parts = [
            _render(pieces, start, end, model_view)
            for start, end in split_ranges(text, target, tokenizer, borders, paragraphs)
        ]
        longest = max((tokenizer.count(neutral(part[2])) for part in parts), default=0)
        if longest <= limit:
            return parts
        target = min(target - 1, target * limit // longest)
        if target < 16:
            raise SplitLimitError(
                f"the source type {source.key} cannot be cut to {limit} tokens a part",
                place=source.key,
                remedy="Raise its input_limit",
            )


def _borders(pieces: Sequence[_Piece]) -> tuple[list[int], list[int]]:
    """Places in the joined text where a cut is welcome: where chunks begin, and where turns do.

    A chunk is a question with its answers, a section under a heading. Paragraphs need not be
    named: a newline tells them.
    """
    chunks: list[int] = []
    turns: list[int] = []
    at = 0
    for piece in pieces:
        turns.append(at)
        chunks += [at + place - piece.start for place in piece.opens]
        at += piece.end - piece.start
    return chunks, turns


def _render(pieces: Sequence[_Piece], start: int, end: int, model_view: ModelView) -> _Part:
    """Spans, text, model_text and offsets of the range [start, end) of the joined text."""
    spans: list[Span] = []
    texts: list[str] = []
    view: list[str] = []
    offsets: list[Offset] = []
    length = at = seen = 0
    speaker: tuple[str, int] | None = None
    for piece in pieces:
        first, last = max(start, at), min(end, at + piece.end - piece.start)
        if first < last:
            a, b = piece.start + first - at, piece.start + last - at
            body = piece.text[a:b]
            spans.append(Span(source_id=piece.source_id, start=a, end=b))
            texts.append(body)
            shown, runs, head = body, [Offset(start=0, source_start=0, length=len(body))], ""
            if piece.role:
                shown, runs = model_view(body)
                head = "" if speaker == (piece.role, piece.turn) else _mark(piece.role, body)
            if not length and piece.question:
                head = f"{_mark('question', body)}{model_view(piece.question)[0]}\n{head}"
            if length and (head or piece.turn != (speaker or ("", -1))[1]):
                head = "\n" + head
            speaker = (piece.role, piece.turn)
            view += [head, shown]
            length += len(head)
            offsets += [
                Offset(
                    start=run.start + length,
                    source_start=run.source_start + seen,
                    length=run.length,
                )
                for run in runs
                if run.length
            ]
            length += len(shown)
            seen += len(body)
        at += piece.end - piece.start
    return spans, "".join(texts), "".join(view), offsets


def _mark(role: str, body: str) -> str:
    return ROLE_MARKS[role][0 if language(body) == "ja" else 1]
