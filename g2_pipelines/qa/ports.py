"""The four tasks of a question as ports: planner, worker, checker, reasoner.

Here: what each is asked and what it replies, as frozen models, and one Protocol each. Two
sets implement them: ``extractive`` (on ``text``, deterministic) and ``prompted`` (on a
completion port). A reply is a claim, not yet a fact: ``grounding`` checks it against the
evidence before anything is kept. Imported inside ``qa`` and by ``defs`` for typing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from g2_pipelines.models.ports import Maker
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.refine import PlanOperation
from g2_pipelines.tables.line2 import CopiedValue, Gap, GapKind, PlanNode, Question, SubAnswer
from g2_pipelines.tables.rows import Row

Operation = Literal[
    "", "difference", "ratio", "growth", "sum", "count", "rank", "turnover", "cover", "share"
]
Language = Literal["ja", "en"]
Verdict = Literal["sufficient", "partial", "insufficient", "unknown"]


class Quote(Row):
    """Characters that are said to stand in a node's text, caption, cells or picture."""

    node_id: str
    text: str


class PlanDraft(Row):
    """A plan as its maker gave it, not yet checked."""

    nodes: list[PlanNode]
    root: str
    notes: list[str] = []
    call_keys: list[str] = []


class RefinementDraft(Row):
    """Operations on a plan, not yet checked; none says that nothing better is known."""

    operations: list[PlanOperation]
    notes: list[str] = []
    call_keys: list[str] = []


class WorkerReply(Row):
    """What a worker says: the answer, where it stands, and values to calculate with.

    ``found`` False means that the evidence does not hold it; ``answer`` then says what lacks.
    ``lack`` is the kind of gap that leaves. ``short`` is the value, name or label alone, for
    the steps that build on it.
    """

    answer: str
    found: bool
    short: str = ""
    lack: GapKind = "missing"
    cited: list[str] = []
    quotes: list[Quote] = []
    values: list[CopiedValue] = []
    operation: Operation = ""
    call_keys: list[str] = []


class FoundGap(Row):
    """What the checker finds lacking."""

    kind: GapKind
    text: str


class Check(Row):
    """The checker's verdict. ``unknown`` is a reply that could not be read: never a no.

    ``partial``: some parts of the question are answered, and the gaps are the others.
    """

    verdict: Literal["sufficient", "partial", "gaps", "unknown"]
    gaps: list[FoundGap] = []
    call_keys: list[str] = []


class Claim(Row):
    """A part of the final answer and the quote that carries it."""

    text: str
    node_id: str
    quote: str


class Reasoned(Row):
    """The final answer with its claims, or why there is none."""

    answer: str
    claims: list[Claim] = []
    unanswerable: bool = False
    why: str = ""
    call_keys: list[str] = []


@dataclass(frozen=True)
class Finding:
    """A sub-answer as kept, with its quotes, and the evidence that it cites."""

    row: SubAnswer
    quotes: Sequence[Quote]
    evidence: Sequence[Evidence]
    short: str = ""
    lack: GapKind = "missing"


@dataclass(frozen=True)
class WorkerTask:
    """One sub-question: its evidence, nearest first, and the answers it depends on.

    ``closer``: the second look, at tables cell by cell and at enlarged pictures. ``survey``:
    all places of the document that the worker asked to go through, in reading order.
    """

    node: PlanNode
    question: Question
    evidence: Sequence[Evidence]
    dependencies: Sequence[Finding]
    closer: bool = False
    survey: Sequence[Evidence] = ()


@dataclass(frozen=True)
class Inquiry:
    """All that is known of a question so far, for the checker, refinement and the reasoner.

    ``current`` holds the finding of each node of the plan but the root; ``findings`` those of
    all versions. ``evidence`` is the union of what they cite, each node once.
    """

    question: Question
    plan: Sequence[PlanNode]
    root: str
    current: Mapping[str, Finding]
    findings: Sequence[Finding]
    evidence: Sequence[Evidence]
    gaps: Sequence[Gap]
    verdict: Verdict


class Planner(Maker, Protocol):
    """Takes a question apart, and mends the plan when something lacks."""

    async def plan(self, question: Question, *, fault: str = "") -> PlanDraft:
        """A plan for ``question``; ``fault`` names the rule its last plan broke."""
        ...

    async def refine(self, inquiry: Inquiry, *, fault: str = "") -> RefinementDraft:
        """Operations aimed at the inquiry's gaps; ``fault`` names what was wrong last time."""
        ...


class Worker(Maker, Protocol):
    """Answers one sub-question from its evidence and its dependencies' answers.

    ``looks_closer``: a second look can find more than the first.
    """

    @property
    def looks_closer(self) -> bool:
        """Whether a task that found nothing is worth another, ``closer`` one."""
        ...

    def survey(self, task: PlanNode) -> str:
        """A pattern (of folded text) whose every place must be gone through, "" for none."""
        ...

    def query(self, task: PlanNode, dependencies: Sequence[Finding]) -> str:
        """What to retrieve evidence for."""
        ...

    async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
        """The answer; ``fault`` names what could not be verified in the last reply."""
        ...


class Checker(Maker, Protocol):
    """Judges whether the findings suffice for the question."""

    async def check(self, inquiry: Inquiry) -> Check:
        """The verdict; an unreadable reply is ``unknown``."""
        ...


class Reasoner(Maker, Protocol):
    """Composes the final answer from the findings and the union of their evidence."""

    async def reason(self, inquiry: Inquiry, *, fault: str = "") -> Reasoned:
        """The answer; ``fault`` names what could not be verified in the last one."""
        ...


class QaTasks(NamedTuple):
    """The four tasks together, in the order in which ``answer_question`` takes them."""

    planner: Planner
    worker: Worker
    checker: Checker
    reasoner: Reasoner
