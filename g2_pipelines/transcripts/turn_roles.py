"""Roles of single turns that differ from their speaker's.

Here: remarks that call the next one, whoever makes them; chairs that ask, answer or present
for once; the thanks at the end. ``roles`` has given every speaker a role before, and imports
this module; where the Q&A begins is found in ``opening`` afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.transcripts.cues import (
    CLOSING_QUESTION,
    ENDING,
    FAREWELL,
    GATE_SHORT,
    GATE_TO_QA,
    LEADS_EN,
    NO_GATE,
    asks,
    is_question,
    requests,
)
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.handing import handed_over
from g2_pipelines.transcripts.interviews import asking_opener
from g2_pipelines.transcripts.leading import MAX_LED, SHORT_GATE, content, leads

SHORT_REMARK = 20
SHORT_REMARK_EN = 80
MIN_READ_QUESTION = 20
MIN_ANSWER = 8
MIN_REPORT, MIN_FIGURES = 80, 30
MAX_FAREWELL, MAX_LED_ONLY = 160, 60
MAX_THANKS = TAIL = 60
_KEPT = frozenset({"explicit", "override"})
_PARTIES = frozenset({"question", "answer"})
LAST = 4
MAX_REST_EN = 20
_SENTENCES_EN = re.compile(r"[^.?!\n]{1,100}[.?!]?")

_CHAIR = re.compile(r"議長")
#: Of owners or members, whose chair answers as well.
_MEETING = re.compile(r"株主|総代会|社員総会|通常総会|組合員|会員総会")
#: 「議長（社長）」: he answers as well, whatever the meeting.
_HEAD = re.compile(r"社長|代表|理事長|頭取|CEO|ＣＥＯ")
#: Whoever is called so only leads, though he reads the questions of others.
ONLY_HOST = re.compile(
    r"司会|進行|モデレーター|ファシリテーター|アナウンス|オペレーター|主催|(?i:operator|moderator|coordinator)"
)
_SPOKESMAN = re.compile(r"広報|(?<![A-Za-z])IR(?![A-Za-z])|ＩＲ")
#: A guest's 「よろしくお願いいたします。」, greeted before.
_GREETS = re.compile(
    r"(?:はい|こちらこそ|どうぞ)?[、。]?(?:どうぞ)?よろしくお願い(?:いた|申し上げ)?(?:します|ます)。?$"
)
#: Somebody of the podium asks: 「ちょっと私からも聞いていいですか。」
_ASKS_TOO = re.compile(
    r"^(?:ちょっと|では|じゃあ?)?[、]?(?:私|僕|わたし|こちら|うち)(?:から)?も?[^。\n]{0,8}(?:聞い|質問|伺|お聞き)"
)
_SUPPLEMENT = re.compile(r"^(?:補足|私から|私の?ほうから|お答え)")
#: 「…の2点ですね。社長からお答えします。」: somebody else answers.
_HANDS = re.compile(
    r"(?<!私)(?<!私のほう)(?<!私の方)(?:から|より)[、，]?(?:まず|順に)?(?:お答え|ご?回答|ご?説明|申し上げ|答え|。$)"
)
_CALLS = re.compile(
    r"(?<!私)(?:より|から)[、，]?(?:ご)?(?:説明|回答|お答え|答弁)|どうぞ|次の(?:方|株主|ご質問)|挙手|お願い(?:いた)?します。?$|承ります|お受け"
)
#: 「続いてのご質問です。「…」」, 「ご質問は次の3点でございます。①…」
READS = re.compile(
    r"ご?質問(?:は|です|でございます)[^。\n]{0,24}(?:。[「『]|次の|[:：])|^[「『]|^[\"“][^\"”\n]{10,600}[?？][\"”]"
    r"|(?i:\b(?:I(?:'ll|’ll| will| am going to) read|(?:reads|asks|writes|asking)\b|(?:question|one) (?:is )?(?:on|from|via|through|in|over) (?:the |our )?(?:web|chat|e-?mail|internet|online|webcast|line|platform))[^\"“?\n]{0,80}[:.,]? ?[\"“][^\"”\n]{10,600}[?？.][\"”]|(?:sent in|submitted|emailed|e-mailed|came in)[^\"“?\n]{0,80}[\"“][^\"”\n]{10,600}[?？][\"”])"
    r"|ご?質問を?[^。\n]{0,12}(?:読み上げ|代読|ご?紹介)[^。\n]{0,10}。[^。\n]{0,20}[「『①1１]"
    r"|(?:読み上げ|代読|ご?紹介)[^。\n]{0,10}。[^。\n]{0,12}[「『]|[」』](?:との|という|といった)ご?質問"
)
#: An interpreter's or a host's summary of what was just asked.
_RESTATES = re.compile(
    r"^(?:ただ今の|ただいまの|今の)?ご?質問(?:は|の)|(?:と|との|という|について|についての|に関する)ご?(?:質問|意見)"
    r"|ということで(?:よろし|す|ござい)|ご?質問で(?:す|ござい|しょう|よろし)|[2-9２-９二三四五](?:点|件|つ)(?:です|でござい|でした|、)"
)
_QUOTED = re.compile(r"[「『]([^「『」』\n]{10,600})[」』]")
_NO_MORE = re.compile(r"(?i:no (?:further|more) questions)|ないよう|ございませんか。?$")
_STARTS_LEADING = re.compile(r"^(?:それでは|では|以上|続い|続き|次に|お時間|最後)")
_REPORTS = re.compile(r"(?:ご?報告|ご?説明)(?:を)?(?:いた|申し上げ|し)")
#: The host's 「音声が途切れました。もう一度お願いできますか。」
_AGAIN = re.compile(
    r"もう一度|音声|お声|マイク|聞き取れ|お名前|ご?所属|(?i:your (?:line|microphone)|\bmute)"
)
_UNHEARD = re.compile(r"お声|聞き取れ|音声が")
#: 「ぜひお願いします。」 of somebody who has asked.
_WISHES = re.compile(r"^(?:ぜひ|是非|よろしく|引き続き)")
#: 「なお、ご質問は議案の説明の後に一括してお受けいたします。」
_LATER = re.compile(
    r"[^。\n]{0,60}(?:(?:説明|報告|議案|審議|発表)[^。\n]{0,8}の?(?:後|のち)|後ほど|最後)[^。\n]{0,40}。"
)
#: Results rather than the number of agenda items.
_FIGURES = re.compile(r"[0-9０-９](?:[兆億万]|[0-9０-９,，.．]{0,9}(?:円|％|%|パーセント))")


def adjust(drafts: Sequence[Draft]) -> None:
    """Give single turns their own role; linear in the number of turns."""
    meeting = any(_MEETING.search(draft.text) or "株主" in draft.label for draft in drafts)
    asking_opener(drafts)
    following = _following_roles(drafts)
    handed_over(drafts)
    asked = begun = False
    spoken = ""  # role of the last turn that was none of a moderator's
    before = ""
    for index, draft in enumerate(drafts):
        if draft.role == "moderator" and spoken in _PARTIES and _answers_himself(draft.text):
            draft.give("answer", "context")
        elif draft.role == "moderator" and draft.source != "override":
            head = meeting or _HEAD.search(draft.label) is not None
            chair = head and _CHAIR.search(draft.label) is not None
            asking = asked or begun or draft.part == "qa"
            begun = begun or _opens(draft.text)
            _moderator(draft, (before, spoken, following[index]), asked=asking, chair=chair)
        greets = index > 0 and _GREETS.match(draft.text.strip()) is not None
        before_it = drafts[index - 1].text if greets else ""
        greeted = "よろしく" in before_it[-TAIL:] and "質" not in before_it
        if not (greeted and draft.role == "answer" and before != "question"):
            _remark(draft, before)
        before = draft.role
        if draft.role != "moderator":
            thanks = draft.role == "question" and (
                not is_question(draft.text) or CLOSING_QUESTION.search(draft.text[-TAIL:])
            )
            spoken = "thanks" if thanks and len(draft.text) <= MAX_THANKS else draft.role
        asked = asked or draft.role == "question"
    _farewells(drafts)


def _opens(text: str) -> bool:
    return GATE_TO_QA.search(text) is not None and NO_GATE.search(text) is None


def _following_roles(drafts: Sequence[Draft]) -> list[str]:
    """The role of the next turn that is no moderator's, "" at the end."""
    found = [""] * len(drafts)
    role = ""
    for index in range(len(drafts) - 1, -1, -1):
        found[index] = role
        draft = drafts[index]
        if draft.role != "moderator":
            role = draft.role
        elif index and drafts[index - 1].label != draft.label and _says_more(draft):
            role = "answer"  # 「議長（社長）」, who answers what somebody else has read out
    return found


