"""Questions of a few words: which are whole, and which lean on the words before.

Here: the manner of a record's questions, and whether a short one begins a chunk. ``grouping``
imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.tables.line1 import Turn
from g2_pipelines.transcripts.cues import (
    CLOSING_QUESTION,
    REQUEST,
)

SHORT_QUESTION = 15
CLOSING_TAIL = 60
LAST_WORDS = 400
_SENTENCES = re.compile(r"[^。？?\n]{1,400}[。？?\n]?")
_NTH = re.compile(
    r"(?:[2-9２-９二三四五]|もう(?:1|１|一|ひと))(?:点目?|つ目?|問目?)(?:は|が|に|の|、|です)|(?:次|続いて|あと|それから|最後)[はにで、]"
)
#: A whole question, its topic and what is asked of it: 「優待の拡充はありませんか。」
_WHOLE = re.compile(
    r"[^。？?\n]{2,}(?:は|が|を|も)[^。？?\n]{2,}(?:(?:か|でしょう|ください|下さい|たい)[。？?]?|(?:です|ます|ました|ません)(?:が|けど|けれども)[。、…]?)"
)
#: 「何時間ですか」 asks; 「31社ですか」 takes in.
_WHAT = re.compile(
    r"[^。？?\n]{0,6}(?:何|いつ|どこ|どの|どれ|いくら|誰|なぜ|どう(?!ぞ|も))[^。？?\n]{1,10}[。？?]?"
)
_ASKS_OF = re.compile(rf"{_WHOLE.pattern}|{_WHAT.pattern}|[^。？?\n]{{2,}}は[。？?]?")
#: Of an interviewer, whose every question an editor has set apart.
_SET_APART = re.compile(
    rf"{_WHOLE.pattern}|{_WHAT.pattern}|[^。？?\n]{{2,}}は[。？?]?|[^。？?\n]{{3,}}か[。？?]"
)
#: Words that lean on those before: 「それはいつですか。」, 「では続けますか。」
_SO = re.compile(r"^(?:では|それでは|じゃあ?|で)[、，](?=[^。？?]{6})")
_LEANS = re.compile(
    r"(?i:(?:really|right|is (?:it|that|this)|are you|you mean|so,?|all of|both|each)\b)|(?:残り|ほか|他|それ|これ|その|この|そう|そちら|では|じゃあ?|で、|ということ|つまり|本当|え[っー、])"
)
#: What a short question is about.
_TOPIC = re.compile(
    r"[^？?]{2,}(?:は|って|とか)[？?]$"
    r"|(?i:(?:and|but|what|how|any|when|where|who|why|which|is there|are there|will|does|do|did|can|could|would)\b[ ,]+[a-z'’]+)"
)
#: ``So pricing?``: another topic; ``So both?`` leans.
_NEXT_TOPIC = re.compile(
    r"(?i:(?:so|and|but|then),? (?!(?:yes|that|this|these|those|both|they|none|never|nothing|really|right|soon|when|what|which|where)\b)[a-z'’-]{4,20}\?)"
)
MIN_ASKED, MIN_TERSE = 6, 4
_SAYS = re.compile(r"(?:ね|です|ます|ました|でした|よ|な)[。！]?$")


class Manner(NamedTuple):
    """How a record's questions are written.

    ``apart``: those who ask have labels of their own, or write; ``interview``: one person asks everything;
    ``terse``: most questions have a few words.
    """

    apart: bool
    interview: bool
    terse: bool


def manner_of(turns: Sequence[Turn], *, named: bool, dashes: bool) -> Manner:
    """The manner of a record's questions."""
    asked = [turn.text for turn in turns if turn.role == "question"]
    labelled = any(t.speaker or t.organisation for t in turns if t.role == "question")
    return Manner(named or labelled or _written(asked), dashes or _interview(turns), _terse(asked))


def stands_alone(words: str, manner: Manner) -> bool:
    """Whether short words are a question by themselves, if somebody answers them.

    「3回目の値上げはあるか。」 names what it asks of; 「続けますか。」, 「31社ですか。」 need the words
    before. The fragment 「年商の目標は。」 is enough where those who ask have names, where
    questions are written rather than said, and of an interviewer.
    """
    text = _SO.sub("", words.strip().strip("「」『』"))
    if _NEXT_TOPIC.fullmatch(text):
        return True
    if _LEANS.match(text):
        return False
    ends = closes(text) or _SAYS.search(text) is not None
    if manner.terse and not manner.interview and len(text) >= MIN_ASKED and not ends:
        return True
    if text.endswith(("？", "?")) and len(text) >= MIN_ASKED and _TOPIC.match(text):
        return True  # 「火災の保険は？」, ``And ammonia?``; 「本当？」 leans
    pattern = _SET_APART if manner.interview else _ASKS_OF if manner.apart else _WHOLE
    return pattern.fullmatch(text) is not None


#: Said to somebody: 「…でしょうか。」, 「…を教えてください。」
_POLITE = re.compile(
    r"(?:です|ます|ました|でした|ません|でしょう)(?:か|が|けど|けれども|ね|よね)?[。？?]?$|(?:ください|下さい)[。]?$|(?i:[a-z]\W*$)"
)


def _written(asked: Sequence[str]) -> bool:
    """Whether the questions are written down in plain style: 「投資額に変更はあるか。」."""
    whole = [text.strip() for text in asked if len(text.strip()) >= SHORT_QUESTION]
    said = sum(_POLITE.search(text[-LAST_WORDS:]) is not None for text in whole)
    return bool(whole) and said * 3 < len(whole)


def _interview(turns: Sequence[Turn]) -> bool:
    """Whether one named person asks everything, and nobody presents."""
    asking = {(turn.organisation, turn.speaker) for turn in turns if turn.role == "question"}
    return (
        len(asking) == 1
        and (None, None) not in asking
        and all(t.role != "presenter" for t in turns)
    )


def _terse(asked: Sequence[str]) -> bool:
    """Whether a record has most of its questions in a few words each."""
    return sum(len(text.strip()) < SHORT_QUESTION for text in asked) * 2 > max(
        len(asked), MIN_TERSE
    )


def closes(text: str) -> bool:
    """Whether a questioner ends here: thanks, or an end announced, and no request behind it."""
    tail = text[-CLOSING_TAIL:].strip()
    if CLOSING_QUESTION.search(tail) is None or REQUEST.search(tail) is not None:
        return False
    sentences = _SENTENCES.findall(tail)
    last = sentences[-1] if sentences else tail
    # 「ありがとうございます。2点目は、来期の研究開発費の水準です。」 closes nothing.
    return CLOSING_QUESTION.search(last) is not None or _NTH.search(last) is None
