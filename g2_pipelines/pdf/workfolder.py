"""The folder in which one PDF is read, and those that killed processes left behind.

Here: ``work_folder``. Each folder has a lock that its process holds and the kernel drops with
it; the first folder of a process sweeps those whose lock is free. POSIX.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

PREFIX = "g2-pdf-"
LOCK = "owner.lock"


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder of this process, gone at the end; also one that a kill leaves, at the next run."""
    _sweep_once(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name:
        folder = Path(name)
        with (folder / LOCK).open("w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Written only once it is held: an empty file belongs to a folder just being made.
            lock.write(f"{os.getpid()}\n")
            lock.flush()
            yield folder


@cache
def _sweep_once(parent: str) -> None:
    sweep(Path(parent))


def sweep(parent: Path) -> list[str]:
    """Remove work folders below ``parent`` whose process is gone; returns their names.

    Folders of other users, links, and folders without a held or written lock stay.
    """
    gone: list[str] = []
    for folder in sorted(parent.glob(f"{PREFIX}*")):
        if folder.is_symlink() or not _is_ours(folder) or not _is_left(folder / LOCK):
            continue
        shutil.rmtree(folder, ignore_errors=True)  # another process may sweep it too
        gone.append(folder.name)
    return gone


def _is_ours(folder: Path) -> bool:
    try:
        return folder.is_dir() and folder.stat().st_uid == os.geteuid()
    except FileNotFoundError:
        return False


def _is_left(lock: Path) -> bool:
    """True where the lock was held once and nobody holds it now."""
    try:
        with lock.open("r", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return bool(file.read(1))
    except OSError:  # no lock, held, or gone meanwhile
        return False
