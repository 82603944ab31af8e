"""One writer at a time: a lock file beside the table.

Here: ``writer_lock``. lancedb has open reports of duplicates and lost commits under concurrent
merges, so writers queue. Local folders only: on an object store there is no such file, and the
caller must see to it (a concurrency pool of one). POSIX.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from g2_pipelines.errors import LimitError

_PAUSE_S = 0.05


class IndexBusyError(LimitError):
    """Another process has been writing the index for longer than one is ready to wait."""

    code = "index_busy"


def is_local(uri: str) -> bool:
    """True for a plain path; any URL (s3://, gs://, memory://…) is left to its store."""
    return "://" not in uri


@contextmanager
def writer_lock(uri: str, timeout_s: float) -> Iterator[None]:
    """Hold the index at ``uri`` for writing; waits up to ``timeout_s`` seconds.

    The kernel drops the lock with the process, so a killed writer blocks nobody.

    Raises:
        IndexBusyError: it was not free in time.
    """
    if not is_local(uri):
        yield
        return
    import fcntl

    folder = Path(uri)
    folder.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + timeout_s
    with (folder / "writer.lock").open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() >= deadline:
                    msg = f"the node index was busy for {timeout_s:.0f} s"
                    raise IndexBusyError(
                        msg, file=uri, remedy="Wait for the other run, or stop it"
                    ) from error
                time.sleep(_PAUSE_S)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
