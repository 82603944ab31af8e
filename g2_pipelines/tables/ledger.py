"""Row model of the ledger of model calls; the only table that holds times and attempts."""

from __future__ import annotations

from typing import Literal

from g2_pipelines.tables.rows import Row

Outcome = Literal["ok", "cached", "failed", "in_flight"]


class ModelCall(Row):
    """One model call. Times are seconds; cached_tokens is what the server's prefix cache had."""

    key: str
    task: str
    subject: str  # company, document or question it was made for
    asset: str = ""  # what was being made, pre_summaries/environment
    partition: str = ""
    engine: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    latency_s: float
    attempts: int
    outcome: Outcome
    error: str = ""
    started_at: str
