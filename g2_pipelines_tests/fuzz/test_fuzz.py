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
INPUTS = {"edinet-filings": 250, "edinet-large": 3, "pdf": 12, "pdf-process": 2}


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


KINDS = ("read", "read", "die", "read", "hang", "read")


def _kind(rng: random.Random) -> str:
    return rng.choice(KINDS)


def _work_badly(kind: str) -> str:
    if kind == "die":
        os._exit(3)
    if kind == "hang":
        time.sleep(600)
    return "read"


def test_a_dead_or_hanging_process_is_a_finding_and_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(harness, "IDLE_S", 30)
    monkeypatch.setattr(harness, "_work", _worker)
    seed = next(s for s in range(999) if sorted(_kinds(s)) == ["die", "hang", "read", "read"])
    report = run(Target("self", _kind, _work_badly), count=4, seed=seed, workers=1)
    assert report.outcomes == {"read": 2, "crash": 1, "hang": 1}
    assert report.inputs == 4
    for word in ("hang", "die"):
        number = _kinds(seed).index(word)
        assert any(f"--seed {seed} --number {number}:" in found for found in report.findings)
    assert len(report.findings) == 2


def _kinds(seed: int) -> list[str]:
    return [_kind(random.Random(f"{seed}:self:{number}")) for number in range(4)]


def _worker(pipe, name, seed, numbers):  # type: ignore[no-untyped-def]
    target = Target(name, _kind, _work_badly)
    harness.__dict__["all_targets"] = lambda: [target]
    from g2_pipelines_tests.fuzz.harness import _work

    _work(pipe, name, seed, numbers)
