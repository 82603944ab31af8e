"""Asks the embedded engine over nodes that a stored document would survey whole."""

from __future__ import annotations

import asyncio
import re

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.tables.line2 import Answer, AnswerFormat, DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines_tests.qa.builders import FixedSource, evidence, question


class Whole(FixedSource):
    """Goes through all its nodes, as a stored document does."""

    async def survey(self, pattern: str) -> list[Evidence]:
        form = re.compile(pattern)
        return [item for item in evidence(self.nodes) if form.search(fold_text(item.node.text))]


def ask(text: str, nodes: list[DocumentNode], answer_format: AnswerFormat = "short") -> Answer:
    """The answer of the embedded engine."""
    return asyncio.run(
        answer_question(
            question(text, format=answer_format, documents=["doc"]),
            evidence=Whole(nodes),
            **build_tasks(None)._asdict(),
        )
    )
