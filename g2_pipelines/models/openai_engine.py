"""Engine ``openai``: chat completions at any server that speaks the OpenAI protocol.

Here: the request's body and what an answer's body means. Sending, retries and limits stand
in ``server``; the call cache in ``cached``. ``build`` imports this module.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from g2_pipelines.models.callkey import call_key
from g2_pipelines.models.config import ModelConfig
from g2_pipelines.models.engines import NO_USAGE, Answered, Usage
from g2_pipelines.models.errors import (
    BrokenAnswerError,
    EmptyAnswerError,
    Failure,
    RefusedRequestError,
    TruncatedAnswerError,
    WithheldAnswerError,
)
from g2_pipelines.models.faults import BROKEN_REMEDY, Trial, status_trial
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult, Message
from g2_pipelines.models.server import ServerClient
from g2_pipelines.models.weight import overflow, prompt_tokens
from g2_pipelines.text.tokens import tokenizer


class _ReplyMessage(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _ReplyMessage
    finish_reason: str | None = None


class _Details(BaseModel):
    cached_tokens: int | None = None


class _ReplyUsage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _Details | None = None


class _Reply(BaseModel):
    choices: list[_Choice]
    usage: _ReplyUsage | None = None


class OpenAIEngine:
    """Chat completions with images and json_schema answers; a CompletionPort by itself."""

    engine = "openai"

    def __init__(self, config: ModelConfig) -> None:
        self._config = config
        self._server = ServerClient(config)

    @property
    def model(self) -> str:
        """Name, and ``@revision`` where one is configured."""
        revision = self._config.revision
        return f"{self._config.model}@{revision}" if revision else self._config.model

    @property
    def concurrency(self) -> int:
        """Requests in flight per event loop."""
        return self._config.concurrency

    def key_of(self, request: CompletionRequest) -> str:
        """The call cache's key of ``request``."""
        return call_key(self.engine, self._config.model, self._config.revision, request)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Keep connections for a batch."""
        async with self._server.session():
            yield

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """Answer each request, without call cache and ledger."""
        async with self.session():
            answers = await asyncio.gather(*(self.answer(request) for request in requests))
        return [answer.result for answer in answers]

    async def answer(self, request: CompletionRequest) -> Answered:
        """One answer, or the failure that stayed after the retries."""
        start = monotonic()
        if not _is_unicode(request):
            failure = RefusedRequestError(
                "The prompt holds half of a surrogate pair, which cannot be sent",
                file=request.subject,
                place=request.task,
                remedy="Clean the source text",
            )
            return Answered(failure, 0, NO_USAGE, 0.0)
        tokens = 0
        if self._server.weighs:
            tokens = prompt_tokens(request, tokenizer(self._config.tokenizer))
            config = self._config
            too_long = overflow(
                request, tokens=tokens, context_tokens=config.context_tokens, model=self.model
            )
            if too_long is not None:
                return Answered(too_long, 0, NO_USAGE, 0.0)
        body = chat_body(request, self._config)
        called = await self._server.call(
            "/chat/completions",
            body,
            lane=request.prefix_key or _lane(request),
            read=lambda content: self._read(content, request),
            tokens=tokens + request.max_tokens,
        )
        result = called.value if called.value is not None else called.failure
        if result is None:  # pragma: no cover  a trial holds one of the two
            msg = "a call ended without value and failure"
            raise AssertionError(msg)
        return Answered(result, called.attempts, called.usage, monotonic() - start)

    def _read(self, content: bytes, request: CompletionRequest) -> Trial[Completion]:
        try:
            reply = _Reply.model_validate_json(content)
        except ValidationError:
            return self._broken(content)
        usage = _usage_of(reply)
        if not reply.choices:
            failure = self._failure(EmptyAnswerError, "The answer holds no choice")
            return Trial(failure=failure, again=True, usage=usage)
        choice = reply.choices[0]
        trouble = self._trouble(choice, request)
        if trouble is not None:
            failure, again = trouble
            return Trial(failure=failure, again=again, usage=usage)
        completion = Completion(
            text=choice.message.content or "",
            finish_reason="stop",
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cached_tokens=usage.cached_tokens,
            call_key=self.key_of(request),
            engine=self.engine,
            model=self.model,
        )
        return Trial(value=completion, usage=usage)

    def _trouble(self, choice: _Choice, request: CompletionRequest) -> tuple[Failure, bool] | None:
        """Why a choice is no answer, and whether asking the same again can help."""
        if choice.message.refusal or choice.finish_reason == "content_filter":
            words = self._server.where.clean(choice.message.refusal or "content filter")
            return self._failure(WithheldAnswerError, f"The answer was withheld: {words}"), False
        if choice.finish_reason == "length":
            message = f"The answer was cut at {request.max_tokens} tokens"
            return self._failure(TruncatedAnswerError, message), False
        if choice.finish_reason not in _ENDS:
            reason = self._server.where.clean(str(choice.finish_reason))[:40]
            return self._failure(BrokenAnswerError, f"The answer ended by {reason!r}"), True
        if not (choice.message.content or "").strip():
            return self._failure(EmptyAnswerError, "The answer holds no text"), True
        return None

    def _broken(self, content: bytes) -> Trial[Completion]:
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict) and (body.get("error") or body.get("object") == "error"):
            return status_trial(200, content, {}, self._server.where)
        failure = self._failure(
            BrokenAnswerError, "The answer's body is not one of the chat completion protocol"
        )
        return Trial(failure=failure, again=True)

    def _failure(self, kind: type[_BadAnswer], message: str) -> Failure:
        where = self._server.where
        return kind(message, file=where.server, place=where.model, remedy=_REMEDIES[kind])


_BadAnswer: TypeAlias = (
    BrokenAnswerError | EmptyAnswerError | TruncatedAnswerError | WithheldAnswerError
)
_REMEDIES: dict[type[_BadAnswer], str] = {
    BrokenAnswerError: BROKEN_REMEDY,
    EmptyAnswerError: "Run again; if it stays so, see the server's log or take another model",
    TruncatedAnswerError: "Raise the task's token budget, or use a model that keeps to it",
    WithheldAnswerError: "Look at the source that was sent, or take another model",
}
#: As many characters hold the fixed words of our prompts and some of the document.
_LANE_CHARACTERS = 1_000
#: finish_reason of a whole answer: OpenAI's and vLLM's word, and others' for the same.
_ENDS = {"stop", "eos", "eos_token", "end_turn", "stop_sequence"}


def chat_body(request: CompletionRequest, config: ModelConfig) -> dict[str, Any]:
    """The body of a chat completion; images as data URIs before their message's text."""
    body: dict[str, Any] = {
        "model": config.model,
        "messages": [message_body(message) for message in request.messages],
        config.budget_field: request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
    }
    if request.seed is not None:
        body["seed"] = request.seed
    if request.json_schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": request.schema_name,
                "strict": True,
                "schema": json.loads(request.json_schema),
            },
        }
    return body


def _lane(request: CompletionRequest) -> str:
    """What a request without a prefix key begins with: its first words past the system's."""
    first = next((one for one in request.messages if one.role != "system"), request.messages[0])
    return "".join([*(image.sha256 for image in first.images), first.text[:_LANE_CHARACTERS]])


def message_body(message: Message) -> dict[str, Any]:
    """A message as chat completions take it; plain text where there is no image."""
    if not message.images:
        return {"role": message.role, "content": message.text}
    parts: list[dict[str, Any]] = [
        {
            "type": "image_url",
            "image_url": {
                "url": f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"
            },
        }
        for image in message.images
    ]
    return {"role": message.role, "content": [*parts, {"type": "text", "text": message.text}]}


def _usage_of(reply: _Reply) -> Usage:
    usage = reply.usage or _ReplyUsage()
    details = usage.prompt_tokens_details
    return Usage(
        prompt_tokens=max(0, usage.prompt_tokens),
        completion_tokens=max(0, usage.completion_tokens),
        cached_tokens=max(0, (details.cached_tokens if details else None) or 0),
    )


def _is_unicode(request: CompletionRequest) -> bool:
    try:
        for message in request.messages:
            message.text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
