"""A port that keeps what went through it, and the check that every answer has its form."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import jsonschema

from g2_pipelines.errors import LimitError, ModelError
from g2_pipelines.models.ports import (
    Completion,
    CompletionPort,
    CompletionRequest,
    CompletionResult,
)

V = TypeVar("V")


class Watching:
    """Hands everything on to ``port``."""

    def __init__(self, port: CompletionPort) -> None:
        self._port = port
        self.engine = port.engine
        self.model = port.model
        self.went: list[tuple[CompletionRequest, CompletionResult]] = []

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """See CompletionPort."""
        results = await self._port.complete(requests)
        self.went += zip(requests, results, strict=True)
        return results

    def of(self, task: str) -> list[tuple[CompletionRequest, CompletionResult]]:
        """What went through for a task."""
        return [(request, result) for request, result in self.went if request.task == task]

    def check_form(self) -> int:
        """Every answer fits the schema it was asked by, and the rest are typed failures.

        Returns how many answers there are.
        """
        answers = 0
        for request, result in self.went:
            if isinstance(result, Completion):
                answers += 1
                assert result.prompt_tokens > 0
                assert result.completion_tokens > 0
                if request.json_schema is not None:
                    jsonschema.validate(json.loads(result.text), json.loads(request.json_schema))
            else:
                assert isinstance(result, (ModelError, LimitError))
                assert result.code not in {"model_not_loaded", "model_unreachable", "internal"}
                assert result.message
        return answers


async def outcome(work: Awaitable[V]) -> V | ModelError | LimitError:
    """Its value, or the typed failure that it raised; anything else goes on."""
    try:
        return await work
    except (ModelError, LimitError) as failure:
        return failure
