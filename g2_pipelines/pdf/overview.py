"""Page overviews: a document's pages with the boxes of its nodes drawn on them, for people.

Here: ``overview_picture``, one PNG a page, and ``overview_page``, one self-contained HTML file
a document with its quality. Boxes are coloured by kind and numbered by the node's order, so
that a person sees what was understood and in which order it is read. Everything is escaped by
the template (``templates``), nothing is fetched; the same nodes and pictures give the same
bytes. Pure functions on bytes that ``parse_pdf`` wrote; called by ``defs``.
"""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from g2_pipelines.tables.line2 import (
    DocumentNode,
    DocumentPage,
    DocumentQuality,
    NodeKind,
)
from g2_pipelines.tables.rows import Bbox
from g2_pipelines.text.pages import page_templates

if TYPE_CHECKING:
    import jinja2
    from PIL.ImageDraw import ImageDraw

#: An overview is at most this wide and high, in pixels: legible, some tens of kilobytes.
MAX_WIDTH, MAX_HEIGHT = 800, 1200
COLOURS: dict[NodeKind, str] = {
    "heading": "#c2185b",
    "paragraph": "#1565c0",
    "list": "#00838f",
    "table": "#2e7d32",
    "figure": "#ef6c00",
    "chart": "#f9a825",
    "equation": "#6a1b9a",
    "code": "#4e342e",
    "footnote": "#607d8b",
    "caption": "#d84315",
    "furniture": "#9e9e9e",
}
#: Pages whose picture stands in the HTML; the others are linked (2,000 pages are 100 MB).
PAGES_SHOWN = 100
TEXT_SHOWN = 160


def overview_picture(
    picture: bytes | None, page: DocumentPage, nodes: Sequence[DocumentNode]
) -> bytes:
    """A PNG of ``page`` with the boxes of ``nodes`` that stand on it.

    Args:
        picture: The page's PNG, None for a page that cannot be drawn: then a white sheet.
        page: Its size in points gives the scale of the boxes.
        nodes: The document's nodes; those of other pages are passed over.
    """
    from PIL import Image, ImageDraw, ImageFont

    scale = min(MAX_WIDTH / max(page.width_pt, 1.0), MAX_HEIGHT / max(page.height_pt, 1.0))
    size = (max(1, round(page.width_pt * scale)), max(1, round(page.height_pt * scale)))
    if picture is None:
        sheet = Image.new("RGB", size, "white")
    else:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as image:
            sheet = image.convert("RGB").resize(size, Image.Resampling.BOX, reducing_gap=2.0)
    marked = [(node, box) for node in nodes for box in _boxes(node, page.page)]
    # Areas are tinted in one go under the outlines, so that no box hides another's number.
    tint = Image.new("RGBA", size, (0, 0, 0, 0))
    brush = ImageDraw.Draw(tint)
    for node, box in marked:
        brush.rectangle(_pixels(box, scale), fill=COLOURS[node.kind] + "26")
    sheet.paste(tint, (0, 0), tint)
    font = ImageFont.load_default(12)
    pen = ImageDraw.Draw(sheet)
    for node, box in marked:
        pen.rectangle(_pixels(box, scale), outline=COLOURS[node.kind], width=2)
    for node, box in marked:
        if node.order >= 0:
            x0, y0, _, _ = _pixels(box, scale)
            _number(pen, (x0, y0), str(node.order), COLOURS[node.kind], font)
    out = io.BytesIO()
    sheet.quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        out, "PNG", compress_level=9
    )
    return out.getvalue()


def _boxes(node: DocumentNode, page: int) -> list[Bbox]:
    return [region.bbox for region in node.regions if region.page == page]


def _pixels(box: Bbox, scale: float) -> tuple[float, float, float, float]:
    x0, y0 = box.x0 * scale, box.y0 * scale
    return x0, y0, max(x0 + 1, box.x1 * scale), max(y0 + 1, box.y1 * scale)


def _number(pen: ImageDraw, at: tuple[float, float], text: str, colour: str, font: object) -> None:
    """The number on a label at the box's top left, pushed into the sheet."""
    width, height = pen.textlength(text, font=font) + 4, 14  # type: ignore[arg-type]
    x, y = max(0.0, at[0] - width), max(0.0, at[1])
    pen.rectangle((x, y, x + width, y + height), fill=colour)
    pen.text((x + 2, y), text, fill="white", font=font)  # type: ignore[arg-type]


def overview_page(
    name: str,
    pages: Sequence[DocumentPage],
    nodes: Sequence[DocumentNode],
    quality: DocumentQuality,
    *,
    pictures: Callable[[int], tuple[str, bytes] | None],
) -> str:
    """The HTML page of a document: quality, and each page's overview beside its nodes.

    Args:
        name: The document's name for people.
        pages: All pages; the first PAGES_SHOWN are shown, the others linked.
        nodes: All nodes, furniture too.
        quality: What was understood.
        pictures: File name and bytes of a page's overview by its number, None without one.
    """
    shown = [
        {
            "page": page,
            "source": _data_uri(found[1]) if (found := pictures(page.page)) else "",
            "nodes": [node for node in nodes if _boxes(node, page.page)],
        }
        for page in pages[:PAGES_SHOWN]
    ]
    linked = [
        (page.page, found[0]) for page in pages[PAGES_SHOWN:] if (found := pictures(page.page))
    ]
    return _template().render(
        name=name,
        shown=shown,
        linked=linked,
        total=len(pages),
        quality=quality,
        counts=Counter(node.kind for node in nodes),
        colours=COLOURS,
        text_shown=TEXT_SHOWN,
    )


def _data_uri(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


@cache
def _template() -> jinja2.Template:
    import jinja2

    environment = page_templates(jinja2.PackageLoader("g2_pipelines.pdf", "templates"))
    return environment.get_template("overview.html.jinja")
