"""The four tasks of one engine, chosen by what is given.

Here: ``build_tasks``. Called by ``defs`` and ``cli``, which build the completion port from
the settings; without one the extractive implementation answers, by choice, never as a
fallback of another engine.
"""

from __future__ import annotations

from g2_pipelines.models.ports import CompletionPort
from g2_pipelines.qa.extractive import ExtractivePlanner, ExtractiveWorker
from g2_pipelines.qa.extractive_check import ExtractiveChecker
from g2_pipelines.qa.extractive_reason import ExtractiveReasoner
from g2_pipelines.qa.ports import QaTasks


def build_tasks(completion: CompletionPort | None, *, max_images: int = 4) -> QaTasks:
    """Planner, worker, checker and reasoner.

    Args:
        completion: The model to prompt, or None for the extractive implementation.
        max_images: Pictures a model sees per call.
    """
    if completion is None:
        return QaTasks(
            planner=ExtractivePlanner(),
            worker=ExtractiveWorker(),
            checker=ExtractiveChecker(),
            reasoner=ExtractiveReasoner(),
        )
    from g2_pipelines.qa.prompted import prompted_tasks

    return prompted_tasks(completion, max_images=max_images)
