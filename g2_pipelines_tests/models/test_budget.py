"""A budget ends a run's paid calls cleanly; the next run goes on from what was answered."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from g2_pipelines.models.budget import Amount, Budget
from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import BudgetConfig
from g2_pipelines.models.errors import BadModelSettingsError, BudgetSpentError
from g2_pipelines.models.ports import Completion, CompletionPort
from g2_pipelines.models.prices import ModelPrice, PriceTable, read_prices
from g2_pipelines_tests.models.helpers import ask, cache_in, settings
from g2_pipelines_tests.models.server import ModelServer

PRICES = PriceTable(
    currency="JPY", models={"test-model": ModelPrice(input=100.0, cached_input=10.0, output=400.0)}
)
#: What the test server says of every call: 7 tokens in, of which 2 cached, 3 out.
CALL_TOKENS = 10
CALL_MONEY = (5 * 100 + 2 * 10 + 3 * 400) / 1e6


def port(
    server: ModelServer, folder: Path, *, concurrency: int = 1, **budget: object
) -> CompletionPort:
    config = BudgetConfig.model_validate(budget)
    return build_completion(settings(server, concurrency=concurrency), cache_in(folder), config)


def outcomes(port: CompletionPort, count: int) -> list[str]:
    """``ok``, or the failure's code, of ``count`` calls of one token and at most 9 back."""
    requests = [ask(str(n), max_tokens=9) for n in range(count)]
    results = asyncio.run(port.complete(requests))
    return ["ok" if isinstance(result, Completion) else result.code for result in results]


def test_a_budget_of_tokens_stops_the_calls_and_the_next_run_goes_on(tmp_path: Path) -> None:
    """Harm: a backfill that nobody watches costs ten times what was meant."""
    with ModelServer() as server:
        # A call is at most 1 + 9 tokens, and uses 10: four fit into 45.
        first = outcomes(port(server, tmp_path, run_tokens=45), 10)
        assert first == ["ok"] * 4 + ["budget_spent"] * 6
        assert server.count == 4
        second = outcomes(port(server, tmp_path, run_tokens=45), 10)
        assert second == ["ok"] * 8 + ["budget_spent"] * 2
        assert outcomes(port(server, tmp_path), 10) == ["ok"] * 10
        assert server.count == 10


def test_calls_in_flight_never_exceed_the_budget_together(tmp_path: Path) -> None:
    """Sixteen at once, each within what is left, would be sixteen times over it."""
    with ModelServer() as server:
        made = outcomes(port(server, tmp_path, concurrency=16, run_tokens=45), 16)
        assert server.count == 4
    assert sorted(made) == ["budget_spent"] * 12 + ["ok"] * 4


def test_a_budget_of_money_counts_at_the_tables_prices(tmp_path: Path) -> None:
    # At most: 1 token in at 100, 9 out at 400 a million; used: CALL_MONEY = 0.00172.
    most = (100 + 9 * 400) / 1e6
    with ModelServer() as server:
        config = {"run_money": 2 * CALL_MONEY + most, "prices": PRICES}
        assert outcomes(port(server, tmp_path, **config), 5) == ["ok"] * 3 + ["budget_spent"] * 2


def test_a_budget_of_money_without_the_models_price_is_refused(tmp_path: Path) -> None:
    other = PriceTable(currency="JPY", models={"another": ModelPrice(input=1)})
    with ModelServer() as server:
        for prices in (None, other):
            with pytest.raises(BadModelSettingsError) as raised:
                port(server, tmp_path, run_money=1.0, prices=prices)
            assert raised.value.place == "prices_file"


def test_the_days_budget_counts_what_earlier_runs_of_the_day_spent(tmp_path: Path) -> None:
    with ModelServer() as server:
        assert outcomes(port(server, tmp_path, day_tokens=35), 2) == ["ok"] * 2
        assert (
            outcomes(port(server, tmp_path, day_tokens=35), 5) == ["ok"] * 3 + ["budget_spent"] * 2
        )
        assert server.count == 3


def test_the_days_budget_sees_what_another_run_spends_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Harm: two backfills at once, each with the whole day's budget."""
    monkeypatch.setattr("g2_pipelines.models.budget._AGAIN_S", 0.0)
    with ModelServer() as server:
        early = port(server, tmp_path, day_tokens=65)
        assert outcomes(early, 1) == ["ok"]
        other = port(server, tmp_path, day_tokens=65)
        assert outcomes(other, 4) == ["ok"] * 4  # the first of them is in the cache
        # 40 are spent, 30 of them by the other: two more calls of 10 fit, a third would not.
        assert outcomes(early, 10) == ["ok"] * 6 + ["budget_spent"] * 4
        assert server.count == 6


def test_what_the_budget_refused_names_what_was_spent_and_was_not_counted_as_sent(
    tmp_path: Path,
) -> None:
    with ModelServer() as server:
        spending = port(server, tmp_path, run_tokens=25)
        results = asyncio.run(spending.complete([ask(str(n), max_tokens=9) for n in range(4)]))
    refused = results[-1]
    assert type(refused) is BudgetSpentError
    assert "20 of 25 tokens" in refused.message
    assert refused.remedy
    [row] = open_ledger(cache_in(tmp_path)).totals()
    assert (row.sent, row.failed, row.refused) == (2, 0, 2)


def test_a_cancelled_call_gives_its_reservation_back() -> None:
    budget = Budget(Amount(tokens=10), name="the run")

    async def go() -> bool:
        most = budget.amount(prompt=1, completion=9)
        assert await budget.reserve(most)
        budget.settle(most, Amount())
        return await budget.reserve(most)

    assert asyncio.run(go())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("currency: JPY\nmodels: {m: {input: -1}}", "models.m.input"),
        ("currency: JPY\nmodels: {m: {output: 1}}", "models.m.input"),
        ("currency: JPY\nmodels: {}", "models"),
        ("models: {m: {input: 1}}", "currency"),
        ("currency: JPY\nmodels: {m: {input: 1, outptu: 2}}", "models.m.outptu"),
        ("currency: JPY\nmodels: {m: {input: .nan}}", "models.m.input"),
        ("currency: [", ""),
        ("a text", ""),
    ],
)
def test_a_price_table_that_is_wrong_names_its_entry(text: str, place: str) -> None:
    """Harm: a misspelt price counts as nothing, and the sum looks fine."""
    with pytest.raises(BadModelSettingsError) as raised:
        read_prices(text, file="prices.yaml")
    assert raised.value.place.startswith(place)
    assert raised.value.file == "prices.yaml"


def test_prices_are_per_million_tokens_and_a_revision_has_its_models_price() -> None:
    table = read_prices(
        '{"currency": "USD", "models": {"m": {"input": 2, "output": 8}}}', file="prices.json"
    )
    price = table.price("m@abc")
    assert price is not None
    assert price.money(prompt=1_000_000, completion=500_000) == 6.0
    assert price.money(prompt=1_000_000, completion=0, cached=400_000) == 2.0  # no price of its own
    assert table.price("n") is None
