"""A label's words into speaker, organisation and title; rosters and aliases.

Here: taking a label apart, and what the text itself says about its people (attendance
lists, 「以下、」 aliases, self-introductions). Which role follows is decided in ``roles``.
``styles``, ``roles`` and ``segment`` import this module.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.cues import STAGE_LINE, role_of_title


class Speaker(NamedTuple):
    """Who speaks, as far as the label says; each None if it does not."""

    name: str | None = None
    organisation: str | None = None
    title: str | None = None

    @property
    def key(self) -> str | None:
        """What identifies the speaker within one transcript."""
        return self.name or self.organisation or self.title


_ORGANISATION = (
    r"(?:証券|アセットマネジメント|アセット|投信|新聞社?|通信社?|銀行|信託|保険|生命|キャピタル|インベストメンツ?|投資顧問|テレビ|放送|総研"
    r"|研究所|リサーチ|パートナーズ|ファンド|ホールディングス|株式会社|Securities|Capital|Asset Management|Bank|Research|Partners|NHK|ＮＨＫ)"
)
_ORG_TOKEN = re.compile(rf"[^\s　]{{0,30}}{_ORGANISATION}$")
_ORG_JOINED = re.compile(
    rf"(?P<org>[^\s　・]{{0,30}}?{_ORGANISATION})[・／/]?(?P<name>[一-龥々ァ-ヶーぁ-ん]{{1,5}}(?:記者)?)$"
)
_TITLE_WORD = (
    r"(?:代表|専務|常務|上席|上級|副|筆頭)?(?:取締役|執行役員?|監査役)?(?:兼)?(?:社長|会長|副社長|専務|常務|CEO|CFO|COO|CTO|CIO|ＣＥＯ|ＣＦＯ"
    r"|委員長|委員|議長|座長|部長|局長|次長|課長|室長|知事|大臣|総裁|頭取|参事|長官|理事長|理事|記者|アナリスト|取締役|執行役員?|監査役|役員|司会者?|事務局)"
)
_TITLE_TOKEN = re.compile(
    rf"(?:[^\s　]{{0,20}})?{_TITLE_WORD}(?:{_TITLE_WORD})?(?:兼[^\s　]{{1,12}})?$"
)
_BARE_TITLE = re.compile(rf"(?:{_TITLE_WORD}){{1,2}}(?:兼[^\s　]{{1,12}})?$")
_TITLE_END = re.compile(rf"{_TITLE_WORD}(?:兼[^\s　]{{1,12}})?$")
_ALIAS = re.compile(
    r"[（(](?:[^（()）\n]{0,30}[。、，])?\s?以下[、，,]?\s?[「『]?([^）)」』\n]{1,20})[」』]?\s?[）)]"
)
_INTERPRETED = re.compile(r"\s?[\[(](?i:interpreted|through interpreter|foreign language)[\])]")
#: The number of a turn behind its speaker: ``Operator [1]``.
TURN_NUMBER = re.compile(r"\s?[\[(][0-9]{1,4}[\])]$")
_INTERPRETER = re.compile(r"[（(](?:逐次)?(?:通訳者?|日本語訳)[）)]$")
_PAREN = re.compile(r"(?P<outer>[^（()）]{1,40})[（(](?P<inner>[^（()）]{1,40})[）)]$")
_HONORIFIC = re.compile(r"(?:(?<=[^\s　]{2})|[ 　])(?:様|さま|氏|さん|君)$")
_ENGLISH = re.compile(r"[A-Z][A-Za-z.'’& -]{1,60}?\s?(?:--|[-–—|,/])\s")
_POSITION = re.compile(
    r"(?i:(?:senior |sell-side |equity )*(?:research )?(?:analyst|reporter|associate))$"
)
_TYPESET = str.maketrans("–—’‘“”", "--''\"\"")
_SPACES = re.compile(r"[\s　]+")


@lru_cache(maxsize=4096)
def parse_label(label: str) -> Speaker:
    """``label`` taken apart. A single word keeps its title (山下委員長 is one speaker)."""
    text = _INTERPRETED.sub("", _ALIAS.sub("", label)).strip(" 　\t・:：")
    text = TURN_NUMBER.sub("", text)
    if not text:
        return Speaker()
    if is_latin(text) and _ENGLISH.match(text):
        return _english(text)
    match = _PAREN.match(text)
    if match:
        return _with_brackets(match["outer"].strip(" 　"), match["inner"].strip(" 　"))
    tokens = [token for token in _SPACES.split(text) if token]
    return _single(tokens[0]) if len(tokens) == 1 else _tokens(tokens, text)


def is_latin(text: str) -> bool:
    """ASCII but for the dashes and quotes that English typesetting uses."""
    return text.translate(_TYPESET).isascii()


def _told(words: str) -> bool:
    """Whether words name a title or a house."""
    return role_of_title(words) is not None or _ORG_TOKEN.search(words) is not None


def _english(text: str) -> Speaker:
    parts = [p.strip() for p in re.split(r"\s(?:--|[-–—|/])\s|,\s", text) if p.strip()]
    if len(parts) == 2 and _told(parts[0]) and not _told(parts[1]):
        parts.reverse()  # ``President - Ichiro Saegusa``
    if len(parts) >= 3:
        first, second = parts[1], parts[2]
        title = role_of_title(first) == "answer" and role_of_title(second) is None
        if title or _POSITION.match(first):
            first, second = second, first
        return Speaker(parts[0], first, second)
    if len(parts) == 2:
        is_title = role_of_title(parts[1]) is not None and not _ORG_TOKEN.search(parts[1])
        return Speaker(parts[0], None if is_title else parts[1], parts[1] if is_title else None)
    return Speaker(parts[0] if parts else None)


def _with_brackets(outer: str, inner: str) -> Speaker:
    if _INTERPRETER.search(f"（{inner}）"):
        return parse_label(outer)
    if role_of_title(outer) and not role_of_title(inner):
        return Speaker(_HONORIFIC.sub("", inner), None, outer)
    if _ORG_TOKEN.match(inner):
        return Speaker(_HONORIFIC.sub("", outer), inner, None)
    if _ORG_TOKEN.match(outer):
        return Speaker(_HONORIFIC.sub("", inner), outer, None)
    if role_of_title(inner):
        return Speaker(_HONORIFIC.sub("", outer), None, inner)
    return Speaker(_HONORIFIC.sub("", outer), inner, None)


def _single(token: str) -> Speaker:
    if _ORG_TOKEN.match(token):
        return Speaker(None, token, None)
    joined = _ORG_JOINED.match(_HONORIFIC.sub("", token))
    if joined:
        return Speaker(joined["name"], joined["org"], None)
    title = _TITLE_END.search(token)
    return Speaker(_HONORIFIC.sub("", token), None, title[0] if title else None)


def _tokens(tokens: list[str], text: str) -> Speaker:
    if text.isascii():
        return Speaker(text)
    names: list[str] = []
    organisation: list[str] = []
    titles: list[str] = []
    while len(tokens) > 1 and names_no_person(tokens[-1]):  # 「三枝 一郎　取締役」
        (titles if _BARE_TITLE.match(tokens[-1]) else organisation).insert(0, tokens.pop())
    for token in tokens:
        if not names and _ORG_TOKEN.match(token):
            organisation.append(token)
        elif not names and _TITLE_TOKEN.match(token):
            titles.append(token)
        else:
            names.append(token)
    if not organisation and len(names) > 1 and re.search(r"(?:記者|アナリスト|様)$", names[-1]):
        organisation, names = names[:-1], names[-1:]
    name = _HONORIFIC.sub("", " ".join(names)).strip() or None
    title = " ".join(titles) or None
    return Speaker(name or title, " ".join(organisation) or None, title)


GENERIC = re.compile(
    r"(?:記者|質問者|質問|株主様?|アナリスト|投資家|機関投資家|参加者|委員|(?i:analyst|reporter|unidentified .{1,20}))$"
)
_NUMBERED = r"(?:(?i:speaker|spk|person)[ _-]?[\dA-Z]{1,5}|(?:話者|発言者|スピーカー)[ _]?[0-9０-９A-ZＡ-Ｚ]{1,5})"
DIARISED = re.compile(rf"{_NUMBERED}$")
#: The same before words or alone on a line.
DIARISED_HEAD = re.compile(
    rf"[ \t　]{{0,4}}(?P<label>{_NUMBERED})(?:[ \t　]{{1,8}}(?=[^\s　])|[ \t　]{{0,4}}$)"
)
_ANONYMOUS = re.compile(
    r"(?:質問者|株主|参加者|回答者|(?:会場|オンライン|フロア|チャット|来場者|聴講者|出席者)(?:の方|参加者)?)[0-9０-９A-ZＡ-Ｚ]{0,3}$"
    r"|[A-ZＡ-Ｚ](?:氏|さん|様)$|[^\s　]{1,12}(?:氏|様)$"
)
#: Those whom a company's record does not name: 「A氏」, 「株主1」.
OUTSIDER = re.compile(
    r"(?:質問者|株主|参加者|投資家|(?:会場|オンライン|フロア|チャット|聴講者)(?:の方|参加者)?)[^\s　（(]{0,3}(?:[（(][^（()）]{1,12}[）)])?$|[A-ZＡ-Ｚ](?:氏|さん|様)$"
    r"|(?:取引先|顧客|お?客様|販売店|来場者|利用者|会員|市民|住民|学生|社員)[A-ZＡ-Ｚ0-9０-９]?(?:[（(][^（()）]{1,12}[）)])?$"
)


@lru_cache(maxsize=4096)
def is_party(label: str) -> bool:
    """True if the label itself shows that it names somebody: title, house or set form."""
    if _NOTE_BEHIND.search(label):
        return False
    if alias_of(label) or role_of_title(label) or DIARISED.match(label):
        return True
    if _PART_WORD.match(label) or OUTSIDER.match(label) or _INTERPRETER.search(label):
        return True
    if _ANONYMOUS.match(label):
        return True
    return parse_label(label).organisation is not None


#: A heading's note, which makes no name of it: 「日本語訳（参考）」.
_NOTE_BEHIND = re.compile(
    r"[（(](?:参考|抜粋|要旨|要約|概要|抄|抄録|仮訳|和訳|訳文|暫定版?|案|確定版?|続き|再掲|前半|後半|前編|後編|注[0-9０-９]?|単位[^）)]*|その[0-9０-９一二三]|一部|全文|敬称略|順不同)[）)]$"
)
#: What a company calls its own part of a record: 「説明（神林）」, 「◎挨拶」.
_PART_WORD = re.compile(
    r"(?:ご?説明|ご?挨拶|冒頭(?:挨拶|発言|説明)|発表|進行|司会|回答|会社側?|当社側?)者?(?:[（(][^（()）]{1,20}[）)])?$"
    r"|(?i:executives?|management|company|(?:participant|investor|audience(?: member)?|attendee|caller|shareholder)(?: ?#?\d{1,2}| [A-Z])?|host|interviewer|speaker from the company)$"
)
_SHORT_NAME = re.compile(
    r"(?:[一-龥々]{1,4}(?:[ 　][一-龥々ぁ-んァ-ヶー]{1,4})?|[ァ-ヶー・]{2,10})(?:さん|氏|様|記者)?"
    r"|(?:(?:Mr|Ms|Mrs|Dr)\. )?[A-Z][a-zA-Z'’-]{1,15}(?: [A-Z][a-zA-Z'’-]{1,15}){0,2}"
)


@lru_cache(maxsize=4096)
def is_short_name(label: str) -> bool:
    """True if the label has the form of a name: one to four Chinese characters, and the like."""
    return _SHORT_NAME.fullmatch(label) is not None


@lru_cache(maxsize=4096)
def names_no_person(label: str) -> bool:
    """True if the label is a title or a house only, so that a name may follow."""
    return _ORG_TOKEN.match(label) is not None or _BARE_TITLE.match(label) is not None


def is_post(words: str) -> bool:
    """True if every word ends as a title does: 「IR部長」, 「執行役員 経営企画部長」."""
    return all(_TITLE_TOKEN.match(word) for word in words.split())


def alias_of(label: str) -> str | None:
    """The short name that a label introduces: 安藤 in ``安藤太郎（以下、安藤）``."""
    match = _ALIAS.search(label)
    return match[1].strip() if match else None


_ROSTER_SIDE: tuple[tuple[re.Pattern[str], Role], ...] = (
    (
        re.compile(
            r"[\s　]*(?:出席)?説明員|[\s　]*[【＜■□◆●]?[\s　]?(?:登壇者?|説明者|発表者|当社(?:側)?出席者|会社側|回答者|会見者)"
        ),
        "answer",
    ),
    (
        re.compile(r"(?i:[\s#*]*(?:corporate |company )?(?:participants|executives|management)\b)"),
        "answer",
    ),
    (
        re.compile(
            r"[\s　]*出席委員|[\s　]*[【＜■□◆●]?[\s　]?(?:質問者|アナリスト)(?:一覧)?[】＞]?[\s　]*$"
        ),
        "question",
    ),
    (
        re.compile(
            r"(?i:[\s#*]*(?:conference call (?:participants|analysts)|(?:call )?analysts)\b)"
        ),
        "question",
    ),
)
_ROSTER_END = re.compile(r"[\s　]*(?:欠席|本日の|報告事項|[【■]|[0-9０-９]+[.．])|[^\n]{60,}")
_ROSTER_LINE = re.compile(r"[\s　・*-]*(?:[:：])?(?P<line>[^。\n]{2,60})$")
_ROSTER_LATIN = re.compile(r"[\s•*-]*(?P<line>[^\n]{2,160})$")
_ROSTER_INLINE = re.compile(r"[：:][\s　]*(?P<line>[^。\n]{2,80})$")
MAX_ROSTER_LINES = 400
MIN_SPEECH = 80
MIN_LOWER = 5
_LOWER = re.compile(r"(?<![\w.])[a-z][a-z'’]*")


class Roster(NamedTuple):
    """Names with the side that the attendance lists tell, and the lists' line numbers."""

    sides: dict[str, Role]
    lines: frozenset[int]


