"""What a figure is a figure of: item, segment and period, read from the words around it.

Here: ``Label`` and ``label_at``. A right figure on a wrong label is the mistake that a
comparison of figures alone cannot see (measured). The reading is shallow on purpose and
says None rather than guess: only two known labels that differ are a finding. Only modules
of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number, periods

# Item as reported → its spellings. Longer spellings win over shorter ones (営業利益率).
_ITEMS = {
    "売上高": "売上高|売上収益|営業収益|売上|net sales|revenue|sales",
    "売上原価": "売上原価",
    "利益": "利益|profit|income",
    "費用": "費用",
    "売上総利益": "売上総利益|gross profit",
    "販売費及び一般管理費": "販売費及び一般管理費|販管費",
    "営業利益": "営業利益|営業損失|営業損益|operating profit|operating income|operating loss",
    "経常利益": "経常利益|経常損失|経常損益|ordinary profit|ordinary income",
    "税引前利益": "税引前利益|税引前当期利益|税金等調整前当期純利益|税金等調整前当期純損失",
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
    "総資産": "総資産|資産合計|資産の部合計|total assets",
    "純資産": "純資産|net assets",
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
    "営業キャッシュ・フロー": "営業活動によるキャッシュ・フロー|営業活動により|営業活動の結果|営業キャッシュ・フロー",
    "投資キャッシュ・フロー": "投資活動によるキャッシュ・フロー|投資活動により|投資活動の結果|投資キャッシュ・フロー",
    "財務キャッシュ・フロー": "財務活動によるキャッシュ・フロー|財務活動により|財務活動の結果|財務キャッシュ・フロー",
    "現金": "現金及び現金同等物",
    "海外売上高比率": "海外売上高比率|海外売上比率",
    "シェア": "市場シェア|シェア|市場占有率",
}
NAME_OF = {word: name for name, words in _ITEMS.items() for word in words.split("|")}
ITEM = re.compile(
    "|".join(
        rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word[0].isascii() and word[0].isalpha()
        else re.escape(word)
        for word in sorted(NAME_OF, key=lambda w: (-len(w), w))
    )
)  # fmt: skip
SUFFIX = re.compile(r"(?:事業部門|事業部|事業|セグメント|部門)$")
_BREAKS = re.compile(r"[・/\-\s、&]|及び|および|と")
_AFTER = re.compile(r"(?:の|と)")
_TOPIC = re.compile(r"[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{2}は")
_COMPARED = re.compile(r"の?[^、。]{0,12}?(?:比|に対し|から|より|を上回|を下回|と同)")
#: 売上高及び営業利益はそれぞれ…: the order of words no longer binds.
_CROSSED = re.compile(r"それぞれ|各々|respectively")


class Label(NamedTuple):
    """Item, segment and period key that a figure is bound to; None where not said."""

    item: str | None = None
    segment: str | None = None
    period: str | None = None


def items_in(text: str) -> list[tuple[int, int, str]]:
    """(start, end, item) of every item named in folded ``text``."""
    return [(m.start(), m.end(), NAME_OF[m.group()]) for m in ITEM.finditer(text)]


def label_at(sentence: str, number: Number, offset: int, segments: Sequence[str]) -> Label:
    """What ``number`` of ``sentence`` is bound to.

    ``offset`` is where the sentence begins in the text that the number's range is of;
    ``segments`` are folded names. The last name before the figure binds it, unless
    それぞれ crosses the order; an item right behind (38億円の営業利益) binds first.
    """
    begin, end = number.start - offset, number.end - offset
    before, after = fold_text(sentence[:begin]), fold_text(sentence[end : end + 30])
    if _CROSSED.search(sentence):
        return Label()
    return Label(
        item=_item(before, after),
        segment=last_segment(before, segments),
        period=_period(sentence[:begin]),
    )


def _period(before: str) -> str | None:
    """The last period before a figure that is not what it is compared with (前期に比べ)."""
    for found in reversed(periods(before)):
        if not _COMPARED.match(before, found.end):
            return found.key
    return None


def _item(before: str, after: str) -> str | None:
    behind = _AFTER.match(after)
    if behind is not None:
        found = ITEM.match(after, behind.end())
        if found is not None:
            return NAME_OF[found.group()]
    found_before = items_in(before)
    if not found_before:
        return None
    _, end, name = found_before[-1]
    # 売上高は増加し、手数料は…: another topic has taken over, one not known here.
    return None if _TOPIC.search(before, end + 1) else name


def last_segment(text: str, segments: Sequence[str]) -> str | None:
    """The one of ``segments`` that stands last in folded ``text``; a longer name wins."""
    best: tuple[int, int, str] | None = None
    for name in segments:
        at = text.rfind(name)
        if at >= 0 and (best is None or (at + len(name), len(name)) > best[:2]):
            best = (at + len(name), len(name), name)
    return best[2] if best else None


def stem_of(name: str) -> str:
    """A folded segment name without its suffix and separators (工作機械事業 → 工作機械)."""
    return _BREAKS.sub("", SUFFIX.sub("", name))


def labels_differ(claimed: Label, found: Label) -> str:
    """The kind of label that both know and that differs (item, segment, period), or ''."""
    for kind in ("item", "segment", "period"):
        a, b = getattr(claimed, kind), getattr(found, kind)
        if a is not None and b is not None and a != b and _comparable(kind, a, b):
            return kind
    return ""


def items_differ(a: str, b: str) -> bool:
    """Whether two items are two: 利益 of a segment is called 営業利益 or セグメント利益 alike."""
    alike = a == b or {a, b} == {"営業利益", "セグメント利益"}
    bare = "利益" in {a, b} and all(name.endswith("利益") for name in (a, b))
    return not alike and not bare


_RELATIVE = frozenset({"current", "previous", "before_previous", "next"})


def _comparable(kind: str, a: str, b: str) -> bool:
    """Periods compare within one way of naming: 当期 and 2025年3月期 may be the same."""
    if kind == "item":
        return items_differ(a, b)
    if kind != "period":
        return True
    return all(x in _RELATIVE for x in both) or all(
        x.startswith("FY") and len(x) == len(a) for x in both
    )
