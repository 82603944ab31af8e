"""What a process of the PDF parser does to itself before it reads a hostile file.

Here: limits of memory, no core dumps, and dying with its parent: the worker has a session of
its own, so that nothing else ends it when the parent is killed; and doing one piece of work in
a fork whose processor time is bounded. For ``worker``, ``layout_engine`` and ``ocr_engine``.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import resource
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Lets the kernel kill this process when its parent ends (Linux; elsewhere nothing)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_memory(memory_mb: int) -> None:
    """Bounds the address space of this process and of those it starts; no core dumps.

    A lower bound that the process has already stays.
    """
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = memory_mb * 1024 * 1024
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def forked(produce: Callable[[], object], cpu_s: float) -> tuple[str | None, str]:
    """What ``produce`` gives as one line of JSON, made in a fork that the kernel ends after
    ``cpu_s`` seconds of processor time; else None and why.

    Processor time, unlike wall time, does not let the machine's load change the outcome.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            die_with_parent()
            os.close(reader)
            # The fork's processor time counts from 0.
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(cpu_s), math.ceil(cpu_s) + 1))
            with os.fdopen(writer, "w", encoding="utf-8") as pipe:
                json.dump(produce(), pipe, ensure_ascii=False)
            code = 0
        finally:
            # Whatever was raised: a fork must not go on as its parent, up the parent's stack.
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if status == 0:
        return text, ""
    slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
    return None, f"took more than {cpu_s:g} s" if slow else "failed"
