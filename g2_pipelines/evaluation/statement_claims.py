"""Directions and denials of a summary, and items it gives no figure of.

Here: ``statement_claims``. 増加 where the source says 減少, …しませんでした where it says …しました: no
figure shows that. Where the sentence is nearly a copy, what stands in the word's place decides;
where it is told in other words, what the aligned sentences say of the same subject. Only
modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.evaluation.differences import Difference
from g2_pipelines.evaluation.near_copy import NearCopy
from g2_pipelines.evaluation.polarity import POLAR, Polar, opposite, polar
from g2_pipelines.tables.line1 import Claim, ClaimStatus
from g2_pipelines.text.fold import fold, fold_text

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
#: 需要は…増加: a subject and what it does, within one clause.
_SUBJECT = re.compile(
    r"(?P<subject>[\u30a1-\u30fa\u30fc\u4e00-\u9fffa-z0-9]{2,16})(?:は|が|も)(?P<rest>[^、。]{0,40})"
)
#: Axes on which a subject goes one way or the other, in a sentence of its own words.
_TRENDS = frozenset({"amount", "quality", "result", "yen"})


def statement_claims(
    sentence: str, start: int, near: NearCopy, corpus: Corpus, places: Sequence[int]
) -> list[Claim]:
    """A claim per turned direction, denial or replaced item of the sentence at ``start``.

    Directions that the sources bear out give no claim of their own: they are in nearly every
    sentence. ``places`` are the sentence's aligned evidence.
    """
    found = [_from_difference(d, start, corpus) for d in near.differences if d.kind in _STATUS]
    if not near.differences and not near.counterparts:
        found += _trends(sentence, start, corpus, places)
    return found


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


class _Trend(NamedTuple):
    subject: str
    ends: tuple[Polar, ...]
    start: int
    end: int
    denied: bool


def _told(folded: str) -> Iterator[_Trend]:
    for match in _SUBJECT.finditer(folded):
        rest = match["rest"]
        words = [m for m in POLAR.finditer(rest) if m.lastgroup == "word"]
        ends = [(m, tuple(e for e in polar(m.group()) if e.axis in _TRENDS)) for m in words]
        going = [(m, found) for m, found in ends if found]
        if len(going) != 1:  # 減少幅が縮小: two directions in a clause are not read here
            continue
        word, found = going[0]
        at = match.start("rest")
        denied = any(m.lastgroup == "deny" for m in POLAR.finditer(rest, word.end()))
        yield _Trend(match["subject"], found, at + word.start(), at + word.end(), denied)


def _trends(sentence: str, start: int, corpus: Corpus, places: Sequence[int]) -> list[Claim]:
    folded = fold(sentence)
    out: list[Claim] = []
    for trend in _told(folded.text):
        said: list[tuple[int, bool]] = []
        for place in places:
            for other in _told(fold_text(corpus.text(place))):
                if other.subject == trend.subject and {e.axis for e in other.ends} & {
                    e.axis for e in trend.ends
                }:
                    turned = opposite(trend.ends, other.ends) != (trend.denied != other.denied)
                    said.append((place, turned))
        if said and all(turned for _, turned in said):
            a, b = folded.original(trend.start, trend.end)
            out.append(
                Claim(
                    kind="statement",
                    text=sentence[a:b],
                    start=start + a,
                    end=start + b,
                    status="sign_conflict",
                    evidence=[corpus.span(place) for place, _ in said[:3]],
                    note=f"the source says the opposite of {trend.subject}",
                )
            )
    return out
