"""``python -m g2_pipelines_tests.fuzz [--count N] [--seed S] [--target T] [--number I]``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from g2_pipelines_tests.fuzz.harness import all_targets, made, no_network, one, run


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutated inputs against our readers")
    parser.add_argument("--count", type=int, default=20_000, help="inputs over all targets")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the time")
    parser.add_argument("--target", default="", help="only targets whose name begins so")
    parser.add_argument("--number", type=int, help="one input, to reproduce a finding")
    parser.add_argument("--write", type=Path, help="with --number: write the input there")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    chosen = [t for t in all_targets() if t.name.startswith(given.target)]
    if given.number is not None:
        target = next(t for t in chosen if t.name == given.target)
        if given.write:
            content = made(target, given.seed, given.number)
            given.write.write_bytes(
                content if isinstance(content, bytes) else repr(content).encode()
            )
        with no_network():
            print(*one(target, given.seed, given.number), sep="\n")
        return 0
    whole = sum(t.share for t in chosen)
    total = findings = 0
    for target in chosen:
        count = max(1, round(given.count * target.share / whole))
        began = time.monotonic()
        report = run(target, count=count, seed=given.seed, workers=given.workers)
        took = time.monotonic() - began
        total += report.inputs
        findings += len(report.findings)
        outcomes = ", ".join(f"{name} {n}" for name, n in report.outcomes.most_common())
        print(f"{target.name}: {report.inputs} inputs in {took:.0f} s: {outcomes}")
        for finding in report.findings[:10]:
            print(f"  {finding}")
    print(
        f"{total} inputs, seed {given.seed}: {findings} findings (crash, hang, network, invariant)"
    )
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
