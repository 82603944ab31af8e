"""Phrases of two languages that point to something without naming it.

Here: lexicons and pure finders over a text. Not here: what a phrase points to
(``antecedents``), which relation words name (``relations``). Only the extractive evolver imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

PictureKind = Literal["table", "figure"]

# Heads that a demonstrative makes into a reference. A closed list: 同時, 本日, 本社 and the
# like are no references, and an open rule would take them for some.
_JA_HEADS = (
    "装置|機構|方式|手法|方法|システム|技術|製品|機種|材料|素材|部材|部品|センサー?|モデル|"
    "アルゴリズム|工程|設備|事業|計画|制度|サービス|施設|工場|倉庫|拠点|現象|指標|試験|実験|機能|"
    "処理|構造|回路|試料|合金|基板|端末|網|解析|制御|補正|補償|評価法|測定法|工法|製法|節|章"
)
_JA = re.compile(
    rf"(?:同|本|当該|この|その|前記|上記の?|前述の|上述の)(?P<head>{_JA_HEADS})(?![一-龯ァ-ヺー])"
)
_EN_HEADS = (
    "method|approach|technique|device|system|scheme|model|algorithm|procedure|process|mechanism|"
    "sensor|instrument|unit|material|alloy|product|service|facility|plant|plan|programme|program|"
    "measure|metric|test|experiment|framework|network|architecture|controller|compensation|"
    "section|chapter"
)
_EN = re.compile(
    rf"\b(?:this|that|the same|such an?|the above|the aforementioned|the said|the proposed)\s+"
    rf"(?P<head>{_EN_HEADS})\b",
    re.IGNORECASE,
)
_PICTURE: tuple[tuple[re.Pattern[str], int], ...] = (
    (
        re.compile(
            r"(?:上記の|前掲の|前述の|先の|上の|前の|上|前)(?P<picture>表|図|グラフ)(?![\d０-９面記])"
        ),
        -1,
    ),
    (re.compile(r"(?:下記の|以下の|次の|下の|下|次)(?P<picture>表|図|グラフ)(?![\d０-９面記])"), 1),
    (re.compile(r"\bthe\s+(?P<picture>table|figure|chart|graph)\s+above\b", re.IGNORECASE), -1),
    (re.compile(r"\bthe\s+(?P<picture>table|figure|chart|graph)\s+below\b", re.IGNORECASE), 1),
    (
        re.compile(
            r"\bthe\s+(?:above|preceding|previous)\s+(?P<picture>table|figure|chart|graph)\b",
            re.IGNORECASE,
        ),
        -1,
    ),
    (
        re.compile(
            r"\bthe\s+(?:following|next)\s+(?P<picture>table|figure|chart|graph)\b", re.IGNORECASE
        ),
        1,
    ),
)
#: Heads that mean the section itself: its title is what they stand for.
SECTION_HEADS = frozenset({"節", "章", "section", "chapter"})
_TABLES = frozenset({"表", "table"})

_OPENING = re.compile(
    r"\s*(?:これ(?:ら)?(?:は|が|を|に|も|まで|により)|それ(?:ら)?(?:は|が|を|に|も)|(?:その|この)(?:ため|結果|うち|際|後)"
    r"|(?:It|They|This|These|Those|Both|Such)\s+(?:is|are|was|were|has|have|had|can|may|will|means?|"
    r"shows?|makes?|gives?|needs?|helps?|does|do|did)\b)"
)


@dataclass(frozen=True)
class Implicit:
    """An implicit reference: the phrase and its range; head noun or kind of picture, side.

    ``side`` is -1 where it points back, 1 where it points ahead.
    """

    text: str
    start: int
    end: int
    head: str
    picture: PictureKind | None
    side: int


def implicit_references(text: str) -> list[Implicit]:
    """The implicit references of ``text``, in order, each phrase once."""
    found = sorted(_found(text), key=lambda item: (item.start, -item.end))
    out: list[Implicit] = []
    for item in found:
        overlaps = bool(out) and item.start < out[-1].end
        if not overlaps and all(item.text.lower() != other.text.lower() for other in out):
            out.append(item)
    return out


def _found(text: str) -> Iterator[Implicit]:
    for pattern in (_JA, _EN):
        for match in pattern.finditer(text):
            yield Implicit(
                match.group(), match.start(), match.end(), match["head"].lower(), None, -1
            )
    for pattern, side in _PICTURE:
        for match in pattern.finditer(text):
            noun = match["picture"].lower()
            kind: PictureKind = "table" if noun in _TABLES else "figure"
            yield Implicit(match.group(), match.start(), match.end(), noun, kind, side)


def opens_with_pronoun(text: str) -> bool:
    """True where the first words only point back: これは…, It is…, This means…."""
    return _OPENING.match(text) is not None
