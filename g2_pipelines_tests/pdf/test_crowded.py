"""Pages with more loose pieces than can be ordered keep every character, in plain lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from g2_pipelines.pdf import blocks as blocks_module
from g2_pipelines.pdf.crowded import MAX_BLOCKS, MAX_LOOSE, MOST, crowded_blocks
from g2_pipelines.pdf.document import flow, lay_out
from g2_pipelines.pdf.geometry import Box, PageText, Rule
from g2_pipelines.pdf.layout import Layout
from g2_pipelines.pdf.nodes import document_nodes, document_quality
from g2_pipelines.pdf.table_cells import open_tables, plain_pages
from g2_pipelines_tests.pdf.conftest import page, run

ACROSS = 100


def letters(count: int, *, step: float = 5, apart: float = 5) -> PageText:
    """A page of ``count`` single letters, 100 a line, in the layer's order from the bottom."""
    runs = [
        run(chr(97 + k % 26), 20 + k % ACROSS * step, 20 + k // ACROSS * apart, size=2)
        for k in range(count)
    ]
    return page(runs[::-1], height=20 + count // ACROSS * apart + 40)


def test_lines_go_from_top_to_bottom_and_white_ends_a_paragraph() -> None:
    runs = [run("right", 300, 101), run("below", 20, 113), run("left", 20, 100)]
    runs += [run("far below", 20, 200)]
    found = crowded_blocks(runs, 7)
    assert [[r.text for r in block.runs] for block in found] == [
        ["left right", "below"],
        ["far below"],
    ]
    assert {block.page for block in found} == {7}
    assert found[0].box == (20, 100, 350, 123)


def test_many_lines_far_apart_are_bounded_paragraphs() -> None:
    runs = [run("x", 20, 40 * k) for k in range(3 * MOST)]
    found = crowded_blocks(runs, 1)
    assert len(found) == MOST
    assert [r for block in found for r in block.runs] == runs
    assert crowded_blocks([], 1) == []


@pytest.mark.parametrize("engine", [True, False])
def test_a_crowded_page_is_said_and_loses_nothing_and_the_others_stay(engine: bool) -> None:
    crowd = letters(MAX_LOOSE + ACROSS)
    plain = page([run("an ordinary line", 50, 100)], number=2)
    region = {"type": "text", "bbox": [0.0, 0.0, 1.0, 0.01], "text": "", "starts": False}
    whole = {**region, "bbox": [0.0, 0.0, 1.0, 1.0]}
    layout = Layout(pages={1: [region], 2: [whole]} if engine else {2: [whole]})
    found = lay_out([crowd, plain], layout)
    assert [entry.crowded for entry in found] == [True, False]
    assert plain_pages(found) == []  # no other engine's tables beside the lines
    nodes = document_nodes("d", flow(found), [crowd, plain], {"pdfium": "9", "docvortex": "1"})
    quality = document_quality("d", found, nodes)
    assert quality.pages_fallback == [1]
    assert quality.kept_share == 1.0
    said = f"page 1: {MAX_LOOSE + ACROSS} pieces of text: lines from top to bottom"
    assert said in quality.warnings
    assert nodes[-1].text == "an ordinary line"
    text = "".join(node.text for node in nodes[:-1]).replace("\n", "").replace(" ", "")
    assert text == "".join(r.text for r in crowd.runs[::-1])


def test_pieces_that_make_too_many_blocks_are_lines_too() -> None:
    """Fewer pieces than the bound, each a paragraph of its own."""
    crowd = letters(MAX_BLOCKS + ACROSS, step=9, apart=30)
    [entry] = lay_out([crowd], Layout())
    assert entry.crowded
    assert len(entry.blocks) == MAX_BLOCKS // ACROSS + 1


def test_a_full_page_under_the_bounds_keeps_its_columns() -> None:
    runs = [run(f"line {k}", x, 20 + 12 * k) for x in (20, 320) for k in range(60)]
    [entry] = lay_out([page(runs)], Layout())
    assert not entry.crowded
    assert [r for block in entry.blocks for r in block.runs] == runs


def test_an_engines_page_with_too_many_loose_pieces_is_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its regions hold most characters, and yet what they leave cannot be ordered."""
    monkeypatch.setattr(blocks_module, "MAX_LOOSE", 3)
    runs = [run("a line that its region holds whole", 20, 50 + 12 * k) for k in range(5)]
    runs += [run(char, 20 + 90 * k, 300) for k, char in enumerate("wxyz")]
    region = {"type": "text", "bbox": [0.0, 0.05, 1.0, 0.2], "text": "", "starts": False}
    [entry] = lay_out([page(runs)], Layout(pages={1: [region]}))
    assert entry.crowded
    assert entry.fallback
    assert entry.warnings == [
        "too many pieces for docvortex's blocks: plain lines",
        "9 pieces of text: lines from top to bottom",
    ]
    assert [r.text for b in entry.blocks for r in b.runs][-1] == "w x y z"


def test_more_ruled_cells_than_a_table_may_have_do_not_stand_twice() -> None:
    """21,025 cells: lines of the page, and no other engine's tables over them."""
    side = 145
    runs = [
        run("7", 20 + 3 * (k % side), 20 + 3 * (k // side), size=1.5) for k in range(side * side)
    ]
    end = 20 + 3 * side
    rules = [
        Rule(box)
        for at in range(19, end + 1, 3)
        for box in (Box(19, at, end, at + 0.1), Box(at, 19, at + 0.1, end))
    ]
    ruled = replace(page(runs), rules=tuple(rules))
    found = lay_out([ruled], Layout())
    assert [*open_tables(found), *plain_pages(found)] == []
    nodes = document_nodes("d", flow(found), [ruled], {"pdfium": "9"})
    assert document_quality("d", found, nodes).node_chars == side * side
    assert {node.kind for node in nodes} == {"paragraph"}
