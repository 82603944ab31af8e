"""What of a question is searched."""

from __future__ import annotations

import pytest

from g2_pipelines.index.query import JAPANESE_NAME_WEIGHT, asked, searched
from g2_pipelines.index.stems import stem


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What is the revenue of Komaki in 2025?", "revenue Komaki 2025"),
        (
            "How many pallets does Yaizu hold? Please answer in integer format.",
            "pallets Yaizu hold",
        ),
        (
            'Which stores are above the mean? Write the answer in list format, e.g., ["A","B"]',
            "stores above mean",
        ),
        ("What is the ratio in FY2021?Round your answer to two decimal places.", "ratio FY2021"),
        ("List the stores by size in descending order.", "stores size"),
        ("工作機械事業の売上高はいくらですか。", "工作機械事業の売上高"),
        ("主軸について教えてください", "主軸"),
        ("補償の方式を説明しなさい。", "補償の方式"),
        ("受注残高は何件ありますか？", "受注残高"),
        ("How many?", "How many?"),
    ],
)
def test_question_words_formats_and_endings_are_dropped(question, kept):
    assert searched(question) == kept


def test_names_of_a_japanese_question_count_more():
    weights = asked("モータのTC-5補償は何ですか").weights
    assert weights["モー"] == weights["tc"] == JAPANESE_NAME_WEIGHT
    assert weights["補償"] == weights["5"] == 1.0
    assert set(asked("Which motor has TC-5?").weights.values()) == {1.0}


def test_page_numbers_are_places_not_words():
    query = asked("What is the margin on page 12 of table 3?")
    assert list(query.weights) == ["margin", "tabl", "3"]
    assert (query.names.pages, query.names.labels) == ((12,), ("table:3",))
    assert "12" in asked("What is the margin on page 12?", names=False).weights


def test_a_ratio_is_asked_for_by_its_parts_too():
    """No statement prints the ratio itself."""
    weights = asked("What is the current ratio in FY2024?").weights
    assert weights["ratio"] == 1.0
    assert weights["asset"] == weights["balanc"] == 0.5
    assert asked("自己資本比率はいくらですか").weights["純資"] == 0.5
    assert "asset" not in asked("What is the current ratio?", parts=0).weights
    assert "asset" not in asked("What is the ratio of women?").weights


@pytest.mark.parametrize(
    "forms",
    [
        ("appendix", "appendice"),  # as the terms of «appendices» come
        ("measure", "measures", "measured", "measuring"),
        ("company", "companies"),
        ("class", "classes"),
        ("plan", "plans", "planned", "planning"),
        ("rate", "rates", "rated", "rating"),
        ("analysis",),
        ("fall", "falls", "falling"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms):
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["売上", "12.5", "tc5", "bed", "sing", "bus", "ring"])
def test_what_has_no_ending_stays(word):
    assert stem(word) == word


def test_different_words_keep_different_stems():
    words = ["planet", "plan", "sting", "state", "new", "news", "organ", "organize"]
    assert len({stem(word) for word in words}) >= 7
