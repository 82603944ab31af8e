"""The call cache's database: tables, opening, and failures by name.

Here: the SQLAlchemy tables of calls, claims, generations and the ledger. Not here: what is
done with them (``cache``, ``ledger``); only these two import this module. All text columns
hold storable text: PostgreSQL refuses NUL and half surrogates, so payloads are ASCII JSON
in bytes and names are cleaned by ``storable``.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from g2_pipelines.models.errors import CallCacheError

SCHEMA_VERSION = "2"
_BUSY_S = 60.0  # how long a writer waits for another process's transaction

TABLES = sa.MetaData()
META = sa.Table(
    "g2_meta",
    TABLES,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.String(64), nullable=False),
)
GENERATIONS = sa.Table(
    "g2_generations",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
)
#: digest: SHA-256 of payload, since SQLite has no checksums of its own.
CALLS = sa.Table(
    "g2_calls",
    TABLES,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),
)
#: expires_at: seconds since the epoch by the claimer's clock.
CLAIMS = sa.Table(
    "g2_claims",
    TABLES,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(32), nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False),
    sa.Index("g2_claims_owner", "owner"),
)
LEDGER = sa.Table(
    "g2_ledger",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("owner", sa.String(32), nullable=False),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("task", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("asset", sa.Text, nullable=False, server_default=""),
    sa.Column("partition", sa.Text, nullable=False, server_default=""),
    sa.Column("engine", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("prompt_tokens", sa.BigInteger, nullable=False),
    sa.Column("completion_tokens", sa.BigInteger, nullable=False),
    sa.Column("cached_tokens", sa.BigInteger, nullable=False),
    sa.Column("latency_s", sa.Double, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("outcome", sa.String(16), nullable=False),
    sa.Column("error", sa.Text, nullable=False),
    sa.Column("started_at", sa.String(40), nullable=False),
    sa.Index("g2_ledger_key", "key"),
    sa.Index("g2_ledger_subject", "subject"),
    sa.Index("g2_ledger_partition", "partition"),
    sa.Index("g2_ledger_started", "started_at"),
)


def storable(text: str) -> str:
    """``text`` as every database takes it: no NUL, no half surrogate."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


@contextmanager
def named_failures(url: str) -> Iterator[None]:
    """Database exceptions as CallCacheError, without the URL's password and the statement.

    IntegrityError passes: it says that another process's insert came first.
    """
    try:
        yield
    except IntegrityError:
        raise
    except ImportError as error:
        raise CallCacheError(
            f"The database's driver is not installed ({error})",
            file=shown(url),
            remedy="pip install 'g2_pipelines[postgres]' for Postgres, else the URL's driver",
        ) from None
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise CallCacheError(
            f"The call cache cannot be used ({type(cause).__name__}: {str(cause)[:200]})",
            file=shown(url),
            remedy="Check the disk and the URL; a damaged SQLite file can be moved away: "
            "the answers in it are then asked for again",
        ) from None


def shown(url: str) -> str:
    """The URL as a person may see it."""
    try:
        return sa.make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return "(not a database URL)"


def open_database(url: str) -> sa.Engine:
    """An engine with its tables made; SQLite in WAL mode, its folder made.

    Raises:
        CallCacheError: not a database URL, no access, damaged, or of another version.
    """
    with named_failures(url):
        parsed = sa.make_url(url)
        sqlite = parsed.get_backend_name() == "sqlite"
        if sqlite and parsed.database and parsed.database != ":memory:":
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        arguments = {"timeout": _BUSY_S} if sqlite else {}
        engine = sa.create_engine(url, connect_args=arguments, pool_pre_ping=not sqlite)
        if sqlite:
            sa.event.listen(engine, "connect", _prepare_sqlite)
            sa.event.listen(engine, "begin", _begin_sqlite)
        with writing(engine) as connection:
            _lock(connection)
            _upgrade(connection)
            _make_tables(connection)
            _check_version(connection, url)
    return engine


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """One transaction that may write; in SQLite it takes the lock at once.

    A read lock that is raised to a write lock fails at once when two processes try it,
    whatever the busy timeout (https://www.sqlite.org/lang_transaction.html).
    """
    with engine.connect().execution_options(g2_writes=True) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: sa.Engine) -> Iterator[sa.Connection]:
    """One transaction that only reads; in WAL mode it waits for nobody."""
    with engine.connect() as connection, connection.begin():
        yield connection


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # BEGIN is ours, not the driver's
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {int(_BUSY_S * 1000)}")
    _to_wal(cursor)
    # FULL: an answer survives a power cut too; measured 0.36 ms a commit against 0.13 ms.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _to_wal(cursor: Any) -> None:
    """Switching a new file to WAL fails at once where another connection does the same."""
    for _ in range(100):
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(0.05)
        else:
            return
    cursor.execute("PRAGMA journal_mode = WAL")


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("g2_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _lock(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        # IF NOT EXISTS alone can fail when two processes make the same table.
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(7203761)"))


def _upgrade(connection: sa.Connection) -> None:
    """Schema 1 knew no asset and partition; its answers were paid for, and stay."""
    if not sa.inspect(connection).has_table(META.name) or _version(connection) != "1":
        return
    for name in ("asset", "partition"):
        column = sa.schema.CreateColumn(LEDGER.c[name]).compile(dialect=connection.dialect)
        connection.execute(sa.text(f"ALTER TABLE {LEDGER.name} ADD COLUMN {column}"))
    connection.execute(sa.update(META).where(META.c.name == "schema").values(value="2"))


def _version(connection: sa.Connection) -> str | None:
    return connection.scalar(sa.select(META.c.value).where(META.c.name == "schema"))


def _make_tables(connection: sa.Connection) -> None:
    for table in TABLES.sorted_tables:
        connection.execute(sa.schema.CreateTable(table, if_not_exists=True))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(sa.schema.CreateIndex(index, if_not_exists=True))


def _check_version(connection: sa.Connection, url: str) -> None:
    stored = _version(connection)
    if stored is None:
        connection.execute(sa.insert(META).values(name="schema", value=SCHEMA_VERSION))
    elif stored != SCHEMA_VERSION:
        raise CallCacheError(
            f"The call cache has schema {stored}, this version reads {SCHEMA_VERSION}",
            file=shown(url),
            remedy="Use the version that made it, or another call_cache_url",
        )
