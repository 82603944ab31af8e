"""A document's nodes as Markdown, for people and for measuring against other parsers.

Here: rendering only. Furniture is left out; tables with spans are HTML, others pipe tables;
captions stand where their kind has them (over tables, under figures). Used by ``cli``.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.tables.rows import Cell


def to_markdown(nodes: Sequence[DocumentNode]) -> str:
    """The nodes' flow as Markdown, one blank line between nodes, ending in a newline."""
    parts = [_node(node) for node in sorted(nodes, key=lambda n: n.order) if node.order >= 0]
    return "\n\n".join(part for part in parts if part) + "\n"


def _node(node: DocumentNode) -> str:
    match node.kind:
        case "heading":
            return f"{'#' * (node.level or 1)} {node.text}"
        case "table":
            body = _table(node.cells) if node.cells else f"```\n{node.text}\n```"
            return "\n\n".join(part for part in (_inline(node.caption), body) if part)
        case "figure" | "chart":
            name = node.image.rsplit("/", 1)[-1] if node.image else ""
            picture = f"![{_inline(node.caption) or node.kind}]({name})"
            return "\n\n".join(part for part in (picture, _inline(node.caption)) if part)
        case "code":
            return f"```\n{node.text}\n```"
        case "list":
            return "\n".join(f"- {_item(line)}" for line in node.text.split("\n"))
        case "footnote":
            return f"> {_inline(node.text)}"
        case _:
            return node.text


def _inline(text: str | None) -> str:
    return " ".join((text or "").split())


def _item(line: str) -> str:
    return line.lstrip("•‣◦●○■□▪◆◇∙ ")


def _table(cells: Sequence[Cell]) -> str:
    if any(cell.rowspan > 1 or cell.colspan > 1 for cell in cells):
        return _html_table(cells)
    columns = max(cell.col for cell in cells) + 1
    rows = [[""] * columns for _ in range(max(cell.row for cell in cells) + 1)]
    for cell in cells:
        rows[cell.row][cell.col] = _inline(cell.text).replace("|", "\\|")
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * columns, *lines[1:]])


def _html_table(cells: Sequence[Cell]) -> str:
    by_row: dict[int, list[Cell]] = {}
    for cell in sorted(cells, key=lambda c: (c.row, c.col)):
        by_row.setdefault(cell.row, []).append(cell)
    rows = ("<tr>" + "".join(_html_cell(c) for c in row) + "</tr>" for row in by_row.values())
    return "<table>" + "".join(rows) + "</table>"


def _html_cell(cell: Cell) -> str:
    tag = "th" if cell.header else "td"
    spans = (("rowspan", cell.rowspan), ("colspan", cell.colspan))
    given = "".join(f' {name}="{span}"' for name, span in spans if span > 1)
    return f"<{tag}{given}>{escape(cell.text)}</{tag}>"
