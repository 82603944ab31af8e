"""What a question asks for: its core, kind of answer, unit, and explicit references.

Here: ``Asked``, ``understand`` and ``denial``; kinds, units and places stand in ``asked_kind``,
``asked_units`` and ``asked_places``. Sentences about the answer's form ("answer in millions",
「教えてください」) and references (図3, Table 2, page 14) are taken out of the words that
evidence must hold; references become conditions. Used by the extractive implementation only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from g2_pipelines.qa.asked_kind import (
    CAPTION,
    NUMBER_JA,
    WHY,
    AskedKind,
    extreme_of,
    kind_of,
)
from g2_pipelines.qa.asked_places import (
    Reference,
    references_of,
    with_page_numbers,
    without_references,
)
from g2_pipelines.qa.asked_units import NOUNS, counted_of, nouns_of, units_of
from g2_pipelines.qa.forms import (
    Contact,
    asks_change,
    asks_effect,
    asks_several,
    contact_of,
    counted_label,
    has_bound,
    is_polar,
)
from g2_pipelines.qa.matching import Word, stem, words
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language

MAX_CHARS = 2_000
_FORMAT = re.compile(
    r"(?:please\s+)?(?:write|give|return|provide|format|answer|save|represent|round|report|express)\b"
    r"[^.?!]*?\b(?:format(?:ted)?|integer|float|decimals?|list|yyyy|order|rounded|answer)\b[^.?!]*[.?!]*"
    r"|\b(?:answer|reply|express(?:ed)?|give it) in (?:millions?|thousands?|billions?|percent|dollars|yen)\b[^.?!]*[.?!]*"
    r"|,? in (?:ascending|descending|alphabetical)(?: alphabetical)? order|,? (?:with|to|in) (?:one|two|three|\d) decimals?(?: places?)?"
    r"|,? \bin (?:millions?|thousands?|billions?)(?: of (?:us |u\.s\. )?(?:dollars|yen|euros|usd))?(?=[\s?.,]*$)"
    r"|\bround(?:ed)?\b[^.?!]*[.?!]*$"
    r"|\b(?:fiscal|financial) year (?=\d)"
    r"|\bas (?:yyyy|dd|mm)[-/ymd]*"
    r"|^passages about\b"
    r"|(?:e\.g\.|for example|such as \[)[^.?!]*[.?!]*"
    r"|according to (?:this|the) (?:document|paper|report|article),?"
    r"|in (?:this|the) (?:document|paper|article)\b"
    r"|(?:本文書|この文書|本資料|この資料|本報告書|この報告書|本書|文書)(?:によ(?:ると|れば)|において|では|で)、?"
    r"|(?:具体的に|詳しく|簡潔に|例を挙げて)?(?:説明|回答|お答え|お教え|教え|示|挙げ|答え)(?:て|し|え|げ)*(?:して|て)?(?:ください|下さい|なさい)。?",
    re.IGNORECASE,
)
_HEAD_JA = re.compile(r"([^\s、。のがをにで]{2,20})は(?!じめ)")
_HEAD_EN = re.compile(
    r"\b(?:what|which|where|who) (?:is|was|are|were) (?:the |its )?((?:(?!(?:of|in|for|on|at|with|to|by|from)\b)"
    r"[\w-]+ ?){1,4})",
    re.IGNORECASE,
)
_NAME_OF = re.compile(r"(?:title|name|topic|type|kind|names|titles)", re.IGNORECASE)
_OF = re.compile(r"^of (?:the |a |an )?([a-z]+(?: [a-z]+)?)", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|cannot)|n['’]t) (?:(?:yet|always|ever|often|usually) )?(?P<verb>[a-z]+(?: [a-z]+)?)",
    re.IGNORECASE,
)
_YEAR = r"(?:fy\s?)?((?:19|20)\d\d)(?:年度?)?"
_RANGE = re.compile(
    rf"{_YEAR}\s*(?:から|[-~〜–—]|(?:to|through|until)\b)\s*{_YEAR}\s*(?:にかけて|まで|の間)?"
    rf"|\bbetween {_YEAR} and {_YEAR}",
    re.IGNORECASE,
)
_WHICH_YEAR = re.compile(r"\b(?:which|what) (?:fiscal |financial )?years?\b|年度", re.IGNORECASE)
_WHICH_DATE = re.compile(r"\b(?:which|what) (?:year|date|month|day)\b", re.IGNORECASE)
_OPEN = re.compile(
    r"どのよう|どういう|どうやって|説明|述べ|教え|挙げ|\bhow\b|\bexplain|\bdescribe",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\b(?:percentages?|percent|proportions?|shares?) of(?: (?:the |all )?(?:people|persons|those)\b)?"
    r"|\bpercent(?:ages?)?\b|(?<![\u30a1-\u30fa\u30fc\u4e00-\u9fff])(?:比率|百分率|構成比)",
    re.IGNORECASE,
)
_OF_YEAR = re.compile(r"(?<=\d)\s*(?:会計)?年度末?")  # a table's header has the year in any form
_PART_OF_YEAR = re.compile(r"(?<=\d月期)(?=第\d)")  # 2031年3月期第2四半期: two words
_HOW = re.compile(rf"\bhow (?:much )?(?:{'|'.join(NOUNS)})\b", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """A question as the extractive implementation understands it.

    ``negated``: the words after «not» («do not go online»), which evidence must deny too;
    ``open``: asked how or why, or to explain; ``which``:
    asked what kind of thing (どのような), which a sentence should say rather whole; ``years``: the range among whose years an
    extreme is asked, which are labels and no words;
    ``contact``, ``several``, ``change``, ``bounded``, ``labelled``, ``polar``, ``effect``: see ``forms``;
    ``units``: those a number must have, none if any will do; ``counted``: the noun after
    «how many»; ``hints``: words that a header may have for what the question asks (height for
    «how high»), never required; ``words``: what evidence must hold.
    """

    core: str
    negated: tuple[str, ...]
    language: Literal["ja", "en"]
    kind: AskedKind
    units: tuple[str, ...]
    counted: str
    hints: tuple[Word, ...]
    extreme: Literal["", "most", "least"]
    caption: bool
    words: tuple[Word, ...]
    head: tuple[Word, ...]
    why: bool
    references: tuple[Reference, ...]
    open: bool
    which: bool
    years: tuple[int, int] | None
    contact: Contact
    several: bool
    change: bool
    bounded: bool
    labelled: str
    polar: bool
    effect: bool


@lru_cache(maxsize=1024)
def understand(text: str) -> Asked:
    """Read a question, of a very long one its first 2,000 characters."""
    normal = unicodedata.normalize("NFKC", text[:MAX_CHARS])
    core = " ".join(_FORMAT.sub(" ", normal).split()) or normal
    core = with_page_numbers(core)
    folded = fold_text(core)
    spoken = language(core)
    kind, found = kind_of(core, spoken)
    bare = _HOW.sub(" ", without_references(core))
    contact, named = contact_of(folded)
    if named is not None:
        bare = named.sub(" ", bare.casefold() if spoken == "en" else bare)
    if found and spoken == "ja":
        bare = NUMBER_JA.sub(" ", bare)
    bare = _OF_YEAR.sub("年", _PART_OF_YEAR.sub("の", bare))
    extreme = extreme_of(folded)
    if kind == "number" and not extreme:  # a ranking needs the column that holds them
        bare = _FORM.sub(" ", bare)
    if kind == "date":  # the year is what is asked for
        bare = _WHICH_DATE.sub(" ", bare)
    years = _years(bare) if extreme and kind in ("date", "label") else None
    if years:
        bare = _WHICH_YEAR.sub(" ", _RANGE.sub(" ", bare))
    return Asked(
        core=core,
        negated=_negated(core),
        language=spoken,
        kind=kind,
        units=units_of(core, found),
        counted=counted_of(core),
        hints=tuple(Word(noun, strict=False) for noun in nouns_of(core)),
        extreme=extreme,
        caption=CAPTION.search(folded) is not None,
        words=tuple(words(bare)),
        head=tuple(words(_head(bare, spoken))),
        why=WHY.search(core) is not None,
        references=tuple(references_of(core)),
        open=kind == "text" and bool(_OPEN.search(normal) or WHY.search(normal)),
        which="どのよう" in core,
        years=years,
        contact=contact,
        several=asks_several(folded),
        change=asks_change(folded),
        bounded=has_bound(folded),
        labelled=counted_label(folded),
        effect=asks_effect(folded),
        polar=kind == "text" and is_polar(core),
    )


def _head(bare: str, spoken: Literal["ja", "en"]) -> str:
    """What is asked for: the noun before the last は (販売価格), or after «what is the»."""
    if spoken == "ja":
        found = _HEAD_JA.findall(bare)
        return str(found[-1]) if found else ""
    match = _HEAD_EN.search(bare)
    if match and _NAME_OF.fullmatch(match[1].strip()):
        return next(iter(_OF.findall(bare[match.end() :])), "")
    return match[1] if match else ""


def _years(text: str) -> tuple[int, int] | None:
    match = _RANGE.search(text)
    if match is None:
        return None
    first, last = sorted(int(year) for year in match.groups() if year)
    return first, last


def _negated(core: str) -> tuple[str, ...]:
    match = _NEGATED.search(core)
    return tuple(match["verb"].lower().split()) if match else ()


def denial(words_denied: Sequence[str], text: str) -> re.Match[str] | None:
    """Where a text denies what the question denies («Do not go online»), or None."""
    verb, *rest = (re.escape(stem(word)) for word in words_denied)
    after = "".join(rf" (?:\w+ )?{word}" for word in rest)
    helping = r"(?:\b(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would)\s*)?"
    found = rf"{helping}(?:\b(?:not|never|cannot)|n['’]t) (?:\w+ )?{verb}[a-z]*{after}[a-z]*"
    return re.search(found, text, re.IGNORECASE)
