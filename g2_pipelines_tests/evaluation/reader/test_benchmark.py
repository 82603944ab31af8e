"""The benchmark's own parts: its invalid plans are invalid, its instant engine goes all the way."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from benchmarks.instant_reader import Instant
from benchmarks.invalid_plans import QUESTION, ROOT, accepted, faults, invalid_plans
from benchmarks.qa import SAMPLE
from g2_pipelines.evaluation.reader.load import load_cases
from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.config import PlanLimits
from g2_pipelines.tables.line2 import PlanNode
from g2_pipelines_tests.qa.builders import ENGLISH, FixedSource, question

ROOT_NODE = PlanNode(id=ROOT, task=QUESTION, depends_on=["q1"])
Q1, Q2 = PlanNode(id="q1", task="a?"), PlanNode(id="q2", task="b?", depends_on=["q1"])


def test_no_invalid_plan_is_worked() -> None:
    wrong, tried, kinds = accepted()
    assert (wrong, kinds) == (0, [])
    assert tried >= 200


def test_every_plan_of_the_benchmark_breaks_a_rule() -> None:
    kinds = Counter(
        kind for kind, nodes, root in invalid_plans() if faults(nodes, root, PlanLimits())
    )
    assert kinds == Counter(kind for kind, _, _ in invalid_plans())
    assert min(n for kind, n in kinds.items() if not kind.startswith("10000")) == 12


@pytest.mark.parametrize(
    ("nodes", "found"),
    [
        ([Q1, ROOT_NODE], []),
        ([Q1, Q2, ROOT_NODE.model_copy(update={"depends_on": ["q1", "q2"]})], []),
        ([], ["empty"]),
        ([Q1, Q1, ROOT_NODE], ["duplicate_id"]),
        ([Q1.model_copy(update={"depends_on": ["q2"]}), Q2, ROOT_NODE], ["cycle"]),
        ([ROOT_NODE, Q1], ["root"]),
        ([Q1.model_copy(update={"depends_on": ["z"]}), ROOT_NODE], ["unknown_dependency"]),
    ],
)
def test_the_rules_written_again(nodes: list[PlanNode], found: list[str]) -> None:
    assert faults(nodes, ROOT, PlanLimits()) == found


def test_depth_and_number_are_those_of_the_limits() -> None:
    chain = [
        PlanNode(id=f"q{n}", task="?", depends_on=[f"q{n - 1}"] if n > 1 else [])
        for n in range(1, 5)
    ]
    plan = [*chain, ROOT_NODE.model_copy(update={"depends_on": ["q4"]})]
    assert faults(plan, ROOT, PlanLimits(max_depth=4)) == []
    assert faults(plan, ROOT, PlanLimits(max_depth=3)) == ["depth"]
    assert faults(plan, ROOT, PlanLimits(max_depth=4, max_nodes=4)) == ["node_count"]


def test_the_instant_engine_takes_every_step() -> None:
    """Plan, three workers, check, refinement, a fourth worker, check, reasoner: nine calls."""
    engine = Instant()
    answer = asyncio.run(
        answer_question(
            question("Which tower sways most?"),
            evidence=FixedSource(ENGLISH),
            **build_tasks(engine, max_images=0)._asdict(),
        )
    )
    assert engine.calls == 9
    assert [len(version.nodes) for version in answer.plan_versions] == [4, 5]
    assert not answer.unanswerable
    assert answer.citations


def test_the_sample_questions_are_whole() -> None:
    found = load_cases(SAMPLE.read_bytes(), SAMPLE.name)
    assert (found.name, len(found.cases), found.skipped) == ("own", 18, [])
    assert sum(case.kind == "none" for case in found.cases) == 3
    assert all(case.pages for case in found.cases if case.kind != "none")
