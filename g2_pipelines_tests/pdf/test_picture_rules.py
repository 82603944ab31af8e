"""Straight strokes of a picture are its rules; letters, areas and short marks are none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from g2_pipelines.pdf.picture_rules import picture_rules

Picture = NDArray[np.uint8]


def paper(width: int = 300, height: int = 200) -> Picture:
    return np.full((height, width), 255, dtype=np.uint8)


def test_a_lying_and_a_standing_line_with_their_ends() -> None:
    picture = paper()
    picture[50:53, 20:220] = 0
    picture[60:180, 100:102] = 40
    assert picture_rules(picture) == [(20, 50, 219, 52), (100, 60, 101, 179)]


def test_lines_that_cross_are_two() -> None:
    picture = paper()
    picture[100, 10:290] = 0
    picture[10:190, 150] = 0
    assert picture_rules(picture) == [(10, 100, 289, 100), (150, 10, 150, 189)]


def test_a_line_that_sinks_by_three_pixels_over_its_length_is_one() -> None:
    picture = paper(600)
    for x in range(40, 560):
        picture[100 + (x - 40) // 174, x] = 0
    [(x0, y0, x1, y1)] = picture_rules(picture)
    assert (x0, x1) == (40, 559)
    assert 99 <= y0 <= y1 <= 103


@pytest.mark.parametrize(
    "box",
    [
        (50, 60, 20, 60),  # shorter than a stroke
        (50, 90, 20, 220),  # a black area
    ],
)
def test_marks_and_areas_are_no_lines(box: tuple[int, int, int, int]) -> None:
    top, bottom, left, right = box
    picture = paper()
    picture[top:bottom, left:right] = 0
    assert picture_rules(picture) == []


def test_grey_grounds_are_no_lines_and_empty_pictures_have_none() -> None:
    picture = paper()
    picture[50:60, :] = 190
    assert picture_rules(picture) == []
    assert picture_rules(paper(5, 5)) == []
    assert picture_rules(np.zeros((0, 0), dtype=np.uint8)) == []


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 150), st.integers(50, 140), st.integers(5, 190), st.integers(1, 6), st.booleans()
)
def test_one_line_anywhere_is_found_as_it_was_drawn(
    start: int, length: int, at: int, thick: int, standing: bool
) -> None:
    picture = paper(300, 300)
    if standing:
        picture[start : start + length, at : at + thick] = 0
        expected = (at, start, at + thick - 1, start + length - 1)
    else:
        picture[at : at + thick, start : start + length] = 0
        expected = (start, at, start + length - 1, at + thick - 1)
    assert picture_rules(picture) == [expected]
