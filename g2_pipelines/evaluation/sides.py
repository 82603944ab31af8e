"""Which side of money the words right at a figure put it on: received or spent, bought or sold.

Here: ``sides_of``, ``opposed`` and ``said_with``. Only modules of this package import it.

営業活動の結果支出した資金は517百万円 and 517百万円の収入 have one figure and two sides. A word counts
only where it is bound to the figure; two are opposites only on one axis (取得による支出).
"""

from __future__ import annotations

import re

from g2_pipelines.text.fold import fold_text

#: axis: words of one side / of the other, as stems on folded text.
_AXES = {
    "cash": ("収入|得られた|得た|獲得|流入", "支出|使用|流出|費や|投じ"),
    "dues": ("還付|受取|受け取|受領", "支払|支払い|納付|納税"),
    "funds": ("調達|借入れ?(?!金)|借り入れ", "返済|償還|弁済"),
    "trade": ("売却|譲渡|処分", "取得|購入|買収"),
    "provision": ("戻入|戻し入れ|取崩|取り崩", "繰入|繰り入れ"),
    "result": ("[差価却分]益(?!損)|利益|黒字", "[差価却分]損(?!益)|損失|赤字"),
}
_WORD = "|".join(
    f"(?P<{axis}{n}>{words})" for axis, both in _AXES.items() for n, words in enumerate(both)
)
_PARTICLE = r"(?:は|が|を|の|も|で|として|額|:|\(| )?、?(?:約|合計|総額|純額で)?[△▲]?$"
_BEFORE = re.compile(
    rf"(?:{_WORD})(?:利息|配当金|手数料|保険金|賃料|家賃|額|高|金額)?(?:した|された|できた|する|い)?(?:資金|金額|キャッシュ|もの|額)?"
    rf"(?:\((?:純額)\))?{_PARTICLE}"
)
_AFTER = re.compile(
    r"(?: ?\([^()]{1,20}\))?(?:の(?:純)?|を|が)?(?:資金(?:を|の|が))?"
    rf"[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{{0,6}}?(?:{_WORD})"
)
#: 返済による支出 is on two axes.
_CAUSE = re.compile(rf"(?:{_WORD})等?による$")
_FLOW = re.compile(r"等?による(?:(?P<cash0>収入)|(?P<cash1>支出))")
_SAID = re.compile(r"[\u30a1-\u30fa\u30fc\u4e00-\u9fff・]*$")
_REACH = 24
#: What has a sign by itself: a row of such is received or spent by its figure's △.
BALANCE = re.compile(
    r"(?:営業|投資|財務)(?:活動による)?キャッシュ・?フロー$|フリー・?キャッシュ・?フロー$"
)
#: Items whose facts are received where above zero.
BALANCES = frozenset(
    {
        "営業キャッシュ・フロー",
        "投資キャッシュ・フロー",
        "財務キャッシュ・フロー",
        "フリーキャッシュ・フロー",
    }
)


def sides_of(before: str, after: str) -> dict[str, int]:
    """Axis → +1 or -1 of the words right before and right behind a figure.

    What stands behind (517百万円の収入) says more than what stands before it; 24 characters on
    each side suffice.
    """
    found: dict[str, int] = {}
    ahead, behind = fold_text(before[-_REACH:]), fold_text(after[:_REACH])
    before_it, after_it = _BEFORE.search(ahead), _AFTER.match(behind)
    cause = None if before_it is None else _CAUSE.search(ahead, 0, before_it.start())
    flow = None if after_it is None else _FLOW.match(behind, after_it.end())
    for match in (cause, before_it, flow, after_it):
        if match is not None and match.lastgroup is not None:
            found[match.lastgroup[:-1]] = 1 if match.lastgroup.endswith("0") else -1
    return found


def opposed(here: dict[str, int], there: dict[str, int]) -> bool:
    """Whether two figures are on two sides of one axis, and on the same side of none."""
    both = here.keys() & there.keys()
    return bool(both) and all(here[axis] == -there[axis] for axis in both)


def said_with(text: str, start: int, end: int) -> str:
    """A figure [start, end) of ``text`` with the words that say its side: 当期純損失831百万円."""
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - _REACH) : start]
    word = _BEFORE.search(before)
    if word is not None:
        head = _SAID.search(before, 0, word.start())
        said = before[head.start() if head else word.start() :]
        return said.removeprefix("結果") + text[start:end]
    behind = _AFTER.match(text[end : end + _REACH])
    return text[start:end] + (behind.group() if behind else "")
