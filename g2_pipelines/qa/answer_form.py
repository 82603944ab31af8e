"""Whether an answer has the form and the language that were asked for.

Here: ``form_faults``, told to the reasoner once, ``items_of``, and ``in_form``, which cuts a number out of its
sentence where it is the only one. A proven answer in another form is still an answer: it is
never refused for that. Used by ``conclude``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.amounts import DIGITS, amounts_in, plain_text
from g2_pipelines.tables.line2 import AnswerFormat, AnswerValue
from g2_pipelines.text.sentences import sentences

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_LATIN = re.compile(r"[A-Za-z]{2,}")
_BESIDE = 24  #: characters that may stand beside a number: about, 約, a currency's name
_SHORT = 160
_WORDS = 6
_BULLET = re.compile(r"^(?:[-–•*・]\s*|\(?\d{1,2}[.)]\s+)")
_SEPARATORS = re.compile(r"[、;]|, ")


def form_faults(answer: str, form: AnswerFormat, question: str) -> list[str]:
    """What of the asked form and of the question's language ``answer`` has not."""
    text = answer.strip()
    faults: list[str] = []
    lines = [line for line in text.splitlines() if line.strip()]
    if form == "number" and not _is_number(text, lines):
        faults.append("the answer is not the number with its unit alone")
    if form == "short" and (len(lines) > 1 or len(text) > _SHORT or len(sentences(text)) > 1):
        faults.append("the answer is not a few words")
    if form == "list" and len(lines) == 1 and len(_SEPARATORS.findall(text)) > 1:
        faults.append("the list has not one item a line")
    if _other_language(text, question):
        faults.append("the answer is not in the language of the question")
    return faults


def _is_number(text: str, lines: Sequence[str]) -> bool:
    plain = plain_text(text)
    if len(lines) != 1 or not DIGITS.search(plain):
        return False
    rest = plain
    for amount in amounts_in(plain):
        rest = rest.replace(amount.text, " ")
    return len("".join(DIGITS.sub(" ", rest).split())) <= _BESIDE


def _other_language(answer: str, question: str) -> bool:
    """A question with kana answered in English words, or one without in Japanese."""
    if _KANA.search(question):
        return not _KANA.search(answer) and len(_LATIN.findall(answer)) >= _WORDS
    kana = len(_KANA.findall(answer))
    return kana >= _WORDS and kana * 4 >= len(answer)


def in_form(answer: str, form: AnswerFormat, values: Sequence[AnswerValue]) -> str:
    """The answer, of a sentence with one value the value alone where a number was asked for."""
    text = answer.strip()
    if form != "number" or _is_number(text, text.splitlines()) or len(values) != 1:
        return text
    return values[0].text


def items_of(answer: str, form: AnswerFormat) -> list[str]:
    """The items of a list, one a line, without bullets and numbers; none of another answer."""
    if form != "list":
        return []
    lines = (_BULLET.sub("", line.strip()) for line in answer.splitlines())
    return [line for line in lines if line]
