"""Several things at once: the rows of a table that meet a condition, the items of a list.

Here: ``row_list_hits`` and ``block_hits``. Every item is a cell or a line of the document; a
condition is words of the question that stand in some rows and not in others. Used by ``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.grids import Grid, is_figure, is_total
from g2_pipelines.qa.hits import ENOUGH, IN_CONTEXT, Hit, Scope
from g2_pipelines.qa.matching import Prepared, Word, held, prepared
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.sentences import sentences

_FEWEST, _MOST, _LONGEST = 2, 40, 160
_HELD = 0.5
_TITLE = 80
_BULLET = re.compile(r"^\s*(?:[\ue000-\uf8ff•●○◆◇■□▪➢➡・\-–*]|\(?\d{1,2}[.)）]|[a-z][.)])\s*")
_END = re.compile(r"\s*[;,；、]?\s*(?:\b(?:and|or))?\s*$|(?<=\w\w)[.。]$")
_NUMBERED = re.compile(r"^(?:[(（][^\W_][)）]|[①-⑳])\s*")
#: 以下の3つのテーマが…: what stands below are that many.
_ANNOUNCES = re.compile(
    r"(?:以下|下記|次)の(?:[^。、]{0,12}(?P<count>\d+)(?:つ|個|点|項目|種類|件))?|\bthe following\b"
)
_LISTS = ("list",)


def row_list_hits(scope: Scope, grid: Grid, context: Prepared) -> list[Hit]:
    """The labels of the rows that hold every word by which the table's rows differ."""
    body = [row for row in grid.body() if grid.row_label(row) and not is_total(grid.row_label(row))]
    rows = {row: prepared("\t".join([*grid.rows[row], grid.groups[row]])) for row in body}
    asked = [word for word in scope.asked.head if word in scope.words]
    telling = [
        word
        for word in scope.words
        if word not in asked and _tells_apart(word, list(rows.values()))
    ]
    named = prepared(f"{grid.corner} {grid.node.caption or ''}")
    if any(max(held(word, named), held(word, context)) < _HELD for word in asked):
        return []
    if not telling or len(body) < _FEWEST:
        return []
    chosen = [row for row in body if all(held(w, rows[row]) >= _HELD for w in telling)]
    if not _FEWEST <= len(chosen) <= _MOST or len(chosen) == len(body):
        return []
    headers = prepared(" ".join(grid.column_header(c) for c in range(len(grid.rows[0]))))
    corner = prepared(grid.corner)
    best = {
        word: max(
            1.0 if word in telling else 0.0,
            held(word, headers),
            held(word, corner),
            IN_CONTEXT * held(word, context),
            min(held(word, rows[row]) for row in chosen),
        )
        for word in scope.words
    }
    coverage, unmet = scope.share(best)
    shared = set.intersection(*(set(grid.rows[row][: grid.label_columns]) for row in chosen))
    items = [_name(grid, row, telling, shared) for row in chosen]
    if unmet or coverage < ENOUGH or any(is_figure(item) or len(item) > _LONGEST for item in items):
        return []
    quotes = tuple(Quote(node_id=grid.node.node_id, text=item) for item in dict.fromkeys(items))
    return [_listed(items, quotes, coverage, scope)]


def _name(grid: Grid, row: int, telling: Sequence[Word], shared: set[str]) -> str:
    """What the row is called: its label without the cells that all chosen rows share, and
    without those that hold the condition.
    """
    cells = [cell for cell in grid.rows[row][: grid.label_columns] if cell]
    alone = [cell for cell in cells if cell not in shared]
    if shared - {""} and alone:
        return " ".join(dict.fromkeys(alone))
    own = [c for c in cells if all(held(word, prepared(c)) < _HELD for word in telling)]
    return " ".join(dict.fromkeys(own or cells))


def _tells_apart(word: Word, rows: Sequence[Prepared]) -> bool:
    holding = sum(held(word, row) >= _HELD for row in rows)
    return 0 < holding < len(rows)


def block_hits(scope: Scope, evidence: Sequence[Evidence]) -> list[Hit]:
    """The items of a list under a title that the question's words make up."""
    ordered = sorted(
        (item.node for item in evidence if item.node.order >= 0),
        key=lambda node: (node.document_id, node.order),
    )
    hits: list[Hit] = []
    for title, following in pairwise(ordered):
        beside = following.document_id == title.document_id and following.order == title.order + 1
        if not beside or following.kind not in _LISTS or not _names(scope, title):
            continue
        items = _items(following)
        if not _FEWEST <= len(items) <= _MOST or not _as_many(title.text, items):
            continue
        text = prepared(" ".join([title.text, *title.section_path]))
        coverage, unmet = scope.share({word: held(word, text) for word in scope.words})
        if unmet or coverage < ENOUGH:
            continue
        quotes = tuple(Quote(node_id=following.node_id, text=item) for item in items)
        quotes = (*_announced(title), *quotes)
        hits.append(_listed(items, quotes, coverage, scope))
    return hits


def _names(scope: Scope, title: DocumentNode) -> bool:
    """True for a heading, or a line that announces what follows, that holds the words itself."""
    text = title.text.strip()
    announced = _ANNOUNCES.search(text[-_TITLE * 3 :]) is not None
    if title.kind != "heading" and not text.endswith((":", "：")) and not announced:
        return False
    own = prepared(text[-_TITLE * 3 :])
    return bool(scope.words) and any(held(word, own) >= _HELD for word in scope.words)


def _announced(title: DocumentNode) -> tuple[Quote, ...]:
    """The sentence that says what the list below is of, and how many."""
    for start, end in sentences(title.text):
        text = title.text[start:end].strip()
        if (found := _ANNOUNCES.search(text)) is not None and found["count"]:
            return (Quote(node_id=title.node_id, text=text),)
    return ()


def _as_many(title: str, items: Sequence[str]) -> bool:
    """False where the line above says another number of things."""
    found = _ANNOUNCES.search(title[-_TITLE * 3 :])
    return not found or not found["count"] or int(found["count"]) == len(items)


def _items(node: DocumentNode) -> list[str]:
    lines = [_END.sub("", _BULLET.sub("", line).strip()) for line in node.text.split("\n")]
    return [line for line in lines if line]


def _listed(items: Sequence[str], quotes: tuple[Quote, ...], coverage: float, scope: Scope) -> Hit:
    once = list(dict.fromkeys(_NUMBERED.sub("", item) for item in items))
    gap = "、" if scope.asked.language == "ja" else "; "
    return Hit(
        short="\n".join(once),
        answer=gap.join(once),
        quotes=quotes,
        coverage=coverage,
        score=coverage + 0.3,
        from_cell=False,
    )
