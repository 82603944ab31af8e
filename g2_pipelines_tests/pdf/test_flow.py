"""Furniture, headings, references and Markdown over small hand-made documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from g2_pipelines.pdf.document import flow, lay_out
from g2_pipelines.pdf.furniture import mark_furniture
from g2_pipelines.pdf.geometry import Block, Box
from g2_pipelines.pdf.headings import (
    number_of_heading,
    promote_chapters,
    set_levels,
    set_paths,
    spaced,
)
from g2_pipelines.pdf.layout import Layout
from g2_pipelines.pdf.markdown import to_markdown
from g2_pipelines.pdf.nodes import document_nodes, document_quality
from g2_pipelines.pdf.references import with_references
from g2_pipelines.tables.line2 import DocumentNode, NodeKind, Region
from g2_pipelines.tables.rows import Bbox, Cell
from g2_pipelines_tests.pdf.conftest import page, run


def text_block(
    kind: NodeKind, text: str, *, y: float = 300, number: int = 1, size: float = 10
) -> Block:
    return Block(
        kind=kind,
        page=number,
        box=Box(50, y, 500, y + size),
        runs=[run(text, 50, y, size=size)],
        text=text,
    )


def test_a_head_that_repeats_is_furniture_and_a_lone_line_there_is_not() -> None:
    pages = [page([], number=k) for k in (1, 2, 3)]
    heads = [text_block("paragraph", f"Annual report {k}", y=20, number=k) for k in (1, 2, 3)]
    lone = text_block("heading", "Outlook", y=40, number=2)
    number = text_block("paragraph", "- 7 -", y=780, number=3)
    mark_furniture(pages, [[heads[0]], [heads[1], lone], [heads[2], number]])
    assert {head.kind for head in heads} == {"furniture"}
    assert lone.kind == "heading"
    assert number.kind == "furniture"


def test_an_engines_header_in_the_middle_of_a_page_is_text_again() -> None:
    pages = [page([], number=k) for k in (1, 2, 3)]
    wrong = text_block("furniture", "A sentence", y=400)
    mark_furniture(pages, [[wrong], [], []])
    assert wrong.kind == "paragraph"


def test_figures_at_the_edge_of_pages_are_content() -> None:
    """odl_bialetti: a statement that begins in the top margin lost 2015-2018's figures."""
    pages = [page([], number=k) for k in (1, 2)]
    by_page = []
    for k in (1, 2):
        heads = [text_block("paragraph", "Bilancio", y=780, number=k)]
        row = [text_block("paragraph", text, y=40, number=k) for text in ("0", "3.000.000", "0")]
        by_page.append([*row, text_block("paragraph", "8.881.000", y=760, number=k), *heads])
    mark_furniture(pages, by_page)
    for blocks in by_page:
        assert [b.text for b in blocks if b.kind == "furniture"] == ["Bilancio"]


def test_an_engines_footer_that_no_other_page_has_is_text_in_its_column() -> None:
    """qa/japanese/01.pdf: the end of a sentence was a footer and the sentence went on wrongly."""
    pages = [page([], number=k) for k in (1, 2, 3)]
    left, right = (
        text_block("paragraph", "決算を", y=700),
        text_block("paragraph", "＜概要＞", y=90),
    )
    left.box, right.box = Box(20, 700, 280, 710), Box(310, 90, 560, 100)
    note = text_block("furniture", "（注２）比率は４社の単体。", y=740)
    note.box = Box(310, 740, 560, 750)
    end = text_block("furniture", "に公表。", y=740)
    end.box = Box(20, 740, 80, 750)
    blocks = [end, note, left, right]
    mark_furniture(pages, [blocks, [], []])
    assert [(b.kind, b.text) for b in blocks] == [
        ("paragraph", "決算を"),
        ("paragraph", "に公表。"),
        ("paragraph", "＜概要＞"),
        ("paragraph", "（注２）比率は４社の単体。"),
    ]


