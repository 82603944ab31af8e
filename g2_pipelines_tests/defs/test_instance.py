"""Dagster's storage is opened by one process at a time."""

import fcntl
import threading

from g2_pipelines.defs.instance import dagster_home, open_instance
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
