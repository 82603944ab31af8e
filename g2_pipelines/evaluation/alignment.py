"""A summary's sentence laid beside a source's: what is the same, and what stands in its place.

Here: ``align`` and ``Alignment``. What a difference means is judged in ``near_copy``. Only
modules of this package import it.

The longest common subsequence of symbols, figures and names counting more than a letter, is
what is the same; whatever is left between two such anchors stands in each other's place. A
left-out clause leaves a gap on one side only, so a shortened sentence has no differences.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from g2_pipelines.evaluation.symbols import Symbol

_FIRST = 0xF0000  # symbols become characters of a private plane, for the library's fast path
#: Longer sentences are compared only in their first symbols: the library's time is quadratic.
_LIMIT = 3000


class Gap(NamedTuple):
    """Symbols [a, b) of the summary's sentence that stand where [c, d) of the source's do."""

    a: int
    b: int
    c: int
    d: int


class Alignment(NamedTuple):
    """``share`` 0…1 of the summary's sentence that the source's has in the same order."""

    share: float
    weight: int
    own: Sequence[Symbol]
    other: Sequence[Symbol]
    matched: dict[int, int]  # index of the summary's symbol → of the source's
    gaps: list[Gap]


def align(own: Sequence[Symbol], other: Sequence[Symbol]) -> Alignment:
    """Lay the symbols of a summary's sentence beside those of a source's. Deterministic."""
    own, other = own[:_LIMIT], other[:_LIMIT]
    codes: dict[tuple[str, str], str] = {}
    left, left_starts = _written(own, codes)
    right, right_starts = _written(other, codes)
    held: dict[int, list[int]] = {}
    for block in LCSseq.opcodes(left, right).as_matching_blocks():
        for i in range(block.size):
            x = bisect_right(left_starts, block.a + i) - 1
            y = bisect_right(right_starts, block.b + i) - 1
            held.setdefault(x, []).append(y)
    matched: dict[int, int] = {}
    last = -1
    for x, ys in held.items():
        if len(ys) == own[x].weight and len(set(ys)) == 1 and ys[0] > last:
            matched[x] = last = ys[0]
    total = sum(symbol.weight for symbol in own)
    same = sum(own[x].weight for x in matched)
    gaps: list[Gap] = []
    x0 = y0 = 0
    for x, y in [*matched.items(), (len(own), len(other))]:
        if x > x0 or y > y0:
            gaps.append(Gap(x0, x, y0, y))
        x0, y0 = x + 1, y + 1
    return Alignment(same / total if total else 0.0, same, own, other, matched, gaps)


def _written(parts: Sequence[Symbol], codes: dict[tuple[str, str], str]) -> tuple[str, list[int]]:
    out: list[str] = []
    starts: list[int] = []
    at = 0
    for symbol in parts:
        kind = "" if symbol.kind in {"char", "word", "deny", "skip", "name"} else symbol.kind
        code = codes.setdefault((kind, symbol.key), chr(_FIRST + len(codes)))
        starts.append(at)
        out.append(code * symbol.weight)
        at += symbol.weight
    return "".join(out), starts
