"""Which implementation makes the briefs.

Here: ``build_summarizers``. Importable by defs and cli.
"""

from __future__ import annotations

from g2_pipelines.briefs.extractive import ExtractiveFinalSummarizer, ExtractivePreSummarizer
from g2_pipelines.briefs.ports import FinalSummarizer, PreSummarizer
from g2_pipelines.models.ports import CompletionPort


def build_summarizers(
    completion: CompletionPort | None,
) -> tuple[PreSummarizer, FinalSummarizer]:
    """The summarizers on a completion port, or the embedded extractive ones without one."""
    if completion is None:
        return ExtractivePreSummarizer(), ExtractiveFinalSummarizer()
    from g2_pipelines.briefs.prompted import (
        PromptedFinalSummarizer,
        PromptedPreSummarizer,
    )

    return PromptedPreSummarizer(completion), PromptedFinalSummarizer(completion)
