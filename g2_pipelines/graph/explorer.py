"""What the explorer page knows: a document's nodes, edges and rounds as one plain value.

Here: ``explorer_data``, JSON-ready, and ``shrunk``, page pictures small enough to stand in a
page. Places stand for ids (a node is its number in reading order), and a round holds only what
differs from the one before, so that 2,000 nodes in four rounds stay a few megabytes. The page
itself is ``page``.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from g2_pipelines.graph.state import STRUCTURAL_KINDS, GraphState, is_structural
from g2_pipelines.index.content import content_text
from g2_pipelines.tables.line2 import SEMANTIC_KINDS, DocumentNode, DocumentPage, GraphNode

#: Characters of a content; the whole stands in the document's overview.
TEXT_SHOWN = 1_200
#: Pages with a picture, and the bytes that all pictures may take; the others are white sheets.
PICTURES, PICTURE_BYTES = 100, 8_000_000
_WIDTHS = ((12, 1_000), (40, 760), (PICTURES, 560))
_QUALITY = 60
RELATIONS = (*STRUCTURAL_KINDS, *SEMANTIC_KINDS)


def explorer_data(
    nodes: Sequence[DocumentNode],
    states: Sequence[GraphState],
    pages: Sequence[DocumentPage],
    pictures: Mapping[int, str],
) -> dict[str, Any]:
    """All that the page's script reads.

    Args:
        nodes: The document's body in reading order.
        states: Its rounds in order.
        pages: Sizes of its pages; a page that is not among them is as large as its boxes.
        pictures: ``data:`` addresses by page (``shrunk``).
    """
    place = {node.node_id: at for at, node in enumerate(nodes)}
    kinds = sorted({node.kind for node in nodes})
    return {
        "document": states[0].document_id,
        "kinds": kinds,
        "relations": list(RELATIONS),
        "structural": len(STRUCTURAL_KINDS),
        "pages": _pages(nodes, pages, pictures),
        "nodes": [_node(node, kinds) for node in nodes],
        "edges": _edges(states[0], place, structural=True),
        "rounds": list(_rounds(states, place)),
    }


def _pages(
    nodes: Sequence[DocumentNode], pages: Sequence[DocumentPage], pictures: Mapping[int, str]
) -> list[dict[str, Any]]:
    sizes = {page.page: (page.width_pt, page.height_pt) for page in pages}
    for node in nodes:
        wide, high = sizes.get(node.page, (0.0, 0.0))
        sizes[node.page] = (max(wide, node.bbox.x1), max(high, node.bbox.y1))
    return [
        {"page": page, "w": round(wide, 1), "h": round(high, 1), "picture": pictures.get(page, "")}
        for page, (wide, high) in sorted(sizes.items())
    ]


def _node(node: DocumentNode, kinds: Sequence[str]) -> dict[str, Any]:
    text = content_text(node)
    box = node.bbox
    return {
        "id": node.node_id,
        "k": kinds.index(node.kind),
        "p": node.page,
        "b": [round(value, 1) for value in (box.x0, box.y0, box.x1, box.y1)],
        "t": text if len(text) <= TEXT_SHOWN else text[:TEXT_SHOWN] + "…",
    }


def _edges(state: GraphState, place: Mapping[str, int], *, structural: bool) -> list[list[int]]:
    """[source, target, relation, rank] by place."""
    return [
        [place[e.source], place[e.target], RELATIONS.index(e.kind), e.rank]
        for e in state.edges
        if is_structural(e) is structural and e.source in place and e.target in place
    ]


def _rounds(states: Sequence[GraphState], place: Mapping[str, int]) -> Iterable[dict[str, Any]]:
    known: dict[str, tuple[object, ...]] = {}
    links: list[list[int]] | None = None
    for state in states:
        told = {}
        for row in state.nodes:
            value = _attributes(row, place)
            if known.get(row.node_id) != value:
                known[row.node_id] = value
                told[str(place[row.node_id])] = list(value)
        now = _edges(state, place, structural=False)
        yield {
            "round": state.round,
            "attributes": told,
            "changed": [place[row.node_id] for row in state.nodes if row.changed],
            "degraded": [place[row.node_id] for row in state.nodes if row.degraded],
            "links": None if now == links else now,
            "metrics": state.metrics.model_dump(exclude={"document_id"}),
        }
        links = now


def _attributes(row: GraphNode, place: Mapping[str, int]) -> tuple[object, ...]:
    resolved = [[item.term, place.get(item.from_node, -1)] for item in row.resolved]
    return row.summary, list(row.keywords), resolved


def shrunk(pictures: Mapping[int, bytes]) -> dict[int, str]:
    """``data:`` addresses of page pictures, by page: JPEG, narrower the more pages there are.

    At most 100 pages and 8 MB; pages beyond either have none.
    """
    from PIL import Image

    width = next(w for most, w in _WIDTHS if len(pictures) <= most or most == PICTURES)
    found: dict[int, str] = {}
    used = 0
    for page in sorted(pictures)[:PICTURES]:
        with Image.open(io.BytesIO(pictures[page])) as opened:
            image = opened.convert("RGB")
        if image.width > width:
            high = max(1, round(image.height * width / image.width))
            image = image.resize((width, high), Image.Resampling.BOX, reducing_gap=2.0)
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=_QUALITY)
        used += buffer.tell()
        if used > PICTURE_BYTES:
            break
        data = base64.b64encode(buffer.getvalue()).decode()
        found[page] = f"data:image/jpeg;base64,{data}"
    return found
