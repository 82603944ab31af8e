"""The step ``edinet_listing``: a day's list of documents from EDINET, and what is done with it.

Here: the daily asset and what it shows: what was taken, what was skipped and why, what EDINET
changed since the last read. Reading and storing a day stands in ``days``, the rule in
``edinet.select``; what is taken becomes runs in ``listing_sensor``.

https://docs.dagster.io/guides/build/partitions-and-backfills/partitioning-assets
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.company import read_merged_codes
from g2_pipelines.defs.batch import Stage, Stored, run_batch
from g2_pipelines.defs.days import DayRead, changes_of, read_day
from g2_pipelines.defs.metadata import clip, table_metadata
from g2_pipelines.defs.partitions import companies, listing_days
from g2_pipelines.defs.steps import op_name
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.edinet.select import TAKEN, Decision, decide
from g2_pipelines.tables.line1 import Listing, ListingChange

#: Days in a run of a backfill: at a request a second a run takes about two minutes.
DAYS_PER_RUN = 100
#: Skipped documents shown one by one; all are counted.
SHOWN = 100
_QUIET = frozenset({"another kind of document", "company not followed"})


def decisions_of(ws: Workspace, rows: Sequence[Listing], followed: Iterable[str]) -> list[Decision]:
    """What is done with each row, also in the light of what other days say of the document."""
    merged = read_merged_codes(ws.home)
    decided = decide(rows, frozenset(followed), merged=merged, csv=ws.settings.edinet_csv_fallback)
    return [_ended(ws, decision) for decision in decided]


def _ended(ws: Workspace, decision: Decision) -> Decision:
    state = ws.registry.state(decision.row.docID or "") if decision.taken else None
    if state is None or state.state == "disclosed":
        return decision
    reason = "withdrawn" if state.state == "withdrawn" else "not disclosed"
    return decision.model_copy(update={"reason": reason})


def build_listing() -> dg.AssetsDefinition:
    """The asset ``edinet_listing``."""
    spec = specs.asset_spec(
        specs.EDINET_LISTING,
        Listing,
        group=specs.LINE_1,
        owner=specs.Owner.FILINGS,
        description="A day's list of EDINET documents, all 29 fields. Past days are rewritten"
        " by EDINET (withdrawals, edits), so they are read again; what changed is kept in"
        " listing_changes. The metadata say what was taken, what was skipped, and why.",
        kinds=("api", "polars", "parquet"),
    )

    @dg.multi_asset(
        name=op_name("listing"),
        specs=[spec],
        partitions_def=listing_days,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=DAYS_PER_RUN),
        pool="listing",  # two reads of a day at a time would lose the changes that one has seen
    )
    def listing(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]:
        followed = context.instance.get_dynamic_partitions(companies.name or "")

        async def make(client: Any, day: str) -> Stored:
            read = read_day(workspace, client, day)
            path = workspace.home.table(specs.table_name(specs.EDINET_LISTING), day)
            columns = ["docID", "edinetCode", "filerName", "docTypeCode", "docDescription"]
            decisions = decisions_of(workspace, read.rows, followed)
            more = _explained(read, decisions, changes_of(workspace, day))
            return Stored(read.digest, {**more, **table_metadata(read.rows, columns, path)})

        with workspace.edinet() as client:
            stage = Stage(specs.EDINET_LISTING, (), partial(make, client))
            yield from run_batch(context, [stage])

    return listing


def _explained(
    read: DayRead, decisions: Sequence[Decision], changes: Sequence[ListingChange]
) -> Mapping[str, Any]:
    """What a person wants to know of the day; who a withdrawn row was is known from before."""
    before = {change.docID: change for change in changes if change.edinetCode}
    taken = [d for d in decisions if d.taken]
    reasons = Counter(d.reason for d in decisions)
    told = [d for d in decisions if not d.taken and d.reason not in _QUIET]
    shown = sorted(taken, key=_order) + sorted(told, key=_order)[:SHOWN]
    hidden = len(told) - min(len(told), SHOWN)
    return {
        "as_of": read.as_of or "unknown",
        "read": read.how,
        "taken": len(taken),
        "taken_and_skipped": _table(
            ("document", "company", "filer", "what", "decision", "why"),
            [
                (
                    d.row.docID,
                    d.company or (known.edinetCode if known else None),
                    d.row.filerName or (known.filerName if known else None),
                    d.row.docDescription or d.row.docTypeCode,
                    "taken" if d.taken else "skipped",
                    d.reason,
                )
                for d in shown
                for known in [before.get(d.row.docID)]
            ],
        ),
        "reasons": _table(
            ("decision", "why", "documents"),
            [
                ("taken" if reason in TAKEN else "skipped", reason, str(count))
                for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
            ],
        ),
        **({"skipped_not_shown": hidden} if hidden else {}),
        "changed": len(read.changes),
        "changed_in_all": f"{len(changes)}, in the table listing_changes of the day",
        "changes_since_last_read": _table(
            ("document", "company", "filer", "change", "fields"),
            [(c.docID, c.edinetCode, c.filerName, c.change, _fields(c)) for c in read.changes],
        ),
    }


def _order(decision: Decision) -> tuple[str, str]:
    return (decision.reason, decision.row.docID or "")


def _fields(change: ListingChange) -> str:
    return clip(
        ", ".join(f"{f.name}: {f.before or '—'} → {f.after or '—'}" for f in change.fields), 300
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[str | None]]) -> dg.TableMetadataValue:
    return dg.MetadataValue.table(
        records=[
            dg.TableRecord(dict(zip(columns, (clip(v or "") for v in row), strict=True)))
            for row in rows
        ],
        schema=dg.TableSchema(columns=[dg.TableColumn(name, "string") for name in columns]),
    )
