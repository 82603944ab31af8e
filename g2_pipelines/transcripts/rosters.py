"""Attendance lists: who is named in them, and on which side.

Here: lists under a head that tells the side (「登壇者」, ``Analysts``) and lists of everybody,
where each entry's title tells it. ``styles`` and ``segment`` import this module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.cues import STAGE_LINE, role_of_title
from g2_pipelines.transcripts.labels import SPACES, TITLE_WORD, is_latin, parse_label
from g2_pipelines.transcripts.lines import unspaced

_ROSTER_SIDE: tuple[tuple[re.Pattern[str], Role], ...] = (
    (
        re.compile(
            r"[\s　]*(?:出席)?説明員|[\s　]*[【＜■□◆●・*-]?[\s　]?(?:登壇者?|説明者|発表者|当社(?:側)?出席者|会社側|回答者|会見者)"
        ),
        "answer",
    ),
    (
        re.compile(r"(?i:[\s#*]*(?:corporate |company )?(?:participants|executives|management)\b)"),
        "answer",
    ),
    (re.compile(r"[\s　]*(?:語り手|話し手|ゲスト|お話)(?=[：:　 \t])"), "answer"),
    (re.compile(r"[\s　]*(?:聞き手|インタビュアー|聞く人)(?=[：:　 \t])"), "question"),
    (
        re.compile(
            r"[\s　]*出席委員|[\s　]*[【＜■□◆●]?[\s　]?(?:質問者|アナリスト)(?:一覧)?[】＞]?[\s　]*$"
        ),
        "question",
    ),
    (
        re.compile(
            r"(?i:[\s#*]*(?:(?:conference call participants|(?:other|external) participants|conference call analysts)|(?:(?:call|sell-side) )?analysts)\b)"
        ),
        "question",
    ),
)
_ROSTER_END = re.compile(r"[\s　]*(?:欠席|本日の|報告事項|[【■]|[0-9０-９]+[.．])|[^\n]{60,}")
_ROSTER_LINE = re.compile(r"[\s　・*-]*(?:[:：])?(?P<line>[^。\n]{2,60})$")
_ROSTER_LATIN = re.compile(r"[\s•*-]*(?P<line>[^\n]{2,160})$")
_ROSTER_INLINE = re.compile(r"[：:][\s　]*(?P<line>[^。\n]{2,80})$")
MAX_ROSTER_LINES = 400
MAX_HEAD, MAX_SIDE_HEAD = 80, 60
MIN_SPEECH = 80
MIN_LOWER = 5
_LOWER = re.compile(r"(?<![\w.])[a-z][a-z'’]*")


#: ``Company: Ichiro Saegusa, President; Mari Tadokoro, CFO``
_LISTED = re.compile(
    r"[\s#*-]{0,4}(?i:(?P<asks>analysts?|investors?|questioners?)|company|corporate|management|presenters?|speakers?|executives?)[ ]?:[ ]{0,4}(?P<line>[A-Z][^:?!\n]{3,400})$"
)
_LISTED_ENTRY = re.compile(
    r"[A-Z][\w.'’-]{0,20}(?: [A-Z][\w.'’-]{0,20}){1,3}, [A-Z][\w.,'’& -]{1,100}"
)
_INITIAL = re.compile(r"[（(](?P<short>[A-ZＡ-Ｚ]{1,2})[）)][\s　]*$")


class Roster(NamedTuple):
    """Names with the side that the attendance lists tell, and the lists' line numbers."""

    sides: dict[str, Role]
    lines: frozenset[int]
    #: Lines that are a whole list: ``Company: Ichiro Saegusa, President; …``.
    inline: frozenset[int] = frozenset()
    #: Initials with the label that they stand for: H, 「社長 長谷部」.
    initials: Mapping[str, str] = MappingProxyType({})


