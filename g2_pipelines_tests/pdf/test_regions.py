"""Picture regions that cover text, tabs at the side of pages."""

from __future__ import annotations

from g2_pipelines.pdf.geometry import Block, Box, Glyph, PageText, Run, Shape
from g2_pipelines.pdf.regions import drawn_box
from g2_pipelines.pdf.side_tabs import mark_side_tabs

TAB = Box(0, 363, 34, 434)
REGION = Box(0, 363, 175, 816)


def line(text: str, x0: float, y0: float, x1: float) -> Run:
    step = (x1 - x0) / len(text)
    glyphs = tuple(
        Glyph(char, Box(x0 + k * step, y0, x0 + (k + 1) * step, y0 + 10))
        for k, char in enumerate(text)
    )
    return Run(text, Box(x0, y0, x1, y0 + 10), glyphs)


def page(runs: list[Run], shapes: list[Box], images: tuple[Box, ...] = ()) -> PageText:
    return PageText(
        page=1,
        width=595,
        height=842,
        rotation=0,
        chars=sum(run.chars for run in runs),
        runs=tuple(runs),
        images=images,
        rules=(),
        shapes=tuple(Shape(box, slanted=False, filled=True) for box in shapes),
    )


PROSE = [line("本文の一行がここからここまで続いている", 63, 400 + 16 * k, 530) for k in range(5)]


def test_a_region_whose_border_cuts_lines_is_cut_back_to_what_is_drawn() -> None:
    ground = Box(-30, -30, 625, 872)
    assert drawn_box(page(PROSE, [TAB, ground]), REGION) == TAB


def test_a_region_with_nothing_drawn_beside_the_lines_is_none() -> None:
    assert drawn_box(page(PROSE, []), REGION) is None


def test_a_region_that_cuts_no_line_stays() -> None:
    labels = [line("売上高の推移を示す図の凡例", 20, 500, 160), line("2023", 30, 700, 60)]
    assert drawn_box(page(labels, [TAB]), REGION) == REGION


def test_a_caption_somewhat_wider_than_its_picture_cuts_nothing() -> None:
    picture = Box(150, 300, 450, 500)
    caption = [
        line("図1 調査の対象とした地域とその人口の推移", 120, 480 + 9 * k, 480) for k in range(2)
    ]
    assert drawn_box(page(caption, [], (picture,)), picture) == picture


def test_the_drawing_is_the_largest_that_no_line_runs_through() -> None:
    logo, chart = Box(10, 370, 30, 390), Box(20, 600, 170, 800)
    found = drawn_box(page(PROSE, [logo, chart]), REGION)
    assert found == chart


def blocks(title: str, number: str, *, right: bool) -> list[Block]:
    x = 561.0 if right else 0.0
    return [
        Block(kind="paragraph", page=1, box=Box(63, 400, 530, 500), text="本文" * 30),
        Block(kind="paragraph", page=1, box=Box(x + 12, 439, x + 22, 610), text=title),
        Block(kind="figure", page=1, box=Box(x, 363, x + 34, 434), text=number),
    ]


def test_tabs_beside_the_text_of_three_pages_are_furniture_on_either_side() -> None:
    sheets = [page([], []) for _ in range(4)]
    found = [blocks("課題と対応策", "第\n4\n章", right=bool(k % 2)) for k in range(3)]
    found.append(blocks("別の章の題", "第\n5\n章", right=True))
    numbered = [
        PageText(**{name: getattr(sheet, name) for name in sheet.__slots__} | {"page": k + 1})
        for k, sheet in enumerate(sheets)
    ]
    mark_side_tabs(numbered, found)
    assert [[block.kind for block in one] for one in found] == [
        ["paragraph", "furniture", "furniture"],
        ["paragraph", "furniture", "furniture"],
        ["paragraph", "furniture", "furniture"],
        ["paragraph", "paragraph", "figure"],  # once: it may be content
    ]


def test_a_column_of_text_at_the_edge_is_no_tab() -> None:
    sheets = [page([], []) for _ in range(3)]
    numbered = [
        PageText(**{name: getattr(sheet, name) for name in sheet.__slots__} | {"page": k + 1})
        for k, sheet in enumerate(sheets)
    ]
    found = [
        [
            Block(kind="paragraph", page=1, box=Box(10, 400, 40, 420), text="注記"),
            Block(kind="paragraph", page=1, box=Box(10, 430, 585, 500), text="本文" * 30),
        ]
        for _ in range(3)
    ]
    mark_side_tabs(numbered, found)
    assert {block.kind for one in found for block in one} == {"paragraph"}
