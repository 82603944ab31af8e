"""What a publisher writes about a record, above it: none of anybody's words.

Here: 「本資料は、…説明会でいただいた主なご質問を整理したものです。」, ``This is a summary of …``, and a
form's lines. ``layout`` imports this module.
"""

from __future__ import annotations

import re

_NOTE = re.compile(
    r"書き起こし|文字起こし|編集|要約|加筆|修正|抜粋|掲載|ご了承|公開|敬称略|文責|発言者|免責|まとめ(?:た|まし)|整理(?:し|いた)|作成(?:し|いた|され)|記載(?:し|の|され)|割愛|省略"
    r"|(?:次|以下|下記)の(?:とおり|通り)|^[\s　]*[※＊*]|^[\s　]*(?:本|この)(?:資料|要旨|記録|書面|ページ|文書|稿|議事|Q ?[&＆] ?A|Ｑ＆Ａ|質疑|内容|記事|インタビュー|対談|書き)"
    r"|開催(?:した|しました|いたしました|された|されました)[^。]{0,60}(?:質問|質疑|説明会|会見|内容)|(?:質問|質疑)[^。]{0,40}(?:ご紹介|お伝え|お届け|掲げ|一部|主な)"
    r"|(?i:^(?:this|the following) (?:is|are|document|summary|transcript|text)\b|has been (?:edited|prepared|translated)|for (?:the )?convenience|translation of|prepared by|edited for)"
)
#: Somebody speaks in it.
_SAID = re.compile(
    r"皆様|皆さま|皆さん|おはよう|こんにちは|こんばんは|と申し|でございます|申し上げ|本日は[、]?(?:お|ご|誠|大変|あり)|お集まり|ご参加|ありがとう|私(?:は|が|ども|から|の)|(?i:\bgood (?:morning|afternoon|evening)|thank you|\bI(?:'m|’m|'d|’d)? )"
)


def is_note(words: str) -> bool:
    """True if the words tell about the record and nobody says them."""
    return _NOTE.search(words) is not None and _SAID.search(words) is None
