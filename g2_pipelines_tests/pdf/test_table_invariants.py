"""Whatever stands on a page: mending its tables loses no character and doubles none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.geometry import Block, Box, Rule, around
from g2_pipelines.pdf.table_parts import mend_tables
from g2_pipelines.pdf.tables import grid_cells
from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines_tests.pdf.conftest import page, run

WORDS = st.sampled_from(
    ["2031", "2030", "17", "28,021", "(385)", "$", "—", "19", "%", "Total", "売上高", "(1)", "a b c",
     "A sentence that leads on to what stands below and is longer than a head", "12円", "YEAR"]
)  # fmt: skip
KINDS: list[NodeKind] = [
    "table",
    "paragraph",
    "furniture",
    "equation",
    "heading",
    "caption",
    "figure",
]
PLACED = st.tuples(WORDS, st.integers(0, 9), st.integers(0, 14), st.sampled_from([4, 5, 6]))
BLOCKS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.lists(PLACED, min_size=1, max_size=14)),
    min_size=1,
    max_size=5,
)
RULES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 14), st.booleans()), max_size=12)


@settings(max_examples=200, deadline=None)
@given(BLOCKS, RULES)
def test_no_character_is_lost_or_doubled(
    found: list[tuple[NodeKind, list[tuple[str, int, int, int]]]],
    lines: list[tuple[int, int, bool]],
) -> None:
    blocks = []
    for kind, placed in found:
        runs = [run(text, 20 + 50 * x, 50 + 8 * y, size=size) for text, x, y, size in placed]
        block = Block(kind=kind, page=1, box=around(r.box for r in runs), runs=runs)
        blocks.append(block)
    rules = [
        Rule(Box(20 + 50 * x, 50 + 8 * y, 20 + 50 * (x + 4) if flat else 20 + 50 * x,
                 50 + 8 * y if flat else 130 + 8 * y))
        for x, y, flat in lines
    ]  # fmt: skip
    every = [r for block in blocks for r in block.runs]
    sheet = replace(page(every), rules=tuple(rules))
    for block in blocks:
        if block.kind == "table":
            block.cells = grid_cells(block.box, block.runs, rules)
            held = Counter(c for cell in block.cells for c in cell.text if not c.isspace())
            if held != Counter(g.text for r in block.runs for g in r.glyphs):
                block.cells = []
    before = Counter(glyph.text for r in every for glyph in r.glyphs)
    mend_tables(sheet, blocks)
    after: Counter[str] = Counter()
    for block in blocks:
        if block.cells:
            after.update(c for cell in block.cells for c in cell.text if not c.isspace())
        else:
            after.update(g.text for r in block.runs for g in r.glyphs)
        places = {(cell.row, cell.col) for cell in block.cells}
        assert len(places) == len(block.cells)
    assert after == before
