"""A sixth suite of twins in two halves by two authors, written without sight of the code.

The first run on each half: turns 0.923, roles 0.883, chunk boundaries 0.896 (p01 to p30); then,
the kinds of those faults mended, turns 0.958, roles 0.819, chunk boundaries 0.790 (r01 to r29).
The kinds of fault of both are mended since. In three twins (p16, p19, p20) the gold had the words
of investor relations' staff who only welcome and hand over as a presentation; by the suites'
conventions they lead. What is asserted is what the suite as a whole must keep.
"""

from __future__ import annotations

import pytest

from benchmarks.transcript_golds import TWINS, Scored, scored_twins
from benchmarks.transcript_tables import table
from g2_pipelines_tests.transcripts.helpers import CharacterTokenizer


@pytest.fixture(scope="module")
def twins() -> list[Scored]:
    return list(scored_twins(TWINS.parent / "blind6", CharacterTokenizer()))


def test_turns_roles_and_chunks_of_the_sixth_suite_are_found(twins: list[Scored]) -> None:
    found = table(twins)
    assert len(twins) == 59
    assert found.turn_f1 >= 0.99
    assert found.role_accuracy >= 0.99
    assert found.chunk_f1 >= 0.98
    assert found.segmentation == 1.0


def test_no_character_of_the_sixth_suite_is_lost_or_held_twice(twins: list[Scored]) -> None:
    assert {one.name: one.fit.coverage for one in twins if one.fit.coverage != 1.0} == {}
