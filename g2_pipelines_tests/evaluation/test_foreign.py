"""Words of another language are found with their place; what the sources write is none."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.brief import evaluate
from g2_pipelines.evaluation.foreign import foreign
from g2_pipelines.tables.line1 import Check
from g2_pipelines_tests.evaluation.pairs import judged
from g2_pipelines_tests.evaluation.samples import ASPECT, SEGMENTS, SOURCE, summary


def found(text: str, *known: str, home: str = "ja") -> list[tuple[int, int, str, str]]:
    stretches = foreign(text, frozenset({home}), lambda word: word in known)
    return [(s.start, s.end, s.text, s.what) for s in stretches]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("国内の市场は縮小した。", (3, 5, "市场", "simplified Chinese")),
        ("需要は시장で増えた。", (3, 5, "시장", "Hangul")),
        ("需要はрынокで増えた。", (3, 8, "рынок", "Cyrillic")),
        ("売上は increased in the year and was high だった。", (4, 39, "increased in the year and was high", "English")),
        ("増収です。The company expects net sales to rise.", (5, 46, "The company expects net sales to rise.", "English")),
    ],
)  # fmt: skip
def test_a_stretch_of_another_language_has_its_range(
    text: str, expected: tuple[int, int, str, str]
) -> None:
    (one,) = found(text)
    assert one == (*expected[:1], expected[0] + len(expected[2]), *expected[2:])
    assert text[one[0] : one[1]] == expected[2]


@pytest.mark.parametrize(
    "text",
    [
        "髙島﨑氏が代表取締役に就任し、ＲＯＥは12％となった。",
        "Aomine Precision Machinery Co., Ltd.と提携した。",
        "α線とΩの測定器、βテストを行った。",
        "図書館の圖書を冨岡市へ贈った。",
    ],
)
def test_names_and_old_characters_are_japanese(text: str) -> None:
    assert found(text) == []


def test_what_stands_in_the_sources_is_no_finding() -> None:
    assert found("华为技术と提携した。", "华为技术") == []


def test_japanese_in_an_english_text_is_found() -> None:
    (one,) = found("Net sales of the 工作機械事業 rose in the year.", home="en")
    assert one[2:] == ("工作機械事業", "Japanese")


def test_a_foreign_word_is_a_claim_that_no_source_has() -> None:
    (claim,) = judged("国内の市場は縮小しております。", "国内の市场は縮小している。")
    assert (claim.kind, claim.text, claim.start, claim.status) == ("name", "市场", 3, "missing")


def test_the_language_check_names_the_words_and_their_place() -> None:
    text = "国内の市场は堅調です。増収を計画しております。"
    judgement = evaluate(
        summary(text), sources=[SOURCE], segments=SEGMENTS, others=[], aspect=ASPECT
    )
    check: Check = next(c for c in judgement.checks if c.name == "language")
    assert (check.passed, check.value) == (False, 0.5)
    assert "「市场」 (3-5, simplified Chinese)" in check.message
