"""The extractive checker: whether what was found answers the whole question.

Here: ``ExtractiveChecker``, and ``parts`` and ``unconfirmed``, which the reasoner asks too.
"""

from __future__ import annotations

from g2_pipelines.qa.asking import understand
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.extractive_made import Extractive
from g2_pipelines.qa.matching import held, prepared
from g2_pipelines.qa.ports import Check, FoundGap, Inquiry
from g2_pipelines.qa.steps import is_step
from g2_pipelines.qa.wording import missing_words
from g2_pipelines.tables.line2 import PlanNode


class ExtractiveChecker(Extractive):
    """Sufficient when every step found something and no strict word of the question lacks."""

    async def check(self, inquiry: Inquiry) -> Check:
        """The verdict, with the first three gaps in plan order.

        An open part of a question that nothing confirms, beside a part that is answered, makes
        the verdict ``partial``: the answer then says what it leaves open.
        """
        left = unconfirmed(inquiry)
        still_open = {node.id for node in left}
        gaps = [
            FoundGap(
                kind=finding.lack,
                text=f"{finding.row.id}: {finding.row.answer}",
            )
            for node in inquiry.plan
            if (finding := inquiry.current.get(node.id)) is not None
            and not finding.row.found
            and not node.id.startswith("r")
            and node.id not in still_open
            and all(inquiry.current[name].row.found for name in node.depends_on if name[0] != "r")
        ]
        gaps = gaps or _unheld(inquiry)
        if not gaps and left:
            open_gaps = [FoundGap(kind="missing", text=node.task) for node in left]
            return Check(verdict="partial", gaps=open_gaps[:3])
        if not gaps:
            return Check(verdict="sufficient")
        return Check(verdict="gaps", gaps=gaps[:3])


def unconfirmed(inquiry: Inquiry) -> list[PlanNode]:
    """The open parts of a question in sentences that lack an answer, if its first has one."""
    last = parts(inquiry)
    lost = [node for node in last if not inquiry.current[node.id].row.found]
    if inquiry.question.format != "sentence" or len(lost) == len(last):
        return []
    plain = all(
        understand(node.task).open and inquiry.current[node.id].lack == "missing" for node in lost
    )
    return lost if plain and last[0] not in lost else []


def parts(inquiry: Inquiry) -> list[PlanNode]:
    """The steps that the question asks in its own words or ends with, in plan order."""
    asked = prepared(inquiry.question.question).squeezed
    last = next(node for node in inquiry.plan if node.id == inquiry.root).depends_on
    return [
        node
        for node in inquiry.plan
        if node.id != inquiry.root
        and not is_step(node.task)
        and not node.id.startswith("r")
        and (node.id in last or prepared(node.task).squeezed in asked)
    ]


def _unheld(inquiry: Inquiry) -> list[FoundGap]:
    """A gap for the question's names and figures that no cited node holds."""
    text = prepared("\n".join(_around(item) for item in inquiry.evidence))
    asked = understand(inquiry.question.question)
    lacking = [
        word.text
        for word in asked.words
        if word.strict and held(word, text) < 0.5 and not (asked.bounded and word.is_figure)
    ]
    if not lacking:
        return []
    return [FoundGap(kind="missing", text=missing_words(asked.language, lacking[:6]))]


def _around(item: Evidence) -> str:
    node = item.node
    return "\n".join([*node.section_path, node.text, node.caption or "", node.ocr_text or ""])
