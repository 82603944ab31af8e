"""The prompted implementation of the four tasks, on any completion port.

Here: ``prompted_tasks`` and the four classes. Prompts stand in ``prompts/{ja,en}``, the
replies' models in ``schemas``, how evidence is shown in ``showing``. A document is data: it
stands fenced, every label comes from a closed set, and nothing that a reply says is kept
before ``verify`` and ``conclude`` have held it against the evidence. Built by ``build``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from g2_pipelines.models.errors import BadStructureError, Failure, TruncatedAnswerError
from g2_pipelines.models.ports import CompletionPort, CompletionRequest, Message
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import Structured, complete_as
from g2_pipelines.qa.plan import ROOT, with_root
from g2_pipelines.qa.ports import (
    Check,
    Claim,
    Finding,
    FoundGap,
    Inquiry,
    PlanDraft,
    QaTasks,
    Quote,
    Reasoned,
    RefinementDraft,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.qa.refine import PlanOperation
from g2_pipelines.qa.schemas import (
    CheckReply,
    PlanReply,
    WorkReply,
    reason_schema,
    refine_schema,
    worker_schema,
)
from g2_pipelines.qa.showing import Shown, show
from g2_pipelines.qa.vouched import of_inquiry, of_task
from g2_pipelines.qa.wording import nothing_found, unnamed_part
from g2_pipelines.tables.line2 import CopiedValue, PlanNode, Question
from g2_pipelines.text.language import language

PROMPTS = PromptSet("g2_pipelines.qa")
M = TypeVar("M", bound=BaseModel)
_NEW_IDS = 3


def prompted_tasks(completion: CompletionPort, *, max_images: int) -> QaTasks:
    """The four tasks on one completion port; ``max_images`` pictures per call."""
    return QaTasks(
        planner=PromptedPlanner(completion, "plan", "refine"),
        worker=PromptedWorker(completion, "work", max_images=max_images),
        checker=PromptedChecker(completion, "check"),
        reasoner=PromptedReasoner(completion, "reason", max_images=max_images),
    )


@dataclass(frozen=True)
class _Prompt:
    """One call: which prompt, about which question, with which values and pictures."""

    name: str
    question: Question
    max_tokens: int
    values: dict[str, object]
    shown: Shown | None = None


class _Prompted:
    """Who made it, and the one way in which all four tasks ask."""

    def __init__(self, port: CompletionPort, *names: str, max_images: int = 0) -> None:
        self._port = port
        self._max_images = max_images
        self.engine = port.engine
        self.model = port.model
        self.prompt_version = PROMPTS.version("system", *names)

    async def _try(self, prompt: _Prompt, schema: type[M]) -> Structured[M] | Failure:
        spoken = language(prompt.question.question)
        text = PROMPTS.render(
            prompt.name,
            spoken,
            question=prompt.question.question,
            shown=prompt.shown,
            **prompt.values,
        )
        images = prompt.shown.images if prompt.shown else ()
        request = CompletionRequest(
            task=f"qa_{prompt.name}",
            subject=prompt.question.question_id,
            messages=(
                Message(role="system", text=PROMPTS.render("system", spoken)),
                Message(role="user", text=text, images=images),
            ),
            schema_name=prompt.name,
            max_tokens=prompt.max_tokens,
        )
        return (await complete_as(self._port, [request], schema))[0]

    async def _ask(self, prompt: _Prompt, schema: type[M]) -> Structured[M]:
        """As ``_try``; a failure is raised."""
        result = await self._try(prompt, schema)
        if isinstance(result, Structured):
            return result
        raise result


class PromptedPlanner(_Prompted):
    """Sub-questions by a model; the root is added here, unchanged and last."""

    async def plan(self, question: Question, *, fault: str = "") -> PlanDraft:
        """A draft; an unreadable reply is an empty one, which the plan's rules refuse."""
        prompt = _Prompt("plan", question, 1_200, {"fault": fault})
        result = await self._try(prompt, PlanReply)
        if isinstance(result, BadStructureError | TruncatedAnswerError):
            return PlanDraft(nodes=[], root=ROOT, notes=[result.message])
        if not isinstance(result, Structured):
            raise result
        steps = [
            PlanNode(id=step.id, task=step.task, depends_on=list(step.depends_on))
            for step in result.value.steps
        ]
        nodes = with_root(steps, question.question)
        return PlanDraft(nodes=nodes, root=ROOT, call_keys=list(result.call_keys))

    async def refine(self, inquiry: Inquiry, *, fault: str = "") -> RefinementDraft:
        """Operations on known and a few new ids; an unreadable reply changes nothing."""
        known = tuple(node.id for node in inquiry.plan if node.id != inquiry.root)
        names = (f"r{place}" for place in range(1, 100))
        fresh = tuple(name for name in names if name not in known)[:_NEW_IDS]
        values: dict[str, object] = {
            "fault": fault,
            "plan": inquiry.plan,
            "root": inquiry.root,
            "current": inquiry.current,
            "gaps": inquiry.gaps,
            "fresh": fresh,
        }
        prompt = _Prompt("refine", inquiry.question, 1_200, values)
        result = await self._try(prompt, refine_schema(known, fresh))
        if isinstance(result, BadStructureError | TruncatedAnswerError):
            return RefinementDraft(operations=[], notes=[result.message])
        if not isinstance(result, Structured):
            raise result
        operations = [
            PlanOperation(op=c.op, id=c.id, task=c.task, depends_on=list(c.depends_on))
            for c in result.value.operations
        ]
        return RefinementDraft(operations=operations, call_keys=list(result.call_keys))


