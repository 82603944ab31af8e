"""Items of business reports: what they are called, and which names are one item.

Here: ``Items`` and ``ITEMS``. Which item a figure is of stands in ``labels``. Only modules of
this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Item as reported → its spellings. Longer spellings win over shorter ones (営業利益率).
_ITEMS = {
    "売上高": "売上高|売上収益|営業収益|売上|net sales|revenue|sales",
    "売上原価": "売上原価",
    "利益": "利益|profit|income",
    "損失": "損失|loss",
    "費用": "費用",
    "売上総利益": "売上総利益|gross profit",
    "販売費及び一般管理費": "販売費及び一般管理費|販管費",
    "営業利益": "営業利益|営業損失|営業損益|operating profit|operating income|operating loss",
    "経常利益": "経常利益|経常損失|経常損益|ordinary profit|ordinary income",
    "税引前利益": (
        "税引前利益|税引前損失|税引前当期利益|税引前当期損失|税引前当期純利益|税引前当期純損失"
        "|税金等調整前当期純利益|税金等調整前当期純損失"
    ),
    "当期純利益": (
        "親会社株主に帰属する当期純利益|親会社株主に帰属する当期純損失|親会社の所有者に帰属する当期利益"
        "|当期純利益|当期純損失|純利益|純損失|当期利益|最終利益|net income|net profit|net loss"
    ),
    "1株当たり利益": "1株当たり当期純利益|1株当たり利益|1株利益|eps|earnings per share",
    "1株当たり配当": "1株当たり配当|年間配当|期末配当|中間配当|dividend",
    "セグメント利益": "セグメント利益|セグメント損失|segment profit",
    "営業利益率": "売上高営業利益率|営業利益率|operating margin",
    "自己資本比率": "自己資本比率|equity ratio",
    "ROE": "自己資本利益率|自己資本当期純利益率|株主資本利益率|roe",
    "ROIC": "投下資本利益率|roic",
    "総資産": "総資産額|総資産|資産|資産合計|資産の部合計|total assets",
    "純資産": "純資産額|純資産|株主資本|自己資本|資本合計|資本(?!金|効率|政策|コスト|支出|提携|構成|関係|市場)|net assets",
    "流動資産": "流動資産",
    "固定資産": "固定資産",
    "負債": "負債合計|負債の部|負債",
    "流動負債": "流動負債",
    "固定負債": "固定負債",
    "有利子負債": "有利子負債",
    "受注高": "受注高|受注額|orders received",
    "受注残高": "受注残高|受注残|order backlog|backlog",
    "設備投資": "設備投資額|設備投資|capital expenditure|capex",
    "研究開発費": "研究開発費|研究開発投資|r&d expenses",
    "減価償却費": "減価償却費|depreciation",
    "減損損失": "減損損失",
    "従業員": "従業員数|従業員|employees",
    "営業キャッシュ・フロー": "営業活動によるキャッシュ・フロー|営業活動による資金|営業活動による収入|営業活動による支出|営業活動によ(?:り|って)|営業活動の結果|営業活動で(?:は|の|得)|営業キャッシュ・?フロー|営業cf",
    "投資キャッシュ・フロー": "投資活動によるキャッシュ・フロー|投資活動による資金|投資活動による収入|投資活動による支出|投資活動によ(?:り|って)|投資活動の結果|投資活動で(?:は|の|得)|投資キャッシュ・?フロー|投資cf",
    "財務キャッシュ・フロー": "財務活動によるキャッシュ・フロー|財務活動による資金|財務活動による収入|財務活動による支出|財務活動によ(?:り|って)|財務活動の結果|財務活動で(?:は|の|得)|財務キャッシュ・?フロー|財務cf",
    "現金": "現金及び現金同等物|現金及び預金|現金・預金|現預金",
    "預金": "預金残高|預金",
    "貸出金": "貸出金残高|貸出金|貸付金残高|貸付金|融資残高",
    "有価証券": "有価証券",
    "未払金": "未払金",
    "未払法人税等": "未払法人税等",
    "未収入金": "未収入金",
    "前受金": "前受金",
    "建設仮勘定": "建設仮勘定",
    "事業費": "総事業費|事業費",
    "建設費": "建設費",
    "修繕費": "修繕費",
    "海外売上高比率": "海外売上高比率|海外売上比率",
    "シェア": "市場シェア|シェア|市場占有率",
    "資本金": "資本金",
    "利益剰余金": "利益剰余金",
    "包括利益": "包括利益|comprehensive income",
    "特別利益": "特別利益",
    "特別損失": "特別損失",
    "営業外収益": "営業外収益",
    "営業外費用": "営業外費用",
    "法人税等": "法人税等|法人所得税費用|法人所得税",
    "広告宣伝費": "広告宣伝費|広告宣伝投資|advertising expenses",
    "販売促進費": "販売促進費|販促費",
    "人件費": "人件費|personnel expenses",
    "物流費": "物流費|運賃",
    "支払手数料": "支払手数料",
    "原材料費": "原材料費",
    "棚卸資産": "棚卸資産|たな卸資産|inventories",
    "売上債権": "売上債権|営業債権|受取手形及び売掛金|売掛金",
    "仕入債務": "仕入債務|営業債務|支払手形及び買掛金|買掛金",
    "借入金": "長期借入金|短期借入金|借入金|borrowings",
    "社債": "社債",
    "のれん": "のれん|goodwill",
    "無形固定資産": "無形固定資産|無形資産",
    "有形固定資産": "有形固定資産",
    "投資有価証券": "投資有価証券",
    "自己株式": "自己株式",
    "配当金": "配当金",
    "配当性向": "配当性向|payout ratio",
    "生産高": "生産高|生産実績",
    "販売台数": "販売台数|unit sales",
    "生産台数": "生産台数",
    "取扱高": "取扱高|流通額|流通総額",
    "客単価": "客単価|平均単価|単価",
    "会員数": "会員数",
    "店舗数": "店舗数",
    "総還元性向": "総還元性向",
    "EBITDA": "ebitda",
    "営業損益率": "経常利益率|売上高経常利益率|純利益率",
    "粗利率": "売上総利益率|粗利率|粗利益率|gross margin",
    "フリーキャッシュ・フロー": "フリー・キャッシュ・フロー|フリーキャッシュ・フロー|フリーキャッシュフロー|free cash flow",
}

_HEADS = re.compile(
    r"(?:高|額|費|益|損|率|数|量|金|売上|収入|支出|残高|単価|資産|負債|資本|原価|収支|シェア|時間|面積|価格|人員|需要)$"
)


class Items:
    """Names of items as one pattern on folded text, longer ones first; a source may add its own.

    A source's own names (its tables' rows, 流通額) are items by themselves.
    """

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._names = {word: name for name, words in _ITEMS.items() for word in _split(words)}
        known = re.compile("|".join(self._names))
        for word in more:
            if _HEADS.search(word) and known.fullmatch(word) is None:
                self._names[re.escape(word)] = word
        ordered = sorted(self._names, key=lambda w: (-len(w.partition("(?!")[0]), w))
        self.pattern = re.compile("|".join(_bounded(word) for word in ordered))
        self._patterns = [(re.compile(word), name) for word, name in self._names.items()]
        self._known: dict[str, str] = {}

    def name(self, word: str) -> str:
        """The item that ``word``, as the pattern found it, is a name of."""
        if word not in self._known:
            self._known[word] = next(
                (n for p, n in self._patterns if p.fullmatch(word) is not None), word
            )
        return self._known[word]

    def find(self, text: str) -> list[tuple[int, int, str]]:
        """(start, end, item) of every item named in folded ``text``."""
        return [(m.start(), m.end(), self.name(m.group())) for m in self.pattern.finditer(text)]


def _split(words: str) -> list[str]:
    return re.split(r"\|(?![^(]*\))", words)


def _bounded(word: str) -> str:
    if word[0].isascii() and word[0].isalpha():
        return rf"(?<![a-z]){word}(?![a-z])"
    return word


ITEMS = Items()
#: Items that only a company has: no segment's part of a text makes them its own.
OF_THE_COMPANY = frozenset(
    [
        "自己資本比率",
        "ROE",
        "総資産",
        "純資産",
        "負債",
        "有利子負債",
        "資本金",
        "利益剰余金",
        "現金",
        "経常利益",
        "税引前利益",
        "当期純利益",
        "包括利益",
        "1株当たり利益",
        "1株当たり配当",
        "配当性向",
        "総還元性向",
        "営業キャッシュ・フロー",
        "投資キャッシュ・フロー",
        "財務キャッシュ・フロー",
        "フリーキャッシュ・フロー",
    ]
)
#: 連結販売台数 is 販売台数, 売上高合計 is 売上高.
_QUALIFIED = re.compile(r"^(?:連結|全社|グループ|年間|通期|総)+(?=.{2})|(?:合計|実績)$")


def items_differ(a: str, b: str) -> bool:
    """Whether two items are two: 利益 of a segment is called 営業利益 or セグメント利益 alike."""
    a, b = _QUALIFIED.sub("", a) or a, _QUALIFIED.sub("", b) or b
    alike = a == b or {a, b} == {"営業利益", "セグメント利益"}
    bare = "利益" in {a, b} and all(name.endswith("利益") for name in (a, b))
    # 3億円の損失 may be the 営業損失, which is 営業利益 with a sign.
    loss = "損失" in {a, b} and any(x.endswith("利益") for x in (a, b))
    return not alike and not bare and not loss
