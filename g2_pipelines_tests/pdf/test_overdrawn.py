"""Figures drawn over others are counted, other overlaps are not."""

from __future__ import annotations

from g2_pipelines.pdf.geometry import Box
from g2_pipelines.pdf.glyphs import Mark
from g2_pipelines.pdf.overdrawn import overdrawn


def marks(*placed: tuple[str, float]) -> list[Mark]:
    """Characters of 5 × 10 points on one line at these x."""
    return [(text, Box(x, 0, x + 5, 10), False) for text, x in placed]


def test_a_sign_on_a_digit_counts_wherever_it_comes_in_the_text() -> None:
    assert overdrawn(marks(("1", 0), ("7", 5), ("9", 10), ("$", 11))) == 1
    assert overdrawn(marks(("$", 11), ("1", 0), ("7", 5), ("9", 10))) == 1


def test_neighbours_ligatures_and_doubles_do_not_count() -> None:
    assert overdrawn(marks(("1", 0), ("7", 4.5), ("9", 9))) == 0
    assert overdrawn(marks(("f", 0), ("i", 1))) == 0
    assert overdrawn(marks(("8", 0), ("8", 0.3))) == 0


def test_other_lines_do_not_count() -> None:
    other: list[Mark] = [("$", Box(1, 20, 6, 30), False)]
    assert overdrawn([*marks(("1", 0)), *other]) == 0
