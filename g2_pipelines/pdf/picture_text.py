"""What stands inside pictures of pages that have a text layer, read by OCR into ``ocr_text``.

Here: which pictures are worth it (figures, charts and tables without cells, with no or few
characters of their own, or with nonsense), one reading for equal crops (a logo on every
slide), the budget, and recognised lines as text. Runs inside the worker process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from g2_pipelines.pdf.geometry import Box
from g2_pipelines.pdf.glyphs import join_row, looks_garbled, visual_lines
from g2_pipelines.pdf.ocr import Line, line_run, read_areas
from g2_pipelines.tables.line2 import DocumentNode, DocumentPage

#: A picture with more characters than this in the text layer has its labels there.
FEW_CHARS = 12
#: Smaller pictures (points) are icons and ornaments.
MIN_SIDE, MIN_AREA = 24.0, 2_000.0


def is_picture_to_read(node: DocumentNode, page: DocumentPage) -> bool:
    """True for a cropped figure, chart or table picture whose words the text layer lacks."""
    if page.source != "text" or node.image is None or node.cells:
        return False
    if node.kind not in ("figure", "chart", "table"):
        return False
    width, height = node.bbox.x1 - node.bbox.x0, node.bbox.y1 - node.bbox.y0
    if min(width, height) < MIN_SIDE or width * height < MIN_AREA:
        return False
    return len("".join(node.text.split())) <= FEW_CHARS or looks_garbled(node.text)


def with_picture_text(
    nodes: Sequence[DocumentNode],
    pages: Sequence[DocumentPage],
    path: str,
    folder: Path,
    *,
    environment: Mapping[str, str],
    deadline: float,
    max_pixels: int,
    budget: int,
) -> list[DocumentNode]:
    """``nodes`` with ``ocr_text`` where a picture held text; why others were not read is said.

    ``folder`` holds the nodes' crops. Different pictures up to ``budget`` are read, the first
    ones; a node past it has a warning.
    """
    by_page = {page.page: page for page in pages}
    wanted: dict[str, list[DocumentNode]] = {}
    for node in nodes:
        if is_picture_to_read(node, by_page[node.page]):
            crop = (folder / (node.image or "").rsplit("/", 1)[-1]).read_bytes()
            wanted.setdefault(sha256(crop).hexdigest(), []).append(node)
    asked = list(wanted.values())[:budget]
    found, failed = read_areas(
        path,
        [(alike[0].page, Box(*_corners(alike[0]))) for alike in asked],
        environment=environment,
        deadline=deadline,
        max_pixels=max_pixels,
    )
    texts = {
        n.node_id: _text(found[k].lines)
        for k, alike in enumerate(asked)
        if k in found
        for n in alike
    }
    over = f"OCR's budget of {budget} pictures is used up"
    reasons = {node.node_id: over for alike in list(wanted.values())[budget:] for node in alike}
    reasons |= {node.node_id: why for k, why in failed.items() for node in asked[k]}
    result = []
    for node in nodes:
        changed: dict[str, object] = {}
        if texts.get(node.node_id):
            changed["ocr_text"] = texts[node.node_id]
        if node.node_id in reasons:
            why = f"its picture was not read: {reasons[node.node_id]}"
            changed["warnings"] = [*node.warnings, why]
        result.append(node.model_copy(update=changed) if changed else node)
    return result


def _corners(node: DocumentNode) -> tuple[float, float, float, float]:
    return node.bbox.x0, node.bbox.y0, node.bbox.x1, node.bbox.y1


def _text(lines: Sequence[Line]) -> str:
    runs = [line_run(text, box) for text, box in lines if text.strip()]
    return "\n".join(join_row(line)[0] for line in visual_lines(runs))
