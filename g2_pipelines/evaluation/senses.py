"""In what sense a figure is said: the amount itself or a change of it, and of what time.

Here: ``role_of``, ``implied_time``, ``is_planned`` and ``bound_of``. Only modules of this
package import it.

営業利益は26億円, 26億円の増益 and 26億円を計画 have one figure and three meanings; a period that
is not said is the one reported on.
"""

from __future__ import annotations

import re
from typing import Literal

from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number

Role = Literal["change", "level", ""]
#: Units of which a change and the amount itself are two things.
AMOUNTS = frozenset(
    {"円", "ドル", "ユーロ", "人", "社", "店", "拠点", "台", "件", "株", "トン", "カ国"}
)
_ABOUT = r"(?:程度|前後|ほど|余り?|強|弱|超|近く)?"
_CHANGE_AFTER = re.compile(
    rf"[ ]?{_ABOUT}(?:の|と|も|だけ|ほど|分)?(?:(?:大幅|小幅|大き|わずか)(?:な|に|く))?[ ]?"
    r"(?:増(?!資|税|産|員|設|刷)|減(?!価|損|資|税|産|速|員)|上昇|低下|下落|改善|悪化|拡大|縮小|伸び|伸長|上回|下回"
    r"|プラス|マイナス|多い|多く|少な|高ま|高い|高く|低い|低く|引き?上げ|引き?下げ|(?:increase|decrease|more|less|higher|lower)\b)"
)
_CHANGE_BEFORE = re.compile(
    r"(?:増減額?|増加額|減少額|増加幅|減少幅|差額|差異|差|改善額|改善幅|拡大幅|縮小幅|影響額?|効果|増益額|減益額)"
    r"(?:は|が|で|の|として|:)?、?(?:約|およそ)?[△▲]?\s?$"
    r"|(?:rose|fell|increased|decreased|grew|declined|dropped|up|down) (?:by )?(?:about )?[¥$]?$"
)
_LEVEL_AFTER = re.compile(
    rf"[ ]?{_ABOUT}(?:で(?:あ|し|、|す)|と(?:な|、|し)|に(?:達|な|増|減|上昇|低下|拡大|縮小|改善|悪化|とど|着地|対し|比べ)|と比べ|へ"
    r"|を(?:計上|達成|記録|確保|見込|計画|予想)|だ(?:っ|。)|から|[。、)]|\. |\.?$|[ ]?\()"
)
#: 24億円に減少: where it went to; 2億円減少: by how much.
_TO_AFTER = re.compile(
    rf"[ ]?{_ABOUT}(?:に|へ|まで)(?:と?(?:大幅|大き)[にく])?[、]?(?:[増減]|上昇|低下|下落|改善|悪化|拡大|縮小|伸|高|低)"
)
_TO = re.compile(r" to (?:about )?[¥$]?$")
_CHANGE_HEAD = re.compile(r"増減|増加|減少|差異|差額|対前|前(?:期|年)[^ ]{0,3}比")
_PLANNED = re.compile(
    r"(?:計画|予想|見込み?|見通し|目標)(?!を?(?:上|下)回|比|に対し|通り|どおり|の達成|を達成|を超)"
    r"|目指|予定|掲げ|を定め|指標|forecast|target|expect|guidance"
)
_COMPARED = re.compile(r"[ ]?(?:から|より|に(?:対し|比べ)|と比べ|を(?:上|下)回)")
_FROM = re.compile(r"\bfrom (?:about )?[¥$]?$")
_BELOW = re.compile(r"弱(?![いくみ])|近く|に届か|未満|を下回")
_ABOVE = re.compile(r"強(?![いくみ化])|超|余(?!剰|裕)|以上|を(?:超え|上回)|を突破")


#: What stands in brackets beside a figure parts no words: 32億円(19.6%)の増収, 増加額(純額)は32億円.
_BRACKET_AFTER = re.compile(r" ?\([^()]{1,24}\)")
_BRACKET_BEFORE = re.compile(r"\([^()]{1,24}\)(?=(?:は|が|で|の|を)?、?約?$)")


def role_of(before: str, after: str, number: Number) -> Role:
    """Whether a figure between ``before`` and ``after`` is a change or the amount itself.

    48 characters on each side suffice.
    """
    before, after = fold_text(before[-48:]), fold_text(after[:48])
    bracket = _BRACKET_AFTER.match(after)
    if bracket is not None:
        rest = after[bracket.end() :]
        after = rest if _CHANGE_AFTER.match(rest) else after
    before = _BRACKET_BEFORE.sub("", before)[-24:]
    after = after[:20]
    if _TO.search(before) or _TO_AFTER.match(after):
        return "level"
    if number.change or _CHANGE_BEFORE.search(before) or _CHANGE_AFTER.match(after):
        return "change"
    return "level" if _LEVEL_AFTER.match(after) else ""


#: On which side of zero the words put a figure; 差損益 and 増益 on none.
_GAIN, _LOSS = r"利益|[差価却分]益|黒字|収入", r"損失|[差価却分]損(?!益)|赤字|支出"
_SIDE_BEFORE = re.compile(
    rf"(?:(?P<gain>{_GAIN})|(?P<loss>{_LOSS}))(?:\((?:純額)\))?(?:は|が|を|の|も|\(|額|:| )?、?(?:約|合計)?$"
)
_SIDE_AFTER = re.compile(
    rf"(?: ?\([^()]{{1,20}}\))?の[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{{0,10}}?(?:(?P<gain>{_GAIN})|(?P<loss>{_LOSS}))"
)


def side_of(before: str, after: str) -> Literal[-1, 0, 1]:
    """+1 for a gain (評価益は31億円, 31億円の評価益), -1 for a loss, 0 where no word says so."""
    behind = _SIDE_AFTER.match(fold_text(after[:24]))
    match = behind or _SIDE_BEFORE.search(fold_text(before[-24:]))
    if match is None:
        return 0
    return 1 if match["gain"] else -1


def heads_a_change(head: str) -> bool:
    """Whether a table's head says that changes stand under or beside it."""
    return _CHANGE_HEAD.search(fold_text(head)) is not None


def is_planned(text: str) -> bool:
    """Whether a sentence tells of what is planned or expected, not of what was."""
    return _PLANNED.search(fold_text(text)) is not None


def is_compared(before: str, after: str) -> bool:
    """Whether a figure is only what another is compared with (26億円から)."""
    return (
        _COMPARED.match(fold_text(after[:8])) is not None
        or _FROM.search(fold_text(before[-16:])) is not None
    )


def bound_of(after: str) -> Literal[-1, 0, 1]:
    """-1 where the figure is above what is meant (12億円弱), +1 where below it (12億円超)."""
    folded = fold_text(after[:8])
    if _BELOW.match(folded):
        return -1
    return 1 if _ABOVE.match(folded) else 0
