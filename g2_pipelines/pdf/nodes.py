"""Blocks into rows of ``document_nodes``, pages and the quality of what was understood.

Here: ids, orders, boxes cut to the page, and the counts of the quality row. No file is read
or written. For the modules of ``pdf`` only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from g2_pipelines.pdf.document import PageBlocks
from g2_pipelines.pdf.geometry import Block, Box, PageText
from g2_pipelines.pdf.ocr import GARBLED_SHARE
from g2_pipelines.pdf.references import with_references
from g2_pipelines.tables.line2 import (
    DocumentNode,
    DocumentPage,
    DocumentQuality,
    NodeKind,
    PageSource,
    Region,
)
from g2_pipelines.tables.rows import Bbox

#: Kinds of nodes that get a crop of the page.
PICTURED: tuple[NodeKind, ...] = ("figure", "chart", "table", "equation")

#: More of the characters than this as furniture is said in the quality.
FURNITURE_SHARE = 0.05


def document_nodes(
    document_id: str,
    blocks: Sequence[Block],
    pages: Sequence[PageText],
    versions: Mapping[str, str],
) -> list[DocumentNode]:
    """The document's nodes in order; furniture has order -1 and stands where it was found.

    ``versions``: engine name → version. Ids hold page, place on the page and 8 hex of the
    SHA-256 over document, kind, box and text: equal input gives equal ids.
    """
    sizes = {page.page: page for page in pages}
    nodes: list[DocumentNode] = []
    on_page: dict[int, int] = {}
    order = 0
    for block in blocks:
        place = on_page[block.page] = on_page.get(block.page, 0) + 1
        regions = [
            Region(page=number, bbox=_bbox(box, sizes[number])) for number, box in block.regions
        ]
        caption = block.caption.text if block.caption is not None else None
        furniture = block.kind == "furniture"
        nodes.append(
            DocumentNode(
                document_id=document_id,
                node_id=_node_id(document_id, block, place, regions[0]),
                kind=block.kind,
                order=-1 if furniture else order,
                section_path=block.section_path,
                text=block.text,
                caption=caption,
                level=block.level if block.kind == "heading" else None,
                cells=block.cells,
                page=block.page,
                bbox=regions[0].bbox,
                regions=regions,
                engine=block.engine,
                engine_version=_version(block.engine, versions),
                warnings=block.warnings,
            )
        )
        order += not furniture
    return with_references(nodes)


def _bbox(box: Box, page: PageText) -> Bbox:
    clipped = page.shown(box).clipped(*page.shown_size)
    x0, y0, x1, y1 = (round(value, 2) for value in clipped)
    return Bbox(x0=x0, y0=y0, x1=x1, y1=y1)


def _node_id(document_id: str, block: Block, place: int, region: Region) -> str:
    box = region.bbox
    caption = block.caption.text if block.caption is not None else ""
    content = (
        f"{document_id}\n{block.kind}\n{block.page} {place}\n"
        f"{box.x0} {box.y0} {box.x1} {box.y1}\n{block.text}\n{caption}"
    )
    return f"n{block.page}-{place}-{sha256(content.encode()).hexdigest()[:8]}"


def _version(engine: str, versions: Mapping[str, str]) -> str:
    return versions.get(engine.split("+", 1)[0], "")


def document_pages(
    document_id: str, found: Sequence[PageBlocks], versions: Mapping[str, str]
) -> list[DocumentPage]:
    """One row a page; ``source`` is none where the page has no text layer."""
    return [
        DocumentPage(
            document_id=document_id,
            page=entry.page.page,
            width_pt=round(entry.page.shown_size[0], 2),
            height_pt=round(entry.page.shown_size[1], 2),
            rotation=entry.page.rotation,
            text_chars=entry.page.chars,
            source=_source(entry.page),
            engine=f"{entry.engine} {_version(entry.engine, versions)}",
            warnings=entry.warnings,
        )
        for entry in found
    ]


def _source(page: PageText) -> PageSource:
    if page.ocr:
        return "ocr"
    return "text" if page.chars else "none"


def document_quality(
    document_id: str,
    found: Sequence[PageBlocks],
    nodes: Sequence[DocumentNode],
    *,
    aside: Sequence[str] = (),
) -> DocumentQuality:
    """What was understood; ``kept_share`` is node characters over the text layer's, on the
    pages whose text layer was used. ``aside``: warnings of the document as a whole.
    """
    ocr = [entry.page.page for entry in found if entry.page.ocr]
    text_chars = sum(entry.page.chars for entry in found if not entry.page.ocr)
    node_chars = sum(
        _chars(node.text) + _chars(node.caption or "") for node in nodes if node.page not in ocr
    )
    warnings = list(aside)
    warnings += [f"page {e.page.page}: {warning}" for e in found for warning in e.warnings]
    of_pages = frozenset(warnings)
    of_nodes = [f"page {node.page}: {warning}" for node in nodes for warning in node.warnings]
    warnings += [warning for warning in of_nodes if warning not in of_pages]
    furniture = sum(_chars(node.text) for node in nodes if node.kind == "furniture")
    all_chars = sum(_chars(node.text) + _chars(node.caption or "") for node in nodes)
    if furniture > FURNITURE_SHARE * all_chars:
        warnings.insert(
            0,
            f"{furniture} of {all_chars} characters ({furniture / all_chars:.0%}) are running"
            " heads, footers and page numbers: outside the order",
        )
    return DocumentQuality(
        document_id=document_id,
        pages=len(found),
        pages_without_text=[e.page.page for e in found if not e.page.chars and not e.page.ocr],
        pages_ocr=ocr,
        pages_garbled=[e.page.page for e in found if e.page.unmapped > GARBLED_SHARE],
        pages_fallback=[entry.page.page for entry in found if entry.fallback],
        text_chars=text_chars,
        node_chars=node_chars,
        kept_share=round(node_chars / text_chars, 4) if text_chars else 0.0,
        tables=sum(node.kind == "table" for node in nodes),
        figures=sum(node.kind in ("figure", "chart") for node in nodes),
        captions_bound=sum(node.caption is not None for node in nodes),
        captions_unbound=sum(node.kind == "caption" for node in nodes),
        warnings=warnings,
    )


def _chars(text: str) -> int:
    return len("".join(text.split()))
