"""The call cache's statements: finding answers and claims, ending claims, rows.

Here: what runs inside a transaction that ``cache`` has opened; only it imports this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from g2_pipelines.keys import digest_of
from g2_pipelines.models.claims import Finished
from g2_pipelines.models.database import CALLS, CLAIMS, LEDGER, storable
from g2_pipelines.tables.ledger import ModelCall

_KEYS_PER_QUERY = 500
_ABANDONED = "abandoned: its process ended before an answer was kept"


def find_answers(
    connection: sa.Connection, keys: list[str], served: int, *, drop_damaged: bool = False
) -> dict[str, bytes]:
    """The payloads of those keys that are whole; ``served``: the oldest generation that counts."""
    found: dict[str, bytes] = {}
    for part in in_parts(keys):
        query = (
            sa.select(CALLS)
            .where(CALLS.c.key.in_(part), CALLS.c.generation >= served)
            .order_by(CALLS.c.generation)
        )
        for row in connection.execute(query):
            if isinstance(row.payload, bytes) and digest_of(row.payload) == row.digest:
                found[row.key] = bytes(row.payload)
            elif drop_damaged:
                damaged = (CALLS.c.key == row.key) & (CALLS.c.generation == row.generation)
                connection.execute(sa.delete(CALLS).where(damaged))
    return found


def take_over(connection: sa.Connection, key: str, owner: str) -> None:
    """End a claim whose lease ran out; its call is no longer in flight."""
    connection.execute(sa.delete(CLAIMS).where(CLAIMS.c.key == key, CLAIMS.c.owner == owner))
    connection.execute(
        sa.update(LEDGER)
        .where(LEDGER.c.key == key, LEDGER.c.owner == owner, LEDGER.c.outcome == "in_flight")
        .values(
            outcome="failed",
            attempts=1,  # it may have been sent
            error=_ABANDONED,
        )
    )


def find_claims(connection: sa.Connection, keys: list[str]) -> dict[str, sa.Row[tuple[Any, ...]]]:
    """The claims on those keys, run out or not."""
    claimed: dict[str, sa.Row[tuple[Any, ...]]] = {}
    for part in in_parts(keys):
        for row in connection.execute(sa.select(CLAIMS).where(CLAIMS.c.key.in_(part))):
            claimed[row.key] = row
    return claimed


def end_claims(connection: sa.Connection, calls: Sequence[Finished]) -> None:
    """Take the claims back and end their ledger rows.

    Also a row that was taken for abandoned: a process that was only slow (its machine slept)
    did send its call, and what that cost was paid.
    """
    ids = [{"b_key": call.claim.key, "b_owner": call.claim.owner} for call in calls]
    mine = (CLAIMS.c.key == sa.bindparam("b_key")) & (CLAIMS.c.owner == sa.bindparam("b_owner"))
    connection.execute(sa.delete(CLAIMS).where(mine), ids)
    row = (
        (LEDGER.c.key == sa.bindparam("b_key"))
        & (LEDGER.c.owner == sa.bindparam("b_owner"))
        & ((LEDGER.c.outcome == "in_flight") | (LEDGER.c.error == _ABANDONED))
    )
    changed = ["prompt_tokens", "completion_tokens", "cached_tokens", "latency_s", "attempts"]
    changed += ["outcome", "error"]
    update = sa.update(LEDGER).where(row).values({name: sa.bindparam(name) for name in changed})
    values = [
        {**{name: ledger_row(call.row, "")[name] for name in changed}, **where}
        for call, where in zip(calls, ids, strict=True)
    ]
    connection.execute(update, values)


def ledger_row(call: ModelCall, owner: str) -> dict[str, object]:
    """The ledger's columns of a call."""
    values = call.model_dump()
    texts = {name: storable(text) for name, text in values.items() if isinstance(text, str)}
    return {**values, **texts, "owner": owner}


def in_parts(keys: list[str]) -> Iterator[list[str]]:
    """The keys by as many as one query takes."""
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        yield keys[start : start + _KEYS_PER_QUERY]
