"""The passage most about an open question, where no single sentence answers it.

Here: ``relevant_hit``. One to three neighbouring sentences of one or two nodes, verbatim; it
is no answer unless it holds most of the question's telling words itself and every name and
figure stands in it or in its headings. Used by ``find``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.hits import Hit, Scope
from g2_pipelines.qa.item import about_topic, compares
from g2_pipelines.qa.matching import Word, held, prepared
from g2_pipelines.qa.passages import Passage
from g2_pipelines.qa.ports import Quote
from g2_pipelines.qa.wording import relevant
from g2_pipelines.text.sentences import is_prose

ENOUGH_RELEVANT = 0.6  #: the weighted share of the question's words that it must hold
_FEWEST = 3  #: of the question's words or its years, so that one common word is no relevance
_MOST_SENTENCES = 3
_LONG = 30  #: a slide's point this long tells something, also without a predicate
_MOST_NODES = 2
_PER_SENTENCE = 0.03  #: of two passages that hold the same, the shorter


def relevant_hit(scope: Scope, passages: Sequence[Passage]) -> Hit | None:
    """The best passage for an open question, earlier in the document in a tie, or None."""
    if not scope.asked.open and scope.asked.years is None:
        return None
    best: tuple[float, Sequence[Passage]] | None = None
    for window in _windows(passages):
        share = _share(scope, window)
        score = share - _PER_SENTENCE * len(window)
        if share >= ENOUGH_RELEVANT and (best is None or score > best[0]):
            best = (score, window)
    return _hit(scope, *best) if best else None


def _hit(scope: Scope, score: float, window: Sequence[Passage]) -> Hit:
    gap = "" if scope.asked.language == "ja" else " "
    text = gap.join(passage.text for passage in window)
    return Hit(
        short="",
        answer=relevant(scope.asked.language, text),
        quotes=tuple(Quote(node_id=item.node.node_id, text=item.text) for item in window),
        coverage=score,
        score=score,
    )


def _windows(passages: Sequence[Passage]) -> list[list[Passage]]:
    """Runs of up to three sentences that follow each other in the document."""
    told = [
        item
        for item in passages
        if not item.caption
        and item.node.kind != "heading"
        and (is_prose(item.text) or len(item.text) >= _LONG)
    ]
    told.sort(key=lambda item: (item.node.document_id, item.node.order, item.node.node_id))
    windows: list[list[Passage]] = []
    for start, first in enumerate(told):
        window = [first]
        windows.append([first])
        for following in told[start + 1 : start + _MOST_SENTENCES]:
            nodes = {item.node.node_id for item in (*window, following)}
            if len(nodes) > _MOST_NODES or not _follows(window[-1], following):
                break
            window.append(following)
            windows.append(list(window))
    return windows


def _follows(one: Passage, other: Passage) -> bool:
    if one.node.node_id == other.node.node_id:
        return one.after == other.text
    same = one.node.document_id == other.node.document_id
    ends = not one.after and not other.before
    return same and ends and other.node.order == one.node.order + 1


def _share(scope: Scope, window: Sequence[Passage]) -> float:
    """The weighted share of the words that the window holds itself, 0 where a name lacks."""
    own = prepared("\n".join(item.text for item in window))
    around = prepared("\n".join(item.context for item in window))
    values = {word: held(word, own) for word in scope.words}
    if any(_lacks(scope, word, values[word], held(word, around)) for word in scope.words):
        return 0.0
    if not compares(scope, own) or not about_topic(scope, (own, around)):
        return 0.0
    telling = {word: value for word, value in values.items() if not word.is_figure}
    years = scope.asked.years
    if years and not any(str(year) in own.figures for year in range(years[0], years[1] + 1)):
        return 0.0
    fewest = _FEWEST - 1 if years else _FEWEST
    if sum(value >= 0.5 for value in telling.values()) < fewest:
        return 0.0
    total = sum(scope.weights[word] for word in telling)
    return sum(scope.weights[word] * value for word, value in telling.items()) / total


def _lacks(scope: Scope, word: Word, own: float, around: float) -> bool:
    if not word.strict or max(own, around) >= 0.5:
        return False
    return word.is_figure or held(word, scope.topic) < 1.0
