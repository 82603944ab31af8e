"""Whether a label or sentence speaks of the very item that is asked for, as it stands today.

Here: ``whole`` and ``nearness`` of a row's label, ``narrowed`` (a sentence about a part: «EMEA
revenues» for revenues), ``only_changes`` (a sentence that tells growth, not an amount) and
``qualifier`` (a number that is a target or forecast). Used by ``cells`` and ``passages``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.qa.figures import Figure
from g2_pipelines.qa.forms import tells_change
from g2_pipelines.qa.hits import Scope
from g2_pipelines.qa.matching import Prepared, Word, held, prepared, stem, words
from g2_pipelines.text.fold import fold_text

_BRACKETS = re.compile(r"[(（\[［〔][^()（）\]］〕]*[)）\]］〕]|,\s*net\b")
_GREW = re.compile(
    r"(?:increas\w*|decreas\w*|grew|grow\w*|rose|ris(?:e|es|ing)|fell|fall\w*|declin\w*|dropp\w*|"
    r"\bup|\bdown|improv\w*|higher|lower)\s+(?:(?:over|on|upon|from|against)\s(?:[\w.-]+\s){1,4}(?=by ))?(?:by |of |approximately |about |nearly |almost |an? |more than )*[$€£¥]?\s?$"
    r"|(?:前年度?比|前期比|対前年度?(?:同期)?比)(?:で|は)?[\s+＋\-▲△]*$"
)
_GREW_AFTER = re.compile(
    r"\s*(?:の)?(?:増|減|上昇|低下|下落)|\s*(?:percent )?(?:increase|decrease|growth|decline|higher|lower)\b"
)
AIM = re.compile(
    r"目標|見込|予測|予想|目指|見通し"
    r"|\b(?:targets?|targeted|forecasts?|projected|projections?|outlook|guidance|goals?|expects?|expected to|aims?|plans? to)\b"
)
_PRETAX = re.compile(r"税引前|調整前|\bbefore (?:income )?tax(?:es|ation)?\b")
_OTHER = re.compile(r"\bothers?\b|その他|\bnon-?\b|\bexcluding\b|を除く")
_COMPARED = re.compile(r"([^\s、。はがの]{2,12})(?:の\w{1,8}?)?(?:と|に)(?:比べ|比較し)")
_ERAS = ("令和", "平成", "昭和")
_PARTLY = 0.5
_OWN_ITEM = 0.65  #: of a label's letters, those of the question's words
_AIM_BEFORE, _AIM_AFTER = 60, 25  # characters of the number's surroundings
_MODIFIER = re.compile(r"([A-Z][\w.&'’-]*)\s+$")
_NO_MODIFIER = frozenset(
    (
        "total",
        "consolidated",
        "net",
        "overall",
        "fiscal",
        "the",
        "our",
        "all",
        "in",
        "of",
        "and",
        "its",
        "company",
        "group",
    )
)


def bare(label: str) -> str:
    """A label without what stands in brackets, and without the accountants' «, net»."""
    return _BRACKETS.sub(" ", label).strip() or label


def whole(scope: Scope, label: str, around: Sequence[str]) -> bool:
    """True when the label names the asked item, no more and no less.

    Every word of the label is in the question, or names the document; every word of the
    question that is no year is in the label or in ``around`` (its column's header, its group).
    """
    own = words(bare(label))
    question = prepared(" ".join([scope.asked.core, *(word.text for word in scope.words)]))
    if not own or any(held(w, question) < 1.0 and held(w, scope.topic) < 1.0 for w in own):
        return False
    if _OTHER.search(fold_text(label)) and not _OTHER.search(fold_text(scope.asked.core)):
        return False
    beside = prepared(" ".join([label, *around]))
    return all(
        held(word, beside) >= 1.0 or (word.strict and held(word, scope.topic) >= 1.0)
        for word in scope.words
        if not word.is_figure
    )


def nearness(scope: Scope, label: str) -> float:
    """The share of a label that the question's words make up: 営業利益 before 営業利益率."""
    return max(_nearness(scope, text) for text in (label, bare(label)))


def _nearness(scope: Scope, label: str) -> float:
    ready = prepared(label)
    if not ready.squeezed:
        return 0.0
    known = sum(len(word.text) for word in scope.words if held(word, ready) >= 1.0)
    return min(1.0, known / len(ready.squeezed))


def another(scope: Scope, label: str) -> bool:
    """True for the label of another item that shares words: assets held for sale are no
    current assets. A label without a letter or of one word names a thing, not an item.
    """
    own = words(bare(label))
    if _PRETAX.search(fold_text(label)) and not _PRETAX.search(fold_text(scope.asked.core)):
        return True
    if _OTHER.search(fold_text(label)) and not _OTHER.search(fold_text(scope.asked.core)):
        return not _in_question(scope, label)
    return len(own) > 1 and nearness(scope, label) < _OWN_ITEM and not _in_question(scope, label)


def _in_question(scope: Scope, label: str) -> bool:
    question = prepared(scope.asked.core)
    return all(held(word, question) >= 1.0 for word in words(bare(label)))


