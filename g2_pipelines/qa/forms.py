"""Forms of question that need more than a place that holds their words.

Here: what is read off a question's wording: whether it asks for several things, how much
something changed, what is more or less than a bound, an address or a number to call, or how
many labelled parts (figures, appendices) a document has. Used by ``asking`` and ``find``.
"""

from __future__ import annotations

import re
from typing import Literal

Contact = Literal["", "email", "url", "phone", "fax"]

_CONTACT: tuple[tuple[Contact, re.Pattern[str]], ...] = (
    ("email", re.compile(r"\be-?mail(?:s|(?: address(?:es)?| ids?)?)\b|\bmail id\b|メール(?:アドレス)?")),
    ("fax", re.compile(r"\bfax(?: (?:numbers?|nos?\.?))?|(?:ファックス|ファクス)(?:番号)?")),
    ("phone", re.compile(r"\b(?:tele)?phone(?: (?:numbers?|nos?\.?))\b|\btel\b|電話番号")),
    ("url", re.compile(r"\b(?:url|web ?site(?: address)?|web address|home ?page)\b|ウェブサイト|ホームページのアドレス")),
)  # fmt: skip
_ASKS_WHAT = re.compile(r"\bwhat|\bwhich|\bgive|何|いくつ|教え|どれ|どこ")
_SEVERAL = re.compile(
    r"\b(?:what|which|who|where) (?:are|were)\b|\blist (?:all|the|every|down)\b|\benumerate\b|\bname (?:all|the|two|three|four|five)\b"
    r"|\bwhich (?:[\w-]+ ){0,3}?(?!(?:this|is|was|has|does|basis|process|status|class|business|address|access|loss|press|less|series|species|analysis)\b)[\w-]+s (?:(?:of|in|at|for|on) (?:[\w-]+ ){1,4}?)?(?:are|were|have|do|did)\b"
    r"|(?:どのような|どんな|どういった|何という)(?!傾向|特徴|違い|影響|効果|関係|変化|変動|状況|背景|意味|課題|目的|差)[^、。]{1,14}が(?:あ(?:り|る)|含まれ|挙げられ)"
    r"|すべて(?:挙げ|列挙|答え)|全て(?:挙げ|列挙|答え)|列挙"
)
_CHANGE = re.compile(
    r"(?:どの(?:程度|くらい|ぐらい)|どれ(?:だけ|くらい|ほど)|何(?:ポイント|%|パーセント|割|倍|円|人|件|億円|百万円))[^、。]{0,4}"
    r"(?:上昇|上がっ|増加|増え|伸び|減少|減っ|下がっ|低下|下落|改善|悪化|縮小|拡大)"
    r"|\bhow much (?:did|has|have|had)\b.*\b(?:increase|decrease|grow|grew|rise|risen|rose|fall|fallen|fell|drop|decline|change|improve)"
    r"|\bby how (?:much|many)\b"
)
_CHANGED = re.compile(
    r"上昇|増加|増え|伸び|減少|減っ|下が|低下|下落|改善|悪化|縮小|拡大|増減|前年比|前期比|差|変化"
    r"|increas|decreas|grow|grew|ris(?:e|en|ing)|rose|fall|fell|drop|declin|chang|improv|differ"
)
_APART = re.compile(
    r"\bhow (?:much|many) (?:\w+ )?(?:more|fewer|less|higher|lower|larger|smaller|greater|longer|shorter|older|younger)\b(?! than).*?\bthan\b"
    r"|\bhow much (?:cheaper|dearer|heavier|lighter|longer|shorter|faster|slower|taller|wider|older|younger|higher|lower|larger|smaller|greater|better|worse)\b"
    r"|(?:前年度?|前期|前回|昨年度?|前年同期|予想|計画)(?:と|から|実績と)の?(?:差(?:額|異)?|開き)|差額(?:は|を|が)|の差は"
    r"|より(?:も)?、?[^、。]{0,8}(?:いくら|何[^、。]{1,6}|どれ(?:だけ|くらい))[^、。]{0,3}(?:多|少な|高|低|大き|小さ|長|短|増|減)"
)
_BOUND = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower|larger|smaller|older|younger) than (?:[\w$€£¥]+ ){0,2}[\d$€£¥]"
    r"|\b(?:at least|at most|over|above|below|under|exceed(?:s|ed|ing)?) (?:[$€£¥] ?)?\d"
    r"|\d[\d,.]*\s*[^\s、。\d]{0,6}(?:以上|以下|未満|を超え|より(?:大き|多|高|小さ|少な|低))"
)
_WHOLE = re.compile(
    r"\b(?:in|of|within|across|throughout|from|included|mentioned|metioned|shown|contained|present|there|are|is|do|does|did|appear|"
    r"appears|have|has|contain|include|includes|total|all|altogether|overall|entire|whole|this|the|a|an|how|many|"
    r"number|what|different|numbered|document|paper|report|article|file|pdf|course|book|guide|manual|presentation|deck|give|"
    r"me|integer|answer|an|as|and|please)\b"
    r"|この|本|文書|資料|報告書|論文|全部で|合計|には|に|は|が|全体|いくつ|何(?:個|枚|点|つ)|あり(?:ます)?|含まれ(?:て)?(?:い)?(?:ます)?|か|で|の|を|数"
)
_COUNTED_JA = re.compile(
    r"(?P<noun>図表|図|表|付録|別表|別紙|章)(?:は|が|の数は)(?:この|本)?(?:文書|資料|報告書)?(?:全部で|合計)?(?:いくつ|何(?:個|枚|点|つ|章))"
)


