"""Labels of nodes and mentions in questions speak one spelling."""

from __future__ import annotations

import pytest

from g2_pipelines.index.labels import mentioned, own_label


@pytest.mark.parametrize(
    ("kind", "text", "label"),
    [
        ("figure", "図2 主軸の温度", "figure:2"),
        ("figure", "図 ２　主軸の温度", "figure:2"),
        ("chart", "Fig. 3. Orders by region", "figure:3"),
        ("figure", "Figure 3.2: x", "figure:3.2"),
        ("table", "表1 セグメント別", "table:1"),
        ("table", "Table A1: x\n1\t2", "table:a1"),
        ("caption", "図4-1 概念図", "figure:4-1"),
        ("heading", "3.2 実験", "section:3.2"),
        ("heading", "第3章 まとめ", "section:3"),
        ("heading", "Appendix C: Environmental scan", "appendix:c"),
        ("heading", "Section IV. Results", "section:4"),
        ("table", "TABLE II. Yields", "table:2"),
        ("heading", "まとめ", None),
        ("heading", "2025年3月期の業績", None),
        ("paragraph", "図2に示す。", None),
        ("figure", "", None),
    ],
)
def test_a_nodes_label(kind, text, label):
    assert own_label(kind, text) == label


@pytest.mark.parametrize(
    ("question", "labels", "pages", "places"),
    [
        ("図2の最大値は?", ["figure:2"], [], []),
        ("What does Figure 2 and Table 1 show?", ["figure:2", "table:1"], [], []),
        ("According to fig. 3.1, why?", ["figure:3.1"], [], []),
        ("図表4と表２を比べよ", ["figure:4", "table:2"], [], []),
        ("What is on page 3?", [], [3], []),
        ("see p.4", [], [4], []),
        ("pp. 4-6", [], [4, 5, 6], []),
        ("5ページの表", [], [5], []),
        ("１２頁", [], [12], []),
        ("slide 7", [], [7], []),
        ("表紙にある会社名は", [], [], [1]),
        ("3.2節で述べた方法は", ["section:3.2"], [], []),
        ("Section 4 says", ["section:4"], [], []),
        ("2025年の売上高は?", [], [], []),
        ("代表1名の氏名", [], [], []),
        ("図書館は3つあるか", [], [], []),
        ("pages 1 to 900", [], [1], []),
        ("pages 5-7", [], [5, 6, 7], []),
        ("on pages 4, 6 and 9 of the report", [], [4, 6, 9], []),
        ("スライド4の図", [], [4], []),
        ("the 2nd page", [], [2], []),
        ("What is at the top of the third slide?", [], [3], []),
        ("on page fourteen", [], [14], []),
        ("the last page", [], [], [-1]),
        ("What stands on the cover page?", [], [], [1]),
        ("最後のページには", [], [], [-1]),
        ("裏表紙の住所", [], [], [-1]),
        ("in the first two pages", [], [], [1, 2]),
        ("Does the policy cover fire?", [], [], []),
        ("How many pages has it?", [], [], []),
        ("Table II and section IV", ["table:2", "section:4"], [], []),
        ("Appendix C lists", ["appendix:c"], [], []),
        ("図3と表2を", ["figure:3", "table:2"], [], []),
        ("figures 2, 3 and 5", ["figure:2", "figure:3", "figure:5"], [], []),
        ("3章で述べた", ["section:3"], [], []),
        ("the second figure of the paper", ["figure:2"], [], []),
    ],
)
def test_what_a_question_names(question, labels, pages, places):
    found = mentioned(question)
    assert list(found.places) == places
    assert list(found.labels) == labels
    assert list(found.pages) == pages
