"""What kind of answer a question asks for, and whether for a greatest or least.

Here: ``AskedKind``, ``kind_of``, ``extreme_of``, ``names_extreme``, and the patterns ``WHY`` and
``CAPTION``. Used by ``asking``.
"""

from __future__ import annotations

import re
from typing import Literal

from g2_pipelines.text.fold import fold_text

#: number, date; label: a name; value: a name or figure, whatever the head says; text: open.
AskedKind = Literal["number", "date", "label", "value", "text"]

NUMBER_JA = re.compile(
    r"何\s*[千百十]*[万億兆]?(?P<unit>%|パーセント|ポイント|割|人|名|円|億円|百万円|台|個|本|回|件|社|拠点|か所|箇所|カ所|"
    r"種類|種|基|棟|倍|時間|分|秒|日間|週間|か月|ヶ月|カ月|年間|歳|度|℃|°C|kg|km|cm|mm|μm|µm|nm|m(?![a-zA-Z])|"
    r"kWh|kW|MPa|Hz|kHz|rpm|min(?:[-−⁻][1¹])?|t(?![a-zA-Z])|トン|L(?![a-zA-Z])|点|枚|行|列|項目|[A-Za-zμµ°℃%/]+)"
    r"|何[千百十]*[万億兆](?=で|か|あ|に)|いくら|いくつ|幾つ|どれ(?:くらい|ぐらい|だけ|ほど)|どの(?:くらい|程度)|(?:割合|比率|数|率)はどの"
)
_DATE_JA = re.compile(r"いつ|何年(?!間)|何月|何日(?!間)|どの年|何年度")
_LABEL_JA = re.compile(
    r"どれ(?!くらい|ぐらい|だけ|ほど)|どの(?!よう)|どこ|どちら|誰|だれ|何という|何と呼"
)
_NUMBER_EN = re.compile(
    r"\bhow (?:many|much|large|big|long|high|far|old|tall|deep|wide|fast|often|heavy|hot|cold)\b"
    r"|\bpercent(?:age)?\b|\bwhat (?:is|was|are|were) the (?:\w+ ){0,3}(?:number|amount|rate|share|"
    r"percentage|temperature|size|length|speed|price|cost|population|score|accuracy)\b"
    r"|\b(?:what|which) (?:frequency|temperature|speed|rate|percentage|price|height|length|score|share|amount)\b"
    r"|\b(?:at |by )?(?:what|which) (?:frequency|temperature|speed|rate|percentage|price|height|length|pressure)\b",
    re.IGNORECASE,
)
_DATE_EN = re.compile(
    r"\bwhen (?:did|was|were|is|will|does)\b|\b(?:what|which|in which) (?:year|date|month|day)\b",
    re.IGNORECASE,
)
_LABEL_EN = re.compile(
    r"\b(?:which|who|whom|whose|where)\b|\bwhat (?:kind|type|name)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\bwhat(?:'s| is| was| are| were)\b|^what (?:[\w%-]+ ){1,3}(?:do|does|did|has|had|was|is) |何(?:です|でしょう)?か[?？。]?$",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"最も|一番|最大|最高|最多|最長|highest|largest|greatest|biggest|(?<!at )most\b|longest|maximum"
)
_LEAST = re.compile(
    r"最小|最低|最少|最短|(?:最も|一番).{0,12}(?:低|小さ|少な|短|遅|安|軽|狭)"
    r"|lowest|smallest|(?<!at )least\b|shortest|fewest|minimum"
)
WHY = re.compile(r"なぜ|何故|どうして|理由|要因|原因|\bwhy\b|\breason|\bcause", re.IGNORECASE)
CAPTION = re.compile(
    r"caption|what (?:does|do|is) .{0,20}\b(?:show|shown|illustrate|depict)"
    r"|キャプション|(?:何|なに)を(?:示|表|説明)"
)


def kind_of(core: str, spoken: Literal["ja", "en"]) -> tuple[AskedKind, re.Match[str] | None]:
    """The kind of a question, and of a number where it asks for it."""
    if spoken == "ja":
        number, date, label = NUMBER_JA, _DATE_JA, _LABEL_JA
    else:
        number, date, label = _NUMBER_EN, _DATE_EN, _LABEL_EN
    if date.search(core):
        return "date", None
    found = number.search(core)
    if found:
        return "number", found
    if WHY.search(core) or CAPTION.search(core):
        return "text", None
    if label.search(core):
        return "label", None
    return ("value", None) if _VALUE.search(core) else ("text", None)


def extreme_of(folded: str) -> Literal["", "most", "least"]:
    """Whether a folded text speaks of a greatest or a least."""
    if _LEAST.search(folded):
        return "least"
    return "most" if _MOST.search(folded) else ""


def names_extreme(text: str) -> bool:
    """True for a text that itself speaks of a greatest or least (最も, highest, 最高)."""
    return extreme_of(fold_text(text)) != ""
