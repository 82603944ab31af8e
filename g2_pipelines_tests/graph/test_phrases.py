"""Implicit references and relations, phrase by phrase."""

from __future__ import annotations

import pytest

from g2_pipelines.graph.phrases import implicit_references, opens_with_pronoun


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("同装置は安い。", [("同装置", "装置", None, -1)]),
        ("本手法と当該システム。", [("本手法", "手法", None, -1), ("当該システム", "システム", None, -1)]),
        ("上表および下図に示す。", [("上表", "表", "table", -1), ("下図", "図", "figure", 1)]),
        ("本節で述べる。", [("本節", "節", None, -1)]),
        ("次の表を見よ。", [("次の表", "表", "table", 1)]),
        ("In this method the same device is used.",
         [("this method", "method", None, -1), ("the same device", "device", None, -1)]),
        ("The table above and the following figure.",
         [("The table above", "table", "table", -1), ("the following figure", "figure", "figure", 1)]),
        ("同装置は、また同装置が。", [("同装置", "装置", None, -1)]),  # once
        ("同時に、本日、本社で、同様に。", []),
        ("以上図3に示した。上表3のとおり。", []),  # a number makes it explicit
        ("本手法論は。本装置群は。", []),  # part of a longer word
        ("methods of this kind", []),
    ],
)  # fmt: skip
def test_implicit_references(text, found):
    assert [(r.text, r.head, r.picture, r.side) for r in implicit_references(text)] == found


def test_ranges_point_at_the_phrase():
    text = "しかし同装置は高い。"
    (reference,) = implicit_references(text)
    assert text[reference.start : reference.end] == reference.text


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("これは高い。", True),
        ("そのため減った。", True),
        ("This means less heat.", True),
        ("They were tested.", True),
        ("This method is new.", False),  # a head of its own
        ("これまでにない。", True),
        ("主軸は高い。", False),
        ("Itself a part.", False),
    ],
)
def test_a_bare_pronoun_at_the_beginning(text, opens):
    assert opens_with_pronoun(text) is opens
