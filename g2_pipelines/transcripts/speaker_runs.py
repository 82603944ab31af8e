"""Turns out of ranges whose speakers the source names beside the text: subtitles, JSON.

Here: joining neighbouring ranges of one speaker. ``segment`` imports this module.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.tables.line1 import DroppedSpan
from g2_pipelines.transcripts.cues import ARTEFACT_LINE, CALLS_NEXT
from g2_pipelines.transcripts.edges import POLITE
from g2_pipelines.transcripts.layout import Layout, RawTurn
from g2_pipelines.transcripts.lines import Mark

SHORT_REMARK = 20
CIRCLES = frozenset("○〇◯")

Run = tuple[int, int, str | None, float | None, float | None]


def by_speaker_runs(text: str, runs: Sequence[Run]) -> Layout:
    """Turns out of ranges whose speakers the source names beside the text (VTT, JSON).

    Neighbouring ranges of one speaker are one turn, but a short remark that calls the next one
    is its own, and so is what stands behind a label with the time of its beginning only. Known
    artefacts of speech recognition are dropped unless they stand inside.
    """
    layout = Layout()
    named = any(run[2] for run in runs)
    artefact: tuple[int, int] | None = None
    for start, end, speaker, t0, t1 in runs:
        piece = text[start:end]
        begin, stop = end - len(piece.lstrip()), start + len(piece.rstrip())
        if begin >= stop:
            continue
        if ARTEFACT_LINE.match(text, begin, stop):
            _artefact(layout, artefact)
            artefact = (begin, stop)
            continue
        if speaker is None and not layout.turns and named and not POLITE.search(text, begin, stop):
            # A record's own information before its first speech: 「会議録情報」.
            layout.dropped.append(DroppedSpan(start=begin, end=stop, reason="preamble"))
            continue
        last = layout.turns[-1] if layout.turns else None
        same = last is not None and last.mark is not None and last.mark.label == (speaker or "")
        remark = stop - begin <= SHORT_REMARK and CALLS_NEXT.search(piece)
        record = piece.lstrip()[:1] in CIRCLES  # a speech of the Diet's: one turn
        record = record or (t0 is not None and t1 is None)  # a label with its own time, no cue
        if last is not None and same and not remark and not record:
            last.end, last.t1 = stop, t1 if t1 is not None else last.t1
            artefact = None
            continue
        _artefact(layout, artefact)
        artefact = None
        mark = Mark("timed", -1, begin, begin, speaker or "")
        layout.turns.append(RawTurn(begin, stop, mark, t0, t1))
    _artefact(layout, artefact)
    return layout


def _artefact(layout: Layout, place: tuple[int, int] | None) -> None:
    if place is not None:
        layout.dropped.append(DroppedSpan(start=place[0], end=place[1], reason="artefact"))
