"""Sentences: everything that cites, cites them; a lost character is a lost source."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import is_prose, sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "当社（以下「当社グループ」という。）は増収です。次の文！？はい。",
            ["当社（以下「当社グループ」という。）は増収です。", "次の文！？", "はい。"],
        ),
        ("「行きます。」と述べた。次です。", ["「行きます。」と述べた。", "次です。"]),
        ("（注。次の文。\n終わり", ["（注。", "次の文。", "終わり"]),
        ("売上高は3.5%増です。", ["売上高は3.5%増です。"]),
        ("Yahoo!ショッピングは好調です！次。", ["Yahoo!ショッピングは好調です！", "次。"]),
        ("１．発言要旨　これは文である．次の文．", ["１．発言要旨　これは文である．", "次の文．"]),
        ("売上高\t48,620\n  利益\t3,815  ", ["売上高\t48,620", "利益\t3,815"]),
        (
            "Mr. Smith of Acme Co., Ltd. said sales rose 3.5%. In the U.S. demand grew. We saw it.",
            [
                "Mr. Smith of Acme Co., Ltd. said sales rose 3.5%.",
                "In the U.S. demand grew.",
                "We saw it.",
            ],
        ),
        ("It is from Acme Inc. The firm grew.", ["It is from Acme Inc.", "The firm grew."]),
        ('He said "Good." Then he left (e.g. home).', ['He said "Good."', "Then he left (e.g. home)."]),
        ("1. Overview of business", ["1. Overview of business"]),
        ("See Fig. 3 for details. Done.", ["See Fig. 3 for details.", "Done."]),
        ("", []),
        (" \n\t\n", []),
    ],
)  # fmt: skip
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_a_bracket_that_closes_far_away_hides_no_sentence_ends() -> None:
    text = "（" + "これは文です。" * 200 + "）"
    assert len(cut(text)) == 200


@given(st.text(alphabet='あ漢。！？!?.．「」（）()『』\n\r\t 　aB1Mr’”"…', max_size=80))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_sentences_are_ordered_disjoint_trimmed_and_lose_nothing(text: str) -> None:
    ranges = sentences(text)
    at = 0
    for start, end in ranges:
        assert at <= start < end
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


@pytest.mark.parametrize("piece", ["（", "）", "「。", "。", "a. ", "(。)", "『「（", "."])
def test_hostile_brackets_stay_linear(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    ranges = sentences(text)  # a quadratic one takes minutes here
    assert sum(end - start for start, end in ranges) >= len(text) - text.count(" ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("当連結会計年度の売上高は48,620百万円となりました。", True),
        ("人材の育成を進めてまいります", True),
        ("Sales rose by 3.2% as demand for sensors grew.", True),
        ("（1）経営方針", False),
        ("1【事業の内容】", False),
        ("売上高\t48,620\t45,696", False),
        ("（単位：百万円）", False),
        ("注1．当期より変更しております", False),
        ("- 12 -", False),
        ("48,620", False),
        ("Overview of Business", False),
        ("", False),
    ],
)
def test_prose_is_told_from_headings_rows_and_labels(text: str, *, expected: bool) -> None:
    assert is_prose(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("売上高は増加しました", "ja"),
        ("AoLinkのSaaS版をlaunchした", "ja"),
        ("Sales rose in Japan", "en"),
        ("Tokyo Office (東京) opened for business this year", "en"),
        ("12,345", "ja"),
        ("", "ja"),
    ],
)
def test_language_goes_by_script(text: str, expected: str) -> None:
    assert language(text) == expected
