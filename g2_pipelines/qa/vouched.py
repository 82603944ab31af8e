"""What a model says beside an answer: shown only where its numbers and names stand in sources.

Here: ``Vouching``, which gives a claim's text, a reason or a gap back as it was said, or our own
words in its place. The answer itself is checked in ``verify`` and ``conclude``. Imported by
``prompted``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from g2_pipelines.qa.agreement import Sources, disagreements
from g2_pipelines.qa.amounts import Held, plain_text
from g2_pipelines.qa.grounding import unfounded
from g2_pipelines.qa.multiples import blanked, founded_multiples
from g2_pipelines.qa.ports import Inquiry, WorkerTask
from g2_pipelines.qa.strangers import Known, strangers
from g2_pipelines.qa.subjects import misplaced
from g2_pipelines.tables.line2 import DocumentNode


class Vouching:
    """The sources that a model was shown, and what they vouch for."""

    def __init__(self, texts: Iterable[str], nodes: Sequence[DocumentNode]) -> None:
        said = list(texts)
        self._held = Held(said, nodes)
        self._said = said
        self._sources = Sources(nodes)
        self._known = Known(said, nodes)

    def stands(self, text: str) -> bool:
        """True where no number, name or address of ``text`` is foreign to the sources."""
        plain = plain_text(text)
        stand, faults = founded_multiples(plain, self._sources, more=self._said)
        bare = blanked(plain, stand)
        if faults or unfounded(bare, self._held) or misplaced(bare, self._held):
            return False
        if disagreements(bare, self._sources):
            return False
        return not strangers(text, self._known)

    def or_else(self, text: str, ours: str) -> str:
        """``text``, or ``ours`` where it does not stand."""
        return text if self.stands(text) else ours


def of_task(task: WorkerTask) -> Vouching:
    """What the evidence of a worker and the steps before it vouch for."""
    texts = [task.question.question, task.node.task]
    for finding in task.dependencies:
        texts += [finding.row.task, finding.row.answer, finding.row.result]
    return Vouching(texts, [item.node for item in task.evidence])


def of_inquiry(inquiry: Inquiry) -> Vouching:
    """What the question, the plan and the findings vouch for."""
    texts = [inquiry.question.question, *(node.task for node in inquiry.plan)]
    for finding in inquiry.findings:
        if finding.row.found:
            texts += [finding.row.answer, finding.row.result]
    return Vouching(texts, [item.node for item in inquiry.evidence])
