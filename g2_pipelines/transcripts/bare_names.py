"""Names without any sign: before wide spaces, or alone on a line.

Here: one place's candidate at most. ``name_marks`` imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
from g2_pipelines.transcripts.lines import Line, Mark
from g2_pipelines.transcripts.name_forms import speaks, stands_alone
from g2_pipelines.transcripts.no_speakers import is_field, no_speaker

MAX_HOUSE_AND_NAME = 30
MAX_APART = 120
_NAME = r"[一-龥々ァ-ヶーＡ-ＺA-Za-z・][一-龥々ァ-ヶーぁ-んＡ-ＺA-Za-z・.]{0,21}"
_SPACE = re.compile(
    rf"(?P<label>{_NAME}(?:[ 　]{_NAME})??(?:[（(][^（()）\n]{{1,20}}[）)])?)(?:　{{1,4}}|[ 　]{{2,8}}|\t)(?=[^\s　])"
)
_INDENTED = re.compile(r"[ 　\t]{1,4}" + _SPACE.pattern)
_ALONE = re.compile(
    r"[ \t　]{0,4}(?:\*\*)?(?P<label>[^\s　。、！？!?：:\n「」【】（(\-－・*＊0-9０-９][^。！？!?：:\n「」【】]{0,109}?)(?:\*\*)?[ \t　]{0,4}$"
)


def bare_marks(text: str, number: int, line: Line, following: Line | None) -> Iterator[Mark]:
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
    if match and speaks(match["label"]) and not (indented and not is_party(match["label"])):
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
        if match and stands_alone(match["label"]):
            label = TURN_NUMBER.sub("", match["label"].strip(" *"))
            yield Mark("name_line", number, line.start, line.end, label)


def _apart(line: str) -> str | None:
    """The label ``Renata Solis  Brackenridge Foods, Inc. - CFO`` that fills its line."""
    if len(line) > MAX_APART or not is_latin(line) or not WIDE_GAP.search(line.strip()):
        return None
    label = WIDE_GAP.sub(" - ", TURN_NUMBER.sub("", line.strip()))
    return label if stands_alone(label) else None


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
    if not named and not is_party(words[-1]):
        return None  # 「話者B　新しい店の分です」
    return " ".join(words) if told or not is_post(words[-1]) else None


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
