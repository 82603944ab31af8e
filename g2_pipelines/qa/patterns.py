"""Taking a question apart by its wording, Japanese and English.

Here: ``take_apart``, which gives the sub-questions of comparisons, of questions that build on
an extreme («the sensor with the highest drift»), of «respectively» and of several questions
in one; anything else is one sub-question. Used by the extractive planner.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from g2_pipelines.qa.patterns_en import compared_en, each_en, extreme_en
from g2_pipelines.qa.patterns_ja import both_ja, compared_ja, each_ja, extreme_ja
from g2_pipelines.qa.patterns_polar import polar_en, polar_ja
from g2_pipelines.qa.patterns_ratios import ratio_en
from g2_pipelines.qa.plan import one_step_plan, with_root
from g2_pipelines.qa.steps import Steps
from g2_pipelines.tables.line2 import PlanNode
from g2_pipelines.text.language import language

MAX_CHARS = 300
_NEXT_JA = re.compile(
    r"(?<=[？?。])\s*(?=\S)|(?<=か)、(?=また|さらに|そして)|、(?=また、|さらに、)"
)

_NEXT_EN = re.compile(r"(?<=\?)\s+(?=[A-Z])")
_BACK = re.compile(
    r"^(?:また|さらに|そして)?、?(?:その|それ|これ|この|そこ)|\b(?:it|its|this|that|they|their|these)\b"
)


def take_apart(question: str) -> list[PlanNode]:
    """A plan for ``question``: its sub-questions and the root, the question itself, last.

    A text of more than 300 characters is one step: it is no sentence whose wording says
    how to take it apart, and matching stays fast whatever comes in.
    """
    text = " ".join(unicodedata.normalize("NFKC", question[: 2 * MAX_CHARS]).split())
    if len(text) > MAX_CHARS:
        return one_step_plan(question)
    readers: Sequence[Callable[[str], Steps | None]] = (
        (polar_ja, compared_ja, extreme_ja, each_ja, _several, both_ja)
        if language(text) == "ja"
        else (ratio_en, polar_en, compared_en, extreme_en, each_en, _several)
    )
    steps: Steps = next((s for s in (reader(text) for reader in readers) if s), [(question, [])])
    nodes = [
        PlanNode(id=f"q{place}", task=task, depends_on=after)
        for place, (task, after) in enumerate(steps, start=1)
    ]
    return with_root(nodes, question)


def _several(text: str) -> Steps | None:
    """Several questions in one text; one that points back builds on the one before."""
    border = _NEXT_JA if language(text) == "ja" else _NEXT_EN
    parts = [part.strip() for part in border.split(text) if part.strip()]
    asked = [
        part for part in parts if re.search(r"[？?]$|か[。、]?$|ください。?$|なさい。?$", part)
    ]
    if not 2 <= len(asked) <= 3 or len(asked) != len(parts):
        return None
    return [
        (part, [f"q{place}"] if place and _BACK.search(part) else [])
        for place, part in enumerate(asked)
    ]