def test_a_repeated_head_under_content_is_content_and_so_is_a_unit_or_a_list() -> None:
    pages = [page([], number=k) for k in (1, 2, 3)]
    title = [text_block("heading", f"Title {chr(64 + k)}", y=20, number=k) for k in (1, 2, 3)]
    below = [text_block("paragraph", "Agenda", y=50, number=k) for k in (1, 2, 3)]
    unit = [text_block("paragraph", "（単位：百万円）", y=770, number=k) for k in (1, 2, 3)]
    items = [text_block("list", "• Outlook", y=740, number=k) for k in (1, 2, 3)]
    by_page = [list(blocks) for blocks in zip(title, below, unit, items, strict=True)]
    mark_furniture(pages, by_page)
    assert "furniture" not in {block.kind for blocks in by_page for block in blocks}


def test_a_sentence_of_every_page_stays_content_where_it_stands_first() -> None:
    pages = [page([], number=k) for k in (1, 2, 3)]
    says = [
        text_block("paragraph", "本資料は勧誘を目的としたものではありません。", y=770, number=k)
        for k in (1, 2, 3)
    ]
    mark_furniture(pages, [[block] for block in says])
    assert [block.kind for block in says] == ["paragraph", "furniture", "furniture"]


def test_a_bare_number_is_a_page_number_where_the_pages_count_on() -> None:
    pages = [page([], number=k) for k in (1, 2, 3)]
    for before in (6, 47936):
        counted = [text_block("paragraph", str(k + before), y=780, number=k) for k in (1, 2, 3)]
        mark_furniture(pages, [[block] for block in counted])
        assert {block.kind for block in counted} == {"furniture"}
    lone = [text_block("paragraph", text, y=780, number=k) for k, text in enumerate("391", 1)]
    mark_furniture(pages, [[block] for block in lone])
    assert {block.kind for block in lone} == {"paragraph"}


def test_much_furniture_is_said_in_the_quality() -> None:
    [entry] = lay_out([page([run("x", 50, 100)])], Layout())
    nodes = [node(0, "paragraph", "a" * 90), node(-1, "furniture", "b" * 10)]
    [first, *_] = document_quality("d", [entry], nodes).warnings
    assert first.startswith("10 of 100 characters (10%) are running heads")
    few = [node(0, "paragraph", "a" * 96), node(-1, "furniture", "b" * 4)]
    assert "running heads" not in " ".join(document_quality("d", [entry], few).warnings)
    # A scan: every page is read by OCR, and what was found there is counted the same way.
    read = replace(entry, page=replace(entry.page, ocr=True))
    assert document_quality("d", [read], nodes).warnings[0] == first


def test_a_heading_of_the_next_column_is_not_the_rest_of_a_sentence() -> None:
    runs = [
        run("最終化に向けた検討状況を２０２３年６月", 20, 700),
        run("に公表。", 35, 712),
        run("＜主要生損保の決算の概要＞", 310, 100),
    ]
    boxes = [(20, 700, 210, 710), (35, 712, 75, 722), (310, 100, 440, 110)]
    raw = [
        {"type": "text", "bbox": [x0 / 600, y0 / 800, x1 / 600, y1 / 800], "text": ""}
        for x0, y0, x1, y1 in boxes
    ]
    [entry] = lay_out([page(runs)], Layout(pages={1: raw}))
    assert [block.text for block in flow([entry])] == [
        "最終化に向けた検討状況を２０２３年６月に公表。",
        "＜主要生損保の決算の概要＞",
    ]


def test_levels_come_from_numbers_and_the_title_moves_them_down() -> None:
    title = text_block("heading", "On heat", size=16)
    title.role = "doc_title"
    texts = ["1 Method", "1.1 Sensors", "2 Results", "References"]
    heads = [text_block("heading", text, size=12 if "." not in text else 10) for text in texts]
    set_levels([title, *heads])
    assert [block.level for block in (title, *heads)] == [1, 2, 3, 2, 2]
    body = text_block("paragraph", "Eight sensors.")
    set_paths([title, heads[0], heads[1], body])
    assert body.section_path == ["On heat", "1 Method", "1.1 Sensors"]


def test_chapters_in_japanese_are_headings_and_sentences_about_them_are_not() -> None:
    chapter = text_block("paragraph", "第2章　データの流通")
    sentence = text_block("paragraph", "第2章では流通を述べる。")
    promote_chapters([chapter, sentence])
    assert (chapter.kind, sentence.kind) == ("heading", "paragraph")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.1測定の方法", "2.1 測定の方法"),
        ("2025年の見通し", "2025年の見通し"),
        ("7 まとめ", "7 まとめ"),
    ],
)
def test_a_headings_number_stands_apart(text: str, expected: str) -> None:
    assert spaced(text) == expected


