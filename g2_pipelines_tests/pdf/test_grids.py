"""Tables by their rules where no engine saw them; frames and tinted lines are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from g2_pipelines.pdf.blocks import engine_blocks, plain_blocks
from g2_pipelines.pdf.geometry import Box, PageText, Rule, Run, Shape
from g2_pipelines.pdf.grids import grid_tables
from g2_pipelines.pdf.tables import table_text
from g2_pipelines_tests.pdf.conftest import page, run

XS, YS = (100, 200, 300, 400), (200, 220, 240, 260)
TEXTS = [["年度", "売上高", "利益"], ["2030", "120", "-3"], ["2031", "140", "8"]]
RULES = [
    *(Rule(Box(XS[0], y, XS[-1], y)) for y in YS),
    *(Rule(Box(x, YS[0], x, YS[-1])) for x in XS),
]
CELLS = [
    run(text, x + 5, y + 5, size=8)
    for y, row in zip(YS, TEXTS, strict=False)
    for x, text in zip(XS, row, strict=False)
]
BODY = run("青嶺精機の決算は次の表のとおりである", 100, 150)


def ruled(runs: Sequence[Run], rules: Sequence[Rule]) -> PageText:
    return replace(page(runs), rules=tuple(rules))


def test_a_closed_grid_is_a_table_with_its_cells() -> None:
    [table] = grid_tables(ruled([BODY, *CELLS], RULES))
    assert table.box == Box(100, 200, 400, 260)
    assert table_text(table.cells)[0].split("\n") == ["\t".join(row) for row in TEXTS]


def test_without_a_layout_the_grid_is_a_table_and_the_text_over_it_stays() -> None:
    blocks = plain_blocks(ruled([BODY, *CELLS], RULES))
    assert [block.kind for block in blocks] == ["paragraph", "table"]
    assert blocks[0].runs == [BODY]
    assert sorted(r.text for r in blocks[1].runs) == sorted(r.text for r in CELLS)


def test_rows_that_the_engine_left_under_its_table_are_in_it() -> None:
    """docvortex saw the tinted header alone and the rows as paragraphs."""
    regions = [
        ("text", (0.15, 0.18, 0.9, 0.21)),
        ("table", (0.16, 0.25, 0.67, 0.275)),
        ("text", (0.16, 0.276, 0.67, 0.325)),
    ]
    raw = [{"type": t, "bbox": list(box), "text": "", "starts": False} for t, box in regions]
    blocks, _ = engine_blocks(ruled([BODY, *CELLS], RULES), raw)
    assert [(block.kind, block.chars) for block in blocks] == [
        ("paragraph", BODY.chars),
        ("table", sum(r.chars for r in CELLS)),
    ]


IMAGE = {"type": "image", "bbox": [0.16, 0.26, 0.68, 0.325], "text": "", "starts": False}


def test_a_table_in_colours_that_the_engine_calls_a_picture_is_a_table() -> None:
    """Its first row, which the engine left to the caption over it, is the table's."""
    title = run("表1 売上高", 100, 186, size=8)
    caption = {"type": "caption", "bbox": [0.16, 0.23, 0.68, 0.2599], "text": "", "starts": False}
    fill = Shape(Box(100, 200, 400, 260), slanted=False, filled=True)
    drawn = replace(ruled([title, *CELLS], RULES), shapes=(fill,))
    blocks, _ = engine_blocks(drawn, [caption, IMAGE])
    assert [block.kind for block in blocks] == ["caption", "table"]
    assert blocks[0].runs == [title]
    assert table_text(blocks[1].cells)[0].split("\n") == ["\t".join(row) for row in TEXTS]


@pytest.mark.parametrize("more", ["picture", "curve", "text"])
def test_a_figure_with_more_than_cells_stays(more: str) -> None:
    box = Box(210, 222, 290, 238)
    drawn = ruled(CELLS, RULES)
    region = dict(IMAGE)
    if more == "picture":
        drawn = replace(drawn, images=(box,))
    elif more == "curve":
        drawn = replace(drawn, shapes=(Shape(box.grown(4), slanted=True, filled=True),))
    else:
        drawn = ruled([*CELLS, run("outside", 100, 280, size=8)], RULES)
        region["bbox"] = [0.16, 0.26, 0.68, 0.37]
    blocks, _ = engine_blocks(drawn, [region])
    assert "figure" in [block.kind for block in blocks]
    assert "table" not in [block.kind for block in blocks]


def test_two_grids_that_do_not_touch_are_two_tables() -> None:
    lower = [Rule(Box(r.box.x0, r.box.y0 + 100, r.box.x1, r.box.y1 + 100)) for r in RULES]
    more = [run(r.text, r.box.x0, r.box.y0 + 100, size=8) for r in CELLS]
    found = grid_tables(ruled([*CELLS, *more], [*RULES, *lower]))
    assert [table.box.y0 for table in found] == [200, 300]


def test_a_frame_round_text_and_the_tinted_lines_of_a_paragraph_are_no_tables() -> None:
    frame = [RULES[0], RULES[3], RULES[4], RULES[7]]
    assert grid_tables(ruled(CELLS, frame)) == []
    lines = [run(f"{k}番の行は文の続きである", 120, 202 + 20 * k, size=8) for k in range(3)]
    bullets = [run("•", 103, 202 + 20 * k, size=8) for k in range(3)]
    sides = [Rule(Box(x, 200, x, 260)) for x in (100, 115, 400)]
    assert grid_tables(ruled([*bullets, *lines], [*RULES[:4], *sides])) == []


def test_a_form_with_empty_cells_is_no_table() -> None:
    assert grid_tables(ruled(CELLS[:3], RULES)) == []


def test_a_line_that_ocr_read_over_two_cells_makes_no_cells() -> None:
    """Its letters' places are guesses: a figure could be cut in two."""
    wide = run("120 -3", 280, YS[1] + 5, size=8)
    whole = ruled([*CELLS[:4], wide, *CELLS[6:]], RULES)
    assert grid_tables(replace(whole, ocr=True)) == []
    assert len(grid_tables(replace(ruled(CELLS, RULES), ocr=True))) == 1
