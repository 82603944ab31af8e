"""Runs of steps from a shell: one chain of jobs over some keys, in this process.

Here: the bridge from commands to Dagster, which is imported only when a run starts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

from g2_pipelines.errors import (
    G2Error,
    InputError,
    LimitError,
    ModelError,
    NotYetError,
    StateError,
)

if TYPE_CHECKING:
    from g2_pipelines.defs.instance import RunOutcome
    from g2_pipelines.defs.workspace import Workspace

PartitionSet = Literal["companies", "documents", "questions"]
_ONE = {"companies": "company", "documents": "document", "questions": "question"}
CHAINS: dict[PartitionSet, tuple[str, ...]] = {
    "companies": ("sources", "summaries", "judgement"),
    "documents": ("documents", "graph"),
    "questions": ("answers",),
}


class RunFailedError(G2Error):
    """A run ended red for a reason that has no typed failure: ours."""

    code = "run_failed"


class RunStoppedError(StateError):
    """Somebody ended the run: a signal to the process, or the UI."""

    code = "run_stopped"


_KINDS: dict[str, type[G2Error]] = {
    error.kind: error for error in (InputError, NotYetError, ModelError, LimitError, StateError)
}


def run_chain(
    ws: Workspace,
    partitions: PartitionSet,
    keys: Sequence[str],
    *,
    steps: Sequence[str] | None = None,
    fiscal_year: str = "",
) -> list[RunOutcome]:
    """Run the steps of a line over ``keys``; a step's failed keys do not stop the others.

    Each step runs over all keys: where an earlier step failed, the later one fails with what
    is missing, and is left out of the outcomes as a consequence.
    """
    from g2_pipelines.defs import partitions as sets
    from g2_pipelines.defs.build import build_definitions
    from g2_pipelines.defs.instance import add_keys, open_instance, run_job
    from g2_pipelines.defs.shell_chains import ShellChain

    definition = {
        "companies": sets.companies,
        "documents": sets.documents,
        "questions": sets.questions,
    }[partitions]
    defs = build_definitions(workspace=ws)
    config: dict[str, object] | None = {"fiscal_year": fiscal_year} if fiscal_year else None
    outcomes: list[RunOutcome] = []
    chain = ShellChain(steps or CHAINS[partitions])
    with ExitStack() as stack:
        instance = stack.enter_context(open_instance(ws.home))
        stack.callback(chain.end, instance)
        add_keys(instance, definition, keys)
        for step in chain.steps:
            started = time.monotonic()
            done = run_job(
                instance,
                defs,
                step,
                definition,
                keys,
                config=config,
                limit=ws.settings.batch_size,
                chain=chain,
            )
            outcomes.extend(done)
            state = "done" if all(outcome.success for outcome in done) else "failed"
            seconds = time.monotonic() - started
            what = partitions if len(keys) != 1 else _ONE[partitions]
            sys.stderr.write(f"{step}: {len(keys)} {what}, {state} in {seconds:.0f} s\n")
            if any(outcome.stopped for outcome in done):
                break
            if len(keys) == 1 and not all(outcome.success for outcome in done):
                break
    return outcomes


def failure_of(outcomes: Sequence[RunOutcome], key: str) -> G2Error | None:
    """The first failure of ``key`` in ``outcomes`` as it was typed in the run, or None."""
    for outcome in outcomes:
        if outcome.success:
            continue
        records = [r for r in outcome.failed if r["partition"] == key and r["code"] != "blocked"]
        if records:
            first = records[0]
            typed: type[G2Error] = type(
                "RunFailure", (_KINDS.get(first["kind"], G2Error),), {"code": first["code"]}
            )
            return typed(
                first["message"],
                file=first["file"],
                place=first["place"],
                remedy=first["remedy"],
            )
        if not outcome.failed:
            stopped = "Run it again: what was finished is kept, no answered call is made again"
            return (RunStoppedError if outcome.stopped else RunFailedError)(
                outcome.message,
                file=key,
                place=f"job {outcome.job}, run {outcome.run_id}",
                remedy=stopped
                if outcome.stopped
                else "See the run's log in `g2 ui`, and report it",
            )
    return None


def raise_failure(outcomes: Sequence[RunOutcome], key: str) -> None:
    """Raise the first failure of ``key``, if there is one."""
    error = failure_of(outcomes, key)
    if error is not None:
        raise error
