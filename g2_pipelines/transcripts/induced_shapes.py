"""What may be a label at the head of a line, by its shape alone.

Here: a line's head taken apart into prefix, label and delimiter, whatever signs those are, and
whether words could name a speaker. Which shape a document's labels have is decided in
``induced``, which imports this module. Every pattern is anchored and bounded; a line costs a
constant.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from g2_pipelines.transcripts.labels import is_latin, is_party, is_short_name
from g2_pipelines.transcripts.lines import TIME
from g2_pipelines.transcripts.no_speakers import no_speaker
from g2_pipelines.transcripts.qa_marks import A, Q, Side

#: Characters of a line's head that are looked at, and places where a label may end there.
HEAD, MAX_ENDS = 72, 5
MAX_LABEL, MAX_LATIN, MAX_LATIN_WORDS = 24, 60, 8
_OPEN = "（(【\\[〔<＜［《〈｛{「『“‹«"
_CLOSE = "）)】\\]〕>＞］》〉｝}」』”›»"
_DATE = r"(?:19|20)[0-9]{2}[-/.年][0-9]{1,2}[-/.月][0-9]{1,2}日?[T 　,、]{0,2}"
_TIME = rf"(?:{_DATE})?(?:T\+)?(?:{TIME}|[0-9０-９]{{1,2}}時[0-9０-９]{{1,2}}分|[0-9０-９]{{1,3}}分[0-9０-９]{{1,2}}秒)(?:頃|ごろ|Z| ?[AaPp][Mm]\b)?"
_ATOM = re.compile(
    rf"(?P<time>[{_OPEN}]?(?:{_TIME})(?:[ ]?(?:-->|[-–~〜～－→])[ ]?{_TIME})?[{_CLOSE}]?(?![0-9０-９]))"
    rf"|(?P<number>[{_OPEN}][0-9０-９]{{1,4}}[{_CLOSE}]|(?:No\.?[ ]?|[#＃第][ ]?)?[0-9０-９]{{1,4}}(?:[-－][0-9０-９]{{1,3}})?(?:[.．)）、:：|｜/／]|[,，](?![0-9０-９]{{3}})|(?=[ \t　]))|[①-⑳])"
    rf"|(?P<tag>[{_OPEN}](?:(?P<q>(?:{Q})[0-9０-９]{{0,2}})|(?P<a>(?:{A}|説明|補足|発表|報告)[0-9０-９]{{0,2}}))[{_CLOSE}])"
    r"|(?P<sign></?[a-z]{1,6}>|(?:[^\w\s]|_){1,4})"
)
_BRACKETS = _OPEN.replace("\\", "")
_GAP = re.compile(r"[ \t　]{0,8}")
#: A run of signs and spaces at which a label may end.
#: 「(司会)広報　…」 behind a time: what is done, before who does it.
_LEADS = re.compile(rf"[{_OPEN}](?:進行|司会)[{_CLOSE}](?=\w)")
_RUN = re.compile(
    r"[ \t　]*[-=~]{1,3}[>＞→][ \t　]*|</?[a-z]{1,6}>[ \t　]*|(?:[^\w・.．'’&\-]|_){1,12}|[-.．・]{2,6}[ \t　]{0,4}|(?<=[\s　])[-.・]{1,3}[ \t　]{1,4}|[.．](?=[ \t　])"
)
_NOTE = re.compile(r"[（(\[［【<＜〈《「『][^（()）\[\]［］【】<>\n]{1,24}[）)\]］】>＞〉》」』]")
_AFTER_TIME = re.compile(rf"[{_OPEN}]?(?:{_TIME})[^\w\n]{{0,6}}")
#: What may stand behind a label that fills its line.
_TAIL = re.compile(
    rf"(?:[ \t　]{{0,8}}(?:[{_OPEN}]?(?:{_TIME})(?:[ ]?(?:-->|[-–~〜～－→])[ ]?{_TIME})?[{_CLOSE}]?|[{_OPEN}#＃][0-9０-９]{{1,4}}[{_CLOSE}]?|[^\w\s]{{1,4}})){{1,3}}[ \t　]{{0,4}}$"
)
_SPACES = re.compile(r"[\s　]+")
_STOPPED = re.compile(r"(?<!Inc)(?<!Ltd)(?<!Co)(?<!Corp)(?<!Jr)(?<!Sr)[.．:：]$")
_SIGNS = re.compile(
    r"[^\w\s・.．,'’&\-－/／（）()［］\[\]【】#＃〇○|@]|@[0-9]|_|[,，\[\]（(] ?[0-9]{1,2}$|^[^\[]*\][^\]]*\["
)
_ENDS_SENTENCE = "。！？!?"
#: Figures, dates and clauses, which are no names.
_FIGURE = re.compile(
    r"[0-9０-９一二三四五六七八九十百]+(?:年|月|日|時|分|秒|円|人|名|社|件|条|章|節|項|号|回|期|ページ|頁|%|％|億|万|か国|カ国|歳|階)|^[0-9０-９.,，．%％/／:：-]+$|^第[0-9０-９一二三四五六七八九十]"
)
#: The end of a clause rather than of a name.
_CLAUSE = re.compile(
    r"(?:[はがをにへとでもの]|から|まで|より|ので|ため|けど|です|ます|した|する|いる|ある|ない|れば|たら|って|など|とき|こと|よう|的に)$"
)
#: Words that begin sentences again and again.
_CONNECTS = re.compile(
    r"(?:また|なお|まず|次に|さらに|そして|しかし|一方|一方で|ただ|ただし|例えば|たとえば|今後|今回|今年|今期|昨年|昨期|今年度|前期|来期|当期|上期|下期|現在|最後|最後に|以上|さて|はい|いえ|いいえ|ええ|うん|えー|えーと|あの|まあ|では|それでは|それで|で|結果|実際|実は|特に|同時に|もちろん|つまり|その後|本日|昨日|当時|同社|同年|同日|合計|小計|総計|計|第一|第二|第三|続いて|続きまして|ところで|だから|でも|なるほど|そう|そうですね|正直|もう1点|もう一つ|資料|以下|注|※|例"
    r"|(?i:and|but|so|well|now|then|yes|no|okay|ok|thank you|thanks|however|also|first|second|third|finally|next|today|note|total|source|table|figure|section|article|chapter|page|item|step|part|version))$"
)
_NUMBERED = re.compile(
    r"(?P<stem>[^\W\d_][^\n]{0,16}?)[ 　_#-]{0,2}(?:No\.?[ ]?)?(?P<n>[0-9０-９]{1,3}|[A-ZＡ-Ｚ]{1,2}|[甲乙丙丁戊己])$"
)
_LATIN_WORD = re.compile(
    r"(?:[A-Z][A-Za-z.'’-]*|[A-Z]{1,4}|&|of|and|the|de|van|von|del|der|di)[,.]?$"
)


class Head(NamedTuple):
    """A label's candidate: its shape, its words, where the speech begins, what a tag says."""

    shape: str
    label: str
    end: int
    side: Side | None


