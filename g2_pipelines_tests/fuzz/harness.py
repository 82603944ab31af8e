"""Runs mutated inputs in processes of their own: no crash, no hang, no network.

Here: what a target is, the worker, the watch over it, the report. What is mutated and read
stands in ``targets``.

A typed failure (G2Error) is a good answer. Anything else a reader raises, a process that
dies, one input that takes longer than ``TIMEOUT_S``, an attempt to use a socket or a result
that breaks the target's own invariants is a finding, named by target, seed and number.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import pkgutil
import random
import resource
import socket
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

from g2_pipelines.errors import G2Error
from g2_pipelines_tests.fuzz import targets

#: Processor time of one input: a real filing takes 0.1 s, the largest of these inputs 4 s, a
#: quadratic step on one of them hours.
TIMEOUT_S = 20.0
#: Wall time of one input, or of a process's start, on a machine busy with other things.
IDLE_S = 300.0
MEMORY_MB = 2_000


@dataclass(frozen=True)
class Target:
    """``make`` gives one mutated input; ``read`` reads it and checks what came out.

    ``read`` returns a word for the outcome (``read``, ``listed``…); it raises G2Error for bad
    input and AssertionError for a broken invariant. ``share`` is its part of all inputs.
    """

    name: str
    make: Callable[[random.Random], Any]
    read: Callable[[Any], str]
    share: float = 1.0


@dataclass
class Report:
    """How many inputs a target read, with which outcomes, and what was found."""

    inputs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


class NetworkUseError(AssertionError):
    """A reader tried to use the network."""


_USED: list[str] = []
#: Threads that were there before (a server of another test): what they do is not the readers'.
_OTHERS: set[int] = set()


def _refuse(*_: Any, **__: Any) -> NoReturn:
    if threading.get_ident() not in _OTHERS:
        _USED.append("socket")
    raise NetworkUseError("a reader tried to use the network")


@contextmanager
def no_network() -> Iterator[list[str]]:
    """Every way of Python to a socket refused and noted, and no socket left open after."""
    names = ("socket", "create_connection", "getaddrinfo", "gethostbyname")
    before = {name: getattr(socket, name) for name in names}
    _USED.clear()
    _OTHERS.clear()
    _OTHERS.update(thread.ident or 0 for thread in threading.enumerate())
    _OTHERS.discard(threading.get_ident())
    try:
        for name in names:
            setattr(socket, name, _refuse)
        yield _USED
    finally:
        for name, value in before.items():
            setattr(socket, name, value)


def all_targets() -> list[Target]:
    """The targets of all modules in ``targets``, by name."""
    found: list[Target] = []
    for module in pkgutil.iter_modules(targets.__path__):
        found += importlib.import_module(f"{targets.__name__}.{module.name}").TARGETS
    return sorted(found, key=lambda target: target.name)


def made(target: Target, seed: int, number: int) -> Any:
    """Input ``number`` of a target."""
    return target.make(random.Random(f"{seed}:{target.name}:{number}"))


def one(target: Target, seed: int, number: int) -> tuple[str, str]:
    """Outcome of one input, and the finding in words ("" if none)."""
    try:
        given = made(target, seed, number)
        outcome = target.read(given)
    except G2Error as error:
        said = error.code if error.message and error.kind != "bug" else ""
        return (error.code, "") if said else ("untyped", f"{error!r} has no words or is a bug")
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is a finding
        last = traceback.format_exception(error)[-4:]
        return type(error).__name__, "".join(last)[-1500:]
    if _USED:
        return "network", "a reader tried to use the network and hid it"
    return outcome, ""


def _work(pipe: Connection, name: str, seed: int, numbers: Sequence[int]) -> None:
    target = next(t for t in all_targets() if t.name == name)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MB * 1024 * 1024,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sockets = _sockets()
    pipe.send(("ready", -1, ""))
    with no_network():
        for number in numbers:
            pipe.send(("start", number, ""))
            outcome, finding = one(target, seed, number)
            pipe.send((outcome, number, finding))
    left = _sockets() - sockets
    pipe.send(("end", -1, f"{left} sockets are open at the end" if left > 0 else ""))


def _sockets() -> int:
    """Open sockets of this process: a library below Python would show here."""
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return 0
    links = []
    for entry in folder.iterdir():
        try:
            links.append(os.readlink(entry))
        except OSError:  # the listing's own descriptor is gone
            continue
    return sum(link.startswith("socket:") for link in links)


@dataclass
class _Lane:
    """One process and the inputs that are its."""

    target: Target
    seed: int
    numbers: Sequence[int]
    current: int = -1
    since: float = 0.0  # processor time at its last message
    heard: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe(duplex=False)
        arguments = (theirs, self.target.name, self.seed, self.numbers)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def ended(self, report: Report) -> bool:
        """Take one message; whether it was the last."""
        try:
            outcome, number, finding = self.pipe.recv()
        except EOFError:
            self.process.join()
            self.broken(report, "crash", f"died ({self.process.exitcode})")
            return True
        self.since, self.heard = _processor_s(self.process.pid), time.monotonic()
        if outcome in {"ready", "start"}:
            self.current = number
            return False
        if outcome != "end":
            report.inputs += 1
            report.outcomes[outcome] += 1
        if finding:
            report.findings.append(self._named(number, finding))
        return bool(outcome == "end")

    def broken(self, report: Report, outcome: str, what: str) -> None:
        """The process is of no more use."""
        self.process.kill()
        self.process.join()
        report.inputs += 1
        report.outcomes[outcome] += 1
        report.findings.append(self._named(self.current, what))

    def hangs(self) -> bool:
        """Whether its input has had more than its time."""
        worked = _processor_s(self.process.pid) - self.since
        return worked > TIMEOUT_S or time.monotonic() - self.heard > IDLE_S

    def rest(self) -> list[int]:
        """What comes after the input that is being read."""
        return [number for number in self.numbers if number > self.current]

    def _named(self, number: int, what: str) -> str:
        return f"--target {self.target.name} --seed {self.seed} --number {number}: {what}"


def _processor_s(pid: int | None) -> float:
    """Processor time of a process so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(target: Target, *, count: int, seed: int, workers: int = 2) -> Report:
    """``count`` inputs of a target over ``workers`` processes; ends after 20 broken ones."""
    report = Report()
    lanes = [
        _Lane(target, seed, range(lane, count, workers)) for lane in range(min(workers, count))
    ]
    while lanes:
        ready = wait([lane.pipe for lane in lanes], timeout=1.0)
        over = []
        for lane in lanes:
            if lane.pipe not in ready and lane.hangs():
                lane.broken(
                    report, "hang", f"took over {TIMEOUT_S:g} s of processor time, or {IDLE_S:g} s"
                )
                over.append(lane)
            elif lane.pipe in ready and lane.ended(report):
                over.append(lane)
        broken = [lane for lane in over if lane.process.exitcode != 0 and lane.rest()]
        lanes = [lane for lane in lanes if lane not in over]
        if len(report.findings) < 20:
            lanes += [_Lane(target, seed, lane.rest()) for lane in broken]
    return report
