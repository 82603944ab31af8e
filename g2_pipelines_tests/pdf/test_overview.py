"""Page overviews: boxes at their places, and a page that shows everything and runs nothing."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from g2_pipelines.pdf import overview
from g2_pipelines.pdf.overview import COLOURS, overview_page, overview_picture
from g2_pipelines.pdf.parse import ParsedPdf
from g2_pipelines.tables.line2 import DocumentNode, DocumentPage, DocumentQuality, Region
from g2_pipelines.tables.rows import Bbox


def sheet(number: int, *, width: float = 400, height: float = 600) -> DocumentPage:
    return DocumentPage(
        document_id="d",
        page=number,
        width_pt=width,
        height_pt=height,
        rotation=0,
        text_chars=10,
        source="text",
        engine="docvortex 9",
    )


def node(order: int, kind: str, text: str, *places: tuple[int, tuple[float, ...]]) -> DocumentNode:
    regions = [
        Region(page=page, bbox=Bbox(x0=x0, y0=y0, x1=x1, y1=y1))
        for page, (x0, y0, x1, y1) in places
    ]
    return DocumentNode.model_validate(
        {
            "document_id": "d",
            "node_id": f"n{order}",
            "kind": kind,
            "order": order,
            "text": text,
            "page": regions[0].page,
            "bbox": regions[0].bbox,
            "regions": regions,
            "engine": "e",
            "engine_version": "1",
        }
    )


def quality(**more: object) -> DocumentQuality:
    base = {"document_id": "d", "pages": 2, "text_chars": 10, "node_chars": 10, "kept_share": 1.0}
    counts = {"tables": 0, "figures": 0, "captions_bound": 0, "captions_unbound": 0}
    return DocumentQuality.model_validate({**base, **counts, **more})


def pixels(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def near(found: object, colour: str) -> bool:
    assert isinstance(found, tuple)
    wanted = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return all(abs(a - b) < 40 for a, b in zip(found, wanted, strict=True))


def test_boxes_are_drawn_where_the_nodes_stand_in_the_colour_of_their_kind() -> None:
    """400 × 600 points on 800 × 1200 pixels: two pixels a point."""
    nodes = [
        node(0, "table", "x", (1, (100, 100, 300, 200))),
        node(1, "figure", "y", (2, (10, 10, 20, 20))),
    ]
    drawn = pixels(overview_picture(None, sheet(1), nodes))
    assert drawn.size == (800, 1200)
    assert near(drawn.getpixel((400, 200)), COLOURS["table"])
    assert near(drawn.getpixel((600, 300)), COLOURS["table"])
    assert near(drawn.getpixel((700, 700)), "#ffffff")
    assert near(drawn.getpixel((30, 30)), "#ffffff")  # the figure is on the other page


def test_a_huge_or_empty_page_gives_a_small_picture() -> None:
    assert max(pixels(overview_picture(None, sheet(1, width=20000, height=20000), [])).size) <= 1200
    assert pixels(overview_picture(None, sheet(1, width=1, height=9000), [])).size == (1, 1200)


def test_the_pages_picture_lies_under_the_boxes(aomine: ParsedPdf, aomine_images: Path) -> None:
    page = aomine.pages[0]
    picture = (aomine_images / (page.image or "").rsplit("/", 1)[-1]).read_bytes()
    bare = pixels(overview_picture(picture, page, []))
    drawn = overview_picture(picture, page, aomine.nodes)
    assert min(bare.convert("L").tobytes()) < 100  # its text
    assert drawn == overview_picture(picture, page, aomine.nodes)
    counted = pixels(drawn).getcolors(1 << 20)
    assert counted is not None
    colours = {colour for _, colour in counted}
    kinds = {n.kind for n in aomine.nodes if n.page == 1}
    assert all(any(near(colour, COLOURS[kind]) for colour in colours) for kind in kinds)


def test_the_page_escapes_names_texts_and_warnings() -> None:
    hostile = "<script>alert(1)</script>"
    html = overview_page(
        hostile,
        [sheet(1)],
        [node(0, "paragraph", hostile, (1, (1, 1, 9, 9)))],
        quality(warnings=[hostile], pages_fallback=[1]),
        pictures=lambda number: ("overview-0001.png", b"png"),
    )
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 4  # title, heading, node, warning
    assert "default-src 'none'" in html
    assert "data:image/png;base64," in html
    assert "Plain lines, no layout" in html


def test_pages_past_the_shown_ones_are_linked(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(overview, "PAGES_SHOWN", 1)
    html = overview_page(
        "d", [sheet(1), sheet(2)], [], quality(), pictures=lambda n: (f"overview-{n:04d}.png", b"x")
    )
    assert html.count("<img") == 1
    assert '<a href="overview-0002.png">2</a>' in html
