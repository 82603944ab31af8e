"""What a model may reply, as bounded models with closed sets of labels.

Here: the reply of each task, and ``worker_schema``, ``reason_schema`` and ``refine_schema``,
which close the sources to the labels that were shown (e1 … eN) and the ids to those of the
plan. Reasons come before decisions, since constrained decoding writes fields in order.
Used by ``prompted``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from g2_pipelines.tables.line2 import GapKind

StepId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,15}$")]
Task = Annotated[str, Field(min_length=1, max_length=500)]
Thought = Annotated[str, Field(max_length=1_200)]
Source = Annotated[str, Field(max_length=16)]


#: What a model may ask code to do with the values it copies.
CopiedOperation = Literal["", "difference", "ratio", "growth", "sum", "count", "rank"]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlanStep(_Reply):
    """A sub-question and the ids of those that it builds on."""

    id: StepId
    task: Task
    depends_on: Annotated[list[StepId], Field(max_length=5)]


class PlanReply(_Reply):
    """The sub-questions; the root is added by code, so it cannot be changed."""

    thought: Thought
    steps: Annotated[list[PlanStep], Field(max_length=8)]


class Change(_Reply):
    """An operation on the plan."""

    op: Literal["add", "update", "delete"]
    id: StepId
    task: Annotated[str, Field(max_length=500)]
    depends_on: Annotated[list[StepId], Field(max_length=7)]


class RefineReply(_Reply):
    """Operations aimed at the gaps."""

    thought: Thought
    operations: Annotated[list[Change], Field(max_length=6)]


class QuoteReply(_Reply):
    """A passage copied from a source."""

    source: Source
    text: Annotated[str, Field(min_length=1, max_length=500)]


class ValueReply(_Reply):
    """A value copied from a source, with the unit that its header or text gives."""

    source: Source
    label: Annotated[str, Field(max_length=120)]
    text: Annotated[str, Field(min_length=1, max_length=60)]
    unit: Annotated[str, Field(max_length=24)]


class WorkReply(_Reply):
    """A sub-answer with the places that carry it."""

    thought: Thought
    found: bool
    quotes: Annotated[list[QuoteReply], Field(max_length=8)]
    values: Annotated[list[ValueReply], Field(max_length=24)]
    operation: CopiedOperation
    lack: GapKind = "missing"
    answer: Annotated[str, Field(max_length=1_200)]
    short: Annotated[str, Field(max_length=120)]


class GapReply(_Reply):
    """Something concrete that lacks."""

    kind: GapKind
    text: Annotated[str, Field(min_length=1, max_length=300)]


class CheckReply(_Reply):
    """Whether the sub-answers suffice."""

    thought: Thought
    gaps: Annotated[list[GapReply], Field(max_length=3)]
    partly: bool = False
    sufficient: bool


class ClaimReply(_Reply):
    """A part of the answer and the passage that carries it."""

    text: Annotated[str, Field(max_length=600)]
    source: Source
    quote: Annotated[str, Field(min_length=1, max_length=500)]


class ReasonReply(_Reply):
    """The final answer, or why there is none."""

    thought: Thought
    answerable: bool
    claims: Annotated[list[ClaimReply], Field(max_length=16)]
    answer: Annotated[str, Field(max_length=4_000)]
    why: Annotated[str, Field(max_length=400)]


def labels(count: int) -> list[str]:
    """The labels of ``count`` sources, in the order in which they are shown."""
    return [f"e{place}" for place in range(1, count + 1)]


@lru_cache(maxsize=256)
def worker_schema(count: int) -> type[WorkReply]:
    """``WorkReply`` whose sources are e1 … e``count``."""
    closed: Any = Literal[tuple(labels(count))]
    quote: Any = create_model("QuoteReply", __base__=QuoteReply, source=(closed, ...))
    value: Any = create_model("ValueReply", __base__=ValueReply, source=(closed, ...))
    return create_model(
        "WorkReply",
        __base__=WorkReply,
        quotes=(Annotated[list[quote], Field(max_length=8)], ...),
        values=(Annotated[list[value], Field(max_length=24)], ...),
    )


@lru_cache(maxsize=256)
def reason_schema(count: int) -> type[ReasonReply]:
    """``ReasonReply`` whose sources are e1 … e``count``."""
    closed: Any = Literal[tuple(labels(count))]
    claim: Any = create_model("ClaimReply", __base__=ClaimReply, source=(closed, ...))
    return create_model(
        "ReasonReply",
        __base__=ReasonReply,
        claims=(Annotated[list[claim], Field(max_length=16)], ...),
    )


@lru_cache(maxsize=256)
def refine_schema(known: tuple[str, ...], fresh: tuple[str, ...]) -> type[RefineReply]:
    """``RefineReply`` whose ids are those of the plan and a few new ones."""
    closed: Any = Literal[(*known, *fresh)]
    change: Any = create_model(
        "Change",
        __base__=Change,
        id=(closed, ...),
        depends_on=(Annotated[list[closed], Field(max_length=7)], ...),
    )
    return create_model(
        "RefineReply",
        __base__=RefineReply,
        operations=(Annotated[list[change], Field(max_length=6)], ...),
    )