#: A list of everybody: each entry's title tells its side.
_ROSTER_ALL = re.compile(
    r"[\s　]*[【＜■□◆●○・]?[\s　]?(?:出席者?|参加者?|対応者?|応対者|当社側?|会社側|司会(?:進行)?者?)(?:】|＞)?(?=[：:　 \t]|$)"
)
_BEHIND = re.compile(r"[（(][^（()）]{0,30}[）)]$")
_ROSTER_REST = re.compile(r"[：:　 \t]+(?P<line>[^。\n]{2,80})$")


def read_roster(lines: list[str]) -> Roster:
    """The attendance lists among the first lines.

    A family name that stands on both sides is left out.
    """
    reader = _Reader()
    for number in range(min(len(lines), MAX_ROSTER_LINES)):
        reader.take(lines, number)
    sides = {name: next(iter(told)) for name, told in reader.found.items() if len(told) == 1}
    initials = {short: label for short, label in reader.initials.items() if short in sides}
    return Roster(sides, frozenset(reader.numbers), frozenset(reader.inline), initials)


class _Reader:
    """Reads the lists line by line; ``side`` is the open list's, ``everybody`` one of no side."""

    def __init__(self) -> None:
        self.found: dict[str, set[Role]] = {}
        self.numbers: list[int] = []
        self.inline: list[int] = []
        self.initials: dict[str, str] = {}
        self.side: Role | None = None
        self.everybody = False
        self.header = -2

    def take(self, lines: list[str], number: int) -> None:
        line = lines[number]
        if self._whole(line, number) or self._opens(lines, number):
            return
        if not line.strip():
            if self.header != number - 1:
                self.side, self.everybody = None, False
        elif self.everybody:
            self.everybody = line[:1] in " 　・-" and _titled(self.found, line)
            if self.everybody:
                self.numbers.append(number)
        elif self.side is not None:
            self._entry(lines, number, self.side)

    def _whole(self, line: str, number: int) -> bool:
        """Whether the line is a whole list in Latin letters, its entries parted by semicolons."""
        match = _LISTED.match(line)
        if match is None:
            return False
        entries = [entry.strip() for entry in match["line"].split(";")]
        if not all(_LISTED_ENTRY.fullmatch(entry) for entry in entries):
            return False
        side: Role = "question" if match["asks"] else "answer"
        for entry in entries:
            _enter(self.found, entry, side)
        self.side, self.everybody = None, False
        self.numbers.append(number)
        self.inline.append(number)
        return True

    def _opens(self, lines: list[str], number: int) -> bool:
        """Whether the line is the head of a list."""
        line = unspaced(lines[number])
        if len(line) > MAX_HEAD or (_speaks_below(lines, number) and not _names_several(line)):
            return False
        side = next((role for pattern, role in _ROSTER_SIDE if pattern.match(line)), None)
        if side is not None and len(line) <= MAX_SIDE_HEAD:
            self.side, self.everybody, self.header = side, False, number
            self.numbers.append(number)
            inline = _ROSTER_INLINE.search(line)
            if inline:
                _enter(self.found, inline["line"], side, self.initials)
            return True
        if _ROSTER_ALL.match(line) is None:
            return False
        self.side, self.header = None, number
        self.everybody = _everybody(self.found, line)
        if self.everybody:
            self.numbers.append(number)
        return True

    def _entry(self, lines: list[str], number: int, side: Role) -> None:
        line = lines[number]
        latin = is_latin(line)
        said = "。" in line or line.rstrip().endswith(("？", "?"))  # 「北川　　ご質問は2点です。…」
        ended = _is_sentence(line) if latin else said or _ROSTER_END.match(line) is not None
        first = role_of_title(line.strip()) == "moderator" or line.strip() in self.found
        if ended or (first and _speaks_below(lines, number)):
            self.side = None
            return
        match = (_ROSTER_LATIN if latin else _ROSTER_LINE).match(line)
        if match:
            self.numbers.append(number)
            _enter(self.found, match["line"], side, self.initials)


