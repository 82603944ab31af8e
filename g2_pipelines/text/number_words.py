"""Words and patterns around figures: units, signs, approximation, and what is no amount.

Here: data for ``numbers``, which alone imports this module. All patterns read text made
narrow by ``widths.narrow`` (ASCII figures, lower case), and none can take more than linear
time: repetitions are bounded or atomic.
"""

from __future__ import annotations

import re
from typing import Literal

# Unit as written → unit as reported.
UNITS: dict[str, str] = {}


def _units(unit: str, words: str) -> None:
    UNITS.update(dict.fromkeys(words.split("|"), unit))


_units("円", "円|yen|jpy")
_units("ドル", "米ドル|ドル|dollars|usd")
_units("ユーロ", "ユーロ|euros|euro|eur")
_units("元", "人民元|元")
_units("ウォン", "ウォン")
_units("ポンド", "ポンド")
_units("バーツ", "バーツ")
_units("ルピー", "ルピー")
_units("ポイント", "%ポイント|パーセントポイント|ポイント|percentage points|points|pp|pt")
_units("bp", "ベーシスポイント|bps|bp")
_units("%", "%|パーセント|㌫|percent|割")
_units("倍", "倍|times")
_units("人", "人|名|employees|people|persons")
_units("年", "年間|カ年|か年|ヶ年|ヵ年|年|years|year")
_units("月", "カ月間|か月間|ヶ月間|ヵ月間|カ月|か月|ヶ月|ヵ月|ケ月|箇月|months")
_units("週", "週間")
_units("日", "日間|日|days")
_units("時間", "時間|hours")
_units("分", "分間|分")
_units("秒", "秒間|秒")
_units("社", "社|companies")
_units("店", "店舗|店|stores")
_units("カ国", "カ国|か国|ヶ国|ヵ国|ケ国|countries")
_units("カ所", "カ所|か所|ヶ所|ヵ所|ケ所|箇所|個所")
_units("事業", "事業")
_units("セグメント", "セグメント|segments")
_units("拠点", "拠点|bases")
_PLAIN = (
    "台|件|個|株|本|枚|棟|戸|室|床|位|回|種類|種|品目|品種|つ|世帯|頭|校|地域|工場|部門|項目|点|世代|隻|機種"
    "|路線|期|代|度|銘柄|団体|都道府県|市町村|区分|トン|ヘクタール|アール|平方メートル|平方キロメートル|立方メートル|坪"
    "|メートル|キロメートル|センチメートル|ミリメートル|キロ|センチ|ミリ|マイル|リットル|キロリットル|キログラム|グラム|ミリグラム|バレル|キロワット|メガワット"
    "|kg|km|mm|cm|μm|nm|kwh|mwh|gwh|kw|mw|gw|gb|tb|mb|ha|℃|㎡|㎥|㎏|㎞|㎜|hz|ghz|mhz|ml|km2|m2|m3|t|m|g|x"
)
for _word in _PLAIN.split("|"):
    _units({"x": "倍", "t": "トン", "㎏": "kg", "㎞": "km", "m2": "㎡"}.get(_word, _word), _word)

# A unit is not the beginning of a longer word.
_NOT_FOLLOWED = {
    "年": "度月\\d",
    "日": "本産系経刊",
    "分": "野類析割子",
    "本": "社部格体店日来",
    "個": "人別",
    "人": "材口民件三",
    "名": "称義",
    "点": "検",
    "期": "間待",
    "度": "合",
    "元": "々本",
    "代": "表理替",
    "株": "式主価",
    "機種": "",
    "事業": "年所者部等計会継",
    "件": "数",
    "回": "復収答",
    "台": "風",
    "社": "会長員内外",
    "店": "頭",
    "つ": "い",
    "キロ": "ワリグメ",
    "センチ": "メ",
    "ミリ": "オメグ",
    "アール": "エヌ",
    "種": "類",
    "位": "置",
    "床": "面",
    "室": "内",
    "校": "正",
    "戸": "建",
    "円": "高安滑形",
}


#: Measures and moneys: a figure in kanji before one is always a figure, also 百 and 二.
MEASURES = frozenset(
    [
        "ドル",
        "ユーロ",
        "元",
        "ウォン",
        "ポンド",
        "バーツ",
        "ルピー",
        "ポイント",
        "トン",
        "ヘクタール",
        "アール",
        "平方メートル",
        "平方キロメートル",
        "立方メートル",
        "坪",
        "メートル",
        "キロメートル",
        "センチメートル",
        "ミリメートル",
        "キロ",
        "センチ",
        "ミリ",
        "マイル",
        "リットル",
        "キロリットル",
        "キログラム",
        "グラム",
        "ミリグラム",
        "バレル",
        "キロワット",
        "メガワット",
        "kg",
        "km",
        "㎡",
        "ha",
        "カ所",
        "カ国",
        "店",
        "拠点",
    ]
)


