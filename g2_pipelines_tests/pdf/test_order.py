"""Reading order from boxes alone."""

from __future__ import annotations

import random

from g2_pipelines.pdf.geometry import Block, Box
from g2_pipelines.pdf.order import insert_by_place, line_blocks, reading_order
from g2_pipelines_tests.pdf.conftest import run


def test_two_columns_under_a_title_are_read_one_after_the_other() -> None:
    title = Box(50, 20, 550, 40)
    left = [Box(50, 60 + 15 * k, 280, 70 + 15 * k) for k in range(6)]
    right = [Box(320, 60 + 15 * k, 550, 70 + 15 * k) for k in range(6)]
    expected = [title, *left, *right]
    shuffled = expected.copy()
    random.Random(3).shuffle(shuffled)
    assert reading_order(shuffled, lambda box: box) == expected


def test_one_row_of_pieces_is_read_across() -> None:
    row = [Box(50, 20, 100, 30), Box(200, 20, 260, 30), Box(400, 20, 450, 30)]
    assert reading_order(row[::-1], lambda box: box) == row


def test_lines_become_paragraphs_and_large_ones_headings() -> None:
    runs = [run("Heading", 50, 20, size=16)]
    runs += [run(f"first {k}", 50, 60 + 12 * k) for k in range(3)]
    runs += [run(f"second {k}", 50, 130 + 12 * k) for k in range(3)]
    blocks = line_blocks(runs, 1)
    assert [(b.kind, len(b.runs)) for b in blocks] == [
        ("heading", 1),
        ("paragraph", 3),
        ("paragraph", 3),
    ]


def test_a_piece_left_over_goes_after_what_stands_above_it() -> None:
    def block(x: float, y: float) -> Block:
        return Block(kind="paragraph", page=1, box=Box(x, y, x + 200, y + 50))

    blocks = [block(50, 0), block(50, 100), block(300, 0), block(300, 100)]
    extra = block(60, 55)
    insert_by_place(blocks, extra)
    assert blocks.index(extra) == 1


def test_a_page_without_lines_has_no_blocks() -> None:
    assert line_blocks([], 1) == []


def test_no_line_goes_on_over_a_standing_rule() -> None:
    """Two framed texts side by side, their lines at one height."""
    left = [run("左の題の", 100, y, size=10) for y in (100, 113)]
    right = [run("右の題の", 160, y, size=10) for y in (100, 113)]
    walls = [Box(150, 90, 150.5, 130)]
    apart = line_blocks([left[0], right[0], left[1], right[1]], 1, walls=walls)
    assert [block.runs for block in apart] == [left, right]
    row = [left[0], right[0]]
    assert (len(line_blocks(row, 1)), len(line_blocks(row, 1, walls=walls))) == (1, 2)


def test_items_and_sources_in_large_letters_are_no_headings() -> None:
    small = [run("小さな字の本文がここに続く", 100, 300 + 30 * k, size=6) for k in range(5)]
    for text, kind in (
        ("●項目の本文", "paragraph"),
        ("（出典）総務省", "paragraph"),
        ("章の題", "heading"),
    ):
        assert line_blocks([run(text, 100, 100, size=12), *small], 1)[0].kind == kind


def test_a_line_that_begins_with_a_bullet_begins_anew() -> None:
    lines = ["第2節：題", "●はじめの項目は", "二行に続く", "●次の項目"]
    runs = [run(text, 100, 100 + 12 * k, size=10) for k, text in enumerate(lines)]
    assert [len(block.runs) for block in line_blocks(runs, 1)] == [1, 2, 1]


def test_a_piece_with_nothing_above_goes_before_the_first_in_its_column() -> None:
    def block(x: float, y: float) -> Block:
        return Block(kind="paragraph", page=1, box=Box(x, y, x + 200, y + 50))

    blocks = [block(300, 0), block(50, 100), block(50, 200)]
    top, aside = block(60, 20), block(600, 20)
    insert_by_place(blocks, top)
    insert_by_place(blocks, aside)
    assert blocks.index(top) == 1
    assert blocks[-1] is aside
