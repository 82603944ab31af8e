"""The grammar of labels that name a speaker: 「司会：」, 「○社長　」, 「【記者】」, names alone.

Here: one place's candidate at most, a line at a time. Which of them speak is voted in
``styles``. Every pattern is anchored and bounded. ``marks`` imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from g2_pipelines.transcripts.bare_names import bare_marks
from g2_pipelines.transcripts.cues import STAGE, is_question
from g2_pipelines.transcripts.labels import (
    is_party,
    is_short_name,
    names_no_person,
)
from g2_pipelines.transcripts.lines import TIME, Line, Mark
from g2_pipelines.transcripts.name_forms import latin_name, names_thing, speaks
from g2_pipelines.transcripts.no_speakers import is_field
from g2_pipelines.transcripts.qa_marks import SHAPES
from g2_pipelines.transcripts.timed import seconds

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
    r"[ \t　]{0,4}(?P<label>[^\s　：:。、，！？!?「」／/|｜（(\[【〔<＜┝└├┣┗┠│┃\n][^：:。、，！？!?「」／/|｜\n]{0,29}?)[ 　]?[／/|｜][ \t　]{0,8}(?=[^\s　])"
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
#: The same below a heading, for labels that show that they name a party: 「　頭取　　…」.
#: A member's seat: 「5番（笹目）　…」, 「12番　戸ヶ崎議員：…」.
_SEAT = re.compile(
    r"[ \t　]{0,4}(?P<label>[0-9０-９]{1,3}番(?:(?:議員|委員|の方)?[（(][^（()）\n]{1,12}[）)](?:議員|委員)?(?=[：: 　\t])|(?:議員|委員|の方|様|さん|の株主様?)?(?=[：:　\t]|  )))[：:]?[ \t　]{0,8}(?=[^\s　])"
)
#: 「深沢 (00:20): …」, 「深沢　00:20」 alone on its line, as meeting tools write it.
_NAME_TIME = re.compile(
    rf"[ \t　]{{0,4}}(?P<label>[^\s　：:。，、！？!?「」『』\n（(\[【<＜\-－0-9０-９][^：:。、！？!?「」『』\n（(\[【]{{0,79}}?"
    r"(?:[（(\[【][^（()）\[\]【】：:。\n]{1,60}[）)\]】])?)"
    rf"[ \t　]{{0,4}}(?:[\[(（【](?P<a>{TIME})[\])）】][：:]?|(?P<b>{TIME})(?=[ \t　]{{0,4}}$))[ \t　]{{0,8}}"
)


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


#: ``Senator BOONE. Thank you.``, as records of hearings have it.
_CAPITALS = re.compile(
    r"[ \t]{0,4}(?P<label>(?:The|Mr|Mrs|Ms|Miss|Dr|Senator|Representative|Secretary|Chair(?:man|woman)?|Vice Chair)\.? [A-Z][A-Z'’-]+(?: [A-Z][A-Z'’-]+){0,2}(?: of [A-Z][a-z]+)?)\.[ \t]{1,4}(?=[A-Z\"“])"
)
#: 「徳永 [M]：」 beside 「笹本 [Q]：」: who leads or presents.
_STAGED = re.compile(r"(?<=[^\s　])[ 　]{0,2}(?P<stage>[（(][^（()）\n]{1,30}[）)])$")
_MAIN = re.compile(r"[ 　]?[\[(［（【][MＭ][\])］）】]$")


def named_mark(
    text: str, number: int, line: Line, following: Line | None, *, wide: bool
) -> Iterator[Mark]:
    """The candidate of the line whose label names somebody, none or one."""
    for mark in _named_mark(text, number, line, following, wide=wide):
        staged = _STAGED.search(mark.label)
        if staged and STAGE.fullmatch(staged["stage"]):  # 「社長　（沈黙した後）「…」」
            begin = text.rfind(staged["stage"], mark.start, mark.end)
            if begin > mark.start:
                yield mark._replace(label=mark.label[: staged.start()], end=begin)
                continue
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
    if match and speaks(match["label"]):
        label, t0 = match["label"].strip(), seconds(match["a"] or match["b"])
        yield Mark("name_time", number, line.start, match.end(), label, None, t0)
        return
    match = (_CIRCLE_WIDE if wide else _CIRCLE).match(text, line.head, line.end)
    if match:
        yield from _circled(text, number, line, match)
        return
    match = _CAPITALS.match(text, line.head, line.end)
    if match:
        yield Mark("name_caps", number, line.start, match.end(), match["label"])
        return
    match = _SEAT.match(text, line.head, line.end)
    if match:
        style = "name_colon" if text[match.end("label")] in "：:" else "name_space"
        yield Mark(style, number, line.start, match.end(), match["label"])
        return
    match = _BULLET_COLON.match(text, line.head, line.end)
    if match and speaks(match["label"]):
        yield Mark("bullet_colon", number, line.start, match.end(), match["label"].strip())
        return
    match = (
        _ALIAS_COLON.match(text, line.head, line.end)
        or _COLON.match(text, line.head, line.end)
        or _QUOTED_COLON.match(text, line.head, line.end)
    )
    if match and (speaks(match["label"]) or _guest_asks(match, text, line.end)):
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
        and speaks(match["label"])
        and len(_LOWER_WORD.findall(text, match.end(), line.end)) >= 2
    ):
        yield Mark("name_dash", number, line.start, match.end(), match["label"])
        return
    match = _QUOTE.match(text, line.head, line.end)
    if match and speaks(match["label"]):
        yield Mark("name_quote", number, line.start, match.end(), match["label"])
        return
    for style, pattern in (("name_paren", _PAREN), ("name_slash", _SLASH)):
        match = pattern.match(text, line.head, line.end)
        if match and speaks(match["label"]) and not latin_name(text[line.head : line.end][:200]):
            yield Mark(style, number, line.start, match.end(), match["label"].strip())
            return
    yield from bare_marks(text, number, line, following)


def _circled(text: str, number: int, line: Line, match: re.Match[str]) -> Iterator[Mark]:
    if is_field(match["label"]) or names_thing(match["label"]):
        return
    # A record may mix the three circles that look alike.
    glyph = "○" if match["glyph"] in "○〇◯" else match["glyph"]
    label, end = match["label"].strip(), match.end()
    more = _CIRCLE_NAME.match(text, end, line.end) if names_no_person(label) else None
    if more:
        label, end = f"{label} {more['name']}", more.end()
    yield Mark(f"circle_{glyph}", number, line.start, end, label)