#: A list of everybody: each entry's title tells its side.
_ROSTER_ALL = re.compile(
    r"[\s　]*[【＜■□◆●○・]?[\s　]?(?:出席者?|参加者?|対応者?|応対者|当社側?|会社側|司会(?:進行)?者?)(?:】|＞)?(?=[：:　 \t]|$)"
)
_ROSTER_REST = re.compile(r"[：:　 \t]+(?P<line>[^。\n]{2,80})$")


def read_roster(lines: list[str]) -> Roster:
    """The attendance lists among the first lines.

    A family name that stands on both sides is left out.
    """
    found: dict[str, set[Role]] = {}
    numbers: list[int] = []
    side: Role | None = None
    header, open_list = -2, False
    for number, line in enumerate(lines[:MAX_ROSTER_LINES]):
        new = next((role for pattern, role in _ROSTER_SIDE if pattern.match(line)), None)
        if new is not None and len(line) <= 60 and not _speaks_below(lines, number):
            side, header = new, number
            numbers.append(number)
            inline = _ROSTER_INLINE.search(line)
            if inline:
                _enter(found, inline["line"], side)
            continue
        if _ROSTER_ALL.match(line) and len(line) <= 80 and not _speaks_below(lines, number):
            side, header = None, number
            open_list = _everybody(found, line)
            if open_list:
                numbers.append(number)
            continue
        if not line.strip():
            side = side if header == number - 1 else None
            open_list = open_list and header == number - 1
            continue
        if open_list and side is None:
            open_list = line[:1] in " 　・-" and _titled(found, line)
            if open_list:
                numbers.append(number)
                continue
        first = role_of_title(line.strip()) == "moderator" or line.strip() in found
        latin = is_latin(line)
        ended = _is_sentence(line) if latin else _ROSTER_END.match(line) is not None
        if side is None or ended or (first and _speaks_below(lines, number)):
            side = None
            continue
        match = (_ROSTER_LATIN if latin else _ROSTER_LINE).match(line)
        if match:
            numbers.append(number)
            _enter(found, match["line"], side)
    sides = {name: next(iter(told)) for name, told in found.items() if len(told) == 1}
    return Roster(sides, frozenset(numbers))


