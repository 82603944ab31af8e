"""Typed failures as Dagster shows them: what failed, why, and whether a retry can help.

Here: the record of one failed partition, the one table of kinds worth a retry, and the
``Failure`` that ends a batch. The errors themselves stand in ``g2_pipelines.errors``.

Dagster retries by three independent mechanisms: an op's RetryPolicy (stopped by
``allow_retries=False``), the daemon's run retries (by tag) and automation conditions.
None is switched on here; the model client does its own bounded retries per call.

https://docs.dagster.io/guides/build/ops/op-retries
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg

from g2_pipelines.errors import G2Error, InputError, Kind

#: A later try can help where a service or a limit was at fault, never with a wrong input.
WORTH_A_RETRY: dict[Kind, bool] = {
    "input": False,
    "not_yet": False,
    "model": True,
    "limit": True,
    "bug": False,
}


class MixedSelectionError(InputError):
    """A run holds several steps and several partitions: later steps would be skipped."""

    code = "mixed_selection"


class BlockedError(InputError):
    """Not written, because something that it is made from failed in the same run."""

    code = "blocked"


class GateError(InputError):
    """A gate kept a brief from being published."""

    code = "gate"


@dataclass(frozen=True)
class Failed:
    """One asset partition that was not written; ``stored``: written without a bad input."""

    partition: str
    asset: dg.AssetKey
    error: G2Error
    stored: bool = False


def batch_failure(failed: Sequence[Failed], partitions: int) -> dg.Failure:
    """The failure that ends a batch: first causes in words, all of them as a table."""
    causes = [f for f in failed if not isinstance(f.error, BlockedError)] or list(failed)
    bad = {f.partition for f in failed}
    head = f"{len(bad)} of {partitions} partitions failed" if partitions > 1 else "Failed"
    # Once each: all assets of a partition may lack the same thing, and would hide the others.
    words = list(dict.fromkeys(f"{f.partition}: {f.error}" for f in causes))
    lines = "; ".join(words[:5])
    more = f"; and {len(words) - 5} more" if len(words) > 5 else ""
    records = [
        dg.TableRecord(
            {
                "partition": f.partition,
                "asset": f.asset.to_user_string(),
                "kind": f.error.kind,
                "code": f.error.code,
                "message": f.error.message,
                "file": f.error.file,
                "place": f.error.place,
                "remedy": f.error.remedy,
            }
        )
        for f in sorted(failed, key=lambda f: (f.partition, f.asset.to_user_string()))
    ]
    return dg.Failure(
        f"{head}. {lines}{more}",
        metadata={"failed": dg.MetadataValue.table(records)},
        allow_retries=all(WORTH_A_RETRY[f.error.kind] for f in causes),
    )
