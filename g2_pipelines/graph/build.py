"""Which analyst and evolver a configuration means.

Here: ``build_tasks``. ``defs`` and ``cli`` call it; nothing in this package does.
"""

from __future__ import annotations

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.extract import ExtractiveAnalyst
from g2_pipelines.graph.extractive import ExtractiveEvolver
from g2_pipelines.graph.ports import Evolver, NodeAnalyst
from g2_pipelines.graph.prompted import PromptedAnalyst, PromptedEvolver
from g2_pipelines.models.ports import CompletionPort


def build_tasks(
    completion: CompletionPort | None, config: EvolutionConfig | None = None
) -> tuple[NodeAnalyst, Evolver]:
    """Prompted tasks on ``completion``, or the extractive ones where it is None."""
    if completion is None:
        return ExtractiveAnalyst(config), ExtractiveEvolver(config)
    return PromptedAnalyst(completion, config), PromptedEvolver(completion, config)
