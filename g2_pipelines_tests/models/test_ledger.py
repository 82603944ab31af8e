"""The ledger: on whose account a call is, and that old ledgers stay readable."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

from g2_pipelines.models.build import build_embedding, open_ledger
from g2_pipelines.models.config import EmbeddingConfig
from g2_pipelines.models.purpose import charged_to
from g2_pipelines_tests.models.helpers import answers, ask, cache_in, port_at
from g2_pipelines_tests.models.server import (
    ModelServer,
    Reply,
    ServerRequest,
    embeddings,
    vector_of,
)


def test_calls_are_on_the_account_of_what_is_being_made(tmp_path: Path) -> None:
    """Harm: nobody can say which asset or company made the bill."""
    with ModelServer() as server:
        port = port_at(server, tmp_path)

        async def make(asset: str, company: str, text: str) -> None:
            with charged_to(asset=asset, partition=company):
                await port.complete([ask(text, subject=company), ask(f"{text} 2", subject="")])

        async def both() -> None:
            await asyncio.gather(
                make("pre_summaries/environment", "E99001", "a"),
                make("pre_summaries/issues", "E99002", "b"),
            )

        asyncio.run(both())
        answers(port, [ask("outside", subject="E99001/2025-03/filing_policy")])
    ledger = open_ledger(cache_in(tmp_path))
    sums = ledger.totals(by=("asset", "partition"))
    assert [(row.asset, row.partition, row.sent) for row in sums] == [
        ("", "", 1),
        ("pre_summaries/environment", "E99001", 2),
        ("pre_summaries/issues", "E99002", 2),
    ]
    assert [row.sent for row in ledger.totals(subject="E99001", by=("asset",))] == [1, 2]
    [day] = ledger.totals(by=("day",))
    assert day.sent == 5
    assert len(day.day) == 10


def test_embeddings_have_tokens_and_an_account(tmp_path: Path) -> None:
    """The server counts a request; a text's share is by its length, and the sum is exact."""

    def script(request: ServerRequest) -> Reply:
        usual = embeddings([vector_of(text) for text in request.body["input"]])
        return Reply(body=usual.body.replace(b'"prompt_tokens": 1', b'"prompt_tokens": 17'))

    with ModelServer(script) as server:
        config = EmbeddingConfig(engine="openai", base_url=server.base_url, model="e", dimension=8)
        port = build_embedding(config, cache_in(tmp_path))
        with charged_to(asset="node_index", partition="doc-1"):
            asyncio.run(port.embed(["短い", "もっと長い文です", "x"]))
    rows = open_ledger(cache_in(tmp_path)).read(subject="doc-1")
    assert [(row.task, row.asset, row.subject) for row in rows] == [
        ("embedding", "node_index", "doc-1")
    ] * 3
    assert sum(row.prompt_tokens for row in rows) == 17
    assert rows[1].prompt_tokens > rows[0].prompt_tokens > 0


def test_a_companys_calls_are_found_by_partition_and_by_subject(tmp_path: Path) -> None:
    with ModelServer() as server:
        port = port_at(server, tmp_path)
        answers(
            port, [ask("1", subject="E99001/2025-03/filing_policy"), ask("2", subject="E99001")]
        )
        answers(port, [ask("3", subject="E990012/2025-03"), ask("4", subject="E99%")])
        with charged_to(asset="a", partition="E99001"):
            answers(port, [ask("5", subject="elsewhere")])
    rows = open_ledger(cache_in(tmp_path)).read(subject="E99001")
    assert [row.subject for row in rows] == ["E99001/2025-03/filing_policy", "E99001", "elsewhere"]


def test_answers_paid_for_under_the_first_schema_are_still_served(tmp_path: Path) -> None:
    """Harm: an upgrade of the program throws away every answer that was paid for."""
    with ModelServer() as server:
        first = answers(port_at(server, tmp_path), [ask()])
        with sqlite3.connect(tmp_path / "calls.sqlite") as raw:
            raw.execute("DROP INDEX g2_ledger_partition")
            raw.execute("ALTER TABLE g2_ledger DROP COLUMN asset")
            raw.execute("ALTER TABLE g2_ledger DROP COLUMN partition")
            raw.execute("UPDATE g2_meta SET value = '1'")
        assert answers(port_at(server, tmp_path), [ask()]) == first
        assert server.count == 1
    rows = open_ledger(cache_in(tmp_path)).read()
    assert [(row.outcome, row.asset) for row in rows] == [("ok", ""), ("cached", "")]
