"""Earnings summaries as Japanese companies set them: amounts and percents under one head."""

from __future__ import annotations

from pathlib import Path

import pytest
import typst

from g2_pipelines.corpus.makers.pdfs import _named_font
from g2_pipelines.pdf.geometry import Box, Rule
from g2_pipelines.pdf.head_spans import spans_of
from g2_pipelines.pdf.phrases import Phrase
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines_tests.pdf.conftest import read

START = """
#set page(width: 595pt, height: 842pt, margin: 50pt)
#set text(font: "Droid Sans Fallback", size: 9pt, lang: "ja")
#let left(x, y) = if x == 0 { std.left } else if y == 0 { center } else { right }
#let two(head) = table.cell(colspan: 2, head)
"""
SUMMARY = """
2031年3月期の連結業績（2030年4月1日～2031年3月31日）

（1）連結経営成績 #h(1fr) （％表示は、対前期増減率）
#table(columns: (80pt, 55pt, 40pt, 55pt, 40pt, 55pt, 40pt, 60pt, 45pt), stroke: none, align: left,
  RULES
  [], two[売上高], two[営業利益], two[経常利益], two[親会社株主に帰属する\\ 当期純利益],
  table.hline(),
  [], [百万円], [％], [百万円], [％], [百万円], [％], [百万円], [％],
  [2031年3月期], [12,345], [5.6], [1,234], [△3.2], [1,301], [0.4], [876], [△12.5],
  [2030年3月期], [11,690], [8.1], [1,275], [14.0], [1,296], [11.7], [1,001], [22.3],
  table.hline())
（注）包括利益 2031年3月期 900百万円（△3.0％） 2030年3月期 928百万円（4.1％）
"""
FRAME = "table.hline(), " + ", ".join(f"table.vline(x: {x})" for x in (0, 1, 3, 5, 7, 9)) + ","
SUMMARY_ROWS = [
    ["", "売上高/2", "営業利益/2", "経常利益/2", "親会社株主に帰属する当期純利益/2"],
    ["", "百万円", "％", "百万円", "％", "百万円", "％", "百万円", "％"],
    ["2031年3月期", "12,345", "5.6", "1,234", "△3.2", "1,301", "0.4", "876", "△12.5"],
    ["2030年3月期", "11,690", "8.1", "1,275", "14.0", "1,296", "11.7", "1,001", "22.3"],
]
COMPARED = """
#text(size: 16pt)[2031年3月期 業績の概要]

#h(1fr) （単位：百万円）
#table(columns: (90pt, 60pt, 50pt, 60pt, 50pt, 60pt, 50pt), stroke: none,
  align: (x, y) => if x == 0 { std.left } else if y < 2 { center } else { right },
  fill: (x, y) => if y < 2 { rgb("#cfe0f0") },
  [], two[2030年3月期], two[2031年3月期], two[前年同期比],
  [], [実績], [構成比], [実績], [構成比], [増減額], [増減率],
  [売上高], [11,690], [100.0％], [12,345], [100.0％], [655], [5.6％],
  [売上総利益], [4,092], [35.0％], [4,197], [34.0％], [105], [2.6％],
  [営業利益], [1,275], [10.9％], [1,234], [10.0％], [△41], [△3.2％],
  [経常利益], [1,296], [11.1％], [1,301], [10.5％], [5], [0.4％],
  [当期純利益], [1,001], [8.6％], [876], [7.1％], [△125], [△12.5％])
受注は国内が堅調で、海外は下期から持ち直した。
"""
COMPARED_ROWS = [
    ["", "2030年3月期/2", "2031年3月期/2", "前年同期比/2"],
    ["", "実績", "構成比", "実績", "構成比", "増減額", "増減率"],
    ["売上高", "11,690", "100.0％", "12,345", "100.0％", "655", "5.6％"],
    ["売上総利益", "4,092", "35.0％", "4,197", "34.0％", "105", "2.6％"],
    ["営業利益", "1,275", "10.9％", "1,234", "10.0％", "△41", "△3.2％"],
    ["経常利益", "1,296", "11.1％", "1,301", "10.5％", "5", "0.4％"],
    ["当期純利益", "1,001", "8.6％", "876", "7.1％", "△125", "△12.5％"],
]
FORECAST = """
3．2032年3月期の連結業績予想

#h(1fr) （％表示は、対前期増減率）
#table(columns: (70pt, 50pt, 35pt, 50pt, 35pt, 50pt, 35pt, 50pt, 35pt, 60pt), stroke: none, align: left,
  RULES
  [], two[売上高], two[営業利益], two[経常利益], two[親会社株主に\\ 帰属する当期\\ 純利益],
  [1株当たり\\ 当期純利益],
  table.hline(),
  [], [百万円], [％], [百万円], [％], [百万円], [％], [百万円], [％], [円 銭],
  [通期], [13,000], [5.3], [1,300], [5.3], [1,350], [3.8], [900], [2.7], [45.67],
  table.hline())
（注）直近に公表されている業績予想からの修正の有無 ：無
"""
FORECAST_ROWS = [
    ["", "売上高/2", "営業利益/2", "経常利益/2", "親会社株主に帰属する当期純利益/2", ""],
    ["", *["百万円", "％"] * 4, "1株当たり当期純利益円銭"],
    ["通期", "13,000", "5.3", "1,300", "5.3", "1,350", "3.8", "900", "2.7", "45.67"],
]
DIVIDEND = """
2．配当の状況

#table(columns: (90pt, 60pt, 60pt, 60pt, 70pt), stroke: 0.5pt, align: left,
  [], [第2四半期末], [期末], [合計], [配当金総額\\ （合計）],
  [\\ 2030年3月期\\ 2031年3月期], [円 銭\\ 10.00\\ 12.00], [円 銭\\ 10.00\\ 12.00],
  [円 銭\\ 20.00\\ 24.00], [百万円\\ 400\\ 480])
配当は業績に応じて決める。
"""
DIVIDEND_ROWS = [
    ["", "第2四半期末", "期末", "合計", "配当金総額（合計）"],
    ["", "円銭", "円銭", "円銭", "百万円"],
    ["2030年3月期", "10.00", "10.00", "20.00", "400"],
    ["2031年3月期", "12.00", "12.00", "24.00", "480"],
]