def _unit_pattern(word: str) -> str:
    pattern = re.escape(word)
    if word == "円":
        pattern = r"円(?:(?P<sen>\d{1,2})銭)?"
    elif word == "割":
        pattern = r"割(?:(?P<bu>[1-9一二三四五六七八九])分)?(?:(?P<rin>[1-9一二三四五六七八九])厘)?(?![合引安高])"
    if word[-1].isascii() and word[-1].isalnum():
        return pattern + r"(?![a-z\d])"
    refused = _NOT_FOLLOWED.get(word)
    return pattern + (f"(?![{refused}])" if refused else "")


UNIT = re.compile(
    " ?(?P<unit>"
    + "|".join(_unit_pattern(word) for word in sorted(UNITS, key=lambda w: (-len(w), w)))
    + ")"
)
SCALE_WORDS = re.compile(
    r" ?-?(?P<word>thousand|million|billion|trillion|mn|bn|tn|[kmb](?=\s*(?:yen|usd|jpy|dollars)))"
    r"(?![a-z])"
)
CURRENCIES = {
    "¥": "円",
    "jpy": "円",
    "$": "ドル",
    "us$": "ドル",
    "usd": "ドル",
    "€": "ユーロ",
    "eur": "ユーロ",
    "£": "ポンド",
}
#: What may stand before a figure; no match means that it is part of a name or an id.
BEFORE = re.compile(
    r"(?P<about>約|およそ|おおよそ|ほぼ|概ね|凡そ|about |around |approximately |approx\. |nearly |roughly |(?:(?<=[\s(、。は])|^)~ ?)?"
    r"(?:(?P<sign>△|マイナス|minus |negative |(?<![\da-z%)\]])-) ?)?"
    r"(?:(?P<currency>us\$|[¥$€£]|(?<![a-z])(?:jpy|usd|eur)) ?)?"
    r"(?<![a-z.\d])(?<![a-z]-)(?<![\d][,/:])$"
)
#: ROE12%, EBITDA3億円: a figure right behind a word in Latin letters, by its unit no id.
AFTER_WORD = re.compile(r"(?<=[a-z]{2})\d[\d,.]*(?:[十百千万億兆]+円| ?%|円|倍|ポイント)")
ABOUT_AFTER = re.compile(
    r"(?:程度|前後|強(?![いくみ化])|弱(?![いくみ])|超|余り|余(?!剰|裕)|台(?!数)|規模|ほど|近く|あまり)"
)
LOSS_BEFORE = re.compile(
    r"(?:赤字|(?:営業|経常|純|最終)損失)(?:額)?(?:は|が|の|:)?(?:約|およそ)?(?:△|¥| )*$"
)
LOSS_AFTER = re.compile(
    r"(?:程度|前後)?(?:の|と大幅な|という|と)?(?:大幅な)?"
    r"(?:(?:営業|経常|最終|純|当期純|四半期純|親会社株主に帰属する(?:当期|四半期)純)赤字|赤字"
    r"|(?:営業|経常|最終|純|当期純|四半期純|親会社株主に帰属する(?:当期|四半期)純)損失)(?!幅|縮小|体質)"
)
RANGE = re.compile(r" ?(?:~|-|から|ないし|乃至|to|–) ?")
PER_ONE = re.compile(r"1(?:株|人|台|口|単元|単位|個|件|店舗|社|室|世帯|名) ?(?:当|あ)たり")

