"""Partition definitions of all assets.

Here: the three dynamic sets (companies, documents, questions), the days of the EDINET
listing, and the pure function that turns scattered keys into contiguous ranges.
What adds keys stands in ``sensors``. Only ``defs`` and ``cli`` import this.

https://docs.dagster.io/guides/build/partitions-and-backfills/partitioning-assets
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import dagster as dg

companies = dg.DynamicPartitionsDefinition(name="companies")
documents = dg.DynamicPartitionsDefinition(name="documents")
questions = dg.DynamicPartitionsDefinition(name="questions")

#: EDINET keeps annual reports for ten years; its days are Japanese ones.
listing_days = dg.DailyPartitionsDefinition(
    start_date="2016-04-01", timezone="Asia/Tokyo", end_offset=1
)


def contiguous_ranges(
    wanted: Collection[str], ordered: Sequence[str], limit: int
) -> list[list[str]]:
    """Cut ``wanted`` into runs of keys that are neighbours in ``ordered``, each ≤ ``limit``.

    One run request can name one range only, and a range follows the order of insertion.
    Keys that are not in ``ordered`` are left out.
    """
    ranges: list[list[str]] = []
    current: list[str] = []
    for key in ordered:
        if key in wanted and len(current) < limit:
            current.append(key)
            continue
        if current:
            ranges.append(current)
        current = [key] if key in wanted else []
    if current:
        ranges.append(current)
    return ranges


def range_tags(keys: Sequence[str]) -> dict[str, str]:
    """Run tags for a contiguous range of partition keys."""
    return {
        "dagster/asset_partition_range_start": keys[0],
        "dagster/asset_partition_range_end": keys[-1],
    }
