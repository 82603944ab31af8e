"""What speaks against the best hit. Here: ``doubt_of``. Used by ``find``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.hits import Hit, Miss
from g2_pipelines.text.fold import fold_text

_NEAR = 0.1  #: two tables that name the same row and column may differ in their captions


def doubt_of(hits: Sequence[Hit], tie: float) -> Miss | None:
    """What speaks against the best hit: a conflict between tables, or a value as near.

    The same quantity of the same row in another unit (km² and sq mi) is no other value.
    """
    best = hits[0]
    others = [hit for hit in hits[1:] if hit.values and not _same(hit.short, best.short)]
    if not best.values or not others:
        return None
    label = best.values[0].label
    conflicts = [
        hit
        for hit in others
        if best.from_cell
        and hit.from_cell
        and best.score - hit.score < _NEAR
        and hit.values[0].label == label
        and hit.values[0].node_id != best.values[0].node_id
    ]
    if conflicts:
        sides = (best, *conflicts[:2])
        return Miss(
            missing=(),
            lack="conflicting",
            rivals=tuple(hit.short for hit in sides),
            quotes=tuple(quote for hit in sides for quote in hit.quotes),
        )
    ties = [
        hit.short
        for hit in others
        if best.score - hit.score < tie
        and (hit.quotes != best.quotes or hit.values[0].label != label)
    ]
    return Miss(missing=(), lack="ambiguous", rivals=(best.short, *ties[:2])) if ties else None


def _same(one: str, other: str) -> bool:
    """True for the same figure, with or without its currency or scale («$ 4» and «4 million»)."""
    first, second = (re.sub(r"[^\d.,()%-]", "", fold_text(text)) for text in (one, other))
    return one == other or (bool(first) and first == second and any("," in x for x in (one, other)))
