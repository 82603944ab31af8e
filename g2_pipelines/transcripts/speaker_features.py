"""What the turns of one speaker are like, as numbers: the input of ``speaker_model``.

Here: shares of a speaker's turns with a sign, all within 0 and 1 or about it, and nothing of
labels, titles or names. Every pattern is bounded, a turn costs a constant; all speakers of a
record together cost one pass over its turns.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.transcripts.cues import ENDING, GATE_TO_QA, is_question
from g2_pipelines.transcripts.leading import content, leads

HEAD, TAIL, MAX_TEXT = 80, 120, 1_500
MIN_CONTENT = 8
#: Beginnings of answers, of an interviewer's next question, and of what is asked.
_ANSWERS = re.compile(
    r"(?:はい|ええ|いえ|いや|いいえ|そうですね|そうです|そうなん|おっしゃ|ご指摘|ご質問|お答え|ありますね|ないですね|私から|補足|まず|正直|実は|もちろん|うーん|難し|厳し)"
    r"|(?i:yes|no|well|sure|right|absolutely|exactly|good question|great question|i think|we |our |so,? we|not |thanks? (?:you )?for (?:the|your))"
)
_GOES_ON = re.compile(
    r"(?:なるほど|では|それでは|じゃあ|で[、 　]|さて|ところで|ちなみに|それで|そうすると|となると|最後に|もう(?:1|１|一)|もう少し|あと[、 　]|次に|続いて|そもそも|具体的に)"
    r"|(?i:and |so |but |what|how|why|when|where|which|who|could you|can you|would you|let me|just|one more|maybe|turning|hi\b|hello)"
)
_OWN = re.compile(
    r"当社|弊社|私ども|私たち|わたしたち|我々|われわれ|うちの|うちは|うちで|当行|当方|自社|(?i:\b(?:we|our|us)\b)"
)
_YOURS = re.compile(
    r"御社|貴社|御行|貴行|社長(?:は|が|ご自身|の)|皆様は|皆さんは|お考え|見解|(?i:\b(?:you|your)\b)"
)
_ASKS_FOR = re.compile(
    r"教えて|お聞かせ|聞かせて|伺い|うかがい|お尋ね|お聞き|質問|お願いし(?:ます|たい)|いかが|でしょうか|(?i:question|wondering|curious|talk about|tell us|could you|can you|would you|walk us)"
)
_HOSTS = re.compile(
    r"司会|進行|聞き手|モデレーター|お迎え|お招き|ゲスト|お客さま|ご登壇|パネ(?:リスト|ラー)|皆様こんにちは|皆さん、?こんにちは|ようこそ|ご覧の|リスナー|視聴者|会場の|お時間|次の方|どうぞ|お送り|ご紹介"
    r"|(?i:welcome|joining us|my guest|our guests?|moderat|next question|operator|thank you (?:all|everyone)|the floor)"
)
_THANKS = re.compile(
    r"^(?:(?:はい|大変|どうも|ご回答|ご説明|よく|丁寧な)[、 　]?){0,2}(?:ありがとう|有難う|分かりまし|わかりまし|了解|承知|理解)|(?i:^(?:thank you|thanks|understood|got it|great|okay|that(?:'s|’s) helpful))"
)
_CALLED = re.compile(r"[一-龥々ァ-ヶーA-Za-z]{1,10}(?:さん|様|さま|氏|先生)")
_FIGURE = re.compile(r"[0-9０-９]")
_ENDS_ASKING = re.compile(
    r"(?:[？?]|か[。？?]?|ますか[^。]{0,3}|は[。？?]?|です(?:かね|よね)[。？?]?)[\s　」）)]{0,2}$"
)

NAMES = (
    "asks",
    "ends_asking",
    "asks_for",
    "behind_question",
    "answered",
    "answers",
    "goes_on",
    "own",
    "yours",
    "hosts",
    "leads",
    "opens_or_ends",
    "gates",
    "thanks",
    "calls",
    "figures",
    "length",
    "share",
    "first",
    "last",
    "few",
)


class Said(NamedTuple):
    """A turn as the features see it: who by key, and the words."""

    who: str
    text: str


def features(turns: Sequence[Said]) -> dict[str, list[float]]:
    """For every speaker the numbers of ``NAMES``."""
    asked = [_asked(turn.text) for turn in turns]
    lengths = [len(turn.text) for turn in turns]
    middle = math.log(1 + sum(lengths) / max(1, len(turns)))
    by_who: dict[str, list[int]] = defaultdict(list)
    for index, turn in enumerate(turns):
        by_who[turn.who].append(index)
    found = {}
    for who, places in by_who.items():
        rows = [_turn(turns, asked, index) for index in places]
        n = len(places)
        means = [sum(column) / n for column in zip(*rows, strict=True)]
        length = sum(math.log(1 + lengths[i]) for i in places) / n - middle
        found[who] = [
            *means,
            length,
            n / len(turns),
            float(places[0] == 0),
            float(places[-1] == len(turns) - 1),
            float(n <= 2),
        ]
    return found


def _asked(text: str) -> bool:
    tail = text[-TAIL:].strip()
    return _ENDS_ASKING.search(tail) is not None or is_question(tail)


def _turn(turns: Sequence[Said], asked: Sequence[bool], index: int) -> list[float]:
    turn = turns[index]
    text = turn.text[:MAX_TEXT].strip()
    head, tail = text[:HEAD], text[-TAIL:]
    before = index > 0 and turns[index - 1].who != turn.who
    after = index + 1 < len(turns) and turns[index + 1].who != turn.who
    return [
        float(is_question(text)),
        float(_ENDS_ASKING.search(tail) is not None),
        float(_ASKS_FOR.search(text) is not None),
        float(before and asked[index - 1] and not asked[index]),
        float(after and asked[index] and not asked[index + 1]),
        float(_ANSWERS.match(head) is not None),
        float(_GOES_ON.match(head) is not None),
        float(_OWN.search(text) is not None),
        float(_YOURS.search(text) is not None),
        float(_HOSTS.search(text) is not None),
        float(leads(text) or (len(text) < 200 and len(content(text)) < MIN_CONTENT)),
        float(ENDING.search(text) is not None),
        float(GATE_TO_QA.search(text) is not None),
        float(_THANKS.search(head) is not None),
        float(_CALLED.search(text) is not None),
        min(1.0, len(_FIGURE.findall(text)) / 12),
    ]
