"""What is made of an OCR engine's answers, however odd they are."""

from __future__ import annotations

import pytest

from g2_pipelines.pdf import ocr, picture_text
from g2_pipelines.pdf.geometry import Box, PageText

BOX = Box(10, 20, 110, 30)
BLANKS = ["", " ", "\u3000", "\t\n"]
SCAN = PageText(
    page=1, width=595, height=842, rotation=0, chars=0, runs=(), images=(BOX,), rules=()
)


def read_page(monkeypatch, lines):
    """The scan as ``with_ocr`` leaves it where the engine answers with ``lines``."""
    monkeypatch.setattr(ocr, "read_areas", lambda *_, **__: ({0: lines}, {}))
    [page] = ocr.with_ocr([SCAN], "x.pdf", environment={}, deadline=0, max_pixels=1, budget=9)
    return page


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_line_costs_nothing_else(monkeypatch, blank):
    """A line without characters has no width to spread over any."""
    page = read_page(monkeypatch, [("売上高 120", BOX), (blank, BOX), ("総資産", BOX)])
    assert page.ocr
    assert [run.text for run in page.runs] == ["売上高 120", "総資産"]
    # Ten shares of the box's 100 points (kanji two each, space and figures one).
    first = page.runs[0].glyphs
    assert [glyph.text for glyph in first] == list("売上高120")
    assert [glyph.box.x0 for glyph in first] == pytest.approx([10, 30, 50, 80, 90, 100])


def test_nothing_but_blank_lines_is_a_page_without_text_and_says_so(monkeypatch):
    page = read_page(monkeypatch, [(blank, BOX) for blank in BLANKS])
    assert not page.ocr
    assert page.runs == ()
    assert page.warnings == ("OCR found no text on the page",)


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_line_inside_a_picture_costs_nothing_else(blank):
    lines = [("売上高", BOX), (blank, BOX), ("総資産", Box(10, 40, 110, 50))]
    assert picture_text._text(lines) == "売上高\n総資産"
