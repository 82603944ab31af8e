"""Form of a summary: endings, bullets, traces of conversation, repetition, truncation.

Here: counts and shares, no verdicts (``brief`` has the thresholds). Only modules of this
package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.overlap import ngrams

_BULLET = re.compile(
    r"(?m)^[ \t]*(?:[-*+•●○◆■▪・►→]|[(]?\d{1,2}[).．]|[①-⑳])[ \t\u3000]*\S|^[ \t]*#{1,6} |\*\*|^[ \t]*\|"
)
_QA = re.compile(
    r"(?m)^[ \t]*(?:[QAqa問答質][:：.)）]|[(（【]?(?:質問|回答|問|答)[)）】:：])"
    r"|ご質問|お答え|ご清聴|質問者|よろしくお願い|ありがとうござい|いかがでしょうか|次の方|どうぞ。"
    r"|(?<![ぁ-ん])(?:えー|えっと|あのー|そのー|まあ、)"
    r"|でしょうか。|ですかね|おっしゃ"
)
_POLITE = re.compile(
    r"(?:ます|です|ません|でした|ました|でしょう|ましょう|ください)(?:か|ね|よ|が)?$"
)
_PLAIN = re.compile(
    r"(?:である|であった|であり|だ|だった|する|した|いる|いた|ある|あった|なる|なった|れる|れた|ない|なかった"
    r"|う|く|む|る|た|い)$"
)
_END = re.compile(r"[。｡！？!?.．」』）)】…]\s*$")
_CLOSERS = "。｡！？!?.．」』）)】 \u3000\n"


def bullets(text: str) -> int:
    """Lines that are list entries, Markdown headings, tables or bold marks."""
    return len(_BULLET.findall(text))


def conversation(text: str) -> int:
    """Traces of questions, answers, greetings and fillers."""
    return len(_QA.findall(text))


def mixed_endings(sentences: Sequence[str]) -> float:
    """Share of the rarer of polite (です・ます) and plain (である) endings, 0…0.5.

    Sentences that end in a noun (体言止め) or in English count for neither.
    """
    polite = plain = 0
    for sentence in sentences:
        body = sentence.rstrip(_CLOSERS)
        if language(body) != "ja":
            continue
        if _POLITE.search(body):
            polite += 1
        elif _PLAIN.search(body):
            plain += 1
    return min(polite, plain) / (polite + plain) if polite + plain else 0.0


def repetition(sentences: Sequence[str]) -> float:
    """Largest 4-gram overlap (Jaccard, 0…1) of two sentences of one text."""
    grams = [ngrams(sentence) for sentence in sentences if len(sentence) >= 12]
    return max((len(a & b) / len(a | b) for a, b in combinations(grams, 2)), default=0.0)


def is_truncated(text: str, finish_reason: str) -> bool:
    """True where the engine stopped at its limit, or the text ends inside a sentence."""
    if finish_reason == "length":
        return True
    body = text.strip()
    return bool(body) and _END.search(body) is None


_NOTHING = re.compile(
    r"^(?:[^。\n]{0,40}?(?:に関する|についての|に関しての)?(?:該当する)?記載(?:は(?:あり|見当たり|ござい)ません|はない|なし)"
    r"|該当する記載なし|(?:the sources? |there is )?(?:says? )?no(?:thing| relevant statement| such statement)[^.\n]{0,60})"
    r"[。.]?$",
    re.IGNORECASE,
)


def says_nothing(text: str) -> bool:
    """True where the whole text is the statement that nothing is said (該当する記載なし)."""
    return _NOTHING.match(fold_text(text).strip()) is not None
