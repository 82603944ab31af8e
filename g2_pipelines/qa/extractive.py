"""The extractive planner and worker: deterministic, no model, no download.

Here: ``ExtractivePlanner`` and ``ExtractiveWorker``. They answer in the documents' own
sentences, cells and captions, and would rather refuse than guess. Searching stands in
``find``, wording in ``patterns``, ``steps`` and ``wording``, the other two tasks in
``extractive_check`` and ``extractive_reason``. Built by ``build``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.above import ABOVE
from g2_pipelines.qa.asking import understand
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.extractive_made import Extractive
from g2_pipelines.qa.find import find
from g2_pipelines.qa.hits import Hit, Miss
from g2_pipelines.qa.labelled import label_pattern
from g2_pipelines.qa.matching import Word, prepared, words
from g2_pipelines.qa.patterns import take_apart
from g2_pipelines.qa.plan import ROOT
from g2_pipelines.qa.ports import (
    Finding,
    Inquiry,
    PlanDraft,
    RefinementDraft,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.qa.refine import PlanOperation
from g2_pipelines.qa.sides import carried_out
from g2_pipelines.qa.stepped import NUMBERED, STEPS
from g2_pipelines.qa.steps import is_step
from g2_pipelines.qa.surveys import holding_all, line_of, tables_of, titles_of
from g2_pipelines.qa.wording import (
    about,
    doubtful,
    missing_words,
    nothing_found,
    only_qualified,
    step_missing,
    words_apart,
)
from g2_pipelines.tables.line2 import PlanNode, Question
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language


class ExtractivePlanner(Extractive):
    """Plans by the question's wording, one to three sub-questions."""

    async def plan(self, question: Question, *, fault: str = "") -> PlanDraft:
        """The plan of ``patterns.take_apart``; ``fault`` changes nothing, it never varies."""
        del fault
        return PlanDraft(nodes=take_apart(question.question), root=ROOT)

    async def refine(self, inquiry: Inquiry, *, fault: str = "") -> RefinementDraft:
        """For each sub-question without an answer, first look for what it lacks.

        Adds a step that gathers evidence about the lacking words, and lets the sub-question
        build on it: it is asked again with more evidence, not with a lower bar.
        """
        if fault:
            return RefinementDraft(operations=[])
        taken = {node.id for node in inquiry.plan}
        operations: list[PlanOperation] = []
        for node in inquiry.plan:
            finding = inquiry.current.get(node.id)
            if finding is None or finding.row.found or is_step(node.task):
                continue
            if any(name.startswith("r") for name in node.depends_on) or node.id.startswith("r"):
                continue
            name = next(f"r{k}" for k in range(1, 99) if f"r{k}" not in taken)
            taken.add(name)
            lacking = [word.text for word in words(node.task) if len(word.text) > 1][:6]
            if not lacking:
                continue
            spoken = language(inquiry.question.question)
            operations.append(PlanOperation(op="add", id=name, task=about(spoken, lacking)))
            after = [*node.depends_on, name]
            operations.append(PlanOperation(op="update", id=node.id, depends_on=after))
        return RefinementDraft(operations=operations)


class ExtractiveWorker(Extractive):
    """Answers with a cell, a caption or sentences of the evidence, or says what lacks."""

    looks_closer = False  # it reads every cell at the first look

    def survey(self, task: PlanNode) -> str:
        """The labels of what the task counts over the whole document, else tables that may hold
        the answer and the lines above them.
        """
        asked = understand(task.task)
        if asked.labelled:
            return label_pattern(asked.labelled).pattern
        if STEPS.search(fold_text(asked.core)):
            return NUMBERED
        if asked.open and asked.language == "ja" and not asked.several:
            return holding_all(asked.words)
        if (asked.open and not asked.several) or asked.years:
            return ""
        parts = [ABOVE, tables_of(asked.words), titles_of(asked.words)]
        if asked.kind in ("number", "value") and not (asked.extreme or asked.counted):
            parts.append(line_of(asked.words))
        return "|".join(filter(None, parts))

    def query(self, task: PlanNode, dependencies: Sequence[Finding]) -> str:
        """The task, with the names and values that earlier steps found."""
        earlier = [finding.short for finding in dependencies if finding.short]
        if not understand(task.task).words:
            earlier += [finding.row.task for finding in dependencies]
        return " ".join([understand(task.task).core, *earlier])

    async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
        """The answer; ``fault`` changes nothing, since only verbatim text is ever given."""
        del fault
        if is_step(task.node.task):
            return carried_out(task)
        bridging = [f for f in task.dependencies if not f.row.id.startswith("r")]
        lost = [finding.row.id for finding in bridging if not finding.row.found]
        spoken = language(task.question.question)
        if lost:
            return WorkerReply(answer=step_missing(spoken, lost), found=False)
        bound = [word for finding in bridging for word in _bound(finding)]
        asked = understand(task.node.task)
        bare = asked.why and not asked.words and bridging
        hit = find(
            task.node.task,
            [*task.evidence, *_more(task)],
            bound=bound,
            about=understand(bridging[-1].row.task).words if bare else (),
            passages=task.question.format == "sentence",
            number=task.question.format == "number",
            several=task.question.format == "list" and not bridging,
            survey=task.survey,
        )
        if isinstance(hit, Miss):
            return _missed(hit, task)
        return _reply(hit)


def _more(task: WorkerTask) -> list[Evidence]:
    """The surveyed tables that have a row of what is asked, and for an open question the texts
    that hold all its words, unless they are evidence already.
    """
    asked = understand(task.node.task)
    texts = asked.open and not asked.several
    known = {item.node.node_id for item in task.evidence}
    return [
        item
        for item in task.survey
        if (texts or item.node.kind == "table") and item.node.node_id not in known
    ]


def _bound(finding: Finding) -> list[Word]:
    """What the next step must be about: the words of a short answer, all strict."""
    if not finding.short or len(finding.short) > 60:
        return []
    found = words(finding.short) or [Word(prepared(finding.short).squeezed, strict=True)]
    return [Word(word.text, strict=True) for word in found if word.text]


def _missed(miss: Miss, task: WorkerTask) -> WorkerReply:
    spoken = language(task.question.question)
    if miss.rivals:
        answer = doubtful(spoken, miss.lack, miss.rivals)
        return WorkerReply(answer=answer, found=False, lack=miss.lack, quotes=list(miss.quotes))
    if miss.qualified:
        return WorkerReply(answer=only_qualified(spoken, miss.qualified), found=False)
    if miss.apart:
        return WorkerReply(answer=words_apart(spoken, miss.missing), found=False)
    if miss.missing:
        return WorkerReply(answer=missing_words(spoken, miss.missing), found=False)
    return WorkerReply(answer=nothing_found(spoken), found=False)


def _reply(hit: Hit) -> WorkerReply:
    return WorkerReply(
        answer=hit.answer,
        found=True,
        short=hit.short,
        cited=list(dict.fromkeys(quote.node_id for quote in hit.quotes)),
        quotes=list(hit.quotes),
        values=list(hit.values),
        operation=hit.operation,
    )
