"""Listings cut by an engine are put together, with their indents; prose stays prose."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.geometry import Block, around
from g2_pipelines.pdf.listings import joined_listings, letter_width, listing_text
from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines_tests.pdf.conftest import run

LINES = [
    ("{", 0),
    ('"metadata":', 4),
    ("{", 8),
    ('"title": "list",', 12),
    ('"count": 2', 12),
    ("}", 8),
    ("}", 0),
]


def piece(*numbers: int, kind: NodeKind = "paragraph") -> Block:
    """Lines of LINES, 12 points apart, in letters of 5 points."""
    runs = [run(LINES[k][0], 100 + 5 * LINES[k][1], 100 + 12 * k, size=5) for k in numbers]
    return Block(kind=kind, page=1, box=around(r.box for r in runs), runs=runs)


WHOLE = "\n".join(" " * indent + text for text, indent in LINES)


def test_pieces_under_each_other_are_one_listing_with_its_indents() -> None:
    note = run("資料の一覧", 400, 130, size=8)
    label = Block(kind="paragraph", page=1, box=note.box, runs=[note])
    blocks = [piece(0), piece(1, 2), label, piece(3, 4, kind="code"), piece(5, 6)]
    # 12 points from line to line are 7 of white: more than 1.3 heights of 5 points.
    assert joined_listings(blocks) == blocks
    for block in blocks:
        block.runs = [
            r if r is note else run(r.text, r.box.x0, 100 + (r.box.y0 - 100) / 2, size=5)
            for r in block.runs
        ]
        block.box = around(r.box for r in block.runs)
    first, other = joined_listings(blocks)
    assert (first.kind, other) == ("code", label)
    assert listing_text(first) == WHOLE


def test_prose_in_other_letters_is_not_drawn_in() -> None:
    above = run("青嶺精機 says so", 100, 90, size=8)
    narrow = above.glyphs[4]._replace(
        box=above.glyphs[4].box._replace(x1=above.glyphs[4].box.x0 + 3)
    )
    mixed = type(above)(above.text, above.box, (*above.glyphs[:4], narrow, *above.glyphs[5:]))
    prose = Block(kind="paragraph", page=1, box=mixed.box, runs=[mixed])
    assert letter_width(prose) is None
    assert joined_listings([prose, piece(0, 1, 2, kind="code")])[0] is prose


def test_typewritten_letters_without_a_listing_stay_paragraphs() -> None:
    lines = [run(text, 100, 100 + 6 * k, size=5) for k, text in enumerate(("Dear Sir", "yours"))]
    blocks = [Block(kind="paragraph", page=1, box=r.box, runs=[r]) for r in lines]
    assert joined_listings(blocks) == blocks
    assert [block.kind for block in blocks] == ["paragraph", "paragraph"]


@settings(max_examples=50, deadline=None)
@given(st.permutations(range(len(LINES))), st.integers(1, 4))
def test_no_line_is_lost_or_doubled_whatever_the_pieces(order: list[int], size: int) -> None:
    blocks = [piece(*order[k : k + size], kind="code") for k in range(0, len(order), size)]
    before = sorted(r.text for block in blocks for r in block.runs)
    assert sorted(r.text for block in joined_listings(blocks) for r in block.runs) == before
