"""Limits of answering a question: the plan's size, refinements, evidence and images.

Here: ``PlanLimits`` and ``QaConfig``, plain frozen values with the defaults of the method
(6 nodes, depth 3, 8 nodes after refinement, 3 refinements). Settings are read elsewhere.
"""

from __future__ import annotations

from pydantic import Field

from g2_pipelines.tables.rows import Row


class PlanLimits(Row):
    """How large a plan may be.

    ``max_nodes`` counts the root. ``max_depth`` is the number of dependencies on the longest
    way down to the root: 1 for independent sub-questions, 3 for a chain of three.
    """

    max_nodes: int = Field(default=6, ge=2)
    max_depth: int = Field(default=3, ge=1)


class QaConfig(Row):
    """Everything that may be turned in answering a question.

    Args:
        first_plan: Limits of the first plan.
        refined_plan: Limits after a refinement.
        max_refinements: Refinements after the first execution, 0 turns them off.
        max_evidence: Nodes a worker sees; the lowest-ranked are left out whole.
        max_evidence_chars: Characters a worker sees; nodes past it are left out whole.
        max_images: Pictures a model sees per call, 0 for none.
        concurrency: Workers that run at once.
        planning: False answers with the one-step plan (an ablation).
    """

    first_plan: PlanLimits = PlanLimits()
    refined_plan: PlanLimits = PlanLimits(max_nodes=8)
    max_refinements: int = Field(default=3, ge=0, le=10)
    max_evidence: int = Field(default=40, ge=1)
    max_evidence_chars: int = Field(default=60_000, ge=1_000)
    max_images: int = Field(default=4, ge=0)
    concurrency: int = Field(default=8, ge=1)
    planning: bool = True
