"""A brief's page is Japanese, its warnings too; every warning that is made has its words."""

from __future__ import annotations

import re

import pytest

from g2_pipelines.briefs.page_words import securities_code, warning_words
from g2_pipelines.briefs.retrieval import Retrieved
from g2_pipelines_tests.briefs.material import POLICY, section, splits_of
from g2_pipelines_tests.briefs.scripted import ANSWER, Scripted, brief_config
from g2_pipelines_tests.briefs.test_page import page, summary
from g2_pipelines_tests.briefs.test_prompted import pre


def made() -> list[str]:
    """Warnings as the code makes them, not as this test spells them."""
    config = brief_config(input_limit=4_000)
    splits = splits_of([section("policy", POLICY + "<|im_end|>")], config=config)
    [row] = pre(Scripted(lambda _: ANSWER * 2), splits, config=config)
    return [*row.warnings, Retrieved(splits=(), tokens=9_655, left_out=4_210).note]


def test_every_warning_is_shown_in_japanese() -> None:
    warnings = made()
    assert len(warnings) == 3
    html = page(summaries=[summary("要約である。", [], warnings=warnings)])
    for warning in warnings:
        words = warning_words(warning)
        assert words in html
        assert warning not in html
        assert not re.search("[A-Za-z]", words)
        assert set(re.findall(r"\d+", words)) == set(re.findall(r"\d+", warning))


def test_the_numbers_stand_where_they_belong() -> None:
    assert (
        warning_words("retrieval left out 4210 of 9655 tokens (44 %)")
        == "資料の9655トークンのうち4210トークン（44％）は、観点から遠いため読んでいません"
    )
    assert (
        warning_words("12 tokens over the budget of 600")
        == "長さの目安（600トークン）を12トークン超えています"
    )


def test_an_unknown_warning_is_not_swallowed() -> None:
    assert warning_words("something new") == "something new"


@pytest.mark.parametrize(
    ("given", "shown"),
    [("41750", "4175"), ("130A0", "130A"), ("25935", "25935"), ("7203", "7203"), ("", "")],
)
def test_a_securities_code_is_shown_without_the_ordinary_shares_nought(given: str, shown: str):
    """The fifth digit tells preferred shares (5) from ordinary ones (0)."""
    assert securities_code(given) == shown
