"""What a question asks for: its core, kind of answer, unit, and explicit references.

Here: ``Asked`` and ``understand``. Sentences about the answer's form ("answer in millions",
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

#: number, date; label: a name; value: a name or figure, whatever the head says; text: open.
AskedKind = Literal["number", "date", "label", "value", "text"]
ReferenceKind = Literal["figure", "table", "page"]

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
    r"|(?:e\.g\.|for example|such as \[)[^.?!]*[.?!]*"
    r"|according to (?:this|the) (?:document|paper|report|article),?"
    r"|in (?:this|the) (?:document|paper|article)\b"
    r"|(?:本文書|この文書|本資料|この資料|本報告書|この報告書|本書|文書)(?:によ(?:ると|れば)|において|では|で)、?"
    r"|(?:具体的に|詳しく|簡潔に|例を挙げて)?(?:説明|回答|お答え|お教え|教え|示|挙げ|答え)(?:て|し|え|げ)*(?:して|て)?(?:ください|下さい|なさい)。?",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?P<figure>図表?|figure|fig\.?)\s*(?P<figure_no>\d{1,3}(?:[.-]\d{1,2})?)"
    r"|(?P<table>表|table|tab\.)\s*(?P<table_no>\d{1,3}(?:[.-]\d{1,2})?)"
    r"|(?:page|p\.)\s*(?P<page>\d{1,4})\b|(?P<page_ja>\d{1,4})\s*(?:ページ|頁)",
    re.IGNORECASE,
)
_COUNT_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_PAGE_WORDS = {name: str(place) for place, name in enumerate(_COUNT_WORDS.split(), start=1)}
_FIRST_PAGE = re.compile(
    r"\b(?:first|cover) page\b|\bon the cover\b|(?:最初の|1|先頭の)ページ|表紙"
)
_PLACES = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
_PLACE_PAGE = re.compile(
    rf"\b(?:the )?(?:({'|'.join(_PLACES)})|(\d{{1,2}})(?:st|nd|rd|th)) page\b", re.IGNORECASE
)
_WORD_PAGE = re.compile(rf"\bpage ({'|'.join(_PAGE_WORDS)})\b", re.IGNORECASE)
_NUMBER_JA = re.compile(
    r"何\s*[千百十]*[万億兆]?(?P<unit>%|パーセント|ポイント|割|人|名|円|億円|百万円|台|個|本|回|件|社|拠点|か所|箇所|カ所|"
    r"種類|種|基|棟|倍|時間|分|秒|日間|週間|か月|ヶ月|カ月|年間|歳|度|℃|°C|kg|km|cm|mm|μm|µm|nm|m(?![a-zA-Z])|"
    r"kWh|kW|MPa|Hz|kHz|rpm|min(?:[-−⁻][1¹])?|t(?![a-zA-Z])|トン|L(?![a-zA-Z])|点|枚|行|列|項目|[A-Za-zμµ°℃%/]+)"
    r"|何[千百十]*[万億兆](?=で|か|あ|に)|いくら|いくつ|幾つ|どれ(?:くらい|ぐらい|だけ|ほど)|どの(?:くらい|程度)|(?:割合|比率|数|率)はどの"
)
_DATE_JA = re.compile(r"いつ|何年(?!間)|何月|何日(?!間)|どの年|何年度")
_LABEL_JA = re.compile(
    r"どれ(?!くらい|ぐらい|だけ|ほど)|どの(?!よう)|どこ|どちら|誰|だれ|何という|何と呼"
)
_NUMBER_EN = re.compile(
    r"\bhow (?:many|much|large|big|long|high|far|old|tall|deep|wide|fast|often|heavy|hot|cold)\b"
    r"|\bpercent(?:age)?\b|\bwhat (?:is|was|are|were) the (?:\w+ ){0,3}(?:number|amount|rate|share|"
    r"percentage|temperature|size|length|speed|price|cost|population|score|accuracy)\b"
    r"|\b(?:what|which) (?:frequency|temperature|speed|rate|percentage|price|height|length|score|share|amount)\b"
    r"|\b(?:at |by )?(?:what|which) (?:frequency|temperature|speed|rate|percentage|price|height|length|pressure)\b",
    re.IGNORECASE,
)
_DATE_EN = re.compile(
    r"\bwhen (?:did|was|were|is|will|does)\b|\b(?:what|which|in which) (?:year|date|month|day)\b",
    re.IGNORECASE,
)
_LABEL_EN = re.compile(
    r"\b(?:which|who|whom|whose|where)\b|\bwhat (?:kind|type|name)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\bwhat(?:'s| is| was| are| were)\b|何(?:です|でしょう)?か[?？。]?$", re.IGNORECASE
)
_MOST = re.compile(
    r"最も|一番|最大|最高|最多|最長|highest|largest|greatest|biggest|most\b|longest|maximum"
)
_LEAST = re.compile(
    r"最小|最低|最少|最短|(?:最も|一番).{0,12}(?:低|小さ|少な|短|遅|安|軽|狭)"
    r"|lowest|smallest|least\b|shortest|fewest|minimum"
)
_TIME = (
    "時間",
    "分",
    "秒",
    "日",
    "日間",
    "週間",
    "か月",
    "ヶ月",
    "年",
    "年間",
    "h",
    "min",
    "s",
    "ms",
    "hours",
    "hour",
    "minutes",
    "minute",
    "seconds",
    "days",
    "day",
    "weeks",
    "months",
    "month",
    "years",
    "year",
)
_LENGTH = ("m", "km", "cm", "mm", "μm", "nm")
_SAME: tuple[tuple[str, ...], ...] = (
    ("円", "百万円", "億円", "千円", "兆円", "万円"),
    ("%", "パーセント", "割"),
    ("人", "名"),
    ("℃", "°C", "度", "°c"),
    ("μm", "µm", "μm"),
    ("か月", "ヶ月", "カ月"),
    ("か所", "箇所", "カ所"),
    ("t", "トン"),
)
_FAMILIES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"percent|proportion|\bshare of\b|割合|比率|構成比", re.IGNORECASE), ("%", "割")),
    (re.compile(r"どの(?:くらい|程度|ぐらい)の(?:時間|期間|間)"), _TIME),
    (
        re.compile(r"how long\b.*\b(?:last|take|kept?|run|stor|took|until|before)", re.IGNORECASE),
        _TIME,
    ),
    (re.compile(r"how long\b", re.IGNORECASE), (*_TIME, *_LENGTH)),
    (re.compile(r"how (?:high|tall|deep|wide|far)\b", re.IGNORECASE), _LENGTH),
    (
        re.compile(
            r"how (?:hot|cold)\b|\bwhat (?:is|was) the (?:\w+ ){0,3}temperature\b", re.IGNORECASE
        ),
        ("°c", "℃", "k", "degrees"),
    ),
    (re.compile(r"how heavy\b", re.IGNORECASE), ("kg", "t", "g")),
    (re.compile(r"how often\b", re.IGNORECASE), (*_TIME, "times")),
)
_NOUNS: dict[str, tuple[str, ...]] = {
    "high": ("height", "level"),
    "higher": ("height", "level"),
    "tall": ("height",),
    "taller": ("height",),
    "long": ("length", "duration", "time"),
    "longer": ("length", "duration", "time"),
    "large": ("size", "area"),
    "larger": ("size", "area"),
    "big": ("size", "area"),
    "bigger": ("size", "area"),
    "deep": ("depth",),
    "wide": ("width",),
    "far": ("distance", "range"),
    "old": ("age",),
    "fast": ("speed",),
    "often": ("frequency", "interval"),
    "heavy": ("weight", "mass"),
    "hot": ("temperature",),
    "cold": ("temperature",),
}
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
_WHY = re.compile(r"なぜ|何故|どうして|理由|要因|原因|\bwhy\b|\breason|\bcause", re.IGNORECASE)
_HOW = re.compile(rf"\bhow (?:much )?(?:{'|'.join(_NOUNS)})\b", re.IGNORECASE)
_CAPTION = re.compile(
    r"caption|what (?:does|do|is) .{0,20}\b(?:show|shown|illustrate|depict)"
    r"|キャプション|(?:何|なに)を(?:示|表|説明)"
)


@dataclass(frozen=True)
class Reference:
    """A figure, table or page named in the question; ``number`` as it is printed."""

    kind: ReferenceKind
    number: str


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
    core = _WORD_PAGE.sub(lambda match: f"page {_PAGE_WORDS[match[1].lower()]}", core)
    core = _PLACE_PAGE.sub(_page_name, core)
    core = _FIRST_PAGE.sub(" page 1 ", core)
    folded = fold_text(core)
    spoken = language(core)
    kind, found = _kind(core, spoken)
    bare = _HOW.sub(" ", _REFERENCE.sub(" ", core))
    contact, named = contact_of(folded)
    if named is not None:
        bare = named.sub(" ", bare.casefold() if spoken == "en" else bare)
    if found and spoken == "ja":
        bare = _NUMBER_JA.sub(" ", bare)
    bare = _OF_YEAR.sub("年", bare)
    extreme = _extreme(folded)
    if kind == "number" and not extreme:  # a ranking needs the column that holds them
        bare = _FORM.sub(" ", bare)
    years = _years(bare) if extreme and kind in ("date", "label") else None
    if years:
        bare = _WHICH_YEAR.sub(" ", _RANGE.sub(" ", bare))
    return Asked(
        core=core,
        negated=_negated(core),
        language=spoken,
        kind=kind,
        units=_units(core, found),
        counted=_counted(core),
        hints=tuple(Word(noun, strict=False) for noun in _nouns(core)),
        extreme=extreme,
        caption=_CAPTION.search(folded) is not None,
        words=tuple(words(bare)),
        head=tuple(words(_head(bare, spoken))),
        why=_WHY.search(core) is not None,
        references=tuple(_references(core)),
        open=kind == "text" and bool(_OPEN.search(normal) or _WHY.search(normal)),
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


def _page_name(match: re.Match[str]) -> str:
    place = match[2] or str(_PLACES.index(match[1].lower()) + 1)
    return f"page {place}"


def _head(bare: str, spoken: Literal["ja", "en"]) -> str:
    """What is asked for: the noun before the last は (販売価格), or after «what is the»."""
    if spoken == "ja":
        found = _HEAD_JA.findall(bare)
        return str(found[-1]) if found else ""
    match = _HEAD_EN.search(bare)
    if match and _NAME_OF.fullmatch(match[1].strip()):
        return next(iter(_OF.findall(bare[match.end() :])), "")
    return match[1] if match else ""


def _kind(core: str, spoken: Literal["ja", "en"]) -> tuple[AskedKind, re.Match[str] | None]:
    if spoken == "ja":
        number, date, label = _NUMBER_JA, _DATE_JA, _LABEL_JA
    else:
        number, date, label = _NUMBER_EN, _DATE_EN, _LABEL_EN
    if date.search(core):
        return "date", None
    found = number.search(core)
    if found:
        return "number", found
    if _WHY.search(core) or _CAPTION.search(core):
        return "text", None
    if label.search(core):
        return "label", None
    return ("value", None) if _VALUE.search(core) else ("text", None)


def _units(core: str, found: re.Match[str] | None) -> tuple[str, ...]:
    """The units one of which the number must have; none when the question leaves it open."""
    if found is None:
        return ()
    unit = found["unit"] if "unit" in found.re.groupindex else None
    if unit:
        return next((family for family in _SAME if unit in family), (fold_text(unit),))
    if found[0] == "いくら":
        return _SAME[0]
    return next((units for pattern, units in _FAMILIES if pattern.search(core)), ())


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


def _counted(core: str) -> str:
    match = re.search(r"\bhow many (?:more |fewer |different )?([a-z-]+)", core, re.IGNORECASE)
    return match[1].lower() if match else ""


def _nouns(core: str) -> tuple[str, ...]:
    match = re.search(r"\bhow (?:much )?([a-z]+)", core, re.IGNORECASE)
    return _NOUNS.get(match[1].lower(), ()) if match else ()


def _extreme(folded: str) -> Literal["", "most", "least"]:
    if _LEAST.search(folded):
        return "least"
    return "most" if _MOST.search(folded) else ""


def names_extreme(text: str) -> bool:
    """True for a text that itself speaks of a greatest or least (最も, highest, 最高)."""
    return _extreme(fold_text(text)) != ""


def _references(core: str) -> list[Reference]:
    found: list[Reference] = []
    for match in _REFERENCE.finditer(core):
        if match["figure"]:
            found.append(Reference("figure", match["figure_no"]))
        elif match["table"]:
            found.append(Reference("table", match["table_no"]))
        else:
            found.append(Reference("page", match["page"] or match["page_ja"]))
    return list(dict.fromkeys(found))