def _says_more(draft: Draft) -> bool:
    """Whether the head of a company who chairs says something."""
    return _HEAD.search(draft.label) is not None and not (leads(draft.text) or asks(draft.text))


def _moderator(draft: Draft, around: tuple[str, str, str], *, asked: bool, chair: bool) -> None:
    before, spoken, following = around
    text = draft.text
    if draft.style in ("name_quote", "name_learned"):
        text = text.strip().strip("「」『』")  # a newspaper's, around all that is said
    reads = READS.search(text) is not None or _quotes_question(text)
    if reads or (is_question(text) and asks(text) and not _NO_MORE.search(text)):
        whole = len(words := content(text)) >= MIN_READ_QUESTION and is_question(words)
        long = (whole or reads) and not ENDING.search(text)
        if (
            (asked or reads)
            and long
            and not _AGAIN.search(text)
            and following == "answer"
            and spoken != "question"
        ):
            draft.give("question", "context")
        return
    if chair and not asked:
        text = _LATER.sub("", text)
        calls = _CALLS.search(text[-80:]) or ENDING.search(text) or GATE_TO_QA.search(text)
        figures = _FIGURES.search(text) is not None and len(content(text)) >= MIN_FIGURES
        reports = len(text) >= MIN_REPORT and _REPORTS.search(text)
        if (reports or figures) and not calls:
            draft.give("answer", "context")  # ``opening`` makes it the presentation's
        return
    asks_again = _UNHEARD.search(text) is not None and leads(text)
    if len(content(text)) < MIN_ANSWER or _STARTS_LEADING.match(text) or asks_again:
        return
    hands = not chair and _HANDS.search(text[-TAIL:]) is not None
    restates = _RESTATES.search(text) is not None
    hands = hands or (restates and (not chair or len(content(text)) <= MIN_REPORT))
    if before == "question" and following == "answer" and hands:
        return
    direct = chair and before in ("question", "answer")
    if before == "question" and following != "answer" and not ONLY_HOST.search(draft.label):
        direct = direct or (spoken == "question" and not leads(text))  # nobody else answers
    supplements = draft.source != "title" and _SUPPLEMENT.match(text) is not None
    spokesman = _SPOKESMAN.search(draft.label) is not None or supplements
    if direct or (spokesman and (before == "question" or (spoken and _SUPPLEMENT.match(text)))):
        draft.give("answer", "context")


