"""What a run would ask and cost, before it starts: the product's own calls, without a server.

Here: a completion port that sends nothing. What the call cache holds (``store``, None where
a refresh asks for all anew) it serves, free; for
the rest it counts the prompt with the real tokenizer and answers with a stand-in text, so
that the calls which follow (parts brought together, the final text) are met in the same
order as in the run. ``build`` makes it; ``defs`` reads its ``calls``.

A prompt made of stored text alone is counted exactly (``certain``). One that holds an
answer that is not there yet is counted with the stand-in, whose length is assumed. With
``worst`` every call goes wrong once and is asked again, and every answer has its whole
budget: then the sums are a bound, up to the server's own failed tries.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from os.path import commonprefix
from typing import Any

from g2_pipelines.keys import digest_of
from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.engines import Engine
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult
from g2_pipelines.models.purpose import purpose
from g2_pipelines.models.weight import prompt_tokens
from g2_pipelines.tables.rows import Row
from g2_pipelines.text.tokens import Tokenizer

_KANA = re.compile(r"[\u3041-\u30ff]")
_STAND_IN = {
    "ja": "これは見積もりのための仮の文の{n}番めです。",
    "en": "This is stand-in sentence number {n} of an estimate. ",
}
_MARKS = ("見積もりのための仮の文", "stand-in sentence number", "見積もりの壊れた答え")
_SPOILT = "見積もりの壊れた答え。"

#: A server finds whole blocks again; 16 tokens is vLLM's on most GPUs.
_BLOCK = 16
#: Documents that are remembered: the calls about one follow each other closely.
_WARM = 64

#: Tokens of the answer that is assumed for a request.
AnswerSize = Callable[[CompletionRequest], int]


class EstimatedCall(Row):
    """A call that the run would make. cached: the call cache answers it, at no cost.

    reused_tokens: of the prompt, what a server's prefix cache holds of an earlier call about
    the same document, in whole blocks of 16 tokens; nothing where it keeps none.
    """

    task: str
    subject: str
    asset: str
    partition: str
    prompt_tokens: int
    completion_tokens: int
    reused_tokens: int
    certain: bool
    cached: bool


class EstimatingCompletion:
    """A CompletionPort that writes down ``calls`` instead of making them."""

    def __init__(
        self,
        engine: Engine,
        store: CallStore | None,
        tokenizer: Tokenizer,
        size: AnswerSize,
        *,
        worst: bool = False,
    ) -> None:
        self._engine, self._store = engine, store
        self._tokenizer, self._size, self._worst = tokenizer, size, worst
        self._answered: dict[str, Completion] = {}
        self._warm: dict[str, list[str]] = {}
        self.calls: list[EstimatedCall] = []

    @property
    def engine(self) -> str:
        """The engine's kind."""
        return self._engine.engine

    @property
    def model(self) -> str:
        """The engine's model and revision."""
        return self._engine.model

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """What is stored, or a stand-in; in order. Raises CallCacheError like the real port."""
        keys = [self._engine.key_of(request) for request in requests]
        unknown = [key for key in dict.fromkeys(keys) if key not in self._answered]
        found: dict[str, bytes] = {}
        if self._store is not None:
            found = await asyncio.to_thread(self._store.find, unknown)
        stored = {key: Completion.model_validate(json.loads(found[key])) for key in found}
        return [
            self._answer(key, request, stored.get(key))
            for key, request in zip(keys, requests, strict=True)
        ]

    def _answer(
        self, key: str, request: CompletionRequest, stored: Completion | None
    ) -> Completion:
        known = self._answered.get(key) or stored
        answer = known or self._made(key, request)
        self._answered[key] = answer
        charged = purpose()
        self.calls.append(
            EstimatedCall(
                task=request.task,
                subject=request.subject,
                asset=charged.asset,
                partition=charged.partition,
                prompt_tokens=answer.prompt_tokens,
                completion_tokens=answer.completion_tokens,
                reused_tokens=0 if known else self._reused(request),
                certain=not any(
                    mark in message.text for message in request.messages for mark in _MARKS
                ),
                cached=known is not None,
            )
        )
        return answer

    def _reused(self, request: CompletionRequest) -> int:
        """Tokens that the prompt shares with what was sent about its document; it is sent now."""
        if request.prefix_key is None:
            return 0
        said = "\0".join(message.text for message in request.messages)
        sent = self._warm.setdefault(request.prefix_key, [])
        if len(self._warm) > _WARM:
            self._warm.pop(next(iter(self._warm)))
        shared = max((commonprefix([said, one]) for one in sent), key=len, default="")  # noqa: RUF071
        sent.append(said)
        tokens = sum(self._tokenizer.count(text) for text in shared.split("\0"))
        return tokens // _BLOCK * _BLOCK

    def _made(self, key: str, request: CompletionRequest) -> Completion:
        again = len(request.messages) > 1 and request.messages[-2].text.startswith(_SPOILT)
        spoilt = self._worst and not again
        tokens = request.max_tokens if self._worst else min(self._size(request), request.max_tokens)
        if spoilt:
            text = _cut(_SPOILT * tokens, tokens, self._tokenizer)
        else:
            said = "\n".join(message.text for message in request.messages)
            text = stand_in(tokens, said, self._tokenizer)
            if request.json_schema is not None:
                value = instance(json.loads(request.json_schema), text)
                text = json.dumps(value, ensure_ascii=False)
        return Completion(
            text=text,
            finish_reason="stop",
            prompt_tokens=prompt_tokens(request, self._tokenizer),
            completion_tokens=tokens,
            cached_tokens=0,
            call_key=key,
            engine=self.engine,
            model=self.model,
        )


def stand_in(tokens: int, said: str, tokenizer: Tokenizer) -> str:
    """A text of ``tokens`` tokens, or one or two less, that no check takes for faulty.

    In the language of what was ``said``, and another text for another prompt: equal answers
    would make equal prompts of two companies, which the run would pay once.
    """
    form = _STAND_IN["ja" if _KANA.search(said) else "en"]
    mark = int(digest_of(said.encode("utf-8", "replace"))[:8], 16)
    count = 4 + tokens // 8  # every sentence has more than eight tokens
    return _cut("".join(form.format(n=mark + n) for n in range(count)), tokens, tokenizer)


def _cut(text: str, tokens: int, tokenizer: Tokenizer) -> str:
    """The longest beginning of at most ``tokens`` tokens; one character at least."""
    low, high = 1, min(len(text), tokens * 8)
    while low < high:
        middle = (low + high + 1) // 2
        if tokenizer.count(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def instance(schema: dict[str, Any], text: str) -> Any:
    """A value that fits a schema of ``structured.schema_text``; its strings begin as ``text``."""
    if "anyOf" in schema:
        return instance(schema["anyOf"][0], text)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            named = schema["properties"]
            share = text[: max(1, len(text) // max(1, len(named)))]
            return {name: instance(child, share) for name, child in named.items()}
        case "array":
            count = max(schema.get("minItems", 0), min(1, schema["maxItems"]))
            return [instance(schema["items"], text) for _ in range(count)]
        case "string":
            return text.ljust(schema.get("minLength", 0), "仮")[: schema.get("maxLength")]
        case "integer" | "number":
            return schema.get("minimum", schema.get("maximum", 0))
        case "boolean":
            return False
        case _:
            return None
