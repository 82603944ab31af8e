"""The dry run against the run: prompts counted exactly, answers expected and bounded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from g2_pipelines.briefs.config import hard_tokens
from g2_pipelines.defs.build import build_definitions
from g2_pipelines.defs.estimate import (
    NoModelError,
    asked_tokens,
    companies_with_sources,
    estimate_summaries,
)
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.models.build import open_ledger
from g2_pipelines.models.config import CacheConfig
from g2_pipelines.models.estimate import stand_in
from g2_pipelines.models.ledger import CallTotals
from g2_pipelines.text.tokens import tokenizer
from g2_pipelines_tests.briefs.material import YEAR
from g2_pipelines_tests.defs.test_summaries import home_of, materialize, prompted
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat

COUNTER = tokenizer("qwen3")
COMPANIES = ["E99001", "E99002"]
RUN = StepRun(fiscal_year=YEAR)


def counted(request: ServerRequest, text: str, finish_reason: str = "stop") -> Reply:
    """An answer with usage as a server with this tokenizer counts it."""
    body = json.loads(chat(text, finish_reason).body)
    body["usage"] = {
        "prompt_tokens": sum(COUNTER.count(m["content"]) for m in request.body["messages"]),
        "completion_tokens": COUNTER.count(text),
        "total_tokens": 0,
    }
    return Reply(body=json.dumps(body).encode())


def as_expected(request: ServerRequest) -> Reply:
    return counted(
        request, stand_in(asked_tokens(request.body["max_tokens"]), request.prompt, COUNTER)
    )


def brief(request: ServerRequest) -> Reply:
    return counted(request, f"第{request.number}の要約です。売上高は前年を上回りました。")


def always_wrong_at_first(request: ServerRequest) -> Reply:
    """Each call is asked again, each answer is as long as it may be."""
    most, before = request.body["max_tokens"], request.body["messages"][-2]
    if before["role"] == "assistant" and before["content"].startswith("壊れ"):
        return counted(request, stand_in(most, request.prompt, COUNTER))
    text = "壊れた答えです。これは同じ言葉です。" * most
    return counted(
        request, text[: next(n for n in range(most * 4, 0, -4) if COUNTER.count(text[:n]) <= most)]
    )


def test_the_length_that_is_asked_for_is_known_from_the_most_that_is_let_through() -> None:
    budgets = range(1, 3_000)
    assert [asked_tokens(hard_tokens(budget)) for budget in budgets] == list(budgets)


def spent(ws: Workspace) -> CallTotals:
    [row] = open_ledger(CacheConfig(url=ws.call_cache_url)).totals(by=("model",))
    return row


def home(tmp_path: Path, server: ModelServer, **more: Any) -> Workspace:
    return home_of(tmp_path, COMPANIES, **prompted(server), **more)


def test_the_estimate_is_the_bill_when_answers_are_as_long_as_expected(tmp_path: Path) -> None:
    """Calls, prompt tokens and answer tokens, to the last token; and nothing was sent for it."""
    with ModelServer(as_expected) as server:
        ws = home(tmp_path, server)
        before = estimate_summaries(ws, RUN, COMPANIES).total
        assert server.count == 0
        assert materialize(ws, COMPANIES).success
        bill = spent(ws)
    assert (before.calls, before.cached) == (bill.sent, 0)
    assert before.prompt_tokens == bill.prompt_tokens
    # A stand-in is cut between characters: up to two tokens short.
    assert 0 <= before.completion_tokens - bill.completion_tokens <= 2 * before.calls


def test_prompts_of_stored_text_are_counted_exactly_whatever_the_answers_are(
    tmp_path: Path,
) -> None:
    with ModelServer(brief) as server:
        ws = home(tmp_path, server)
        found = estimate_summaries(ws, RUN, COMPANIES[:1], by="task").rows
        rows = {row.group: row for row in found}
        assert materialize(ws, COMPANIES[:1]).success
        by_task = {
            row.task: row
            for row in open_ledger(CacheConfig(url=ws.call_cache_url)).totals(by=("task",))
        }
    pre, final = rows["pre_summary"], rows["final_summary"]
    assert pre.prompt_tokens == pre.certain_prompt_tokens == by_task["pre_summary"].prompt_tokens
    assert final.certain_prompt_tokens == 0
    assert by_task["final_summary"].prompt_tokens < final.prompt_tokens < final.most_prompt_tokens


def test_the_bound_holds_when_every_call_goes_wrong_once(tmp_path: Path) -> None:
    """Harm: "at most" that is exceeded is worse than no number."""
    with ModelServer(always_wrong_at_first) as server:
        ws = home(tmp_path, server)
        before = estimate_summaries(ws, RUN, COMPANIES[:1]).total
        materialize(ws, COMPANIES[:1])
        bill = spent(ws)
    assert bill.sent > before.calls
    assert bill.sent <= before.most_calls
    assert bill.prompt_tokens <= before.most_prompt_tokens
    assert bill.completion_tokens <= before.most_completion_tokens


def prefix_of(prompts: list[str], counter: Any) -> int:
    """Tokens of what all prompts begin with, in whole blocks of 16."""
    shared = 0
    while all(p[: shared + 1] == prompts[0][: shared + 1] for p in prompts) and shared < len(
        prompts[0]
    ):
        shared += 1
    return counter.count(prompts[0][:shared]) // 16 * 16


def test_a_prefix_cache_computes_a_document_once_and_finds_it_for_the_other_aspects(
    tmp_path: Path,
) -> None:
    """By hand from the prompts that the run really sent: first aspect whole, the others' tails."""
    with ModelServer(as_expected) as server:
        ws = home(tmp_path, server)
        found = {r.group: r for r in estimate_summaries(ws, RUN, COMPANIES[:1], by="task").rows}
        assert materialize(ws, COMPANIES[:1]).success
        sent = [r.body["messages"] for r in server.requests if r.path.endswith("/completions")]
    row = found["pre_summary"]
    by_document: dict[str, list[str]] = {}
    for messages in sent:
        user = messages[1]["content"]
        if "の要約】" not in user:  # the final texts' documents are summaries
            by_document.setdefault(user.partition("【資料ここまで】")[0], []).append(user)
    assert {len(users) for users in by_document.values()} == {5}  # four aspects, and the simple one
    system = COUNTER.count(sent[0][0]["content"])
    reused = sum(
        4 * ((prefix_of(users, COUNTER) + system) // 16 * 16) for users in by_document.values()
    )
    counted = row.prompt_tokens - row.computed_prompt_tokens
    # The aspects' instructions share some words more than all five do.
    assert reused <= counted <= reused + len(sent) * 64
    assert row.computed_prompt_tokens < row.prompt_tokens / 2
    assert found["final_summary"].computed_prompt_tokens <= found["final_summary"].prompt_tokens


def test_what_is_in_the_call_cache_costs_nothing(tmp_path: Path) -> None:
    with ModelServer(as_expected) as server:
        ws = home(tmp_path, server)
        materialize(ws, COMPANIES[:1])
        half = estimate_summaries(ws, RUN, COMPANIES, by="partition")
        paid, open_ = half.rows
        assert (paid.group, paid.calls, paid.prompt_tokens) == ("E99001", 0, 0)
        assert (open_.group, open_.cached) == ("E99002", 0)
        assert paid.cached == open_.calls > 0
        anew = estimate_summaries(ws, RUN.model_copy(update={"refresh": True}), COMPANIES).total
        assert (anew.calls, anew.cached) == (open_.calls * 2, 0)
        assert estimate_summaries(ws, RUN, COMPANIES[:1]).total.most_calls == 0


def test_answers_are_expected_as_earlier_ones_were(tmp_path: Path) -> None:
    with ModelServer(brief) as server:
        ws = home(tmp_path, server)
        before = estimate_summaries(ws, RUN, COMPANIES[1:])
        materialize(ws, COMPANIES[:1])
        after = estimate_summaries(ws, RUN, COMPANIES[1:])
    assert "No earlier calls" in before.notes[0]
    assert any("the mean of" in note for note in after.notes)
    assert after.total.completion_tokens < before.total.completion_tokens
    assert after.total.most_completion_tokens == before.total.most_completion_tokens


def test_money_is_by_the_users_table_and_null_without(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("currency: JPY\nmodels: {test: {input: 100, output: 400}}", encoding="utf-8")
    with ModelServer() as server:
        one = COMPANIES[:1]
        none = estimate_summaries(home(tmp_path, server), RUN, one)
        some = estimate_summaries(home(tmp_path, server, prices_file=str(prices)), RUN, one)
        prices.write_text("currency: JPY\nmodels: {other: {input: 1}}", encoding="utf-8")
        other = estimate_summaries(home(tmp_path, server, prices_file=str(prices)), RUN, one)
    assert none.total.money is None
    total = some.total
    assert some.currency == "JPY"
    assert total.money == pytest.approx(
        (total.prompt_tokens * 100 + total.completion_tokens * 400) / 1e6, abs=1e-5
    )
    assert total.most_money is not None
    assert total.most_money > total.money > 0
    assert other.total.money is None
    assert any("does not name test" in note for note in other.notes)


def test_a_tokenizer_that_may_not_be_the_models_is_said(tmp_path: Path) -> None:
    with ModelServer() as server:
        notes = estimate_summaries(home(tmp_path, server), RUN, COMPANIES[:1]).notes
    assert any("is not known" in note for note in notes)


def test_the_home_is_as_it_was_and_a_company_without_sources_fails_alone(tmp_path: Path) -> None:
    with ModelServer() as server:
        ws = home(tmp_path, server)
        before = {path for path in (tmp_path / "home").rglob("*") if path.suffix == ".parquet"}
        estimate = estimate_summaries(ws, RUN, ["E99001", "E99003"])
        after = {path for path in (tmp_path / "home").rglob("*") if path.suffix == ".parquet"}
    assert before == after
    assert {failed.partition for failed in estimate.failed} == {"E99003"}
    assert estimate.total.calls > 0
    assert companies_with_sources(ws) == COMPANIES


def test_an_engine_without_model_has_nothing_to_estimate(tmp_path: Path) -> None:
    with pytest.raises(NoModelError):
        estimate_summaries(home_of(tmp_path, COMPANIES), RUN, COMPANIES)


def test_a_budget_ends_the_run_red_and_the_next_run_goes_on(tmp_path: Path) -> None:
    """Harm: hours of paid calls lost, or a green run that made half the companies."""
    one = COMPANIES[:1]
    with ModelServer(as_expected) as server:
        ws = home(tmp_path, server)
        whole = estimate_summaries(ws, RUN, one).total
        half = (whole.prompt_tokens + whole.completion_tokens) // 2
        first = materialize(ws, one, budget_tokens=half)
        assert not first.success
        failure = json.dumps([str(e.event_specific_data) for e in first.all_events if e.is_failure])
        assert "budget_spent" in failure
        bill = spent(ws)
        assert 0 < bill.prompt_tokens + bill.completion_tokens <= half
        left = estimate_summaries(ws, RUN, one).total
        assert left.calls == whole.calls - bill.sent
        assert materialize(ws, one).success
        assert server.count == whole.calls


def test_the_estimate_is_a_job_of_the_ui_too(tmp_path: Path) -> None:
    with ModelServer() as server:
        ws = home(tmp_path, server)
        wanted = estimate_summaries(ws, RUN, COMPANIES).total
        done = (
            build_definitions(workspace=ws)
            .resolve_job_def("estimate_summaries")
            .execute_in_process(run_config={"ops": {"estimate": {"config": {"fiscal_year": YEAR}}}})
        )
        assert server.count == 0
    [output] = [e for e in done.all_events if e.event_type_value == "STEP_OUTPUT"]
    shown = output.event_specific_data.metadata
    assert shown["prompt_tokens"].value == wanted.prompt_tokens
    assert shown["calls"].value == wanted.calls
    assert shown["failed"].value == "none"
