"""Pages and areas that leave not one whole pixel have no picture, and cost nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pypdfium2
import pytest

from g2_pipelines.pdf import pdfium
from g2_pipelines.pdf.geometry import Box


@pytest.fixture
def document() -> Iterator[Any]:
    made = pypdfium2.PdfDocument.new()
    made.new_page(200, 100).close()
    yield made
    made.close()


def test_a_page_and_its_part_have_the_pixels_of_their_size(document: Any) -> None:
    assert pdfium.render(document, 1, dpi=72, max_pixels=10**6).size == (200, 100)
    part = Box(20, 10, 120, 60)
    assert pdfium.render(document, 1, dpi=72, max_pixels=10**6, box=part).size == (100, 50)


@pytest.mark.parametrize("outside", [Box(200, 0, 240, 50), Box(0, 100, 50, 120), Box(9, 9, 9, 50)])
def test_an_area_without_a_pixel_has_no_picture(document: Any, outside: Box) -> None:
    assert pdfium.render(document, 1, dpi=72, max_pixels=10**6, box=outside) is None