#: 「細かい数字ですので、私からお答えします。…」 of whoever leads.
_SELF = re.compile(
    r"(?:私|わたくし|事務局|広報|当局|こちら)(?:の?(?:ほう|方))?(?:から|より)[^。\n]{0,12}(?:お答え|お伝え|ご?回答|ご?説明|申し上げ|補足)[^。\n]{0,8}。"
)
_OFFICE = re.compile(r"(?:事務局|当局|当省|こちら)(?:でも|としても|としては|では)[^。\n]{8,}")
MIN_SELF, MIN_OFFICE = 12, 20


def _answers_himself(text: str) -> bool:
    """Whether a host says that he answers, and does so; or an office that does not lead here."""
    told = _SELF.search(text)
    if told is not None:
        return len(content(text[told.end() :])) >= MIN_SELF
    office = _OFFICE.match(text) is not None and not leads(text) and not _HANDS.search(text)
    return office and len(content(text)) >= MIN_OFFICE and not _RESTATES.search(text)


def _quotes_question(text: str) -> bool:
    """「2つ目です。「引当金が増えた理由を教えてください。」」."""
    return any(is_question(match[1]) for match in _QUOTED.finditer(text[:MAX_LED]))


def _only_leads(text: str) -> bool:
    """Whether a turn opens, calls or ends, and not one of its sentences does anything else."""
    return len(text) <= MAX_LED_ONLY and leads(text) and not content(text) and not asks(text)


