"""What is made of an OCR engine's answers, however odd they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from g2_pipelines.pdf import ocr, picture_text
from g2_pipelines.pdf.document import flow, lay_out
from g2_pipelines.pdf.geometry import Box, PageText
from g2_pipelines.pdf.layout import Layout
from g2_pipelines.pdf.nodes import document_nodes, document_quality

BOX = Box(10, 20, 110, 30)
BLANKS = ["", " ", "\u3000", "\t\n"]
SCAN = PageText(
    page=1,
    width=595,
    height=842,
    rotation=0,
    chars=0,
    runs=(),
    images=(Box(0, 0, 595, 842),),
    rules=(),
)


def read_page(monkeypatch: pytest.MonkeyPatch, lines: list[tuple[str, Box]]) -> PageText:
    """The scan as ``with_ocr`` leaves it where the engine answers with ``lines``."""
    monkeypatch.setattr(ocr, "read_areas", lambda *_, **__: ({0: ocr.AreaRead(lines)}, {}))
    [page] = ocr.with_ocr([SCAN], "x.pdf", environment={}, deadline=0, max_pixels=1, budget=9)
    return page


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_line_costs_nothing_else(monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    """A line without characters has no width to spread over any."""
    page = read_page(monkeypatch, [("売上高 120", BOX), (blank, BOX), ("総資産", BOX)])
    assert page.ocr
    assert [run.text for run in page.runs] == ["売上高 120", "総資産"]
    # Ten shares of the box's 100 points (kanji two each, space and figures one).
    first = page.runs[0].glyphs
    assert [glyph.text for glyph in first] == list("売上高120")
    assert [glyph.box.x0 for glyph in first] == pytest.approx([10, 30, 50, 80, 90, 100])


def test_nothing_but_blank_lines_is_a_page_without_text_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = read_page(monkeypatch, [(blank, BOX) for blank in BLANKS])
    assert not page.ocr
    assert page.runs == ()
    assert page.warnings == ("OCR found no text on the page",)


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_line_inside_a_picture_costs_nothing_else(blank: str) -> None:
    lines = [("売上高", BOX), (blank, BOX), ("総資産", Box(10, 40, 110, 50))]
    assert picture_text._text(lines) == "売上高\n総資産"


def test_pages_past_the_budget_are_named_by_page_and_on_their_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three scans, one read: the others' reasons stand in the report and on their nodes."""
    pages = [replace(SCAN, page=number) for number in (1, 2, 3)]
    monkeypatch.setattr(
        ocr, "read_areas", lambda *_, **__: ({0: ocr.AreaRead([("売上高 120", BOX)])}, {})
    )
    read = ocr.with_ocr(pages, "x.pdf", environment={}, deadline=0, max_pixels=1, budget=1)
    found = lay_out(read, Layout())
    nodes = document_nodes("d", flow(found), read, {})
    quality = document_quality("d", found, nodes)
    why = "OCR's budget of 1 pages is used up: not read"
    assert [(n.page, n.warnings) for n in nodes if n.kind == "figure"] == [(2, [why]), (3, [why])]
    assert [w for w in quality.warnings if "budget" in w] == [f"page 2: {why}", f"page 3: {why}"]
    assert (quality.pages_ocr, quality.pages_without_text) == ([1], [2, 3])
