"""Which implementation makes the briefs.

Here: ``build_summarizers`` and ``build_joint``. Importable by defs and cli.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2_pipelines.briefs.extractive import ExtractivePreSummarizer
from g2_pipelines.briefs.extractive_final import ExtractiveFinalSummarizer
from g2_pipelines.briefs.ports import FinalSummarizer, PreSummarizer
from g2_pipelines.errors import InputError
from g2_pipelines.models.ports import CompletionPort
from g2_pipelines.models.prompts import PromptSet

if TYPE_CHECKING:
    from g2_pipelines.briefs.joint import PromptedJoint


class StrategyNotOfferedError(InputError):
    """The engine cannot make summaries in the way asked for."""

    code = "strategy_not_offered"


def build_summarizers(
    completion: CompletionPort | None, prompts: PromptSet | None = None
) -> tuple[PreSummarizer, FinalSummarizer]:
    """The summarizers on a completion port, or the embedded extractive ones without one."""
    if completion is None:
        return ExtractivePreSummarizer(), ExtractiveFinalSummarizer()
    from g2_pipelines.briefs.prompted import PromptedPreSummarizer
    from g2_pipelines.briefs.prompted_final import PromptedFinalSummarizer

    return PromptedPreSummarizer(completion, prompts), PromptedFinalSummarizer(completion, prompts)


def build_joint(
    completion: CompletionPort | None, prompts: PromptSet | None = None
) -> PromptedJoint:
    """The maker of all aspects in one call.

    Raises:
        StrategyNotOfferedError: the extractive engine makes no calls that could be joined.
    """
    if completion is None:
        raise StrategyNotOfferedError(
            "The extractive engine makes no calls, so that none can be joined",
            place="strategy: joint",
            remedy="Use the strategy aspect, or an engine with a model (G2_ENGINE)",
        )
    from g2_pipelines.briefs.joint import PromptedJoint

    return PromptedJoint(completion, prompts)
