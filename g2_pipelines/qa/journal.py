"""The state of a question that is being answered: kept after each step, taken up after a kill.

Here: ``QuestionState`` (every plan, search, worker's reply, check, refinement and conclusion so
far), ``Journal``, which hands it to whoever stores it, and ``resumable``, which wraps the tasks
and the evidence source so that a step that was finished before is not done again, whether or
not a call cache is on. What a step is known by is a hash of all that it was given, so that a
changed question, index, engine, prompt or limit never meets an older answer. Where the state
lies is the caller's business. Called by ``defs``.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

from pydantic import ValidationError

from g2_pipelines.qa.config import QaConfig
from g2_pipelines.qa.evidence import (
    Evidence,
    EvidenceSource,
    RecallingSource,
    SurveyedSource,
    evidence_digest,
)
from g2_pipelines.qa.ports import (
    Check,
    Checker,
    Finding,
    Inquiry,
    PlanDraft,
    Planner,
    QaTasks,
    Reasoned,
    Reasoner,
    RefinementDraft,
    Worker,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.tables.line2 import EvidenceNode, PlanNode, Question
from g2_pipelines.tables.rows import Row

STATE_VERSION = 1

T = TypeVar("T", bound=Row)


class Searched(Row):
    """What a query brought, and the digest of what was read there."""

    evidence: list[EvidenceNode]
    evidence_digest: str


class Worked(Row):
    """A worker's reply, the sub-question it is for and the digest of its evidence."""

    node: PlanNode
    evidence_digest: str
    reply: WorkerReply


class QuestionState(Row):
    """All finished steps of one question, each by the hash of what it was given.

    ``basis`` is what the whole answer rests on (see ``basis_of``): another one voids all.
    """

    version: int = STATE_VERSION
    basis: str
    plans: dict[str, PlanDraft] = {}
    searches: dict[str, Searched] = {}
    worked: dict[str, Worked] = {}
    checks: dict[str, Check] = {}
    refinements: dict[str, RefinementDraft] = {}
    conclusions: dict[str, Reasoned] = {}


def basis_of(
    question: Question, tasks: QaTasks, config: QaConfig, *, index_digest: str, more: str = ""
) -> str:
    """Hash of what an answer rests on; the order of work (concurrency) changes nothing.

    Args:
        question: With its documents resolved; the file it came in does not count.
        tasks: Whose engines, models and prompt versions count.
        config: Limits.
        index_digest: Of the index states used.
        more: Anything else that shapes the evidence or the replies, as one text.
    """
    makers = [[task.engine, task.model, task.prompt_version] for task in tasks]
    parts = [
        question.model_dump(include={"question_id", "question", "documents", "format"}),
        config.model_dump(exclude={"concurrency"}),
        makers,
        index_digest,
        more,
    ]
    return _hash(parts)


class Journal:
    """The state of one question, handed to ``save`` whole after each finished step."""

    def __init__(self, basis: str, stored: bytes | None, save: Callable[[bytes], None]) -> None:
        """Take up ``stored`` if it is of the same basis and can be read, else begin anew."""
        self._save = save
        self._state = _read(stored, basis) or QuestionState(basis=basis)
        self.resumed = sum(len(getattr(self._state, name)) for name in _STAGES)

    async def step(
        self, stage: str, key: str, kind: type[T], work: Callable[[], Awaitable[T]]
    ) -> T:
        """The result of a finished step, else that of ``work``, kept before it is given."""
        done: dict[str, T] = getattr(self._state, stage)
        if key in done:
            return kind.model_validate(done[key])
        result = await work()
        # The state may have grown meanwhile: workers of a level run at once.
        grown = {**getattr(self._state, stage), key: result}
        self._state = self._state.model_copy(update={stage: grown})
        self._save(self._state.model_dump_json().encode())
        return result


_STAGES = ("plans", "searches", "worked", "checks", "refinements", "conclusions")


def _read(stored: bytes | None, basis: str) -> QuestionState | None:
    if stored is None:
        return None
    try:
        state = QuestionState.model_validate_json(stored)
    except ValidationError:  # of an older version, or damaged: finished steps are done again
        return None
    return state if state.version == STATE_VERSION and state.basis == basis else None


def resumable(
    tasks: QaTasks, source: RecallingSource, journal: Journal
) -> tuple[QaTasks, EvidenceSource]:
    """``tasks`` and ``source``, each step of which is kept in ``journal`` and done once."""
    kept = QaTasks(
        planner=_Planner(tasks.planner, journal),
        worker=_Worker(tasks.worker, journal),
        checker=_Checker(tasks.checker, journal),
        reasoner=_Reasoner(tasks.reasoner, journal),
    )
    return kept, _Source(source, journal)


