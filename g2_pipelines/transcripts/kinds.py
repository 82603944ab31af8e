"""What kind of record a transcript is, where nobody says.

Here: the signs of each kind in the clean text and its format, weighed, and the reason in
words. A manifest's word goes before any guess (``make``). The text's people and turns are
not looked at. ``make`` imports this module.

The signs are set phrases of publishers (「読みやすさのため編集」), of speech (fillers,
applause), of machines (cue times, numbers for speakers), and the plain style of a digest: a
company that sums up its answers writes 「…である」 or nouns, nobody speaks so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from g2_pipelines.tables.line1 import DocumentKind
from g2_pipelines.transcripts.clean import CleanText
from g2_pipelines.transcripts.cues import ARTEFACT_LINE
from g2_pipelines.transcripts.labels import DIARISED

ORDER: tuple[DocumentKind, ...] = ("asr", "company_digest", "edited", "verbatim")
HEAD, TAIL = 1500, 800
SPOKEN, DIGEST = 0.2, 0.5  # share of lines in plain style below and above
MIN_FILLERS = 2
MIN_NUMBERS = 3
MIN_UNSTOPPED = 300
MAX_SENTENCE = 100
MIN_LINES, MIN_DIGEST_LINES = 3, 5

_MACHINE = re.compile(
    r"自動(?:で|的に)?(?:文字起こし|書き起こし|生成|認識|字幕)|音声認識|(?:AI|ＡＩ|人工知能)[^。\n]{0,8}(?:文字起こし|書き起こし|議事録)"
    r"|(?i:whisper|auto-?generated|automatic(?:ally)? (?:transcri|generat)|machine[- ](?:generated|transcri))"
)
_DIARISED = re.compile(
    r"(?m)^[^\n]{0,30}?(?:(?i:speaker|spk)[ _-]?[0-9A-Z]{1,3}|話者[ _]?[0-9０-９A-ZＡ-Ｚ]{1,3})[\])）]?[:：\s]"
)
_EDITED = re.compile(
    r"(?:読みやす|分かりやす|わかりやす)[^。\n]{0,40}|(?:加筆|補筆)[^。\n]{0,10}(?:修正|訂正)?|言い回し[^。\n]{0,20}(?:整|直|修正|改)"
    r"|(?:一部|内容を)[^。\n]{0,12}(?:編集|修正|変更|省略|割愛)|編集(?:して|した|を加え)|再構成|(?i:edited for (?:clarity|length|readability)|lightly edited)"
)
_DIGEST_NOTE = re.compile(
    r"要約し(?:た|て|まとめ)|要約(?:です|になり)|要点(?:を|のみ)|簡潔に(?:まとめ|記載)|(?:主な|主要な)(?:ご?質問|質疑)|(?:頂いた|いただいた|寄せられた)(?:主な)?(?:ご?質問|質疑)(?:と|及び|および|への|に対する|・|[」』）)】]?[ 　]{0,2}(?:\n|$))|趣旨を(?:まとめ|要約)"
    r"|すべての発言を|全ての発言を|発言どおりでは|当社(?:が|にて|で)(?:まとめ|要約|作成)|抜粋|(?i:summary of (?:the )?(?:q ?& ?a|questions)|q ?& ?a summary|main questions)"
)
_DIGEST_TITLE = re.compile(
    r"要旨|要約|サマリー?|ダイジェスト|Ｑ＆Ａ集|質疑応答集|質疑応答の?概要|Q ?[&＆] ?A ?の?概要"
)
#: A company's own list of questions and answers: 「決算説明会　質疑応答（要旨）」, no record of a meeting.
_DIGEST_LIST = re.compile(
    r"(?m)(?:説明会|決算|セミナー|総会|コール|会議|計画|動画|ミーティング|IR|ＩＲ)[^\n。／/]{0,24}(?<!会見)(?<![0-9０-９．.][ 　])(?<![0-9０-９．.])[ 　]?(?:における)?(?:主な)?質疑応答"
    r"(?:[ 　]?(?:の|について)?[（(]?(?:要旨|要約|概要|サマリー?|集|まとめ|抜粋|一覧)[）)]?)?[ 　]{0,4}(?:$|[｜|])"
)
#: A company's meeting with investors, no press conference.
_MEETING = re.compile(r"説明会|決算|コール|計画|懇談|ミーティング|投資家")
_PRESS = re.compile(r"会見")
#: No company wrote that summary: a council's, a reporter's.
_PUBLIC = re.compile(
    r"会見|審議会|委員会|研究会|検討会|部会|ワーキング|協議会|議事(?:要旨|概要|の)|有志"
)
_LISTED = re.compile(
    r"(?m)^[\s　\-・]{0,3}[（(【]?(?:問|答|Q|A|Ｑ|Ａ|質問|回答)[0-9０-９]{0,2}[）)】：:.．　 ]"
)
MIN_LISTED = 4
#: What is said besides the matter; who edits a record leaves most of it out.
_COURTESY = re.compile(r"ありがとうございま")
MIN_COURTESIES = 3
_YES = re.compile(r"(?m)(?:^|[：　」）】])はい[、。]")
_ENGLISH_CALL = re.compile(r"(?i:transcript|(?:earnings|conference|investor|results) call)")
_OPERATOR = re.compile(r"(?m)^[^\n]{0,4}(?:Operator|OPERATOR|Coordinator)\b")
_RECORD = re.compile(
    r"速記|会議録|会見録|質疑応答録|全文(?:書き起こし|文字起こし)?|一言一句|逐語|発言のまま|そのまま(?:文字|書き)起こし|(?i:verbatim|full transcript)"
)
#: Minutes of who said what, but not 「議事要旨」.
_MINUTES = re.compile(r"議事録")
#: 「○石動里沙君　…」, 「○委員長（筑紫幹雄君）　…」.
_MEMBERS = re.compile(r"(?m)^[○〇◯][^\s　。、]{2,30}君[）)]?[ 　]")
_INTERVIEW = re.compile(r"(?m)^[ 　]{0,4}(?:ー{2}|―{1,2}|─{1,2}|—{1,2})[ 　]?[^\s―─—ー-]")
_FILLER = re.compile(
    r"(?<![ぁ-んァ-ヶー一-龥])(?:え[えー]{0,3}っ?と|え[ー]{1,3}|あの[ー]{0,3}(?=[、，])|その[ー]{1,3}|ま[あー](?=[、，]))|(?i:\b(?:um|uh|you know),)"
)
_POLITE = re.compile(
    r"(?:です|ます|ました|ません|でした|でしょう|ください|ございま|下さい)(?:か|ね|よ|が|けど|けれども|から)?[。？?\n）)」]"
)
_STOP = re.compile(r"[。.？?！!]")
_ANSWER_LINE = re.compile(r"(?m)^(?!\d{1,2}:\d{2})[^\n]{8,}$")


class Guess(NamedTuple):
    """A kind and the signs that spoke for it."""

    kind: DocumentKind
    reason: str


class _Sign(NamedTuple):
    kind: DocumentKind
    weight: float
    reason: str


def guess_kind(clean: CleanText) -> Guess:
    """The kind that the most weight speaks for; ``edited`` where no sign is found. Linear."""
    signs = list(_signs(clean))
    weights = {kind: sum(s.weight for s in signs if s.kind == kind) for kind in ORDER}
    best = max(ORDER, key=lambda kind: weights[kind])  # the earlier one of equals
    if not weights[best]:
        return Guess("edited", "no sign of another kind")
    return Guess(best, "; ".join(s.reason for s in signs if s.kind == best))


def _signs(clean: CleanText) -> Iterator[_Sign]:
    text = clean.text
    edges = text[:HEAD] + "\n" + text[-TAIL:]
    title = "\n".join([clean.title or "", *text[:300].split("\n")[:4]])
    public = _PUBLIC.search(title) is not None
    listed = not public and _is_list(text, title)
    plain = _plain_share(text)
    spoken = plain is not None and plain < SPOKEN
    yield from _of_machines(clean, edges)
    if match := _EDITED.search(edges):
        yield _Sign("edited", 3, f"says so: {match[0]}")
    if _INTERVIEW.search(text):
        yield _Sign("edited", 2, "an interview with dashes")
    if match := _DIGEST_NOTE.search(edges):
        yield _Sign("company_digest", 3, f"says so: {match[0]}")
    if match := _DIGEST_TITLE.search(title):
        # Banks and ministries call a record in spoken style 要旨 as well.
        kind: DocumentKind = "edited" if public or (spoken and not listed) else "company_digest"
        yield _Sign(kind, 1.5, f"its title: {match[0]}")
    if (match := _DIGEST_LIST.search(title)) and not _RECORD.search(title):
        yield _Sign("company_digest", 2, f"its title: {match[0].strip()}")
    if listed:
        yield _Sign("company_digest", 3.5, "a meeting's questions and answers without courtesies")
    told = _DIGEST_NOTE.search(edges) or _DIGEST_TITLE.search(title)
    if told and plain is not None and plain >= DIGEST and _plain_share(text, MIN_DIGEST_LINES):
        kind = "edited" if public else "company_digest"
        yield _Sign(kind, 2.5, f"{plain:.0%} of its lines end in plain style")
    yield from _of_speech(clean, edges, title, spoken=spoken)


def _of_speech(clean: CleanText, edges: str, title: str, *, spoken: bool) -> Iterator[_Sign]:
    text = clean.text
    if clean.format == "diet_json":
        yield _Sign("verbatim", 4, "a record of the Diet")
    if match := _RECORD.search(edges):
        yield _Sign("verbatim", 3, f"says so: {match[0]}")
    elif len(_MEMBERS.findall(text)) >= MIN_LINES:
        yield _Sign("verbatim", 3, "speakers as a parliament's record names them")
    elif match := _MINUTES.search(title):
        yield _Sign("verbatim", 1.5, f"its title: {match[0]}")
    elif (match := _ENGLISH_CALL.search(title)) and _OPERATOR.search(text):
        yield _Sign("verbatim", 1.3, f"a call with its operator: {match[0]}")
    fillers = len(_FILLER.findall(clean.text))
    if fillers >= MIN_FILLERS and fillers * 1000 >= len(clean.text):
        yield _Sign("verbatim", 2.6, f"{fillers} fillers")
    elif spoken and _keeps_courtesies(text, title):
        yield _Sign("verbatim", 1.6, "spoken style with its courtesies")
    elif spoken:
        yield _Sign("edited", 1.2, "spoken style without fillers")


def _is_list(text: str, title: str) -> bool:
    """A company's own list of what was asked at its meeting: 「決算説明会　質疑応答（要旨）」."""
    named = _DIGEST_TITLE.search(title) and _MEETING.search(title) and not _PRESS.search(title)
    if not named or _COURTESY.search(text):
        return False
    return len(_LISTED.findall(text[:100_000])) >= MIN_LISTED