# Masked before figures are sought, in this order.
NOT_AMOUNTS: tuple[re.Pattern[str], ...] = (
    # Longer than any amount; masking it also bounds every repetition of digits below.
    re.compile(r"\d{21,}"),
    re.compile(r"(?:https?://|www\.)[^\s、。()（）「」]{1,500}|[\w.+-]{1,64}@[\w.-]{1,80}"),
    # ordinals, notes, figures and sections
    re.compile(
        r"第 ?\d+(?:,\d{3})*(?:[.-]\d+)*|(?:注記|注|※|\*|図表|図|(?<![代公])表|別紙|資料|様式) ?\d+(?:[.-]\d+)*"
        r"|(?<![a-z])(?:no|nos|fig|figs|figure|table|note|section|sec|chapter|vol|page|p|item|step|phase"
        r"|version|ver|v|q|a|type)\.? ?\d+(?:[.-]\d+)*(?![\d%,])"
        r"|その\d+(?![\d,.]*[%円人社倍ポ])|コード(?:番号)?[: ]{0,3}\d{4,5}|第[一二三四五六七八九十百]+"
    ),
    # 1【…】, (1), 1. and 1) at a line's start, 1-2 and 1.2 as section numbers
    re.compile(
        r"(?m)^[ \t]*\d{1,2}(?:[.-]\d{1,2}){0,4}(?:[ \t]*(?=[【])|[.、)](?!\d)"
        r"| (?=[^\d\s%円名人百千万億兆])(?!(?:percent|thousand|million|billion|trillion|times"
        r"|years|people|employees|companies|countries|months|yen)))"
    ),
    re.compile(
        r"\d{1,2}[ \t]*(?=【)|\(注\d*\) ?\d{1,2}(?![\d,.%])|[(\[]\d{1,2}[)\]](?![ \t]*[%円])"
    ),
    re.compile(
        r"[条項号]の?\d+|\d+(?:条|項(?!目)|号|章|節|款|丁目|番地|番|号機|ページ|頁)(?:の\d+)?"
    ),
    # clock times, versions, phone numbers and other chains
    re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?|\d{1,2}時(?!間)(?:\d{1,2}分|半)?"),
    re.compile(r"(?<![\d,])\d+(?:\.\d+){2,}(?![\d,])"),
    re.compile(r"(?<![\d,.])\d+(?:-\d+){2,}(?![\d,])|(?<![\d,.])0\d{1,4}-\d{2,4}(?!\d)"),
    re.compile(r"\d{1,3}/\d{1,3}(?![\d%])|\d+分の\d+|[一二三四五六七八九]分の[一二三四五六七八九]"),
    # a chain of two without a unit behind it (1-2) is an id, with one it is a range (5-6%)
    re.compile(r"(?<![\d,.])\d{1,4}-\d{1,4}(?![\d.,]| ?[%円倍億万兆千百人名年社台件年カかヶヵポ])"),
    re.compile(
        r"(?<![a-z\d])(?>[a-z]{1,40})[.-]?\d[\da-z.-]*+(?! ?%|[十百千万億兆]*円|[億万倍]|ポイント)|\d+[a-z]{1,9}\d[\da-z]*"
    ),
)

_UP = r"増(?!減|資|額|産|税|員)(?:加|益|収|額)?|上昇|プラス|上回|伸(?!び悩)"
_DOWN = r"減(?!価|損|資|額|産|税|員|速|少率|らす)(?:少(?!率|幅)|益|収)?|低下|下落|マイナス|縮小(?!幅)|下回"
_AFTER = re.compile(
    rf"(?:の|と|も|だけ)?(?:大幅|小幅)?(?:な|に)?(?:(?P<up>{_UP})|(?P<down>{_DOWN}))"
)
_RATE_BEHIND = re.compile(
    r" ?\((?:(?:対?前[期年](?:同期)?比|同) ?)?\d[\d.,]{0,9} ?%\)(?=の|増|減|上昇|低下)"
)
_AMOUNT_BEFORE = re.compile(
    r"[円台人社件店株ルトン] ?\((?:(?:対?前[期年](?:同期)?比|同) ?)?\d[\d.,]{0,9} ?%$"
)
_BEFORE_WORD = re.compile(
    r"(?:(?P<up>up|increased|rose|grew|gained|climbed)|(?P<down>down|decreased|fell|declined|dropped))"
    r"(?: by)?(?: about| approximately)? $"
)
_AFTER_ENGLISH = re.compile(
    r" (?:year-on-year |yoy )?(?:(?P<up>increase|growth|rise)|(?P<down>decrease|decline|drop))"
)


def change_after(line: str, end: int) -> Literal[-1, 0, 1]:
    """+1 or -1 where the words after a figure make it an increase or a decrease, else 0.

    Both the amount and the rate of 32億円(19.6%)の増収 are such.
    """
    bracket = _RATE_BEHIND.match(line, end)
    if bracket is not None:
        return _direction(_AFTER.match(line, bracket.end()))
    if line[end : end + 1] == ")" and _AMOUNT_BEFORE.search(line, max(0, end - 32), end):
        return _direction(_AFTER.match(line, end + 1))
    return _direction(_AFTER.match(line, end) or _AFTER_ENGLISH.match(line, end))


def change_before(line: str, start: int) -> Literal[-1, 0, 1]:
    """The same for English words before a figure (rose by 3.2%)."""
    return _direction(_BEFORE_WORD.search(line, max(0, start - 40), start))


def _direction(match: re.Match[str] | None) -> Literal[-1, 0, 1]:
    if match is None:
        return 0
    return 1 if match["up"] else -1
