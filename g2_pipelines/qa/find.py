"""The extractive worker's search: the best cell or sentence for a question, or why none.

Here: ``find``. It applies the question's references (図3, Table 2, page 14) as conditions,
asks tables and passages for candidates, and refuses when words of the question are lacking
or when two cells fit equally well. Candidates stand in ``cells`` and ``passages``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from g2_pipelines.qa.above import Above, above
from g2_pipelines.qa.asked_places import Reference, titled_otherwise
from g2_pipelines.qa.asking import Asked, understand
from g2_pipelines.qa.bare_labels import only_label
from g2_pipelines.qa.bounds import bound_hits
from g2_pipelines.qa.cells import cell_hits
from g2_pipelines.qa.contacts import contact_hit
from g2_pipelines.qa.doubt import doubt_of
from g2_pipelines.qa.effects import effect_hits
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.forms import sets_apart, tells_apart, tells_change
from g2_pipelines.qa.grids import Grid, grid_of
from g2_pipelines.qa.hits import Hit, Miss, Scope
from g2_pipelines.qa.item import in_a_row
from g2_pipelines.qa.keyed import keyed_hits
from g2_pipelines.qa.labelled import label_hit
from g2_pipelines.qa.linegrids import line_grids
from g2_pipelines.qa.listing import block_hits, row_list_hits
from g2_pipelines.qa.matching import Prepared, Word, held, loosened, prepared, weights
from g2_pipelines.qa.more import with_more
from g2_pipelines.qa.passages import (
    gives_reason,
    one_line,
    passage_hits,
    passages_of,
)
from g2_pipelines.qa.pinning import as_pinned, says_so
from g2_pipelines.qa.ports import Quote
from g2_pipelines.qa.ranks import rank_hits
from g2_pipelines.qa.relevant import relevant_hit
from g2_pipelines.qa.shares import share_hit
from g2_pipelines.qa.stepped import STEPS, step_hit
from g2_pipelines.qa.years import year_hits
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text

_TIE = 0.01
_NEAR_FEW = 0.3  #: with one or two words to go by, much more must speak for a value
_LABELS = {"figure": r"(?:図表?|figure|fig\.?|chart)", "table": r"(?:表|table|tab\.)"}


def find(
    question: str,
    evidence: Sequence[Evidence],
    *,
    bound: Sequence[Word] = (),
    about: Sequence[Word] = (),
    passages: bool = False,
    number: bool = False,
    several: bool = False,
    survey: Sequence[Evidence] = (),
) -> Hit | Miss:
    """Answer ``question`` from ``evidence`` alone.

    Args:
        question: A question or sub-question, Japanese or English.
        evidence: What was retrieved, nearest first.
        bound: Words of an earlier answer that this one must be about; all are strict.
        about: Words of the question before, for one that has none of its own («the reason»);
            only a sentence worded as a reason answers that.
        passages: For an open question without an answer, give the passage most about it.
        number: A number must be given: a sentence that holds the item alone is no answer.
        several: A list must be given: one thing is no answer.
        survey: All places of the document that hold a label of what the question counts, else
            the lines that may stand above its tables.
    """
    asked = understand(question)
    if survey and asked.labelled:
        count = label_hit(asked.labelled, survey, language=asked.language)
        if count is not None:
            return count
    asked = _in_form(asked, number=number, several=several)
    if survey and STEPS.search(fold_text(asked.core)):
        steps = step_hit(asked.words, survey, language=asked.language)
        if steps is not None:
            return steps
    scoped, lacking = _referred(asked, evidence)
    if lacking:
        return Miss(missing=lacking)
    scope = _scope(asked, (*bound, *about), evidence)
    if asked.contact and (scope.words or asked.references):
        return contact_hit(scope, scoped, asked.contact)
    captions = _captions(asked, scoped)
    if captions and (asked.caption or not scope.words):
        return captions[0]
    if not scope.words:
        return Miss(missing=())
    return _chosen(scope, scoped, survey, reasons=bool(about), passages=passages)


def _in_form(asked: Asked, *, number: bool, several: bool) -> Asked:
    """What is asked, with what the form of the answer adds to it."""
    text = asked.kind == "text" and not (asked.open or asked.why or asked.polar or asked.caption)
    if number and (asked.kind == "value" or text):
        return replace(asked, kind="number")
    if several and asked.kind in ("label", "value"):
        return replace(asked, several=True)
    return asked


def _chosen(
    scope: Scope,
    scoped: Sequence[Evidence],
    survey: Sequence[Evidence],
    *,
    reasons: bool,
    passages: bool,
) -> Hit | Miss:
    """The best candidate, or what speaks against it."""
    hits = _hits(scope, scoped, reasons=reasons, lines=survey)
    hits, unlike = as_pinned(scope, hits, scoped)
    hits = [hit for hit in hits if not only_label(scope, hit.short or hit.answer)]
    if scope.asked.polar:  # a heading is no yes or no, and a sentence about it none in short
        hits = [hit for hit in hits if passages and says_so(scope, hit.answer)]
    if scope.asked.several and scope.asked.kind in ("label", "value") and not passages:
        hits = [hit for hit in hits if "\n" in hit.short or hit.from_cell]  # one is not several
    if scope.asked.kind == "number" and understand(scope.asked.core).kind == "value":
        hits = [hit for hit in hits if hit.from_cell or in_a_row(scope, hit.answer)]
    if sets_apart(fold_text(scope.asked.core)):  # how much more A than B: no single value says
        hits = [hit for hit in hits if _sets_apart(hit)]
    aims = [hit for hit in hits if hit.qualified]
    hits = [hit for hit in hits if not hit.qualified]
    if aims and not hits:
        return Miss(missing=(), qualified=aims[0].answer, quotes=aims[0].quotes)
    share = _share(scope, scoped, survey) if not any(hit.from_cell for hit in hits) else None
    if share is not None:
        return share
    if unlike and not hits:
        return Miss(missing=unlike)
    if not hits:
        near = relevant_hit(scope, passages_of(scoped)) if passages and not reasons else None
        near = None if near and scope.asked.polar and not says_so(scope, near.answer) else near
        return near or _miss(scope)
    doubt = doubt_of(hits, _NEAR_FEW if _is_thin(scope) else _TIE)
    if doubt is not None:
        return doubt
    return with_more(scope, scoped, hits[0])


def _sets_apart(hit: Hit) -> bool:
    """True for a sentence that compares, or the cell of a row or column of differences."""
    if not hit.from_cell:
        return tells_apart(fold_text(hit.answer))
    return hit.around is not None and tells_change(fold_text("\n".join(hit.around.own)))


def _share(scope: Scope, evidence: Sequence[Evidence], lines: Sequence[Evidence]) -> Hit | None:
    """The share that is made of two cells, where «%» is asked for."""
    beside = [item.node for item in (*evidence, *lines)]
    tables = [grid_of(item.node, _above(item.node, beside)) for item in evidence]

    def cells(question: str) -> list[Hit]:
        asked = _scope(understand(question), (), evidence)
        found = [
            hit
            for grid in tables
            if grid is not None
            for hit in cell_hits(asked, grid, _around(grid))
        ]
        return sorted(found, key=lambda hit: -hit.score)

    return share_hit(scope.asked.core, cells, language=scope.asked.language)


def _scope(asked: Asked, bound: Sequence[Word], evidence: Sequence[Evidence]) -> Scope:
    known = {word.text for word in bound}
    texts = [_whole(item.node) for item in evidence]
    asks = asked.words
    if asked.open:
        asks = tuple(loosened(asks, prepared("\n".join(texts))))
    every = (*bound, *(word for word in asks if word.text not in known))
    topic = " ".join(_topic(item.node) for item in evidence)
    return Scope(
        asked=asked,
        words=every,
        weights=weights(every, [prepared(text) for text in texts]),
        topic=prepared(topic),
        document=prepared("\n".join(texts)),
    )


def _whole(node: DocumentNode) -> str:
    return "\n".join([*node.section_path, node.text, node.caption or "", node.ocr_text or ""])


def _topic(node: DocumentNode) -> str:
    """What names the whole document: its outermost heading."""
    first = node.section_path[0] if node.section_path else ""
    return f"{first} {node.text}" if node.kind == "heading" and node.level == 1 else first


def _referred(asked: Asked, evidence: Sequence[Evidence]) -> tuple[list[Evidence], tuple[str, ...]]:
    """The evidence that the question's references leave, and references that lead nowhere."""
    if not asked.references:
        return list(evidence), ()
    kept: dict[str, Evidence] = {}
    lacking: list[str] = []
    for reference in asked.references:
        found = [item for item in evidence if _is_referred(reference, item.node)]
        if not found:
            lacking.append(_name(reference, asked.language))
        kept.update((item.node.node_id, item) for item in found)
    return [item for item in evidence if item.node.node_id in kept], tuple(lacking)


