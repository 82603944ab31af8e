"""What is judged of a figure, and what was found.

Here: ``Sentence``, a summary's with its aligned places, and ``Verdict``. Only modules of this
package import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import Found
from g2_pipelines.evaluation.fact_index import Fact
from g2_pipelines.evaluation.near_copy import NearCopy
from g2_pipelines.tables.line1 import ClaimStatus
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.numbers import Number


class Verdict(NamedTuple):
    """A status with its evidence, best first; ``note`` says how, for people."""

    status: ClaimStatus
    evidence: Sequence[Found] = ()
    note: str = ""
    facts: Sequence[Fact] = ()


class Sentence(NamedTuple):
    """A sentence of the summary with the places aligned to it.

    ``places`` best first; ``verbatim`` where the very sentence stands: then its figures are the
    source's, also where a line's end cuts them from 営業損失は; ``near`` how it compares with
    the place it is nearly a copy of; ``carried`` the period that the sentences before speak of,
    where it is not the one reported on.
    """

    text: str
    start: int
    places: Sequence[int]
    verbatim: Span | None
    near: NearCopy
    figures: Sequence[Number] = ()
    carried: str | None = None
