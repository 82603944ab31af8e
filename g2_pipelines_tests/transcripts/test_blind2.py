"""A second suite of twins, by another author, without sight of the code.

The first run on them, before any fault was mended: turns 0.931, roles 0.891, chunk
boundaries 0.885. One gold was corrected by its author before that run. What is asserted is
what the suite as a whole must keep.
"""

from __future__ import annotations

import pytest

from benchmarks.transcript_golds import TWINS, Scored, scored_twins
from benchmarks.transcript_tables import table
from g2_pipelines_tests.transcripts.helpers import CharacterTokenizer

SECOND = TWINS.parent / "blind2"


@pytest.fixture(scope="module")
def twins() -> list[Scored]:
    return list(scored_twins(SECOND, CharacterTokenizer()))


def test_the_second_suite_is_whole(twins: list[Scored]) -> None:
    assert len(twins) == 40
    assert len({one.gold.style for one in twins}) == 40


def test_turns_roles_and_chunks_of_the_second_suite_are_found(twins: list[Scored]) -> None:
    found = table(twins)
    assert found.turn_f1 >= 0.99
    assert found.role_accuracy >= 0.99
    assert found.chunk_f1 >= 0.98
    assert found.segmentation == 1.0


def test_no_character_of_the_second_suite_is_lost_or_held_twice(twins: list[Scored]) -> None:
    assert {one.name: one.fit.coverage for one in twins if one.fit.coverage != 1.0} == {}
