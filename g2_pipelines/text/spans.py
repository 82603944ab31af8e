"""Work on spans and offset maps: slicing, shifting, merging, mapping back.

Here: functions over ``tables.rows.Span`` and ``Offset``. Not here: what a source id leads
to (the caller brings the texts). Every package above may import this module.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from g2_pipelines.errors import StateError
from g2_pipelines.tables.rows import Offset, Span


def slice_span(span: Span, texts: Mapping[str, str]) -> str:
    """The characters of ``span`` in ``texts`` (source id → clean text).

    Raises StateError where the source is unknown or the range leaves it: a citation that
    leads nowhere means damaged state, never an empty quote.
    """
    text = texts.get(span.source_id)
    if text is None:
        raise StateError("A span's source is unknown", file=span.source_id)
    if not span.start <= span.end <= len(text):
        raise StateError(
            f"A span leaves its source of {len(text)} characters",
            file=span.source_id,
            place=f"[{span.start}, {span.end})",
        )
    return text[span.start : span.end]


def shift(span: Span, by: int) -> Span:
    """``span`` moved by ``by`` code points in the same source."""
    return Span(source_id=span.source_id, start=span.start + by, end=span.end + by)


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Spans by source and place, those that overlap or touch made one. Idempotent.

    Empty spans are left out; the result does not depend on the order given.
    """
    out: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.source_id, s.start, s.end)):
        if span.start == span.end:
            continue
        last = out[-1] if out else None
        if last is not None and last.source_id == span.source_id and span.start <= last.end:
            if span.end > last.end:
                out[-1] = Span(source_id=last.source_id, start=last.start, end=span.end)
        else:
            out.append(span)
    return out


def map_back(offsets: Sequence[Offset], start: int, end: int) -> list[tuple[int, int]]:
    """Source ranges of [start, end) through an offset map, in order, touching ones joined.

    ``offsets`` are ascending in ``start``; what no run covers (text added for a model) maps
    to nothing.
    """
    out: list[tuple[int, int]] = []
    first = max(0, bisect_right(offsets, start, key=lambda offset: offset.start) - 1)
    for run in offsets[first:]:
        if run.start >= end:
            break
        begin, stop = max(start, run.start), min(end, run.start + run.length)
        if begin >= stop:
            continue
        source = (begin - run.start + run.source_start, stop - run.start + run.source_start)
        if out and out[-1][1] == source[0]:
            out[-1] = (out[-1][0], source[1])
        else:
            out.append(source)
    return out


def sub_spans(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """The part [start, end) of the text that ``spans`` make when joined, as spans.

    Used to cite a range of a split's text, whose characters are those of its spans.
    """
    out: list[Span] = []
    at = 0
    for span in spans:
        length = span.end - span.start
        begin, stop = max(start, at), min(end, at + length)
        if begin < stop:
            offset = span.start - at
            out.append(Span(source_id=span.source_id, start=begin + offset, end=stop + offset))
        at += length
    return out
