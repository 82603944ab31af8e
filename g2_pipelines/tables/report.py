"""Row models of the evaluation report: comparisons, texts, flagged claims, verdicts, votes.

The report's rows hold no time, duration or cost: equal texts give equal rows. What a run cost
and when it was made is a ``ReportRun``, kept in a file of its own.
"""

from __future__ import annotations

from typing import Literal

from g2_pipelines.tables.line1 import ClaimKind, ClaimStatus
from g2_pipelines.tables.rows import Aspect, Made, Row, Span

Where = Literal["left", "right"]
Scope = Literal["all", "aspect", "source_type"]
Group = Literal["paper", "check"]
Unit = Literal["text", "company"]
Light = Literal["green", "amber", "red"]
Preference = Literal["left", "right", "tie"]


class Side(Row):
    """What was found on one side: count, rate with its Wilson 95 % interval, mean value."""

    failed: int
    rate: float
    low: float
    high: float
    mean_value: float


class Comparison(Row):
    """One check on ``n`` pairs: both sides, the pairs where only one fails, McNemar's exact p.

    ``of`` is the aspect or source type where ``scope`` is one. ``p_holm`` is p after Holm's
    correction over the rows of its scope, group and ``of``. ``p_company``: exact sign test over
    companies, by which side more of a company's texts fail: texts of one company are not
    independent. ``unpaired`` counts units that only one side has, and that are in no figure here.
    """

    check: str
    group: Group = "check"
    scope: Scope = "all"
    of: str = ""
    unit: Unit = "text"
    gate: bool = False
    n: int
    left: Side
    right: Side
    only_left: int
    only_right: int
    p_value: float
    p_holm: float = 1.0
    p_company: float = 1.0
    unpaired: int = 0


class ReportText(Row):
    """One text of a report and what its evaluation found, in counts.

    light: red where a gate failed, amber where another check did, else green. ``digest`` is
    the text's.
    """

    edinet_code: str
    name: str
    fiscal_year: str
    aspect: Aspect
    where: Where
    strategy: str
    engine: str
    model: str
    prompt_version: str
    digest: str
    light: Light
    nothing_found: bool
    tokens: int
    claims: int
    bad_claims: int
    sentences: int
    unsupported: int
    failed_gates: list[str] = []
    failed_checks: list[str] = []


class FlaggedClaim(Row):
    """A claim that the sources do not bear out, with its sentence and its nearest place."""

    edinet_code: str
    fiscal_year: str
    aspect: Aspect
    where: Where
    kind: ClaimKind
    status: ClaimStatus
    text: str
    note: str
    sentence: str
    evidence: list[Span] = []


class JudgeVerdict(Made):
    """A model's verdict on a pair by one criterion, from both orders.

    first, second: what was preferred with the left text shown first, and with it second.
    verdict is theirs where they agree, else ``tie``; flipped says that they differed.
    left_digest, right_digest: of the texts judged.
    """

    edinet_code: str
    fiscal_year: str
    aspect: Aspect
    criterion: str
    first: Preference
    second: Preference
    verdict: Preference
    flipped: bool
    reason_first: str
    reason_second: str
    left_digest: str
    right_digest: str
    seed: int


class ReaderVote(Row):
    """A reader's preference on one item of a blind sheet, by one criterion.

    left_digest, right_digest: of the texts that were read.
    """

    sheet_id: str
    reader: str
    item: int
    edinet_code: str
    fiscal_year: str
    aspect: Aspect
    left_digest: str
    right_digest: str
    criterion: str
    vote: Preference


class ReportRun(Row):
    """When a report was made and what its texts' model calls cost so far; for the trend.

    left_*, right_*: share of texts that pass their gates, of texts with an altered or missing
    figure, and of claims that the sources bear out. calls to money: of the ledger; money None
    without prices.
    """

    made_at: str
    run_id: str
    version: str
    data_version: str
    report_digest: str
    n: int
    left_passed: float
    right_passed: float
    left_supported: float
    right_supported: float
    left_numbers: float
    right_numbers: float
    calls: int
    cached: int
    failed: int
    prompt_tokens: int
    completion_tokens: int
    money: float | None = None
    currency: str = ""
    seconds: float