def _speaks_below(lines: list[str], number: int) -> bool:
    """Whether a sentence stands under the line: then 「質問者」 is a label and no list's head."""
    below = lines[number + 1 : number + 4]
    following = next((x for x in below if x.strip() and not STAGE_LINE.match(x)), "")
    if is_latin(following):
        return _is_sentence(following)
    return following.rstrip().endswith(("。", "？")) or len(following) >= MIN_SPEECH


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
        words = _title_before_name(entry.strip(" 　・*•-（("))
        parts = [part for part in _SPACES.split(words) if part]
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


def _enter(found: dict[str, set[Role]], line: str, side: Role) -> None:
    for entry in re.split(r"[、,／/;]", line) if not is_latin(line) else [line]:
        speaker = parse_label(_title_before_name(entry.strip(" 　・*•-")))
        if speaker.name and len(speaker.name) >= 2:
            if role_of_title(speaker.title or "") == "moderator":
                side = "moderator"
            _enter_name(found, speaker.name, side)


def _enter_name(found: dict[str, set[Role]], name: str, side: Role) -> None:
    """The whole name and the family name."""
    found.setdefault(name, set()).add(side)
    words = _SPACES.split(name)
    if len(words) > 1:
        found.setdefault(words[-1] if name.isascii() else words[0], set()).add(side)


