"""The grammar of explicit marks: 「問）」, 「【質問者A】」, 「Q1-2：」, 「A.（社長）」, ``Q - Name:``.

Here: the mark's word, its number, its shape, and who is named with it, a line at a time.
``marks`` imports this module. Every pattern is anchored and bounded.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from g2_pipelines.transcripts.cues import STAGE
from g2_pipelines.transcripts.labels import is_party, is_short_name
from g2_pipelines.transcripts.no_speakers import no_speaker

Side = Literal["question", "answer"]


class QaMark(NamedTuple):
    """A mark at the head of a line: its words begin at ``end``; ``who`` may be empty."""

    style: str
    end: int
    side: Side
    who: str


BULLET = r"[\s　]{0,8}(?:[0-9０-９]{1,2}(?:[-－‐.．][0-9０-９]{1,2})?[.．)）]?[\s　]{1,2})?(?:[-・*＊•●○〇◯◎◉■□◆◇▼▽▲△▶▷★☆>＞┝└├┣┗┠│┃]{1,2}[\s　]{0,2})?"
Q = r"(?:追加|関連|再)の?ご?質問|再質問|ご?質問(?:者|番号|事項)?|問い?|Questioner|Question|QUESTION|Ｑ|Q|質疑(?!応)|質"
A = r"(?:追加|補足|再)の?ご?回答|ご?回答(?:者|番号|事項)?|答え?|Answer|ANSWER|Ａ|A|応答|会社側?|当社側?"
_MARK = rf"(?:(?P<q>{Q})|(?P<a>{A}))"
_DASHES = r"[-－‐―−–]"
_NUMBER = (
    rf"(?P<n>[\s　]?(?:No\.?|その|[-－](?=[0-9０-９]))?[\s　]?[0-9０-９]{{1,3}}(?:{_DASHES}?[（(][0-9０-９]{{1,2}}[）)]|(?:{_DASHES}|の|[.．](?=[0-9０-９]{{1,2}}(?:[^0-9０-９.．%％]|$)))[0-9０-９]{{1,2}})?"
    r"|[\s　]?[①-⑳]|(?<=者)[A-ZＡ-Ｚ]{1,2})?"
)
_WHO = r"(?:[\s　]?[（(\[［](?P<who>[^（()）\[\]［］\n]{1,40})[）)\]］])?"
_OPEN, _CLOSE = r"[（(【\[〔<＜［《〈｛{]", r"[）)】\]〕>＞］》〉｝}]"
_LATER = r"(?:[（(](?P<later>[^（()）\n]{1,40})[）)])?"
_REST = r"[ \t　]{0,8}"
_SIGN = rf"(?:[：:]|[→⇒]|[／/](?![AaＡ])|[|｜]|[．.](?![A-Za-z][.．]|[0-9０-９]{{1,2}}(?:[\s　]|$))|(?<=[QAＱＡ問答者0-9０-９①-⑳])、(?=[^\s　]{{4}})|(?<=[\s　]){_DASHES}(?=[\s　]))"
SHAPES = {
    "qa_bracket": re.compile(
        rf"{BULLET}{_OPEN}{_MARK}{_NUMBER}(?:[（(](?P<who>[^（()）\n]{{1,30}})[）)]|の[^】）)\n]{{1,6}}"
        rf"|(?:[ ]?(?:{_DASHES}|[：:・／/|｜])[ ]?|[　 ])(?P<inner>[A-Z][A-Za-z.,'’& |/–—-]{{1,90}}|[^（()）【】\n]{{1,30}}))?{_CLOSE}{_LATER}[：:]?{_REST}"
    ),
    "qa_paren": re.compile(rf"{BULLET}{_MARK}{_NUMBER}[）)]{_WHO}[：:]?{_REST}"),
    "qa_colon": re.compile(rf"{BULLET}{_MARK}{_NUMBER}{_WHO}[\s　]?{_SIGN}{_REST}{_LATER}{_REST}"),
    "qa_arrow": re.compile(rf"[\s　]{{0,8}}(?P<q>(?!))?(?P<a>→|⇒|➡|⮕){_REST}"),
    "qa_space": re.compile(
        rf"{BULLET}(?:(?P<q>ご?質問(?:者|番号|事項)?|問い?|質|Question|Ｑ|Q)|(?P<a>ご?回答(?:者|番号|事項)?|答え?|Answer|会社側|当社側|Ａ|A)){_NUMBER}{_WHO}(?:[ \t　]{{1,8}}|$)"
    ),
}
#: 「Q・北星証券：…」, ``A - Ichiro Saegusa:``
_JOINED = re.compile(
    rf"{BULLET}{_MARK}{_NUMBER}[\s　]?(?:[・／/|｜\s　]|{_DASHES})[\s　]?"
    rf"(?P<who>[A-Z][A-Za-z.,'’& |/–—-]{{1,90}}|[^：:。、，！？!?「」（(\n]{{1,40}})[：:]{_REST}"
)
#: 「田所（問）：…」, ``Owen Whitlock (Q):``
_BEHIND = re.compile(
    rf"{BULLET}(?P<who>[^\s　：:。、，！？!?「」（(\n][^：:。、，！？!?「」（(\n]{{0,39}}?)[\s　]?[（(\[［]{_MARK}{_NUMBER}[）)\]］][：:]?{_REST}"
)
#: 「回答（社長）…」 without any sign.
_BARE_WHO = re.compile(
    rf"{BULLET}{_MARK}{_NUMBER}[（(\[［](?P<who>[^（()）\[\]［］\n]{{1,30}})[）)\]］]{_REST}"
)
_INLINE_WHO = re.compile(
    r"(?P<who>[^\s　。、「」：:（(][^。、「」：:\n]{0,29}?)(?:[：:][ \t　]{0,4}|　{1,4}|\t)(?=[^\s　])"
)
_SENTENCE_SIGN = re.compile(r"[。、，？?！!]|ください|ですか|ますか|て$|の$|が$|は$|[a-z]\.$")
#: 「A. 浦安：…」, ``A: Tsuruta: …``
_SIGNED_WHO = re.compile(
    r"(?P<who>[^\s　：:。、，！？!?「」（(\n][^：:。、，！？!?「」（(\n]{0,23})[：:](?![0-9/])[ \t　]{0,4}(?=[^\s　])"
)
#: ``(Q) Owen Whitlock – Calder Bay Securities: …``
_LATIN_WHO = re.compile(
    r"(?P<who>[A-Z][a-zA-Z.'’-]{0,20}(?: [A-Z][a-zA-Z.'’-]{0,20}){1,3}(?:,? ?[–—|/,-]{1,2} [A-Z][A-Za-z.,'’& |/–—-]{1,70})?)[：:][ \t]{1,4}(?=\S)"
)
_NOTE = re.compile(r"補足|関連|追加|共通|全般|その他|続き|略|再掲|注|約|[0-9０-９]")
#: A quarter of a year: ``Q2 Fiscal Year 2025``, 「Q3業績」.
_QUARTER = re.compile(
    r"[QＱ][1-4１-４][ 　]?(?i:(?:and |& )?(?:fiscal|fy|ended|results|earnings|financial|call|presentation|conference|highlights|revenue|sales|net|operating|of )|(?:19|20)[0-9]{2}|’[0-9]{2}|'[0-9]{2}"
    r"|[（(]|[0-9０-９]{2,4}年|業績|決算|累計|実績|単独|会計|期|の(?:売上|営業|業績|受注|実績|決算|利益))"
)
_SIGN_AT_HEAD = re.compile(rf"{_DASHES}[\s　]+")


def qa_mark(text: str, start: int, end: int, following: str | None) -> QaMark | None:
    """The mark at the head of the line [start, end), None if there is none.

    ``following`` is the next line: a line that holds only who speaks needs words below it.
    """
    found = _joined(text, start, end)
    if found is not None:
        return found
    for style, pattern in SHAPES.items():
        match = pattern.match(text, start, end)
        if match is not None:
            if style == "qa_space" and match["q"] and _QUARTER.match(text, match.start("q"), end):
                return None
            return _told(style, match, text, end, following)
    match = _BARE_WHO.match(text, start, end)
    if match is not None and _person(match["who"]):
        return QaMark("qa_colon", match.end(), _side(match), match["who"].strip())
    match = _BEHIND.match(text, start, end)
    if match is not None and (is_party(match["who"]) or is_short_name(match["who"])):
        return QaMark("qa_behind", match.end(), _side(match), match["who"].strip())
    return None


def begins(line: str) -> bool:
    """Whether a line begins with a mark of some shape."""
    return any(pattern.match(line) for pattern in SHAPES.values())


def _side(match: re.Match[str]) -> Side:
    return "question" if match["q"] else "answer"


def _person(words: str) -> bool:
    if STAGE.match(f"（{words}）") or _NOTE.search(words):
        return False
    return is_party(words) or is_short_name(words)


def _joined(text: str, start: int, end: int) -> QaMark | None:
    match = _JOINED.match(text, start, end)
    if match is None or not (is_party(match["who"].strip()) or is_short_name(match["who"].strip())):
        return None
    return QaMark("qa_colon", match.end(), _side(match), match["who"].strip())


def _told(
    style: str, match: re.Match[str], text: str, end: int, following: str | None
) -> QaMark | None:
    named = match.groupdict()
    who = named.get("who") or named.get("inner") or ""
    stop = match.end()
    later = named.get("later")
    closed = text[match.end("who") + 1 : match.end()] if named.get("who") else ""
    if who.strip().isdigit() and closed.strip() == "" != named.get("who", ""):
        who, stop = "", text.rfind(who, 0, match.end()) - 1  # 「A　(1) …」: a list's number
    if later:
        if not who and _person(later):
            who = later
        else:
            stop = match.start("later") - 1
    if not who and not later and style != "qa_arrow":
        who = _bracketed(text, stop, end)
    if not who and match["q"] == "質問者" and named.get("n"):
        who = f"質問者{match['n'].strip()}"
    if not later and style != "qa_arrow":
        alone, after = _below(style, text, stop, end, following)
        if alone and (not who or who.startswith("質問者")):
            who, stop = alone, after
    return QaMark(style, stop, _side(match), who.strip())


_BRACKETED = re.compile(
    r"(?:[（(](?P<round>[^（()）\n]{1,30})[）)]|[【〔\[［](?P<square>[^】〕\]］\n]{1,30})[】〕\]］])"
)


def _bracketed(text: str, stop: int, end: int) -> str:
    """Who is named in brackets at the head of the words: 「A1　（社長）…」; a topic is not.

    The brackets stay with the words.
    """
    match = _BRACKETED.match(text, stop, end)
    if match is None:
        return ""
    words = (match["round"] or match["square"]).strip()
    named = _person(words) if match["round"] else is_party(words) and not _NOTE.search(words)
    return words if named else ""


def _below(style: str, text: str, stop: int, end: int, following: str | None) -> tuple[str, int]:
    """Who asks or answers, where the rest of the line says only that, or says it first."""
    rest = text[stop:end].strip()
    head = _SIGN_AT_HEAD.match(rest)
    if head and style == "qa_space":
        rest = rest[head.end() :]
    if not rest:
        return "", stop
    if following is not None and len(rest) <= 50 and not _SENTENCE_SIGN.search(rest):
        words = following.strip()
        told = style == "qa_space" or is_party(rest) or is_short_name(rest)
        if words and not begins(words) and told:
            return rest, end
    if style == "qa_colon":
        return _signed_who(text, stop, end)
    latin = _LATIN_WHO.match(text, stop, end)
    if latin is not None and not no_speaker(latin["who"]):
        return latin["who"], latin.end()
    match = _INLINE_WHO.match(text, stop, end)
    if match is None:
        return "", stop
    if style == "qa_space":
        return (match["who"], match.end()) if is_party(match["who"]) else ("", stop)
    named = is_short_name(match["who"]) and text[match.end("who")] in "：:"
    if named or is_party(match["who"]):
        return match["who"], match.end()
    return "", stop


def _signed_who(text: str, stop: int, end: int) -> tuple[str, int]:
    """Who is named with a sign of his own behind the mark's: 「A. 浦安：…」, not ``Follow-up: …``."""
    match = _SIGNED_WHO.match(text, stop, end)
    if match is None or no_speaker(match["who"]):
        return "", stop
    who = match["who"]
    latin = who.isascii() and " " not in who
    named = is_party(who) or (is_short_name(who) and not latin)
    return (who, match.end()) if named else ("", stop)