def _remark(draft: Draft, before: str) -> None:
    """A turn of at most 20 characters that calls the next one moderates, whoever says it."""
    text = draft.text.strip()
    if len(text) <= SHORT_REMARK_EN and text.isascii() and draft.role == "answer":
        if draft.source != "explicit" and LEADS_EN.search(text) and _opens_or_calls(text):
            draft.give("moderator", "remark")
        return
    if (
        draft.role == "answer"
        and draft.source != "explicit"
        and _ASKS_TOO.match(text)
        and asks(text)
    ):
        draft.give("question", "context")
        return
    told = before != "question" and draft.source not in _KEPT
    leading = told and _only_leads(text) and _FIGURES.search(text) is None
    if leading and draft.role == "answer":
        draft.give("moderator", "remark")
        return
    gate = len(text) <= SHORT_GATE and GATE_TO_QA.search(text) and draft.source == "cue_vote"
    if not gate and (len(text) > SHORT_REMARK or not GATE_SHORT.search(text)):
        return
    if draft.role == "question" and (
        CLOSING_QUESTION.search(text) or requests(text) or _WISHES.search(text)
    ):
        return
    if draft.source == "explicit" and not text.endswith(("どうぞ。", "どうぞ")):
        return
    if (
        draft.source != "override"
        and draft.style != "timeline"
        and "よろしいでしょうか" not in text
    ):
        draft.give("moderator", "remark")


def _opens_or_calls(text: str) -> bool:
    """Whether every sentence of an English remark leads: ``Last one, in the back.``."""
    rest = [s for s in _SENTENCES_EN.findall(text) if not LEADS_EN.search(s.strip())]
    return all(len(s.strip()) <= MAX_REST_EN for s in rest)


def _waits(before: Draft) -> bool:
    """Whether a question waits for an answer: not 「なるほど、はい。」, 「ありがとうございました。」."""
    text = before.text.strip()
    thanks = len(text) < MIN_READ_QUESTION or CLOSING_QUESTION.search(text[-TAIL:]) is not None
    return before.role == "question" and (is_question(text) or not thanks)


def _farewells(drafts: Sequence[Draft]) -> None:
    """The company's short thanks among the last turns, unless they answer a question."""
    for index in range(max(1, len(drafts) - LAST), len(drafts)):
        draft = drafts[index]
        text = draft.text.strip()
        last = index == len(drafts) - 1
        ended = last and ENDING.search(text) is not None and not content(text)
        if draft.role not in ("answer", "presenter"):
            continue
        if draft.source == "explicit" and not ended:
            continue
        rest = any(later.role == "question" for later in drafts[index:])
        asked = _waits(drafts[index - 1]) and not ended
        if len(text) > MAX_FAREWELL or rest or asked:
            continue
        if FAREWELL.search(text) or (last and ENDING.search(text)):
            draft.give("moderator", "remark")
