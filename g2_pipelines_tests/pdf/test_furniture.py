"""Page numbers and what stands under every page, in the forms that documents give them."""

from __future__ import annotations

import pytest

from g2_pipelines.pdf.furniture import mark_furniture
from g2_pipelines.pdf.geometry import Block, Box
from g2_pipelines_tests.pdf.conftest import page, run

NOTICE = (
    "These figures are given in good faith but without any warranty, and whoever uses them does"
    " so at his own risk; nothing in them may be copied, in print or by wire, without the written"
    " leave of the makers, who reserve the right to change them without notice at any time."
)


def line(text: str, number: int, *, y: float, x: float = 250, kind: str = "paragraph") -> Block:
    block = Block(
        kind="furniture" if kind == "furniture" else "paragraph",
        page=number,
        box=Box(x, y, x + 5 * min(len(text), 60), y + 10),
        runs=[run(text[:60], x, y, size=5)],
        text=text,
    )
    block.role = kind
    return block


def marked(by_page: list[list[Block]]) -> list[list[str]]:
    pages = [page([], number=k + 1) for k in range(len(by_page))]
    mark_furniture(pages, by_page)
    return [[b.text for b in blocks if b.kind == "furniture"] for blocks in by_page]


@pytest.mark.parametrize(
    "form",
    ["Page {} of 6", "Page{}of 6", "{}/6ページ", "- {} -", "第{}頁", "{} / 6", "P{}", "{}頁/6頁"],
)
def test_a_pages_number_is_furniture_in_every_form(form: str) -> None:
    found = marked([[line(form.format(k), k, y=780)] for k in (2, 3, 4)])
    assert found == [[form.format(k)] for k in (2, 3, 4)]


def test_a_number_with_changing_words_is_furniture_where_numbers_are_known() -> None:
    texts = ["2 | Minato", "Cold chain | 3", "4 | Minato", "12 crates | 500"]
    found = marked([[line(t, k + 2, y=780, kind="furniture")] for k, t in enumerate(texts)])
    # The pages' places are 1 to 4: three numbers are one more, the last is none.
    assert found == [["2 | Minato"], ["Cold chain | 3"], ["4 | Minato"], []]


def test_a_number_over_a_single_note_is_furniture_where_numbers_go_up() -> None:
    by_page = [[line(str(k), k, y=770)] for k in (11, 12, 13)]
    by_page[0].append(line("Given at the yearly meeting of the makers", 1, y=785))
    assert marked(by_page) == [["11"], ["12"], ["13"]]


def test_a_date_beside_the_number_of_every_page_is_furniture() -> None:
    by_page = [
        [
            line("2031-09-23", k, y=780, x=50, kind="furniture"),
            line(str(k), k, y=780, x=500, kind="furniture"),
        ]
        for k in (1, 2, 3)
    ]
    assert marked(by_page) == [["2031-09-23", str(k)] for k in (1, 2, 3)]


def test_a_notice_under_every_page_stays_where_it_stands_first() -> None:
    by_page = [[line(NOTICE, k, y=780, kind="furniture")] for k in (1, 2, 3)]
    assert marked(by_page) == [[], [NOTICE], [NOTICE]]


def test_years_and_sources_at_the_edge_are_content() -> None:
    by_page = [[line("2031", 1, y=20)], [line("2032", 2, y=20)], [line("出典：港町 3", 3, y=780)]]
    assert marked(by_page) == [[], [], []]
