"""Answering one question: plan, execute by levels, check, refine, reason.

Here: ``answer_question``, the order of the steps and when they stop. Running a plan stands in
``execute``, the rules of plans in ``plan`` and ``refine``, the proof of quotes and numbers in
``conclude``. Nothing here knows where evidence comes from, which engine answers, or how an
answer is stored. Called by ``defs`` and ``cli``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.conclude import conclude
from g2_pipelines.qa.config import QaConfig
from g2_pipelines.qa.errors import PlanError
from g2_pipelines.qa.evidence import EvidenceSource
from g2_pipelines.qa.execute import Execution
from g2_pipelines.qa.plan import check_plan, one_step_plan, repair_plan
from g2_pipelines.qa.ports import Check, Checker, Inquiry, Planner, Reasoner, Verdict, Worker
from g2_pipelines.qa.refine import apply_operations
from g2_pipelines.tables.line2 import Answer, Gap, PlanVersion, Question

#: Verdicts that a refinement may mend.
_OPEN: tuple[Verdict, ...] = ("insufficient", "partial")
_MOST_GAPS = 3


async def answer_question(
    question: Question,
    *,
    evidence: EvidenceSource,
    planner: Planner,
    worker: Worker,
    checker: Checker,
    reasoner: Reasoner,
    config: QaConfig | None = None,
    index_digest: str = "",
) -> Answer:
    """Answer ``question`` from ``evidence``, or refuse and say why.

    The plan is executed by topological level, the workers of a level at once. It is refined
    while the checker names gaps, at most ``config.max_refinements`` times, and not further
    when the planner changes nothing or nothing new was found. An unreadable check is
    ``unknown``: the answer is then given with that verdict and no refinement is paid for.
    Where only a part is answered, or two places contradict each other, the answer says so.

    Args:
        question: The question with its scope already resolved.
        evidence: Where workers' evidence comes from.
        planner: Takes the question apart and refines the plan.
        worker: Answers the sub-questions.
        checker: Judges whether the findings suffice.
        reasoner: Composes the answer; its engine is the answer's.
        config: Limits; the defaults are the method's.
        index_digest: Digest of the index states used, stored with the answer.

    Raises:
        NotYetError: A document of the question is not indexed.
        ModelError: A model call failed for good; nothing is answered in its place.
    """
    limits = config or QaConfig()
    run = Execution(question, source=evidence, worker=worker, config=limits)
    first, keys = await _first_version(question, planner, limits)
    versions = [first]
    await run.execute(first)
    verdict, gaps, more = await _check(run, versions, [], checker)
    keys += more
    all_gaps = list(gaps)
    while verdict in _OPEN and len(versions) <= limits.max_refinements:
        inquiry = run.inquiry(versions[-1], gaps, verdict)
        refined, more, notes = await _refined_version(inquiry, versions[-1], planner, limits)
        keys += more
        if refined is None:
            versions[-1] = _noted(versions[-1], notes)
            break
        versions.append(refined)
        if not await run.execute(refined):
            versions[-1] = _noted(refined, ["nothing new was found"])
            break
        verdict, gaps, more = await _check(run, versions, gaps, checker)
        keys += more
        all_gaps += gaps
    inquiry = run.inquiry(versions[-1], gaps, verdict)
    return await conclude(
        inquiry,
        reasoner,
        versions=versions,
        all_gaps=all_gaps,
        call_keys=keys,
        index_digest=index_digest,
    )


async def _first_version(
    question: Question, planner: Planner, config: QaConfig
) -> tuple[PlanVersion, list[str]]:
    """The checked first plan; after two broken ones the one-step plan, noted as fallback."""
    text = question.question
    if not config.planning:
        return _one_step(text, ["planning is off"]), []
    keys: list[str] = []
    notes: list[str] = []
    fault = ""
    for _ in range(2):
        draft = await planner.plan(question, fault=fault)
        keys += draft.call_keys
        nodes, mends = repair_plan(draft.nodes, root=draft.root)
        try:
            check_plan(nodes, root=draft.root, question=text, limits=config.first_plan)
        except PlanError as error:
            fault = error.message
            notes += [*draft.notes, f"refused ({error.rule}): {fault}"]
            continue
        kept = [*notes, *draft.notes, *mends]
        return PlanVersion(version=0, nodes=nodes, root=draft.root, notes=kept), keys
    return _one_step(text, [*notes, "fallback: one-step plan"]), keys


def _one_step(question: str, notes: list[str]) -> PlanVersion:
    nodes = one_step_plan(question)
    return PlanVersion(version=0, nodes=nodes, root=nodes[-1].id, notes=notes)


async def _check(
    run: Execution, versions: Sequence[PlanVersion], gaps: Sequence[Gap], checker: Checker
) -> tuple[Verdict, list[Gap], list[str]]:
    """The verdict on all findings so far, with its gaps and call keys."""
    version = versions[-1]
    inquiry = run.inquiry(version, gaps, "unknown")
    reply = await checker.check(inquiry)
    verdict, found = _verdict(reply), _gap_rows(reply, version.version)
    conflicts = _conflicts(inquiry, version.version)
    if conflicts and all(gap.kind != "conflicting" for gap in found):
        if verdict == "sufficient":
            some = any(finding.row.found for finding in inquiry.current.values())
            verdict = "partial" if some else "insufficient"
        found = [*conflicts, *found][:_MOST_GAPS]
    return verdict, found, list(reply.call_keys)


def _conflicts(inquiry: Inquiry, version: int) -> list[Gap]:
    """A gap for each step whose evidence contradicts itself, whatever the checker says."""
    return [
        Gap(plan_version=version, kind="conflicting", text=finding.row.answer)
        for finding in inquiry.current.values()
        if finding.lack == "conflicting" and not finding.row.found
    ]


def _verdict(reply: Check) -> Verdict:
    match reply.verdict:
        case "sufficient":
            return "sufficient"
        case "partial":
            return "partial" if reply.gaps else "unknown"
        case "gaps":
            return "insufficient" if reply.gaps else "unknown"
        case "unknown":
            return "unknown"


def _gap_rows(reply: Check, version: int) -> list[Gap]:
    if reply.verdict not in ("gaps", "partial"):
        return []
    gaps = reply.gaps[:_MOST_GAPS]
    return [Gap(plan_version=version, kind=gap.kind, text=gap.text) for gap in gaps]


def _noted(version: PlanVersion, notes: Sequence[str]) -> PlanVersion:
    return version.model_copy(update={"notes": [*version.notes, *notes]})


async def _refined_version(
    inquiry: Inquiry, version: PlanVersion, planner: Planner, config: QaConfig
) -> tuple[PlanVersion | None, list[str], list[str]]:
    """The refined plan with its call keys, or None with the reasons: nothing changes, or two
    refinements were refused.
    """
    keys: list[str] = []
    notes: list[str] = []
    fault = ""
    for _ in range(2):
        draft = await planner.refine(inquiry, fault=fault)
        keys += draft.call_keys
        try:
            nodes, changes = apply_operations(
                version.nodes,
                draft.operations,
                root=version.root,
                question=inquiry.question.question,
                limits=config.refined_plan,
            )
        except PlanError as error:
            fault = error.message
            notes.append(f"refused ({error.rule}): {fault}")
            continue
        if nodes == version.nodes:
            return None, keys, [*notes, *draft.notes, "nothing better to ask is known"]
        number = version.version + 1
        refined = PlanVersion(
            version=number, nodes=nodes, root=version.root, notes=[*notes, *changes]
        )
        return refined, keys, []
    return None, keys, notes
