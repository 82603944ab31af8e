"""`g2 costs`, `g2 brief estimate`, `g2 calls`, `g2 doctor`: what models cost, by the real commands."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from g2_pipelines.cli import app
from g2_pipelines.commands.outputs import OUTPUTS
from g2_pipelines.models.purpose import charged_to
from g2_pipelines_tests.defs.test_summaries import home_of, prompted
from g2_pipelines_tests.models.helpers import answers, ask, port_at
from g2_pipelines_tests.models.server import ModelServer, chat

runner = CliRunner()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and no setting of this machine."""
    for name in list(os.environ):
        if name.startswith("G2_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("G2_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def spent(home: Path) -> Iterator[ModelServer]:
    """Three calls of E99001 (one for issues), one of E99002; one asked again from the cache."""
    with ModelServer(lambda r: chat(f"answer {r.number}")) as server:
        port = port_at(server, home)
        for company, asset, texts in (
            ("E99001", "pre_summaries/environment", ["a", "b"]),
            ("E99001", "pre_summaries/issues", ["c"]),
            ("E99002", "pre_summaries/environment", ["d"]),
        ):
            with charged_to(asset=asset, partition=company):
                answers(port, [ask(text, subject=company) for text in texts])
        with charged_to(asset="pre_summaries/environment", partition="E99001"):
            answers(port_at(server, home), [ask("a", subject="E99001")])
        yield server


def run(*words: str, output: str) -> tuple[int, dict]:
    result = runner.invoke(app, [*words, "--json"])
    document = json.loads(result.stdout)
    OUTPUTS["error" if "error" in document else output].model_validate(document)
    return result.exit_code, document


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("company", {"E99001": (3, 1), "E99002": (1, 0)}),
        ("asset", {"pre_summaries/environment": (3, 1), "pre_summaries/issues": (1, 0)}),
        ("task", {"pre_summary": (4, 1)}),
        ("model", {"test-model": (4, 1)}),
    ],
)
def test_costs_are_summed_by_what_is_asked(
    spent: ModelServer, by: str, groups: dict[str, tuple[int, int]]
) -> None:
    code, document = run("costs", "--by", by, output="costs")
    assert code == 0
    assert {row["group"]: (row["sent"], row["cached"]) for row in document["rows"]} == groups
    total = document["total"]
    assert (total["prompt_tokens"], total["completion_tokens"]) == (4 * 7, 4 * 3)
    assert total["saved_tokens"] == 10
    assert total["cached_share"] == 0.2  # one of five answers
    assert total["server_cached_share"] == round(2 / 7, 4)
    assert total["money"] is None


def test_costs_of_one_company_since_a_day(spent: ModelServer) -> None:
    _, document = run("costs", "--company", "E99001", "--by", "day", output="costs")
    assert [row["sent"] for row in document["rows"]] == [3]
    _, document = run("costs", "--since", "2999-01-01", output="costs")
    assert document["rows"] == []
    code, document = run("costs", "--since", "yesterday", output="costs")
    assert (code, document["error"]["place"]) == (1, "--since")


def test_money_is_by_the_users_prices_and_never_a_part_of_a_sum(
    spent: ModelServer, home: Path
) -> None:
    prices = home / "prices.yaml"
    prices.write_text(
        "currency: JPY\nmodels: {test-model: {input: 1e6, cached_input: 5e5, output: 2e6}}"
    )
    _, document = run("costs", "--prices", str(prices), output="costs")
    # A call: 5 fresh tokens at 1, 2 cached at 0.5, 3 out at 2 = 12. Saved: 7 at 1, 3 at 2 = 13.
    assert document["total"]["money"] == 4 * 12
    assert document["total"]["saved_money"] == 13
    assert (document["currency"], document["unpriced"]) == ("JPY", [])
    prices.write_text("currency: JPY\nmodels: {other: {input: 1}}")
    _, document = run("costs", "--prices", str(prices), output="costs")
    assert document["total"]["money"] is None
    assert document["unpriced"] == ["test-model"]
    assert (
        "No price for test-model" in runner.invoke(app, ["costs", "--prices", str(prices)]).stdout
    )


def test_the_example_of_a_price_table_is_one() -> None:
    from g2_pipelines.models.prices import read_prices

    file = Path(__file__).parents[1] / "docs" / "prices.example.yaml"
    table = read_prices(file.read_text(encoding="utf-8"), file=str(file))
    assert all("invented" in name for name in table.models)


