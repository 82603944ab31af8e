"""Plans that break a rule, of every kind, and how many of them are worked.

Here: ``invalid_plans`` (more than 200, the same in every run), ``invalid_refinements``, ``faults`` (the
rules written again, independently of the product) and ``accepted``. A plan counts as accepted
if the product's check lets it pass, if a plan that breaks a rule is executed, or if another
plan is executed without a note that says so.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator, Sequence

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.config import PlanLimits, QaConfig
from g2_pipelines.qa.errors import PlanError
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.plan import check_plan
from g2_pipelines.qa.ports import (
    Check,
    Finding,
    FoundGap,
    Inquiry,
    PlanDraft,
    Reasoned,
    RefinementDraft,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.qa.refine import PlanOperation, apply_operations
from g2_pipelines.tables.line2 import Answer, PlanNode, Question

QUESTION = "How much higher is the second tower than the first?"
ROOT = "answer"
_EACH = 12
_LONGEST = 2_000  # characters of a sub-question
Plan = tuple[str, list[PlanNode], str]  # kind, nodes, root
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")


def _node(name: str, *after: str, task: str = "") -> PlanNode:
    return PlanNode(id=name, task=task or f"What about {name}?", depends_on=list(after))


def _steps(count: int, rng: random.Random) -> list[PlanNode]:
    """``count`` steps, each on at most one of the first: depth of two."""
    names = [f"q{n}" for n in range(1, count + 1)]
    first = names[: max(1, count // 2)]
    return [_node(name, *([rng.choice(first)] if name not in first else [])) for name in names]


def _rooted(steps: Sequence[PlanNode], *, task: str = QUESTION, root: str = ROOT) -> list[PlanNode]:
    return [*steps, _node(root, *(step.id for step in steps), task=task)]


def _chain(length: int) -> list[PlanNode]:
    return [_node(f"q{n}", *([f"q{n - 1}"] if n > 1 else [])) for n in range(1, length + 1)]


def _with(steps: Sequence[PlanNode], at: int, **update: object) -> list[PlanNode]:
    changed = list(steps)
    changed[at] = changed[at].model_copy(update=update)
    return changed


def invalid_plans() -> Iterator[Plan]:
    """Every kind twelve times, with other sizes and places."""
    rng = random.Random(7)
    for n in range(_EACH):
        count = 2 + n % 4
        steps = _steps(count, rng)
        at = rng.randrange(count)
        other = (at + 1) % count
        yield "empty", [], ("answer", "q1", "", "x" * 90)[n % 4]
        yield "root_missing", list(steps), ROOT
        yield "root_changed", _rooted(steps, task=f"{QUESTION} {n}"), ROOT
        yield "root_reworded", _rooted(steps, task=QUESTION.upper()), ROOT
        moved = _rooted(steps)
        yield "root_not_last", [moved[-1], *moved[:-1]], ROOT
        yield "root_of_another_name", _rooted(steps), f"r{n}"
        yield "duplicate_id", _rooted([*steps, _node(steps[at].id)]), ROOT
        yield "duplicate_root", [*_rooted(steps), _node(ROOT, task=QUESTION)], ROOT
        name = ("", " ", "1q", "a b", "q" * 33, "問1", "q-1", "../q", "q\n", "<q>", "q;", "q.1")[n]
        yield "id_pattern", _rooted(_with(steps, at, id=name)), ROOT
        yield "empty_task", _rooted(_with(steps, at, task=" " * n)), ROOT
        yield "long_task", _rooted(_with(steps, at, task="why " * (600 + n))), ROOT
        yield "unknown_dependency", _rooted(_with(steps, at, depends_on=[f"z{n}"])), ROOT
        yield "self_dependency", _rooted(_with(steps, at, depends_on=[steps[at].id])), ROOT
        two = _with(steps, at, depends_on=[steps[other].id])
        yield "cycle_of_two", _rooted(_with(two, other, depends_on=[steps[at].id])), ROOT
        ring = _chain(3 + n % 3)
        yield "cycle", _rooted(_with(ring, 0, depends_on=[ring[-1].id])), ROOT
        yield "depends_on_root", _rooted(_with(steps, at, depends_on=[ROOT])), ROOT
        yield "depth", _rooted(_chain(4 + n % 2)), ROOT
        yield "node_count", _rooted(_steps(6 + n, rng)), ROOT
        # Two faults that cancel out where edges are counted: a doubled id and a dangling end.
        both = _rooted([*steps, _node(steps[at].id, f"z{n}")])
        yield "duplicate_and_dangling", both, ROOT
    yield "10000_nodes", _rooted([_node(f"q{n}") for n in range(10_000)]), ROOT
    yield "10000_deep", _rooted(_chain(10_000)), ROOT


def invalid_refinements() -> Iterator[tuple[str, list[PlanOperation]]]:
    """Operations on the plan q1 → q2 → root that are not allowed."""

    def op(kind: str, name: str, *after: str, task: str = "What?") -> PlanOperation:
        return PlanOperation.model_validate(
            {"op": kind, "id": name, "task": task, "depends_on": list(after)}
        )

    for n in range(_EACH):
        yield "add_existing", [op("add", "q1", task=f"What {n}?")]
        yield "update_unknown", [op("update", f"z{n}")]
        yield "delete_unknown", [op("delete", f"z{n}")]
        yield "touch_root", [op(("add", "update", "delete")[n % 3], ROOT)]
        yield "cycle", [op("update", "q1", "q2", task="")]
        yield "self_dependency", [op("add", f"r{n}", f"r{n}")]
        yield "unknown_dependency", [op("add", f"r{n}", f"z{n}")]
        yield "too_many", [op("add", f"r{k}") for k in range(6 + n)]
        yield "too_deep", [op("add", "r1", "q2"), op("add", "r2", "r1")]
        yield "bad_id", [op("add", ("", "r 1", "1r", "r-1", "r\n", "<r>")[n % 6])]
        yield "empty_task", [op("add", "r1", task=" ")]


def faults(
    nodes: Sequence[PlanNode], root: str, limits: PlanLimits, question: str = QUESTION
) -> list[str]:
    """Every rule that a plan breaks, by a walk along its edges."""
    if not nodes:
        return ["empty"]
    names = [node.id for node in nodes]
    after = {node.id: set(node.depends_on) for node in nodes}
    broken = {
        "duplicate_id": len(set(names)) < len(names),
        "id_pattern": any(_ID.fullmatch(name) is None for name in names),
        "task": any(not n.task.strip() or len(n.task) > _LONGEST for n in nodes),
        "node_count": len(nodes) > limits.max_nodes,
        "root": names[-1] != root or nodes[-1].task != question,
        "depends_on_root": any(root in targets for targets in after.values()),
        "unknown_dependency": any(t not in after for targets in after.values() for t in targets),
    }
    found = [rule for rule, is_broken in broken.items() if is_broken]
    if broken["unknown_dependency"]:
        return found
    depth = _longest(after)
    if depth is None:
        return [*found, "cycle"]
    return [*found, "depth"] if depth > limits.max_depth else found


def _longest(after: dict[str, set[str]]) -> int | None:
    """Edges on the longest way, None where there is a cycle; without recursion."""
    depth: dict[str, int] = {}
    open_: set[str] = set()
    for start in after:
        stack = [start]
        while stack:
            name = stack[-1]
            if name in depth:
                stack.pop()
                continue
            waiting = [other for other in after[name] if other not in depth]
            if not waiting:
                depth[name] = max((depth[other] + 1 for other in after[name]), default=0)
                open_.discard(name)
                stack.pop()
            elif name in open_ or any(other in open_ for other in waiting):
                return None
            else:
                open_.add(name)
                stack += waiting
    return max(depth.values(), default=0)


class _Tasks:
    """All four tasks: the planner gives the plan under test, the worker finds nothing."""

    looks_closer = False
    engine, model, prompt_version = "made-up", "made-up/1", "none"

    def __init__(
        self, nodes: Sequence[PlanNode], root: str, operations: Sequence[PlanOperation] = ()
    ) -> None:
        self._nodes, self._root, self._operations = list(nodes), root, list(operations)

    async def plan(self, question: Question, *, fault: str = "") -> PlanDraft:
        del question, fault
        return PlanDraft(nodes=self._nodes, root=self._root)

    async def refine(self, inquiry: Inquiry, *, fault: str = "") -> RefinementDraft:
        del inquiry, fault
        return RefinementDraft(operations=self._operations)

    def survey(self, task: PlanNode) -> str:
        del task
        return ""

    def query(self, task: PlanNode, dependencies: Sequence[Finding]) -> str:
        del dependencies
        return task.task

    async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
        del task, fault
        return WorkerReply(answer="nothing", found=False)

    async def check(self, inquiry: Inquiry) -> Check:
        del inquiry
        return Check(verdict="gaps", gaps=[FoundGap(kind="missing", text="all")])

    async def reason(self, inquiry: Inquiry, *, fault: str = "") -> Reasoned:
        del inquiry, fault
        return Reasoned(answer="", unanswerable=True, why="nothing")

    async def retrieve(self, query: str) -> list[Evidence]:
        del query
        return []


async def _answer(tasks: _Tasks, config: QaConfig) -> Answer:
    return await answer_question(
        Question(question_id="made-up", question=QUESTION),
        evidence=tasks,
        planner=tasks,
        worker=tasks,
        checker=tasks,
        reasoner=tasks,
        config=config,
    )


async def _accepts(plan: Plan, config: QaConfig) -> bool:
    _, nodes, root = plan
    try:
        check_plan(nodes, root=root, question=QUESTION, limits=config.first_plan)
    except PlanError:
        pass
    else:
        return True
    [version] = (await _answer(_Tasks(nodes, root), config)).plan_versions
    broken = faults(version.nodes, version.root, config.first_plan)
    return bool(broken) or not version.notes


async def _accepts_change(operations: Sequence[PlanOperation], config: QaConfig) -> bool:
    plan = [_node("q1"), _node("q2", "q1"), _node(ROOT, "q2", task=QUESTION)]
    limits = config.refined_plan
    try:
        apply_operations(plan, operations, root=ROOT, question=QUESTION, limits=limits)
    except PlanError:
        pass
    else:
        return True
    answer = await _answer(_Tasks(plan, ROOT, operations), config)
    return any(faults(v.nodes, v.root, limits) for v in answer.plan_versions)


def accepted() -> tuple[int, int, list[str]]:
    """(plans and refinements that broke a rule and were worked, all that were tried, kinds)."""
    first = QaConfig(max_refinements=0)
    refined = QaConfig(max_refinements=1)
    tried = 0
    kinds: list[str] = []

    async def run() -> None:
        nonlocal tried
        for plan in invalid_plans():
            tried += 1
            if await _accepts(plan, first):
                kinds.append(plan[0])
        for kind, operations in invalid_refinements():
            tried += 1
            if await _accepts_change(operations, refined):
                kinds.append(f"refinement: {kind}")

    asyncio.run(run())
    return len(kinds), tried, sorted(set(kinds))
