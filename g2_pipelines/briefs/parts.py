"""Ranges of a part's ``model_text`` as parts of their own, with spans and offsets.

Here: ``cut`` (a part in smaller ones, losslessly) and ``kept`` (some ranges of it, joined).
Importable by ``joint`` and ``retrieval``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from g2_pipelines.models.control_tokens import neutral
from g2_pipelines.tables.line1 import SourceSplit
from g2_pipelines.tables.rows import Offset, Span
from g2_pipelines.text.spans import sub_spans
from g2_pipelines.text.splits import split_ranges
from g2_pipelines.text.tokens import Tokenizer


def cut(splits: Sequence[SourceSplit], limit: int, tokenizer: Tokenizer) -> list[SourceSplit]:
    """The parts of one source, those above ``limit`` tokens cut further; k of n anew.

    The texts still partition the source, character by character.
    """
    pieces = [
        kept(split, [found], tokenizer)
        for split in sorted(splits, key=lambda split: split.k)
        for found in split_ranges(split.model_text, limit, tokenizer, _lines(split.model_text))
    ]
    return renumbered(pieces)


def renumbered(parts: Sequence[SourceSplit]) -> list[SourceSplit]:
    """The parts of one source with k of n, and their ids, anew."""
    return [
        part.model_copy(
            update={
                "split_id": f"{part.fiscal_year}-{part.source_type}-{k}",
                "k": k,
                "n": len(parts),
            }
        )
        for k, part in enumerate(parts, 1)
    ]


def kept(
    split: SourceSplit, ranges: Sequence[tuple[int, int]], tokenizer: Tokenizer
) -> SourceSplit:
    """A part made of ranges of ``model_text`` (ascending, disjoint) and what they stand for.

    ``text`` is the source between the places that a range begins and ends at, so that ranges
    that partition ``model_text`` have texts that partition ``text``.
    """
    spans: list[Span] = []
    text = view = ""
    offsets: list[Offset] = []
    for start, end in ranges:
        a, b = _source_place(split, start), _source_place(split, end)
        for run in split.model_offsets:
            begin, stop = max(start, run.start), min(end, run.start + run.length)
            if begin < stop:
                offsets.append(
                    Offset(
                        start=len(view) + begin - start,
                        source_start=len(text) + run.source_start + begin - run.start - a,
                        length=stop - begin,
                    )
                )
        spans += sub_spans(split.spans, a, b)
        text += split.text[a:b]
        view += split.model_text[start:end]
    return split.model_copy(
        update={
            "spans": spans,
            "text": text,
            "model_text": view,
            "model_offsets": offsets,
            "tokens": tokenizer.count(neutral(view)),
        }
    )


def _source_place(split: SourceSplit, at: int) -> int:
    """Where in ``text`` the place ``at`` of ``model_text`` lies.

    What a model does not see (a filler) belongs to what stands before it.
    """
    if at >= len(split.model_text):
        return len(split.text)
    if at <= 0:
        return 0
    runs = split.model_offsets
    n = bisect_left(runs, at, key=lambda run: run.start + run.length)
    while n < len(runs) and runs[n].start + runs[n].length <= at:
        n += 1
    if n == len(runs):
        return len(split.text)
    return runs[n].source_start + max(0, at - runs[n].start)


def _lines(text: str) -> list[int]:
    places: list[int] = []
    at = text.find("\n")
    while at >= 0:
        places.append(at + 1)
        at = text.find("\n", at + 1)
    return places
