"""Headings that go on in a second line are one; two headings under each other are two."""

from __future__ import annotations

import pytest

from g2_pipelines.pdf.geometry import Block, around
from g2_pipelines.pdf.heading_lines import join_heading_lines
from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines_tests.pdf.conftest import run


def line(kind: NodeKind, text: str, y: float, *, x: float = 100, size: float = 20) -> Block:
    runs = [run(text, x, y, size=size)]
    return Block(kind=kind, page=1, box=around(r.box for r in runs), runs=runs, text=text)


#: 400 points of text: the column ends at 500.
TEXT = line("paragraph", "あ" * 40, 200, size=10)


def kinds_and_texts(blocks: list[Block]) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks]


def test_a_heading_whose_line_is_full_goes_on_in_the_next() -> None:
    first = line("paragraph", "1-2 この文書で取得対象となるデータの範囲とそ", 100, size=18.2)
    second = line("heading", "の更新", 122, size=18.2)
    joined = join_heading_lines([first, second, TEXT])
    assert kinds_and_texts(joined)[0] == (
        "heading",
        "1-2 この文書で取得対象となるデータの範囲とその更新",
    )
    assert len(joined) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("短い見出し", "次の見出し"),  # there was room for more
        ("この見出しはちょうど行の終わりまで届くもの", "1.2 次の節"),
        ("この見出しはちょうど行の終わりまで届くもの", "〈別の題〉"),
        ("この見出しはちょうど行の終わりまで届く文。", "次の見出し"),
    ],
)
def test_two_headings_are_two(first: str, second: str) -> None:
    blocks = [line("heading", first, 100), line("heading", second, 124), TEXT]
    assert len(join_heading_lines(blocks)) == 3


def test_letters_of_another_height_begin_something_else() -> None:
    first = line("heading", "この見出しはちょうど行の終わりまで届くもの", 100)
    assert len(join_heading_lines([first, line("heading", "副題", 124, size=16), TEXT])) == 3


def test_an_english_word_that_did_not_fit_goes_on() -> None:
    first = line("heading", "E Prompts for Closed", 100, size=18)
    second = line("paragraph", "Checking", 120, size=18)
    assert kinds_and_texts(join_heading_lines([first, second, TEXT]))[0] == (
        "heading",
        "E Prompts for Closed Checking",
    )
    room = line("heading", "E Prompts", 100, size=18)
    assert len(join_heading_lines([room, second, TEXT])) == 3
