"""Refinement: operations on the same graph, unchanged nodes keep what they know."""

from __future__ import annotations

import pytest

from g2_pipelines.qa.config import PlanLimits
from g2_pipelines.qa.errors import PlanError
from g2_pipelines.qa.refine import PlanOperation, answer_key, apply_operations
from g2_pipelines.tables.line2 import PlanNode
from g2_pipelines_tests.qa.builders import steps

LIMITS = PlanLimits(max_nodes=8)


def refined(plan: list[PlanNode], *operations: PlanOperation) -> dict[str, list[str]]:
    nodes, _ = apply_operations(plan, operations, root="answer", question="Q?", limits=LIMITS)
    return {node.id: node.depends_on for node in nodes}


def test_an_added_node_reaches_the_root_and_the_others_stay() -> None:
    plan = steps(("a", []))
    assert refined(plan, PlanOperation(op="add", id="b", task="t")) == {
        "a": [],
        "b": [],
        "answer": ["a", "b"],
    }


def test_a_deleted_node_leaves_no_dangling_dependency() -> None:
    plan = steps(("a", []), ("b", ["a"]))
    assert refined(plan, PlanOperation(op="delete", id="a")) == {"b": [], "answer": ["b"]}


def test_an_update_without_a_task_keeps_the_task() -> None:
    nodes, notes = apply_operations(
        steps(("a", []), ("b", [])),
        [PlanOperation(op="update", id="b", depends_on=["a"])],
        root="answer",
        question="Q?",
        limits=LIMITS,
    )
    assert nodes[1] == PlanNode(id="b", task="task b", depends_on=["a"])
    assert notes == ["update b"]


@pytest.mark.parametrize(
    "operation",
    [
        PlanOperation(op="add", id="a", task="t"),
        PlanOperation(op="update", id="ghost", task="t"),
        PlanOperation(op="delete", id="ghost"),
        PlanOperation(op="delete", id="answer"),
        PlanOperation(op="update", id="answer", task="Other?"),
    ],
)
def test_operations_on_wrong_ids_or_the_root_are_refused(operation: PlanOperation) -> None:
    with pytest.raises(PlanError) as caught:
        refined(steps(("a", [])), operation)
    assert caught.value.rule == "operation"


def test_a_refinement_cannot_make_a_cycle_or_grow_past_its_limit() -> None:
    plan = steps(("a", []), ("b", ["a"]))
    with pytest.raises(PlanError, match="cycle"):
        refined(plan, PlanOperation(op="update", id="a", depends_on=["b"]))
    more = [PlanOperation(op="add", id=f"x{place}", task="t") for place in range(6)]
    with pytest.raises(PlanError, match="at most 8"):
        refined(plan, *more)
    with pytest.raises(PlanError, match="no node of the plan"):
        refined(plan, PlanOperation(op="add", id="c", task="t", depends_on=["ghost"]))


def test_an_answer_is_kept_under_another_id_and_lost_with_another_dependency() -> None:
    node = PlanNode(id="b", task="t", depends_on=["a"])
    same = answer_key(node.model_copy(update={"id": "c"}), {"a": "1"})
    assert answer_key(node, {"a": "1"}) == same
    assert answer_key(node, {"a": "2"}) != same
    assert answer_key(node.model_copy(update={"task": "u"}), {"a": "1"}) != same