_POLAR = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)\b(?!.*\bor\b)"
)
_POLAR_JA = re.compile(r"(?:ますか|ましたか|ですか|でしたか|ませんか|でしょうか)[？?。]?$")
_ASKED_JA = re.compile(
    r"何|なに|なん(?:の|で)|どの|どれ|どこ|どう|どちら|どんな|どなた|誰|だれ|いつ|いく[らつ]|なぜ|それとも"
)
_COLOUR = re.compile(
    r"\b(?:what|which) (?:is |are |was |were )?(?:the )?colou?rs?\b|何色|どんな色|色は何"
)
_COLOURS = re.compile(
    r"\b(?:red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|gold|silver|cyan|magenta|"
    r"beige|turquoise|navy)\b|[赤青黄緑白黒灰紫茶橙紺桃金銀]色?|オレンジ|ピンク|グレー"
)


_HAPPENS = re.compile(
    r"\bwhat (?:will|would|does|do|did)? ?(?:it |they )?(?:happens?|happen)\b.*\b(?:when|if|after)\b"
    r"|(?:すると|したら|と|たら|場合)、?(?:どう|何が起き|何が起こ)"
)


def asks_effect(folded: str) -> bool:
    """True where it is asked what happens when something is done."""
    return _HAPPENS.search(folded) is not None


def is_polar(text: str) -> bool:
    """True for a question that yes or no answers."""
    folded = text.strip().casefold()
    if _POLAR.search(folded):
        return True
    last = re.split(r"[。？?](?=.)", folded)[-1]
    return _POLAR_JA.search(last) is not None and _ASKED_JA.search(last) is None


def lacks_colour(question: str, text: str) -> bool:
    """True where a colour is asked for and ``text`` names none."""
    return _COLOUR.search(question) is not None and _COLOURS.search(text) is None


def contact_of(folded: str) -> tuple[Contact, re.Pattern[str] | None]:
    """The address or number that is asked for, and the words that ask for it."""
    if _ASKS_WHAT.search(folded) is None or re.search(r"\bhow many\b", folded):
        return "", None
    return next(
        ((kind, pattern) for kind, pattern in _CONTACT if pattern.search(folded)), ("", None)
    )


def asks_several(folded: str) -> bool:
    """True where the answer is more than one thing (which countries are, list all, 列挙)."""
    return _SEVERAL.search(folded) is not None


def asks_change(folded: str) -> bool:
    """True where it is asked how much something rose or fell, not what it is."""
    return _CHANGE.search(folded) is not None


def tells_change(folded: str) -> bool:
    """True for words of a change: a value under them is one, any other value is a state."""
    return _CHANGED.search(folded) is not None


def sets_apart(folded: str) -> bool:
    """True where it is asked by how much one thing exceeds another (how many more A than B)."""
    return _APART.search(folded) is not None


def tells_apart(folded: str) -> bool:
    """True for a text that sets two things against each other."""
    return re.search(r"\bthan\b|\bcompared (?:to|with)\b|より|比べ", folded) is not None


def has_bound(folded: str) -> bool:
    """True where things are asked for that lie above or below a value."""
    return _BOUND.search(folded) is not None


def counted_label(folded: str) -> str:
    """The labelled part that is counted over the whole document («how many appendices are
    there»), "" where the question has any other condition.
    """
    found = _COUNTED_JA.search(folded)
    if found:
        rest = _WHOLE.sub("", folded.replace(found[0], ""))
        return str(found["noun"]) if not re.sub(r"[\W_]", "", rest) else ""
    match = re.search(r"\bhow many ([a-z]+)\b", folded)
    if match is None:
        return ""
    rest = _WHOLE.sub(" ", folded.replace(match[0], " ", 1))
    return str(match[1]) if not re.sub(r"[\W_]", "", rest) else ""
