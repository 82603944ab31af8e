"""Markup to clean text: only white space is added, rows and cells keep their places."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from g2_pipelines.edinet.clean import CleanBlock, clean

_XHTML = "http://www.w3.org/1999/xhtml"
_IX = "http://www.xbrl.org/2013/inlineXBRL"


def cleaned(content: str) -> CleanBlock:
    root = etree.fromstring(f'<div xmlns="{_XHTML}" xmlns:ix="{_IX}">{content}</div>')
    return clean([root])


def test_paragraphs_end_in_newlines_and_breaks_too() -> None:
    assert cleaned("<p>一</p>\n<p> 二<br/>三 </p>").text == "一\n二\n三"


def test_inline_markup_adds_nothing() -> None:
    assert cleaned("<p>売上<b>高</b>は<span>１</span>億円</p>").text == "売上高は１億円"


def test_a_line_break_between_wide_characters_is_none_and_between_words_a_space() -> None:
    assert cleaned("<p>売上\n高</p><p>net\n sales</p>").text == "売上高\nnet sales"


def test_wide_spaces_inside_a_line_survive_and_at_its_edges_go() -> None:
    assert cleaned("<p>　第１　概要&#160;</p>").text == "第１　概要"


def test_marks_and_forms_survive() -> None:
    assert cleaned("<p>△１２．３％、①㈱▲</p>").text == "△１２．３％、①㈱▲"


def test_nested_blocks_are_read_once() -> None:
    assert cleaned("<div>甲<div>乙<div>丙</div>丁</div>戊</div>").text == "甲\n乙\n丙\n丁\n戊"


def test_a_row_is_a_line_and_a_cell_ends_in_a_tab() -> None:
    block = cleaned(
        "<p>前</p><table><tr><td><p>区分</p></td><td>金額</td></tr>"
        "<tr><td>売上<br/>高</td><td>△24.3</td></tr></table><p>後</p>"
    )
    assert block.text == "前\n区分\t金額\n売上 高\t△24.3\n後"
    table = block.tables[0]
    assert (table.rows, table.cols) == (2, 2)
    assert block.text[table.start : table.end] == "区分\t金額\n売上 高\t△24.3"


def test_empty_cells_keep_their_column_and_empty_rows_leave_no_line() -> None:
    block = cleaned("<table><tr><td/><td/></tr><tr><td/><td>前期</td></tr></table>")
    assert block.text == "\t前期"
    assert [(c.row, c.col, c.text) for c in block.tables[0].cells] == [
        (0, 0, ""),
        (0, 1, ""),
        (1, 0, ""),
        (1, 1, "前期"),
    ]


def test_spans_place_cells_on_the_grid() -> None:
    block = cleaned(
        '<table><tr><td rowspan="2">名称</td><td colspan="2">売上高</td></tr>'
        "<tr><td>前期</td><td>当期</td></tr><tr><td>甲</td><td>1</td><td>2</td></tr></table>"
    )
    places = {c.text: (c.row, c.col, c.rowspan, c.colspan) for c in block.tables[0].cells}
    assert places["名称"] == (0, 0, 2, 1)
    assert places["売上高"] == (0, 1, 1, 2)
    assert places["前期"] == (1, 1, 1, 1)
    assert places["当期"] == (1, 2, 1, 1)
    assert places["2"] == (2, 2, 1, 1)
    assert block.tables[0].cols == 3


def test_a_nested_table_is_a_table_of_its_own_inside_its_cell() -> None:
    block = cleaned(
        "<table><tr><td>外<table><tr><td>内</td><td>1</td></tr></table></td></tr></table>"
    )
    outer, inner = block.tables
    assert block.text == "外\n内\t1"
    assert outer.cells[0].text == "外\n内\t1"
    assert [c.text for c in inner.cells] == ["内", "1"]
    assert outer.start <= inner.start < inner.end <= outer.end


def test_a_nested_table_behind_empty_cells_keeps_its_range() -> None:
    block = cleaned(
        "<table><tr><td>外</td><td/><td/><td><table><tr><td>内</td></tr></table></td></tr></table>"
    )
    outer, inner = block.tables
    for table in (outer, inner):
        for cell in table.cells:
            assert block.text[cell.start : cell.end] == cell.text
    assert inner.cells[0].text == outer.cells[3].text == "内"


def test_a_cell_holds_its_nested_table_also_when_that_begins_empty() -> None:
    block = cleaned("<table><tr><td><table><tr><td/><td>内</td></tr></table></td></tr></table>")
    outer, inner = block.tables
    assert outer.cells[0].text == "内"
    assert [c.text for c in inner.cells] == ["", "内"]


def test_a_box_of_one_column_keeps_its_paragraphs() -> None:
    assert cleaned("<table><tr><td><p>一</p><p>二</p></td></tr></table>").text == "一\n二"


def test_an_image_is_kept_beside_the_text() -> None:
    block = cleaned('<p>前</p><img src="images/1.png" alt="図 推移"/><p>後</p>')
    assert block.text == "前\n後"
    assert [(i.alt, i.file, i.place) for i in block.images] == [("図 推移", "images/1.png", 1)]


def test_excluded_and_hidden_markup_is_dropped_and_its_tail_kept() -> None:
    assert cleaned("<p>甲<ix:exclude>3</ix:exclude>乙<style>p{}</style>丙</p>").text == "甲乙丙"


def test_absurd_spans_are_bounded() -> None:
    block = cleaned('<table><tr><td colspan="999999999" rowspan="x">a</td><td>b</td></tr></table>')
    assert block.tables[0].cols == 1001


def test_very_deep_markup_is_read_to_its_end() -> None:
    root = etree.Element("div")
    inner = root
    for _ in range(3_000):
        inner = etree.SubElement(inner, "span")
    inner.text = "底"
    assert clean([root]).text == "底"


def test_very_deep_markup_without_text_is_empty() -> None:
    root = etree.Element("div")
    inner = root
    for _ in range(300):
        inner = etree.SubElement(inner, "span")
    assert clean([root]).text == ""


_text = st.text(alphabet="売上高 \n　\u00a0a1△。\t", max_size=8)
_tags = st.sampled_from(["p", "div", "span", "table", "tr", "td", "br", "b", "li", "h3"])


def _element(tag: str, text: str, inner: list[etree._Element], tail: str) -> etree._Element:
    element = etree.Element(tag)
    element.text, element.tail = text, tail
    element.extend(inner)
    return element


_leaf = st.builds(_element, _tags, _text, st.just([]), _text)


def _tree(children: st.SearchStrategy[etree._Element]) -> st.SearchStrategy[etree._Element]:
    return st.builds(_element, _tags, _text, st.lists(children, max_size=4), _text)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.recursive(_leaf, _tree, max_leaves=6), max_size=4), _text)
def test_nothing_but_white_space_is_added_or_lost(inner: list[etree._Element], text: str) -> None:
    root = etree.Element("div")
    root.text = text
    root.extend(inner)
    block = clean([root])
    assert "".join(block.text.split()) == "".join("".join(root.itertext()).split())
    for table in block.tables:
        for cell in table.cells:
            assert block.text[cell.start : cell.end] == cell.text
            assert cell.text == cell.text.strip()
