"""A page for people: a document's content graph to walk through, round by round.

Here: ``graph_page``, one self-contained HTML text. Its one script is a file of this package
without any value in it, allowed by its hash; what the document says goes in as JSON, is put
on the page as text only, and fetches nothing. The templates are ``templates/graph*.jinja``,
the data ``explorer``. Not here: where the page is put (``defs``, ``cli``).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from g2_pipelines.graph.explorer import explorer_data, shrunk
from g2_pipelines.graph.plots import round_plots
from g2_pipelines.graph.state import GraphState, body
from g2_pipelines.tables.line2 import DocumentNode, DocumentPage
from g2_pipelines.text.pages import page_templates


def graph_page(
    nodes: Sequence[DocumentNode],
    states: Sequence[GraphState],
    *,
    name: str = "",
    pages: Sequence[DocumentPage] = (),
    pictures: Mapping[int, bytes] | None = None,
) -> str:
    """HTML of a document's graph in all of ``states``.

    Args:
        nodes: All nodes of the document.
        states: Its rounds in order, at least one.
        name: What people call the document; default its id.
        pages: Sizes of its pages.
        pictures: PNGs by page, for the crops; without one a page is a white sheet.

    Raises:
        ValueError: no state.
        EmptyDocumentError, GraphMismatchError: see ``state.body``.
    """
    if not states:
        msg = "a graph page shows at least one round"
        raise ValueError(msg)
    rows = {row.node_id for row in states[-1].nodes}
    kept = [node for node in body(nodes) if node.node_id in rows]
    data = explorer_data(kept, states, pages, shrunk(pictures or {}))
    script = _file("graph_script.jinja")
    return _template().render(
        name=name or states[0].document_id,
        document_id=states[0].document_id,
        last=states[-1].round,
        makers=sorted({f"{row.engine} {row.model}" for state in states for row in state.nodes}),
        metrics=[state.metrics for state in states],
        plots=_address(round_plots([state.metrics for state in states])),
        style=Markup(_file("graph_style.css")),  # noqa: S704 - a file of this package
        script=Markup(script),  # noqa: S704 - a file of this package
        script_hash=base64.b64encode(sha256(script.encode()).digest()).decode(),
        data=Markup(_json(data)),  # noqa: S704 - escaped by _json
    )


def _json(data: Mapping[str, Any]) -> str:
    """JSON that can stand in a script element: nothing in it can end one."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    # A lone surrogate has no UTF-8 form.
    return text.encode("utf-8", "replace").decode()


def _address(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


@cache
def _file(name: str) -> str:
    return files("g2_pipelines.graph").joinpath("templates", name).read_text("utf-8")


@cache
def _template() -> jinja2.Template:
    environment = page_templates(jinja2.PackageLoader("g2_pipelines.graph", "templates"))
    return environment.get_template("graph.html.jinja")
