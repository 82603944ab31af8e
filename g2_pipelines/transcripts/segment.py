"""A transcript's clean text into turns.

Here: the order of the steps (lines, vote, layout, people, roles, opening) and the rows.
Each step stands in its own module. Chunks are made of the turns by ``chunks``. ``defs`` and
``cli`` may import this module.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from g2_pipelines.tables.line1 import (
    DroppedSpan,
    Role,
    Segmentation,
    StyleVote,
    Transcript,
    TranscriptSegmentation,
    Turn,
)
from g2_pipelines.transcripts import labels, rosters, styles
from g2_pipelines.transcripts.clean import Timing
from g2_pipelines.transcripts.contents import contents
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.furniture import page_furniture
from g2_pipelines.transcripts.induced_vote import with_induced
from g2_pipelines.transcripts.inline import cut_inline
from g2_pipelines.transcripts.layout import Layout, Page, RawTurn, lay_out
from g2_pipelines.transcripts.learned import STYLE
from g2_pipelines.transcripts.lines import Heading, Line, heading, lines_of
from g2_pipelines.transcripts.opening import apply_opening, find_opening
from g2_pipelines.transcripts.prefixes import without_prefixes
from g2_pipelines.transcripts.roles import assign
from g2_pipelines.transcripts.speaker_runs import by_speaker_runs

#: Without what stands before every line more labels are found, so many and so many times.
MIN_MORE, MORE, KNOWN = 4, 1.5, 0.8


def segment(
    transcript: Transcript,
    timings: Sequence[Timing] = (),
    *,
    roles: Mapping[str, Role] | None = None,
) -> tuple[list[Turn], TranscriptSegmentation]:
    """Turns in order, and how they were found.

    Every non-space character of the clean text is in exactly one turn's [start, end) or one
    dropped span. Text without recognisable labels is one turn a section, role unknown, and
    ``segmentation`` says ``unsegmented`` with the reason among the warnings.

    Args:
        transcript: With its clean text.
        timings: The reader's timings; they give t0, t1 and, where the format has them, speakers.
        roles: Overrides by label, name or title (per company).
    """
    text = transcript.text
    lines = cut_inline(text, lines_of(text))
    people = rosters.read_roster(
        [text[line.start : line.end] for line in lines[: rosters.MAX_ROSTER_LINES]]
    )
    listed = contents(text, lines)
    furniture = page_furniture(text, lines)
    silent = listed | furniture
    parts = _parts(text, lines, silent)
    ballot = styles.vote(text, lines, parts, roster=people, skipped=silent)
    bare = without_prefixes(text, lines)
    if bare is not None:
        again = _parts(text, bare, silent)
        other = styles.vote(text, bare, again, roster=people, skipped=silent)
        known = ballot.styles == [STYLE] != other.styles  # a grammar goes before what is learned
        if len(other.marks) >= max(MIN_MORE, (KNOWN if known else MORE) * len(ballot.marks)):
            lines, parts, ballot = bare, again, other
    skipped = {*silent, *people.lines}
    ballot, notes = with_induced(ballot, text, lines, parts, skipped)
    page = Page(text, lines, parts, listed, furniture)
    layout, style, warnings = _laid_out(page, ballot, timings)
    if not layout.turns or (not ballot.styles and style == "none"):
        reason = ballot.reason or "labels without words"
        return _unsegmented(transcript, lines, parts, ballot.votes, reason=reason, timings=timings)
    drafts = _drafts(text, layout.turns, timings, people.initials)
    assign(drafts, roster=people.sides, overrides=roles or {})
    apply_opening(drafts, find_opening(drafts, layout.qa_headings))
    segmentation = _how(drafts)
    turns = [turn_row(transcript, order, draft) for order, draft in enumerate(drafts)]
    return turns, TranscriptSegmentation(
        edinet_code=transcript.edinet_code,
        fiscal_year=transcript.fiscal_year,
        transcript_id=transcript.transcript_id,
        segmentation=segmentation,
        style=style,
        votes=ballot.votes,
        dropped=layout.dropped,
        warnings=warnings + notes,
    )


def _parts(text: str, lines: Sequence[Line], listed: Collection[int]) -> list[Heading]:
    return [None if i in listed else heading(text, line) for i, line in enumerate(lines)]


def _laid_out(
    page: Page, ballot: styles.Ballot, timings: Sequence[Timing]
) -> tuple[Layout, str, list[str]]:
    speakers = {timing.speaker for timing in timings if timing.speaker}
    if speakers and not (ballot.styles and len(speakers) < 2):
        runs = [(t.start, t.end, t.speaker, t.t0, t.t1) for t in timings]
        layout = by_speaker_runs(page.text, runs)
        _strip_labels(page.text, layout)
        return layout, "timed_speakers", []
    layout = lay_out(page, ballot.marks)
    style = "+".join(ballot.styles) or "none"
    warnings = [] if len(ballot.styles) < 2 else [f"mixed label styles: {style}"]
    return layout, style, warnings


def _strip_labels(text: str, layout: Layout) -> None:
    """Drop 「○議長（額賀福志郎君）　」 where the format names the speaker besides."""
    for turn in layout.turns:
        if turn.mark is None or not turn.mark.label or text[turn.start] not in "○〇◯":
            continue
        end = text.find("　", turn.start, turn.start + 80)
        shown = text[turn.start + 1 : max(end, turn.start + 1)]
        name = "".join(turn.mark.label.split())
        known = name in "".join(shown.split()) or (shown[:1] and name.startswith(shown[:1]))
        if end > 0 and known and "。" not in shown:
            layout.dropped.append(DroppedSpan(start=turn.start, end=end, reason="label"))
            title = labels.parse_label(shown).title
            whole = shown if name in "".join(shown.split()) or not title else f"{title}（{name}）"
            turn.mark = turn.mark._replace(label=whole, end=end)
            piece = text[end : turn.end]
            turn.start = turn.end - len(piece.lstrip())
    layout.turns = [turn for turn in layout.turns if turn.start < turn.end]


_NONE: Mapping[str, str] = MappingProxyType({})


def _drafts(
    text: str,
    turns: Sequence[RawTurn],
    timings: Sequence[Timing],
    initials: Mapping[str, str] = _NONE,
) -> list[Draft]:
    aliases = {**initials, **_aliases(turns)}
    starts = [timing.start for timing in timings]
    drafts = []
    for turn in turns:
        mark = turn.mark
        label = mark.label if mark is not None else ""
        label = aliases.get(label, label)
        t0, t1 = _times(turn, timings, starts)
        drafts.append(
            Draft(
                start=turn.start,
                end=turn.end,
                text=_unwrapped(text[turn.start : turn.end]),
                style=mark.style if mark is not None else "",
                label=label,
                speaker=labels.parse_label(label),
                side=mark.side if mark is not None else None,
                t0=t0,
                t1=t1,
                part=turn.part,
            )
        )
    return drafts


_WRAP = re.compile(r"(?<=[^\x00-\x7f。？！」）])\n(?:　{2}|[ \t]{4})[ 　\t]*(?=[^\s　])")


def _unwrapped(words: str) -> str:
    """Words without the line breaks below a column of labels, for the rules that read them."""
    return _WRAP.sub("", words) if "\n" in words else words


def _aliases(turns: Sequence[RawTurn]) -> dict[str, str]:
    """Short names to the label that introduced them: with 「以下、」, or as 「社長 高梨」."""
    shown = {turn.mark.label for turn in turns if turn.mark is not None}
    whole: dict[str, set[str]] = {}
    for label in sorted(shown):
        speaker = labels.parse_label(label)
        if speaker.title and speaker.name != label and speaker.name in shown:
            whole.setdefault(speaker.name, set()).add(label)
    found = {name: next(iter(told)) for name, told in whole.items() if len(told) == 1}
    for turn in turns:
        if turn.mark is not None and (alias := labels.alias_of(turn.mark.label)):
            found.setdefault(alias, turn.mark.label)
    return found


def _times(
    turn: RawTurn, timings: Sequence[Timing], starts: list[int]
) -> tuple[float | None, float | None]:
    if not timings or turn.t0 is not None:
        return turn.t0, turn.t1
    first = max(0, bisect_right(starts, turn.start) - 1)
    last = max(first, bisect_right(starts, turn.end - 1) - 1)
    return timings[first].t0, timings[last].t1


def _how(drafts: Sequence[Draft]) -> Segmentation:
    """``voted`` where speakers are numbers of a diarisation: no label tells a role."""
    voted = sum(labels.DIARISED.match(draft.label) is not None for draft in drafts)
    return "voted" if voted * 2 > len(drafts) else "labelled"


def turn_row(transcript: Transcript, order: int, draft: Draft) -> Turn:
    """The row of a draft."""
    return Turn(
        edinet_code=transcript.edinet_code,
        fiscal_year=transcript.fiscal_year,
        transcript_id=transcript.transcript_id,
        order=order,
        speaker=draft.speaker.name or (draft.speaker.title if draft.label else None),
        organisation=draft.speaker.organisation,
        title=draft.speaker.title,
        role=draft.role,
        role_source=draft.source,
        confidence=draft.confidence,
        start=draft.start,
        end=draft.end,
        text=transcript.text[draft.start : draft.end],
        t0=draft.t0,
        t1=draft.t1,
    )


def _unsegmented(
    transcript: Transcript,
    lines: list[Line],
    parts: Sequence[Heading],
    votes: list[StyleVote],
    *,
    reason: str,
    timings: Sequence[Timing],
) -> tuple[list[Turn], TranscriptSegmentation]:
    """All text as unknown, a turn a headed section; nothing but headings dropped."""
    text = transcript.text
    heads = [(line, part) for line, part in zip(lines, parts, strict=True) if part is not None]
    turns: list[RawTurn] = []
    dropped: list[DroppedSpan] = []
    begin = 0
    for line, part in heads:
        turns += _stripped(text, begin, line.start)
        body = _stripped(text, line.start, line.end)[0]
        dropped.append(DroppedSpan(start=body.start, end=body.end, reason=f"{part}_heading"))
        begin = line.end
    turns += _stripped(text, begin, len(text))
    drafts = _drafts(text, turns, timings)
    return (
        [turn_row(transcript, order, draft) for order, draft in enumerate(drafts)],
        TranscriptSegmentation(
            edinet_code=transcript.edinet_code,
            fiscal_year=transcript.fiscal_year,
            transcript_id=transcript.transcript_id,
            segmentation="unsegmented",
            style="none",
            votes=votes,
            dropped=dropped,
            warnings=[f"unsegmented: {reason}"],
        ),
    )


def _stripped(text: str, start: int, end: int) -> list[RawTurn]:
    """[start, end) without white space at its edges; none if it is blank."""
    piece = text[start:end]
    if not piece.strip():
        return []
    return [RawTurn(end - len(piece.lstrip()), start + len(piece.rstrip()), None)]