def _title_before_name(entry: str) -> str:
    """「総務部長三枝　健二君」 with a space between title and name."""
    match = re.match(
        rf"(?P<title>[^\s　]{{0,30}}?{_TITLE_WORD}(?:兼務)?)(?P<name>[一-龥々ぁ-んァ-ヶー]{{1,6}}[\s　])",
        entry,
    )
    if match and entry[match.end("title")] not in " 　":
        return f"{match['title']} {entry[match.start('name') :]}"
    return entry


_LEADING_BRACKET = re.compile(r"[（(]([^（()）\n]{2,30})[）)]")
_INTRODUCTION = re.compile(
    r"(?:^|[。、，\s　])(?P<org>[^\s　。、，「」はがをもで]{2,24})の[、，]?(?:(?:えー|ええ|あの)[、，]?)?"
    r"(?P<name>[一-龥々ァ-ヶー]{1,6}|[ぁ-ん]{2,4})(?:と申し|と言い|といい|です(?!か|が、これ|ね)|でございます(?!が、これ))"
)
_ANNOUNCED = re.compile(
    r"(?:^|[。、，\s　])(?P<org>[^\s　。、，「」はがをもで]{2,24})(?:の|[\s　・])[\s　]?(?P<name>[一-龥々ァ-ヶー]{1,6})(?:様|さま|さん)"
)
_NOT_PEOPLE = re.compile(
    r"^(?:者|方|次|話|点|件|年|月|期|形|円|程度)$|問題|状況|影響|見通し|水準|要因|理由|方針|考え|通り|結果|部分|数字|前提|計画|課題|感じ|意味|質問|背景"
)


