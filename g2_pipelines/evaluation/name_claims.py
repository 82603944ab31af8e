"""Names of companies, places and products of a summary, looked for in the sources.

Here: ``name_claims``. Candidates are found by form alone (株式会社…, …県, Latin and long
katakana words, 「…」): the labels of the name recognizers that were tried are unreliable,
and a name that does not stand in the sources at all is the finding that matters. Only
modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.evaluation.near_copy import NOTHING_NEAR, NearCopy
from g2_pipelines.tables.line1 import Claim, ClaimKind, ClaimStatus
from g2_pipelines.text.fold import fold, fold_text
from g2_pipelines.text.language import language

_NAME = r"[a-z0-9&\u3041-\u3096\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff・.\-]"
_WORD = r"[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fffa-z0-9&・]"
_PATTERNS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
    ("name", re.compile(rf"(?:株式会社|\(株\)){_WORD}{{1,24}}|{_WORD}{{2,24}}(?:株式会社|\(株\)|銀行|証券|大学)")),
    ("place", re.compile(r"[\u4e00-\u9fff]{2,3}(?:県|府)(?![\u4e00-\u9fff])|東京都|北海道|[\u4e00-\u9fff]{2,4}工場(?![\u4e00-\u9fff])")),
    ("product", re.compile(r"[「『](?P<inner>[^「」『』。、]{2,24})[」』]")),
    ("product", re.compile(r"(?<![a-z0-9])[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*(?![a-z0-9])")),
)  # fmt: skip
#: Latin words of business Japanese that name nothing.
_COMMON_WORDS = (
    "it ai iot dx ev ec m&a r&d ir pr hr esg sdgs co co2 roe roa roic eps ebitda gdp covid pdca qa q a kpi kpis "
    "us usd eur jpy yen fy web sns saas api ceo cfo cto bcp csr iso led lng pc tv id ict gx cf fcf pbr per "
    "b2b b2c oem odm erp crm hp url vs and or of the in to for"
)
_COMMON = frozenset(_COMMON_WORDS.split())


def name_claims(
    text: str,
    start: int,
    corpus: Corpus,
    places: Sequence[int],
    *,
    taken: Sequence[tuple[int, int]] = (),
    near: NearCopy = NOTHING_NEAR,
) -> list[Claim]:
    """A claim per name in the sentence ``text`` at ``start``; ``taken`` are ranges judged already.

    English text has no forms that tell names from words, so only Japanese text is read.
    """
    if language(text) != "ja":
        return []
    folded = fold(text)
    near = "".join(fold_text(corpus.text(place)) for place in places)
    near = "".join(near.split())
    out: list[Claim] = []
    used = list(taken)
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(folded.text):
            group = "inner" if "inner" in pattern.groupindex else 0
            a, b = folded.original(*match.span(group))
            if _skipped(match[group]) or any(x < start + b and start + a < y for x, y in used):
                continue
            used.append((start + a, start + b))
            out.append(_claim(kind, text[a:b], start + a, corpus, near))
    return out


def _skipped(name: str) -> bool:
    return name in _COMMON or (name.isascii() and len(name) < 2)


def _claim(kind: ClaimKind, name: str, start: int, corpus: Corpus, near: str) -> Claim:
    place = corpus.find(name)
    status: ClaimStatus = "missing"
    if place is not None:
        local = "".join(fold_text(name).split()) in near
        status = "supported_local" if local else "supported_elsewhere"
    return Claim(
        kind=kind,
        text=name,
        start=start,
        end=start + len(name),
        status=status,
        evidence=[place] if place else [],
    )
