"""The few sentences that this package itself says in an answer, in both languages.

Here: refusals and labels that stand in answers. The page's own labels stand in its template.
Imported inside ``qa``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.ports import Language
from g2_pipelines.tables.line2 import GapKind

_REFUSAL = {
    "ja": "この質問への答えは、対象の文書からは確認できませんでした。",
    "en": "No answer to this question could be confirmed in the documents in scope.",
}
_NOTHING = {
    "ja": "質問に当たる記載が見つかりません",
    "en": "nothing in the evidence matches the question",
}
_UNVERIFIED = {
    "ja": "根拠と照合できないため採用しません",
    "en": "not kept, since it could not be verified",
}
_LEFT_OUT = {
    "ja": "根拠を示していない文は除きました。",
    "en": "Sentences that cite nothing were left out.",
}
_RELEVANT = {"ja": "関連する記載: ", "en": "Relevant passage: "}
_MISSING = {"ja": "根拠に見当たらない語: ", "en": "not in the evidence: "}
_UNNAMED = {
    "ja": "質問の残りの部分は、対象の文書からは確認できませんでした。",
    "en": "The rest of the question is not confirmed in the documents in scope.",
}
_APART = {
    "ja": "次の語をともに含む箇所が根拠にありません: ",
    "en": "no place in the evidence holds these together: ",
}
_DOUBTFUL = {
    ("ja", "ambiguous"): "同じ程度に当てはまる値が複数あります: ",
    ("en", "ambiguous"): "several values fit equally well: ",
    ("ja", "conflicting"): "文書の中で値が食い違っています: ",
    ("en", "conflicting"): "the documents give different values: ",
}
_STEP_MISSING = {
    "ja": "前提となる問いに、計算や照合に使える答えがありません: ",
    "en": "a step that this one builds on has no answer to use: ",
}
_ONE_PLACE = {
    "ja": "計算の両側が同じ箇所の値になります",
    "en": "both sides of the calculation are one and the same value",
}
_UNLIKE = {
    "ja": "計算に使えるほど質問どおりの値ではありません: ",
    "en": "not surely the value that is asked for, so nothing is calculated with it: ",
}
_YES_NO = {"ja": ("はい", "いいえ"), "en": ("Yes", "No")}
_AND = re.compile(r"^(?:また|さらに|そして|加えて)、?|^(?:and|also),? ", re.IGNORECASE)
_PLEASE = re.compile(
    r"(?:について|に関して)?(?:も|は|を)?(?:具体的に|詳しく|詳細に|簡潔に|合わせて)?(?:説明|回答|答え|教え|示|述べ|挙げ|お答え|お教え)"
    r"(?:し|え|げ)?(?:て(?:ください|下さい)|なさい|せよ|よ)。?$"
)
_JOIN = {"ja": "、", "en": ", "}


def refusal(language: Language) -> str:
    """The answer where there is none."""
    return _REFUSAL[language]


def nothing_found(language: Language) -> str:
    """Why, when no evidence matched."""
    return _NOTHING[language]


def unverified(language: Language, faults: Sequence[str]) -> str:
    """Why, when a reply failed the checks; the faults are in English, as in the logs."""
    return f"{_UNVERIFIED[language]}: {'; '.join(faults[:5])}"


def is_unverified(text: str) -> bool:
    """True of a text of ``unverified``."""
    return text.startswith(tuple(f"{start}: " for start in _UNVERIFIED.values()))


def left_out(language: Language) -> str:
    """What is said where sentences of an answer are left out."""
    return _LEFT_OUT[language]


def relevant(language: Language, passage: str) -> str:
    """A passage that is about the question, where no sentence of it is the answer."""
    return _RELEVANT[language] + passage


def part_open(language: Language, question: str) -> str:
    """What is said of a part of a question that nothing confirms."""
    asked = _AND.sub("", " ".join(question.split()))
    if language == "ja":
        asked = _PLEASE.sub("", asked) or asked
        return f"「{asked}」については、対象の文書からは確認できませんでした。"
    return f"Not confirmed in the documents in scope: {asked}"


def unnamed_part(language: Language) -> str:
    """A part that is open, where nothing vouches for what it was called."""
    return _UNNAMED[language]


def open_part(language: Language, kind: GapKind, text: str) -> str:
    """What an answer to a part says of a gap; ``text`` "" leaves the gap unnamed."""
    if kind == "conflicting" and text:
        return text if text.endswith(("。", ".")) else text + ("。" if language == "ja" else ".")
    return part_open(language, text) if text else _UNNAMED[language]


def counted(language: str, count: int, first: str, last: str) -> str:
    """How many labelled parts there are, with the first and the last."""
    if language == "ja":
        return f"{count}です（{first} から {last} まで）。"
    return f"{count} ({first} to {last})."


def missing_words(language: Language, words: Sequence[str]) -> str:
    """Why, when words of the question stand nowhere in the evidence."""
    return _MISSING[language] + _JOIN[language].join(words)


def words_apart(language: Language, words: Sequence[str]) -> str:
    """Why, when the words of the question stand in the evidence but not together."""
    return _APART[language] + _JOIN[language].join(words)


def doubtful(language: Language, lack: GapKind, rivals: Sequence[str]) -> str:
    """Why, when places that fit equally well say different things; the values are named."""
    return _DOUBTFUL.get((language, lack), "") + _JOIN[language].join(rivals)


def only_qualified(language: Language, sentence: str) -> str:
    """Why, when the value stands there as a target or forecast alone; the sentence is given."""
    if language == "ja":
        return f"値は目標または見込みとしてのみ記載されています: 「{sentence}」"
    return f"stated only as a target or forecast: {sentence}"


def step_missing(language: Language, names: Sequence[str]) -> str:
    """Why, when a step that this one builds on found nothing to build on."""
    return _STEP_MISSING[language] + _JOIN[language].join(names)


def about(language: Language, words: Sequence[str]) -> str:
    """The task of a step that gathers evidence about ``words``."""
    joined = _JOIN[language].join(words)
    return f"{joined}に関する記載" if language == "ja" else f"Passages about {joined}"


def sides_apart(language: Language) -> str:
    """Why, when both sides of a calculation were found in one and the same place."""
    return _ONE_PLACE[language]


def unlike_sides(language: Language, names: Sequence[str]) -> str:
    """Why, when sides are no values of the same kind that can be set against each other."""
    return _UNLIKE[language] + _JOIN[language].join(names)


def compared(language: Language, sides: str, *, yes: bool) -> tuple[str, str]:
    """Yes or no, alone and with the two values."""
    word = _YES_NO[language][not yes]
    return word, f"{word}（{sides}）。" if language == "ja" else f"{word} ({sides})."


def sign_told(language: Language, change: str, *, yes: bool) -> tuple[str, str]:
    """Yes or no, alone and with the change."""
    return compared(language, change, yes=yes)


def calculated(language: Language, result: str, formula: str) -> str:
    """A calculated answer with the values that it comes from."""
    return f"{result}です（{formula}）。" if language == "ja" else f"{result} ({formula})."
