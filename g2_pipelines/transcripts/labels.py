"""A label's words into speaker, organisation and title.

Here: taking a label apart, its alias, and whether it shows by itself that it names somebody.
Attendance lists stand in ``rosters``, what people say of themselves in ``introductions``;
which role follows is decided in ``roles``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from g2_pipelines.transcripts.cues import role_of_title


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
    r"(?:証券|アセットマネジメント|アセット|投信|新聞社?|通信社?|[日時新週月]報|日日|タイムス|銀行|信託|保険|生命|キャピタル|インベストメンツ?|投資顧問|テレビ|放送|総研"
    r"|研究所|リサーチ|パートナーズ|ファンド|ホールディングス|株式会社|Securities|Capital|Asset Management|Bank|Research|Partners|NHK|ＮＨＫ)"
)
ORG_TOKEN = re.compile(rf"[^\s　]{{0,30}}{_ORGANISATION}$")
_ORG_JOINED = re.compile(
    rf"(?P<org>[^\s　・]{{0,30}}?{_ORGANISATION})[・／/]?(?P<name>[一-龥々ァ-ヶーぁ-ん]{{1,5}}(?:記者)?)$"
)
TITLE_WORD = (
    r"(?:代表|専務|常務|上席|上級|副|筆頭)?(?:取締役|執行役員?|監査役)?(?:兼)?(?:社長|会長|副社長|専務|常務|C[A-Z]{1,3}O|Ｃ[Ａ-Ｚ]{1,3}Ｏ"
    r"|委員長|委員|議長|座長|部長|局長|次長|課長|室長|知事|大臣|総裁|頭取|参事|長官|理事長|理事|記者|アナリスト|取締役|執行役員?|監査役|役員|司会者?|事務局)"
)
_TITLE_TOKEN = re.compile(
    rf"(?:[^\s　]{{0,20}})?{TITLE_WORD}(?:{TITLE_WORD})?(?:兼[^\s　]{{1,12}})?$"
)
_BARE_TITLE = re.compile(rf"(?:{TITLE_WORD}){{1,2}}(?:兼[^\s　]{{1,12}})?$")
_TITLE_END = re.compile(rf"{TITLE_WORD}(?:兼[^\s　]{{1,12}})?$")
_ALIAS = re.compile(
    r"[（(](?:[^（()）\n]{0,30}[。、，])?\s?以下[、，,]?\s?[「『]?([^）)」』\n]{1,20})[」』]?\s?[）)]"
)
_INTERPRETED = re.compile(r"\s?[\[(](?i:interpreted|through interpreter|foreign language)[\])]")
#: The number of a turn behind its speaker: ``Operator [1]``.
TURN_NUMBER = re.compile(r"\s?[\[(][0-9]{1,4}[\])]$")
#: Between a name and a house that are set apart by spaces only.
WIDE_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_INTERPRETER = re.compile(r"[（(](?:逐次)?(?:通訳者?|日本語訳)[）)]$")
_PAREN = re.compile(r"(?P<outer>[^（()）]{1,40})[（(](?P<inner>[^（()）]{1,40})[）)]$")
#: 「政府参考人（森林部長）（桂木徹君）」: a post, then the name.
_TWICE = re.compile(r"^([^（()）]{1,40})[（(]([^（()）]{1,30})[）)]([（(][^（()）]{1,30}[）)])$")
_HONORIFIC = re.compile(r"(?:(?<=[^\s　]{2})|[ 　])(?:様|さま|氏|さん|君)$")
_ENGLISH = re.compile(r"[A-Z][A-Za-z.'’& -]{1,60}?\s?(?:--|[-–—|,/])\s")
_POSITION = re.compile(
    r"(?i:(?:senior |sell-side |equity )*(?:research )?(?:analyst|reporter|associate))$"
)
_TYPESET = str.maketrans("–—’‘“”", "--''\"\"")
SPACES = re.compile(r"[\s　]+")


@lru_cache(maxsize=4096)
def parse_label(label: str) -> Speaker:
    """``label`` taken apart. A single word keeps its title (山下委員長 is one speaker)."""
    text = _INTERPRETED.sub("", _ALIAS.sub("", label)).strip(" 　\t・:：")
    text = TURN_NUMBER.sub("", text)
    if is_latin(text):
        text = WIDE_GAP.sub(" - ", text)
    if not text:
        return Speaker()
    if is_latin(text) and _ENGLISH.match(text):
        return _english(text)
    text = _TWICE.sub(r"\1\2\3", text)
    match = _PAREN.match(text)
    if match:
        return _with_brackets(match["outer"].strip(" 　"), match["inner"].strip(" 　"))
    tokens = [token for token in SPACES.split(text) if token]
    return _single(tokens[0]) if len(tokens) == 1 else _tokens(tokens, text)


def is_latin(text: str) -> bool:
    """ASCII but for the dashes and quotes that English typesetting uses."""
    return text.translate(_TYPESET).isascii()


def _told(words: str) -> bool:
    """Whether words name a title or a house."""
    return role_of_title(words) is not None or ORG_TOKEN.search(words) is not None


def _english(text: str) -> Speaker:
    parts = [
        p.strip()
        for p in re.split(r"\s(?:--|[-–—|/])\s|,\s(?!(?:Inc|Ltd|LLC|Co|Corp|plc|L\.P)\b)", text)
        if p.strip()
    ]
    if len(parts) == 2 and _told(parts[0]) and not _told(parts[1]):
        parts.reverse()  # ``President - Ichiro Saegusa``
    if len(parts) >= 3:
        first, second = parts[1], parts[2]
        title = role_of_title(first) == "answer" and role_of_title(second) is None
        if title or _POSITION.match(first):
            first, second = second, first
        return Speaker(parts[0], first, second)
    if len(parts) == 2:
        is_title = role_of_title(parts[1]) is not None and not ORG_TOKEN.search(parts[1])
        return Speaker(parts[0], None if is_title else parts[1], parts[1] if is_title else None)
    return Speaker(parts[0] if parts else None)


def _with_brackets(outer: str, inner: str) -> Speaker:
    if _INTERPRETER.search(f"（{inner}）"):
        return parse_label(outer)
    if role_of_title(outer) and not role_of_title(inner):
        return Speaker(_HONORIFIC.sub("", inner), None, outer)
    if ORG_TOKEN.match(inner):
        return Speaker(_HONORIFIC.sub("", outer), inner, None)
    if ORG_TOKEN.match(outer):
        return Speaker(_HONORIFIC.sub("", inner), outer, None)
    if role_of_title(inner):
        return Speaker(_HONORIFIC.sub("", outer), None, inner)
    return Speaker(_HONORIFIC.sub("", outer), inner, None)


def _single(token: str) -> Speaker:
    if ORG_TOKEN.match(token):
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
        if not names and ORG_TOKEN.match(token):
            organisation.append(token)
        elif not names and _TITLE_TOKEN.match(token):
            titles.append(token)
        else:
            names.append(token)
    if not organisation and len(names) > 1 and re.search(r"(?:記者|アナリスト|様)$", names[-1]):
        organisation, names = names[:-1], names[-1:]
    name = _HONORIFIC.sub("", " ".join(names)).strip() or None
    title = " ".join(titles) or None
    glued = name or (titles[-1] if titles and not _BARE_TITLE.match(titles[-1]) else "")
    if glued and (name is None or title is None):  # 「サトウ記者」 keeps its title, as alone
        end = _TITLE_END.search(glued)
        title = end[0] if end else title
        name = name or glued
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
    r"[0-9０-９]{1,3}番(?:の方|様|さん|議員|委員)?(?:[（(][^（()）]{1,12}[）)])?$|"
    r"(?:質問者|株主|参加者|投資家|(?:会場|オンライン|フロア|チャット|聴講者)(?:の方|参加者)?)[^\s　（(]{0,3}(?:[（(][^（()）]{1,12}[）)])?$|[A-ZＡ-Ｚ](?:氏|さん|様)$"
    r"|(?:取引先|顧客|視聴者|傍聴者|読者|お?客様|販売店|(?:若い|年配の|ご?高齢の)?(?:男性|女性)|来場者|利用者|会員|市民|住民|学生|社員|債権者|組合員|加盟店|オーナー|保護者|患者|入居者|出資者)[A-ZＡ-Ｚ0-9０-９]?(?:さん|様|氏|の方)?(?:[（(][^（()）]{1,12}[）)])?$"
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
    r"(?:(?:会社側?|当社側?)(?:から)?の?)?(?:ご?説明|ご?挨拶|冒頭(?:挨拶|発言|説明)?|発言|発表|進行|司会|回答|会社側?|当社側?)者?(?:[（(][^（()）]{1,20}[）)])?$"
    r"|(?i:executives?|management|company|(?:participant|investor|audience(?: member)?|attendee|caller|shareholder|guest(?= ?#?\d))(?: ?#?\d{1,2}| [A-Z])?|host|interviewer|speaker from the company)$"
)
_SHORT_NAME = re.compile(
    r"(?:[一-龥々][一-龥々ヶケヵッノ]{0,4}(?<![ヶケヵッノ])(?:[ 　][一-龥々ぁ-んァ-ヶー]{1,4})?|[ァ-ヶー・]{2,10})(?:さん|氏|様|記者)?"
    r"|(?:(?:M[rRsS]|M[rR][sS]|D[rR])\.? )?[A-Z][a-zA-Z'’-]{1,15}(?: [A-Z][a-zA-Z'’-]{1,15}){0,2}"
)


@lru_cache(maxsize=4096)
def is_short_name(label: str) -> bool:
    """True if the label has the form of a name: one to four Chinese characters, and the like."""
    return _SHORT_NAME.fullmatch(label) is not None


@lru_cache(maxsize=4096)
def names_no_person(label: str) -> bool:
    """True if the label is a title or a house only, so that a name may follow."""
    return ORG_TOKEN.match(label) is not None or _BARE_TITLE.match(label) is not None


def is_post(words: str) -> bool:
    """True if every word ends as a title does: 「IR部長」, 「執行役員 経営企画部長」."""
    return all(_TITLE_TOKEN.match(word) for word in words.split())


def alias_of(label: str) -> str | None:
    """The short name that a label introduces: 安藤 in ``安藤太郎（以下、安藤）``."""
    match = _ALIAS.search(label)
    return match[1].strip() if match else None
