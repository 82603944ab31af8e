"""Entries of a timeline: 「0:08:44 (質問)暁報新聞 タナベ記者 期限切れは単純なミスか」.

Here: who is named at the head of an entry, and whether what follows is what was said or the
topic only. ``marks`` and ``styles`` import this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean
from typing import NamedTuple

from g2_pipelines.transcripts.cues import role_of_title
from g2_pipelines.transcripts.labels import ORG_TOKEN, is_post, is_short_name
from g2_pipelines.transcripts.lines import Line, Mark
from g2_pipelines.transcripts.qa_marks import Side

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
    re.compile(_WHO + r"(?:　{1,4}|\t|[ 　]{2,4})(?=[^\s　])"),
)
PARTED, MIN_PARTED, LOOKED_AT = 60, 4, 500
#: What an entry is called that nobody says: the pipeline drops it.
EVENT = "\0event"
UNKNOWN = frozenset({"不明", "不詳", "聞き取れず", "(不明)", "（不明）", "氏名不明", "社名不明"})
_HOST_SAYS = re.compile(
    r"(?:広報|司会|事務局|IR|ＩＲ)[^。、\n]{0,6}(?:より|から|が)|[^。\n]{0,16}(?:アナウンス|案内)|(?:待機|開会|閉会|配信|中継|入場|退場|休憩|中断|再開)"
)
#: A name that was not caught well: 「サノ(?)記者」.
_UNSURE = re.compile(r"[（(][？?][）)]")
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
    heard = _UNSURE.sub("", word)
    return len(word) <= MAX_TOKEN and _SENTENCE.search(heard) is None


@lru_cache(maxsize=4096)
def _names(word: str) -> str:
    """What a word names by itself: a person, a house or a post, else nothing."""
    if _PERSON.search(word):
        return "person"
    if ORG_TOKEN.match(word) or is_post(word) or word in UNKNOWN:
        return "house"
    return "house" if len(word) <= MAX_TOKEN // 2 and role_of_title(word) is not None else ""


def _only_names(words: str) -> bool:
    """Whether the rest of an entry names somebody too: 「南空新聞 サトウ記者」 says nothing."""
    rest = words.strip()
    return _may_name(rest) and bool(_names(rest))


def _parted(marks: Sequence[Mark], text: str, lines: Sequence[Line]) -> re.Pattern[str] | None:
    """The sign that parts names and words in most entries, None if none does."""
    marks = marks[:LOOKED_AT]
    for pattern in _PARTED:
        found = sum(pattern.match(text, m.end, lines[m.line].end) is not None for m in marks)
        if found >= MIN_PARTED and found * 100 >= len(marks) * PARTED:
            return pattern
    return None


def _says(words: str) -> bool:
    return len(words) > MAX_HEAD // 2 or _END.search(_UNSURE.sub("", words)) is not None


class Heads(NamedTuple):
    """Who is named at the heads of entries, by line, and where the words begin; the sign between."""

    by_line: dict[int, tuple[str, int]]
    parted: re.Pattern[str] | None


def _heads(
    marks: Sequence[Mark], text: str, lines: Sequence[Line], *, always: bool, cut: bool
) -> Heads:
    found: dict[int, tuple[str, int]] = {}
    parted = _parted(marks, text, lines)
    # Half-width spaces within the names, wide ones behind them: 「日報 佐野記者　停止した…」.
    wide = parted is _PARTED[-1]
    for mark in marks:
        end = lines[mark.line].end
        if mark.end >= end or not (always or not mark.label):
            continue
        if parted is not None:
            match = parted.match(text, mark.end, end)
        else:
            signed = (p.match(text, mark.end, end) for p in _PARTED if cut)
            match = next((m for m in signed if m and _named(m["who"])), None)
        head: tuple[str, int] | None = (match["who"], match.end()) if match else None
        if head is None or (wide and not _named(head[0])):
            head = named_head(text, mark.end, end) or head
        elif wide and (longer := named_head(text, mark.end, end)) and _wider(longer, head):
            head = longer
        if head is not None and not _only_names(text[head[1] : end]):
            found[mark.line] = head
    return Heads(found, parted)


def _named(who: str) -> bool:
    """Whether words at the head of an entry name somebody: 「北浜新聞 小倉記者」, 「不明」."""
    return all(_may_name(word) for word in who.split()) and any(
        _names(word) or word in UNKNOWN for word in (who, *who.split())
    )


def _wider(longer: tuple[str, int], head: tuple[str, int]) -> bool:
    """Whether a house is parted from its person by a wide space too: 「北浜新聞　小倉記者　…」."""
    return longer[1] > head[1] and _PERSON.search(longer[0]) is not None


def with_heads(
    marks: Sequence[Mark], text: str, lines: Sequence[Line], *, always: bool = True, share: int = 0
) -> list[Mark]:
    """The marks of a timeline with the names at the heads of their entries as labels.

    Of other marks (not ``always``) only those without a name, where names stand in ``share``
    of a hundred.

    The names leave the words where these are what was said; beside mere topics they stay.
    """
    if always:
        marks = _by_titles(marks, text, lines)
    headed = [m for m in marks if m.side is not None or (always and m.label)]
    cut = 0 if always else sum(bool(m.label) and m.end < lines[m.line].end for m in headed)
    heads, parted = _heads(headed, text, lines, always=always, cut=cut >= MIN_PARTED)
    sided = sum(mark.side is not None for mark in marks)
    if always:  # an entry's words are nobody's name: 「(質問) なぜ延期したのか。」
        marks = [
            m._replace(label="") if _says(m.label) or (parted and _blank(m, text)) else m
            for m in marks
        ]
    if not heads or (len(heads) + cut) * 100 < sided * share:
        return list(marks)
    stopped = sum(text[lines[n].end - 1] in "。？?" for n in heads)
    said = (
        parted is not None
        or cut >= MIN_PARTED  # other names have left their words
        or stopped * 2 > len(heads)
        or fmean(lines[n].end - end for n, (_, end) in heads.items()) >= MIN_SAID
    )
    found: list[Mark] = []
    for mark in marks:
        head = heads.get(mark.line)
        if head is None:
            found.append(mark)
        else:
            found.append(mark._replace(label=head[0], end=head[1] if said else mark.end))
    return _without_events(found, text, lines, parted) if always and parted else found


def _blank(mark: Mark, text: str) -> bool:
    """Whether a tag has a wide space instead of a name behind it: 「(質問2)　その期限は」."""
    return mark.side is not None and text[mark.end - 1 : mark.end] == "　"


def _without_events(
    marks: Sequence[Mark], text: str, lines: Sequence[Line], parted: re.Pattern[str]
) -> list[Mark]:
    """Entries without a tag where a sign parts names from words.

    Who is named with that sign speaks: 「鵜飼社長　お詫び。…」. What has no name is an event, but
    for a topic that is answered behind another answer.
    """
    found: list[Mark] = []
    asked = ""  # whoever asks on: 「(質問2)　その期限は」
    for order, mark in enumerate(marks):
        entry = mark
        if mark.side is None and not mark.label:
            match = parted.match(text, mark.end, lines[mark.line].end)
            following = marks[order + 1].side if order + 1 < len(marks) else None
            before = found[-1].side if found else None
            if match is not None and _named(match["who"]):
                entry = mark._replace(label=match["who"], end=match.end())
            elif not (before == following == "answer") or _announces(text[mark.end :][:MAX_HEAD]):
                entry = mark._replace(label=EVENT, end=lines[mark.line].end)
        if entry.side == "question":
            asked = entry.label or asked
            entry = entry._replace(label=asked)
        found.append(entry)
    return found


def _announces(words: str) -> bool:
    return _HOST_SAYS.match(words) is not None


def _by_titles(marks: Sequence[Mark], text: str, lines: Sequence[Line]) -> list[Mark]:
    """The sides of a timeline without tags, by the titles at the heads of its entries.

    Only where a tree or events show that it is one, one sign parts all names from their words,
    and both sides are told.
    """
    plain = [m for m in marks if not (m.side and m.label)]
    if len(plain) < len(marks) or len(marks) < 2 * MIN_PARTED:
        return list(marks)
    begin, end = marks[0].line, marks[-1].line
    stamped = {mark.line for mark in marks}
    if any(n not in stamped and lines[n].head < lines[n].end for n in range(begin, end)):
        return list(marks)
    parted = _parted(marks, text, lines)
    if parted is None:
        return list(marks)
    found: list[Mark] = []
    named = events = trees = 0
    for mark in marks:
        match = parted.match(text, mark.end, lines[mark.line].end)
        trees += mark.side is not None
        if match is None or not _named(match["who"]):
            events += 1
            found.append(mark._replace(side=None, label=""))
            continue
        role = "question" if match["who"] in UNKNOWN else role_of_title(match["who"])
        if _PERSON.search(match["who"].split()[-1]):
            role = "question"
        side: Side | None = role if role in ("question", "answer") else None
        named += side is not None
        found.append(mark._replace(side=side, label=match["who"] if side else ""))
    sides = {mark.side for mark in found}
    told = {"question", "answer"} <= sides and (named + events) * 10 >= len(marks) * 9
    return found if told and (trees or events) >= 2 else list(marks)
