"""Candidates that stand above the first words of a document: title, date, attendance.

Here: leaving them out before the vote. ``styles`` alone imports this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from g2_pipelines.transcripts.believed import (
    SIGNED,
    words_behind,
)
from g2_pipelines.transcripts.labels import is_party, is_post
from g2_pipelines.transcripts.lines import Line, Mark

#: Words of a speaker: a sentence, or as many as no title has.
MIN_WORDS = 40
#: A list of those present names each side once.
MAX_CHANGES = 3
_SAID = re.compile(r"[。？?！!]|[.]$")
#: A line that ends within its sentence: 「それでは、株式会社ヤマネコの」.
_BROKEN = re.compile(r"[、，].*[^。？?！!]$|[をがはにでと]$")


def from_first_words(style: str, marks: list[Mark], text: str, lines: Sequence[Line]) -> list[Mark]:
    """Without the title, date and attendance lines above the first words that somebody says."""
    if style.startswith("qa_"):
        return _without_people(marks, text, lines)
    if style not in SIGNED and not style.startswith("circle_"):
        return marks
    silent, marked = True, {mark.line for mark in marks}
    for number, mark in enumerate(marks):
        words = _first_words(mark, text, lines, marked)
        titled = _COMPANY.fullmatch(words) is not None  # 「Company: Aomine Seiki Co., Ltd.」
        if not titled and (len(words) >= MIN_WORDS or _SAID.search(words)):
            return marks[number:]
        silent = silent and (not words or mark.line + 1 in marked)
    return marks if silent else []


def _first_words(mark: Mark, text: str, lines: Sequence[Line], marked: Collection[int]) -> str:
    """What stands behind a label; a party's sentence goes on in the lines of a subtitle."""
    words = words_behind(mark, text, lines).strip()
    below = mark.line + 1
    goes_on = below < len(lines) and below not in marked and is_party(mark.label)
    if goes_on and _BROKEN.search(words):
        words += text[lines[below].start : lines[below].end].strip()
    return words


_INTERPRETS = re.compile(
    r"(?:逐次|同時)?通訳|(?:日本語|英語|中国語)?(?:訳|通訳)|日本語訳|英訳|和訳|(?i:interpret(?:er|ed|ation)|translat(?:or|ed|ion))"
)


def without_interpreters(marks: list[Mark]) -> list[Mark]:
    """None where brackets hold nothing else: 「[通訳] …」 says again what was just said."""
    alone = all(_INTERPRETS.fullmatch(mark.label) for mark in marks)
    return [] if alone else marks


#: A company's whole name: 「三波化学工業株式会社」.
_COMPANY = re.compile(
    r"(?:株式会社|（株）|\(株\)|㈱|有限会社|合同会社)[^\s　]{1,24}|[^\s　]{1,24}(?:株式会社|（株）|\(株\)|㈱|有限会社|合同会社)|[^\n]{2,60}\b(?:Inc|Ltd|Corp|Corporation|Company|plc|PLC|LLC|Limited|Holdings)\.?(?: ?\([A-Z0-9: .]{2,16}\))?"
)


def without_companies(marks: list[Mark]) -> list[Mark]:
    """Without a company's name that stands on a line of its own once: the title's, no speaker."""
    counts = Counter(mark.label for mark in marks)
    return [m for m in marks if counts[m.label] > 1 or not _COMPANY.fullmatch(m.label)]


def _without_people(marks: list[Mark], text: str, lines: Sequence[Line]) -> list[Mark]:
    """Without 「質問者：業界紙記者」, 「回答者：広報部長」 above the questions: who they are."""
    changes = 0
    for number, mark in enumerate(marks):
        changes += number > 0 and mark.side != marks[number - 1].side
        if changes >= MAX_CHANGES:
            return marks  # 「(質問)北浜新聞 小倉記者／…」: a dialogue, no list
        words = text[mark.end : lines[mark.line].end].strip()
        if not words or not (is_party(words) or is_post(words)) or _SAID.search(words):
            return marks[number:]
    return marks
