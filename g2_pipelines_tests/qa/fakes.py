"""Task ports as plain functions, for tests of the order of things."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from g2_pipelines.qa.ports import (
    Check,
    Claim,
    Finding,
    Inquiry,
    PlanDraft,
    QaTasks,
    Quote,
    Reasoned,
    RefinementDraft,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.tables.line2 import PlanNode, Question


class Named:
    looks_closer = False
    engine = "fake"
    model = "fake/1"
    prompt_version = "none"


@dataclass
class FakePlanner(Named):
    drafts: list[PlanDraft]
    refinements: list[RefinementDraft] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    refined: int = 0

    async def plan(self, question: Question, *, fault: str = "") -> PlanDraft:
        self.faults.append(fault)
        return self.drafts[min(len(self.faults), len(self.drafts)) - 1]

    async def refine(self, inquiry: Inquiry, *, fault: str = "") -> RefinementDraft:
        self.refined += 1
        if self.refined > len(self.refinements):
            return RefinementDraft(operations=[])
        return self.refinements[self.refined - 1]


def cites_first(task: WorkerTask) -> WorkerReply:
    """Answers with the first evidence's text, quoted whole."""
    first = task.evidence[0].node
    return WorkerReply(
        answer=first.text,
        found=True,
        short=task.node.id,
        cited=[first.node_id],
        quotes=[Quote(node_id=first.node_id, text=first.text)],
    )


@dataclass
class FakeWorker(Named):
    reply: Callable[[WorkerTask], WorkerReply] = cites_first
    delays: dict[str, float] = field(default_factory=dict)
    tasks: list[WorkerTask] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def survey(self, task: PlanNode) -> str:
        return ""

    def query(self, task: PlanNode, dependencies: Sequence[Finding]) -> str:
        return " ".join([task.task, *(item.short for item in dependencies)])

    async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
        await asyncio.sleep(self.delays.get(task.node.id, 0))
        self.tasks.append(task)
        self.faults.append(fault)
        return self.reply(task)

    @property
    def order(self) -> list[str]:
        return [task.node.id for task in self.tasks]


@dataclass
class FakeChecker(Named):
    checks: list[Check]
    asked: int = 0

    async def check(self, inquiry: Inquiry) -> Check:
        self.asked += 1
        return self.checks[min(self.asked, len(self.checks)) - 1]


def quotes_all(inquiry: Inquiry) -> Reasoned:
    """Every finding's answer, each with its quote."""
    claims = [
        Claim(text=item.row.answer, node_id=quote.node_id, quote=quote.text)
        for item in inquiry.findings
        for quote in item.quotes
    ]
    return Reasoned(answer=" ".join(dict.fromkeys(c.text for c in claims)), claims=claims)


@dataclass
class FakeReasoner(Named):
    reply: Callable[[Inquiry], Reasoned] = quotes_all
    inquiries: list[Inquiry] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    async def reason(self, inquiry: Inquiry, *, fault: str = "") -> Reasoned:
        self.inquiries.append(inquiry)
        self.faults.append(fault)
        return self.reply(inquiry)


def tasks(
    planner: FakePlanner,
    worker: FakeWorker | None = None,
    checker: FakeChecker | None = None,
    reasoner: FakeReasoner | None = None,
) -> QaTasks:
    return QaTasks(
        planner=planner,
        worker=worker or FakeWorker(),
        checker=checker or FakeChecker([Check(verdict="sufficient")]),
        reasoner=reasoner or FakeReasoner(),
    )
