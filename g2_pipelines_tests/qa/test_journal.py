"""A killed question goes on where it was: same bytes, no step done twice, whatever is cached."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.config import QaConfig
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.journal import Journal, QuestionState, basis_of, resumable
from g2_pipelines.qa.ports import (
    Check,
    FoundGap,
    PlanDraft,
    QaTasks,
    Quote,
    RefinementDraft,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.qa.refine import PlanOperation
from g2_pipelines.tables.line2 import Answer, EvidenceNode
from g2_pipelines_tests.qa.builders import FixedSource, evidence, node, question, steps
from g2_pipelines_tests.qa.fakes import FakeChecker, FakePlanner, FakeReasoner, FakeWorker, tasks

NODES = [node(f"n{p}", f"Tree {name} is {p + 20} m high.") for p, name in enumerate("abcd")]


class Killed(BaseException):
    """The process ends here."""


class Recalling(FixedSource):
    """Serves the same nodes, and finds them again by id."""

    recalled = 0

    async def recall(self, kept: Sequence[EvidenceNode]) -> list[Evidence]:
        self.recalled += 1
        by_id = {item.node.node_id: item for item in evidence(self.nodes)}
        return [by_id[row.node_id] for row in kept if row.node_id in by_id]


def reply(task: WorkerTask) -> WorkerReply:
    """One tree a step; step b speaks of a number that stands nowhere, at the first look."""
    place = {"a": 0, "b": 1, "c": 2, "d": 3}[task.node.id]
    text = task.evidence[place].node.text
    said = "Tree b is 99 m high." if task.node.id == "b" and not task.closer else text
    quotes = [Quote(node_id=task.evidence[place].node.node_id, text=text)]
    return WorkerReply(answer=said, found=True, short=task.node.id, quotes=quotes)


@dataclass
class Home:
    """What lies on the disk, and how many steps were really done so far."""

    stored: bytes | None = None
    calls: dict[str, int] = field(default_factory=dict)

    def count(self, name: str) -> None:
        self.calls[name] = self.calls.get(name, 0) + 1


def counted(home: Home) -> QaTasks:
    """Two levels, one faulty reply, two refinements, an answer: every stage there is."""

    class Planner(FakePlanner):
        async def plan(self, asked: Any, *, fault: str = "") -> PlanDraft:
            home.count("plan")
            cyclic = PlanDraft(nodes=steps(("a", ["b"]), ("b", ["a"])), root="answer")
            nodes = steps(("a", []), ("b", []), ("c", ["a"]), root=asked.question)
            sound = PlanDraft(nodes=nodes, root="answer")
            return sound if fault else cyclic

        async def refine(self, inquiry: Any, *, fault: str = "") -> RefinementDraft:
            home.count("refine")
            wrong = PlanOperation(op="delete", id="answer")
            more = PlanOperation(op="add", id="d", task="task d", depends_on=["c"])
            return RefinementDraft(operations=[more if fault else wrong])

    class Worker(FakeWorker):
        looks_closer = True

        async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
            home.count("work")
            await asyncio.sleep(0)
            return reply(task)

    class Checker(FakeChecker):
        async def check(self, inquiry: Any) -> Check:
            home.count("check")
            gap = FoundGap(kind="missing", text="tree d")
            lacks = all(finding.row.id != "d" for finding in inquiry.findings)
            return Check(verdict="gaps", gaps=[gap]) if lacks else Check(verdict="sufficient")

    class Reasoner(FakeReasoner):
        async def reason(self, inquiry: Any, *, fault: str = "") -> Any:
            home.count("reason")
            said = await super().reason(inquiry, fault=fault)
            return said if fault else said.model_copy(update={"answer": said.answer + " 77"})

    return tasks(Planner([]), Worker(), Checker([]), Reasoner())


def run(home: Home, *, die_at: int = -1, before: bool = False, **changed: Any) -> Answer:
    """Answer on ``home``; the process ends at the ``die_at``-th save, after or before it."""
    source = Recalling(changed.get("nodes", NODES))
    given = counted(home)
    saves = 0

    def save(content: bytes) -> None:
        nonlocal saves
        saves += 1
        if before and saves == die_at:
            raise Killed
        home.stored = content
        if saves == die_at:
            raise Killed

    asked = question(changed.get("text", "Q?"), documents=["doc"])
    config = QaConfig(concurrency=changed.get("concurrency", 8))
    basis = basis_of(asked, given, config, index_digest=changed.get("digest", "one"))
    journal = Journal(basis, home.stored, save)
    kept, kept_source = resumable(given, source, journal)
    return asyncio.run(
        answer_question(
            asked, evidence=kept_source, **kept._asdict(), config=config, index_digest="one"
        )
    )


def whole() -> tuple[Answer, Home, int]:
    """The undisturbed run: its answer, its calls, and how many times it saved."""
    home = Home()
    answer = run(home)
    assert home.stored is not None
    state = QuestionState.model_validate_json(home.stored)
    fields = (state.plans, state.searches, state.worked)
    more = (state.checks, state.refinements, state.conclusions)
    return answer, home, sum(len(kept) for kept in (*fields, *more))


def test_the_story_that_is_killed_goes_through_every_stage() -> None:
    answer, home, saves = whole()
    assert home.calls == {"plan": 2, "work": 5, "check": 2, "refine": 2, "reason": 2}
    assert saves == 13 + 4  # and four searches
    assert answer.verdict == "sufficient"
    assert [item.id for item in answer.sub_answers] == ["a", "b", "c", "d"]
    assert answer.sub_answers[1].retries == ["the number 99 does not stand in what is cited: found"]


@pytest.mark.parametrize("concurrency", [1, 8])
def test_killed_after_any_step_it_goes_on_there_and_nothing_is_done_twice(concurrency: int) -> None:
    """No cache is involved: what was paid for once is never paid for again."""
    expected, undisturbed, saves = whole()
    for die_at in range(1, saves + 1):
        home = Home()
        with pytest.raises(Killed):
            run(home, die_at=die_at, concurrency=concurrency)
        answer = run(home, concurrency=1)
        assert answer.model_dump_json() == expected.model_dump_json(), die_at
        in_flight = 0 if concurrency == 1 else 1  # two steps of a level run at once
        more = sum(home.calls.values()) - sum(undisturbed.calls.values())
        assert 0 <= more <= in_flight, die_at


def test_killed_within_any_step_only_that_step_is_done_again() -> None:
    expected, undisturbed, saves = whole()
    for die_at in range(1, saves + 1):
        home = Home()
        with pytest.raises(Killed):
            run(home, die_at=die_at, before=True, concurrency=1)
        answer = run(home, concurrency=1)
        assert answer.model_dump_json() == expected.model_dump_json(), die_at
        more = sum(home.calls.values()) - sum(undisturbed.calls.values())
        assert more in (0, 1), die_at  # 0: it was a search


def test_killed_again_and_again_it_still_ends_with_the_same_bytes() -> None:
    expected, undisturbed, _ = whole()
    home = Home()
    for _ in range(100):
        try:
            answer = run(home, die_at=1, concurrency=1)
            break
        except Killed:
            continue
    assert answer.model_dump_json() == expected.model_dump_json()
    assert home.calls == undisturbed.calls


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "Another question?"},
        {"digest": "two"},
        {"nodes": [*NODES[:3], node("n3", "Tree d is 23 m high, or more.")]},
    ],
)
def test_what_rests_on_something_else_is_done_anew(changed: dict[str, Any]) -> None:
    home = Home()
    with pytest.raises(Killed):
        run(home, die_at=12)
    before = dict(home.calls)
    run(home, **changed)
    assert home.calls["work"] >= before["work"] + 4


def test_another_prompt_engine_or_limit_is_another_basis() -> None:
    given = counted(Home())
    asked = question("Q?")
    same = basis_of(asked, given, QaConfig(), index_digest="d")
    other = counted(Home())
    other.worker.prompt_version = "2"  # type: ignore[misc]
    assert basis_of(asked, other, QaConfig(), index_digest="d") != same
    assert basis_of(asked, given, QaConfig(max_refinements=0), index_digest="d") != same
    assert basis_of(asked, given, QaConfig(), index_digest="d", more="seeds 9") != same
    later = asked.model_copy(update={"file": "another.jsonl"})
    assert basis_of(later, given, QaConfig(concurrency=1), index_digest="d") == same


def test_a_damaged_state_is_begun_anew() -> None:
    expected, undisturbed, _ = whole()
    home = Home(stored=b'{"version": 1, "basis": "x", "plans": [')
    assert run(home) == expected
    assert home.calls == undisturbed.calls


def test_the_state_says_what_was_planned_found_with_which_evidence_and_lacking() -> None:
    _, home, _ = whole()
    assert home.stored is not None
    state = QuestionState.model_validate_json(home.stored)
    worked = {item.node.id: item for item in state.worked.values()}
    assert worked["a"].reply.answer == "Tree a is 20 m high."
    assert len(worked["a"].evidence_digest) == 64
    gaps = [gap.text for check in state.checks.values() for gap in check.gaps]
    assert gaps == ["tree d"]
    assert [len(item.operations) for item in state.refinements.values()] == [1, 1]
