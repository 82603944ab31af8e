"""Pictures of pages and crops of figures, tables and equations, as PNG files.

Here: what is drawn, at which resolution and under which name. Drawing itself is PDFium's.
Runs inside the worker process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from g2_pipelines.pdf import pdfium
from g2_pipelines.pdf.geometry import Box
from g2_pipelines.pdf.nodes import PICTURED
from g2_pipelines.tables.line2 import DocumentNode, DocumentPage

PAGE_DPI = 110.0
CROP_DPI = 150.0
#: White round a crop, in points: glyphs and lines reach over their boxes.
CROP_MARGIN = 3.0


def draw_pages(
    document: Any,
    pages: Sequence[DocumentPage],
    folder: Path,
    *,
    drawable: Mapping[int, bool],
    max_pixels: int,
) -> list[DocumentPage]:
    """The pages with ``image`` set to the written file's name under ``documents/{id}/``."""
    drawn = []
    for page in pages:
        if not drawable[page.page]:
            drawn.append(page)
            continue
        name = f"page-{page.page:04d}.png"
        picture = pdfium.render(document, page.page, dpi=PAGE_DPI, max_pixels=max_pixels)
        if picture is None:
            drawn.append(page)
            continue
        _save(picture, folder / name)
        drawn.append(page.model_copy(update={"image": f"documents/{page.document_id}/{name}"}))
    return drawn


def draw_crops(
    document: Any,
    nodes: Sequence[DocumentNode],
    folder: Path,
    *,
    drawable: Mapping[int, bool],
    max_pixels: int,
) -> list[DocumentNode]:
    """The nodes with ``image`` set where a crop was written (figures, charts, tables, equations)."""
    drawn = []
    for node in nodes:
        box = Box(node.bbox.x0, node.bbox.y0, node.bbox.x1, node.bbox.y1)
        if node.kind not in PICTURED or not drawable[node.page] or box.area < 4:
            drawn.append(node)
            continue
        name = f"{node.node_id}.png"
        area = box.grown(CROP_MARGIN)
        picture = pdfium.render(document, node.page, dpi=CROP_DPI, max_pixels=max_pixels, box=area)
        if picture is None:
            drawn.append(node)
            continue
        _save(picture, folder / name)
        drawn.append(node.model_copy(update={"image": f"documents/{node.document_id}/{name}"}))
    return drawn


def _save(picture: Any, path: Path) -> None:
    # No optimize and level 3: the next levels cost twice the time for a tenth of the size.
    picture.save(path, "PNG", compress_level=3)
