"""Words where a label may stand that name nobody: a form's fields and things.

Here: 「日時」, 「URL」, 「営業利益」, 「3. 見通し」. ``name_marks``, ``qa_marks`` and ``learned`` import
this module.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: Words before a colon that are no speaker.
_NO_SPEAKER = re.compile(
    r"(?i:(?:edited |full |preliminary |final )?(?:transcript|presentation|disclaimer)$|(?:https?|url|tel|fax|e-?mail|notes?|disclaimer|(?:important )?notice|safe harbou?r(?: statement)?|caution(?:ary)?(?: (?:note|statement))?|forward-looking statements?|copyright|source)\b|p\.)|日時|日付|場所|会場(?![0-9０-９A-ZＡ-Ｚの・／/前後左右])|(?:出席者|参加者|登壇者)(?![・（(0-9０-９A-ZＡ-Ｚ]|[ 　_][0-9０-９A-ZＡ-Ｚ])|資料|電話|住所|開催|時間|期間|テーマ|議題|目次|連絡先|出典"
    r"|備考|[^（(：:]{0,24}(?:説明会|記者会見|総会|書き起こし|文字起こし|議事録|会議録|座談会|対談|インタビュー)(?:$|[（(：: 　])|質疑応答|質疑$|関連(?:記事|リンク|資料|情報)|おすすめ|図表|出所|(?:聞き手|取材|構成|撮影|写真|文|編集|協力)[：:＝・]|単位|対象|証券コード|免責|ご?注意|注記|留意|主催(?!者|側|会社)|会社名|記録|注[0-9０-９]?$|※|例$|以下|なお|また|まず|次に|つまり"
)
_THING = re.compile(
    r"(?:^|.)(?:概要|理由|背景|結論|効果|課題|対策|計画|実績|見通し|方針|戦略|市場|要因|影響|目標|内容|項目|国内|海外|北米|欧州|中国|米国"
    r"|日本|アジア|上期|下期|通期|配当|為替|受注|原料|補足|参考|要旨|質問|回答|議題)$|(?<![日大小尾穂])高$|.(?:益|金|費|率|額|数|件|概要|理由|背景|結論|効果|課題|対策|計画|実績|見通し|方針|戦略|期|比|事業|市場|要因|影響|目標|内容|項目)$"
)


@lru_cache(maxsize=4096)
def is_field(label: str) -> bool:
    """True if the words begin as a form's field or a note does: 「日時」, ``Note``."""
    return _NO_SPEAKER.match(label) is not None


@lru_cache(maxsize=4096)
def is_thing(label: str) -> bool:
    """True if the words end as a thing does: 「営業利益」, 「設備投資の計画」."""
    return _THING.search(label) is not None


def no_speaker(label: str) -> bool:
    """True if the words are a thing or a form's field rather than somebody."""
    return is_field(label) or is_thing(label)