def rows_of(node: DocumentNode) -> list[list[str]]:
    """The cells by rows, a cell over several columns with how many."""
    rows: dict[int, list[str]] = {}
    for cell in node.cells:
        wide = f"/{cell.colspan}" if cell.colspan > 1 else ""
        rows.setdefault(cell.row, []).append(cell.text + wide)
    return [rows[row] for row in sorted(rows)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SUMMARY.replace("RULES", FRAME), SUMMARY_ROWS),
        (SUMMARY.replace("RULES", "table.hline(),"), SUMMARY_ROWS),
        (SUMMARY.replace("RULES", ""), SUMMARY_ROWS),
        (COMPARED, COMPARED_ROWS),
        (COMPARED.replace("#cfe0f0", "#ffffff"), COMPARED_ROWS),
        (FORECAST.replace("RULES", FRAME), FORECAST_ROWS),
        (FORECAST.replace("RULES", "table.hline(),"), FORECAST_ROWS),
        (DIVIDEND, DIVIDEND_ROWS),
    ],
    ids=[
        *("framed", "lines", "one line", "tinted", "bare"),
        *("one row framed", "one row", "stacked under units"),
    ],
)
def test_each_figure_stands_under_its_two_heads(
    body: str, expected: list[list[str]], tmp_path: Path
) -> None:
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    _named_font(fonts)
    source = tmp_path / "a.typ"
    source.write_text(START + body, encoding="utf-8")
    typst.compile(str(source), output=str(tmp_path / "a.pdf"), font_paths=[str(fonts)])
    parsed = read(tmp_path / "a.pdf", tmp_path / "images")
    [table] = [node for node in parsed.nodes if node.kind == "table"]
    assert rows_of(table) == expected
    assert all(cell.header == (cell.row < 2) for cell in table.cells)
    assert parsed.quality.kept_share == 1.0


COLUMNS = [(100.0 + 50 * k, 130.0 + 50 * k) for k in range(6)]


def phrase(text: str, x: float, y: float = 10) -> Phrase:
    """Words whose middle is at ``x``."""
    return Phrase(text, Box(x - 12, y, x + 12, y + 8))


def heads(*words: str) -> dict[int, tuple[Box, str]]:
    return {k: (Box(100 + 50 * k, 20, 130 + 50 * k, 28), word) for k, word in enumerate(words)}


def test_heads_over_the_middle_of_two_columns_each_span_these() -> None:
    line = [phrase("2029", 140), phrase("2030", 240), phrase("2031", 340)]
    assert spans_of(line, COLUMNS, heads(*"abcdef"), []) == [[0, 1], [2, 3], [4, 5]]


def test_heads_over_the_middle_one_of_three_span_only_where_the_heads_below_repeat() -> None:
    line = [phrase("Men", 165), phrase("Women", 315)]
    assert spans_of(line, COLUMNS, heads(*"abcabc"), []) == [[0, 1, 2], [3, 4, 5]]
    assert spans_of(line, COLUMNS, heads(*"abcdef"), []) == [[], []]


def test_heads_without_heads_below_them_and_heads_beside_the_middle_span_nothing() -> None:
    line = [phrase("2029", 140), phrase("2030", 240), phrase("2031", 340)]
    assert spans_of(line, COLUMNS, {}, []) == [[], [], []]
    aside = [phrase("2029", 115), phrase("2030", 215), phrase("2031", 315)]
    assert spans_of(aside, COLUMNS, heads(*"abcdef"), []) == [[], [], []]


def test_standing_borders_close_what_a_head_spans() -> None:
    posts = [Rule(Box(x, 5, x, 90)) for x in (90, 240, 390)]
    line = [phrase("Men", 165), phrase("Women", 315)]
    assert spans_of(line, COLUMNS, heads(*"abcdef"), posts) == [[0, 1, 2], [3, 4, 5]]


def test_a_head_beside_one_that_stands_half_way_spans_the_others() -> None:
    """The head of the last column stands in the middle of both rows."""
    both = {**heads(*"abcd"), 3: (Box(250, 15, 280, 23), "d")}
    assert spans_of([phrase("Men", 165)], COLUMNS[:4], both, []) == [[0, 1, 2]]
    assert spans_of([phrase("Men", 165)], COLUMNS[:4], heads(*"abcd"), []) == [[]]


def test_a_border_far_from_the_middle_of_a_head_shows_nothing() -> None:
    edge = [Rule(Box(50, 5, 50, 90))]
    assert spans_of([phrase("Men", 165)], COLUMNS[:4], heads(*"abcd"), edge) == [[]]


def test_lines_of_a_wrapped_head_span_nothing() -> None:
    below = {k: (Box(106 + 50 * k, 20, 130 + 50 * k, 28), word) for k, word in enumerate("abcd")}
    ends = [phrase("% change", 168), phrase("net", 268)]
    line = [
        Phrase(p.text, Box(p.box.x0 - 6, 10, below[k][0].x1, 18))
        for p, k in zip(ends, (1, 3), strict=True)
    ]
    assert spans_of(line, COLUMNS[:4], below, []) == [[], []]
