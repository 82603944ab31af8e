"""Kills at random moments: nothing that was paid for is paid again, and nothing is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from benchmarks import models


@pytest.mark.slow
def test_kills_at_random_moments_repeat_and_lose_no_stored_call() -> None:
    """`make test-kill` sets twenty kills; in a process of its own, since it forks.

    That no more than the calls in flight are sent again is checked at every kill.
    """
    kills = int(os.environ.get("G2_TEST_CALL_KILLS", "2"))
    calls = 80 + 40 * kills
    code = f"import json; from {models.__name__} import *; print(json.dumps(measure_kills({calls}, {kills})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["kills"] >= 1
    assert found["repeated_calls"] == 0
    assert found["lost_calls"] == 0
    assert found["resent_in_flight"] <= models.KILLED_IN_FLIGHT * found["kills"]
