"""Texts that only repeat the question or name a field of a form, and who does what is asked.

Here: ``only_label`` and ``lacks_doer``. «* 10. Name of Federal Agency:» answers no question for
the name; «retailers set their own prices» does not say who owns them. Used by ``find`` and
``passages``.
"""

from __future__ import annotations

import re

from g2_pipelines.qa.hits import Scope
from g2_pipelines.qa.matching import held, prepared, stem, words
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.sentences import is_prose

_NUMBERED = re.compile(r"^[\s*•・]*(?:\(?\d{1,3}[a-z]?[.)]\s*)?")
_TOLD = re.compile(r"[:：=\d|\t,、;]|\s[-–—]\s")
_WHO = re.compile(
    r"\bwho (?:(?:has|have|had|was|were|is|are|did|does|will|can|first|also|originally) )*([a-z]{3,})"
)
_NO_VERB = frozenset(
    ["the", "this", "that", "its", "their", "his", "her", "our", "who", "what", "and"]
)
#: «their own prices»: behind such a word it is no verb.
_ADJECTIVE = (
    r"\b(?:their|its|his|her|our|my|your|the|whose|an?|of|on)(?:['’]s)? (?:\w+ly )?$|['’]s? $"
)
_CAPITAL = re.compile(
    r"\b(?!(?:The|This|That|It|In|On|At|A|An|We|They|These|Those|For|As|When|If|By)\b)[A-Z][\w.&'’-]*"
)
_DOER_JA = re.compile(r"(?:が|は|も|により|によって|による|から)(?!、?(?:ある|ない))")
_ASKED_DOER = re.compile(
    r"(?P<verb>[\u4e00-\u9fff]{1,4})[ぁ-ん]{1,6}のは(?:誰|だれ)|(?:誰|だれ)が.{0,30}?(?P<other>[\u4e00-\u9fff]{1,4})(?:し|さ|っ|い|り|ん|ま)"
)
_CITED = re.compile(r"<?https?://|<http|」\s*\d{4}年\d{1,2}月\d{1,2}日")


def only_label(scope: Scope, text: str) -> bool:
    """True for a text that holds nothing but the question's words, or that ends as a label."""
    if scope.asked.kind not in ("label", "value", "number", "date"):
        return False
    plain = _NUMBERED.sub("", text.strip())
    if plain.endswith((":", "：")):
        return True
    if re.search(r"\d", plain):
        return False
    question = prepared(scope.asked.core)
    own = words(plain)
    asks_which = re.search(r"\bor\b|それとも|どちら", scope.asked.core) is not None
    return (
        bool(own)
        and not asks_which
        and _repeats(plain, scope)
        and all(held(word, question) >= 1.0 for word in own)
    )


def _repeats(plain: str, scope: Scope) -> bool:
    return " ".join(fold_text(plain).split()) in " ".join(fold_text(scope.asked.core).split())


def names_fields(scope: Scope, text: str) -> bool:
    """True for a line of a form («First Name Birthday»): no sentence, no value behind a mark."""
    if scope.asked.kind != "value" or scope.asked.several:
        return False
    return not is_prose(text) and _TOLD.search(_NUMBERED.sub("", text)) is None


def lacks_doer(scope: Scope, text: str) -> bool:
    """True where the question asks who does something and ``text`` names no one who does it."""
    core = fold_text(scope.asked.core)
    if scope.asked.language == "ja":
        found = _ASKED_DOER.search(core)
        if found is None:
            return False
        verb = found["verb"] or found["other"]
        if _CITED.search(text):
            return True
        return not any(
            _DOER_JA.search(text[: place.start()]) for place in re.finditer(re.escape(verb), text)
        )
    found = _WHO.search(core)
    if found is None or found[1] in _NO_VERB or scope.asked.kind != "label":
        return False
    return not any(
        _CAPITAL.search(text[: place.start()]) or re.match(r"\W+by\b", text[place.end() :])
        for place in re.finditer(rf"\b{re.escape(stem(found[1]))}\w*", text, re.IGNORECASE)
        if not re.search(_ADJECTIVE, text[: place.start()], re.IGNORECASE)
    )
