"""Hostile texts end in bounded time or a typed error."""

from __future__ import annotations

import pytest

from g2_pipelines.errors import LimitError
from g2_pipelines.evaluation.check import LONGEST_TEXT, check_text
from g2_pipelines.evaluation.corpus import LONGEST_SENTENCE
from g2_pipelines.text.numbers import numbers
from g2_pipelines.text.periods import periods
from g2_pipelines_tests.evaluation.samples import SEGMENTS, SOURCE


def test_a_megabyte_is_no_summary() -> None:
    with pytest.raises(LimitError) as error:
        check_text("増" * 1_000_000, [SOURCE], segments=SEGMENTS)
    assert error.value.remedy


@pytest.mark.parametrize(
    "part",
    [
        "1",
        "ア",
        "（",
        "( ",
        "か\u3099",
        "\u200d",
        "a-",
        "a inc ",
        "株式会社",
        "代表取締役",
        "ない",
        "増",
        "は1",
        "工作機械事業",
        "2024年3月期",
        "9,999億円、",
        "1\t",
        "\ud800",
    ],
)
def test_a_long_run_of_anything_is_checked(part: str) -> None:
    """Each was slow or wrong in some pattern or loop; the run would not end if it were cubic."""
    text = part * (6_000 // len(part))
    checked = check_text(text, [SOURCE], segments=SEGMENTS)
    assert all(text[claim.start : claim.end] == claim.text for claim in checked.claims)


def test_a_sentence_without_end_is_not_laid_beside_others() -> None:
    text = "売上高は48,620百万円、" * 400
    assert len(text) > LONGEST_SENTENCE
    assert len(text) < LONGEST_TEXT
    claims = check_text(text, [SOURCE], segments=SEGMENTS).claims
    assert {claim.status for claim in claims if claim.kind == "number"} == {"supported_local"}


@pytest.mark.parametrize("digit", ["᪕", "௫", "߃", "۴"])
def test_digits_of_other_scripts_are_no_figures_and_break_none(digit: str) -> None:
    """A figure was read from them and its kanji value looked up: KeyError."""
    assert numbers(f"{digit}{digit}億円と12億円") == numbers("\0\0億円と12億円")
    assert [p.key for p in periods(f"{digit}月と2024年3月期")] == ["FY2024-03"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("ＲＯＥ12％を目標とする", [12]),
        ("EBITDA12億円", [1_200_000_000]),
        ("その100％子会社", [100]),
        ("その1、COVID19、ISO9001、A4判、CO2", []),
    ],
)
def test_a_unit_makes_a_figure_of_what_follows_a_word(text: str, values: list[int]) -> None:
    assert [int(number.value) for number in numbers(text)] == values
