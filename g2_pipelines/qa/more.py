"""More sentences for an open question, from the neighbourhood of the best one.

Here: ``with_more``. Used by ``find``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.hits import Hit, Scope
from g2_pipelines.qa.matching import Word, held, prepared
from g2_pipelines.qa.passages import Passage, passages_of
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.sentences import is_prose

_MORE_SENTENCES = 2


def with_more(scope: Scope, evidence: Sequence[Evidence], best: Hit) -> Hit:
    """For an open question, up to two more sentences that hold words the best one lacks."""
    if (
        scope.asked.kind != "text"
        or best.from_cell
        or scope.asked.several
        or best.values
        or not best.quotes
    ):
        return best
    chosen = [best.answer]
    quotes = list(best.quotes)
    lacking = _lacking(scope, best.answer)
    cited = {quote.node_id for quote in best.quotes}
    place = next((item.node for item in evidence if item.node.node_id in cited), None)
    passages = [
        passage
        for passage in passages_of(evidence)
        if passage.node.kind != "heading" and place is not None and _beside(place, passage.node)
    ]
    if scope.asked.which:
        passages = [passage for passage in passages if is_prose(passage.text)]
    for _ in range(_MORE_SENTENCES):
        more = _next(scope, passages, lacking, chosen)
        if more is None:
            break
        chosen.append(more.text)
        quotes.append(Quote(node_id=more.node.node_id, text=more.text))
        lacking = [word for word in lacking if held(word, prepared(more.text)) < 0.5]
    gap = "" if scope.asked.language == "ja" else " "
    return Hit(
        short=best.short,
        answer=gap.join(chosen),
        quotes=tuple(quotes),
        coverage=best.coverage,
        score=best.score,
    )


def _beside(one: DocumentNode, other: DocumentNode) -> bool:
    """True for nodes of one page or that follow each other: what stands elsewhere and shares
    words with the question may be about another thing.
    """
    if one.document_id != other.document_id:
        return False
    return one.page == other.page or 0 <= other.order - one.order <= _MORE_SENTENCES


def _lacking(scope: Scope, text: str) -> list[Word]:
    own = prepared(text)
    return [word for word in scope.words if held(word, own) < 0.5]


def _next(
    scope: Scope, passages: Sequence[Passage], lacking: Sequence[Word], chosen: Sequence[str]
) -> Passage | None:
    """The passage that holds most of what lacks and is about the same, or None."""
    best: tuple[float, Passage] | None = None
    for passage in passages:
        own = prepared(passage.text)
        gained = sum(scope.weights[word] for word in lacking if held(word, own) >= 0.5)
        shared = sum(held(word, own) >= 0.5 for word in scope.words)
        if not gained or shared < 2 or passage.text in chosen:
            continue
        if best is None or gained > best[0]:
            best = (gained, passage)
    return best[1] if best else None
