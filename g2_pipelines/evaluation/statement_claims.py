"""Directions and denials of a summary, and items it gives no figure of.

Here: ``statement_claims``. 増加 where the source says 減少, …しませんでした where it says …しました: no
figure shows that. Where the sentence is nearly a copy, what stands in the word's place decides;
where it is told in other words, what the aligned sentences say of the same subject. Only
modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.evaluation.differences import Difference
from g2_pipelines.evaluation.near_copy import NearCopy
from g2_pipelines.tables.line1 import Claim, ClaimStatus

_STATUS: dict[str, ClaimStatus] = {
    "turned": "sign_conflict",
    "denied": "altered",
    "item": "altered",
}
_NOTE = {
    "turned": "the source says {}",
    "denied": "the source says {}",
    "item": "item: the source has {}",
}


def statement_claims(start: int, near: NearCopy, corpus: Corpus) -> list[Claim]:
    """A claim per turned direction, denial or replaced item of the sentence at ``start``."""
    return [_from_difference(d, start, corpus) for d in near.differences if d.kind in _STATUS]


def once(claims: Sequence[Claim]) -> list[Claim]:
    """Statements without a second one of the same words, earlier ones first."""
    out: list[Claim] = []
    for claim in claims:
        if not any(claim.start < other.end and other.start < claim.end for other in out):
            out.append(claim)
    return out


def _from_difference(difference: Difference, start: int, corpus: Corpus) -> Claim:
    return Claim(
        kind="statement",
        text=difference.text,
        start=start + difference.start,
        end=start + difference.end,
        status=_STATUS[difference.kind],
        evidence=[corpus.span(difference.place)],
        note=_NOTE[difference.kind].format(difference.other),
    )
