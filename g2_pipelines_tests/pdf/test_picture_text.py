"""Words inside pictures of pages that have a text layer."""

from __future__ import annotations

from pathlib import Path

import pytest
import typst
from PIL import Image, ImageDraw, ImageFont

from g2_pipelines.pdf.picture_text import is_picture_to_read, with_picture_text
from g2_pipelines.tables.line2 import DocumentNode, DocumentPage, Region
from g2_pipelines.tables.rows import Bbox, Cell
from g2_pipelines_tests.pdf.conftest import read

PAGE = DocumentPage(
    document_id="d",
    page=1,
    width_pt=600,
    height_pt=800,
    rotation=0,
    text_chars=99,
    source="text",
    engine="e",
)


def picture(**more: object) -> DocumentNode:
    box = Bbox(x0=0, y0=0, x1=200, y1=100)
    given = {
        "document_id": "d",
        "node_id": "n1-1-x",
        "kind": "figure",
        "order": 0,
        "text": "",
        "page": 1,
        "bbox": box,
        "regions": [Region(page=1, bbox=box)],
        "image": "documents/d/n1-1-x.png",
        "engine": "e",
        "engine_version": "1",
    }
    return DocumentNode.model_validate({**given, **more})


@pytest.mark.parametrize(
    ("changed", "read_it"),
    [
        ({}, True),
        ({"kind": "chart"}, True),
        ({"kind": "table"}, True),
        ({"kind": "table", "cells": [Cell(row=0, col=0, text="x")]}, False),
        ({"kind": "equation"}, False),
        ({"text": "Boots aircraft nut"}, False),  # its labels are in the text layer
        ({"text": "(a) (b) (c)"}, True),
        ({"text": "?>9@AJ.D<F@ <>2.@A:0>#3$4 .A-<>@*FB9?= >:<*>@,>B/A9 ?>9<:+J>.B"}, True),
        ({"image": None}, False),
        ({"bbox": Bbox(x0=0, y0=0, x1=20, y1=200)}, False),  # an icon
    ],
)
def test_only_pictures_without_readable_words_of_their_own_are_read(
    changed: dict[str, object], read_it: bool
) -> None:
    assert is_picture_to_read(picture(**changed), PAGE) is read_it


def test_a_page_that_was_read_by_ocr_is_not_read_again() -> None:
    assert not is_picture_to_read(picture(), PAGE.model_copy(update={"source": "ocr"}))


def test_pictures_past_the_budget_are_named(tmp_path: Path) -> None:
    (tmp_path / "n1-1-x.png").write_bytes(b"crop")
    [node] = with_picture_text(
        [picture()], [PAGE], "x.pdf", tmp_path, environment={}, deadline=0, max_pixels=1, budget=0
    )
    assert node.ocr_text is None
    assert node.warnings == ["its picture was not read: OCR's budget of 0 pictures is used up"]


def pdf_with_pictures(folder: Path) -> Path:
    """A page of text with one picture of words twice and one without any."""
    font = ImageFont.load_default(60)
    words = Image.new("RGB", (900, 300), "white")
    ImageDraw.Draw(words).text((60, 40), "Spindle speed 12000\nCoolant 41 L", "black", font=font)
    words.save(folder / "words.png")
    Image.linear_gradient("L").save(folder / "plain.png")
    (folder / "a.typ").write_text(
        "#set page(width: 400pt, height: 600pt)\nThe plates show what the machine says.\n\n"
        '#image("words.png", width: 300pt)\n\nThe same plate again, read once.\n\n'
        '#image("words.png", width: 300pt)\n\nA surface without words.\n\n'
        '#image("plain.png", width: 100pt)\n',
        encoding="utf-8",
    )
    typst.compile(str(folder / "a.typ"), output=str(folder / "a.pdf"))
    return folder / "a.pdf"


def test_the_words_of_a_picture_are_read_and_stand_apart_from_the_text_layer(
    tmp_path: Path,
) -> None:
    parsed = read(pdf_with_pictures(tmp_path), tmp_path / "images", ocr_pictures=2)
    figures = [node for node in parsed.nodes if node.kind == "figure"]
    assert [node.text for node in figures] == ["", "", ""]
    first, second, plain = (node.ocr_text for node in figures)
    assert first is not None
    assert "12000" in first
    assert "Coolant 41" in first
    assert (second, plain) == (first, None)
    assert parsed.quality.pages_ocr == []
    assert parsed.quality.kept_share == 1.0