def _keeps_courtesies(text: str, title: str) -> bool:
    """Whether thanks, or 「はい、」 where an answer begins, were left in."""
    if len(_COURTESY.findall(text)) >= MIN_COURTESIES:
        return True
    return _YES.search(text) is not None and not _DIGEST_TITLE.search(title)


def _of_machines(clean: CleanText, edges: str) -> Iterator[_Sign]:
    if clean.format == "json":
        yield _Sign("asr", 4, f"a file of cues ({clean.format})")
    if match := _MACHINE.search(edges):
        yield _Sign("asr", 4, f"says so: {match[0]}")
    numbered = len(_DIARISED.findall(clean.text))
    numbered += sum(1 for t in clean.timings if t.speaker and DIARISED.match(t.speaker))
    if numbered >= MIN_NUMBERS:
        yield _Sign("asr", 4, f"{numbered} numbers for speakers")
    if clean.format in ("srt", "vtt") and numbered < MIN_NUMBERS and not _punctuated(clean.text):
        yield _Sign("asr", 3, f"a file of cues ({clean.format}) without punctuation")
    if any(ARTEFACT_LINE.match(line) for line in clean.text.rstrip().split("\n")[-3:]):
        yield _Sign("asr", 3, "an artefact of speech recognition at the end")

    stops = len(_STOP.findall(clean.text))
    lines = clean.text.count("\n") + 1
    if len(clean.text) >= max(MIN_UNSTOPPED, 60 * lines) and stops * 150 < len(clean.text):
        yield _Sign("asr", 2.5, "hardly any punctuation")


def _punctuated(text: str) -> bool:
    """Whether sentences end as somebody writes them: subtitles that were gone over."""
    return len(_STOP.findall(text)) * MAX_SENTENCE >= len(text)


def _plain_share(text: str, least: int = MIN_LINES) -> float | None:
    """Share of the longer lines that end in plain style; None for too few or other scripts."""
    lines = [m[0].rstrip(" 　") + "\n" for m in _ANSWER_LINE.finditer(text[:100_000])]
    lines = [line for line in lines if re.search("[ぁ-ん]", line)]
    if len(lines) < least:
        return None
    return sum(1 for line in lines if not _POLITE.search(line[-8:])) / len(lines)
