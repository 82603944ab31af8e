"""Where a sentence that is nearly a copy denies what its source affirms, or the other way round.

Here: ``denied``, stretch by stretch of an alignment, and ``bounded``. A sentence told in other
words is judged in ``affirmations``. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.alignment import Alignment, Gap
from g2_pipelines.evaluation.symbols import Symbol

_STEM = re.compile(r"[\u30a1-\u30fa\u3005\u4e00-\u9fff]")


class Denied(NamedTuple):
    """Symbols of the sentence, and those of the source in their place."""

    own: Sequence[Symbol]
    other: Sequence[Symbol]


def denied(alignment: Alignment) -> Iterator[Denied]:
    """Stretches that deny where the source affirms, or the other way round."""
    for gap in alignment.gaps:
        own, other = alignment.own[gap.a : gap.b], alignment.other[gap.c : gap.d]
        at_end, goes_on = gap.b == len(alignment.own), False
        if at_end and own:  # what follows the predicate there was left out here
            goes_on = bool(other)
            other = _first(other)
        elif at_end and gap.a > 0:  # 発生。 for 発生しておりません。
            own = alignment.own[gap.a - 1 : gap.a]
        if not own or not (other or goes_on) or not _endings(own) or not _endings(other):
            continue
        if _count(own) % 2 == _count(other) % 2 or not bounded(alignment, gap):
            continue
        yield Denied(own, other or alignment.other[gap.c : gap.c + 1])


def _count(parts: Sequence[Symbol]) -> int:
    return sum(symbol.kind == "deny" for symbol in parts)


def bounded(alignment: Alignment, gap: Gap) -> bool:
    """True where what stands around the gap is the same on at least one side, at some length."""
    left = right = 0
    x, y = gap.a - 1, gap.c - 1
    while x >= 0 and alignment.matched.get(x) == y and left < 4:
        left += alignment.own[x].weight
        x, y = x - 1, y - 1
    x, y = gap.b, gap.d
    while x < len(alignment.own) and alignment.matched.get(x) == y and right < 4:
        right += alignment.own[x].weight
        x, y = x + 1, y + 1
    at_border = (gap.a == 0 and gap.c == 0) or (gap.b == len(alignment.own) and left > 0)
    return max(left, right) >= 3 or at_border


def _first(parts: Sequence[Symbol]) -> Sequence[Symbol]:
    """The first symbols that may be a predicate's ending."""
    out: list[Symbol] = []
    for symbol in parts[:8]:
        if not _endings([symbol]):
            break
        out.append(symbol)
    return out


def _endings(parts: Sequence[Symbol]) -> bool:
    """True for some symbols that are a predicate's ending: 欠かせず for 必要であり is none."""
    return sum(s.weight for s in parts) <= 12 and all(
        s.kind in {"deny", "skip"} or (s.kind == "char" and not _STEM.match(s.key)) for s in parts
    )
