"""A question as it is searched: its content words, their weights, the places it names.

Here: ``searched`` (the question without question words, answer-format sentences and endings)
and ``asked`` (its terms with weights). Nothing is dropped from what is shown or answered.
Which words are dropped is a matter of the languages, not of any set of questions. ``lance`` and
``pages`` import this module, ``graph`` may.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from g2_pipelines.index.labels import Mentions, mentioned, without_places
from g2_pipelines.index.ratios import parts_of
from g2_pipelines.index.stems import stem
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.terms import terms

#: Latin and katakana words of a Japanese question are names and terms: they count more.
JAPANESE_NAME_WEIGHT = 1.5

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z(\[\"'])|(?<=\?)(?=[A-Z])|(?<=[.?!])\s+(?=please\b)")
_ORDER = (
    r"(?:alphabetical(?:ly)?|ascend(?:ing)?|descend(?:ing)?|chronological|increasing|decreasing)"
)
_FORM = re.compile(
    rf"\b(?:format(?:ted)?|decimals?(?: places?| points?)?|integers?|floats?|int|strings?|"
    rf"significant (?:digits|figures)|percentage form|{_ORDER} order|rounded?|"
    rf"list form|e\.g\.|for example|single (?:word|letter|number)|yes or no|not answerable)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^\W*(?:please\b|(?:just |only |also )?(?:write|give|provide|return|express|answer|report|"
    r"format|round|keep|sort|order|rank|arrange|present|output|respond|use|list|enumerate|show|"
    r"convert|leave|state|save|represent|make|put|limit)\b|(?:your|the) (?:answer|output|response|result)s?\b|if (?:not|no|the))",
    re.IGNORECASE,
)
_FORM_PHRASE = re.compile(
    rf"\(?\b(?:in|as|with|into|using|by) (?:an? |the )?(?:{_ORDER} order|"
    r"(?:list|int|integer|float|string|str|percentage|percent|date|number|numeric|python list|"
    r"[dmy]{2,4}[-/][dmy]{2,4}(?:[-/][dmy]{2,4})?) (?:format|form)|"
    r"(?:form|format) of (?:an? )?\w+|(?:an? )?(?:integer|float)s?)\b\)?"
    r"|\bround(?:ed|ing)? (?:up |down |off )?to (?:the )?(?:nearest )?"
    r"(?:\w+ )?(?:decimals?(?: places?| points?)?|integers?|whole numbers?|digits?|hundredths?|"
    r"tenths?|\d+ \w+)\b"
    r"|(?:,?\s*\b(?:e\.g\.|for example|such as|like)[,:]?\s*)[\[{][^\]}]*[\]}]",
    re.IGNORECASE,
)
_STOP_WORDS = (
    "a an the and or but if nor so of in on at to for from by with as into onto over under about "
    "between within without through during per via than "
    "is are was were be been being am do does did done doing have has had having can could "
    "might will would shall should must it its this that these those there here they them their "
    "he she his her him i me my we us our you your who whom whose which what when where why how "
    "whether many much long often kind kinds type types each every any some all both either "
    "neither other others another same such own not no only also just very too then else ever "
    "please tell give list name find show shown shows showing display displayed depict depicted "
    "mention mentioned mentions describe described describes state stated states present "
    "presented refer referred refers indicate indicated indicates provide provided give given "
    "gives accord according base based follow following use used using see answer question "
    "document documents paper pdf guide guidebook brochure deck presentation file page pages slide "
    "slides number numbers count total define identify explain compare calculate determine "
    "one ones etc e.g i.e does doesn't don't isn't aren't what's"
)
_STOP = frozenset(_STOP_WORDS.split())
_PLAIN_STOP = frozenset(stem(word) for text in _STOP for word in terms(text)) | _STOP
_JA_ENDINGS = re.compile(
    r"(?:は|とは|が|を|で|に)?(?:何(?:ですか|でしょうか|か|名|件|社|年|月|%|人|つ)?|いくら|いくつ|どこ|だれ|誰|いつ|どれ|"
    r"どの(?:よう(?:な|に)|くらい|程度)?|どんな|どう|なぜ)(?:です|でした|でしょう|になりま|にな|なので|なもの|いう)?"
    r"(?:か|すか|したか)?"
    r"|(?:について|に関して|を)?(?:も|詳しく|簡潔に|具体的に|併せて|具体的な例を|例を)*"
    r"(?:教えて|答えて|説明して|述べて|示して|挙げて|記述して|まとめて|列挙して|比較して)"
    r"(?:ください|下さい|くれますか|いただけますか)?"
    r"|を?(?:説明|記述|列挙|回答|言及)(?:し(?:なさい|てください|て下さい|ろ)|せよ)"
    r"|(?:しなさい|せよ|なさい)(?=$|[\s。])"
    r"|(?:されて|して|なって)?(?:います|いました|ある|あり(?:ます|ました)|ます|ました|です|でしょう|でした|いる)か"
    r"|してください|下さい|ください|(?:それ|そ)の(?:理由|詳細)(?=[もを])|[?？。、]"
)


@dataclass(frozen=True)
class Asked:
    """What is searched for.

    weights: each content term once, with what it counts. sequence: the content terms in order,
    for neighbouring pairs. text: the cleaned words, for character runs. names: the places the
    question names.
    """

    weights: dict[str, float]
    sequence: tuple[str, ...]
    text: str
    names: Mentions


def searched(question: str) -> str:
    """``question`` without question words; the question itself if nothing would be left."""
    return _worded(_without_format(question)) or question


def _worded(text: str) -> str:
    """``text`` without stop words and Japanese endings; empty if nothing is left."""
    if _KANA.search(text):
        text = _JA_ENDINGS.sub(" ", text)
    words = [word.rstrip("?!") for word in text.split() if not _is_stop(word)]
    return " ".join(word for word in words if any(char.isalnum() for char in word))


def asked(
    question: str,
    *,
    clean: bool = True,
    stemmed: bool = True,
    names: bool = True,
    parts: float = 0.5,
) -> Asked:
    """The terms of ``question``, folded like the stored texts.

    Args:
        question: As it was asked, in any words.
        clean: Drop question words and weigh names of a Japanese question.
        stemmed: Stem the terms, as the stored ones are.
        names: Read places from it; they no longer count as words then.
        parts: Weight of the parts of a ratio that is asked for, beside the question's own words.
    """
    mentions = mentioned(question) if names else Mentions()
    text = question
    if clean:
        text = _without_format(question.replace("_", " "))
        text = _worded(without_places(text) if names else text) or question
    words = terms(text)
    if clean:
        words = [word for word in words if not _is_stop(word)] or words
    final = tuple(stem(word) if stemmed else word for word in words)
    boosted = clean and bool(_KANA.search(question))
    weights = {
        word: JAPANESE_NAME_WEIGHT if boosted and _is_name(word) else 1.0
        for word in dict.fromkeys(final)
    }
    for part in terms(parts_of(question.replace("_", " "))) if parts else ():
        if not _is_stop(part):
            weights.setdefault(stem(part) if stemmed else part, parts)
    return Asked(weights, final, " ".join(words), mentions)


def _without_format(question: str) -> str:
    sentences = _SENTENCE.split(question.strip())
    kept = [part for part in sentences if not (_IMPERATIVE.match(part) and _FORM.search(part))]
    text = _FORM_PHRASE.sub(" ", " ".join(kept))
    return text if _has_content(text) else _FORM_PHRASE.sub(" ", question)


def _has_content(sentence: str) -> bool:
    return any(word[0].isalpha() and not _is_stop(word) for word in terms(sentence))


def _is_stop(word: str) -> bool:
    plain = fold_text(word).strip("?!.,:;\"'()[]")
    return plain in _STOP or plain in _PLAIN_STOP


def _is_name(term: str) -> bool:
    if term.isascii():
        return term[0].isalpha()
    return all("\u30a1" <= char <= "\u30fa" or char == "ー" for char in term)


def is_stop(term: str) -> bool:
    """Whether a stored term is an English stop word, stemmed or not."""
    return term in _PLAIN_STOP