def node(
    order: int, kind: NodeKind, text: str, *, caption: str | None = None, **more: object
) -> DocumentNode:
    box = Bbox(x0=0, y0=10.0 * order, x1=9, y1=10.0 * order + 9)
    values = {
        "document_id": "d",
        "node_id": f"n{order}",
        "kind": kind,
        "order": order,
        "text": text,
        "caption": caption,
        "page": 1,
        "bbox": box,
        "regions": [Region(page=1, bbox=box)],
        "engine": "test",
        "engine_version": "1",
    }
    return DocumentNode.model_validate(values | more)


def test_references_of_both_languages_are_resolved() -> None:
    nodes = [
        node(0, "heading", "4 Remedies"),
        node(1, "figure", "", caption="図１－２ 温度"),
        node(2, "table", "a", caption="Table 2. Costs"),
        node(3, "table", "b", caption="Table 3. Sizes"),
        node(4, "paragraph", "図1-2と表9を見よ。Tables 2 and 3, Section 4, see page 1."),
    ]
    found = {r.text: r.target for r in with_references(nodes)[4].references}
    assert found == {
        "図1-2": "n1",
        "表9": None,
        "Tables 2": "n2",
        "3": "n3",
        "Section 4": "n0",
        "see page 1": "n0",
    }


def test_words_that_end_in_the_sign_for_table_are_no_references() -> None:
    assert with_references([node(0, "paragraph", "代表1名と年表2を除く。")])[0].references == []


def test_sections_by_their_sign_appendices_equations_and_ranges_are_resolved() -> None:
    nodes = [
        node(0, "heading", "A Survey of Bearings"),
        node(1, "heading", "4.1 Heat"),
        node(2, "equation", "y = ax + b (8)"),
        node(3, "equation", "b = 0 (11) a = 1 (12)"),
        *(node(k, "table", "a", caption=f"Table {k + 2}. Sizes") for k in (4, 5, 6)),
        node(7, "heading", "A Proofs", page=2),
        node(8, "heading", "D.1 Prompts", page=2),
        node(9, "heading", "別紙１", page=2),
        node(
            10,
            "paragraph",
            "See § 4.1, Appendix A, Appendix D.1, Eq. (8), Equations (11) and (12), Tables 6-8 and"
            " 別紙１; Tables 8-9, 式(3)と法第37条の２第３項。",
        ),
    ]
    found = [(r.text, r.target) for r in with_references(nodes)[10].references]
    assert sorted(found, key=lambda pair: (pair[0], pair[1] or "")) == sorted(
        [
            ("§ 4.1", "n1"),
            ("Appendix A", "n7"),
            ("Appendix D.1", "n8"),
            ("Eq. (8)", "n2"),
            ("Equations (11)", "n3"),
            ("12", "n3"),
            ("Tables 6-8", "n4"),
            ("Tables 6-8", "n5"),
            ("Tables 6-8", "n6"),
            ("別紙１", "n9"),
            ("Tables 8-9", None),
            ("式(3)", None),
        ],
        key=lambda pair: (pair[0], pair[1] or ""),
    )


def test_a_quoted_heading_with_its_number_is_a_reference_and_other_quotes_are_none() -> None:
    nodes = [
        node(0, "heading", "3-1-2 書類一覧"),
        node(1, "paragraph", "詳細は「３－１－２　書類一覧」、「9-9 別の章」、「2-3 倍」を参照。"),
    ]
    [found] = with_references(nodes)[1].references
    assert (found.text, found.target) == ("「３－１－２　書類一覧」", "n0")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1-2-2 対象データ", "1.2.2"),
        ("３－１ 概要", "３.１"),
        ("2.1 Method", "2.1"),
        ("10-12月期の見通し", None),
        ("4–6 weeks after the start", None),
        ("2023-04-03", None),
    ],
)
def test_a_headings_number_may_have_hyphens_and_a_period_is_none(
    text: str, number: str | None
) -> None:
    assert number_of_heading(text) == number


