"""Terms, BM25 and overlap: what search and attribution stand on."""

from __future__ import annotations

import math

import pytest

from g2_pipelines.text.bm25 import Bm25
from g2_pipelines.text.overlap import ngram_overlap
from g2_pipelines.text.terms import content_words, search_text, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("設備投資", ["設備", "備投", "投資"]),
        ("Ｃ++ と C#", ["c++", "と", "c#"]),
        ("85%", ["85%"]),
        ("1,254億円", ["1254", "億円"]),
        ("U.S. policies, boxes and sensors", ["u.s.", "policy", "box", "and", "sensor"]),
        ("class status basis", ["class", "status", "basis"]),
        ("売上2025年", ["売上", "2025", "年"]),
        ("", []),
    ],
)
def test_terms_are_the_same_for_documents_and_queries(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_search_text_splits_at_spaces_into_its_terms() -> None:
    assert search_text("設備投資は85%").split(" ") == terms("設備投資は85%")


def test_content_words_are_compounds_and_latin_words_once_each() -> None:
    text = "当社の設備投資とサーボモータ、LanceDBとlancedb、the AoLink、ＩＴ投資等、設備投資、一部、三百"
    assert content_words(text) == ["設備投資", "サーボモータ", "LanceDB", "AoLink", "IT", "投資"]


def test_bm25_agrees_with_the_formula() -> None:
    documents = [["a", "b"], ["a", "a", "c", "d"], ["e"]]
    got = Bm25(documents, k1=1.2, b=0.5).scores(["a", "zzz"])
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    average = 7 / 3
    wanted = [
        idf * count * 2.2 / (count + 1.2 * (0.5 + 0.5 * length / average))
        for count, length in ((1, 2), (2, 4), (0, 1))
    ]
    assert got == pytest.approx(wanted)


def test_bm25_of_nothing_is_nothing() -> None:
    assert Bm25([]).scores(["a"]) == []
    assert Bm25([[]]).scores(["a"]) == [0.0]


def test_overlap_ignores_width_and_spaces() -> None:
    assert ngram_overlap("売上高は１２％増加", "売上高 は12%増加") == 1.0
    assert ngram_overlap("売上高は増加", "人材の育成") == 0.0
    assert ngram_overlap("", "a") == 0.0
    # 4-grams: abcd bcde | bcde cdef: one of two
    assert ngram_overlap("abcde", "bcdef") == 0.5
