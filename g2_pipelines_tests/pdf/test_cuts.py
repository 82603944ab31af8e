"""Regions that hold more than one thing, cut apart without losing a character."""

from __future__ import annotations

import pytest

from g2_pipelines.pdf.blocks import engine_blocks
from g2_pipelines.pdf.cuts import column_pieces, is_code, is_note, is_words, size_pieces
from g2_pipelines.pdf.geometry import Block, Box, Glyph, Run, around
from g2_pipelines_tests.pdf.conftest import page, run


def block(*runs: Run) -> Block:
    return Block(kind="paragraph", page=1, box=around(r.box for r in runs), runs=list(runs))


LEFT = [run(f"left line no {k}", 50, 100 + 12 * k) for k in range(3)]
RIGHT = [run(f"right line {k} on", 300, 100 + 12 * k) for k in range(3)]
#: The column goes on below the region.
BELOW = block(run("right line 3 on", 300, 150), run("right line 4 on", 300, 162))


def test_a_region_over_two_columns_is_read_column_by_column() -> None:
    """pl_fedreg: a strip over three columns was read across, line by line."""
    rows = [r for pair in zip(LEFT, RIGHT, strict=True) for r in pair]
    pieces = column_pieces(block(*rows), [BELOW])
    assert [[r.text for r in piece.runs] for piece in pieces] == [
        [r.text for r in LEFT],
        [r.text for r in RIGHT],
    ]


def test_columns_that_nothing_else_on_the_page_shows_stay_one_block() -> None:
    whole = block(*LEFT, *RIGHT)
    assert column_pieces(whole, []) == [whole]


def test_labels_and_their_values_are_not_cut_apart() -> None:
    values = [run(str(k), 300, 100 + 12 * k) for k in range(3)]
    whole = block(*LEFT, *values)
    assert column_pieces(whole, [block(run("1", 300, 150))]) == [whole]


def test_a_title_and_the_section_below_it_are_two_headings() -> None:
    """ja_vivlio_2020: 14.4 and 13.0 points with a blank line between."""
    title, section = (
        run("第1章 事業報告", 50, 100, size=14.4),
        run("1. 催しの開催", 50, 132, size=13),
    )
    pieces = size_pieces(block(title, section), 10.0)
    assert [(p.kind, p.runs) for p in pieces] == [("heading", [title]), ("heading", [section])]


def test_a_footnotes_small_line_is_cut_off_and_is_no_heading() -> None:
    text, note = (
        run("the text ends here.", 50, 100),
        run("1 See the annual report", 50, 112, size=7),
    )
    assert [p.kind for p in size_pieces(block(text, note), 10.0)] == ["paragraph"] * 2


def test_lines_of_one_size_stay_one_paragraph() -> None:
    whole = block(*LEFT)
    assert size_pieces(whole, 10.0) == [whole]


def typed(text: str, y: float, *, even: bool) -> Run:
    glyphs, x = [], 50.0
    for char in text:
        width = 5.0 if even else (2.5 if char in "il;.," else 5.5)
        if char != " ":
            glyphs.append(Glyph(char, Box(x, y, x + width, y + 10)))
        x += width
    return Run(text, Box(50, y, x, y + 10), tuple(glyphs))


def test_a_listing_in_typewriter_letters_is_code_and_prose_is_not() -> None:
    lines = ("for (i = 2; i < 100; ++i) {", "  if (!primes[i]) continue;", "}")
    assert is_code(block(*(typed(t, 100 + 12 * k, even=True) for k, t in enumerate(lines))))
    assert not is_code(block(*(typed(t, 100 + 12 * k, even=False) for k, t in enumerate(lines))))
    prose = ("a letter typed in the old way,", "with nothing but words in it.")
    assert not is_code(block(*(typed(t, 100 + 12 * k, even=True) for k, t in enumerate(prose))))


def test_a_running_head_taken_for_an_equation_is_words() -> None:
    assert is_words(block(run("Optimised Reading of Spindle Logs 9", 50, 20)))
    assert not is_words(block(run("error(t) = target(t) − value(t) over time", 50, 20)))
    assert not is_words(block(run("sin x", 50, 20)))


def test_a_short_line_inside_a_figure_is_its_label() -> None:
    """docling_amt_handbook: one of five labels stood beside its figure."""
    raw = [
        {"type": "image", "bbox": [0.1, 0.1, 0.6, 0.5], "text": ""},
        {"type": "text", "bbox": [0.2, 0.3, 0.5, 0.32], "text": ""},
    ]
    [figure] = engine_blocks(page([run("stop nut", 130, 243)]), raw)[0]
    assert (figure.kind, [r.text for r in figure.runs]) == ("figure", ["stop nut"])


@pytest.mark.parametrize(
    ("text", "size", "low", "note"),
    [
        ("1 青嶺精機の見積りによる。", 8, False, True),
        ("※ 速報値である。", 10, False, True),
        ("（注２）青嶺精機を除く。", 10, True, True),
        ("Source: Aomine.", 10, True, True),
        ("小さな字で下に続く行", 8, True, True),
        ("小さな字の囲み", 8, False, False),
        ("スライドの最後の行である", 10, True, False),
        ("2030年の見通し", 10, True, False),
    ],
)
def test_a_footnote_has_a_mark_or_small_letters_at_the_foot(
    text: str, size: float, low: bool, note: bool
) -> None:
    block = Block(kind="footnote", page=1, box=Box(0, 0, 9, 9), runs=[run(text, 0, 0, size=size)])
    assert is_note(block, 10, low=low) is note
