"""A killed run loses nothing, repeats only what was in flight, and blocks nobody."""

import json
import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from benchmarks import operations
from g2_pipelines.defs.instance import open_instance
from g2_pipelines.defs.orphans import HOST, PROCESS, end_dead_runs, process_tags
from g2_pipelines.defs.workspace import Workspace

pytestmark = pytest.mark.slow


def python(code: str, **environment: str) -> str:
    """Run code in a process of its own; what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout.strip().splitlines()[-1]


def test_a_batch_killed_at_random_moments_keeps_its_rows_and_repeats_no_finished_call():
    """`make test-kill` sets more kills than the two of every test run."""
    kills = int(os.environ.get("G2_TEST_KILLS", "2"))
    module = operations.__name__
    code = f"import json; from {module} import *; print(json.dumps(measure_kills(96, {kills})))"
    found = json.loads(python(code))
    assert found["kills"] >= 1
    assert found["lost_rows"] == 0
    assert found["repeated_calls"] == 0


def test_a_killed_run_gives_its_pool_back(ws: Workspace, monkeypatch: pytest.MonkeyPatch):
    """Otherwise the next `g2 brief make` would wait for a process that is gone, without a word."""
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    with open_instance(ws.home) as instance:
        instance.event_log_storage.set_concurrency_slots("sources", 1)
        dead = {**process_tags(), PROCESS: "999999999:1"}
        run = instance.create_run_for_job(
            dg.job(name="sources")(lambda: None), tags=dead, status=dg.DagsterRunStatus.STARTED
        )
        claim = instance.event_log_storage.claim_concurrency_slot("sources", run.run_id, "step")
        assert claim.is_claimed
    with open_instance(ws.home) as instance:
        ended = instance.get_run_by_id(run.run_id)
        assert ended is not None
        assert ended.status == dg.DagsterRunStatus.FAILURE
        claim = instance.event_log_storage.claim_concurrency_slot("sources", "another", "step")
        assert claim.is_claimed


def test_a_run_that_works_is_left_alone(tmp_path: Path):
    (tmp_path / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        for tags in (process_tags(), {HOST: "elsewhere", PROCESS: "1:1"}, {}):
            instance.create_run_for_job(
                dg.job(name="sources")(lambda: None), tags=tags, status=dg.DagsterRunStatus.STARTED
            )
        assert end_dead_runs(instance) == []
