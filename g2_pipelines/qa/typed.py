"""The answer as typed values: its numbers with unit, label, period and origin.

Here: ``values_of``. Programs read an answer by these fields instead of by its
words. Only numbers that the checks let stand come here; what a source leaves open stays empty.
Used by ``conclude``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.agreement import Sources
from g2_pipelines.qa.amounts import Amount, Held
from g2_pipelines.qa.told import told
from g2_pipelines.tables.line2 import AnswerValue, DocumentNode, SubAnswer


def values_of(
    plain: str, nodes: Sequence[DocumentNode], findings: Sequence[SubAnswer]
) -> list[AnswerValue]:
    """The numbers of a checked answer in order, each value once.

    Args:
        plain: The answer as the checks read it (``checks.Checked.figures``).
        nodes: The cited nodes.
        findings: The sub-answers that were found; their results are calculated values.
    """
    results = [
        (one.id, Held([one.result])) for one in findings if one.result and one.operation != "rank"
    ]
    by_node = [(node.node_id, Sources([node])) for node in nodes]
    values: dict[tuple[str, str, str], AnswerValue] = {}
    for one in told(plain):
        value = _calculated(one.amount, results) or _cited(one.amount, by_node)
        value = value or _typed(one.amount, one.amount, origin="question")
        values.setdefault((value.value, value.unit, value.origin), value)
    return list(values.values())


def _calculated(amount: Amount, results: Sequence[tuple[str, Held]]) -> AnswerValue | None:
    for step, held in results:
        found = held.support(amount)
        if found:
            return _typed(amount, found[0], origin="calculated", step=step)
    return None


def _cited(amount: Amount, by_node: Sequence[tuple[str, Sources]]) -> AnswerValue | None:
    for node_id, sources in by_node:
        for place in sources.places(amount):
            label, period = sources.called(place)
            return _typed(
                amount, place.amount, origin="cited", node_id=node_id, label=label, period=period
            )
    return None


def _typed(said: Amount, source: Amount, **more: str) -> AnswerValue:
    """The number as it is said; a bare one has the unit and scale of its source."""
    bare = said.unit == "" and said.scale == 1 and said.digits == source.digits
    taken = source if bare else said
    unit = taken.unit or source.unit
    return AnswerValue.model_validate(
        {"text": said.text.strip(), "value": f"{taken.value.normalize():f}", "unit": unit, **more}
    )
