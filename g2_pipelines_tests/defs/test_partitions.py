"""Scattered keys become contiguous ranges, each within the limit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.defs.partitions import contiguous_ranges, range_tags


@pytest.mark.parametrize(
    ("wanted", "ordered", "limit", "expected"),
    [
        ({"a", "b", "c"}, "abc", 9, [["a", "b", "c"]]),
        ({"a", "c"}, "abc", 9, [["a"], ["c"]]),
        ({"a", "b", "c"}, "abc", 2, [["a", "b"], ["c"]]),
        ({"c", "b"}, "cab", 9, [["c"], ["b"]]),
        (set(), "abc", 9, []),
        ({"x"}, "abc", 9, []),
    ],
)
def test_ranges_by_hand(wanted: set[str], ordered: str, limit: int, expected: list[list[str]]):
    assert contiguous_ranges(wanted, list(ordered), limit) == expected


@settings(derandomize=True, max_examples=200)
@given(st.sets(st.integers(0, 30)), st.integers(0, 30), st.integers(1, 7))
def test_ranges_hold_every_key_once_and_no_other(wanted: set[int], size: int, limit: int):
    """A range that holds a key too many would run a company that nobody asked for."""
    ordered = [f"E{n}" for n in range(size)]
    keys = {f"E{n}" for n in wanted}
    ranges = contiguous_ranges(keys, ordered, limit)
    flat = [key for chunk in ranges for key in chunk]
    assert flat == [key for key in ordered if key in keys]
    for chunk in ranges:
        assert 1 <= len(chunk) <= limit
        start = ordered.index(chunk[0])
        assert ordered[start : start + len(chunk)] == chunk


def test_a_range_is_tagged_by_its_ends():
    assert range_tags(["E1", "E2", "E3"]) == {
        "dagster/asset_partition_range_start": "E1",
        "dagster/asset_partition_range_end": "E3",
    }
