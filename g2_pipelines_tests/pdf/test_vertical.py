"""Pages whose text does not run from left to right."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.geometry import Box, PageText, turned
from g2_pipelines.pdf.glyphs import Mark
from g2_pipelines.pdf.order import line_blocks
from g2_pipelines.pdf.vertical import is_vertical, vertical_runs


def column(text: str, x: float, y: float) -> list[Mark]:
    """Characters of 10 points, each under the one before it."""
    return [(c, Box(x, y + 10 * k, x + 10, y + 10 * k + 10), False) for k, c in enumerate(text)]


UPPER = ["あいうえおかきくけこ", "さしすせそたちつてと"]
LOWER = ["なにぬねのはひふへほ", "まみむめもやゆよらり"]


def test_columns_are_read_from_the_right_and_the_upper_tier_first() -> None:
    marks = [
        *column(UPPER[1], 500, 50),
        *column(LOWER[0], 520, 300),
        *column(UPPER[0], 520, 50),
        *column(LOWER[1], 500, 300),
    ]
    assert is_vertical(marks)
    runs = vertical_runs(marks, 600, 800)
    text = "".join(run.text for block in line_blocks(runs, 1) for run in block.runs)
    assert text == "".join(UPPER + LOWER)


def test_horizontal_text_is_not_vertical() -> None:
    marks = [(c, Box(10 * k, 0, 10 * k + 10, 10), False) for k, c in enumerate("".join(UPPER) * 3)]
    assert not is_vertical(marks)


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (0, (10, 20, 30, 60)),
        (90, (740, 10, 780, 30)),
        (180, (570, 740, 590, 780)),
        (270, (20, 570, 60, 590)),
    ],
)
def test_a_box_turns_with_its_page(turn: int, expected: tuple[float, ...]) -> None:
    """On a page of 600 × 800: a box near the top left, seen after the turn."""
    assert tuple(turned(Box(10, 20, 30, 60), turn, 600, 800)) == expected


@settings(derandomize=True, max_examples=40)
@given(st.sampled_from([0, 90, 180, 270]), st.integers(0, 500), st.integers(0, 700))
def test_a_turned_box_is_shown_where_it_was(turn: int, x: int, y: int) -> None:
    box = Box(x, y, x + 50, y + 80)
    width, height = (800, 600) if turn in (90, 270) else (600, 800)
    page = PageText(1, width, height, 0, 0, (), (), (), turn=turn)
    assert page.shown_size == (600, 800)
    assert page.shown(turned(box, turn, 600, 800)) == box
