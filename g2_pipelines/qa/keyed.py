"""Lines that name a value: «Produced by:» before it, «Date: 3 May» in one, a role under a name.

Here: ``keyed_hits``. All words of the key must be the question's, its other words stand in the
value, its headings or elsewhere on the page. Used by ``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.hits import ENOUGH, IN_CONTEXT, Hit, Scope
from g2_pipelines.qa.matching import held, prepared, words
from g2_pipelines.qa.passages import one_line
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import DocumentNode

_KEY, _VALUE = 50, 200
_LINE = re.compile(rf"(?m)^[ \t]*([^:：\n\t]{{2,{_KEY}}})[:：][ \t]*([^\n]{{0,{_VALUE}}})$")
_NAME = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3}(?:, [A-Z][\w.]{1,4})*"
)
_ELSEWHERE = re.compile(r"\blast page\b|最後のページ|最終ページ", re.IGNORECASE)
_WHO = re.compile(r"\bwho\b|\bwhom\b|誰|だれ", re.IGNORECASE)
_KINDS = ("label", "value", "date")


def keyed_hits(scope: Scope, evidence: Sequence[Evidence]) -> list[Hit]:
    """The values whose key is asked for, best covered first."""
    if scope.asked.kind not in _KINDS or scope.asked.extreme or scope.asked.several:
        return []
    nodes = sorted(
        (item.node for item in evidence if item.node.order >= 0 and item.node.kind != "table"),
        key=lambda node: (node.document_id, node.order),
    )
    pages: dict[tuple[str, int], list[str]] = {}
    for node in nodes:
        pages.setdefault((node.document_id, node.page), []).append(node.text)
    found: list[Hit | None] = []
    for node in nodes:
        around = "\n".join([*node.section_path, *pages[node.document_id, node.page]])
        lines = (match for match in _LINE.finditer(node.text) if match[2].strip())
        found += [_keyed(scope, match[1], match[2], (node,), around) for match in lines]
    for one, other in pairwise(nodes):
        if not _follows(one, other):
            continue
        around = "\n".join([*other.section_path, *pages[one.document_id, one.page]])
        text = one.text.strip()
        if text.endswith((":", "：")) and len(text) <= _KEY:
            found.append(_keyed(scope, text[:-1], other.text, (one, other), around))
    found += _roles(scope, nodes)
    hits = [hit for hit in found if hit is not None]
    return sorted(hits, key=lambda hit: -hit.score)


def _follows(one: DocumentNode, other: DocumentNode) -> bool:
    same = one.document_id == other.document_id and one.page == other.page
    return same and other.order == one.order + 1


def _keyed(
    scope: Scope, key: str, value: str, nodes: Sequence[DocumentNode], around: str
) -> Hit | None:
    own = words(key)
    question = prepared(scope.asked.core)
    text = one_line(value)
    if not own or any(held(word, question) < 1.0 for word in own) or not text:
        return None
    if len(text) > _VALUE or (scope.asked.kind == "date" and not re.search(r"\d", text)):
        return None
    key_text, page, said = prepared(key), prepared(around), prepared(text)
    best = {
        word: max(held(word, key_text), held(word, said), IN_CONTEXT * held(word, page))
        for word in scope.words
    }
    coverage, unmet = scope.share(best)
    named = sum(held(word, key_text) >= 1.0 for word in scope.words)
    if unmet or not named or coverage < ENOUGH:
        return None
    short = _name_of(text) if _WHO.search(scope.asked.core) else text
    quotes = tuple(Quote(node_id=node.node_id, text=_quote(node, value)) for node in nodes[-1:])
    return Hit(short, short, quotes, coverage=coverage, score=coverage + 0.3)


def _quote(node: DocumentNode, value: str) -> str:
    return value.strip() if value.strip() in node.text else node.text


def _name_of(text: str) -> str:
    """Of a name with its address, the name."""
    return re.split(r"[,、]?\s*(?=\d)", text)[0].strip() or text


def _roles(scope: Scope, nodes: Sequence[DocumentNode]) -> list[Hit | None]:
    """A person's name right above the role that is asked for, where none stands below it."""
    head = "".join(word.text for word in scope.words)
    if not head or scope.asked.kind == "date" or _ELSEWHERE.search(scope.asked.core):
        return []
    found: list[Hit | None] = []
    for place in range(1, len(nodes)):
        name, role = nodes[place - 1], nodes[place]
        after = nodes[place + 1] if place + 1 < len(nodes) else None
        if prepared(role.text).squeezed != head or not _follows(name, role):
            continue
        text = one_line(name.text)
        below = (
            after is not None and _follows(role, after) and _NAME.fullmatch(one_line(after.text))
        )
        if _NAME.fullmatch(text) and not below:
            quotes = tuple(Quote(node_id=n.node_id, text=n.text.strip()) for n in (name, role))
            found.append(Hit(text, text, quotes, coverage=1.0, score=1.3))
    return found