class _Kept:
    """Who made it: the names of the task that is wrapped."""

    def __init__(self, task: Planner | Worker | Checker | Reasoner, journal: Journal) -> None:
        self._journal = journal
        self.engine = task.engine
        self.model = task.model
        self.prompt_version = task.prompt_version


class _Planner(_Kept):
    def __init__(self, task: Planner, journal: Journal) -> None:
        super().__init__(task, journal)
        self._task = task

    async def plan(self, question: Question, *, fault: str = "") -> PlanDraft:
        key = _hash([question.model_dump(), fault])
        return await self._journal.step(
            "plans", key, PlanDraft, lambda: self._task.plan(question, fault=fault)
        )

    async def refine(self, inquiry: Inquiry, *, fault: str = "") -> RefinementDraft:
        key = _hash([_known(inquiry), fault])
        return await self._journal.step(
            "refinements", key, RefinementDraft, lambda: self._task.refine(inquiry, fault=fault)
        )


class _Worker(_Kept):
    def __init__(self, task: Worker, journal: Journal) -> None:
        super().__init__(task, journal)
        self._task = task
        self.looks_closer = task.looks_closer

    def survey(self, task: PlanNode) -> str:
        return self._task.survey(task)

    def query(self, task: PlanNode, dependencies: Sequence[Finding]) -> str:
        return self._task.query(task, dependencies)

    async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
        digest = evidence_digest(task.evidence)
        earlier = [_found(finding) for finding in task.dependencies]
        asked = [task.question.model_dump(), task.node.model_dump(), digest, earlier]
        key = _hash([*asked, task.closer, evidence_digest(task.survey), fault])

        async def work() -> Worked:
            reply = await self._task.work(task, fault=fault)
            return Worked(node=task.node, evidence_digest=digest, reply=reply)

        return (await self._journal.step("worked", key, Worked, work)).reply


class _Checker(_Kept):
    def __init__(self, task: Checker, journal: Journal) -> None:
        super().__init__(task, journal)
        self._task = task

    async def check(self, inquiry: Inquiry) -> Check:
        return await self._journal.step(
            "checks", _hash(_known(inquiry)), Check, lambda: self._task.check(inquiry)
        )


class _Reasoner(_Kept):
    def __init__(self, task: Reasoner, journal: Journal) -> None:
        super().__init__(task, journal)
        self._task = task

    async def reason(self, inquiry: Inquiry, *, fault: str = "") -> Reasoned:
        return await self._journal.step(
            "conclusions",
            _hash([_known(inquiry), fault]),
            Reasoned,
            lambda: self._task.reason(inquiry, fault=fault),
        )


class _Source:
    """Searches once; afterwards the same nodes are read again, if they are what they were."""

    def __init__(self, source: RecallingSource, journal: Journal) -> None:
        self._source = source
        self._journal = journal

    async def survey(self, pattern: str) -> list[Evidence]:
        source = self._source
        return await source.survey(pattern) if isinstance(source, SurveyedSource) else []

    async def retrieve(self, query: str) -> list[Evidence]:
        fresh: list[Evidence] | None = None

        async def search() -> Searched:
            nonlocal fresh
            fresh = await self._source.retrieve(query)
            return Searched(
                evidence=[_exact(item) for item in fresh], evidence_digest=evidence_digest(fresh)
            )

        kept = await self._journal.step("searches", _hash([query]), Searched, search)
        if fresh is not None:
            return fresh
        known = await self._source.recall(kept.evidence)
        if len(known) != len(kept.evidence) or evidence_digest(known) != kept.evidence_digest:
            return await self._source.retrieve(query)
        return [
            replace(item, score=row.score, path=list(row.path))
            for item, row in zip(known, kept.evidence, strict=True)
        ]


def _exact(item: Evidence) -> EvidenceNode:
    """As in an answer, but with the whole score, since its order must come back."""
    return item.row().model_copy(update={"score": item.score})


def _known(inquiry: Inquiry) -> list[object]:
    return [
        inquiry.question.model_dump(),
        [node.model_dump() for node in inquiry.plan],
        {name: finding.row.id for name, finding in sorted(inquiry.current.items())},
        [_found(finding) for finding in inquiry.findings],
        evidence_digest(inquiry.evidence),
        [gap.model_dump() for gap in inquiry.gaps],
        inquiry.verdict,
    ]


def _found(finding: Finding) -> list[object]:
    quotes = [quote.model_dump() for quote in finding.quotes]
    return [finding.row.model_dump(), quotes, finding.short, finding.lack]


def _hash(parts: object) -> str:
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True)
    return sha256(text.encode()).hexdigest()
