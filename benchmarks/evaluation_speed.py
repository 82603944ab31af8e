"""How long a check takes, in processor seconds.

Here: ``speed``.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence

from benchmarks.corruptions import CONFLICTS, Case
from benchmarks.evaluation_filings import Filing
from g2_pipelines.evaluation.brief import evaluate
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.tables.line1 import Summary


class _Aspect:
    def __init__(self, key: str, label: str) -> None:
        self.key, self.label = key, label


_ASPECTS = [
    _Aspect(key, label)
    for key, label in zip(
        ("environment", "issues", "outlook", "strengths"),
        ["環境", "課題", "展望", "強み"],
        strict=True,
    )
]


def speed(filings: dict[str, Filing], cases: Sequence[Case]) -> tuple[float, float]:
    """(slowest filing's seconds for one brief from cold, median seconds for all of a company).

    Processor seconds, since others may use the machine. Cold: sources and facts are prepared
    anew. All of a company is eight texts: four aspects, and the baseline's four.
    """
    kept = [case for case in cases if case.kind not in CONFLICTS]
    first: list[float] = []
    whole: list[float] = []
    for name, filing in filings.items():
        own = [case.summary for case in kept if case.source == name]
        rng = random.Random(name)
        texts = ["".join(rng.sample(own, min(8, len(own)))) for _ in range(8)]
        summaries = [_summary(text, _ASPECTS[i % 4].key) for i, text in enumerate(texts)]
        sources = [s.model_copy(update={"label": "cold"}) for s in filing.sources]
        began = time.process_time()
        table = FactTable(filing.facts)
        for i, summary in enumerate(summaries):
            others = [s for s in summaries[i // 4 * 4 :][:4] if s.aspect != summary.aspect]
            evaluate(
                summary,
                sources=sources,
                segments=filing.segments,
                others=others,
                aspect=_ASPECTS[i % 4],
                budget=600,
                facts=table,
            )
            if i == 0:
                first.append(time.process_time() - began)
        whole.append(time.process_time() - began)
    return max(first), statistics.median(whole)


def _summary(text: str, aspect: str) -> Summary:
    return Summary(
        engine="openai",
        model="none",
        prompt_version="none",
        edinet_code="E00000",
        fiscal_year="2024-03",
        source_type="",
        aspect=aspect,
        strategy="aspect",
        text=text,
        tokens=len(text),
        finish_reason="stop",
        sentences=[],
        spans=[],
    )
