"""What a failed batch says in words."""

import dagster as dg

from g2_pipelines.defs.failures import Failed, batch_failure
from g2_pipelines.errors import NotYetError


def failed(partition: str, asset: str) -> Failed:
    error = NotYetError("Filing has not been made", file=partition, remedy="Make it")
    return Failed(partition, dg.AssetKey([asset]), error)


def test_a_cause_of_many_assets_is_told_once_and_hides_no_other_partition():
    assets = [f"summary_{number}" for number in range(6)]
    failure = batch_failure([failed(p, a) for p in ("E1", "E2", "E3") for a in assets], 10)
    words = failure.description or ""
    assert words.startswith("3 of 10 partitions failed. E1: ")
    assert [words.count(f"{p}: Filing") for p in ("E1", "E2", "E3")] == [1, 1, 1]
    assert "more" not in words
    assert len(failure.metadata["failed"].records) == 18


def test_many_partitions_are_cut_short_and_counted():
    failure = batch_failure([failed(f"E{number}", "a") for number in range(8)], 8)
    assert (failure.description or "").endswith("; and 3 more")
