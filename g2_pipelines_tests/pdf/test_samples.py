"""What must be understood of the two sample PDFs; values are those of their sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from g2_pipelines.pdf.parse import ParsedPdf
from g2_pipelines.tables.line2 import DocumentNode

pytestmark = pytest.mark.slow


def flow(parsed: ParsedPdf) -> list[DocumentNode]:
    return [node for node in parsed.nodes if node.order >= 0]


def labelled(parsed: ParsedPdf, label: str) -> DocumentNode:
    found = [node for node in parsed.nodes if (node.caption or "").startswith(label)]
    assert len(found) == 1, label
    return found[0]


def grid(node: DocumentNode) -> list[list[str]]:
    return [line.split("\t") for line in node.text.split("\n")]


def place(parsed: ParsedPdf, text: str) -> int:
    found = [node.order for node in flow(parsed) if text in node.text]
    assert len(found) == 1, text
    return found[0]


def test_every_cell_of_a_ruled_table_is_read(aomine: ParsedPdf) -> None:
    assert grid(labelled(aomine, "表1")) == [
        ["回転数(min−1)", "温度上昇(K)", "補償なし(μm)", "従来補償(μm)", "TC-5 (μm)"],
        ["3,000", "4.1", "11.8", "4.6", "1.2"],
        ["6,000", "7.9", "23.5", "8.3", "1.9"],
        ["9,000", "12.6", "37.2", "12.9", "2.6"],
        ["12,000", "18.4", "52.7", "19.4", "3.4"],
        ["15,000", "25.3", "71.6", "28.8", "5.1"],
    ]


def test_cells_that_span_rows_and_columns_keep_their_spans(aomine: ParsedPdf) -> None:
    node = labelled(aomine, "表2")
    head = {cell.text: cell for cell in node.cells if cell.row == 0}
    assert (head["事業所"].rowspan, head["事業所"].colspan) == (2, 1)
    assert (head["ばらつき6σ（μm）"].col, head["ばらつき6σ（μm）"].colspan) == (3, 2)
    assert [c.text for c in node.cells if c.row == 1] == ["導入前", "導入後", "導入前", "導入後"]
    assert grid(node)[-1] == ["熊谷C工場", "航空機継手", "5", "15.6", "6.9", "50", "10"]
    assert {cell.row for cell in node.cells if cell.header} == {0, 1}


def test_a_cells_range_holds_its_text(minato: ParsedPdf) -> None:
    for node in minato.nodes:
        for cell in node.cells:
            assert node.text[cell.start : cell.end] == cell.text


def test_a_word_broken_in_a_header_cell_is_whole(minato: ParsedPdf) -> None:
    rows = grid(labelled(minato, "Table 1"))
    assert rows[0] == [
        "Route class",
        "Trips",
        "Distance (km)",
        "Openings per trip",
        "Excursion rate (%)",
    ]
    assert rows[4] == ["Mixed round", "2,420", "41", "14.3", "32.1"]


def test_captions_are_bound_and_not_repeated_as_text(aomine: ParsedPdf, minato: ParsedPdf) -> None:
    thermal = labelled(aomine, "図2")
    assert thermal.kind == "figure"
    assert thermal.caption == (
        "図2 主軸頭の温度分布（毎分12,000回転、運転開始から60分後）。"
        "最高は前側軸受の41.8℃、室温は22.0℃。"
    )
    assert labelled(aomine, "図1").kind == "chart"
    assert labelled(minato, "Figure 1").kind == "chart"
    assert labelled(minato, "Figure 2").kind == "figure"
    for parsed in (aomine, minato):
        assert parsed.quality.captions_bound == 5
        assert parsed.quality.captions_unbound == 0
        captions = {node.caption for node in parsed.nodes if node.caption}
        assert not [node for node in parsed.nodes if node.text in captions]


def test_the_left_column_is_read_before_the_right(aomine: ParsedPdf, minato: ParsedPdf) -> None:
    marks = ["工場の空調を強めても", "T3は前側軸受の外輪", "コラムの前後の温度差", "参考文献"]
    places = [place(aomine, mark) for mark in marks[:3]]
    assert places == sorted(places)
    english = ["Frozen seafood leaves", "An excursion is a period", "The door contact is the"]
    places = [place(minato, mark) for mark in english]
    assert places == sorted(places)


def test_a_paragraph_that_goes_on_in_the_next_column_or_page_is_one_node(
    aomine: ParsedPdf, minato: ParsedPdf
) -> None:
    [node] = [n for n in aomine.nodes if "AoLinkを通じて季節ごとに更新する" in n.text]
    assert [region.page for region in node.regions] == [2, 2]
    [node] = [n for n in aomine.nodes if "急に変えたときの追従を遅らせる" in n.text]
    assert [region.page for region in node.regions] == [3, 4]
    [node] = [
        n for n in minato.nodes if "in an ice bath before the study and again after" in n.text
    ]
    assert [region.page for region in node.regions] == [1, 2]


def test_running_heads_and_page_numbers_are_furniture_outside_the_order(
    aomine: ParsedPdf, minato: ParsedPdf
) -> None:
    for parsed, head in ((aomine, "青嶺精機技報 第18号"), (minato, "Cold-Chain Monitoring")):
        furniture = [node for node in parsed.nodes if node.kind == "furniture"]
        assert {node.order for node in furniture} == {-1}
        texts = [node.text.replace(" ", "") for node in furniture]
        assert texts.count(head.replace(" ", "")) == 4
        assert [text for text in texts if text.isdigit()] == ["1", "2", "3", "4"]
        assert not [n for n in flow(parsed) if head.replace(" ", "") in n.text.replace(" ", "")]


def test_references_lead_to_the_figure_the_table_and_the_section(
    aomine: ParsedPdf, minato: ParsedPdf
) -> None:
    [node] = [n for n in aomine.nodes if n.text.startswith("図2に示すように")]
    [reference] = node.references
    assert (reference.text, reference.start, reference.end) == ("図2", 0, 2)
    assert reference.target == labelled(aomine, "図2").node_id
    [node] = [n for n in aomine.nodes if n.text.startswith("第3.2節で述べた")]
    targets = {r.text: r.target for r in node.references}
    [section] = [n for n in aomine.nodes if n.text.startswith("3.2 ")]
    assert targets == {"第3.2節": section.node_id, "表1": labelled(aomine, "表1").node_id}
    [node] = [n for n in minato.nodes if n.text.startswith("This paper reports")]
    heads = {n.node_id: n.text for n in minato.nodes if n.kind == "heading"}
    assert [heads[r.target or ""] for r in node.references] == [
        "2 Method",
        "3 Results",
        "4 Remedies",
    ]


def test_headings_have_levels_and_every_node_its_section(aomine: ParsedPdf) -> None:
    title = "主軸熱変位補償システムTC-5の開発と現場実証"
    levels = [(n.level, n.text) for n in aomine.nodes if n.kind == "heading"]
    assert levels[:4] == [
        (1, title),
        (2, "1 はじめに"),
        (2, "2 主軸の熱変位"),
        (3, "2.1 測定の方法"),
    ]
    assert levels[-1] == (2, "参考文献")
    [node] = [n for n in aomine.nodes if n.text.startswith("供試機は立形")]
    assert node.section_path == [title, "2 主軸の熱変位", "2.1 測定の方法"]


def test_japanese_lines_join_without_spaces_and_names_keep_theirs(aomine: ParsedPdf) -> None:
    [node] = [n for n in aomine.nodes if n.text.startswith("半導体製造装置や")]
    assert " " not in node.text
    assert "多くの現場では、朝の暖機運転に一時間近くを費やし、" in node.text
    assert any("柳沢 徹、宮下 直子、原 健吾" in n.text for n in aomine.nodes)


def test_a_word_hyphenated_at_a_line_end_is_whole_again(minato: ParsedPdf) -> None:
    text = "\n".join(node.text for node in minato.nodes)
    assert "The damage is not visible" in text
    assert "frozen-seafood" in text.casefold()


def test_no_character_of_the_text_layer_is_lost(aomine: ParsedPdf, minato: ParsedPdf) -> None:
    assert aomine.quality.kept_share == 1.0
    assert 0.998 <= minato.quality.kept_share <= 1.0  # hyphens of broken words are gone
    assert aomine.quality.pages_fallback == minato.quality.pages_fallback == []


def test_every_box_lies_on_its_page(aomine: ParsedPdf, minato: ParsedPdf) -> None:
    for parsed in (aomine, minato):
        pages = {page.page: page for page in parsed.pages}
        for node in parsed.nodes:
            assert node.regions[0].page == node.page
            assert node.regions[0].bbox == node.bbox
            for region in node.regions:
                box, page = region.bbox, pages[region.page]
                assert 0 <= box.x0 < box.x1 <= page.width_pt
                assert 0 <= box.y0 < box.y1 <= page.height_pt


def test_ids_are_unique_and_orders_count_up(aomine: ParsedPdf) -> None:
    ids = [node.node_id for node in aomine.nodes]
    assert len(set(ids)) == len(ids)
    assert [node.order for node in flow(aomine)] == list(range(len(flow(aomine))))


def test_pages_and_crops_are_written_as_pictures(aomine: ParsedPdf, aomine_images: Path) -> None:
    crops = [node for node in aomine.nodes if node.image]
    assert sorted(node.kind for node in crops) == [
        "chart",
        "equation",
        "figure",
        "table",
        "table",
        "table",
    ]
    for image in [page.image for page in aomine.pages] + [node.image for node in crops]:
        assert image is not None
        assert image.startswith("documents/sample/")
        with Image.open(aomine_images / image.rsplit("/", 1)[1]) as picture:
            picture.verify()
    thermal = labelled(aomine, "図2")
    assert thermal.image is not None
    with Image.open(aomine_images / thermal.image.rsplit("/", 1)[1]) as picture:
        colours = picture.convert("RGB").getcolors(1 << 24)
    assert colours is not None
    tall = [(times, colour) for times, colour in colours if isinstance(colour, tuple)]
    hot = sum(times for times, (r, g, _) in tall if r > 200 and g > 120)
    assert hot > 500  # the crop shows the picture, not an empty place
