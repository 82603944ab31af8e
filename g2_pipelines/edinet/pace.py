"""Politeness: the least time between the starts of two requests to EDINET.

Here: waiting one's turn, within a process and, given a file, across the processes of a
machine (a listing run and a download run go on at the same time). Not here: requests
(``client``). Used by ``client``; ``defs`` says where the file lies.
"""

from __future__ import annotations

import contextlib
import fcntl
import threading
import time
from pathlib import Path


class Pace:
    """One request may start every ``interval_s`` seconds.

    Args:
        interval_s: seconds between two starts; 0: no pause.
        file: where processes share the next start; its folder is made. None: this object only.
    """

    def __init__(self, interval_s: float, file: Path | None = None) -> None:
        self._interval_s = interval_s
        self._file = file
        self._lock = threading.Lock()
        self._next = 0.0
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)

    def wait(self) -> float:
        """Return when the next request may start: the start that was given to it (epoch, s)."""
        if self._interval_s <= 0:
            return time.time()
        with self._lock:
            start = self._reserve()
        pause = start - time.time()
        if pause > 0:
            time.sleep(pause)
        return start

    def _reserve(self) -> float:
        now = time.time()
        if self._file is None:
            start = max(now, self._next)
            self._next = start + self._interval_s
            return start
        with self._file.open("a+") as shared:
            fcntl.flock(shared, fcntl.LOCK_EX)  # dropped by the kernel with the process
            shared.seek(0)
            known = 0.0
            with contextlib.suppress(ValueError):  # empty, or cut by a full disk: start anew
                known = float(shared.read())
            # A clock that was set back must not hold everybody for as long as that.
            start = now if known > now + 60 + 10 * self._interval_s else max(now, known)
            shared.truncate(0)
            shared.write(f"{start + self._interval_s:.6f}")
        return start
