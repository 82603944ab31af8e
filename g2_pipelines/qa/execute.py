"""Running a plan: levels in order, a level's workers at once, answers kept by what they rest on.

Here: ``Execution``, which holds the findings of one question over all versions of its plan. A
node whose task and dependencies are unchanged is not asked again. What a worker says is
checked here before it becomes a finding: unknown citations are dropped, values must stand in
their nodes, quotes too, and code carries out the arithmetic. Imported by ``answer``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from g2_pipelines.qa.config import QaConfig
from g2_pipelines.qa.evidence import (
    Evidence,
    EvidenceSource,
    SurveyedSource,
    bounded,
    distinct,
    evidence_digest,
)
from g2_pipelines.qa.plan import levels
from g2_pipelines.qa.ports import (
    Finding,
    Inquiry,
    Language,
    Verdict,
    Worker,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.qa.refine import answer_key
from g2_pipelines.qa.verify import Verified, verify
from g2_pipelines.qa.wording import unverified
from g2_pipelines.tables.line2 import (
    Gap,
    PlanNode,
    PlanVersion,
    Question,
    SubAnswer,
)
from g2_pipelines.text.language import language

_PICTURED = ("table", "figure", "chart")
_CLOSER = "tables cell by cell, pictures enlarged"


class Execution:
    """The findings of one question, over all versions of its plan."""

    def __init__(
        self, question: Question, *, source: EvidenceSource, worker: Worker, config: QaConfig
    ) -> None:
        self._question = question
        self._source = source
        self._worker = worker
        self._config = config
        self._language: Language = language(question.question)
        self._findings: dict[str, Finding] = {}
        self._slots = asyncio.Semaphore(config.concurrency)

    async def execute(self, version: PlanVersion) -> bool:
        """Answer every node but the root; True when a finding is new and found something."""
        before = {_substance(finding) for finding in self._findings.values()}
        keys: dict[str, str] = {}
        for level in levels(version.nodes):
            asked = [node for node in level if node.id != version.root]
            for node in asked:
                keys[node.id] = answer_key(node, keys)
            missing = {keys[node.id]: node for node in asked if keys[node.id] not in self._findings}
            replies = await asyncio.gather(
                *(self._answer(node, keys, version.version) for node in missing.values()),
                return_exceptions=True,
            )
            self._findings.update(zip(missing, _all_or_first_error(replies), strict=True))
        after = {_substance(finding) for finding in self._findings.values() if finding.row.found}
        return bool(after - before)

    def inquiry(
        self,
        version: PlanVersion,
        gaps: Sequence[Gap],
        verdict: Verdict,
    ) -> Inquiry:
        """Everything known so far; evidence is what findings of all versions cite."""
        findings = list(self._findings.values())
        keys: dict[str, str] = {}
        for level in levels(version.nodes):
            for node in level:
                keys[node.id] = answer_key(node, keys)
        cited = [item for finding in findings for item in finding.evidence]
        return Inquiry(
            question=self._question,
            plan=version.nodes,
            root=version.root,
            current={
                name: self._findings[key] for name, key in keys.items() if key in self._findings
            },
            findings=findings,
            evidence=distinct(cited),
            gaps=gaps,
            verdict=verdict,
        )

    async def _answer(self, node: PlanNode, keys: dict[str, str], version: int) -> Finding:
        async with self._slots:
            dependencies = [self._findings[keys[name]] for name in node.depends_on]
            evidence = await self._evidence(node, dependencies)
            task = WorkerTask(
                node=node,
                question=self._question,
                evidence=evidence,
                dependencies=dependencies,
                survey=await self._survey(node),
            )
            reply = await self._worker.work(task)
            task = _with_cited(task, reply)
            calls = list(reply.call_keys)
            retries: list[str] = []
            grounded = verify(reply, task, language=self._language)
            closer = self._second_look(task, reply, grounded)
            if closer is not None:
                fault = "; ".join(grounded.faults)
                again = await self._worker.work(closer, fault=fault)
                calls += again.call_keys
                checked = verify(again, closer, language=self._language)
                outcome = "found" if checked.found else "not found"
                retries.append(f"{fault or _CLOSER}: {outcome}")
                if checked.found or (grounded.faults and not grounded.found):
                    reply, grounded = again, checked
            reply = reply.model_copy(update={"call_keys": calls})
            return self._finding(task, reply, grounded, version, retries)

    def _second_look(
        self, task: WorkerTask, reply: WorkerReply, grounded: Verified
    ) -> WorkerTask | None:
        """The one local retry: after faults on the same evidence, after nothing found on its
        tables and pictures alone; None where a second look is worth nothing.
        """
        closer = self._worker.looks_closer
        if grounded.faults:
            return replace(task, closer=closer)
        if reply.found or reply.lack == "conflicting" or not closer:
            return None
        pictured = [item for item in task.evidence if item.node.kind in _PICTURED]
        return replace(task, evidence=pictured, closer=True) if pictured else None

    async def _survey(self, node: PlanNode) -> list[Evidence]:
        pattern = self._worker.survey(node)
        if not pattern or not isinstance(self._source, SurveyedSource):
            return []
        return await self._source.survey(pattern)

    async def _evidence(self, node: PlanNode, dependencies: Sequence[Finding]) -> list[Evidence]:
        """What the dependencies cite, then what is retrieved, within the budgets."""
        handed = distinct([item for finding in dependencies for item in finding.evidence])
        known = {item.node.node_id for item in handed}
        retrieved = await self._source.retrieve(self._worker.query(node, dependencies))
        fresh = [item for item in distinct(retrieved) if item.node.node_id not in known]
        return bounded(
            [*handed, *fresh],
            nodes=self._config.max_evidence,
            chars=self._config.max_evidence_chars,
        )

    def _finding(
        self,
        task: WorkerTask,
        reply: WorkerReply,
        grounded: Verified,
        version: int,
        retries: list[str],
    ) -> Finding:
        answer = reply.answer
        kept = grounded.found or grounded.conflicting
        if reply.found and not grounded.found:
            answer = unverified(self._language, grounded.faults)
        row = SubAnswer(
            engine=self._worker.engine,
            model=self._worker.model,
            prompt_version=self._worker.prompt_version,
            call_keys=reply.call_keys,
            plan_version=version,
            id=task.node.id,
            task=task.node.task,
            answer=answer,
            found=grounded.found,
            cited=grounded.cited if kept else [],
            evidence=[item.row() for item in task.evidence],
            values=grounded.values if kept else [],
            operation=reply.operation if grounded.found else "",
            result=grounded.result if grounded.found else "",
            retries=retries,
            evidence_digest=evidence_digest(task.evidence),
        )
        cited = [item for item in task.evidence if item.node.node_id in row.cited]
        return Finding(
            row=row,
            quotes=grounded.quotes if kept else [],
            evidence=cited,
            short=reply.short if grounded.found else "",
            lack="missing" if reply.lack == "conflicting" and not kept else reply.lack,
        )


def _with_cited(task: WorkerTask, reply: WorkerReply) -> WorkerTask:
    """The task, with what the reply cites of its survey among the evidence."""
    known = {item.node.node_id for item in task.evidence}
    pointed = {*reply.cited, *(q.node_id for q in reply.quotes), *(v.node_id for v in reply.values)}
    more = [
        item
        for item in task.survey
        if item.node.node_id in pointed and item.node.node_id not in known
    ]
    return replace(task, evidence=[*task.evidence, *more]) if more else task


def _substance(finding: Finding) -> tuple[str, tuple[str, ...], str]:
    return (finding.row.answer, tuple(finding.row.cited), finding.row.result)


def _all_or_first_error(replies: Sequence[Finding | BaseException]) -> list[Finding]:
    """The findings, or the first failure in plan order, whichever came first in time."""
    findings: list[Finding] = []
    for reply in replies:
        if isinstance(reply, BaseException):
            raise reply
        findings.append(reply)
    return findings
