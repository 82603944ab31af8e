"""The extractive reasoner: the last steps' answers together, in the asked format.

Here: ``ExtractiveReasoner``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.extractive_check import parts, unconfirmed
from g2_pipelines.qa.extractive_made import Extractive
from g2_pipelines.qa.ports import Claim, Finding, Inquiry, Reasoned
from g2_pipelines.qa.wording import nothing_found
from g2_pipelines.tables.line2 import Question
from g2_pipelines.text.language import language


class ExtractiveReasoner(Extractive):
    """Puts the last steps' answers together in the asked format, each with its quote."""

    async def reason(self, inquiry: Inquiry, *, fault: str = "") -> Reasoned:
        """The answer; ``fault`` leads to a refusal, since the same text would come again."""
        if fault:
            return Reasoned(answer="", unanswerable=True, why=fault)
        root = next(node for node in inquiry.plan if node.id == inquiry.root)
        found = {name: f for name, f in inquiry.current.items() if f.row.found}
        still_open = unconfirmed(inquiry)
        names = [node.id for node in parts(inquiry)] if still_open else root.depends_on
        last = [found[name] for name in names if name in found]
        last = [finding for finding in last if not finding.row.id.startswith("r")]
        if not last:
            spoken = language(inquiry.question.question)
            return Reasoned(answer="", unanswerable=True, why=nothing_found(spoken))
        claims = [
            Claim(text=finding.row.answer, node_id=quote.node_id, quote=quote.text)
            for name, finding in found.items()
            if not name.startswith("r")
            for quote in finding.quotes
        ]
        told = _with_bridges(inquiry, last)
        return Reasoned(answer=_composed(inquiry.question, last, told), claims=_once(claims))


def _with_bridges(inquiry: Inquiry, last: Sequence[Finding]) -> list[Finding]:
    """The last findings, each after those that led to it; a calculation names its sides."""
    steps = {node.id: node for node in inquiry.plan}
    told: list[Finding] = []
    for finding in last:
        step = next((n for n in steps.values() if inquiry.current.get(n.id) is finding), None)
        if step is not None and not finding.row.operation:
            earlier = [inquiry.current[name] for name in step.depends_on if name[0] != "r"]
            told += [item for item in earlier if item.row.found and item not in told]
        told.append(finding)
    return told


def _composed(question: Question, last: Sequence[Finding], told: Sequence[Finding]) -> str:
    """The answers in the asked format, in the question's language."""
    spoken = language(question.question)
    short = [finding.short or finding.row.answer for finding in last]
    match question.format:
        case "number" | "short":
            gap = "、" if spoken == "ja" else ", "
            return gap.join(dict.fromkeys(short)).replace("\n", gap)
        case "list":
            return "\n".join(dict.fromkeys(short))
        case "sentence":
            whole = [finding.row.answer for finding in told]
            return ("" if spoken == "ja" else " ").join(dict.fromkeys(whole))


def _once(claims: Sequence[Claim]) -> list[Claim]:
    """Each quote once, with all that it carries."""
    carried: dict[tuple[str, str], list[str]] = {}
    for claim in claims:
        texts = carried.setdefault((claim.node_id, claim.quote), [])
        if claim.text not in texts:
            texts.append(claim.text)
    return [
        Claim(text=" ".join(texts), node_id=node_id, quote=quote)
        for (node_id, quote), texts in carried.items()
    ]
