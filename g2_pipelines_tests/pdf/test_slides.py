"""The line at the head of each slide is a heading over all others of its page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from g2_pipelines.pdf.geometry import Block, PageText, around
from g2_pipelines.pdf.headings import set_levels, set_paths
from g2_pipelines.pdf.slides import ROLE, mark_slide_titles
from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines_tests.pdf.conftest import page, run


def block(
    text: str, y: float, *, number: int, size: float = 12, kind: NodeKind = "paragraph"
) -> Block:
    runs = [run(text, 40, y, size=size)]
    return Block(
        kind=kind, page=number, box=around(r.box for r in runs), runs=runs, text=text, role=""
    )


def slide(number: int, title: str, *, size: float = 20) -> list[Block]:
    return [
        block(title, 20, number=number, size=size),
        block("① 目的", 80, number=number, kind="heading"),
        block("主軸の温度を下げる。", 110, number=number),
        block("工具の寿命を延ばす。", 140, number=number),
    ]


def deck(count: int, *, height: float = 400) -> list[PageText]:
    return [page([], number=k, height=height) for k in range(1, count + 1)]


def test_each_slides_title_opens_a_section_of_its_own() -> None:
    slides = [slide(1, "主軸の改良"), slide(2, "工具の改良"), slide(3, "まとめ")]
    mark_slide_titles(deck(3), slides)
    flat = [b for blocks in slides for b in blocks]
    set_levels(flat)
    set_paths(flat)
    assert [b.text for b in flat if b.role == ROLE] == ["主軸の改良", "工具の改良", "まとめ"]
    assert {b.level for b in flat if b.role == ROLE} == {1}
    assert slides[1][2].section_path == ["工具の改良", "① 目的"]
    assert slides[2][1].section_path == ["まとめ"]


@pytest.mark.parametrize(
    ("title", "size"),
    [
        ("主軸の温度を下げる改良を行う。", 20),  # a sentence
        ("● はじめの項目", 20),
        ("長い題" * 30, 20),
        ("小さな字の行", 8),
    ],
)
def test_other_first_lines_are_no_titles(title: str, size: float) -> None:
    slides = [slide(k, title, size=size) for k in (1, 2, 3)]
    mark_slide_titles(deck(3), slides)
    assert not any(b.role == ROLE for blocks in slides for b in blocks)


def test_portrait_pages_and_two_pages_are_no_deck() -> None:
    for pages in (deck(3, height=800), deck(2)):
        slides = [slide(p.page, "主軸の改良") for p in pages]
        mark_slide_titles(pages, slides)
        assert [blocks[0].kind for blocks in slides] == ["paragraph"] * len(pages)


def test_a_logo_beside_the_title_and_a_tag_at_its_height_do_not_hide_it() -> None:
    slides = [slide(k, "主軸の改良") for k in (1, 2, 3)]
    for blocks in slides:
        logo = Block(kind="figure", page=1, box=blocks[0].box._replace(x0=5, x1=35, y0=10))
        tag = block("青嶺精機", 18, number=1, size=12)
        blocks[:0] = [logo, replace(tag, box=tag.box._replace(x0=500, x1=580))]
    mark_slide_titles(deck(3), slides)
    assert [b.text for b in slides[1] if b.role == ROLE] == ["主軸の改良"]


def test_a_page_that_begins_with_a_table_has_no_title() -> None:
    slides = [slide(k, "主軸の改良") for k in (1, 2, 3)]
    for blocks in slides:
        blocks[0].box = blocks[0].box._replace(y0=200, y1=220)
        blocks.insert(0, Block(kind="table", page=1, box=blocks[0].box._replace(y0=10, y1=60)))
    mark_slide_titles(deck(3), slides)
    assert not any(b.role == ROLE for blocks in slides for b in blocks)
