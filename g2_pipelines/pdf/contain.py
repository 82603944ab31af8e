"""What a process of the PDF parser does to itself before it reads a hostile file.

Here: limits of memory, no core dumps, and dying with its parent: the worker has a session of
its own, so that nothing else ends it when the parent is killed. For ``worker`` and
``layout_engine`` only.
"""

from __future__ import annotations

import ctypes
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Lets the kernel kill this process when its parent ends (Linux; elsewhere nothing)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_memory(memory_mb: int) -> None:
    """Bounds the address space of this process and of those it starts; no core dumps."""
    most = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
