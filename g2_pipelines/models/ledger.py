"""The ledger of model calls: what was asked, what it cost, what is in flight.

Here: reading it. ``cache`` writes it, a call's row together with its claim and its answer.
``defs``, ``cli`` (through ``build.open_ledger``) and benchmarks may import this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias

import sqlalchemy as sa

from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.database import LEDGER, named_failures, reading
from g2_pipelines.tables.ledger import ModelCall
from g2_pipelines.tables.rows import Row

#: What calls can be summed by.
Group: TypeAlias = Literal["day", "asset", "partition", "subject", "task", "engine", "model"]


class CallTotals(Row):
    """Sums over the calls of one group; what the group does not fix is "".

    day: of the start, in UTC. sent: calls answered or failed by an engine; refused: never
    sent (out of budget or quota, too long); served: answered by the call cache, with the
    tokens that this saved. prompt_tokens and completion_tokens are those of sent calls,
    failed attempts too; cached_tokens is the part of prompt_tokens in the server's cache.
    """

    day: str = ""
    asset: str = ""
    partition: str = ""
    subject: str = ""
    task: str = ""
    engine: str = ""
    model: str = ""
    sent: int
    failed: int
    refused: int
    served: int
    in_flight: int
    attempts: int
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    saved_prompt_tokens: int
    saved_completion_tokens: int


class Ledger:
    """Questions to the ledger of one call cache. Blocking; raises CallCacheError."""

    def __init__(self, store: CallStore) -> None:
        self._store = store

    def read(self, since: datetime | None = None, *, subject: str | None = None) -> list[ModelCall]:
        """The rows in order of their start, oldest first; those started at ``since`` or later.

        ``since`` without a zone is UTC. ``subject``: a partition (company, document,
        question), or a subject with all below it.
        """
        columns = [LEDGER.c[name] for name in ModelCall.model_fields]
        query = _chosen(sa.select(*columns), since, subject).order_by(LEDGER.c.id)
        with named_failures(self._store.config.url), reading(self._store.engine()) as connection:
            rows = connection.execute(query).mappings()
            return [ModelCall.model_validate(dict(row)) for row in rows]

    def totals(
        self,
        since: datetime | None = None,
        *,
        subject: str | None = None,
        by: Sequence[Group] = ("subject", "task", "engine", "model"),
    ) -> list[CallTotals]:
        """Sums per group of ``by``, sorted by it."""
        day = sa.func.substr(LEDGER.c.started_at, 1, 10).label("day")
        names = [day if name == "day" else LEDGER.c[name] for name in by]
        outcome = LEDGER.c.outcome
        sent = outcome.in_(["ok", "failed"]) & (LEDGER.c.attempts > 0)
        sums = {
            "sent": _sum_where(sent, 1),
            "failed": _sum_where(sent & (outcome == "failed"), 1),
            "refused": _sum_where((outcome == "failed") & (LEDGER.c.attempts == 0), 1),
            "served": _sum_where(outcome == "cached", 1),
            "in_flight": _sum_where(outcome == "in_flight", 1),
            "attempts": _sum_where(sent, LEDGER.c.attempts),
            "prompt_tokens": _sum_where(sent, LEDGER.c.prompt_tokens),
            "completion_tokens": _sum_where(sent, LEDGER.c.completion_tokens),
            "cached_tokens": _sum_where(sent, LEDGER.c.cached_tokens),
            "saved_prompt_tokens": _sum_where(outcome == "cached", LEDGER.c.prompt_tokens),
            "saved_completion_tokens": _sum_where(outcome == "cached", LEDGER.c.completion_tokens),
        }
        columns = [column.label(name) for name, column in sums.items()]
        query = _chosen(sa.select(*names, *columns), since, subject)
        query = query.group_by(*names).order_by(*names)
        with named_failures(self._store.config.url), reading(self._store.engine()) as connection:
            rows = connection.execute(query).mappings()
            return [CallTotals.model_validate(dict(row)) for row in rows]


def started_now() -> str:
    """Now as the ledger writes it: UTC, ISO 8601, microseconds, so that text sorts by time."""
    return _stamp(datetime.now(UTC))


def _stamp(moment: datetime) -> str:
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.isoformat(timespec="microseconds")


def _sum_where(
    condition: sa.ColumnElement[bool], value: sa.ColumnElement[int] | int
) -> sa.Cast[int]:
    total = sa.func.coalesce(sa.func.sum(sa.case((condition, value), else_=0)), 0)
    return sa.cast(total, sa.BigInteger)


def _chosen(
    query: sa.Select[tuple[object, ...]], since: datetime | None, subject: str | None
) -> sa.Select[tuple[object, ...]]:
    if since is not None:
        query = query.where(LEDGER.c.started_at >= _stamp(since))
    if subject is not None:
        below = LEDGER.c.subject.startswith(f"{subject}/", autoescape=True)
        mine = (LEDGER.c.partition == subject) | (LEDGER.c.subject == subject) | below
        query = query.where(mine)
    return query