def test_answers_are_exported_and_replaced_ones_pruned(spent: ModelServer, home: Path) -> None:
    answers(port_at(spent, home, refresh=True), [ask("a")])
    file = home / "calls.jsonl"
    assert run("calls", "export", str(file), output="calls")[1]["calls"] == 5
    assert len(file.read_text().splitlines()) == 5
    code, document = run("calls", "export", str(file), output="calls")
    assert (code, document["error"]["file"]) == (1, str(file))
    assert run("calls", "prune", output="calls")[1] == {"done": "pruned", "calls": 1, "file": ""}
    assert run("calls", "prune", output="calls")[1]["calls"] == 0


def test_an_estimate_is_printed_with_its_bound_and_what_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as server:
        ws = home_of(tmp_path, ["E99001"], **prompted(server))
        monkeypatch.setenv("G2_HOME", str(ws.settings.home))
        for name in ("engine", "base_url", "model", "aspects_file"):
            monkeypatch.setenv(f"G2_{name.upper()}", str(getattr(ws.settings, name)))
        year = ("--fiscal-year", "2025-03")
        code, document = run(
            "brief", "estimate", "--all", "--by", "company", *year, output="brief-estimate"
        )
        assert code == 0
        total = document["total"]
        assert total["calls"] > 0
        assert total["most_prompt_tokens"] > total["prompt_tokens"] > 0
        assert [row["group"] for row in document["rows"]] == ["E99001"]
        code, document = run("brief", "estimate", "E99009", *year, output="brief-estimate")
        assert code == 1
        assert {one["file"] for one in document["failed"]} == {"E99009"}
        words = runner.invoke(app, ["brief", "estimate", "E99001", *year]).stdout
        assert "nothing was sent" in words
        assert server.count == 0


def test_an_estimate_without_company_or_engine_is_named() -> None:
    assert run("brief", "estimate", output="brief-estimate")[1]["error"]["code"] == "bad_input"
    code, document = run("brief", "estimate", "E99001", output="brief-estimate")
    assert (code, document["error"]["code"]) == (1, "no_model")


def test_the_doctor_shows_no_password_of_a_url_and_doubts_the_tokenizer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A doctor's output is what people paste into issues."""
    for name, value in {
        "G2_ENGINE": "openai",
        "G2_MODEL": "gpt-4o",
        "G2_BASE_URL": "http://u:secret-1@127.0.0.1:9/v1, http://127.0.0.1:9/v1?key=secret-2",
        "G2_CALL_CACHE_URL": "postgresql+psycopg2://g2:secret-3@127.0.0.1/g2",
    }.items():
        monkeypatch.setenv(name, value)
    result = runner.invoke(app, ["doctor", "--json"])
    assert result.exit_code == 3
    assert "secret-" not in result.output
    assert "127.0.0.1" in result.output
    checks = {check["name"]: check for check in json.loads(result.stdout)["checks"]}
    assert "o200k" in checks["tokenizer"]["detail"]


@pytest.mark.parametrize(
    ("models", "model", "words"),
    [
        ([{"id": "qwen3", "max_model_len": 40_960}], "qwen3", ""),
        ([{"id": "qwen3"}], "qwen3", ""),
        ([], "qwen3", ""),
        ([{"id": "qwen3"}], "qwen-3", "it serves qwen3, not qwen-3"),
        ([{"id": "qwen3", "max_model_len": 4_096}], "qwen3", "its context is 4096 tokens"),
        ([{"name": "?"}], "qwen3", ""),
    ],
)
def test_the_doctor_asks_the_server_what_it_serves(
    monkeypatch: pytest.MonkeyPatch, models: list[dict[str, object]], model: str, words: str
) -> None:
    """Harm: a night's run of 404s, or of prompts that do not fit."""
    with ModelServer() as server:
        server.models = models
        monkeypatch.setenv("G2_ENGINE", "openai")
        monkeypatch.setenv("G2_BASE_URL", server.base_url)
        monkeypatch.setenv("G2_MODEL", model)
        result = runner.invoke(app, ["doctor", "--json"])
    engine = {check["name"]: check for check in json.loads(result.stdout)["checks"]}["engine"]
    assert engine["ok"] is not bool(words)
    assert words in engine["detail"]
    assert "HTTP 200" in engine["detail"]
