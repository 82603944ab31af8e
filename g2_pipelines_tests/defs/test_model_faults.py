"""A model server's faults as Dagster shows them: typed, per partition, without the key."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from g2_pipelines.defs.steps import StepRun, completion
from g2_pipelines_tests.defs.test_summaries import home_of, materialize, prompted
from g2_pipelines_tests.models.helpers import KEY
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, error

COMPANIES = ["E99001", "E99002", "E99003"]


def failures(done: object) -> list[dict[str, str]]:
    """The table ``failed`` of a run that ended red."""
    [event] = [e for e in done.all_events if e.is_step_failure]
    table = event.event_specific_data.user_failure_data.metadata["failed"]
    return [record.data for record in table.records]


def test_the_key_is_in_no_event_no_log_and_no_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A server that echoes the key; Dagster's events, the logs, what is printed, the home."""
    caplog.set_level(logging.DEBUG)
    with ModelServer(lambda r: error(401, f"Incorrect API key provided: {KEY}")) as server:
        ws = home_of(tmp_path, COMPANIES[:1], api_key=KEY, **prompted(server))
        done = materialize(ws, COMPANIES[:1])
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert not done.success
    assert "refused_key" in {row["code"] for row in failures(done)}
    shown = [str(event) + repr(event.event_specific_data) for event in done.all_events]
    printed = capfd.readouterr()
    shown += [caplog.text, printed.out, printed.err, repr(ws.settings), repr(ws.model_config())]
    assert len(caplog.text) > 100
    assert not [text[:300] for text in shown if KEY in text]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name.startswith("calls.sqlite") for path in files)
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_out_of_quota_ends_the_batch_typed_and_the_next_run_goes_on(tmp_path: Path) -> None:
    """Harm: thousands of refused calls, or answers of an hour thrown away."""
    blocked = True

    def script(request: ServerRequest) -> Reply | None:
        over = blocked and request.number >= 12
        return error(429, "You exceeded your current quota", "insufficient_quota") if over else None

    with ModelServer(script) as server:
        ws = home_of(tmp_path, COMPANIES, concurrency=4, **prompted(server))
        done = materialize(ws, COMPANIES)
        assert not done.success
        tried = server.count
        assert tried <= 12 + 4  # those in flight when the first refusal came
        rows = failures(done)
        assert {row["partition"] for row in rows} == set(COMPANIES)
        assert {row["code"] for row in rows} == {"out_of_quota", "blocked"}
        assert all(row["remedy"] for row in rows if row["code"] == "out_of_quota")
        blocked = False
        assert materialize(ws, COMPANIES).success
        prompts = [json.dumps(request.body) for request in server.requests]
    assert not set(prompts[:12]) & set(prompts[tried:])


def test_one_companys_bad_answers_fail_that_company_alone(tmp_path: Path) -> None:
    def script(request: ServerRequest) -> Reply | None:
        return Reply(502, b"<html>Bad Gateway</html>") if "E99002" in request.prompt else None

    with ModelServer(script) as server:
        ws = home_of(tmp_path, COMPANIES, **prompted(server))
        done = materialize(ws, COMPANIES)
    rows = failures(done)
    assert {row["partition"] for row in rows} == {"E99002"}
    assert {row["code"] for row in rows} == {"model_server_failed", "blocked"}
    made = {path.stem for path in (tmp_path / "home/tables/final_summaries/issues").iterdir()}
    assert made == {"E99001", "E99003"}


@pytest.mark.parametrize(("chosen", "said"), [("qwen3", True), ("o200k", False)])
def test_a_run_says_that_its_tokenizer_may_not_be_the_models(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, chosen: str, said: bool
) -> None:
    """Harm: splits and budgets that are off by a factor of 1.7, and nobody knows why."""
    ws = home_of(
        tmp_path, [], engine="openai", base_url="http://a/v1", model="gpt-4o", tokenizer=chosen
    )
    assert completion(ws, StepRun()) is not None
    assert ("has the tokenizer o200k" in caplog.text) is said
