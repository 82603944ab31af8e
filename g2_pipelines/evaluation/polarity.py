"""Words that say which way something goes, and words that deny.

Here: ``POLAR``, the pattern of both, and ``polar`` for what one of them says. Whether a summary
turned one round is judged in ``statement_claims``. Only modules of this package import it.

Words are opposites only on one axis: 赤字が縮小した and 赤字が改善した say the same, so that
amounts (増加, 縮小) and quality (改善, 悪化) are two.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Polar(NamedTuple):
    """An axis and the end of it that a word names: +1 or -1."""

    axis: str
    way: int


# axis: words of one end / words of the other; all on folded text.
_AXES = {
    "amount": (
        "増加|増大|増え|増や|向上|増収増益|増収|増益|増員|増額|増産|増配|増勢|上昇|拡大|伸長|伸び(?!悩)|伸ば|急増|急伸|微増|倍増|上回|上振れ|高騰"
        "|高ま|プラス|成長|上方修正|引き?上げ|値上げ|普及|広が|increas(?:e[sd]?|ing)|rose|rise[sn]?|rising|grew|growth|grown|higher"
        "|exceed(?:ed|s)?|expan(?:d|ds|ded|sion)|up",
        "減少|減退|減収減益|減収|減益|減員|減額|減産|減配|低下|下落|縮小|急減|微減|半減|下回|下振れ|急落|弱ま"
        "|低ま|減り|減っ|減ら|マイナス|下方修正|引き?下げ|値下げ|削減|decreas(?:e[sd]?|ing)|fell|falls?|fallen|declin(?:e[sd]?|ing)|dropped"
        "|lower|shr[aiu]nk|contract(?:ed|ion)|down",
    ),
    "quality": (
        "改善|好調|堅調|回復|良好|好転|順調|活発|盛況|improv(?:e[sd]?|ing|ement)|strong|recover(?:ed|y)",
        "悪化|不調|低迷|不良|暗転|低調|停滞|不振|軟調|worsen(?:ed|ing)?|weak|deteriorat(?:ed|ion)|sluggish",
    ),
    "level": ("高い|高く|高水準|多い|多く|多数|大き(?:い|く|な)|大幅", "低い|低く|低水準|少ない|少なく|少数|小さ(?:い|く|な)|小幅"),
    "strength": ("強い|強く|強まり|強まっ|強固", "弱い|弱く|弱まり|弱まっ|脆弱"),
    "yen": ("円安", "円高"),
    "result": ("黒字", "赤字"),
    "need": ("必要|必須|不可欠", "不要|不必要"),
    "can": ("可能", "不可能|困難"),
    "enough": ("十分|充分", "不十分|不足"),
    "steady": ("安定", "不安定"),
    "sure": ("確実|明確|透明", "不確実|不明確|不透明"),
    "favour": ("有利|優位", "不利|劣位"),
    "start": ("開始|参入|新設|導入|継続|採用", "終了|撤退|廃止|中止|停止"),
    "buy": ("取得|購入|買収|仕入", "売却|販売|譲渡"),
    "flow": ("収入|流入", "支出|流出"),
    "trade": ("輸出", "輸入"),
    "home": ("国内", "海外|国外"),
    "tight": ("強化", "緩和|縮小|弱体化"),
    "reach": ("達成|到達|成功", "未達成|未達|失敗"),
    "term": ("長期", "短期"),
    "stance": ("積極的|前向き", "消極的|慎重|後ろ向き"),
    "legal": ("合法|適法", "違法"),
    "have": ("有する|有し|保有", "有さない|有しない"),
    "keep": ("維持|継続|存続", "中断|放棄"),
    "open": ("公開|開示", "非公開|非開示"),
    "record": ("過去最高|最高益", "過去最低|過去最悪"),
    "base": (
        "前期比|前年比|前年度比|前年同期比|前年同期|前連結会計年度比|前事業年度比",
        "前四半期比|前々期比|前々年比|前々年度比|前々年同期比|前々年同期|前々連結会計年度比",
    ),
    "match": ("一致|同一", "不一致"),
}  # fmt: skip
#: Forms with ない that deny nothing: taken first, so that their ない is not counted.
_NOT_DENIAL = (
    "なければな(?:らない|りません|らず)|ねばなら(?:ない|ず)|ざるを得(?:ない|ず|ません)|に違いない|にほかならない"
    "|だけで(?:は)?なく|のみならず|にとどまらず|に留まらず|に限らず|だけに限らず|にかかわらず|を問わず|かもしれ(?:ない|ません)"
    "|少なくな(?:い|く)|やむを得(?:ない|ず)|問題(?:は)?ない|ならびに|ではないか|相違ない|絶え間な(?:い|く)|まもなく|限りな(?:い|く)"
    "|必ず(?!しも)|まず|はず|先ず|ともなく"
)
_DENIAL = (
    "ませんでした|ません|なかった|ない|なく(?=[、てな])|(?<=[わらかさたなばまがあれけえせてべめげしいきにりぎじみび])ず(?=[、に。]|$)"
    "|なし(?![で遂])|無し|(?<![a-z])(?:not|no|never|n't|without|cannot)(?![a-z])"
)
_BY_WORD: list[tuple[re.Pattern[str], Polar]] = [
    (re.compile(words), Polar(axis, way))
    for axis, both in _AXES.items()
    for words, way in zip(both, (1, -1), strict=True)
]


def _alternatives() -> str:
    # 不可能 before 可能, 増収増益 before 増収: alternatives are cut only at the outer level.
    parts = [
        part
        for both in _AXES.values()
        for words in both
        for part in re.split(r"\|(?![^(]*\))", words)
    ]
    latin = sorted((p for p in parts if p[0].isascii() and p[0].isalpha()), key=len, reverse=True)
    other = sorted(set(parts) - set(latin), key=lambda p: (-len(p), p))
    return "|".join([*other, rf"(?<![a-z])(?:{'|'.join(latin)})(?![a-z])"])


#: Groups: ``skip`` (deny in form only), ``deny``, ``word``.
POLAR = re.compile(f"(?P<skip>{_NOT_DENIAL})|(?P<deny>{_DENIAL})|(?P<word>{_alternatives()})")


def polar(word: str) -> tuple[Polar, ...]:
    """The ends of all axes that ``word``, folded, names; none for a word without direction."""
    return tuple(end for pattern, end in _BY_WORD if pattern.fullmatch(word))


def opposite(one: tuple[Polar, ...], other: tuple[Polar, ...]) -> bool:
    """True where both name an axis they share, and every axis they share by opposite ends."""
    ways = dict(other)
    shared = [(end.way, ways[end.axis]) for end in one if end.axis in ways]
    return bool(shared) and all(a != b for a, b in shared)
