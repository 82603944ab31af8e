"""How many steps something takes: the numbered items under the heading that names it.

Here: ``STEPS`` (the question), ``NUMBERED`` (what must be gone through) and ``step_hit``. The
numbers must run from 1 without a gap under one heading. Used by ``find`` and the extractive
worker.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.hits import Hit
from g2_pipelines.qa.matching import Word, held, prepared, stem, words
from g2_pipelines.qa.ports import Quote
from g2_pipelines.qa.wording import counted
from g2_pipelines.tables.line2 import CopiedValue, DocumentNode

STEPS = re.compile(r"\bhow many steps\b|手順は?(?:いくつ|何)|何(?:ステップ|段階)")
#: Folded nodes that begin with a step's number.
NUMBERED = r"\A\s*\(?\d{1,2}[.) 、．]\s*\S"
_ITEM = re.compile(r"(?m)^[ \t]*\(?(\d{1,2})[.) 、．]\s*(\S[^\n]*)")
_FEWEST, _MOST = 2, 30
_SHOWN = 40
_MOSTLY = 0.6


def step_hit(
    question_words: Sequence[Word], nodes: Sequence[Evidence], *, language: str
) -> Hit | None:
    """The count of steps of the one procedure that the words name, None if unsure."""
    things = [
        word for word in question_words if stem(word.text) != "step" and "手順" not in word.text
    ]
    sections: dict[tuple[str, str], dict[int, tuple[DocumentNode, str]]] = {}
    repeated: set[tuple[str, str]] = set()
    for item in sorted(nodes, key=lambda one: (one.node.document_id, one.node.order)):
        node = item.node
        if not node.section_path or node.kind in ("heading", "furniture"):
            continue
        key = (node.document_id, node.section_path[-1])
        for match in _ITEM.finditer(node.text):
            number = int(match[1])
            known = sections.setdefault(key, {})
            if number in known and known[number][0].node_id != node.node_id:
                repeated.add(key)
            known.setdefault(number, (node, match[0].strip()))
    chosen = [key for key in sections if key not in repeated and things and _names(things, key[1])]
    if len(chosen) != 1:
        return None
    steps = sections[chosen[0]]
    count = len(steps)
    if not _FEWEST <= count <= _MOST or set(steps) != set(range(1, count + 1)):
        return None
    found = [steps[number] for number in sorted(steps)]
    values = tuple(
        CopiedValue(label=_shown(text), text=_shown(text), node_id=node.node_id)
        for node, text in found
    )
    return Hit(
        short=str(count),
        answer=counted(language, count, values[0].label, values[-1].label),
        quotes=tuple(Quote(node_id=node.node_id, text=text) for node, text in found),
        coverage=1.0,
        score=2.0,
        values=values,
        operation="count",
    )


def _shown(text: str) -> str:
    """The beginning of a step, cut at a word."""
    if len(text) <= _SHOWN:
        return text
    return text[: _SHOWN + 1].rpartition(" ")[0] or text[:_SHOWN]


def _names(things: Sequence[Word], heading: str) -> bool:
    """True for a heading that holds all words and is made of them for the most part."""
    ready = prepared(heading)
    own = words(heading)
    question = prepared(" ".join(word.text for word in things))
    if not own or any(held(word, ready) < 1.0 for word in things):
        return False
    return sum(held(word, question) >= 1.0 for word in own) / len(own) >= _MOSTLY