def _name(reference: Reference, language: str) -> str:
    names = {"figure": ("図", "Figure "), "table": ("表", "Table "), "page": ("p.", "page ")}
    return names[reference.kind][language == "en"] + reference.number


def _is_referred(reference: Reference, node: DocumentNode) -> bool:
    """True for the figure, table or page itself and for text that mentions it."""
    if reference.kind == "page":
        return any(str(region.page) == reference.number for region in node.regions)
    if titled_otherwise(reference, node.caption or node.text):
        return False
    return _mention(reference).search(fold_text(f"{node.caption or ''}\n{node.text}")) is not None


def _mention(reference: Reference) -> re.Pattern[str]:
    number = re.escape(reference.number).replace(r"\-", "[-.]")
    return re.compile(rf"{_LABELS[reference.kind]}\s*{number}(?![\d.-]*\d)")


def _captions(asked: Asked, evidence: Sequence[Evidence]) -> list[Hit]:
    """The captions of the figures and tables that the question names."""
    hits: list[Hit] = []
    for reference in asked.references:
        if reference.kind == "page":
            continue
        pattern = _mention(reference)
        for item in evidence:
            node = item.node
            caption = node.caption or (node.text if node.kind == "caption" else "")
            if caption and pattern.match(fold_text(caption).lstrip()):
                text = one_line(caption)
                quote = Quote(node_id=node.node_id, text=text)
                hits.append(Hit(text, text, (quote,), coverage=1.0, score=2.0))
    return hits


