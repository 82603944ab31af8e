"""Structural edges: what a document's own layout and references say, and no model can change.

Here: ``structural_edges``, one small function a kind. Direction: reading_order from the earlier
node to the later one; section from the heading to its direct members; caption_of from the
caption to its figure or table; refers_to from the reference to what it names; continued_on
from the first part to the next. Not here: semantic edges (``evolve``). Furniture takes part
in none. Imported by ``analyse``, and by whoever needs the edges alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from g2_pipelines.graph.state import body, sort_edges
from g2_pipelines.tables.line2 import DocumentNode, GraphEdge, StructuralKind
from g2_pipelines.text.fold import fold_text

#: Nodes on each side joined by reading order. The released code's default (its offline build
#: used 3); pairs further apart are found through their section.
WINDOW = 2

Pair = tuple[DocumentNode, DocumentNode]

_PICTURES = frozenset({"figure", "chart"})
_ASIDE = frozenset({"figure", "chart", "table", "caption", "footnote", "equation"})
_TABLE_CAPTION = re.compile(r"\s*(?:table|tab\.|表)\s*[\d(（]?", re.IGNORECASE)
_FIGURE_CAPTION = re.compile(
    r"\s*(?:figure|fig\.?|chart|図表?|グラフ|写真)\s*[\d(（]?", re.IGNORECASE
)
_ENDED = re.compile(r"[。．.!?！？:：;；」』）)\]】]\s*$")
_NEW_ITEM = re.compile(r"\s*(?:[・●○■□◆◇▪•*‐–-]|[（(]?\d+[）).．]|[①-⑳]|[A-Z(（「『])")
_CONTINUED = re.compile(r"続き|つづき|\bcont(?:inued|\.|'d)", re.IGNORECASE)


def structural_edges(nodes: Sequence[DocumentNode], round_: int = 0) -> list[GraphEdge]:
    """All structural edges of one document, sorted, without duplicates; rank 0.

    Order and repetition of ``nodes`` do not matter. Linear in their number, but for captions
    (pairs of a page).

    Raises:
        GraphMismatchError: nodes of several documents or a node_id twice.
        EmptyDocumentError: nothing but furniture.
    """
    kept = body(nodes)
    pairs: list[tuple[StructuralKind, Iterator[Pair]]] = [
        ("reading_order", _reading_order(kept)),
        ("section", _sections(kept)),
        ("caption_of", _captions(kept)),
        ("refers_to", _references(kept)),
        ("continued_on", _continuations(kept)),
    ]
    found = {
        (kind, source.node_id, target.node_id)
        for kind, made in pairs
        for source, target in made
        if source.node_id != target.node_id
    }
    edges = [
        GraphEdge(
            document_id=kept[0].document_id, round=round_, source=source, target=target, kind=kind
        )
        for kind, source, target in found
    ]
    return sort_edges(edges, {node.node_id: at for at, node in enumerate(kept)})


def _reading_order(nodes: Sequence[DocumentNode]) -> Iterator[Pair]:
    for at, node in enumerate(nodes):
        for later in nodes[at + 1 : at + 1 + WINDOW]:
            yield node, later


def _sections(nodes: Sequence[DocumentNode]) -> Iterator[Pair]:
    """The innermost open heading and each node under it, a lower heading included.

    By order and level, not by section_path: two sections may have the same title.
    """
    opened: list[DocumentNode] = []
    for node in nodes:
        if node.kind == "heading":
            level = node.level or 1
            while opened and (opened[-1].level or 1) >= level:
                opened.pop()
        if opened:
            yield opened[-1], node
        if node.kind == "heading":
            opened.append(node)


def _captions(nodes: Sequence[DocumentNode]) -> Iterator[Pair]:
    """Unbound captions and the likeliest figure or table of their page.

    Likeliest: of the kind that the caption's label names, without a caption of its own, then
    the nearest box. One caption over two sub-figures goes to the nearest of them.
    """
    for caption in nodes:
        if caption.kind != "caption":
            continue
        targets = [node for node in nodes if _may_have(node, caption)]
        if targets:
            yield (
                caption,
                min(targets, key=lambda node: (node.caption is not None, *_far(caption, node))),
            )


def _may_have(node: DocumentNode, caption: DocumentNode) -> bool:
    if node.page != caption.page:
        return False
    if _TABLE_CAPTION.match(caption.text):
        return node.kind == "table"
    if _FIGURE_CAPTION.match(caption.text):
        return node.kind in _PICTURES
    return node.kind == "table" or node.kind in _PICTURES


def _far(caption: DocumentNode, node: DocumentNode) -> tuple[float, int, int]:
    """Gap between the two boxes in points, then distance and place in reading order."""
    a, b = caption.bbox, node.bbox
    across = max(a.x0 - b.x1, b.x0 - a.x1, 0.0)
    down = max(a.y0 - b.y1, b.y0 - a.y1, 0.0)
    return round(across + down, 3), abs(node.order - caption.order), node.order


def _references(nodes: Sequence[DocumentNode]) -> Iterator[Pair]:
    known = {node.node_id: node for node in nodes}
    for node in nodes:
        for reference in node.references:
            target = known.get(reference.target or "")
            if target is not None:
                yield node, target


def _continuations(nodes: Sequence[DocumentNode]) -> Iterator[Pair]:
    text = [node for node in nodes if node.kind not in _ASIDE]
    for node, later in pairwise(text):
        if _goes_on(node, later):
            yield node, later
    # Only captions and footnotes may stand between the two parts of a table.
    body_and_tables = [node for node in nodes if node.kind not in {"caption", "footnote"}]
    for node, later in pairwise(body_and_tables):
        if node.kind == later.kind == "table" and _table_goes_on(node, later):
            yield node, later


def _goes_on(node: DocumentNode, later: DocumentNode) -> bool:
    """A paragraph cut by a page or column end: no sentence end here, no beginning there."""
    if node.kind != "paragraph" or later.kind != "paragraph" or not _at_break(node, later):
        return False
    if not node.text.strip() or _ENDED.search(node.text):
        return False
    return bool(later.text.strip()) and _NEW_ITEM.match(later.text) is None


def _at_break(node: DocumentNode, later: DocumentNode) -> bool:
    last = node.regions[-1] if node.regions else None
    page, box = (last.page, last.bbox) if last else (node.page, node.bbox)
    if later.page == page + 1:
        return True
    next_column = later.bbox.x0 >= box.x1 and later.bbox.y0 < box.y1
    return later.page == page and next_column


def _table_goes_on(node: DocumentNode, later: DocumentNode) -> bool:
    last_page = node.regions[-1].page if node.regions else node.page
    columns = _columns(node)
    if later.page != last_page + 1 or columns < 2 or columns != _columns(later):
        return False
    if later.caption is None or _CONTINUED.search(later.caption):
        return True
    return node.caption is not None and fold_text(node.caption) == fold_text(later.caption)


def _columns(node: DocumentNode) -> int:
    if node.cells:
        return max(cell.col + cell.colspan for cell in node.cells)
    return max((line.count("\t") + 1 for line in node.text.splitlines()), default=0)
