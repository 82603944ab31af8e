"""The call cache: completed calls, who works on what, generations.

Here: ``CallStore``, plain blocking calls on a database; ``cached`` runs them off the event
loop. A completed call is one whose payload is committed here; only then it is used. Only
``cached``, ``build`` and benchmarks import this module.

Claims: a process claims a key before it calls, and renews the claim while it lives. After a
kill the claim runs out by its lease and the next one takes it over; the killed call's row in
the ledger then says so. Clocks of several machines must agree within the lease; if they do
not, a call may be made twice, but all get the answer that was committed first.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import time
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from g2_pipelines.keys import digest_of
from g2_pipelines.models.claims import Claim, Finished, Held, Hit, Turned
from g2_pipelines.models.config import CacheConfig
from g2_pipelines.models.database import (
    CALLS,
    CLAIMS,
    GENERATIONS,
    LEDGER,
    named_failures,
    open_database,
    reading,
    writing,
)
from g2_pipelines.models.statements import (
    end_claims,
    find_answers,
    find_claims,
    in_parts,
    ledger_row,
    take_over,
)
from g2_pipelines.tables.ledger import ModelCall


class CallStore:
    """One database of calls, safe in threads; opened at the first use, not before.

    Every method blocks and raises CallCacheError when the database cannot be used.
    """

    def __init__(self, config: CacheConfig) -> None:
        self.config = config
        self._lock = threading.Lock()
        self._opened: _Opened | None = None

    def find(self, keys: Iterable[str]) -> dict[str, bytes]:
        """The payloads of those keys that are complete; damaged ones count as missing."""
        with self._reading() as (connection, generation):
            return find_answers(connection, list(keys), generation.served)

    def blocked(self, keys: Iterable[str]) -> set[str]:
        """Those keys on which somebody's claim has not run out."""
        blocked: set[str] = set()
        with self._reading() as (connection, _):
            for part in in_parts(list(keys)):
                query = sa.select(CLAIMS.c.key).where(
                    CLAIMS.c.key.in_(part), CLAIMS.c.expires_at > time()
                )
                blocked.update(connection.scalars(query))
        return blocked

    def acquire(self, calls: Sequence[ModelCall], owner: str) -> list[Hit | Claim | Held]:
        """Serve each call's key, claim it for ``owner``, or say that it is held; in order.

        Keys must differ. Claims are written together with the ledger rows that show the
        calls in flight.
        """
        try:
            with self._writing() as (connection, generation):
                return self._acquire(connection, generation, calls, owner)
        except IntegrityError:  # another one's insert came first: look again later
            return [Held() for _ in calls]

    def turn(self, items: Sequence[Finished | ModelCall], owner: str) -> list[Turned]:
        """``finish`` the finished ones, then ``acquire`` the calls; in one transaction.

        Results stand in the items' order. One by one, the database took 7 ms of CPU a call,
        which 64 calls in flight cannot spare.
        """
        finished = [item for item in items if isinstance(item, Finished)]
        calls = [item for item in items if isinstance(item, ModelCall)]
        try:
            with self._writing() as (connection, generation):
                kept = self._finish(connection, generation, finished)
                states = self._acquire(connection, generation, calls, owner)
        except IntegrityError:  # another one's insert came first: each by itself
            kept, states = self.finish(finished), self.acquire(calls, owner)
        done, open_ = iter(kept), iter(states)
        return [next(done) if isinstance(item, Finished) else next(open_) for item in items]

    def _acquire(
        self,
        connection: sa.Connection,
        generation: _Generation,
        calls: Sequence[ModelCall],
        owner: str,
    ) -> list[Hit | Claim | Held]:
        if not calls:
            return []
        now = time()
        keys = [call.key for call in calls]
        found = find_answers(connection, keys, generation.served, drop_damaged=True)
        claimed = find_claims(connection, keys)
        results: list[Hit | Claim | Held] = []
        rows: list[dict[str, object]] = []
        for call in calls:
            old = claimed.get(call.key)
            if call.key in found:
                results.append(Hit(found[call.key]))
            elif old is not None and old.expires_at > now:
                results.append(Held())
            else:
                if old is not None:
                    take_over(connection, call.key, old.owner)
                results.append(Claim(call.key, owner))
                rows.append(ledger_row(call, owner))
        if rows:
            expires_at = now + self.config.lease_s
            claims = [{"key": row["key"], "owner": owner, "expires_at": expires_at} for row in rows]
            connection.execute(sa.insert(CLAIMS), claims)
            connection.execute(sa.insert(LEDGER), rows)
        return results

    def finish(self, calls: Sequence[Finished]) -> list[bytes | None]:
        """Store completed calls, end their claims and ledger rows; one transaction.

        Returns the payloads to use, None for a failed call: the one stored first, if a
        claim had run out and another process was faster. All users of a key see one answer.
        """
        for last in (False, True):
            try:
                with self._writing() as (connection, generation):
                    return self._finish(connection, generation, calls)
            except IntegrityError:  # another one's insert came first: now it is found
                if last:
                    raise
        raise AssertionError  # pragma: no cover  the loop returns or raises

    def _finish(
        self, connection: sa.Connection, generation: _Generation, calls: Sequence[Finished]
    ) -> list[bytes | None]:
        if not calls:
            return []
        answers = {call.claim.key: call.payload for call in calls if call.payload is not None}
        found = find_answers(connection, list(answers), generation.current, drop_damaged=True)
        new = [
            {
                "key": key,
                "generation": generation.current,
                "payload": payload,
                "digest": digest_of(payload),
            }
            for key, payload in answers.items()
            if key not in found
        ]
        if new:
            connection.execute(sa.insert(CALLS), new)
        end_claims(connection, calls)
        return [found.get(call.claim.key, call.payload) for call in calls]

    def renew(self, owner: str) -> None:
        """Extend all claims of ``owner`` by the lease."""
        with self._writing() as (connection, _):
            expires_at = time() + self.config.lease_s
            connection.execute(
                sa.update(CLAIMS).where(CLAIMS.c.owner == owner).values(expires_at=expires_at)
            )

    def record(self, calls: Sequence[ModelCall], owner: str) -> None:
        """Add finished ledger rows, such as served calls."""
        with self._writing() as (connection, _):
            if calls:
                connection.execute(sa.insert(LEDGER), [ledger_row(call, owner) for call in calls])

    def forget(self, keys: Iterable[str]) -> None:
        """Take answers back: they are not served again."""
        with self._writing() as (connection, _):
            for part in in_parts(list(keys)):
                connection.execute(sa.delete(CALLS).where(CALLS.c.key.in_(part)))

    def export(self, path: Path) -> int:
        """Write every stored call as a JSON line {key, generation, call}; returns how many."""
        count = 0
        with self._reading() as (connection, _), path.open("w", encoding="ascii") as file:
            query = sa.select(CALLS).order_by(CALLS.c.key, CALLS.c.generation)
            for row in connection.execution_options(yield_per=500).execute(query):
                line = {
                    "key": row.key,
                    "generation": row.generation,
                    "call": json.loads(row.payload),
                }
                file.write(json.dumps(line) + "\n")
                count += 1
        return count

    def prune(self) -> int:
        """Delete the answers that a newer generation of their key replaced; returns how many."""
        newer = CALLS.alias()
        with self._writing() as (connection, _):
            replaced = sa.exists().where(
                newer.c.key == CALLS.c.key, newer.c.generation > CALLS.c.generation
            )
            return connection.execute(sa.delete(CALLS).where(replaced)).rowcount

    def engine(self) -> sa.Engine:
        """The open database, for the ledger's questions."""
        return self._open().engine

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        with self._lock:
            if self._opened is not None:
                self._opened.engine.dispose()
                self._opened = None

    def _open(self) -> _Opened:
        with self._lock:
            if self._opened is None:
                engine = open_database(self.config.url)
                with named_failures(self.config.url), writing(engine) as connection:
                    generation = _generation(connection, self.config)
                self._opened = _Opened(engine, generation)
            return self._opened

    @contextmanager
    def _writing(self) -> Iterator[tuple[sa.Connection, _Generation]]:
        opened = self._open()
        with named_failures(self.config.url), writing(opened.engine) as connection:
            yield connection, opened.generation

    @contextmanager
    def _reading(self) -> Iterator[tuple[sa.Connection, _Generation]]:
        opened = self._open()
        with named_failures(self.config.url), reading(opened.engine) as connection:
            yield connection, opened.generation


@dataclass(frozen=True, slots=True)
class _Generation:
    """served: the oldest generation that is served; current: the one written."""

    served: int
    current: int


@dataclass(frozen=True, slots=True)
class _Opened:
    engine: sa.Engine
    generation: _Generation


def _generation(connection: sa.Connection, config: CacheConfig) -> _Generation:
    if not config.refresh:
        newest = connection.scalar(sa.select(sa.func.max(GENERATIONS.c.number)))
        return _Generation(served=0, current=newest or 0)
    name = config.generation or uuid4().hex
    query = sa.select(GENERATIONS.c.number).where(GENERATIONS.c.name == name)
    number = connection.scalar(query)
    if number is None:
        connection.execute(sa.insert(GENERATIONS).values(name=name))
        number = connection.scalar(query)
    return _Generation(served=number or 0, current=number or 0)