def heads(text: str, start: int, end: int, *, below: bool) -> list[Head]:
    """The candidates at the head of [start, end); ``below``: words stand on the next line."""
    prefix, position, side = _prefix(text, start, min(end, start + HEAD))
    found = [
        Head(f"{prefix}…{signs}", label, stop, side)
        for signs, label, stop in _ended(text, position, min(end, position + HEAD), end)
    ]
    if below and end - position <= HEAD and (own := _own(text, prefix, position, end, side)):
        found.append(own)
    return found


def _prefix(text: str, start: int, limit: int) -> tuple[str, int, Side | None]:
    """Signs, numbers, times and a tag's side before the label; only the last signs are shape."""
    shape, timed = "", False
    side: Side | None = None
    position = _gap(text, start, limit)
    for _ in range(5):
        leads = _LEADS.match(text, position, limit) if timed else None
        if leads is not None:
            shape, position = "tag", leads.end()
            break
        match = _ATOM.match(text, position, limit)
        if match is None:
            break
        timed = timed or match["time"] is not None
        if match["q"] or match["a"]:
            side = "question" if match["q"] else "answer"
        sign = (match["sign"] or "")[-1:]
        shape = sign if sign and sign in _BRACKETS else "tag" if match["tag"] else ""
        position = _gap(text, match.end(), limit)
    return shape, position, side


def _gap(text: str, position: int, limit: int) -> int:
    match = _GAP.match(text, position, limit)
    return match.end() if match else position


