"""What a question pins down beside its item, and whether a value's surroundings say the same.

Here: ``parts_of`` (quarters, halves, nine months), ``basis_of`` (the group's accounts or the
parent company's), ``Around``, what stands around a value from the nearest to the farthest, and
``unsaid``, which words of the question speak against a value. Used by ``find``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from g2_pipelines.text.fold import fold_text

Basis = Literal["", "group", "parent"]

_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "last": "4"}
_ORDINALS |= {"1st": "1", "2nd": "2", "3rd": "3", "4th": "4"}
_ORDINALS |= dict(zip("一二三四", "1234", strict=True))
_QUARTER = re.compile(
    r"第?\s?(?P<ja>[1-4一二三四])\s?四半期|\bq(?P<en>[1-4])(?![a-z\d])|(?<![a-z\d.,])(?P<rev>[1-4])q(?![a-z])"
    r"|\b(?P<ord>first|second|third|fourth|last|1st|2nd|3rd|4th)[ -]quarter\b"
)
_FIRST_HALF = re.compile(
    r"上期|上半期|中間(?:連結)?(?:会計)?期間?|第2四半期(?:連結)?累計|6[かヶカ箇]月"
    r"|\b(?:first[ -]half|h1|1h|half[ -]year|six[ -]months?)\b"
)
_SECOND_HALF = re.compile(r"下期|下半期|\b(?:second[ -]half|h2|2h)\b")
_NINE = re.compile(r"第3四半期(?:連結)?累計|9[かヶカ箇]月|\bnine[ -]months?\b")
_THREE = re.compile(r"3[かヶカ箇]月(?:間)?(?!後|前|以)|\bthree months ended\b|\bquarter ended\b")
_ANY_PART = re.compile(r"四半期|半期|上期|下期|\bquarter|\bhalf\b|\bhalves\b|[かヶカ箇]月|\bmonth")
_YEAR = re.compile(
    r"(?:19|20)\d\d(?:年(?:度|\d{1,2}月期)?)?|(?:令和|平成)(?:\d{1,2}|元)年(?:度|\d{1,2}月期)?"
    r"|[当前今](?:連結会計年度|期|年度)"
)
#: Names of periods, companies and lines that have the words but tell no basis.
_NEUTRAL = re.compile(
    r"連結(?:会計(?:年度|期間)|子会社|累計期間|範囲|従業員)"
    r"|(?:非支配株主|親会社の?(?:所有者|株主))(?:に帰属する)?"
    r"|\b(?:owners|shareholders|holders|equity) of the parent(?: company)?\b"
    r"|\bconsolidated subsidiar(?:y|ies)\b"
)
_LINES = r"(?:損益|貸借|財務|決算|業績|売上|営業|経常|当期|税引|純|総資産|資産|負債|利益|ベース|株主資本|キャッシュ)"
_PARENT = re.compile(
    rf"単体(?!試験|テスト)|提出会社|非連結|個別の?{_LINES}|親会社(?!以外|株主)"
    r"|\bnon-?consolidated\b|\bunconsolidated\b|\bstand-?alone\b|\bparent[ -](?:company|only|entity)\b"
    r"|\bcompany only\b|\bseparate financial statements?\b"
)
_GROUP = re.compile(
    r"(?<!非)連結(?!決算日)|(?<!non-)\bconsolidated\b|\bthe group\b(?! of)"
    r"|\bgroup (?:revenue|sales|results?|income|profit|total|balance|statement|accounts)"
)
_BEFORE = re.compile(
    r"\bbefore (?:the |its |any )?(?:restatement|revision|correction)"
    r"|\b(?:as )?(?:originally|previously|first) (?:reported|stated|published)"
    r"|(?:修正|訂正|遡及(?:適用|修正)?|組替え?)前|前回発表"
)
_WITHOUT = re.compile(r"\b(?:without|excluding|except(?: for)?)\b|を除|除いた|除く")
_LACKS = re.compile(r"\b(?:without|exclud\w*|except|ex-|non-?|net of|less)\b|除")


@dataclass(frozen=True)
class Around:
    """What stands around a value: ``own`` (row, group, column; of prose the sentence), then
    caption and title, then headings, the nearest first, with the document's title last.
    """

    own: tuple[str, ...] = ()
    caption: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()

    @property
    def layers(self) -> tuple[tuple[str, ...], ...]:
        """From the nearest to the farthest."""
        return (self.own, self.caption, *((heading,) for heading in self.headings))

    @property
    def whole(self) -> str:
        """All of it, folded."""
        return fold_text("\n".join(text for layer in self.layers for text in layer))


def parts_of(text: str) -> frozenset[str]:
    """The parts of a year that ``text`` names: Q1 … Q4, H1, H2, 9M, 3M."""
    folded = fold_text(text)
    found: set[str] = set()
    for match in _QUARTER.finditer(folded):
        number = match["ja"] or match["en"] or match["rev"] or match["ord"]
        found.add(f"Q{_ORDINALS.get(number, number)}")
    pairs = ((_FIRST_HALF, "H1"), (_SECOND_HALF, "H2"), (_NINE, "9M"), (_THREE, "3M"))
    found |= {name for pattern, name in pairs if pattern.search(folded)}
    if re.search(r"第2四半期(?:連結)?累計", folded):
        found.discard("Q2")
    if re.search(r"第3四半期(?:連結)?累計", folded):
        found.discard("Q3")
    return frozenset(found)


def basis_of(text: str) -> Basis:
    """Whose accounts ``text`` names, "" for none or both."""
    folded = _NEUTRAL.sub(" ", fold_text(text))
    parent = _PARENT.search(folded) is not None
    group = _GROUP.search(folded) is not None
    if parent == group:
        return ""
    return "parent" if parent else "group"


def basis_around(around: Around) -> Basis:
    """Whose accounts a value is of, by what stands nearest to it."""
    found = (basis_of("\n".join(layer)) for layer in around.layers)
    return next((basis for basis in found if basis), "")


def unsaid(question: str, around: Around) -> tuple[str, ...]:
    """The words of ``question`` for a period or basis that a value's surroundings deny or lack,
    or the year that it asks for where the value is of a part of a year.
    """
    return (
        *_other_part(question, around),
        *_other_basis(question, around),
        *_unsaid_state(question, around),
    )


def _other_part(question: str, around: Around) -> list[str]:
    folded = fold_text(question)
    asked = parts_of(question)
    own = parts_of("\n".join(around.own))
    if asked:
        lacking = asked - (own or parts_of(around.whole))  # of a row of all quarters, its column
        return [_said(folded, part) for part in sorted(lacking)]
    year = _YEAR.search(folded)
    if _ANY_PART.search(folded) or not year:
        return []
    if not own and not _YEAR.search(fold_text("\n".join(around.own))):
        own = parts_of("\n".join(around.caption))
    return [year[0]] if own else []


def _said(folded: str, part: str) -> str:
    """The question's own word for ``part``."""
    for match in _QUARTER.finditer(folded):
        if parts_of(match[0]) == {part}:
            return match[0].strip()
    patterns = {"H1": _FIRST_HALF, "H2": _SECOND_HALF, "9M": _NINE, "3M": _THREE}
    found = patterns[part].search(folded) if part in patterns else None
    return found[0] if found else part


def _other_basis(question: str, around: Around) -> list[str]:
    asked = basis_of(question)
    if not asked:
        return []
    told = basis_around(around)
    if told == asked or (asked == "group" and not told):
        return []
    pattern = _PARENT if asked == "parent" else _GROUP
    found = pattern.search(_NEUTRAL.sub(" ", fold_text(question)))
    return [found[0]] if found else [asked]


def _unsaid_state(question: str, around: Around) -> list[str]:
    """«before the restatement», «without X»: what the value is without must be said there."""
    folded, told = fold_text(question), around.whole
    before, without = _BEFORE.search(folded), _WITHOUT.search(folded)
    lacking = [before[0]] if before and not _BEFORE.search(told) else []
    return lacking + ([without[0]] if without and not _LACKS.search(told) else [])
