"""The grammar of labels that name a speaker: 「司会：」, 「○社長　」, 「【記者】」, names alone.

Here: one place's candidate at most, a line at a time. Which of them speak is voted in
``styles``. Every pattern is anchored and bounded. ``marks`` imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from g2_pipelines.transcripts.cues import STAGE, is_question, role_of_title
from g2_pipelines.transcripts.entries import named_head
from g2_pipelines.transcripts.labels import (
    DIARISED_HEAD,
    TURN_NUMBER,
    WIDE_GAP,
    is_latin,
    is_party,
    is_post,
    is_short_name,
    names_no_person,
)
from g2_pipelines.transcripts.lines import TIME, Line, Mark
from g2_pipelines.transcripts.no_speakers import is_field, is_thing, no_speaker
from g2_pipelines.transcripts.qa_marks import SHAPES, A, Q
from g2_pipelines.transcripts.timed import seconds

MAX_HOUSE_AND_NAME = 30
MAX_APART = 120
TIME_SPEAKER = re.compile(
    rf"[\s　]{{0,8}}\[\((?P<a>{TIME})\)[ ]{{0,2}}(?P<label>[^\]\n]{{1,60}})\][ \t　]{{0,4}}"
)

_LABEL = r"[^\s　。、，！？!?「」：:（(○〇◯\n]"
_BRACKETED = r"(?:[（(][^（()）\n]{1,30}[）)](?:[（(][^（()）\n]{1,30}[）)])?"
_GLYPHS = r"(?P<glyph>[○〇◯◎◉●◆◇■□▼▽▲△▶★☆])[\s　]?"
_CIRCLE = re.compile(
    rf"[\s　]{{0,4}}{_GLYPHS}(?P<label>{_LABEL}[^\s　。、，！？!?「」：:（(\n]{{0,39}}"
    rf"{_BRACKETED}[^\s　。、，！？!?「」：:（(\n]{{0,8}})?)(?:[：:][ \t　]{{0,8}}|[ \t　]{{1,8}}|$)"
)
#: The same with spaces within the label: 「○部会員 久米　…」, where wide signs part it.
_CIRCLE_WIDE = re.compile(
    rf"[\s　]{{0,4}}{_GLYPHS}(?P<label>{_LABEL}[^\s　。、，！？!?「」：:（(\n]{{0,24}}"
    rf"(?: [^\s　。、，！？!?「」：:（(\n]{{1,16}}){{0,2}}{_BRACKETED})?)"
    r"(?:[ ]?[：:][ \t　]{0,8}|[\t　][ \t　]{0,8}|$)"
)
#: The name behind a title or house: 「○代表取締役社長　深沢 誠一　…」.
_CIRCLE_NAME = re.compile(
    r"(?P<name>[一-龥々ァ-ヶー]{1,6}(?:[ 　][一-龥々ぁ-んァ-ヶー]{1,4})?(?:様|氏)?)(?:[：:][ \t　]{0,8}|[ \t　]{1,8}|$)"
)
_COLON = re.compile(
    r"[ \t　]{0,4}(?:\*\*)?(?P<label>[^\s　：:。，、！？!?「」『』\n*＊・○〇◯●■◆※（(\[【〔<＜#>＞\-－0-9０-９]"
    r"[^：:。！？!?「」『』\n]{0,89})(?:：|(?<![0-9]):|:(?![0-9]))(?!//)[ \t　]{0,8}"
)
#: 「丹下（取引先の監査役。以下、丹下）：…」
_ALIAS_COLON = re.compile(
    r"[ \t　]{0,4}(?P<label>[^\s　：:。、（(\n]{1,16}(?:[ 　][^\s　：:。、（(\n]{1,12})?[（(][^（()）：:\n]{0,30}以下[、，]?[^（()）：:\n]{1,12}[）)])[ 　]?[：:][ \t　]{0,8}"
)
#: 「演劇誌「幕間」・柘植：…」, a title in quotation marks within the label.
_QUOTED_COLON = re.compile(
    r"[ \t　]{0,4}(?P<label>[^\s　：:。，、「」『』（(\n]{0,12}[「『][^「」『』：:。、\n]{1,16}[」』][^：:。，、「」『』\n]{0,24})[：:][ \t　]{0,8}"
)
_BRACKET = re.compile(
    r"[\s　]{0,4}(?:[（(〔<＜〈《](?P<label>[^（()）【】\[\]〔〕［］<>＜＞〈〉《》。、\n]{1,24}(?:[（(][^（()）\n]{1,20}[）)])?)[）)〕>＞〉》]"
    r"|[【\[［](?P<long>[^【】\[\]〔〕［］<>＜＞〈〉《》。、\n]{1,36}|[A-Z][A-Za-z.,&'’ |/()<>–—-]{1,80})[】\]］])[：:]?[ \t　]{0,8}"
)
#: 「司会）…」, 「社長／…」, 「三枝 | …」, 「- 三枝：…」, as parts of 「問）…」, 「Q／…」.
_PAREN = re.compile(
    r"[ \t　]{0,4}(?P<label>[^\s　：:。、，！？!?「」（()）0-9０-９\n][^：:。、，！？!?「」（()）\n]{0,19})[）)][：:]?[ \t　]{0,8}(?=[^\s　]|$)"
)
_SLASH = re.compile(
    r"[ \t　]{0,4}(?P<label>[^\s　：:。、，！？!?「」／/|｜（(\n][^：:。、，！？!?「」／/|｜\n]{0,29}?)[ 　]?[／/|｜][ \t　]{0,8}(?=[^\s　])"
)
#: A newspaper's 「社長「両方とも残す」」, the whole line in quotation marks.
_QUOTE = re.compile(
    r"[ \t　]{0,4}(?P<label>[^\s　：:。、，！？!?「」『』（(〈\n0-9０-９][^：:。、，！？!?「」『』\n]{0,23})(?=「[^「」\n]{4,4000}」[ \t　]{0,4}$)",
    re.MULTILINE,
)
#: ``CFO – Mainly better collections in Asia.``, a sentence behind the dash.
_LATIN_DASH = re.compile(
    r"[ \t]{0,4}(?P<label>[A-Z][A-Za-z0-9.,'’& ()-]{1,60}?)[ ](?:--|[–—-])[ ](?=[A-Z][^\n]{0,4000}[.?!][ \t]{0,4}$)",
    re.MULTILINE,
)
_LOWER_WORD = re.compile(r"\b[a-z]{2,}\b")
_BULLET_COLON = re.compile(
    r"[ \t　]{0,4}[-・*•][ 　]?(?P<label>[^\s　：:。、，！？!?「」『』\n*＊・（(\[【〔<＜#>＞0-9０-９][^：:。、，！？!?「」『』\n]{0,39})[：:](?!//)[ \t　]{0,8}"
)
_NAME = r"[一-龥々ァ-ヶーＡ-ＺA-Za-z・][一-龥々ァ-ヶーぁ-んＡ-ＺA-Za-z・.]{0,21}"
_SPACE = re.compile(
    rf"(?P<label>{_NAME}(?:[ 　]{_NAME})??(?:[（(][^（()）\n]{{1,20}}[）)])?)(?:　{{1,4}}|[ 　]{{2,8}}|\t)(?=[^\s　])"
)
#: The same below a heading, for labels that show that they name a party: 「　頭取　　…」.
#: A member's seat: 「5番（笹目）　…」, 「12番　戸ヶ崎議員：…」.
_SEAT = re.compile(
    r"[ \t　]{0,4}(?P<label>[0-9０-９]{1,3}番(?:(?:議員|委員|の方)?[（(][^（()）\n]{1,12}[）)](?:議員|委員)?(?=[：: 　\t])|(?:議員|委員|の方|様|さん|の株主様?)?(?=[：:　\t]|  )))[：:]?[ \t　]{0,8}(?=[^\s　])"
)
_INDENTED = re.compile(r"[ 　\t]{1,4}" + _SPACE.pattern)
_ALONE = re.compile(
    r"[ \t　]{0,4}(?:\*\*)?(?P<label>[^\s　。、！？!?：:\n「」【】（(\-－・*＊0-9０-９][^。！？!?：:\n「」【】]{0,109}?)(?:\*\*)?[ \t　]{0,4}$"
)
_WORD = r"[A-Z][A-Za-z.'’&-]{0,20}"
_ENGLISH_NAME = re.compile(
    rf"(?:(?:{_WORD})(?=\s?(?:[\[(](?i:interpreted)|$))|Operator|OPERATOR|Moderator|Unidentified (?:Analyst|Speaker|Participant)|Executive|Analyst|{_WORD}(?:,? (?:(?:and|of|for|the|de|de la|del|della|di|da|van|van der|von|den|der|al|el|bin) |& )?{_WORD}){{1,7}})"
    r"(?:,? (?:Co|Ltd|Inc|Corp|LLC|plc|PLC|III|II|Jr|Sr)\.?(?:,? Ltd\.)?)?"
    r"(?:\s?(?:--|[-–—|,/])\s[^\n]{2,80})?(?:\s?[\[(<][A-Z][^\])>\n]{1,60}[\])>])?"
    r"(?:\s?[\[(](?i:interpreted|through interpreter|foreign language)[\])])?(?:\s?[\[(][0-9]{1,4}[\])])?$"
)
_STOPPED = re.compile(r"(?<!\bInc)(?<!\bLtd)(?<!\bCo)(?<!\bCorp)(?<!\bJr)[.?!]$")
#: Words between capitals within a name, title or house.
_SMALL_WORDS = frozenset(
    [
        "and",
        "of",
        "for",
        "the",
        "de",
        "del",
        "van",
        "von",
        "der",
        "from",
        "&",
        "-",
        "--",
        "–",
        "—",
        "|",
        "/",
    ]
)
#: A document's title, no name: 「Aomine Seiki Co., Ltd. FY2024 Earnings Call」.
_COMPANY_TITLE = re.compile(
    r"\d|\b(?i:Calls?|Results|Transcripts?|Briefings?|Presentations?|Meetings?|Webcasts?|Forums?|Summits?|Symposium|Seminars?|Interviews?|(?:Fireside )?Chats?|Podcasts?|Q&A)\b|^(?i:disclaimer|(?:important )?notice|safe harbou?r(?: statement)?|(?:forward-looking|cautionary) (?:statements?|notes?)|copyright|agenda|contents|participants)$|(?:\b(?:Co|Ltd|Inc|Corp|Corporation|plc|LLC)\b\.?,? ?){1,2}$"
)
#: 「深沢 (00:20): …」, 「深沢　00:20」 alone on its line, as meeting tools write it.
_NAME_TIME = re.compile(
    rf"[ \t　]{{0,4}}(?P<label>[^\s　：:。，、！？!?「」『』\n（(\[【<＜\-－0-9０-９][^：:。、！？!?「」『』\n（(\[【]{{0,79}}?"
    r"(?:[（(\[【][^（()）\[\]【】：:。\n]{1,60}[）)\]】])?)"
    rf"[ \t　]{{0,4}}(?:[\[(（【](?P<a>{TIME})[\])）】][：:]?|(?P<b>{TIME})(?=[ \t　]{{0,4}}$))[ \t　]{{0,8}}"
)


#: A guest of a chat: 「kabu_taro」.
_HANDLE = re.compile(r"(?=[^_@0-9]{0,24}[_@0-9])[A-Za-z][A-Za-z0-9_.@-]{2,23}")


def parts_widely(text: str, lines: Sequence[Line]) -> bool:
    """Whether labels behind circles end in this document with a wide space, a colon or the line.

    Then a half-width space stands within the label: 「○部会員 久米　…」.
    """
    circled = widely = 0
    for line in lines:
        if _CIRCLE.match(text, line.head, line.end):
            circled += 1
            widely += _CIRCLE_WIDE.match(text, line.head, line.end) is not None
    return circled >= 2 and widely * 10 >= circled * 9


#: 「徳永 [M]：」 beside 「笹本 [Q]：」: who leads or presents.
_MAIN = re.compile(r"[ 　]?[\[(［（【][MＭ][\])］）】]$")


def named_mark(
    text: str, number: int, line: Line, following: Line | None, *, wide: bool
) -> Iterator[Mark]:
    """The candidate of the line whose label names somebody, none or one."""
    for mark in _named_mark(text, number, line, following, wide=wide):
        main = _MAIN.search(mark.label)
        yield mark._replace(style="name_main", label=mark.label[: main.start()]) if main else mark


def _named_mark(
    text: str, number: int, line: Line, following: Line | None, *, wide: bool
) -> Iterator[Mark]:
    match = TIME_SPEAKER.match(text, line.start, line.end)
    if match:
        yield Mark("time_speaker", number, line.start, match.end(), match["label"].strip())
        return
    match = _NAME_TIME.match(text, line.head, line.end)
    if match and _speaks(match["label"]):
        label, t0 = match["label"].strip(), seconds(match["a"] or match["b"])
        yield Mark("name_time", number, line.start, match.end(), label, None, t0)
        return
    match = (_CIRCLE_WIDE if wide else _CIRCLE).match(text, line.head, line.end)
    if match:
        yield from _circled(text, number, line, match)
        return
    match = _SEAT.match(text, line.head, line.end)
    if match:
        style = "name_colon" if text[match.end("label")] in "：:" else "name_space"
        yield Mark(style, number, line.start, match.end(), match["label"])
        return
    match = _BULLET_COLON.match(text, line.head, line.end)
    if match and _speaks(match["label"]):
        yield Mark("bullet_colon", number, line.start, match.end(), match["label"].strip())
        return
    match = (
        _ALIAS_COLON.match(text, line.head, line.end)
        or _COLON.match(text, line.head, line.end)
        or _QUOTED_COLON.match(text, line.head, line.end)
    )
    if match and (_speaks(match["label"]) or _guest_asks(match, text, line.end)):
        yield Mark("name_colon", number, line.start, match.end(), match["label"].strip(" 　\t*"))
        return
    yield from _signed(text, number, line, following)


def _guest_asks(match: re.Match[str], text: str, end: int) -> bool:
    """「参加者：工場の見学はできますか。」, no list of those present."""
    guest = match["label"].strip() in ("参加者", "出席者", "来場者", "会場")
    return guest and is_question(text[match.end() : end])


def _signed(text: str, number: int, line: Line, following: Line | None) -> Iterator[Mark]:
    """Labels in brackets, before a closing bracket or a stroke; bare names where none is."""
    match = _BRACKET.match(text, line.head, line.end)
    asked = SHAPES["qa_bracket"].match(text, line.head, line.end)
    label = (match["label"] or match["long"]).strip() if match else ""
    stage = STAGE.match(text, line.head, line.end)
    if stage and stage[0][0] == "〔" and (is_party(label) or is_short_name(label)):
        stage = None
    if (
        match
        and label
        and not is_field(label)
        and not stage
        and (asked is None or label.endswith("者"))
    ):
        yield Mark("name_bracket", number, line.start, match.end(), label)
        return
    match = _LATIN_DASH.match(text, line.head, line.end)
    if (
        match
        and _speaks(match["label"])
        and len(_LOWER_WORD.findall(text, match.end(), line.end)) >= 2
    ):
        yield Mark("name_dash", number, line.start, match.end(), match["label"])
        return
    match = _QUOTE.match(text, line.head, line.end)
    if match and _speaks(match["label"]):
        yield Mark("name_quote", number, line.start, match.end(), match["label"])
        return
    for style, pattern in (("name_paren", _PAREN), ("name_slash", _SLASH)):
        match = pattern.match(text, line.head, line.end)
        if match and _speaks(match["label"]) and not _latin_name(text[line.head : line.end][:200]):
            yield Mark(style, number, line.start, match.end(), match["label"].strip())
            return
    yield from _bare(text, number, line, following)


def _circled(text: str, number: int, line: Line, match: re.Match[str]) -> Iterator[Mark]:
    if is_field(match["label"]) or _is_thing(match["label"]):
        return
    # A record may mix the three circles that look alike.
    glyph = "○" if match["glyph"] in "○〇◯" else match["glyph"]
    label, end = match["label"].strip(), match.end()
    more = _CIRCLE_NAME.match(text, end, line.end) if names_no_person(label) else None
    if more:
        label, end = f"{label} {more['name']}", more.end()
    yield Mark(f"circle_{glyph}", number, line.start, end, label)


def _bare(text: str, number: int, line: Line, following: Line | None) -> Iterator[Mark]:
    """Names without any sign: before wide spaces, or alone on the line."""
    below = following is not None and following.end > following.start
    under = text[following.start : following.end] if following is not None else ""
    if below and (whole := _words_alone(text[line.head : line.end], under)):
        yield Mark("name_line", number, line.start, line.end, whole)
        return
    if whole := _apart(text[line.head : line.end]):
        yield Mark("name_line", number, line.start, line.end, whole)
        return
    match = DIARISED_HEAD.match(text, line.head, line.end)
    if match:
        style = "name_line" if match.end() == line.end else "name_space"
        yield Mark(style, number, line.start, match.end(), match["label"])
        return
    match = _SPACE.match(text, line.head, line.end) or _INDENTED.match(text, line.head, line.end)
    indented = match is not None and match.start("label") > line.head
    if match and _speaks(match["label"]) and not (indented and not is_party(match["label"])):
        label, end = match["label"], match.end()
        posted = names_no_person(label) or is_post(label)
        head = named_head(text, line.head, line.end) if posted else None
        if head is not None and head[1] > end:  # 「北浜新聞　田端記者　…」
            label, end = head
        rest = text[end : line.end].strip()
        if len(rest) <= 30 and (names_no_person(rest) or (below and is_post(rest))):
            label, end = f"{label} {rest}", line.end
        yield Mark("name_space", number, line.start, end, label)
    elif line.end - line.head <= MAX_APART:
        match = _ALONE.match(text, line.head, line.end)
        if match and _stands_alone(match["label"]):
            label = TURN_NUMBER.sub("", match["label"].strip(" *"))
            yield Mark("name_line", number, line.start, line.end, label)


def _apart(line: str) -> str | None:
    """The label ``Renata Solis  Brackenridge Foods, Inc. - CFO`` that fills its line."""
    if len(line) > MAX_APART or not is_latin(line) or not WIDE_GAP.search(line.strip()):
        return None
    label = WIDE_GAP.sub(" - ", TURN_NUMBER.sub("", line.strip()))
    return label if _stands_alone(label) else None


def _guest(line: str) -> str | None:
    """The label 「総代　A様」 that fills its line: a side that a title tells, and a letter."""
    words = line.split()
    if len(words) != 2 or len(line) > MAX_HOUSE_AND_NAME or not _LETTER.fullmatch(words[1]):
        return None
    return " ".join(words) if is_party(words[0]) else None


def _words_alone(line: str, below: str) -> str | None:
    """The label 「経済はりま　国分」, 「司会　IR室」 that fills its line, words of somebody below it."""
    known = _house_and_name(line) or _guest(line)
    words = line.split()
    if known or line[:1] in " 　" or is_latin(line) or not 2 <= len(words) <= 4:
        return known
    if len(line) > MAX_HOUSE_AND_NAME or not _SENTENCE_BELOW.search(below):
        return None
    if any(no_speaker(word) for word in words if len(word) > SHORT_WORD):
        return None
    if any(_SIGN.search(word) or len(word) > MAX_WORD for word in words):
        return None
    named = all(map(is_short_name, words[-1].split("・"))) or is_post(words[-1])
    told = is_party(words[0]) or is_party(" ".join(words))
    return " ".join(words) if told or (named and not is_post(words[-1])) else None


SHORT_WORD, MAX_WORD = 3, 16
_SIGN = re.compile(
    r"[0-9０-９。、，！？!?：:；;「」『』（()）\[\]【】<>＜＞／/|｜=＝%％]|^[-－―─・*＊■□●○◆◇▼▽▲△]"
)
_SENTENCE_BELOW = re.compile(r"[。？?]|[かたすんい]$|[a-z.]$")
_LETTER = re.compile(r"[A-ZＡ-Ｚ0-9０-９]{1,2}(?:氏|様|さん|番)?")


def _house_and_name(line: str) -> str | None:
    """The label 「ニレ証券　花形様」 that fills its line, None if it is none."""
    words = line.split()
    if not 2 <= len(words) <= 4 or len(line) > MAX_HOUSE_AND_NAME:
        return None
    label = " ".join(words)
    if not names_no_person(words[0]) or not all(map(is_short_name, words[1:])):
        return None
    return label if is_party(label) and not is_field(label) else None


@lru_cache(maxsize=4096)
def _speaks(label: str) -> bool:
    bare = re.sub(r"[（(][^（()）]{0,60}[）)]", "", label).strip(" 　*")
    if is_latin(bare) and not _capitals(bare):
        return False
    if not bare or "、" in bare or "，" in bare:
        return False
    if len(bare) > (80 if is_latin(bare) else 24):
        return False
    if bare == label and re.fullmatch(rf"{Q}|{A}|[QA]\d{{1,3}}", bare):
        return False
    return not no_speaker(bare)


def _capitals(words: str) -> bool:
    """Whether Latin words are a name, title or house rather than the head of a sentence."""
    if _HANDLE.fullmatch(words):
        return True
    titled = len(words) <= 40 and "," not in words and role_of_title(words) is not None
    return titled or all(
        word in _SMALL_WORDS or word[0].isupper() or not word[0].isalpha() for word in words.split()
    )


@lru_cache(maxsize=4096)
def _is_thing(label: str) -> bool:
    """A heading's words after a circle: 「○設備投資の計画」."""
    return is_thing(label) and not is_party(label)


def _latin_name(words: str) -> bool:
    return is_latin(words) and _stands_alone(words)


@lru_cache(maxsize=4096)
def _stands_alone(label: str) -> bool:
    """Whether a line may be nothing but somebody's name."""
    label = TURN_NUMBER.sub("", label.strip(" *"))
    if is_latin(label):
        if _STOPPED.search(label):
            return False
        return _ENGLISH_NAME.match(label) is not None and not _COMPANY_TITLE.search(label)
    return len(label) <= 24 and not no_speaker(label)
