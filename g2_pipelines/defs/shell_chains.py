"""Chains of steps that a shell runs itself: the sensors leave their later steps to it.

Here: the tags that say which steps a shell's process will still run, and whether it will.
``instance`` marks the runs; ``chain`` asks before it takes their events.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import dagster as dg

from g2_pipelines.defs.orphans import is_alive_here

CHAIN, NEXT, OVER = "g2/chain", "g2/chain_next", "g2/chain_over"


@dataclass(frozen=True)
class ShellChain:
    """One call of a command: the steps that it runs over the same keys, in order."""

    steps: Sequence[str]
    name: str = field(default_factory=lambda: uuid.uuid4().hex)

    def tags(self, step: str) -> dict[str, str]:
        """Tags of a run of ``step``: what this chain runs after it."""
        after = list(self.steps)[list(self.steps).index(step) + 1 :]
        return {CHAIN: self.name, NEXT: ",".join(after)} if after else {}

    def end(self, instance: dg.DagsterInstance) -> None:
        """Give what was not run to the sensors, also where this process lives on."""
        for run in instance.get_runs(filters=dg.RunsFilter(tags={CHAIN: self.name})):
            instance.add_run_tags(run.run_id, {OVER: "true"})


def will_run(tags: Mapping[str, str], job: str) -> bool:
    """Whether the shell that made a run with ``tags`` goes on and will run ``job`` itself.

    One whose process is gone will not; of one on another machine that is not known, and a
    step too many is better than one too few.
    """
    left = tags[NEXT].split(",") if NEXT in tags and OVER not in tags else []
    return job in left and is_alive_here(tags)
