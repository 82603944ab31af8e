"""What a model may reply: bounded schemas, the labels of a node's candidates closed over.

Here: pydantic models only; ``models.structured`` turns them into grammars and validates. What
is asked for is stricter (``evolution_reply``) than what is read (``StatedEvolution``).
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from g2_pipelines.tables.line2 import SemanticKind

#: Bounds are generous on purpose: a tight one changes what is said, the guards do the judging.
Keyword = Annotated[str, Field(max_length=60)]
MOST_CANDIDATES = 32


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AnalysisReply(_Reply):
    """Round 0 of one node."""

    summary: str = Field(max_length=400)
    keywords: list[Keyword] = Field(max_length=10)
    entities: list[Keyword] = Field(max_length=20)


class LinkReply(_Reply):
    """A link by label; ``to`` is closed over by ``evolution_reply``."""

    to: str = Field(max_length=4)
    relation: SemanticKind


class EvolutionReply(_Reply):
    """A round of one node; ``links`` most relevant first."""

    links: list[LinkReply] = Field(max_length=5)
    update: bool
    summary: str = Field(max_length=400)
    keywords: list[Keyword] = Field(max_length=12)


class StatedLink(_Reply):
    """A link as a model stated it: what was not shown is dropped by ``links``, and counted."""

    to: str = Field(max_length=200)
    relation: str = Field(max_length=200)


class StatedEvolution(EvolutionReply):
    """A round of one node as it is read: one bad link does not cost the whole answer."""

    links: list[StatedLink] = Field(max_length=MOST_CANDIDATES)  # type: ignore[assignment]


@cache
def evolution_reply(candidates: int) -> type[EvolutionReply]:
    """The schema for a node with ``candidates`` candidates: ``to`` is one of c1…cK.

    Raises ValueError beyond 32 candidates, which no setting allows.
    """
    if not 0 <= candidates <= MOST_CANDIDATES:
        msg = f"a node has 0 to {MOST_CANDIDATES} candidates, not {candidates}"
        raise ValueError(msg)
    if candidates == 0:
        return create_model(
            "EvolutionReply0",
            __base__=EvolutionReply,
            links=(list[LinkReply], Field(max_length=0)),
        )
    labels: Any = Literal[tuple(f"c{at}" for at in range(1, candidates + 1))]
    link: Any = create_model(f"LinkReply{candidates}", __base__=LinkReply, to=(labels, ...))
    return create_model(
        f"EvolutionReply{candidates}",
        __base__=EvolutionReply,
        links=(list[link], Field(max_length=5)),
    )
