"""The sample transcripts that ship with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import g2_pipelines
from g2_pipelines.tables.line1 import QaChunk
from g2_pipelines_tests.transcripts.helpers import chunked, segmented, uncovered

FOLDER = Path(g2_pipelines.__file__).parent / "corpus" / "transcripts"
FULL_YEAR = ["aomine_fy2025_full_year.txt", "minato_fy2019_full_year.txt"]


def _chunks(name: str) -> list[QaChunk]:
    return chunked((FOLDER / name).read_bytes(), name)


@pytest.mark.parametrize("name", [*FULL_YEAR, "aomine_fy2025_2q.md"])
def test_a_sample_is_segmented_and_covered(name: str) -> None:
    transcript, turns, segmentation = segmented((FOLDER / name).read_bytes(), name)
    assert segmentation.segmentation == "labelled"
    assert segmentation.warnings == []
    assert uncovered(transcript, turns, segmentation) == []
    assert "unknown" not in {turn.role for turn in turns}


@pytest.mark.parametrize("name", FULL_YEAR)
def test_a_full_year_sample_is_long_enough_to_be_summarized(name: str) -> None:
    assert len((FOLDER / name).read_text()) >= 3000


def test_the_circle_sample_has_the_patterns_it_was_written_with() -> None:
    found = [(c.pattern, c.n_questions, c.questioner) for c in _chunks(FULL_YEAR[0])]
    assert found == [
        ("", 0, None),
        ("QA", 1, "北星証券 田所"),
        ("QAA", 1, "東都アセット 森本"),
        ("QA", 1, "東都アセット 森本"),
        ("QAAQ", 2, "みずうみ信託銀行 江川"),
        ("QAA", 1, "ひばり投信 宇野"),
        ("QA", 1, "ひばり投信 宇野"),
    ]


def test_the_second_answer_of_the_named_chunk_is_the_cfos() -> None:
    assert _chunks(FULL_YEAR[0])[4].answerers == ["深沢社長", "小林取締役CFO"]


def test_the_question_mark_sample_has_the_patterns_it_was_written_with() -> None:
    found = [(c.pattern, c.n_questions, c.is_followup) for c in _chunks(FULL_YEAR[1])]
    assert found == [
        ("", 0, False),
        ("QA", 1, False),
        ("QA", 1, True),
        ("QAA", 1, False),
        ("QA", 2, False),
        ("QAQA", 1, True),
        ("QA", 1, False),
        ("QAQ", 1, True),
    ]


def test_the_quarter_sample_has_a_two_part_question() -> None:
    assert [c.n_questions for c in _chunks("aomine_fy2025_2q.md")] == [0, 1, 1, 2, 1]