def _speaks_below(lines: list[str], number: int) -> bool:
    """Whether a sentence stands under the line: then 「質問者」 is a label and no list's head."""
    below = lines[number + 1 : number + 4]
    following = next((x for x in below if x.strip() and not STAGE_LINE.match(x)), "")
    if is_latin(following):
        return _is_sentence(following)
    return following.rstrip().endswith(("。", "？")) or len(following) >= MIN_SPEECH


def _names_several(line: str) -> bool:
    """「登壇者：社長 飯野（I）、CFO 佐原（S）」: titles behind the head, two at least."""
    inline = _ROSTER_INLINE.search(line)
    entries = re.split(r"[、，／/;]", inline["line"]) if inline else []
    return len(entries) > 1 and all(
        role_of_title(_INITIAL.sub("", entry).strip()) is not None and len(SPACES.split(entry)) > 1
        for entry in (whole.strip(" 　・*•-") for whole in entries)
    )


def _everybody(found: dict[str, set[Role]], line: str) -> bool:
    """Enter who is named behind 「出席者：」; False if the line is no list."""
    rest = _ROSTER_REST.search(line)
    if rest is None:
        return "：" in line or ":" in line or not line.strip(" 　【】＜＞■□◆●○・")[3:]
    leads = "司会" in line[: rest.start()]
    return _titled(found, rest["line"], "moderator" if leads else None)


def _titled(found: dict[str, set[Role]], line: str, side: Role | None = None) -> bool:
    """Enter the names of a line by their titles; False if none has one."""
    told = False
    for entry in re.split(r"[、，／/;]", line):
        words = _title_before_name(_BEHIND.sub("", entry.strip(" 　・*•-（(")))
        parts = [part for part in SPACES.split(words) if part]
        role = side or next((r for part in parts if (r := role_of_title(part))), None)
        person = parse_label(" ".join(parts))
        name = person.name or ""
        if role is None or len(parts) < 2 or role_of_title(name):
            continue
        told = True
        _enter_name(found, name, role)
    return told


def _is_sentence(line: str) -> bool:
    """Whether a line in Latin letters says something: a title and house ends in ``Ltd.``, too."""
    words = len(_LOWER.findall(line))
    return words >= MIN_LOWER or (words >= 2 and line.rstrip().endswith(("?", "!", ".")))


def _enter(
    found: dict[str, set[Role]], line: str, side: Role, initials: dict[str, str] | None = None
) -> None:
    for whole in re.split(r"[、,／/;]", line) if not is_latin(line) else [line]:
        entry = whole
        short = _INITIAL.search(entry)
        if short is not None and initials is not None:  # 「社長 長谷部（H）」
            entry = entry[: short.start()]
            initials[short["short"]] = entry.strip(" 　・*•-")
            found.setdefault(short["short"], set()).add(side)
        speaker = parse_label(_title_before_name(entry.strip(" 　・*•-")))
        if speaker.name and len(speaker.name) >= 2:
            titled = role_of_title(speaker.title or "") == "moderator"
            if titled or (is_latin(line) and role_of_title(line) == "moderator"):
                side = "moderator"
            _enter_name(found, speaker.name, side)


def _enter_name(found: dict[str, set[Role]], name: str, side: Role) -> None:
    """The whole name and the family name."""
    found.setdefault(name, set()).add(side)
    words = SPACES.split(name)
    if len(words) > 1:
        found.setdefault(words[-1] if name.isascii() else words[0], set()).add(side)


def _title_before_name(entry: str) -> str:
    """「総務部長三枝　健二君」 with a space between title and name."""
    match = re.match(
        rf"(?P<title>[^\s　]{{0,30}}?{TITLE_WORD}(?:兼務)?)(?P<name>[一-龥々ぁ-んァ-ヶー]{{1,6}}[\s　])",
        entry,
    )
    if match and entry[match.end("title")] not in " 　":
        return f"{match['title']} {entry[match.start('name') :]}"
    return entry
