"""Refinement of a plan by operations on it: add, update, delete a node by its id.

Here: ``PlanOperation``, ``apply_operations`` and ``answer_key``, which decides what keeps its
answer. A refinement never replaces the whole graph, so an unchanged node with unchanged
dependencies is not asked again. The rules of a plan stand in ``plan``. Imported inside ``qa``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Literal

from g2_pipelines.qa.config import PlanLimits
from g2_pipelines.qa.errors import PlanError
from g2_pipelines.qa.plan import check_plan
from g2_pipelines.tables.line2 import PlanNode
from g2_pipelines.tables.rows import Row


class PlanOperation(Row):
    """One change of a plan. ``task`` and ``depends_on`` are ignored by ``delete``; an
    ``update`` with an empty task keeps the task and replaces the dependencies.
    """

    op: Literal["add", "update", "delete"]
    id: str
    task: str = ""
    depends_on: list[str] = []


def apply_operations(
    nodes: Sequence[PlanNode],
    operations: Sequence[PlanOperation],
    *,
    root: str,
    question: str,
    limits: PlanLimits,
) -> tuple[list[PlanNode], list[str]]:
    """Apply ``operations`` in order and check the result; return it with one note per change.

    A new node is joined to the root when nothing else depends on it; a deleted one leaves the
    others' dependencies. Neither touches the root, which stays the unchanged question.

    Raises:
        PlanError: An operation names an unknown or an existing id, or the root
            (``operation``), or the refined plan breaks a rule.
    """
    plan = {node.id: node for node in nodes}
    notes: list[str] = []
    deleted: set[str] = set()
    for operation in operations:
        _check_operation(operation, plan, root)
        match operation.op:
            case "add":
                plan[operation.id] = PlanNode(
                    id=operation.id, task=operation.task, depends_on=operation.depends_on
                )
            case "update":
                old = plan[operation.id]
                plan[operation.id] = PlanNode(
                    id=old.id,
                    task=operation.task or old.task,
                    depends_on=operation.depends_on,
                )
            case "delete":
                del plan[operation.id]
                deleted.add(operation.id)
        notes.append(f"{operation.op} {operation.id}")
    refined = _joined(plan, root, deleted - plan.keys())
    check_plan(refined, root=root, question=question, limits=limits)
    return refined, notes


def _check_operation(operation: PlanOperation, plan: Mapping[str, PlanNode], root: str) -> None:
    name = operation.id[:40]
    if operation.id == root:
        message = f"{operation.op} of the root {name!r} is not allowed"
    elif operation.op == "add" and operation.id in plan:
        message = f"add of {name!r}, which is already a node"
    elif operation.op != "add" and operation.id not in plan:
        message = f"{operation.op} of {name!r}, which is no node of the plan"
    else:
        return
    raise PlanError(
        message,
        place=name,
        remedy="Add new ids, update and delete existing ones, leave the root alone",
        rule="operation",
    )


def _joined(plan: Mapping[str, PlanNode], root: str, deleted: set[str]) -> list[PlanNode]:
    """The plan without edges to deleted nodes, new leaves joined to the root, root last."""
    others = [
        node.model_copy(update={"depends_on": _distinct(node.depends_on, deleted)})
        for node in plan.values()
        if node.id != root
    ]
    used = {target for node in others for target in node.depends_on}
    leaves = [node.id for node in others if node.id not in used]
    wanted = [*plan[root].depends_on, *leaves]
    last = plan[root].model_copy(update={"depends_on": _distinct(wanted, deleted)})
    return [*others, last]


def _distinct(names: Sequence[str], deleted: set[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name not in deleted]


def answer_key(node: PlanNode, keys: Mapping[str, str]) -> str:
    """Hash of what an answer rests on: the task and the dependencies' keys, in id order.

    ``keys`` holds those of the dependencies. The node's own id is left out, so that a
    renamed node keeps its answer.
    """
    parts = [node.task, *(keys[name] for name in sorted(node.depends_on))]
    return sha256("\0".join(parts).encode()).hexdigest()
