"""A page for people: a document's graph by page, with its edges and what each round did.

Here: ``graph_page``, a self-contained HTML text (no script, no address, everything escaped).
The template is ``templates/graph.html.jinja``. Not here: where it is put (``defs``, ``cli``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import jinja2

from g2_pipelines.graph.metrics import reasons
from g2_pipelines.graph.state import GraphState, body, is_structural
from g2_pipelines.index.content import content_text
from g2_pipelines.tables.line2 import DocumentNode, GraphEdge, GraphNode

_SHOWN = 400  # characters of a content; the whole stands in the document


@dataclass(frozen=True)
class _Line:
    """An edge as shown at one of its ends."""

    arrow: str
    kind: str
    other: str
    title: str
    semantic: bool


@dataclass(frozen=True)
class _Card:
    node: DocumentNode
    row: GraphNode
    text: str
    lines: list[_Line]


def graph_page(nodes: Sequence[DocumentNode], states: Sequence[GraphState]) -> str:
    """HTML of the last of ``states``, with a table of the metrics of all of them.

    Args:
        nodes: All nodes of the document.
        states: Its rounds in order, at least one.

    Raises:
        ValueError: no state.
        EmptyDocumentError, GraphMismatchError: see ``state.body``.
    """
    if not states:
        msg = "a graph page shows at least one round"
        raise ValueError(msg)
    state = states[-1]
    rows = {row.node_id: row for row in state.nodes}
    lines = _lines(state.edges, rows)
    cards = [
        _Card(node, rows[node.node_id], _cut(content_text(node)), lines.get(node.node_id, []))
        for node in body(nodes)
        if node.node_id in rows
    ]
    pages: dict[int, list[_Card]] = {}
    for card in cards:
        pages.setdefault(card.node.page, []).append(card)
    return _template().render(
        document_id=state.document_id,
        round=state.round,
        maker=sorted({f"{row.engine} {row.model}" for row in state.nodes}),
        metrics=[
            (state_.metrics, reasons(state_.metrics, "link"), reasons(state_.metrics, "update"))
            for state_ in states
        ],
        pages=sorted(pages.items()),
    )


def _lines(edges: Sequence[GraphEdge], rows: dict[str, GraphNode]) -> dict[str, list[_Line]]:
    """Edges at both ends; reading order is left out, since the page itself shows it."""
    out: dict[str, list[_Line]] = {}
    for edge in edges:
        if edge.kind == "reading_order":
            continue
        semantic = not is_structural(edge)
        ends = ((edge.source, edge.target, "→"), (edge.target, edge.source, "←"))
        for here, other, arrow in ends:
            title = rows[other].summary if other in rows else ""
            out.setdefault(here, []).append(_Line(arrow, edge.kind, other, title, semantic))
    return out


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("g2_pipelines.graph", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("graph.html.jinja")
