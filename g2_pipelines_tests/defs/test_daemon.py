"""Both lines by sensors alone, under Dagster's own daemon; minutes, so only where asked for.

``make test-kill`` runs it (G2_TEST_DAEMON=1).
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.commands.runs import run_chain
from g2_pipelines.defs.instance import ENVIRONMENT, dagster_home, open_instance
from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.register import register
from g2_pipelines.defs.workspace import Workspace

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("G2_TEST_DAEMON" not in os.environ, reason="make test-kill sets it"),
]
PATIENCE_S = 1200


@contextmanager
def daemon(ws: Workspace, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The daemon with its code server, in a process group of its own; no port is opened."""
    environment = {**os.environ, **ENVIRONMENT, "G2_HOME": str(ws.home.root)}
    environment["DAGSTER_HOME"] = str(dagster_home(ws.home))
    program = Path(sys.executable).parent / "dagster-daemon"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [str(program), "run", "-m", "g2_pipelines.definitions"],
            env=environment,
            cwd=log.parent,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def put_corpus(ws: Workspace, sample: Path) -> None:
    """The sample's files, all kinds at once, as a person copies them."""
    home = Path(str(ws.home.root))
    home.mkdir(parents=True, exist_ok=True)
    shutil.copy(sample / "companies.csv", home)
    header, *lines = (sample / "manifest.csv").read_text().splitlines()
    for kind in ("pdfs", "transcripts", "filings"):
        shutil.copytree(sample / kind, home / "inbox" / kind)
        mine = [line.removeprefix(f"{kind}/") for line in lines if line.startswith(f"{kind}/")]
        (home / "inbox" / kind / "manifest.csv").write_text("\n".join([header, *mine]) + "\n")
    (home / "inbox" / "questions").mkdir()
    shutil.copy(sample / "questions.jsonl", home / "inbox" / "questions")


def test_what_lies_in_the_inbox_becomes_briefs_and_answers(
    ws: Workspace, sample: Path, tmp_path: Path
):
    put_corpus(ws, sample)
    home, log = Path(str(ws.home.root)), tmp_path / "daemon.log"
    with daemon(ws, log) as process:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and process.poll() is None:
            briefs = sorted(path.parent.name for path in home.glob("pages/briefs/*/*.html"))
            answers = sorted(path.stem for path in home.glob("outbox/*.json"))
            if len(briefs) == 2 and len(answers) == 4:
                break
            time.sleep(2)
        # What was asked for must also end: a run killed with the daemon would be red.
        with dg.DagsterInstance.from_config(str(dagster_home(ws.home))) as instance:
            while time.monotonic() < until and not all(r.is_finished for r in instance.get_runs()):
                time.sleep(2)
            runs = [(run.job_name, run.status.value) for run in instance.get_runs()]
    assert (len(briefs), len(answers)) == (2, 4), log.read_text()[-4000:]
    assert {status for _, status in runs} == {"SUCCESS"}, runs
    names = [name for name, _ in runs]
    # `sources` may run twice, where filings and transcripts were taken in by ticks between
    # which the first run began.
    assert {name: names.count(name) for name in names if name != "sources"} == {
        "summaries": 1,
        "judgement": 1,
        "documents": 1,
        "graph": 1,
        "answers": 1,
    }
    assert not (home / "outbox" / "rejected").exists()


def test_what_a_shell_runs_beside_the_daemon_is_run_once(
    ws: Workspace, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """First new, then unchanged; the daemon's ticks fall between and after the shell's steps."""
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    filing = (sample / "filings" / "S9000B01.zip").read_bytes()
    register(ws, filing, ManifestRow(file="S9000B01.zip", type="filing"))
    with open_instance(ws.home):
        pass
    with daemon(ws, tmp_path / "daemon.log") as process:
        for _ in range(2):
            outcomes = run_chain(ws, "companies", ["E99002"])
            assert [outcome.success for outcome in outcomes] == [True] * 3
        with open_instance(ws.home) as instance:
            until, after = time.monotonic() + PATIENCE_S, time.time()
            names = {"summaries_after_sources", "judgement_after_summaries"}
            seen: dict[str, int] = {}
            while time.monotonic() < until and process.poll() is None:
                for state in instance.all_instigator_state():
                    if state.instigator_name in names:
                        ticks = instance.get_ticks(state.instigator_origin_id, state.selector_id)
                        seen[state.instigator_name] = sum(
                            tick.timestamp > after and tick.end_timestamp is not None
                            for tick in ticks
                        )
                if len(seen) == 2 and min(seen.values()) >= 2:
                    break
                time.sleep(2)
            runs = [run.job_name for run in instance.get_runs()]
    assert min(seen.values()) >= 2, seen
    assert sorted(runs) == ["judgement"] * 2 + ["sources"] * 2 + ["summaries"] * 2
