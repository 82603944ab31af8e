"""What every benchmark prints: ``{"figures": …, "peers": …, "machine": …}``.

Here: the command line that benchmarks share and their one JSON document. What is measured
stands in each benchmark. Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TextIO

Figures = Mapping[str, float | int | None]


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser with ``--quick`` and ``--json``."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="smaller samples, within 50 s")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    return parser


_PROGRESS: list[TextIO] = [sys.stderr]


def progress_to(stream: TextIO) -> None:
    """Say progress there from now on, for a benchmark that hushes stderr."""
    _PROGRESS[0] = stream


def progress(words: str) -> None:
    """A line for the person who waits."""
    print(words, file=_PROGRESS[0], flush=True)


def machine(*packages: str) -> dict[str, object]:
    """Where it was measured: processors, load, memory, Python and package versions."""
    found: dict[str, object] = {
        "cpus": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 1),
        "platform": platform.platform(),
        "python": platform.python_version(),
    }
    memory = Path("/proc/meminfo")
    if memory.exists():
        found["memory_mb"] = int(memory.read_text().split()[1]) // 1024
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def report(
    figures: Figures,
    peers: Mapping[str, object],
    *,
    as_json: bool,
    packages: tuple[str, ...] = (),
) -> None:
    """Print the figures: as one JSON document, or a line each for a person."""
    if as_json:
        document = {"figures": dict(figures), "peers": dict(peers), "machine": machine(*packages)}
        print(json.dumps(document, ensure_ascii=False, indent=1))
        return
    for name, value in {**figures, **peers}.items():
        print(f"{name:32} {value}")
