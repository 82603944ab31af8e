"""What somebody says who leads: opens, thanks, calls, hands over and ends.

Here: whether a turn does nothing else, and what is left of it without that. ``roles``,
``two_sided`` and ``turn_roles`` import this module.
"""

from __future__ import annotations

import re

from g2_pipelines.transcripts.cues import (
    CALLS_NAME,
    ENDING,
    GATE_SHORT,
    LEADS,
    LEADS_EN,
    is_question,
    requests,
)

SHORT_GATE = 40
_LAST_ONE = re.compile(
    r"^[^。]{0,24}(?:あと|残り|最後)(?:の|に)?[、]?(?:お一人|お一方|[1１一]人|[1１一]問|お二人)(?:様|さま)?(?:まで|だけ|と|に|で|。|お願い)"
)
MAX_LED = 4_000
_SENTENCE = re.compile(r"[^。？?\n]{1,600}[。？?]?")
#: A sentence with which a leader thanks, takes note, calls somebody or hands over.
_PROCEDURAL = re.compile(
    r"^(?:本日の)?(?:議題|議事)は|(?:あと|最後に?)[、]?(?:お?一?1?１?人|お一方|[1１一]問|お一人)(?:様|さま)?[^。]{0,16}。?$|^(?:ほか|他)に?なければ|^なければ|^次回|^(?:(?:それで)?は[、，]?|時間(?:に|と)[^。]{0,8}ので[、，]?|お待たせ[^。]{0,8})?(?:始め|開始)(?:ます|し|いたし|させ|たい)|(?:皆様|皆さん|委員|ほか|他)[^。]{0,12}いかが|^(?:ほか|他)に?ご?(?:意見|質問)[^。]{0,8}。?$|^次第|本日は以上|お疲れ(?:さま|様)|ないよう(?:です|なので|で、)|(?:へ|に)(?:移|入)(?:り|らせていただき)ます。?$|閉会|簡潔に|^(?:はい[、，]?)?聞こえて(?:い|お)?り?ます。?$|^(?:はい|承知|かしこまり|恐れ入り|失礼)[^。、]{0,12}。?$|ありがとうござい|(?:ご?意見|ご?要望)[^。]{0,12}承"
    r"|(?<!私)(?<!私のほう)(?<!私の方)(?:より|から)[^。]{0,12}(?:お答え|ご?回答|ご?説明|ご?答弁|補足|申し上げ|ご?報告|ご?連絡|お知らせ|ご?案内)"
    r"|どうぞ。?$|お願い(?:いた|申し上げ)?[しま][^。]{0,6}。?$|お受け|承りま|(?:質問|発言|意見|方|ほか|他|どなた|何か)[^。]{0,20}(?:いらっしゃい|ござい|あり)ま(?:すか|せんか|すでしょうか)"
    r"|(?:列|番|席|側|前|奥|左|右|中央|色|服)[^。]{0,16}(?:様|さま|方)。?$|よろしい(?:でしょう|です)か"
    r"|ここまで|お時間|予定の時間|時間(?:とな|にな|が来|が迫|も迫|を過)|採決|ご?賛成|反対多数|過半数|可決|打ち切|審議"
    r"|(?:より|から)[^。]{0,20}お願い"
)


def content(text: str) -> str:
    """What is left of a leader's words without thanks, calls, hand-overs and the like."""
    sentences = _SENTENCE.findall(text[:MAX_LED])
    return "".join(
        s for s in sentences if not (_PROCEDURAL.search(s) or ENDING.search(s) or leads(s))
    )


def leads(text: str) -> bool:
    """Whether a turn opens, calls or ends, and does nothing else."""
    if (
        _LAST_ONE.search(text)
        or LEADS.search(text)
        or LEADS_EN.search(text)
        or CALLS_NAME.match(text.strip())
    ):
        return True
    short = len(text) <= SHORT_GATE and bool(GATE_SHORT.search(text))
    return short and not is_question(text) and not requests(text)
