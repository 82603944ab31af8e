"""The planning graph: its rules, its order of execution, and cheap repairs.

Here: ``check_plan`` (each rule its own message), ``levels`` (topological levels),
``repair_plan`` (what can be mended without guessing, each mend recorded) and
``one_step_plan``. A plan has one list of edges only, ``depends_on``: a node comes after the
nodes it depends on. Refinement stands in ``refine``, execution in ``answer``.
Imported inside ``qa``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from g2_pipelines.qa.config import PlanLimits
from g2_pipelines.qa.errors import PlanError
from g2_pipelines.tables.line2 import PlanNode

ROOT = "answer"  #: id of the root in plans made here; a model may name its own
ID_PATTERN = r"[A-Za-z][A-Za-z0-9_]{0,31}"
MAX_TASK_CHARS = 2_000  #: of a sub-question; the root may be as long as the question
_ID = re.compile(ID_PATTERN)


def _fail(rule: str, message: str, *, place: str, remedy: str) -> PlanError:
    return PlanError(message, place=place[:80], remedy=remedy, rule=rule)


def check_plan(nodes: Sequence[PlanNode], *, root: str, question: str, limits: PlanLimits) -> None:
    """Check a plan against every rule, in a fixed order, in time linear in its size.

    The order is: non-empty, unique ids, id pattern and task, endpoints exist, no self-dependency,
    acyclic, depth, node count, root is the unchanged question and last. Two faults cannot
    cancel out, since no rule is judged by counting edges.

    Args:
        nodes: The plan in its order.
        root: Id of the root node.
        question: The question as asked; the root's task must equal it.
        limits: Greatest number of nodes (root counted) and depth (dependencies on a path).

    Raises:
        PlanError: The first broken rule, with ``rule`` naming it.
    """
    _check_names(nodes, longest=max(MAX_TASK_CHARS, len(question)))
    _check_edges(nodes)
    by_level = levels(nodes)
    depth = len(by_level) - 1
    if depth > limits.max_depth:
        raise _fail(
            "depth",
            f"the plan is {depth} dependencies deep, at most {limits.max_depth} are allowed",
            place=by_level[-1][0].id,
            remedy="Merge steps of the longest chain",
        )
    if len(nodes) > limits.max_nodes:
        raise _fail(
            "node_count",
            f"the plan has {len(nodes)} nodes, at most {limits.max_nodes} are allowed",
            place="nodes",
            remedy="Keep only the sub-questions that the answer needs",
        )
    _check_root(nodes, root, question)


def _check_names(nodes: Sequence[PlanNode], *, longest: int) -> None:
    if not nodes:
        raise _fail(
            "empty", "the plan has no nodes", place="nodes", remedy="Give at least the root"
        )
    twice = [name for name, count in Counter(node.id for node in nodes).items() if count > 1]
    if twice:
        raise _fail(
            "duplicate_id",
            f"the id {twice[0][:40]!r} is used by more than one node",
            place=twice[0],
            remedy="Give every node an id of its own",
        )
    for node in nodes:
        if _ID.fullmatch(node.id) is None:
            raise _fail(
                "id_pattern",
                f"the id {node.id[:40]!r} does not match {ID_PATTERN}",
                place=node.id,
                remedy="Use a letter, then letters, digits or _",
            )
        if not node.task.strip() or len(node.task) > longest:
            raise _fail(
                "task",
                f"the task of {node.id} is empty or longer than {longest} characters",
                place=node.id,
                remedy="Ask one short question",
            )


def _check_edges(nodes: Sequence[PlanNode]) -> None:
    known = {node.id for node in nodes}
    for node in nodes:
        for target in node.depends_on:
            if target not in known:
                raise _fail(
                    "unknown_dependency",
                    f"{node.id} depends on {target[:40]!r}, which is no node of the plan",
                    place=node.id,
                    remedy="Depend on ids of this plan only",
                )
    for node in nodes:
        if node.id in node.depends_on:
            raise _fail(
                "self_dependency",
                f"{node.id} depends on itself",
                place=node.id,
                remedy="Remove the dependency",
            )


def _check_root(nodes: Sequence[PlanNode], root: str, question: str) -> None:
    if nodes[-1].id != root:
        raise _fail(
            "root_last",
            f"the last node is {nodes[-1].id}, not the root {root[:40]!r}",
            place=root,
            remedy="Put the root at the end",
        )
    if nodes[-1].task != question:
        raise _fail(
            "root_changed",
            "the root's task is not the question as it was asked",
            place=root,
            remedy="Copy the question unchanged into the root",
        )
    above = [node.id for node in nodes if root in node.depends_on]
    if above:
        raise _fail(
            "root_last",
            f"{above[0]} depends on the root, which is answered last",
            place=above[0],
            remedy="Let the root depend on the others only",
        )


def levels(nodes: Sequence[PlanNode]) -> list[list[PlanNode]]:
    """Topological levels (Kahn): level 0 depends on nothing, level k on levels below k.

    Within a level nodes stand in plan order. Every dependency must name a node of the plan.

    Raises:
        PlanError: ``cycle``, naming the nodes that wait for each other.
    """
    waiting = {node.id: len(set(node.depends_on)) for node in nodes}
    followers: dict[str, list[str]] = {node.id: [] for node in nodes}
    for node in nodes:
        for target in set(node.depends_on):
            followers[target].append(node.id)
    position = {node.id: place for place, node in enumerate(nodes)}
    ready = [node.id for node in nodes if waiting[node.id] == 0]
    result: list[list[PlanNode]] = []
    done = 0
    while ready:
        result.append([nodes[position[name]] for name in ready])
        done += len(ready)
        free: list[str] = []
        for name in ready:
            for follower in followers[name]:
                waiting[follower] -= 1
                if waiting[follower] == 0:
                    free.append(follower)
        ready = sorted(free, key=position.__getitem__)
    if done < len(nodes):
        stuck = [node.id for node in nodes if waiting[node.id] > 0]
        raise _fail(
            "cycle",
            f"the plan has a cycle among {', '.join(stuck[:6])}",
            place=stuck[0],
            remedy="Let a node depend only on nodes that are answered before it",
        )
    return result


def repair_plan(nodes: Sequence[PlanNode], *, root: str) -> tuple[list[PlanNode], list[str]]:
    """Mend what needs no guess; return the plan and one note per mend.

    Dropped: dependencies on unknown nodes and on the node itself, and repeated ones. Moved:
    the root to the end. Joined: a sub-question that nothing uses, to the root. Added: the
    question itself as a step where there is only the root. Anything else
    (duplicate ids, cycles, too many nodes, a changed root) is left for ``check_plan``.
    """
    notes: list[str] = []
    known = {node.id for node in nodes}
    mended = [_mend_edges(node, known, notes) for node in nodes]
    if sum(node.id == root for node in mended) != 1:
        return mended, notes
    if len(mended) == 1:
        first = PlanNode(id="q1" if root != "q1" else "q2", task=mended[0].task)
        notes.append(f"only the root: its question became the step {first.id}")
        mended = [first, *mended]
    if mended[-1].id != root:
        notes.append(f"root {root} moved to the end")
        mended = [n for n in mended if n.id != root] + [n for n in mended if n.id == root]
    used = {target for node in mended for target in node.depends_on}
    loose = [node.id for node in mended[:-1] if node.id not in used]
    if loose:
        notes.append(f"joined to the root: {', '.join(loose[:10])}")
        last = mended[-1]
        mended[-1] = last.model_copy(update={"depends_on": [*last.depends_on, *loose]})
    return mended, notes


def _mend_edges(node: PlanNode, known: set[str], notes: list[str]) -> PlanNode:
    kept: list[str] = []
    for target in dict.fromkeys(node.depends_on):
        if target not in known:
            notes.append(f"{node.id}: dependency on unknown {target[:40]!r} dropped")
        elif target == node.id:
            notes.append(f"{node.id}: dependency on itself dropped")
        else:
            kept.append(target)
    return node if kept == node.depends_on else node.model_copy(update={"depends_on": kept})


def with_root(steps: Sequence[PlanNode], question: str) -> list[PlanNode]:
    """The sub-questions and the root, the unchanged question, on those that nothing uses."""
    used = {name for step in steps for name in step.depends_on}
    last = [step.id for step in steps if step.id not in used]
    return [*steps, PlanNode(id=ROOT, task=question, depends_on=last)]


def one_step_plan(question: str) -> list[PlanNode]:
    """The smallest plan: one worker asks the question itself, the root answers it."""
    return with_root([PlanNode(id="q1", task=question)], question)
