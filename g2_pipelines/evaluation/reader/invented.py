"""Values that nothing carries: numbers of an answer that its citations do not hold.

Here: ``invented_values``. A number is carried by the text of a cited node, or is the recorded
result of an operation over copied values each of which stands in the node it names. The
operation is carried out again here; a recorded result that differs from it carries nothing.
Numbers that the question itself gives are not counted as the answer's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.grounding import quotes_of, unsupported_numbers, value_stands
from g2_pipelines.qa.ports import Operation
from g2_pipelines.tables.line2 import Answer, DocumentNode, SubAnswer
from g2_pipelines.text.language import language

NodeOf = Callable[[str, str], DocumentNode | None]


def invented_values(answer: Answer, node_of: NodeOf) -> list[str]:
    """Numbers of the answer, as it writes them, that nothing carries; none of a refusal.

    Args:
        answer: The stored answer.
        node_of: The node of (document_id, node_id), None if there is none.
    """
    if answer.unanswerable:
        return []
    cited = [node_of(one.document_id, one.node_id) for one in answer.citations]
    texts = quotes_of([node for node in cited if node is not None])
    results = [text for sub in answer.sub_answers for text in _results(sub, node_of)]
    return unsupported_numbers(answer.answer, [*texts, *results, answer.question])


def _results(sub: SubAnswer, node_of: NodeOf) -> list[str]:
    """Result and formula of a sub-answer's operation, if its values stand where it says."""
    operation = next((one for one in get_args(Operation) if one and one == sub.operation), None)
    if operation is None or not sub.found:
        return []
    documents = {item.node_id: item.document_id for item in sub.evidence}
    for value in sub.values:
        node = node_of(documents.get(value.node_id, ""), value.node_id)
        if node is None or not value_stands(value, node):
            return []
    spoken = language(sub.task)
    for values in (sub.values, sub.values[::-1]):
        try:
            again = calculate(operation, values, language=spoken)
        except CalculationError:
            continue
        if not unsupported_numbers(sub.result, [again.text, again.formula]):
            return [again.text, again.formula]
    return []