def _hits(
    scope: Scope, evidence: Sequence[Evidence], *, reasons: bool, lines: Sequence[Evidence]
) -> list[Hit]:
    passages = passages_of(evidence)
    if reasons:
        return passage_hits(scope, [passage for passage in passages if gives_reason(passage)])
    beside = [item.node for item in (*evidence, *lines)]
    grids = [
        (grid, _around(grid))
        for item in evidence
        if (grid := grid_of(item.node, _above(item.node, beside))) is not None
    ]
    if scope.asked.years:
        return year_hits(scope, grids, passages)
    if scope.asked.kind in ("number", "value"):
        grids += [(grid, _around(grid)) for item in evidence for grid in line_grids(item.node)]
    effects = effect_hits(scope, grids)
    if effects:
        return effects
    hits = [*passage_hits(scope, passages), *keyed_hits(scope, evidence)]
    if scope.asked.effect:
        hits = [hit for hit in hits if _holds_all(scope, hit)]
    return sorted([*hits, *_in_grids(scope, evidence, grids)], key=lambda hit: -hit.score)


def _in_grids(
    scope: Scope, evidence: Sequence[Evidence], grids: Sequence[tuple[Grid, Prepared]]
) -> list[Hit]:
    """The rows, lists and cells that answer the question."""
    asked = scope.asked
    several = asked.several and asked.kind in ("label", "value", "text")
    hits = block_hits(scope, evidence) if several and not asked.bounded else []
    for grid, context in grids:
        if asked.extreme and asked.kind in ("label", "date"):
            hits += rank_hits(scope, grid, context)
        elif asked.bounded:  # what lies above or below a bound is no single cell
            hits += bound_hits(scope, grid, context)
        elif several:
            hits += row_list_hits(scope, grid, context)
            hits += [hit for hit in cell_hits(scope, grid, context) if hit.whole]
        else:
            hits += cell_hits(scope, grid, context)
    return hits


def _holds_all(scope: Scope, hit: Hit) -> bool:
    own = prepared(hit.answer)
    return all(held(word, own) >= 1.0 for word in scope.words) and in_a_row(scope, hit.answer)


def _around(grid: Grid) -> Prepared:
    """What stands around a table: its headings, caption, title and the line of its unit."""
    grid = grid.by_year() or grid
    lines = (
        grid.node.caption or "",
        grid.above.title,
        grid.above.unit_line,
        *(node.text for node in grid.above.told),
    )
    return prepared(" ".join([*grid.node.section_path, *lines]))


def _above(node: DocumentNode, nodes: Sequence[DocumentNode]) -> Above:
    return above(node, nodes) if node.kind == "table" else Above()


def _is_thin(scope: Scope) -> bool:
    """True for a share of what one or two words name: many values of a text fit these."""
    return "%" in scope.asked.units and len(scope.words) <= 2


def _miss(scope: Scope) -> Miss:
    """Words of the question that no evidence holds; else those that stand nowhere together."""
    nowhere = [word.text for word in scope.words if held(word, scope.document) < 0.5]
    if nowhere:
        return Miss(missing=tuple(nowhere[:6]))
    ordered = sorted(scope.words, key=lambda word: -scope.weights[word])
    return Miss(missing=tuple(word.text for word in ordered[:4]), apart=True)
