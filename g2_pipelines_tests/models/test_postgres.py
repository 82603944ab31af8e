"""The call cache on Postgres: the same promises as on SQLite, for a team.

Skipped where no server can be started; ``make test-postgres`` runs it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from benchmarks import cluster
from g2_pipelines.models.build import build_completion, build_embedding, open_ledger
from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.claims import Claim, Finished, Held, Hit
from g2_pipelines.models.config import BudgetConfig, CacheConfig, EmbeddingConfig
from g2_pipelines.models.errors import CallCacheError
from g2_pipelines.models.ports import Completion
from g2_pipelines.models.purpose import charged_to
from g2_pipelines_tests.models.helpers import ask, settings
from g2_pipelines_tests.models.server import ModelServer, chat
from g2_pipelines_tests.models.test_cached import row

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not cluster.is_there(), reason="Postgres or its driver is not installed"),
]


@pytest.fixture(scope="module")
def server_url() -> Iterator[str]:
    with cluster.cluster() as found:
        yield found


@pytest.fixture
def url(server_url: str, request: pytest.FixtureRequest) -> str:
    """A database of the test's own."""
    name = f"t{abs(hash(request.node.name)) % 10**9}"
    engine = sa.create_engine(server_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server_url.rsplit("/", 1)[0] + f"/{name}"


def test_two_ports_at_once_pay_once_and_a_second_run_makes_no_call(url: str) -> None:
    requests = [ask(f"{n}\x00") for n in range(30)]
    with ModelServer(lambda r: chat(f"答え\x00{r.number}", delay_s=0.02)) as server:
        ports = [build_completion(settings(server), CacheConfig(url=url)) for _ in range(2)]
        results: list[list[object]] = []
        threads = [
            threading.Thread(
                target=lambda p=port: results.append(asyncio.run(p.complete(requests)))
            )
            for port in ports
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        third = asyncio.run(
            build_completion(settings(server), CacheConfig(url=url)).complete(requests)
        )
        assert server.count == 30
    assert results[0] == results[1] == third
    assert all(isinstance(result, Completion) for result in third)


def test_claims_leases_and_who_comes_first(url: str) -> None:
    first, second = CallStore(CacheConfig(url=url)), CallStore(CacheConfig(url=url, lease_s=0.05))
    assert first.acquire([row("held")], "alive") == [Claim("held", "alive")]
    assert second.acquire([row("held")], "dead") == [Held()]
    assert second.acquire([row()], "dead") == [Claim("k", "dead")]
    threading.Event().wait(0.1)
    assert first.acquire([row()], "alive") == [Claim("k", "alive")]
    assert first.finish([Finished(Claim("k", "alive"), b"one", row(outcome="ok"))]) == [b"one"]
    assert second.finish([Finished(Claim("k", "dead"), b"two", row(outcome="ok"))]) == [b"one"]
    assert second.acquire([row()], "third") == [Hit(b"one")]
    calls = open_ledger(CacheConfig(url=url)).read()
    outcomes = [(call.outcome, call.error[:9]) for call in calls if call.key == "k"]
    assert outcomes == [("ok", ""), ("ok", "")]


def test_refresh_export_and_prune(url: str, tmp_path: Path) -> None:
    with ModelServer(lambda r: chat(f"answer {r.number}")) as server:
        for refresh in (False, True, False):
            port = build_completion(settings(server), CacheConfig(url=url, refresh=refresh))
            [last] = asyncio.run(port.complete([ask()]))
        assert server.count == 2
    assert isinstance(last, Completion)
    assert last.text == "answer 1"
    store = CallStore(CacheConfig(url=url))
    assert store.export(tmp_path / "calls.jsonl") == 2
    assert (store.prune(), store.prune()) == (1, 0)


def test_sums_accounts_budgets_and_embeddings(url: str) -> None:
    with ModelServer() as server:
        day = BudgetConfig(day_tokens=25)
        with charged_to(asset="pre_summaries/issues", partition="E99001"):
            port = build_completion(settings(server), CacheConfig(url=url), day)
            asyncio.run(port.complete([ask("1", max_tokens=9), ask("2", max_tokens=9)]))
        again = build_completion(settings(server), CacheConfig(url=url), day)
        [refused] = asyncio.run(again.complete([ask("3", max_tokens=9)]))
        given = EmbeddingConfig(engine="openai", base_url=server.base_url, model="e", dimension=8)
        with charged_to(asset="node_index", partition="doc"):
            for _ in range(2):
                asyncio.run(build_embedding(given, CacheConfig(url=url)).embed(["a", "b\x00"]))
        assert server.count == 3
    assert not isinstance(refused, Completion)
    assert refused.code == "budget_spent"
    rows = open_ledger(CacheConfig(url=url)).totals(by=("day", "asset", "partition"))
    found = [(row.asset, row.partition, row.sent, row.refused, row.prompt_tokens) for row in rows]
    assert found == [
        ("", "", 0, 1, 0),
        ("node_index", "doc", 2, 0, 1),
        ("pre_summaries/issues", "E99001", 2, 0, 14),
    ]
    assert len({row.day for row in rows}) == 1


def test_a_cache_of_the_first_schema_is_brought_up_by_one_of_many(url: str) -> None:
    with ModelServer() as server:
        port = build_completion(settings(server), CacheConfig(url=url))
        first = asyncio.run(port.complete([ask()]))
        engine = sa.create_engine(url)
        with engine.begin() as connection:
            connection.execute(sa.text("ALTER TABLE g2_ledger DROP COLUMN asset"))
            connection.execute(sa.text('ALTER TABLE g2_ledger DROP COLUMN "partition"'))
            connection.execute(sa.text("UPDATE g2_meta SET value = '1'"))
        stores = [CallStore(CacheConfig(url=url)) for _ in range(4)]
        found: list[object] = []
        threads = [
            threading.Thread(target=lambda s=store: found.append(s.find([first[0].call_key])))
            for store in stores
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [len(one) for one in found] == [1] * 4
        assert server.count == 1


def test_a_password_is_not_shown(url: str) -> None:
    wrong = url.replace("@127.0.0.1", "x@127.0.0.1")
    with pytest.raises(CallCacheError) as raised:
        CallStore(CacheConfig(url=wrong)).find(["k"])
    password = url.split(":")[2].split("@", maxsplit=1)[0]
    assert password not in str(raised.value)
