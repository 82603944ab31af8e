"""What was found of a figure: its status, the figures and facts that it stands on, and why.

Here: ``Verdict``. Only modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Found
from g2_pipelines.evaluation.fact_index import Fact
from g2_pipelines.tables.line1 import ClaimStatus


class Verdict(NamedTuple):
    """A status with its evidence, best first; ``note`` says how, for people."""

    status: ClaimStatus
    evidence: Sequence[Found] = ()
    note: str = ""
    facts: Sequence[Fact] = ()
