"""A small share of the mutated inputs with a fixed seed, and that the harness sees what it must."""

from __future__ import annotations

import os
import random
import socket
import time

import pytest

from g2_pipelines.errors import G2Error, InputError
from g2_pipelines_tests.fuzz import harness
from g2_pipelines_tests.fuzz.harness import Target, all_targets, made, no_network, one, run

SEED = 20_240_627
#: Inputs a target in CI; ``make fuzz`` reads thousands.
INPUTS = {"edinet-filings": 250, "edinet-large": 3}


@pytest.mark.parametrize("target", all_targets(), ids=lambda t: t.name)
def test_mutated_inputs_are_read_or_refused_by_name(target: Target) -> None:
    outcomes = set()
    with no_network():
        for number in range(INPUTS.get(target.name, 60)):
            outcome, finding = one(target, SEED, number)
            assert not finding, f"--target {target.name} --seed {SEED} --number {number}: {finding}"
            outcomes.add(outcome)
    assert outcomes


@pytest.mark.parametrize("name", [t.name for t in all_targets()])
def test_an_input_is_made_from_its_seed_and_number_alone(name: str) -> None:
    target = next(t for t in all_targets() if t.name == name)
    assert made(target, SEED, 5) == made(target, SEED, 5)
    if name != "edinet-large":
        assert any(made(target, SEED, n) != made(target, SEED + 1, n) for n in range(5))


def _bad(kind: int) -> str:
    if kind == 0:
        raise InputError("wrong", file="x", remedy="y")
    if kind == 1:
        raise G2Error("our own fault")
    if kind == 2:
        raise KeyError("x")
    if kind == 3:
        socket.create_connection(("127.0.0.1", 9), timeout=0.1)
    if kind == 4:
        try:
            socket.getaddrinfo("example.invalid", 80)
        except Exception:  # noqa: BLE001 - a library that hides its attempt
            return "read"
    return "read"


@pytest.mark.parametrize(
    ("kind", "outcome", "found"),
    [
        (0, "bad_input", False),
        (1, "untyped", True),
        (2, "KeyError", True),
        (3, "NetworkUseError", True),
        (4, "network", True),
        (5, "read", False),
    ],
)
def test_the_harness_tells_findings_from_typed_failures(
    kind: int, outcome: str, found: bool
) -> None:
    target = Target("self", lambda rng: kind, _bad)
    with no_network():
        said, finding = one(target, 1, 1)
    assert (said, bool(finding)) == (outcome, found)
    assert socket.socket is not harness._refuse


def _hang_or_die(rng: random.Random) -> int:
    return rng.randrange(1_000_000)


def _work_badly(number: int) -> str:
    if number % 7 == 0:
        os._exit(3)
    if number % 11 == 0:
        time.sleep(60)
    return "read"


def test_a_dead_or_hanging_process_is_a_finding_and_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = Target("self", _hang_or_die, _work_badly)
    monkeypatch.setattr(harness, "TIMEOUT_S", 1.5)
    monkeypatch.setattr(harness, "_work", _worker)
    numbers = [_hang_or_die(random.Random(f"1:self:{n}")) for n in range(12)]
    report = run(target, count=12, seed=1, workers=1)
    dead = sum(n % 7 == 0 for n in numbers)
    hung = sum(n % 7 != 0 and n % 11 == 0 for n in numbers)
    assert dead + hung > 0
    assert (report.inputs, report.outcomes["crash"], report.outcomes["hang"]) == (12, dead, hung)
    assert len(report.findings) == dead + hung


def _worker(pipe, name, seed, numbers):  # type: ignore[no-untyped-def]
    target = Target(name, _hang_or_die, _work_badly)
    harness.__dict__["all_targets"] = lambda: [target]
    from g2_pipelines_tests.fuzz.harness import _work

    _work(pipe, name, seed, numbers)
