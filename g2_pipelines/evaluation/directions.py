"""Which way a text says that something goes: subject, way, period and what it is compared with.

Here: ``Direction`` and ``directions``. Whether the sources bear one out is judged in
``direction_claims``. Only modules of this package import it.

The reading is shallow on purpose: a word whose subject is not sure, or that tells of an aim
(改善を図る) or an amount (増加額), is no direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.items import Items
from g2_pipelines.evaluation.labels import last_period, last_segment
from g2_pipelines.evaluation.polarity import POLAR, polar
from g2_pipelines.evaluation.senses import is_planned
from g2_pipelines.text.numbers import numbers, periods


class Direction(NamedTuple):
    """``subject`` goes ``way`` (+1, -1) at [start, end) of the folded text.

    subject: an item's name, else the noun itself; segment and period as in ``Label``; basis:
    ``plan`` where it is compared with a plan, ``quarter`` with the quarter before, else "".
    """

    subject: str
    is_item: bool
    segment: str | None
    period: str | None
    basis: str
    way: int
    start: int
    end: int


#: Words that name their subject themselves, on folded text.
_COMPOUNDS = {
    "増収増益": (("売上高", 1), ("利益", 1)),
    "減収減益": (("売上高", -1), ("利益", -1)),
    "増収減益": (("売上高", 1), ("利益", -1)),
    "減収増益": (("売上高", -1), ("利益", 1)),
    "増収": (("売上高", 1),),
    "減収": (("売上高", -1),),
    "増益": (("利益", 1),),
    "減益": (("利益", -1),),
    "増配": (("1株当たり配当", 1),),
    "減配": (("1株当たり配当", -1),),
}
_COMPOUND = "|".join(_COMPOUNDS)
_WORD = re.compile(
    rf"(?P<compound>(?<![一-鿿])(?:{_COMPOUND})|(?:(?<=大幅)|(?<=連続)|(?<=の)|(?<=期))(?:{_COMPOUND}))|{POLAR.pattern}"
)
_AXES = frozenset({"amount", "quality", "record", "yen", "result"})
#: What makes the word a noun of its own, an aim, or a cause: 増加額, 改善を図る, 減少幅.
_NO_DIRECTION = re.compile(
    r"額|幅|率|要因|策|効果|余地|分(?:を|が|は)|余地|基調(?:に戻|を)|計画|目標|機会|戦略|局面|リスク|懸念|圧力|を(?:図|目指|進め|推|はか|促|抑|防|目的)"
    r"|に(?:努|取り?組|向け|つなが|資|寄与|貢献|備え|対応|係)|する(?:ため|こと|もの|可能性|おそれ|恐れ|リスク|場合)|すれば|させ|できる|が(?:必要|課題|急務|懸念)"
    r"|の(?:要因|可能性|取り?組|推進|余地|機会|実現)|[・/]|及び|および|や|と(?:[一-鿿ァ-ヴ]{2})"
)
_DENIED = re.compile(r".{0,6}?(?:ません|な(?:い|かった|く)(?!っ)|ず(?:、|に))")
_HELD = re.compile(r"[^。、]{0,14}?(?:とどま|ものの伸び悩|に歯止め)")
_BEFORE = r"(?:前々?|昨)(?:連結会計|事業)?(?:期|年度|年)(?:同)?(?:四半)?(?:期|月)?(?:末)?"
_PLAN = re.compile(r"計画|予想|見込み?|想定|目標|予算|ガイダンス")
_QUARTER = re.compile(r"前四半期")
#: What may stand between a subject and its word without being one: figures, adverbs, bases.
_FILLER = re.compile(
    rf"(?:\0+|[、,() （）約]|(?:大幅|大き|小幅|急激|顕著|著し|緩やか|堅調|順調|着実|好調|わずか|若干|やや|さらに|引き?続き|再び|一転|それぞれ|ともに|共に|連続|程度|過去最高|年連続)(?:に|く|な|で|の|して)?"
    rf"|(?:対)?(?:{_BEFORE}|前四半期|計画|予想|見込み?|想定|目標|予算|同)(?:比(?:で|較)?|に比べて?|と比べて?|と比較して?|に対して?|から|より|を|の|は|で)"
    r"|(?:で|と|に|へ|から|まで|の|も|より|へと|は|が)(?=\0|[、,()（）]|$)|△|▲|¥|\$)$"
)
_NOUN = re.compile(
    r"(?P<noun>[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fffa-z0-9・]{2,24}(?:の[\u4e00-\u9fff]{2,6})?)(?:について|に関して|において|の|は|が|も|を|、)?(?:は|も)?$"
)
_LOSS = re.compile(r"損失$|赤字(?:幅|額)?$|損失額$")
_QUALIFIED = re.compile(r"(?:の|連結|全社|当社|同社|グループ|期|年度|通期)$")
_TOPIC = re.compile(
    r"(?P<noun>[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fffa-z0-9・]{2,24})"
    r"(?:については|につきましては|においては|では|は)(?=、)"
)
_PLAIN_NOUN = re.compile(
    r"(?:業績|経営成績|財政状態|経営環境|事業環境|結果|影響|要因|効果|背景|一方|状況|傾向|中|等|ため|当社|同社|当期|前期|今期|通期|連結|グループ)$"
)
_ENGLISH_GAP = re.compile(
    r"(?:\s|\0|,|\.|%|¥|\$|\(|\)|was|were|is|are|also|has|have|had|been|slightly|significantly|sharply|million|billion|thousand|yen|and|year|on|year-on-year|for the|fiscal|the|by|to|of|percent|-)*$"
)
_GOOD_WHEN_UP = re.compile(
    r"利益$|利益率$|比率$|粗利率|ROE|ROIC|売上高$|受注|EBITDA|フロー$|シェア"
)


def directions(folded: str, segments: Sequence[str], items: Items) -> Iterator[Direction]:
    """The directions of a folded sentence, in order; ``segments`` are folded names."""
    words = [m for m in _WORD.finditer(folded) if m.lastgroup in {"compound", "word"}]
    if not words:
        return
    blank = _without_figures(folded)
    planned = is_planned(folded)
    for match in words:
        if _NO_DIRECTION.match(folded, match.end()) or _HELD.match(folded, match.end()):
            continue
        before = blank[: match.start()]
        stem = before
        while (cut := _FILLER.search(stem)) is not None:
            stem = stem[: cut.start()]
        between = folded[len(stem) : match.start()]
        basis = "plan" if _PLAN.search(between) else "quarter" if _QUARTER.search(between) else ""
        if match.group() in {"赤字", "黒字"}:
            basis = "zero"
        denied = -1 if _DENIED.match(folded, match.end()) else 1
        period = last_period(before) or ("next" if planned else None)
        segment = last_segment(before, segments) or _topic(before, items)
        for subject, is_item, way in _subjects(match, stem, before, items):
            yield Direction(
                subject, is_item, segment, period, basis, way * denied, match.start(), match.end()
            )


_RESULTS = {"営業": "営業利益", "経常": "経常利益", "最終": "当期純利益", "純": "当期純利益"}
_KIND_OF_RESULT = re.compile(r"(営業|経常|最終|純)$")
_SIDE_TOLD = re.compile(
    r"(?:を計上|に(?:転落|転換|転じ|なっ|なり|陥)|転落|転換|化|と(?:なっ|なり)|で(?:した|あっ|あり|推移)|を確保)"
)


def _subjects(
    match: re.Match[str], stem: str, before: str, items: Items
) -> Iterator[tuple[str, bool, int]]:
    noun = _NOUN.search(stem)
    subject = noun["noun"] if noun else ""
    if match.lastgroup == "compound":
        item = _item_at_end(subject, items)
        for name, way in _COMPOUNDS[match.group()]:
            own = item if item is not None and name == "利益" and item.endswith("利益") else None
            yield own or name, True, way
        return
    ends = [end for end in polar(match.group()) if end.axis in _AXES]
    if len(ends) != 1:
        return
    axis, way = ends[0]
    if axis == "yen":  # 円安 needs no subject
        yield "円相場", False, way
    elif axis == "result":
        yield from _results(match, before, subject, items)
    elif match.group()[0].isascii():
        found = items.find(before)
        if found and _ENGLISH_GAP.fullmatch(before, found[-1][1]):
            yield found[-1][2], True, way
    else:
        yield from _japanese(axis, way, subject, items)


def _japanese(axis: str, way: int, subject: str, items: Items) -> Iterator[tuple[str, bool, int]]:
    item = _item_at_end(subject, items)
    loss = _LOSS.search(subject) is not None
    turned = -way if loss and axis == "amount" else way  # a smaller loss is more profit
    if item is not None:
        if axis != "quality" or (not loss and _GOOD_WHEN_UP.search(item)):
            yield item, True, turned
    elif loss:
        yield "利益", True, turned
    elif len(subject) >= 2 and axis in {"amount", "record"} and not _PLAIN_NOUN.search(subject):
        yield subject, False, way


def _results(
    match: re.Match[str], before: str, subject: str, items: Items
) -> Iterator[tuple[str, bool, int]]:
    """営業赤字, 営業損益は黒字: on which side of zero an item is; basis ``zero``."""
    if _SIDE_TOLD.match(match.string, match.end()) is None:
        return
    kind = _KIND_OF_RESULT.search(before)
    item = _RESULTS[kind[1]] if kind else _item_at_end(subject, items)
    if item is not None and item.endswith("利益"):
        yield item, True, 1 if match.group() == "黒字" else -1


def _topic(before: str, items: Items) -> str | None:
    """What the sentence is about where that is a part of the company without a segment's name.

    中華圏は、…により減収となりました
    """
    for match in _TOPIC.finditer(before):
        noun = match["noun"]
        if not _PLAIN_NOUN.search(noun) and _item_at_end(noun, items) is None and not periods(noun):
            return noun
    return None


def _item_at_end(subject: str, items: Items) -> str | None:
    """The item that a noun is: 連結売上高 and 工作機械事業の売上高, not 海外売上高.

    営業損失 is 営業利益 told of its other side.
    """
    found = items.find(subject)
    if not found or found[-1][1] != len(subject):
        return None
    start, _, name = found[-1]
    return name if _QUALIFIED.search(subject, 0, start) or not start else None


def _without_figures(folded: str) -> str:
    chars = list(folded)
    for number in numbers(folded):
        chars[number.start : number.end] = "\0" * (number.end - number.start)
    return "".join(chars)