def narrowed(scope: Scope, text: str) -> bool:
    """True when a word of the question stands only behind a name that narrows it and that
    neither the question nor the document's heading has.
    """
    if scope.asked.language != "en" or scope.asked.kind not in ("number", "value"):
        return False
    question = prepared(scope.asked.core)
    things = [word for word in scope.words if not word.is_figure and not word.strict]
    for word in [word for word in things if word in scope.asked.head] or things[-1:]:
        places = [m.start() for m in re.finditer(rf"\b{re.escape(word.text)}", text, re.IGNORECASE)]
        if places and all(_is_narrow(scope, text[:place], question.stems) for place in places):
            return True
    return False


def _is_narrow(scope: Scope, before: str, known: frozenset[str]) -> bool:
    match = _MODIFIER.search(before)
    if match is None:
        return False
    name = match[1]
    own = prepared(re.sub(r"['’]s$", "", name)).stems
    starts = not before[: match.start()].strip() or before[: match.start()].rstrip()[-1] in ".!?"
    if starts and not name.isupper():
        return False
    return (
        re.sub(r"['’]s$", "", name.lower()) not in _NO_MODIFIER
        and not own <= known | scope.topic.stems
    )


def only_changes(scope: Scope, text: str, found: Sequence[Figure]) -> bool:
    """True for a sentence whose amounts are all growth or shares, where a state is asked."""
    folded = fold_text(text)
    if scope.asked.change or not found or tells_change(fold_text(scope.asked.core)):
        return False
    return tells_change(folded) and all(item.unit == "%" or is_change(item, text) for item in found)


def is_change(number: Figure, text: str) -> bool:
    """True for a number said to be a rise or fall («increased 12%», 前年比5%増)."""
    before = fold_text(text[max(0, number.start - 50) : number.start])
    after = fold_text(text[number.end : number.end + 20])
    return _GREW.search(before) is not None or _GREW_AFTER.match(after) is not None


def qualifier(scope: Scope, number: Figure, text: str) -> str:
    """What makes the number a target or forecast («目標», «expected to»), "" for a fact.

    Only a question that speaks of one asks for it: a year to come alone does not.
    """
    if AIM.search(fold_text(scope.asked.core)):
        return ""
    near = fold_text(text[max(0, number.start - _AIM_BEFORE) : number.end + _AIM_AFTER])
    match = AIM.search(near)
    return match[0] if match else ""


def without_modifier(scope: Scope, texts: Sequence[str]) -> bool:
    """True where ``texts``, what names a cell, have a noun of the question but not the word right
    before it: net income is no comprehensive income.
    """
    if scope.asked.language != "en":
        return False
    ready = prepared("\n".join(texts))
    plain = {word.text: word for word in scope.words if not word.is_figure and not word.strict}
    spoken = re.findall(r"[\w'’-]+|[^\w\s]", fold_text(scope.asked.core))
    return any(
        one in plain
        and other in plain
        and held(plain[other], ready) >= 1.0
        and held(plain[one], ready) < _PARTLY
        for one, other in pairwise(spoken)
    )


def verbatim(scope: Scope, text: str) -> bool:
    """True for two words or more that stand in the question as they are."""
    folded = " ".join(fold_text(text).split())
    return (
        len(folded.split()) > 1
        and re.search(
            rf"(?<!\w){re.escape(folded)}(?!\w)", " ".join(fold_text(scope.asked.core).split())
        )
        is not None
    )


def about_topic(scope: Scope, texts: Sequence[Prepared]) -> bool:
    """False where an open Japanese question names its topic first (海事行政DXの…) and none of
    ``texts`` holds any of that word, though the documents do.
    """
    if scope.asked.language != "ja" or not scope.asked.open:
        return True
    named = [word for word in scope.words if not word.is_figure and len(word.text) > 1]
    first = next((word for word in named if not word.text.startswith(_ERAS)), None)
    if first is None or held(first, scope.document) < 1.0:
        return True
    return any(held(first, text) >= _PARTLY for text in texts)


def compares(scope: Scope, text: Prepared) -> bool:
    """False where the question compares with a thing (諸外国と比べて) that ``text`` never names."""
    found = _COMPARED.search(scope.asked.core)
    return found is None or all(held(word, text) >= 1.0 for word in words(found[1]))


def in_a_row(scope: Scope, text: str) -> bool:
    """True for a sentence in which the words of the item stand side by side: operating and
    income somewhere in it are no operating income.
    """
    return scope.asked.language == "ja" or in_order(scope.words, text)


def in_order(item: Sequence[Word], text: str) -> bool:
    """True where the plain Latin words of an item follow each other, one word between at most."""
    things = [word.text for word in item if not word.is_figure and not word.strict]
    things = [text for text in things if text.isascii()]
    phrase = r"\w*\W+(?:\w+\W+)?".join(re.escape(stem(thing)) for thing in things)
    return re.search(phrase, fold_text(text)) is not None