def _ended(text: str, position: int, limit: int, end: int) -> list[tuple[str, str, int]]:
    """Delimiter, label and end of what may be a label; words stand behind on the line."""
    found: list[tuple[str, str, int]] = []
    at = position
    while at < limit and len(found) < MAX_ENDS:
        run = _RUN.search(text, at, limit)
        if run is None or any(sign in _ENDS_SENTENCE for sign in run[0]):
            break
        note = _NOTE.match(text, run.start(), limit)
        label, stop = text[position : run.start()].strip(" 　\t"), run.end()
        at = note.end() if note is not None else stop
        if not label or stop >= end:
            continue
        if run[0].isspace():
            if run[0] != " " or not is_latin(label):  # else within a name
                found.append(("␣" if run[0] == " " else "　", label, stop))
            continue
        timed = _AFTER_TIME.match(text, stop, limit) or (
            None if note is None else _AFTER_TIME.match(text, run.start(), limit)
        )
        signs = _SPACES.sub("", run[0])[:4]
        found.append((signs, label, timed.end() if timed else stop))
    return found


def _own(text: str, prefix: str, position: int, end: int, side: Side | None) -> Head | None:
    whole = text[position:end]
    tail = _TAIL.search(whole)
    words = whole[: tail.start()] if tail else whole
    label = words.strip(" 　\t")
    if not label or label[-1] in _ENDS_SENTENCE or _STOPPED.search(label):
        return None
    signs = re.sub(r"[\w\s　:：.]", "", tail[0])[:4] if tail else ""
    timed = "t" if tail and re.search(r"\d", tail[0]) else ""
    return Head(f"{prefix}=own{timed}{signs}", label, end, side)


@lru_cache(maxsize=8192)
def may_name(label: str) -> bool:
    """Whether words could name who speaks: no sentence, figure, form's field or connective."""
    if not label or _SIGNS.search(label):
        return False
    if any(label.count(a) != label.count(b) for a, b in ("（）", "()", "【】", "[]", "「」", "<>")):
        return False
    bare = re.sub(r"[（(\[［【][^（()）\]］】]{0,30}[）)\]］】]", "", label).strip(" 　")
    if not bare or not any(c.isalpha() for c in bare):
        return False
    if _FIGURE.search(bare) or _CONNECTS.match(bare) or no_speaker(_SPACES.sub("", bare)):
        return False
    if is_latin(bare):
        words = bare.split()
        return (
            len(label) <= MAX_LATIN
            and len(words) <= MAX_LATIN_WORDS
            and all(_LATIN_WORD.match(w) or not w[:1].isalpha() for w in words)
        ) or is_party(bare)
    return len(bare) <= MAX_LABEL and not (_CLAUSE.search(bare) and not is_party(bare))


@lru_cache(maxsize=8192)
def shows_party(label: str) -> bool:
    """Whether the label itself says that it is a party to a call, by title, house or set form."""
    return is_party(label) or is_party(_SPACES.sub("", label))


@lru_cache(maxsize=8192)
def like_name(label: str) -> bool:
    """Whether the label has a name's form, alone or behind or before a house or title."""
    bare = re.sub(r"[（(\[［【][^（()）\]］】]{0,30}[）)\]］】]", "", label).strip(" 　")
    return is_short_name(bare) or all(
        is_short_name(word) for word in re.split(r"[\s　・/／]+", bare)
    )


def stem_of(label: str) -> str | None:
    """What a numbered label is a number of: 「声」 of 「声1」; None if it has no number."""
    match = _NUMBERED.match(label)
    return match["stem"].strip() if match else None


_TAG = re.compile(
    rf"(?:(?P<q>{Q})|(?P<a>{A}))[ 　-]?[0-9０-９]{{0,3}}(?:[-－][0-9０-９]{{1,2}})?(?:[・:：／/ 　](?P<who>[^\n]{{1,30}}))?$"
)


@lru_cache(maxsize=8192)
def tag_of(label: str) -> tuple[Side, str] | None:
    """What 「質問2」, ``Q-3`` or 「答・来生常務」 say: a side, and who is named besides."""
    match = _TAG.match(label)
    if match is None:
        return None
    return ("question" if match["q"] else "answer"), (match["who"] or "").strip()
