"""Entries of a timeline: 「0:08:44 (質問)暁報新聞 タナベ記者 期限切れは単純なミスか」.

Here: who is named at the head of an entry, and whether what follows is what was said or the
topic only. ``marks`` and ``styles`` import this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean

from g2_pipelines.transcripts.cues import role_of_title
from g2_pipelines.transcripts.labels import ORG_TOKEN, is_post, is_short_name
from g2_pipelines.transcripts.lines import Line, Mark

#: Words behind the names from which on an entry reports what was said (mean length).
MIN_SAID = 20
MAX_TOKEN = 20
MAX_HEAD = 80
_TOKEN = re.compile(r"[^ \t　\n]{1,60}(?=[ \t　]{1,8}[^ \t　\n])")
_GAP = re.compile(r"[ \t　]{1,8}")
_SENTENCE = re.compile(r"[。、，？?！!「」『』：:はがをにで]|の(?=.{3})")
_PERSON = re.compile(r".(?:記者|氏|様|さま|さん|アナリスト)$")
MAX_TOKENS = 4
#: What parts the name at the head of an entry from its words, in so many of a hundred.
_WORD = r"(?:[^\s　。、，？?！!「」『』：:／/|｜→\n]|[（(][？?][）)])"
_WHO = rf"(?P<who>{_WORD}{{1,24}}(?:[ 　]{_WORD}{{1,16}}){{0,2}}?)"
_PARTED = (
    re.compile(_WHO + r"[ 　]?[／/][ 　]?(?=[^\s　])"),
    re.compile(_WHO + r"[ 　]?(?:：|:(?![0-9]))[ 　]?(?=[^\s　])"),
    re.compile(_WHO + r"[ 　]?[|｜→][ 　]?(?=[^\s　])"),
    re.compile(_WHO + r"(?=「[^\n]{2,2000}」[ 　]{0,4}$)", re.MULTILINE),
    re.compile(
        r"(?P<who>[^\s　。、，？?！!「」『』：:]{1,24})(?:　{1,4}|\t|[ 　]{2,4})(?=[^\s　])"
    ),
)
PARTED, MIN_PARTED = 60, 4
_END = re.compile(r"[。？?！!、，]|か$|たい$|[をはがで](?=.)")


def named_head(text: str, start: int, end: int) -> tuple[str, int] | None:
    """Who is named at the head of [start, end), and where the words behind him begin.

    House, post and name in any order, parted by spaces; None if no word shows that it names
    somebody, or nothing follows.
    """
    words: list[str] = []
    position = start
    found: tuple[str, int] | None = None
    while len(words) < MAX_TOKENS:
        match = _TOKEN.match(text, position, min(end, start + MAX_HEAD))
        if match is None or not _may_name(match[0]):
            break
        words.append(match[0])
        gap = _GAP.match(text, match.end(), end)
        position = gap.end() if gap else match.end()
        named = _names(words[-1])
        if named == "person":
            return " ".join(words), position
        behind = len(words) > 1 and found is not None and is_short_name(words[-1])
        if named or behind:
            found = " ".join(words), position
        elif found is not None:
            break
    return found


@lru_cache(maxsize=4096)
def _may_name(word: str) -> bool:
    return len(word) <= MAX_TOKEN and _SENTENCE.search(word) is None


@lru_cache(maxsize=4096)
def _names(word: str) -> str:
    """What a word names by itself: a person, a house or a post, else nothing."""
    if _PERSON.search(word):
        return "person"
    if ORG_TOKEN.match(word) or is_post(word):
        return "house"
    return "house" if len(word) <= MAX_TOKEN // 2 and role_of_title(word) is not None else ""


def _only_names(words: str) -> bool:
    """Whether the rest of an entry names somebody too: 「南空新聞 サトウ記者」 says nothing."""
    rest = words.strip()
    return _may_name(rest) and bool(_names(rest))


def _parted(marks: Sequence[Mark], text: str, lines: Sequence[Line]) -> re.Pattern[str] | None:
    """The sign that parts names and words in most entries, None if none does."""
    for pattern in _PARTED:
        found = sum(pattern.match(text, m.end, lines[m.line].end) is not None for m in marks)
        if pattern is _PARTED[-1] and found >= 1:  # beside names that show that they are
            found += sum(
                pattern.match(text, m.end, lines[m.line].end) is None
                and named_head(text, m.end, lines[m.line].end) is not None
                for m in marks
            )
        if found >= MIN_PARTED and found * 100 >= len(marks) * PARTED:
            return pattern
    return None


def _says(words: str) -> bool:
    return len(words) > MAX_HEAD // 2 or _END.search(words) is not None


def with_heads(
    marks: Sequence[Mark], text: str, lines: Sequence[Line], *, always: bool = True, share: int = 0
) -> list[Mark]:
    """The marks of a timeline with the names at the heads of their entries as labels.

    Of other marks (not ``always``) only those without a name, where names stand in ``share``
    of a hundred.

    The names leave the words where these are what was said; beside mere topics they stay.
    """
    found: list[Mark] = []
    heads: dict[int, tuple[str, int]] = {}
    headed = [m for m in marks if m.side is not None or (always and m.label)]
    parted = _parted(headed, text, lines)
    for mark in headed:
        if (always or not mark.label) and mark.end < lines[mark.line].end:
            head: tuple[str, int] | None
            match = parted.match(text, mark.end, lines[mark.line].end) if parted else None
            if match is not None and parted is not _PARTED[-1]:
                head = match["who"], match.end()
            else:
                head = named_head(text, mark.end, lines[mark.line].end)
                head = head or ((match["who"], match.end()) if match else None)
            if head is not None and not _only_names(text[head[1] : lines[mark.line].end]):
                heads[mark.line] = head
    sided = sum(mark.side is not None for mark in marks)
    if always:  # an entry's words are nobody's name: 「(質問) なぜ延期したのか。」
        marks = [m._replace(label="") if _says(m.label) else m for m in marks]
    if not heads or len(heads) * 100 < sided * share:
        return list(marks)
    signed = parted is not None and parted is not _PARTED[-1]
    stopped = sum(text[lines[n].end - 1] in "。？?" for n in heads)
    said = (
        signed
        or stopped * 2 > len(heads)
        or fmean(lines[n].end - end for n, (_, end) in heads.items()) >= MIN_SAID
    )
    for mark in marks:
        head = heads.get(mark.line)
        if head is None:
            found.append(mark)
        else:
            found.append(mark._replace(label=head[0], end=head[1] if said else mark.end))
    return found
