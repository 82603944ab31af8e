"""A document's nodes as Markdown, for people and for measuring against other parsers.

Here: rendering only. Furniture is left out; tables are pipe tables; captions stand where their kind has them (over tables, under figures). Used by ``cli``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.tables.rows import Cell

#: More rows than this under one label stay rows of Markdown, each with the label.
STACKED = 3


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
    """A pipe table: Markdown has no spans, so a spanning text is repeated in each place.

    Few body rows under one spanning label are set as printed instead: one row with line
    breaks, its label once.
    """
    rows = [[_inline(text).replace("|", "\\|") for text in row] for row in table_rows(cells)]
    lines = []
    for start, end in _row_groups(cells, len(rows)):
        once = {c.col for c in cells if c.row == start and c.rowspan == end - start}
        columns = list(zip(*rows[start:end], strict=True))
        lines.append(
            [
                texts[0] if k in once else "<br>".join(filter(None, texts))
                for k, texts in enumerate(columns)
            ]
        )
    written = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([written[0], "|" + " --- |" * len(lines[0]), *written[1:]])


def table_rows(cells: Sequence[Cell]) -> list[list[str]]:
    """Texts by row and column of the grid; a cell's text stands in every place that it spans."""
    columns = max(cell.col + cell.colspan for cell in cells)
    rows = [[""] * columns for _ in range(max(cell.row + cell.rowspan for cell in cells))]
    for cell in cells:
        for row in rows[cell.row : cell.row + cell.rowspan]:
            row[cell.col : cell.col + cell.colspan] = [cell.text] * cell.colspan
    return rows


def _row_groups(cells: Sequence[Cell], rows: int) -> list[tuple[int, int]]:
    """Ranges [start, end) of rows that are one line of Markdown; mostly single rows."""
    ends = {
        cell.row: cell.row + cell.rowspan
        for cell in cells
        if not cell.header and 1 < cell.rowspan <= STACKED
    }
    groups, at = [], 0
    while at < rows:
        end = ends.get(at, at + 1)
        crossed = any(
            at < cell.row + cell.rowspan
            and cell.row < end
            and not at <= cell.row < cell.row + cell.rowspan <= end
            for cell in cells
        )
        end = at + 1 if crossed else end
        groups.append((at, end))
        at = end
    return groups
