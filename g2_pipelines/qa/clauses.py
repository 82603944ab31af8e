"""Which of several numbers of a sentence stands in the clause of what is asked.

Here: ``of_clause``. A sentence is cut behind each number, at the end of its clause: what stands
before that belongs to the number, what stands after it to the next one. The number counts whose
part, with all before it, lacks nothing that the sentence has of the question, and whose own part
has the most of it. Used by ``asked_part``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.figures import Figure
from g2_pipelines.qa.hits import Scope
from g2_pipelines.qa.matching import held, prepared

_END = re.compile(
    r"[、。;；]|,(?!\d)|\b(?:and|but|while|whereas|compared|versus|against)\b|(?<=[ぁ-ん])一方"
)
_SAME = 0.02  #: of the weight of all words
_HELD = 0.5


def of_clause(scope: Scope, found: Sequence[Figure], text: str) -> list[Figure]:
    """The numbers of ``found`` that stand in the clause of what is asked: one where it is plain,
    several where the words do not tell them apart.
    """
    if len(found) < 2:
        return list(found)
    spans = _clauses(found, text)
    so_far = {one: _weight(scope, text[:end]) for one, (_, end) in spans.items()}
    own = {one: _weight(scope, text[start:end]) for one, (start, end) in spans.items()}
    kept = list(found)
    within = _SAME * sum(scope.weights.values())
    for score in (so_far, own):
        most = max(score[one] for one in kept)
        kept = [one for one in kept if score[one] >= most - within]
    return kept


def _clauses(found: Sequence[Figure], text: str) -> dict[Figure, tuple[int, int]]:
    """Where the part of each number begins and ends."""
    spans: dict[Figure, tuple[int, int]] = {}
    begin = 0
    for place, one in enumerate(found):
        limit = found[place + 1].start if place + 1 < len(found) else len(text)
        cut = _END.search(text, one.end, limit)
        end = cut.start() if cut else limit
        spans[one] = (begin, end)
        begin = end if cut else one.end
    return spans


def _weight(scope: Scope, text: str) -> float:
    ready = prepared(text)
    return sum(weight for word, weight in scope.weights.items() if held(word, ready) >= _HELD)
