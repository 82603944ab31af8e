"""A fact told as a strength that the source tells as a problem, or the other way round.

Here: ``told_as``. Whether a sentence speaks of the aspect it stands under is judged in
``aspect_fit``. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import LONGEST_SENTENCE, Corpus
from g2_pipelines.tables.line1 import Claim
from g2_pipelines.text.fold import fold, fold_text

_LABELS = {"strengths": "強み", "issues": "課題"}
_WORDS = {
    "strengths": r"強み|優位性|優位|競争力の源泉|得意|優れ|秀で|差別化",
    "issues": r"課題|弱み|弱点|リスク|懸念|問題|不足|遅れ|脆弱|劣後|急務",
}
_NOUN = r"[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fffa-z0-9・]{2,20}"
_TOLD = {
    key: re.compile(
        rf"(?P<noun>{_NOUN})(?:は|が|を|も|に)(?:[^。、]{{0,12}}?の)?(?:大きな|最大の|主な|主要な|重要な|当社の)?(?P<word>{words})"
        rf"|(?P<word2>{words})(?:は|として(?:は)?)、?(?:[^。、]{{0,16}}の)?(?P<noun2>{_NOUN})(?=で|に|が|を|。|$)"
    )
    for key, words in _WORDS.items()
}
_ANY = {key: re.compile(words) for key, words in _WORDS.items()}
_DENIED = re.compile(r"[^。、]{0,10}(?:ない|ません|解消|解決|克服|低減|抑)")
_PLAIN = frozenset(
    ["当社", "同社", "事業", "今後", "これら", "企業", "会社", "経営", "重要", "主要"]
)


class _Told(NamedTuple):
    aspect: str
    noun: str
    start: int
    end: int


def told_as(sentence: str, start: int, corpus: Corpus, places: Sequence[int]) -> list[Claim]:
    """``altered`` for each noun of the sentence at ``start`` that is told as the opposite.

    ``places`` are the sentence's aligned evidence; one that tells the noun as the sentence does
    bears it out.
    """
    folded = fold(sentence)
    out: list[Claim] = []
    for told in _told(folded.text):
        other = "issues" if told.aspect == "strengths" else "strengths"
        against: list[int] = []
        for place in places:
            text = fold_text(corpus.text(place)[:LONGEST_SENTENCE])
            if told.noun not in text:
                continue
            if _ANY[told.aspect].search(text):
                against = []
                break
            if _ANY[other].search(text):
                against.append(place)
        if against:
            a, b = folded.original(told.start, told.end)
            out.append(
                Claim(
                    kind="statement",
                    text=sentence[a:b],
                    start=start + a,
                    end=start + b,
                    status="altered",
                    evidence=[corpus.span(place) for place in against[:3]],
                    note=f"aspect: {_LABELS[told.aspect]} here, {_LABELS[other]} in the source",
                )
            )
    return out


def _told(folded: str) -> Iterator[_Told]:
    for aspect, pattern in _TOLD.items():
        for match in pattern.finditer(folded):
            noun = match["noun"] or match["noun2"]
            if noun not in _PLAIN and _DENIED.match(folded, match.end()) is None:
                yield _Told(aspect, noun, *match.span())