def introduction(text: str) -> Speaker | None:
    """Who introduces himself in the first 90 characters: 「北星証券の田所です」.

    A house and name in brackets before the words counts as well: 「（北星証券・田所氏）…」.
    """
    bracket = _LEADING_BRACKET.match(text)
    if bracket and _ORG_TOKEN.match(re.split(r"[\s　・]", bracket[1])[0]):
        return parse_label(bracket[1].replace("・", " "))
    match = _INTRODUCTION.search(text[:90])
    if match is None or _NOT_PEOPLE.search(match["name"]) or match["org"][-1] in "のこそあど":
        return None
    organisation = match["org"]
    if not (_ORG_TOKEN.match(organisation) or role_of_title(organisation)):
        return None
    if _ORG_TOKEN.match(organisation):
        return Speaker(match["name"], organisation, None)
    return Speaker(match["name"], None, organisation)


_CALLED = re.compile(
    r"(?:[Qq]uestion|[Nn]ext|line of|[Ff]irst one|go to)\b(?:[^.?!\n]{0,60}?(?:from|is|have|to|by|of|with)|,)\s"
    r"(?:(?:Mr|Ms|Mrs|Dr)\.\s)?(?P<name>[A-Z][A-Za-z.'’-]{1,20}(?:\s[A-Z][A-Za-z.'’-]{1,20}){0,3})"
)


def called(text: str) -> list[str]:
    """Whom an operator calls to ask: ``Our next question comes from Owen Whitlock of …``."""
    return [match["name"].rstrip(".") for match in _CALLED.finditer(text[-400:])]


def announced(text: str) -> Speaker | None:
    """Whom a moderator calls last: 「東都アセットの森本様、お願いします」."""
    last = None
    for match in _ANNOUNCED.finditer(text[-200:]):
        last = match
    if last is None or not _ORG_TOKEN.match(last["org"]):
        return None
    return Speaker(last["name"], last["org"], None)
