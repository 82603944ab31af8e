"""Analyst and evolver on a completion port: prompts, closed schemas, validated replies.

Here: ``PromptedAnalyst`` and ``PromptedEvolver`` (the task ports) and how a node is shown to a
model. Prompts are ``prompts/{ja,en}/{analyse,evolve}.jinja``. Not here: what of a reply may
stand (``links``, ``guards``), retries and recovery of broken JSON (``models.structured``).

A node's content is shown whole up to a limit, its candidates by summary and keywords only: full
neighbour texts cost 2.7 times the tokens in an independent reproduction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.ports import (
    Analysis,
    Candidate,
    NodeContext,
    NodeView,
    Proposal,
    ProposedLink,
)
from g2_pipelines.graph.replies import (
    AnalysisReply,
    EvolutionReply,
    StatedEvolution,
    evolution_reply,
)
from g2_pipelines.graph.vocabulary import Vocabulary
from g2_pipelines.index.content import content_text
from g2_pipelines.models.errors import Failure
from g2_pipelines.models.ports import CompletionPort, CompletionRequest, ImagePart, Message
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import Structured, complete_as, schema_text

T = TypeVar("T", bound=BaseModel)

_PROMPTS = PromptSet("g2_pipelines.graph")
_SHOWN = 6_000  # characters of a node that the model reads; longer ones are cut at a line end
_ANALYSIS_TOKENS = 700
_EVOLUTION_TOKENS = 900


class PromptedAnalyst:
    """NodeAnalyst by a (vision-)language model."""

    def __init__(self, port: CompletionPort, config: EvolutionConfig | None = None) -> None:
        self._port = port
        self._config = config or EvolutionConfig()
        self.engine = port.engine
        self.model = port.model
        self.prompt_version = _PROMPTS.version("analyse")

    async def analyse(
        self, views: Sequence[NodeView], vocabulary: Vocabulary
    ) -> list[Analysis | Failure]:
        """See NodeAnalyst."""
        del vocabulary  # a model reads the node alone
        requests = [self._request(view) for view in views]
        results = await complete_as(self._port, requests, AnalysisReply)
        return [
            _analysis(result) if isinstance(result, Structured) else result for result in results
        ]

    def _request(self, view: NodeView) -> CompletionRequest:
        prompt = _PROMPTS.render(
            "analyse",
            view.language,
            **_shown(view),
            has_image=view.image is not None,
            words=self._config.summary_words,
            characters=self._config.summary_characters,
        )
        return CompletionRequest(
            task="analyse_node",
            subject=view.node.document_id,
            messages=(_message(prompt, view.image),),
            json_schema=schema_text(AnalysisReply),
            schema_name="analysis",
            max_tokens=_ANALYSIS_TOKENS,
        )


def _analysis(result: Structured[AnalysisReply]) -> Analysis:
    reply = result.value
    return Analysis(
        summary=reply.summary,
        keywords=tuple(reply.keywords),
        entities=tuple(reply.entities),
        call_keys=tuple(result.call_keys),
    )


class PromptedEvolver:
    """Evolver by a (vision-)language model."""

    def __init__(self, port: CompletionPort, config: EvolutionConfig | None = None) -> None:
        self._port = port
        self._config = config or EvolutionConfig()
        self.engine = port.engine
        self.model = port.model
        self.prompt_version = _PROMPTS.version("evolve")

    async def evolve(
        self, contexts: Sequence[NodeContext], vocabulary: Vocabulary
    ) -> list[Proposal | Failure]:
        """See Evolver. The labels of a node's candidates are the enum of its own schema."""
        del vocabulary
        # Labels are c1…cK: the server's grammar is closed over them. A server without grammars
        # may name others; that link alone is dropped then, so the reading is wider.
        requests = [
            self._request(context, evolution_reply(len(context.candidates))) for context in contexts
        ]
        results = await complete_as(self._port, requests, StatedEvolution)
        return [
            _proposal(result) if isinstance(result, Structured) else result for result in results
        ]

    def _request(self, context: NodeContext, schema: type[EvolutionReply]) -> CompletionRequest:
        prompt = _PROMPTS.render(
            "evolve",
            context.language,
            **_shown(context),
            summary=context.state.summary,
            own_keywords=context.state.keywords,
            candidates=[_shown_candidate(candidate) for candidate in context.candidates],
            has_image=context.image is not None,
            words=self._config.summary_words,
            characters=self._config.summary_characters,
            out_degree=self._config.out_degree,
        )
        return CompletionRequest(
            task="evolve_node",
            subject=context.node.document_id,
            messages=(_message(prompt, context.image),),
            json_schema=schema_text(schema),
            schema_name="evolution",
            max_tokens=_EVOLUTION_TOKENS,
        )


def _proposal(result: Structured[StatedEvolution]) -> Proposal:
    reply = result.value
    return Proposal(
        links=tuple(ProposedLink(link.to, link.relation) for link in reply.links),
        update=reply.update,
        summary=reply.summary,
        keywords=tuple(reply.keywords),
        call_keys=tuple(result.call_keys),
    )


def _message(prompt: str, image: ImagePart | None) -> Message:
    return Message(role="user", text=prompt, images=(image,) if image else ())


def _shown(view: NodeView | NodeContext) -> dict[str, object]:
    node = view.node
    return {
        "kind": node.kind,
        "section_path": node.section_path,
        "content": shorten(content_text(node)),
    }


def shorten(text: str) -> str:
    """At most 6,000 characters, cut at a line end where there is one, with «…» as a sign."""
    if len(text) <= _SHOWN:
        return text
    head = text[:_SHOWN]
    cut = head.rfind("\n")
    return (head[:cut] if cut > _SHOWN // 2 else head) + "\n…"


def _shown_candidate(candidate: Candidate) -> dict[str, object]:
    ties = [f"{tie.kind}:{tie.direction}" for tie in candidate.ties]
    return {
        "label": candidate.label,
        "kind": candidate.kind,
        "summary": candidate.summary,
        "keywords": candidate.keywords,
        "before": candidate.position < 0,
        "ties": ties,
        "linked": candidate.linked,
    }
