"""Addresses and numbers to call: e-mail, web, telephone, fax.

Here: ``contact_hit``. What is asked for has a form of its own, so it is looked for by form; the
question's other words must stand with it. Two that fit equally well are no answer. Used by
``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.forms import Contact
from g2_pipelines.qa.hits import ENOUGH, Hit, Miss, Scope
from g2_pipelines.qa.matching import held, prepared
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text

_CALL = r"\+?\(?\d[\d()./\s-]{5,18}\d(?!\d)"
_FORMS: dict[Contact, re.Pattern[str]] = {
    "email": re.compile(r"[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"),
    "url": re.compile(r"(?:https?://|www\.)[^\s<>()\"'、。]+[^\s<>()\"'、。.,;]"),
    "phone": re.compile(rf"(?:tel|phone|電話)[^\d+(]{{0,16}}({_CALL})", re.IGNORECASE),
    "fax": re.compile(rf"(?:fax|ファックス|ファクス)[^\d+(]{{0,16}}({_CALL})", re.IGNORECASE),
}
_LINES_BEFORE = 3
_CLEAR = 0.1
_SPELLED = 4


@dataclass(frozen=True)
class _Found:
    node: DocumentNode
    text: str
    line: str
    coverage: float


def contact_hit(scope: Scope, evidence: Sequence[Evidence], contact: Contact) -> Hit | Miss:
    """The one address or number of the asked form that the question's words stand with."""
    form = _FORMS[contact]
    found: list[_Found] = []
    for item in evidence:
        for text in (item.node.text, item.node.caption or "", item.node.ocr_text or ""):
            found += _of_text(scope, item.node, text, form)
    best: dict[str, _Found] = {}
    for one in found:
        key = fold_text(one.text)
        if key not in best or best[key].coverage < one.coverage:
            best[key] = one
    ranked = sorted(best.values(), key=lambda one: -one.coverage)
    if not ranked or (scope.words and ranked[0].coverage < ENOUGH):
        return Miss(missing=tuple(word.text for word in scope.words[:6]))
    rivals = [one for one in ranked[1:] if ranked[0].coverage - one.coverage < _CLEAR]
    if rivals:
        names = (ranked[0].text, *(one.text for one in rivals[:2]))
        return Miss(missing=(), lack="ambiguous", rivals=names)
    first = ranked[0]
    return Hit(
        short=first.text,
        answer=first.text,
        quotes=(Quote(node_id=first.node.node_id, text=first.line),),
        coverage=first.coverage,
        score=1.0 + first.coverage,
    )


def _before(lines: Sequence[str], place: int, form: re.Pattern[str]) -> list[str]:
    """The line and those before it, nearest first, up to one that holds another of the form."""
    found = [lines[place]]
    for line in reversed(lines[max(0, place - _LINES_BEFORE) : place]):
        if form.search(line):
            break
        found.append(line)
    return found


def _of_text(scope: Scope, node: DocumentNode, text: str, form: re.Pattern[str]) -> list[_Found]:
    lines = text.split("\n")
    found: list[_Found] = []
    for place, line in enumerate(lines):
        for match in form.finditer(line):
            value = match[1] if form.groups else match[0]
            near = [prepared(beside) for beside in _before(lines, place, form)]
            around = prepared("\n".join([*node.section_path, text]))
            whole = {
                word: max(
                    *(held(word, one) * (1 - 0.05 * d) for d, one in enumerate(near)),
                    0.7 * held(word, around),
                    0.5 * held(word, scope.topic),
                )
                for word in scope.words
            }
            coverage, unmet = scope.share(whole)
            # An address that spells a name of the question is that person's.
            if any(len(w.text) >= _SPELLED and w.text in value.casefold() for w in scope.words):
                coverage += 2 * _CLEAR
            if not unmet:
                found.append(_Found(node, value.strip(), line.strip(), coverage))
    return found
