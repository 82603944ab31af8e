"""Grouping of part summaries: it fits, keeps order, and always ends."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.briefs.reduce import ReduceStalledError, groups


@settings(derandomize=True, max_examples=200)
@given(st.lists(st.integers(1, 100), min_size=1, max_size=60), st.integers(200, 600))
def test_levels_end_and_every_group_fits(tokens: list[int], limit: int) -> None:
    """With texts of at most half the limit the number of texts falls at every level."""
    levels = 0
    while True:
        plan = groups(tokens, limit)
        assert [index for group in plan for index in group] == list(range(len(tokens)))
        assert all(sum(tokens[index] for index in group) <= limit for group in plan)
        if len(plan) == 1:
            break
        assert len(plan) < len(tokens)
        tokens = [100] * len(plan)
        levels += 1
        assert levels <= 60


def test_texts_that_fit_together_are_one_group() -> None:
    assert groups([10, 20, 30], 60) == [[0, 1, 2]]


def test_groups_are_balanced() -> None:
    assert [len(group) for group in groups([10] * 8, 50)] == [4, 4]


@pytest.mark.parametrize("tokens", [[90, 90], [70, 60, 80], [200]])
def test_texts_too_long_to_meet_are_a_named_failure_not_a_loop(tokens: list[int]) -> None:
    with pytest.raises(ReduceStalledError) as caught:
        groups(tokens, 100)
    with pytest.raises(ReduceStalledError):
        groups(tokens, 0)
    assert "input_limit" in caught.value.remedy
