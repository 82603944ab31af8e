"""Dagster's storage is opened by one process at a time."""

import fcntl
import threading
from pathlib import Path

import pytest

from g2_pipelines.defs.instance import DagsterHomeError, dagster_home, open_instance
from g2_pipelines.defs.workspace import Workspace


def test_opening_waits_for_another_that_opens(ws: Workspace):
    """Two at once on a new home left two schema versions, and nobody could open it again."""
    opened = threading.Event()

    def open_it() -> None:
        with open_instance(ws.home):
            opened.set()

    folder = dagster_home(ws.home)
    with (folder / "opening.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        other = threading.Thread(target=open_it)
        other.start()
        assert not opened.wait(0.5)
        assert not (folder / "history").exists()
    assert opened.wait(60)
    other.join()


def test_an_open_instance_keeps_nobody_out(ws: Workspace):
    with open_instance(ws.home), open_instance(ws.home) as second:
        assert second.get_dynamic_partitions("companies") == []


def test_a_dagster_home_that_is_not_there_is_named(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    missing = tmp_path / "not-made"
    monkeypatch.setenv("DAGSTER_HOME", str(missing))
    with pytest.raises(DagsterHomeError) as caught, open_instance(ws.home):
        pass
    assert caught.value.file == str(missing)
    assert "unset DAGSTER_HOME" in caught.value.remedy
