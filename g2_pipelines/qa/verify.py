"""A worker's reply held against its evidence, before anything of it is kept.

Here: ``verify`` and its result. Unknown citations are dropped, quotes and values must stand
in the nodes they name, code carries out the operation, and every number of the answer must
come from what is cited. The single tests stand in ``grounding``. Imported by ``execute``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.checks import faults_of
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.grounding import (
    find_quote,
    squeeze,
    tells,
    value_stands,
)
from g2_pipelines.qa.places import label_stands, unit_stands
from g2_pipelines.qa.ports import Language, Quote, WorkerReply, WorkerTask
from g2_pipelines.qa.strangers import Known, strangers
from g2_pipelines.qa.subjects import copied
from g2_pipelines.tables.line2 import CopiedValue, DocumentNode

_SIDES = 2  #: of a conflict, at least


@dataclass(frozen=True)
class Verified:
    """What of a reply stands; ``faults`` name the rest, for a retry and for the reader.

    ``conflicting``: nothing is found because two places that stand contradict each other.
    """

    found: bool
    cited: list[str] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    values: list[CopiedValue] = field(default_factory=list)
    result: str = ""
    faults: list[str] = field(default_factory=list)
    conflicting: bool = False


def verify(reply: WorkerReply, task: WorkerTask, *, language: Language) -> Verified:
    """Check ``reply`` against the evidence of ``task``.

    An answer counts as found only if something known is cited, no number is invented, and
    the operation, if any, could be carried out on verified values.
    """
    nodes = {item.node.node_id: item.node for item in task.evidence}
    if not reply.found:
        return _conflict(reply, task, nodes)
    faults = [
        f"{name[:40]!r} is not among the evidence" for name in reply.cited if name not in nodes
    ]
    quotes = _standing_quotes(reply, nodes, faults)
    values = _standing_values(reply, task, nodes, faults)
    result = _result(reply, values, language, faults)
    pointed = [*reply.cited, *(q.node_id for q in quotes), *(v.node_id for v in values)]
    cited = [name for name in dict.fromkeys(pointed) if name in nodes]
    if not cited:
        faults.append("nothing is cited")
    ranked = reply.operation == "rank"  # it repeats the values that it puts in order
    texts = [task.node.task, result if ranked else ""]
    for finding in task.dependencies:
        texts += [finding.row.answer, finding.row.result]
    wrong = faults_of(
        reply.answer,
        [nodes[name] for name in cited],
        results=["" if ranked else result],
        texts=texts,
        asked="" if reply.operation else task.node.task,
    ).faults
    known = Known([*texts, result, task.question.question], [nodes[name] for name in cited])
    wrong += [
        f"the name {name[:40]!r} is not in what is cited" for name in strangers(reply.answer, known)
    ]
    faults += wrong
    lost = reply.operation != "" and result == ""
    return Verified(
        found=bool(cited) and not wrong and not lost,
        cited=cited,
        quotes=quotes,
        values=values,
        result=result,
        faults=faults,
    )


def _conflict(reply: WorkerReply, task: WorkerTask, nodes: Mapping[str, DocumentNode]) -> Verified:
    """A conflict, where the reply tells one and both sides stand; else plainly not found."""
    if reply.lack != "conflicting":
        return Verified(found=False)
    ignored: list[str] = []
    quotes = _standing_quotes(reply, nodes, ignored)
    values = _standing_values(reply, task, nodes, ignored)
    sides = {squeeze(value.text) for value in values} or {squeeze(q.text) for q in quotes}
    if len(sides) < _SIDES:
        return Verified(found=False)
    cited = list(dict.fromkeys([*(q.node_id for q in quotes), *(v.node_id for v in values)]))
    return Verified(found=False, cited=cited, quotes=quotes, values=values, conflicting=True)


def _standing_quotes(
    reply: WorkerReply, nodes: Mapping[str, DocumentNode], faults: list[str]
) -> list[Quote]:
    """The quotes as the nodes' own characters."""
    standing: list[Quote] = []
    for quote in reply.quotes:
        node = nodes.get(quote.node_id)
        own = find_quote(quote.text, node) if node else None
        if own is None:
            faults.append(f"the quote {quote.text[:60]!r} does not stand in {quote.node_id[:40]}")
        elif node is None or not tells(own, node):
            faults.append(f"the quote {own[:60]!r} is too short to point at a place")
        else:
            standing.append(Quote(node_id=quote.node_id, text=own))
    return standing


def _standing_values(
    reply: WorkerReply,
    task: WorkerTask,
    nodes: Mapping[str, DocumentNode],
    faults: list[str],
) -> list[CopiedValue]:
    """The values whose text, label and unit stand where they are said to, each with its place."""
    standing: list[CopiedValue] = []
    for value in reply.values:
        node = nodes.get(value.node_id)
        if node is None or not value_stands(value, node):
            faults.append(f"the value {value.text[:40]!r} does not stand in {value.node_id[:40]}")
        elif not label_stands(value, node, task.node.task):
            faults.append(
                f"no word of the label {value.label[:40]!r} stands in {value.node_id[:40]}"
            )
        elif not unit_stands(value, _page_of(node, nodes)):
            faults.append(
                f"the unit {value.unit[:24]!r} of {value.text[:40]!r} stands nowhere on its page"
            )
        else:
            taken = [one.place for one in standing if one.node_id == value.node_id]
            place = copied(value, node, taken)
            if place is None:
                faults.append(
                    f"{value.text[:40]!r} is not of the row, column and unit that"
                    f" {value.label[:40]!r} names"
                )
            else:
                standing.append(value.model_copy(update={"place": place}))
    return standing


def _page_of(node: DocumentNode, nodes: Mapping[str, DocumentNode]) -> list[DocumentNode]:
    """The node and what else is known of its page: units often stand above a table."""
    beside = [
        other
        for other in nodes.values()
        if other.document_id == node.document_id and other.page == node.page
    ]
    return [node, *beside]


def _result(
    reply: WorkerReply, values: list[CopiedValue], language: Language, faults: list[str]
) -> str:
    """The operation's result as shown, or "" with the fault named."""
    if not reply.operation:
        return ""
    if len(values) < len(reply.values):
        return ""  # a value was dropped: counting or adding the rest would be another question
    try:
        return calculate(reply.operation, values, language=language).text
    except CalculationError as error:
        faults.append(error.message)
        return ""
