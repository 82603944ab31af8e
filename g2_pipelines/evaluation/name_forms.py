"""Names of companies, persons, places and products in a text, by their form.

Here: ``names_in``. Whether the sources have them is judged in ``name_claims``. No name
recognizer is used: the labels of those that were tried are unreliable on business Japanese
(三井物産 a school, 栃木県那須工場 a position), a dictionary tokenizer weighs 200 MB, and what
matters is a name that does not stand in the sources at all. Only modules of this package
import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

import yaml

from g2_pipelines.tables.line1 import ClaimKind
from g2_pipelines.text.language import language


class Name(NamedTuple):
    """[start, end) of the folded text."""

    kind: ClaimKind
    start: int
    end: int
    text: str


_WORD = r"[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fffa-z0-9&・]"
_KANJI = r"[\u3005\u4e00-\u9fff]"
_KATAKANA = r"[\u30a1-\u30fa\u30fc]"
_TITLE = (
    "代表取締役会長|代表取締役社長|代表取締役|取締役会長|取締役社長|社外取締役|取締役|代表執行役|執行役員|会長|社長|副社長|専務|常務"
    "|ceo|cfo|coo|cto|監査役|部長|本部長"
)
#: Offices that follow a surname, and what is before them where it is no surname.
_OFFICE = "都知事|知事|市長|区長|町長|村長|大臣|議員|委員長|局長|部長|課長|次長|理事長|総裁|頭取|教授|監督|委員(?!会)"
_PARTS = (
    "営業|開発|管理|製造|販売|企画|人事|経理|財務|総務|法務|担当|統括|事業|研究|技術|生産|品質|監査|広報|購買|調達|情報|経営|専門"
    "|社外|独立|審議|常任|特別|国会|衆議|参議|都議|県議|市議|区議|総理|副|各|関係|所管|当該|同"
)
#: What kind of market is meant, rather than where it is.
_MARKETS = (
    "国内|海外|世界|新興|成長|主要|巨大|有望|既存|新規|対象|関連|周辺|成熟|競争|株式|金融|資本|債券|為替|労働|消費|住宅|卸売|中央|地方"
    "|証券|電力|鉄鋼|自動|通信|情報|医療|医薬|食品|飲料|化粧|衣料|小売|外食|建設|土木|機械|電子|半導|精密|素材|化学|産業|一般|個人|法人"
    "|最終|各国|全体|当該|同|各|本|新|先物|現物|商品|製品|部品|中古|賃貸|分譲|短期|長期|潜在|拡大|縮小|急成|変化|需要|業界|専門|高級|大衆"
)
_PATTERNS: tuple[tuple[ClaimKind, re.Pattern[str]], ...] = (
    ("company", re.compile(
        rf"(?:株式会社|有限会社|合同会社|\(株\)|㈱)[ ]?{_WORD}{{1,24}}"
        rf"|{_WORD}{{2,24}}?(?:株式会社|\(株\)|㈱|有限公司)"
        rf"|{_WORD}{{2,16}}(?:銀行|証券|大学|製作所|ホールディングス|保険(?=株|会社))"
        rf"|[a-z][a-z0-9&.' -]{{1,40}}?,? (?:inc|ltd|llc|corp|co|plc|gmbh|s\.a|b\.v|n\.v|pte|limited|corporation|company)\b\.?"
        rf"|{_KATAKANA}[{_KATAKANA[1:-1]}・]{{1,15}}社(?![会内外員長債])"
    )),
    ("person", re.compile(
        rf"(?:{_TITLE})(?:[・兼、/ ]*(?:{_TITLE}))*[のである ]{{0,3}}(?P<person>{_KANJI}{{2,3}}[ ]?{_KANJI}{{1,3}}|{_KATAKANA}{{2,10}}[・ ]{_KATAKANA}{{2,12}})(?=氏|が|は|を|の|、|。|\)|$)"
        rf"|(?<!{_KANJI})(?P<person2>{_KANJI}{{2,5}}|{_KATAKANA}{{2,10}}[・ ]{_KATAKANA}{{2,12}})(?=氏(?![名族])|(?:代表取締役)?社長|会長(?!職))"
        rf"|(?<!{_KANJI})(?P<person4>(?!{_PARTS}){_KANJI}{{2,3}})(?=(?:前|元|副)?(?:{_OFFICE}))"
        r"|(?<![a-z])(?:mr|ms|mrs|dr)\. (?P<person3>[a-z]+(?: [a-z]+)?)"
    )),
    ("place", re.compile(
        rf"{_KANJI}{{2,3}}(?:県|府)(?!{_KANJI})|東京都|北海道|{_KANJI}{{2,4}}(?:市|工場|事業所|支店|研究所)(?!{_KANJI}|場)"
        rf"|(?<!{_KANJI})(?!{_MARKETS}){_KANJI}{{2}}(?=新?市場(?!{_KANJI}))"
    )),
    ("product", re.compile(r"[「『](?P<product>[^「」『』。、]{2,24})[」』]")),
)  # fmt: skip
_LONGEST = 40
_ROMAN = re.compile(r"(?<![a-z0-9])[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*(?![a-z0-9])")
_LOAN = re.compile(rf"{_KATAKANA}(?:{_KATAKANA}|・(?={_KATAKANA}))+")
#: Capitalised words inside an English sentence, of its text as written.
_CAPITALISED = re.compile(
    r"(?<![.!?:;\"“(] )(?<![A-Za-z0-9])(?!^)[A-Z][A-Za-z0-9&'’-]+(?: (?:of |and |& )?[A-Z][A-Za-z0-9&'’-]+)*"
)
_ENGLISH_ORDINARY = re.compile(
    r"(?:I|The|A|An|In|On|At|For|By|We|Our|It|Its|This|These|That|Net|Operating|Ordinary|Sales|Income|Profit|Loss"
    r"|Revenue|Segment|Business|Group|Company|Fiscal|Year|FY\d*|Q[1-4]|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|Yen|JPY|USD|Division|Management|Board|Directors?|Total|Assets)"
)
_PLAIN_SUFFIX = re.compile(
    r"^(?:当社|同社|弊社|各社|他社|両社|自社|子会社|親会社|関連会社|連結子会社|取締役|代表)"
)


@cache
def words(kind: str) -> frozenset[str]:
    """The set ``places``, ``latin`` or ``katakana`` of ``name_words.yaml``."""
    raw = resources.files("g2_pipelines.evaluation").joinpath("name_words.yaml")
    return frozenset(str(yaml.safe_load(raw.read_text("utf-8"))[kind]).split())


@cache
def place_pattern() -> re.Pattern[str]:
    """Places of the list as one pattern, longer ones first."""
    parts = sorted(words("places"), key=lambda w: (-len(w), w))
    return re.compile(
        "|".join(rf"(?<![a-z]){p}(?![a-z])" if p.isascii() else _not_inside(p) for p in parts)
    )


def _not_inside(place: str) -> str:
    if re.fullmatch(rf"{_KATAKANA}+", place):
        return rf"(?<!{_KATAKANA}){place}(?!{_KATAKANA})"
    return place + (r"(?!語|的|円|人|酒|食|産|製|型|基準|会計|経済団体)" if len(place) == 2 else "")


def names_in(folded: str, written: str) -> list[Name]:
    """Names in order of their kind, then place; ``written`` is the text before folding."""
    if language(folded) == "en":
        return list(_english(written)) if len(written) == len(folded) else []
    out: list[Name] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(folded):
            group = next((g for g in pattern.groupindex if match[g] is not None), None)
            start, end = match.span(group) if group else match.span()
            text = folded[start:end]
            if not _PLAIN_SUFFIX.match(text):
                out.append(Name(kind, start, end, text))
    out += [Name("place", m.start(), m.end(), m.group()) for m in place_pattern().finditer(folded)]
    for match in _ROMAN.finditer(folded):
        if len(match.group()) > 1 and match.group() not in words("latin"):
            out.append(Name("product", match.start(), match.end(), match.group()))
    for match in _LOAN.finditer(folded):
        if len(match.group()) > 2 and not is_ordinary(match.group()):
            out.append(Name("name", match.start(), match.end(), match.group()))
    return out


def is_ordinary(loan: str) -> bool:
    """Whether a folded word is of the lists, or made of some of one (データセンター)."""
    known = words("katakana")
    if loan in words("latin"):
        return True
    if len(loan) > _LONGEST:
        return False
    if loan in known:
        return True
    reach = {0}
    for end in range(1, len(loan) + 1):
        if any(loan[start:end].strip("・") in known for start in reach if start < end):
            reach.add(end)
    return len(loan) in reach


def _english(written: str) -> Iterator[Name]:
    for match in _CAPITALISED.finditer(written):
        parts = [p for p in match.group().split(" ") if not _ENGLISH_ORDINARY.fullmatch(p)]
        if parts and not match.group().isupper():
            kind: ClaimKind = "place" if match.group().lower() in words("places") else "name"
            yield Name(kind, match.start(), match.end(), match.group())