class PromptedWorker(_Prompted):
    """A sub-answer by a model; a closer look shows it tables spelled out, pictures enlarged."""

    looks_closer = True

    def survey(self, task: PlanNode) -> str:
        """Nothing: a model reads what is retrieved."""
        del task
        return ""

    def query(self, task: PlanNode, dependencies: Sequence[Finding]) -> str:
        """The task, with what earlier steps found."""
        earlier = [f.short or f.row.answer[:120] for f in dependencies if f.row.found]
        return " ".join([task.task, *earlier])

    async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
        """The answer of one call; none is made without evidence."""
        if not task.evidence:
            spoken = language(task.question.question)
            return WorkerReply(answer=nothing_found(spoken), found=False)
        shown = show(task.evidence, max_images=self._max_images, closer=task.closer)
        values: dict[str, object] = {
            "fault": fault,
            "task": task.node.task,
            "dependencies": [
                (finding.row, [shown.label(name) for name in finding.row.cited])
                for finding in task.dependencies
            ],
        }
        prompt = _Prompt("work", task.question, 1_600, values, shown)
        result = await self._ask(prompt, worker_schema(len(task.evidence)))
        return _worker_reply(result.value, shown, result.call_keys, task)


def _worker_reply(
    reply: WorkReply, shown: Shown, keys: Sequence[str], task: WorkerTask
) -> WorkerReply:
    vouching = of_task(task)
    ours = nothing_found(language(task.question.question))
    quotes = [Quote(node_id=shown.node_id(q.source), text=q.text) for q in reply.quotes]
    values = [
        CopiedValue(label=v.label, text=v.text, unit=v.unit, node_id=shown.node_id(v.source))
        for v in reply.values
    ]
    cited = [quote.node_id for quote in quotes] + [value.node_id for value in values]
    return WorkerReply(
        # What is found is checked by ``verify``, together with what it cites.
        answer=reply.answer if reply.found else vouching.or_else(reply.answer, ours),
        found=reply.found,
        short=vouching.or_else(reply.short, ""),
        cited=list(dict.fromkeys(cited)),
        quotes=quotes,
        values=values,
        operation=reply.operation,
        lack=reply.lack,
        call_keys=list(keys),
    )


class PromptedChecker(_Prompted):
    """A verdict by a model; whatever cannot be read is unknown, never a no."""

    async def check(self, inquiry: Inquiry) -> Check:
        """The verdict on the findings of the plan."""
        values: dict[str, object] = {"findings": [finding.row for finding in inquiry.findings]}
        prompt = _Prompt("check", inquiry.question, 800, values)
        result = await self._try(prompt, CheckReply)
        if isinstance(result, BadStructureError | TruncatedAnswerError):
            return Check(verdict="unknown")
        if not isinstance(result, Structured):
            raise result
        reply = result.value
        vouching = of_inquiry(inquiry)
        ours = unnamed_part(language(inquiry.question.question))
        gaps = [
            FoundGap(kind=gap.kind, text=vouching.or_else(gap.text, ours)) for gap in reply.gaps
        ]
        keys = list(result.call_keys)
        if reply.sufficient and not gaps:
            return Check(verdict="sufficient", call_keys=keys)
        if reply.partly and gaps:
            return Check(verdict="partial", gaps=gaps, call_keys=keys)
        if reply.sufficient or not gaps:  # it contradicts itself
            return Check(verdict="unknown", call_keys=keys)
        return Check(verdict="gaps", gaps=gaps, call_keys=keys)


class PromptedReasoner(_Prompted):
    """The final answer by a model, from the union of cited evidence, pictures included."""

    async def reason(self, inquiry: Inquiry, *, fault: str = "") -> Reasoned:
        """The answer with its claims, or why there is none; no call without evidence."""
        if not inquiry.evidence:
            spoken = language(inquiry.question.question)
            return Reasoned(answer="", unanswerable=True, why=nothing_found(spoken))
        shown = show(inquiry.evidence, max_images=self._max_images)
        values: dict[str, object] = {
            "fault": fault,
            "format": inquiry.question.format,
            "gaps": inquiry.gaps if inquiry.verdict == "partial" else [],
            "findings": [finding.row for finding in inquiry.findings if finding.row.found],
        }
        prompt = _Prompt("reason", inquiry.question, 2_400, values, shown)
        result = await self._ask(prompt, reason_schema(len(inquiry.evidence)))
        reply = result.value
        vouching = of_inquiry(inquiry)
        return Reasoned(
            answer=reply.answer if reply.answerable else "",
            claims=[
                Claim(
                    text=vouching.or_else(claim.text, claim.quote),
                    node_id=shown.node_id(claim.source),
                    quote=claim.quote,
                )
                for claim in reply.claims
            ],
            unanswerable=not reply.answerable,
            why=vouching.or_else(reply.why, ""),
            call_keys=list(result.call_keys),
        )