def test_lettered_headings_have_the_levels_of_their_numbers() -> None:
    texts = ["9 END", "D PROMPTS", "D.1 Physics", "D.1.2 Heat", "E RESULTS", "A THIRD TEXT"]
    kinds = ["heading", "paragraph", "heading", "heading", "paragraph", "paragraph"]
    blocks = [
        Block(kind=kind, page=1, box=Box(0, 0, 9, 9), runs=[run(text, 0, 0)], text=text)  # type: ignore[arg-type]
        for kind, text in zip(kinds, texts, strict=True)
    ]
    promote_chapters(blocks)
    set_levels(blocks)
    assert [b.level for b in blocks] == [1, 1, 2, 3, None, None]


def test_a_references_range_holds_its_text() -> None:
    text = "㈱青嶺の図３および表１を参照。"
    for reference in with_references([node(0, "paragraph", text)])[0].references:
        assert text[reference.start : reference.end] == reference.text


def test_a_layout_that_loses_text_is_not_used() -> None:
    runs = [run(f"line {k} of the text", 50, 100 + 12 * k) for k in range(10)]
    half = {"type": "text", "bbox": [0.0, 0.1, 1.0, 0.2], "text": "", "starts": False}
    [entry] = lay_out([page(runs)], Layout(pages={1: [half]}))
    assert entry.fallback
    assert "plain lines" in entry.warnings[0]
    blocks = flow([entry])
    nodes = document_nodes("d", blocks, [entry.page], {"pdfium": "9"})
    assert document_quality("d", [entry], nodes).kept_share == 1.0
    assert {n.engine_version for n in nodes} == {"9"}


def test_lines_that_no_region_took_are_kept_in_their_place() -> None:
    runs = [run(f"line {k} of this long text", 50, 100 + 12 * k) for k in range(20)]
    top = {"type": "text", "bbox": [0.0, 0.12, 1.0, 0.4], "text": "", "starts": False}
    [entry] = lay_out([page([*runs, run("left over", 50, 380)])], Layout(pages={1: [top]}))
    assert not entry.fallback
    assert flow([entry])[-1].text == "left over"


def test_a_page_without_text_is_said() -> None:
    [entry] = lay_out([page([])], Layout())
    assert entry.warnings == ["blank page"]
    assert not entry.fallback


def test_markdown_leaves_furniture_out_and_escapes_cells() -> None:
    cells = [Cell(row=0, col=0, text="a|b", header=True), Cell(row=1, col=0, text="<1>")]
    spanned = [Cell(row=0, col=0, text="<x>", colspan=2)]
    nodes = [
        node(0, "heading", "Title", level=2),
        node(-1, "furniture", "page 3"),
        node(1, "table", "a|b\n<1>", caption="表1", cells=cells),
        node(2, "table", "<x>", cells=spanned),
        node(3, "list", "• one\n• two"),
        node(4, "figure", "", caption="Figure 1. X", image="documents/d/n4.png"),
    ]
    assert to_markdown(nodes) == (
        "## Title\n\n表1\n\n| a\\|b |\n| --- |\n| <1> |\n\n"
        "| <x> | <x> |\n| --- | --- |\n\n"
        "- one\n- two\n\n![Figure 1. X](n4.png)\n\nFigure 1. X\n"
    )


def test_markdown_repeats_spanning_texts_and_stacks_few_rows_under_one_label() -> None:
    """Markdown has no spans: headers are repeated, a printed stack of rows is one row."""
    header = [("#", 0, 0, 2, 1), ("score", 0, 1, 1, 2), ("a", 1, 1, 1, 1), ("b", 1, 2, 1, 1)]
    cells = [
        Cell(row=r, col=c, rowspan=d, colspan=w, text=t, header=True) for t, r, c, d, w in header
    ]
    cells += [Cell(row=2, col=0, rowspan=2, text="6"), Cell(row=4, col=0, rowspan=4, text="7")]
    cells += [Cell(row=r, col=c, text=f"{r}.{c}") for r in range(2, 8) for c in (1, 2)]
    assert to_markdown([node(0, "table", "", cells=cells)]).split("\n") == [
        "| # | score | score |",
        "| --- | --- | --- |",
        "| # | a | b |",
        "| 6 | 2.1<br>3.1 | 2.2<br>3.2 |",
        *(f"| 7 | {r}.1 | {r}.2 |" for r in range(4, 8)),
        "",
    ]
