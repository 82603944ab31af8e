"""Answers that are values: asked for by schema, recovered in a fixed order, retried once.

Here: ``complete_as`` for objects and ``complete_text`` for prose that must not be empty,
in the wrong language or in a loop. Both ask once more, naming the fault and with twice
the budget, and then end in a typed failure. briefs, graph, qa and evaluation may import
this module.

What leads to a typed failure is withdrawn from the call cache, so that the next run asks
again; an answer that its retry repaired stays, so that the next run repeats no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel

from g2_pipelines.models.control_tokens import restored
from g2_pipelines.models.errors import BadStructureError, BadTextError, TruncatedAnswerError
from g2_pipelines.models.ports import (
    Completion,
    CompletionPort,
    CompletionRequest,
    CompletionResult,
    Failure,
    Message,
    Withdraws,
)
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.recover import UnusableAnswerError, recover
from g2_pipelines.models.schema import schema_text
from g2_pipelines.models.textfaults import text_fault

__all__ = ["Structured", "TextAnswer", "complete_as", "complete_text", "schema_text"]

M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")

_PROMPTS = PromptSet("g2_pipelines.models")
_KANA = re.compile(r"[\u3041-\u30ff]")
_QUOTED_ANSWER = 4_000  # characters of a bad answer shown back to the model


@dataclass(frozen=True, slots=True)
class Structured(Generic[V]):
    """A value with the completion that held it.

    attempts: 1, or 2 when the retry was needed. call_keys: of every completion used, in
    order, for the rows' ``call_keys``.
    """

    value: V
    completion: Completion
    attempts: int
    call_keys: tuple[str, ...]


#: What ``complete_text`` gives: the value is the text without think tags, trimmed.
TextAnswer: TypeAlias = Structured[str]


async def complete_as(
    port: CompletionPort,
    requests: Sequence[CompletionRequest],
    schema: type[M],
    *,
    check: Callable[[int, M], str | None] | None = None,
) -> list[Structured[M] | Failure]:
    """One validated ``schema`` object a request, or its typed failure, in order.

    ``check`` gets the request's position and the value and returns a fault in words, or
    None: for rules that a schema cannot hold (labels that were not shown, language).

    Failures: BadStructureError after the retry, TruncatedAnswerError when the doubled
    budget was too small as well, else the engine's own. Source: recovery order and one
    named retry as in the audit of G2-Reader's released code (json_schema at the server:
    40 of 40 valid; the rest is for servers without).

    Raises:
        UnboundedSchemaError: ``schema`` cannot be a grammar.
    """
    text = schema_text(schema)
    asked = [
        request if request.json_schema else request.model_copy(update={"json_schema": text})
        for request in requests
    ]

    def read(index: int, answer: str) -> M:
        value = recover(answer, schema)
        fault = check(index, value) if check else None
        if fault:
            raise UnusableAnswerError(fault)
        return value

    return await _ask_twice(port, asked, read, BadStructureError)


async def complete_text(
    port: CompletionPort,
    requests: Sequence[CompletionRequest],
    *,
    language: Literal["ja", "en"] | None = None,
    check: Callable[[int, str], str | None] | None = None,
) -> list[TextAnswer | Failure]:
    """One prose answer a request, or its typed failure, in order.

    Faults that are asked again once: no text, not in ``language``, a passage repeated over
    and over, and what ``check`` finds (``textfaults.content_fault`` is one to use there: only
    the caller knows which part of a prompt is the instruction). Failures: BadTextError,
    TruncatedAnswerError, else the engine's own.
    """

    def read(index: int, answer: str) -> str:
        text = re.sub(r"^.*?</think>", "", answer, flags=re.DOTALL | re.IGNORECASE).strip()
        text = restored(text)
        fault = text_fault(text, language) or (check(index, text) if check else None)
        if fault:
            raise UnusableAnswerError(fault)
        return text

    return await _ask_twice(port, requests, read, BadTextError)


async def _ask_twice(
    port: CompletionPort,
    requests: Sequence[CompletionRequest],
    read: Callable[[int, str], V],
    failure: type[BadStructureError | BadTextError],
) -> list[Structured[V] | Failure]:
    results: list[Structured[V] | Failure] = []
    retries: list[tuple[int, CompletionRequest, CompletionResult, str]] = []
    for index, first in enumerate(await port.complete(requests)):
        result = _read(index, first, read, ())
        if isinstance(result, UnusableAnswerError):
            retry = _retry_of(requests[index], first, result.message)
            retries.append((index, retry, first, result.message))
            results.append(failure(result.message))  # replaced below
        else:
            results.append(result)
    if not retries:
        return results
    seconds = await port.complete([retry for _, retry, _, _ in retries])
    spoilt: list[str] = []
    for (index, _, first, fault), second in zip(retries, seconds, strict=True):
        earlier = _keys(first)
        result = _read(index, second, read, earlier)
        if isinstance(result, Structured):
            results[index] = result
            continue
        spoilt += [*earlier, *_keys(second)]
        results[index] = _final(result, second, fault, requests[index], failure)
    if spoilt and isinstance(port, Withdraws):
        await port.withdraw(spoilt)
    return results


def _read(
    index: int,
    result: CompletionResult,
    read: Callable[[int, str], V],
    earlier: tuple[str, ...],
) -> Structured[V] | Failure | UnusableAnswerError:
    if isinstance(result, TruncatedAnswerError):
        return UnusableAnswerError("the answer was cut at its token limit; write more briefly")
    if not isinstance(result, Completion):
        return result
    if result.finish_reason == "length":  # of an engine that is not ours
        return UnusableAnswerError("the answer was cut at its token limit; write more briefly")
    try:
        value = read(index, result.text)
    except UnusableAnswerError as fault:
        return fault
    keys = (*earlier, result.call_key)
    return Structured(value=value, completion=result, attempts=len(earlier) + 1, call_keys=keys)


def _keys(result: CompletionResult) -> tuple[str, ...]:
    return (result.call_key,) if isinstance(result, Completion) else ()


def _retry_of(request: CompletionRequest, first: CompletionResult, fault: str) -> CompletionRequest:
    said = "".join(message.text for message in request.messages)
    language = "ja" if _KANA.search(said) else "en"
    demand = _PROMPTS.render(
        "retry", language, fault=fault, structured=request.json_schema is not None
    )
    shown: tuple[Message, ...] = ()
    if isinstance(first, Completion) and first.text.strip():
        shown = (Message(role="assistant", text=first.text[:_QUOTED_ANSWER]),)
    messages = (*request.messages, *shown, Message(role="user", text=demand))
    return request.model_copy(update={"messages": messages, "max_tokens": request.max_tokens * 2})


def _final(
    result: Failure | UnusableAnswerError,
    second: CompletionResult,
    fault: str,
    request: CompletionRequest,
    failure: type[BadStructureError | BadTextError],
) -> Failure:
    if isinstance(second, TruncatedAnswerError):
        return TruncatedAnswerError(
            f"The answer was cut at {request.max_tokens * 2} tokens, twice its budget",
            file=request.subject,
            place=request.task,
            remedy="Raise the task's token budget, or use a model that keeps to it",
        )
    if isinstance(result, UnusableAnswerError):
        return failure(
            f"Two answers could not be used; the last: {result.message}",
            file=request.subject,
            place=request.task,
            remedy="Use a model and server with json_schema structured output, or another model",
        )
    return type(result)(
        f"{result.message} (when asked again, because: {fault})",
        file=result.file,
        place=result.place,
        remedy=result.remedy,
    )
