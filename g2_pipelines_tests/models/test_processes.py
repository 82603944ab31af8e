"""The call cache between processes: no key paid twice, nothing lost by a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from g2_pipelines.models.build import open_ledger
from g2_pipelines.models.ports import Completion
from g2_pipelines_tests.models.helpers import answers, ask, cache_in, port_at
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat

ROOT = Path(__file__).parents[2]

WORKER = """
import asyncio, sys
from g2_pipelines.models.build import build_completion
from g2_pipelines.models.config import CacheConfig, ModelConfig
from g2_pipelines_tests.models.helpers import ask
base_url, cache_url, count, lease_s = sys.argv[1:]
port = build_completion(
    ModelConfig(base_url=base_url, model="test-model", concurrency=8),
    CacheConfig(url=cache_url, lease_s=float(lease_s)),
)
results = asyncio.run(port.complete([ask(str(n)) for n in range(int(count))]))
print("|".join(result.text for result in results))
"""


def start(
    server: ModelServer, folder: Path, count: int, lease_s: float = 30.0
) -> subprocess.Popen[str]:
    arguments = [server.base_url, cache_in(folder).url, str(count), str(lease_s)]
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.slow
def test_two_processes_on_one_cache_never_send_one_key_twice(tmp_path: Path) -> None:
    def script(request: ServerRequest) -> Reply:
        return chat(f"{request.prompt}:{request.number}", delay_s=0.05)

    with ModelServer(script) as server:
        workers = [start(server, tmp_path, 60) for _ in range(2)]
        one, two = (worker.communicate(timeout=120)[0] for worker in workers)
        assert server.count == 60
    assert one == two
    assert one.count("|") == 59


@pytest.mark.slow
def test_kill_9_repeats_no_completed_call_and_loses_none(tmp_path: Path) -> None:
    """Harm: a night of paid calls is paid again. Only those in flight may be sent again."""

    def script(request: ServerRequest) -> Reply:
        return chat(f"{request.prompt}:{request.number}", delay_s=0.05)

    with ModelServer(script) as server:
        worker = start(server, tmp_path, 80, lease_s=1.0)
        while server.count < 40:
            time.sleep(0.01)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()
        calls = open_ledger(cache_in(tmp_path)).read()
        done = {call.key for call in calls if call.outcome == "ok"}
        flying = {call.key for call in calls if call.outcome == "in_flight"}
        sent = server.count
        results = answers(port_at(server, tmp_path), [ask(str(n)) for n in range(80)])
        again = server.count - sent
    assert all(isinstance(result, Completion) for result in results)
    assert again == 80 - len(done)
    assert len(done) > 0
    assert sent - len(done) <= 8  # the concurrency
    assert sent - len(done) <= len(flying) <= 8  # and the ledger shows them
