"""What form a label has: whether it may name a speaker, and whether it may stand alone.

Here: capitals of Latin names, document titles, things. ``name_marks`` and ``bare_names`` import
this module.
"""

from __future__ import annotations

import re
from functools import lru_cache

from g2_pipelines.transcripts.cues import role_of_title
from g2_pipelines.transcripts.labels import (
    TURN_NUMBER,
    is_latin,
    is_party,
)
from g2_pipelines.transcripts.no_speakers import is_thing, no_speaker
from g2_pipelines.transcripts.qa_marks import A, Q

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
#: A guest of a chat: 「kabu_taro」.
_HANDLE = re.compile(r"(?=[^_@0-9]{0,24}[_@0-9])[A-Za-z][A-Za-z0-9_.@-]{2,23}")


@lru_cache(maxsize=4096)
def speaks(label: str) -> bool:
    """Whether words before a sign may name somebody: no form's field, thing or sentence."""
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
def names_thing(label: str) -> bool:
    """A heading's words after a circle: 「○設備投資の計画」."""
    return is_thing(label) and not is_party(label)


def latin_name(words: str) -> bool:
    """Whether a line in Latin letters may be nothing but somebody's name."""
    return is_latin(words) and stands_alone(words)


@lru_cache(maxsize=4096)
def stands_alone(label: str) -> bool:
    """Whether a line may be nothing but somebody's name."""
    label = TURN_NUMBER.sub("", label.strip(" *"))
    if is_latin(label):
        if _STOPPED.search(label):
            return False
        return _ENGLISH_NAME.match(label) is not None and not _COMPANY_TITLE.search(label)
    return len(label) <= 24 and not no_speaker(label)
