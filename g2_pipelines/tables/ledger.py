"""Rows of model calls: the ledger, the only table that holds times and attempts, and a dry run."""

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


class EstimatedCost(Row):
    """One group's calls. Numbers that begin with most are a bound, the others an expectation.

    calls: to be sent; cached: answered by the call cache at no cost. certain_prompt_tokens:
    the part of prompt_tokens in prompts that hold stored text alone, counted exactly.
    computed_prompt_tokens: what a server computes that keeps a prefix cache: a document once,
    its other aspects find it there. money is null without a price, and money_with_reuse is
    what it becomes with the price of cached input.
    """

    group: str
    calls: int
    cached: int
    prompt_tokens: int
    certain_prompt_tokens: int
    computed_prompt_tokens: int
    completion_tokens: int
    money: float | None
    money_with_reuse: float | None
    most_calls: int
    most_prompt_tokens: int
    most_completion_tokens: int
    most_money: float | None
