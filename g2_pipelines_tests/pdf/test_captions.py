"""Which text is a caption, and whose."""

from __future__ import annotations

import pytest

from g2_pipelines.pdf.captions import bind_captions, is_caption, label_of, mark_captions
from g2_pipelines.pdf.geometry import Block, Box
from g2_pipelines.tables.line2 import NodeKind


@pytest.mark.parametrize(
    "text",
    [
        "図1 毎分12,000回転で起動した後の変位",
        "図２　主軸頭の温度分布",
        "表3：主な仕様",
        "図表1-2-3 売上高の推移",
        "Table 1. Trips and distances",
        "Figure 7-26. Self-locking nuts.",
        "Fig. 3 Overview of the method",
        "図4",
        "• Figure 5.2 Proportions of the body",
        "———— Figure 9. Effects of curves",
    ],
)
def test_labels_with_a_title_are_captions(text: str) -> None:
    assert is_caption(text)


@pytest.mark.parametrize(
    "text",
    [
        "図2に示すように、主軸頭は熱い。",
        "表1は、回転数を変えた結果である。",
        "Table 1 gives their size.",
        "Figure 2 is the picture.",
        "表面の粗さを測った。",
        "Figures are rounded.",
    ],
)
def test_sentences_about_a_figure_are_no_captions(text: str) -> None:
    assert not is_caption(text)


def test_numbers_are_compared_in_one_form() -> None:
    assert label_of("図１－２ 概要") == label_of("図1-2 概要") == ("figure", "1-2")
    assert label_of("Table 3. Sizes") == ("table", "3")
    assert label_of("図表Ⅲ-2-1 概要") == label_of("図表 III - 2-1 概要") == ("figure", "iii-2-1")
    assert label_of("Table A-1: Sizes") == ("table", "a-1")
    assert label_of("table is 3") is None


def block(kind: NodeKind, box: tuple[float, float, float, float], text: str = "") -> Block:
    return Block(kind=kind, page=1, box=Box(*box), text=text)


def test_two_figures_side_by_side_get_the_captions_under_them() -> None:
    left = block("figure", (50, 100, 280, 300))
    right = block("figure", (320, 100, 550, 300))
    blocks = [
        left,
        right,
        block("caption", (320, 305, 500, 315), "Figure 2. Right"),
        block("caption", (50, 305, 240, 315), "Figure 1. Left"),
    ]
    assert bind_captions(blocks) == [left, right]
    assert left.caption is not None
    assert left.caption.text == "Figure 1. Left"
    assert right.caption is not None
    assert right.caption.text == "Figure 2. Right"


def test_between_a_table_and_a_figure_the_label_decides() -> None:
    figure = block("figure", (50, 100, 280, 300))
    table = block("table", (50, 325, 280, 400))
    caption = block("caption", (50, 308, 200, 318), "表1 主な仕様")
    bind_captions([figure, caption, table])
    assert figure.caption is None
    assert table.caption is caption


def test_a_caption_far_from_everything_stays_one_of_its_own() -> None:
    figure = block("figure", (50, 100, 280, 200))
    caption = block("caption", (50, 600, 200, 610), "Figure 1. Far")
    assert bind_captions([figure, caption]) == [figure, caption]


def test_a_caption_that_an_engine_took_for_a_footnote_is_found() -> None:
    """docvortex's answer for Figure 7-26 of the handbook."""
    figure = block("figure", (50, 100, 280, 300))
    caption = block("footnote", (50, 303, 200, 313), "Figure 7-26. Self-locking nuts.")
    mark_captions([figure, caption])
    assert caption.kind == "caption"


def test_three_tables_keep_the_captions_under_them() -> None:
    # Each caption but the last stands nearer to the next table than to its own.
    tables = [block("table", (100, y, 500, y + 40)) for y in (60, 170, 280)]
    captions = [
        block("caption", (70, y, 540, y + 60), f"Table {n}: Ablation studies")
        for n, y in ((3, 109), (4, 218), (5, 328))
    ]
    assert bind_captions([*captions, *tables]) == tables
    assert [t.caption.text for t in tables if t.caption] == [c.text for c in captions]


def test_a_label_reaches_farther_than_words_without_one() -> None:
    chart = block("chart", (50, 480, 430, 640))
    labelled = block("caption", (50, 400, 550, 428), "Figure 15.3. Scatter graph")
    assert bind_captions([labelled, chart]) == [chart]
    chart.caption = None
    bare = block("caption", (50, 400, 550, 428), "The scatter graph of returns")
    assert bind_captions([bare, chart]) == [bare, chart]


def test_a_listing_has_its_labelled_caption_and_no_other() -> None:
    listing = block("code", (50, 100, 280, 300))
    labelled = block("paragraph", (50, 306, 280, 316), "Figure 1. Sieve of Eratosthenes.")
    mark_captions([listing, labelled])
    assert bind_captions([listing, labelled]) == [listing]
    assert listing.caption is labelled
    listing.caption = None
    for text in ("The sieve", "Table 1. Primes"):
        bare = block("caption", (50, 306, 280, 316), text)
        assert bind_captions([listing, bare]) == [listing, bare]


def test_a_label_on_a_page_without_pictures_and_tables_is_a_heading() -> None:
    heading = block("heading", (50, 100, 280, 112), "Exhibit 31.1")
    mark_captions([heading, block("paragraph", (50, 130, 500, 300), "I, the undersigned …")])
    assert heading.kind == "heading"


def test_a_caption_behind_a_drawn_bullet_is_found() -> None:
    figure = block("figure", (50, 100, 280, 300))
    item = block("list", (50, 303, 280, 313), "• Figure 5.2 Proportions of the body")
    mark_captions([figure, item])
    assert item.kind == "caption"
