"""Balanced splits of a long text under a token limit.

Here: ``split_ranges``. It loses nothing, always ends (a collapse loop that does not is a
known fault of others: langchain#16251) and never cuts silently: the parts are the text.
Every package above may import this module.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from g2_pipelines.errors import InputError
from g2_pipelines.text.sentences import sentences
from g2_pipelines.text.tokens import Tokenizer

_BORDER, _NEWLINE, _SENTENCE, _CHARACTER = range(4)


class _Units(NamedTuple):
    """Pieces that are not cut again: their ends, running token sums, and ends by kind."""

    ends: list[int]
    sums: list[int]
    by_level: list[list[int]]  # indices into ends, ascending


def split_ranges(
    text: str,
    limit: int,
    tokenizer: Tokenizer,
    borders: Sequence[int] = (),
    paragraphs: Sequence[int] = (),
) -> list[tuple[int, int]]:
    """Half-open ranges that partition [0, len(text)), each of at most ``limit`` tokens.

    As few and as even as the borders allow. A cut falls on one of ``borders`` (positions in
    ``text``, e.g. chunk starts) where one is near the even place, else at one of ``paragraphs``
    or after a newline, else between sentences, else between characters (not inside a figure).
    Only a single
    character that alone has more tokens than ``limit`` exceeds it. Raises InputError for a
    limit below 1.
    """
    if limit < 1:
        raise InputError(f"A token limit of {limit} splits nothing", place="limit")
    if not text:
        return []
    # Rarely more than four tokens a character: a short text needs one count at most.
    if len(text) <= limit * 8 and tokenizer.count(text) <= limit:
        return [(0, len(text))]
    units = _units(text, limit, tokenizer, borders, paragraphs)
    out: list[tuple[int, int]] = []
    start = 0
    for end in _cuts(units, limit):
        out.extend(_fitting(text, start, end, limit, tokenizer))
        start = end
    return out


def _units(
    text: str,
    limit: int,
    tokenizer: Tokenizer,
    borders: Sequence[int],
    paragraphs: Sequence[int],
) -> _Units:
    size = len(text)
    levels: dict[int, int] = {start: _SENTENCE for start, _ in sentences(text)}
    at = text.find("\n")
    while at >= 0:
        levels[at + 1] = _NEWLINE
        at = text.find("\n", at + 1)
    levels.update((place, _NEWLINE) for place in paragraphs if 0 < place < size)
    levels.update((border, _BORDER) for border in borders if 0 < border < size)
    levels.pop(0, None)
    levels[size] = _BORDER
    step = max(1, limit // 16)
    ends: list[int] = []
    counts: list[int] = []
    by_level: list[list[int]] = [[], [], [], []]
    start = 0
    for end in sorted(levels):
        for piece_end, count in _small(text, start, end, step, tokenizer):
            by_level[levels.get(piece_end, _CHARACTER)].append(len(ends))
            ends.append(piece_end)
            counts.append(count)
        start = end
    return _Units(ends, list(accumulate(counts)), by_level)


def _small(
    text: str, start: int, end: int, step: int, tokenizer: Tokenizer
) -> Iterator[tuple[int, int]]:
    """(end, tokens) of pieces of [start, end): the whole if small, else ``step`` characters."""
    if end - start <= step * 4:
        count = tokenizer.count(text[start:end])
        if count <= step * 8 or end - start == 1:
            yield end, count
            return
    while start < end:
        stop = _soft_cut(text, start, min(start + step, end), end)
        yield stop, tokenizer.count(text[start:stop])
        start = stop


def _soft_cut(text: str, start: int, stop: int, end: int) -> int:
    """``stop`` moved back out of a figure, if the figure is short."""
    if stop >= end:
        return end
    for place in range(stop, max(start, stop - 24), -1):
        if not (_figure(text[place - 1]) and _figure(text[place])) and text[place] != "\n":
            return place
    return stop


def _figure(char: str) -> bool:
    return char.isdigit() or char in ",.，．、"


def _cuts(units: _Units, limit: int) -> Iterator[int]:
    """Ends of the parts, greedily even: each takes its share of what is left."""
    total = units.sums[-1]
    taken = -1  # index of the last unit used
    while taken < len(units.ends) - 1:
        base = units.sums[taken] if taken >= 0 else 0
        left = total - base
        if left <= limit:
            yield units.ends[-1]
            return
        taken = _choose(units, taken, base, left, limit)
        yield units.ends[taken]


def _choose(units: _Units, taken: int, base: int, left: int, limit: int) -> int:
    parts = math.ceil(left / limit)
    share = left / parts
    # What lets the rest fit into one part less, and stays within a quarter of the share.
    low = max(left - (parts - 1) * limit, math.ceil(share * 0.75))
    high = min(limit, math.floor(share * 1.25))
    # A given border is worth an uneven cut and a part more; a newline or sentence end an
    # uneven cut, then a part more, before a character is.
    windows = [
        (_BORDER, low, high),
        (_BORDER, math.ceil(share * 0.5), high),
        (_NEWLINE, low, high),
        (_SENTENCE, low, high),
        (_NEWLINE, low, limit),
        (_SENTENCE, low, limit),
        (_NEWLINE, math.ceil(limit * 0.25), high),
        (_SENTENCE, math.ceil(limit * 0.25), high),
    ]
    for level, lowest, most in windows:
        found = _nearest(
            units, level, taken, (base + lowest, base + max(most, lowest)), base + share
        )
        if found is not None and units.sums[found] - base <= limit:
            return found
    # The last unit that still fits, else (a unit above the limit by itself) one unit.
    fits = bisect_right(units.sums, base + min(limit, math.ceil(share))) - 1
    return max(fits, taken + 1)


def _nearest(
    units: _Units, level: int, taken: int, window: tuple[int, int], wanted: float
) -> int | None:
    """The unit end of ``level`` with its sum in ``window`` nearest to ``wanted``."""
    indices = units.by_level[level]
    first = bisect_left(indices, bisect_left(units.sums, window[0]))
    first = max(first, bisect_right(indices, taken))
    last = bisect_left(indices, bisect_right(units.sums, window[1]))
    if first >= last:
        return None
    at = bisect_left(indices, bisect_left(units.sums, math.ceil(wanted)), first, last)
    near = indices[max(first, at - 1) : min(last, at + 1)] or indices[last - 1 : last]
    return min(near, key=lambda index: (abs(units.sums[index] - wanted), index))


def _fitting(
    text: str, start: int, end: int, limit: int, tokenizer: Tokenizer
) -> list[tuple[int, int]]:
    """[start, end), halved while it has more than ``limit`` tokens.

    Sums of pieces may fall short of the whole by a token or so; this is the proof.
    """
    if end - start == 1 or tokenizer.count(text[start:end]) <= limit:
        return [(start, end)]
    middle = _soft_cut(text, start, (start + end) // 2, end)
    return [
        part
        for begin, stop in pairwise((start, middle, end))
        for part in _fitting(text, begin, stop, limit, tokenizer)
    ]
