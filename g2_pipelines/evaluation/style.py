"""Form of a summary: endings, bullets, traces of conversation, repetition, truncation.

Here: counts and shares, no verdicts (``brief`` has the thresholds). Only modules of this
package import it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal

from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.overlap import ngrams

_BULLET = re.compile(
    r"(?m)^[ \t]*(?:[-*+•●○◆■▪・►→]|[(]?\d{1,2}[).．]|[①-⑳])[ \t\u3000]*\S|^[ \t]*#{1,6} |\*\*|^[ \t]*\|"
    r"|```|\]\(https?:"
)
_QA = re.compile(
    r"(?m)^[ \t]*(?:[QAqa問答質][:：.)）]|[(（【]?(?:質問|回答|問|答)[)）】:：])"
    r"|ご質問|お答え|ご清聴|質問者|よろしくお願い|ありがとうござい|いかがでしょうか|次の方|どうぞ。"
    r"|おはようござ|こんにちは|はじめまして|お疲れ様|以上です。|いかがでしたか"
    r"|承知(?:いた)?しました|かしこまりました|もちろんです|以下(?:に|は|の通り)[^。\n]{0,24}要約|要約は以下|(?:に|を)要約(?:します|しました)[。:：]"
    r"|(?<![ぁ-ん])(?:えー|えっと|あのー|そのー|まあ、)"
    r"|でしょうか。|ですかね|おっしゃ"
    r"|\b(?:Sure[,!]|Here(?: is|'s) (?:a|the) summary|As an AI|Thank you|Good (?:morning|afternoon))"
)
_FIRST_PERSON = re.compile(
    r"弊社|弊行|小社|私(?:ども|共|たち|達)|わたし|わたくし|我々|われわれ|我が社|わが社|当方|(?<![A-Za-z])(?:I|I'm|we're)(?![A-Za-z'.])"
)
_POLITE = re.compile(
    r"(?:ます|です|ません|でした|ました|でしょう|ましょう|ください)(?:か|ね|よ|が)?$"
)
_PLAIN = re.compile(
    r"(?:である|であった|であり|だ|だった|する|した|いる|いた|ある|あった|なる|なった|れる|れた|ない|なかった"
    r"|う|く|む|る|た|い|ぬ|ず)$"
)
#: 堅調, 増加, 設備投資: a sentence that ends in a noun or in a stem of 形状詞 (体言止め).
_NOUN = re.compile(
    r"(?:[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fffa-zA-Z0-9%％]|こと|もの|ため|ところ|など|まで)$"
)
Ending = Literal["polite", "plain", "noun", "talk", "other", "english", "empty"]
_END = re.compile(r"[。｡！？!?.．」』）)】…]\s*$")
_CLOSERS = "。｡！？!?.．」』）)】 \u3000\n"


def bullets(text: str) -> int:
    """Lines that are list entries, Markdown headings, tables or bold marks."""
    return len(_BULLET.findall(text))


def conversation(text: str) -> int:
    """Traces of questions, answers, greetings and fillers."""
    return len(_QA.findall(text))


def first_person(text: str) -> int:
    """Words by which the company would speak of itself (弊社, 私ども, 我々); 当社 is none."""
    return len(_FIRST_PERSON.findall(text))


def ending(sentence: str) -> Ending:
    """How a sentence ends: です・ます, である, in a noun (体言止め), as speech, or else."""
    body = sentence.rstrip(_CLOSERS)
    if not body:
        return "empty"
    if language(body) != "ja":
        return "english"
    if re.search(r"(?:ますよ|ですよ|ますね|ですね|かな|よね|じゃん|っす)$", body):
        return "talk"
    if _POLITE.search(body):
        return "polite"
    if _NOUN.search(body):
        return "noun"
    return "plain" if _PLAIN.search(body) else "other"


def mixed_endings(sentences: Sequence[str]) -> float:
    """Share of the rarer of polite (です・ます) and plain (である) endings, 0…0.5.

    Sentences that end in a noun (体言止め) or in English count for neither.
    """
    found = Counter(ending(sentence) for sentence in sentences)
    both = found["polite"] + found["plain"]
    return min(found["polite"], found["plain"]) / both if both else 0.0


def noun_endings(sentences: Sequence[str]) -> float:
    """Share 0…1 of the Japanese sentences that end in a noun, as notes do."""
    found = Counter(ending(sentence) for sentence in sentences)
    japanese = sum(n for kind, n in found.items() if kind not in {"english", "empty"})
    return found["noun"] / japanese if japanese else 0.0


#: Longer sentences have to be read twice: characters of Japanese, words of English.
_LONG_JA, _LONG_EN = 150, 45


def long_sentences(sentences: Sequence[str]) -> float:
    """Share 0…1 of sentences over 150 characters of Japanese or 45 words of English."""
    if not sentences:
        return 0.0
    long = sum(
        len(text) > _LONG_JA if language(text) == "ja" else len(text.split()) > _LONG_EN
        for text in sentences
    )
    return long / len(sentences)


_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_IDEOGRAPH = re.compile(r"[\u4e00-\u9fff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")


@lru_cache(maxsize=64)  # each of a company's texts is compared with the same long sources
def tongue(text: str) -> Literal["ja", "en", "zh", "ko"]:
    """As ``language``, and Chinese (ideographs without kana) and Korean told from Japanese."""
    if len(_HANGUL.findall(text)) > 4:
        return "ko"
    if len(_IDEOGRAPH.findall(text)) >= 12 and _KANA.search(text) is None:
        return "zh"
    return language(text)


_COMPARED = 200


def repetition(sentences: Sequence[str]) -> float:
    """Largest 4-gram overlap (Jaccard, 0…1) of two sentences of one text."""
    # A text of thousands of sentences is no brief: its first ones say enough of it.
    grams = [ngrams(sentence) for sentence in sentences[:_COMPARED] if len(sentence) >= 12]
    return max((len(a & b) / len(a | b) for a, b in combinations(grams, 2)), default=0.0)


def is_truncated(text: str, finish_reason: str) -> bool:
    """True where the engine stopped at its limit, or the text ends inside a sentence."""
    if finish_reason == "length":
        return True
    body = text.strip()
    if not body:
        return False
    return _END.search(body) is None or _is_open(body)


def _is_open(body: str) -> bool:
    """Whether the last line opens more brackets than it closes."""
    last = body.rpartition("\n")[2]
    return any(last.count(a) > last.count(b) for a, b in ("「」", "『』", "（）", "【】"))


_NOTHING = re.compile(
    r"^(?:[^。\n]{0,40}?(?:に関する|についての|に関しての)?(?:該当する)?記載(?:は(?:あり|見当たり|ござい)ません|はない|なし)"
    r"|該当する記載なし|(?:the sources? |there is )?(?:says? )?no(?:thing| relevant statement| such statement)[^.\n]{0,60})"
    r"[。.]?$",
    re.IGNORECASE,
)


def says_nothing(text: str) -> bool:
    """True where the whole text is the statement that nothing is said (該当する記載なし)."""
    return _NOTHING.match(fold_text(text).strip()) is not None
