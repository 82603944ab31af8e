"""Every fault that a model server is known for, and what becomes of it: one table.

Here: the faults, how each is brought about at the real local server, and the outcome that is
promised. ``test_fault_table`` holds the product to it, ``docs/model-faults.md`` is made of
it, and ``python -m benchmarks.models --faults`` prints what really came of each.
"""

from __future__ import annotations

import asyncio
import json
import math
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from g2_pipelines.errors import G2Error
from g2_pipelines.models.build import build_completion, build_embedding
from g2_pipelines.models.config import EmbeddingConfig, ModelConfig
from g2_pipelines.models.errors import (
    BadStructureError,
    BadTextError,
    BadVectorError,
    BrokenAnswerError,
    ContextOverflowError,
    EmptyAnswerError,
    Failure,
    ModelTimeoutError,
    OutOfQuotaError,
    OversizedAnswerError,
    RateLimitedError,
    RefusedKeyError,
    RefusedRequestError,
    ServerFailedError,
    TruncatedAnswerError,
    UnknownModelError,
    UnreachableModelError,
    WithheldAnswerError,
)
from g2_pipelines.models.structured import complete_as, complete_text
from g2_pipelines.models.textfaults import content_fault
from g2_pipelines_tests.models.helpers import ask, cache_in, settings
from g2_pipelines_tests.models.server import (
    ModelServer,
    Reply,
    ServerRequest,
    chat,
    embeddings,
    error,
    vector_of,
)

#: A request with this text meets the fault; the one before it and the one after do not.
BAD = "壊"
Kind = Literal["completion", "object", "text", "embedding"]


class Noted(BaseModel):
    """What the requests for an object ask for."""

    summary: str = Field(max_length=80)
    count: int = Field(ge=0)


GOOD_OBJECT = '{"summary": "要約", "count": 1}'


@dataclass(frozen=True)
class Fault:
    """reply: to the first ``times`` tries of the bad request, None for all. failure: how it
    ends, None for a value. tries: of two that are allowed, or of an answer and its one retry.
    others: what becomes of the request after it.
    """

    name: str
    reply: Reply
    failure: type[Failure] | None
    tries: int
    kind: Kind = "completion"
    times: int | None = None
    timeout_s: float = 5.0
    others: type[Failure] | None = None


def _vectors(bad: list[float]) -> Reply:
    return Reply(body=json.dumps(bad).encode())


_CODED = b'{"error": {"message": "no", "code": "insufficient_quota"}}'
_DEMAND = "上の資料から、事業の課題の説明に要る内容だけを残した文章を書いてください。"
_LOOP = "当社は成長を続けてまいります。" * 6
_CHINESE = "本公司在国内市场的销售额今年有所增长，营业利润也随之大幅增加，前景良好。"

FAULTS: tuple[Fault, ...] = (
    Fault("429 with Retry-After", error(429, headers={"Retry-After": "0"}), None, 2, times=1),
    Fault("429 without Retry-After", error(429, "slow down"), None, 2, times=1),
    Fault("429 again and again", error(429, "slow down"), RateLimitedError, 2),
    Fault(
        "429 that asks for an hour",
        error(429, headers={"Retry-After": "3600"}),
        RateLimitedError,
        1,
    ),
    Fault("500 once", error(500, "oops"), None, 2, times=1),
    Fault("500 again and again", error(500, "oops"), ServerFailedError, 2),
    Fault(
        "502 with an HTML page",
        Reply(502, b"<html><h1>Bad Gateway</h1></html>", content_type="text/html"),
        ServerFailedError,
        2,
    ),
    Fault("hang", Reply(delay_s=30), ModelTimeoutError, 2, timeout_s=0.8),
    Fault("slow drip", chat("x" * 400, drip_s=0.05), ModelTimeoutError, 2, timeout_s=0.8),
    Fault("reset in the answer", chat("x" * 4000, reset_after=200), UnreachableModelError, 2),
    Fault("reset before the answer", chat("x", reset_after=0), UnreachableModelError, 2),
    Fault("invalid JSON body", Reply(body=b"service temporarily"), BrokenAnswerError, 2),
    Fault("truncated JSON body", Reply(body=chat("x").body[:-20]), BrokenAnswerError, 2),
    Fault("another protocol's body", Reply(body=b'{"result": "fine"}'), BrokenAnswerError, 2),
    Fault(
        "200 with an error body",
        Reply(body=b'{"error": {"message": "overloaded", "code": 503}}'),
        ServerFailedError,
        2,
    ),
    Fault("200 with a quota error", Reply(body=_CODED), OutOfQuotaError, 1, others=OutOfQuotaError),
    Fault(
        "out of quota",
        error(429, "quota", "insufficient_quota"),
        OutOfQuotaError,
        1,
        others=OutOfQuotaError,
    ),
    Fault("payment required", error(402, "pay"), OutOfQuotaError, 1, others=OutOfQuotaError),
    Fault("refused key", error(401, "bad key"), RefusedKeyError, 1),
    Fault("model not found", error(404, "no such model", "model_not_found"), UnknownModelError, 1),
    Fault(
        "context overflow",
        error(400, "This model's maximum context length is 4096 tokens. However, you requested"),
        ContextOverflowError,
        1,
    ),
    Fault(
        "context overflow by code",
        error(400, "no", "context_length_exceeded"),
        ContextOverflowError,
        1,
    ),
    Fault("refused request", error(400, "bad parameter"), RefusedRequestError, 1),
    Fault("50 MB answer", Reply(body=b"x" * 50_000_000), OversizedAnswerError, 1),
    Fault("50 MB of error", Reply(500, body=b"x" * 50_000_000), OversizedAnswerError, 1),
    Fault(
        "compressed though not asked",
        Reply(body=b"x", headers={"Content-Encoding": "gzip"}),
        OversizedAnswerError,
        1,
    ),
    Fault("no choices", Reply(body=b'{"choices": []}'), EmptyAnswerError, 2),
    Fault("no text", chat(None), EmptyAnswerError, 2),
    Fault("only white space", chat(" \n"), EmptyAnswerError, 2),
    Fault("cut at the token limit", chat("途中", "length"), TruncatedAnswerError, 1),
    Fault("filtered", chat("", "content_filter"), WithheldAnswerError, 1),
    Fault("aborted", chat("x", "abort"), BrokenAnswerError, 2),
    Fault(
        "half a surrogate pair",
        Reply(body=chat("x").body.replace(b'"x"', b'"\\ud800"')),
        BrokenAnswerError,
        2,
    ),
    Fault("object: invalid JSON", chat('{"summary": '), BadStructureError, 2, "object"),
    Fault("object: invalid JSON once", chat("sorry"), None, 2, "object", times=1),
    Fault(
        "object: fences, think tags, prose around",
        chat(f"<think>{{</think>Here:\n```json\n{GOOD_OBJECT}\n```"),
        None,
        1,
        "object",
    ),
    Fault("object: wrong schema", chat('{"summary": 3}'), BadStructureError, 2, "object"),
    Fault(
        "object: a key twice",
        chat('{"summary": "a", "summary": "b", "count": 1}'),
        BadStructureError,
        2,
        "object",
    ),
    Fault("object: NaN", chat('{"summary": NaN, "count": 1}'), BadStructureError, 2, "object"),
    Fault(
        "object: longer than its bound",
        chat(json.dumps({"summary": "長" * 81, "count": 1})),
        BadStructureError,
        2,
        "object",
    ),
    Fault(
        "object: cut at the token limit",
        chat('{"summary": "要', "length"),
        TruncatedAnswerError,
        2,
        "object",
    ),
    Fault("text: empty after its thoughts", chat("<think>何を</think> "), BadTextError, 2, "text"),
    Fault("text: in Chinese", chat(_CHINESE), BadTextError, 2, "text"),
    Fault(
        "text: in English",
        chat("Net sales grew in the domestic market this year."),
        BadTextError,
        2,
        "text",
    ),
    Fault("text: a passage over and over", chat(_LOOP), BadTextError, 2, "text"),
    Fault("text: its instruction again", chat(_DEMAND), BadTextError, 2, "text"),
    Fault("text: only that it follows", chat("以下の通りです。"), BadTextError, 2, "text"),
    Fault("text: in Chinese once", chat(_CHINESE), None, 2, "text", times=1),
    Fault("text: cut at the token limit", chat("途中", "length"), TruncatedAnswerError, 2, "text"),
    Fault("embedding: NaN", _vectors([math.nan] * 8), BadVectorError, 1, "embedding"),
    Fault("embedding: infinity", _vectors([math.inf] * 8), BadVectorError, 1, "embedding"),
    Fault("embedding: all zero", _vectors([0.0] * 8), BadVectorError, 1, "embedding"),
    Fault("embedding: wrong dimension", _vectors([0.1] * 7), BadVectorError, 1, "embedding"),
)


@dataclass(frozen=True)
class Outcome:
    """What really came of a fault: codes of the three results (``value``), tries, remedy."""

    before: str
    bad: str
    after: str
    tries: int
    remedy: str
    shown: str


def outcome_of(fault: Fault) -> Outcome:
    """Bring the fault about at a real server and look."""
    tries = 0

    def script(request: ServerRequest) -> Reply | None:
        nonlocal tries
        if fault.kind == "embedding":
            texts = request.body["input"]
            tries += BAD in texts
            bad = json.loads(fault.reply.body)
            return embeddings([bad if text == BAD else vector_of(text) for text in texts])
        if request.body["messages"][0]["content"] != BAD:
            return chat(GOOD_OBJECT if request.schema else "売上高は前年を上回りました。")
        tries += 1
        if fault.times is not None and tries > fault.times:
            return chat(GOOD_OBJECT if request.schema else "売上高は前年を上回りました。")
        return fault.reply

    with ModelServer(script) as server, tempfile.TemporaryDirectory() as folder:
        config = settings(server, timeout_s=fault.timeout_s, max_attempts=2, concurrency=1)
        results = asyncio.run(_results(fault.kind, config, Path(folder)))
    codes = [result.code if isinstance(result, G2Error) else "value" for result in results]
    bad = results[1]
    failed = isinstance(bad, G2Error)
    return Outcome(
        before=codes[0],
        bad=codes[1],
        after=codes[2],
        tries=tries,
        remedy=bad.remedy if failed else "",
        shown=str(bad) if failed else "",
    )


async def _results(kind: Kind, config: ModelConfig, folder: Path) -> Sequence[object]:
    if kind == "embedding":
        server = config.model_dump(exclude={"engine", "budget_field"})
        given = EmbeddingConfig.model_validate({**server, "engine": "openai", "dimension": 8})
        return await build_embedding(given, cache_in(folder)).embed(["一", BAD, "二"])
    port = build_completion(config, cache_in(folder))
    requests = [ask("一"), ask(BAD), ask("二")]
    if kind == "object":
        return await complete_as(port, requests, Noted)
    if kind == "text":
        return await complete_text(
            port, requests, language="ja", check=lambda _, text: content_fault(text, _DEMAND)
        )
    return await port.complete(requests)


def promised(fault: Fault) -> Outcome:
    """The outcome that the table promises, but for words."""
    return Outcome(
        before="value",
        bad=fault.failure.code if fault.failure else "value",
        after=fault.others.code if fault.others else "value",
        tries=fault.tries,
        remedy="",
        shown="",
    )


@contextmanager
def full_server() -> Iterator[str]:
    """The URL of a server whose queue is full: connections to it never stand."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        port = listening.getsockname()[1]
        waiting = []
        for _ in range(8):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
            waiting.append(one)
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            for one in waiting:
                one.close()


def page(rows: Sequence[tuple[Fault, Outcome]]) -> str:
    """The table as Markdown."""
    lines = [
        "# What becomes of a model server's faults",
        "",
        "Each row is brought about at a real HTTP server that speaks the protocol, with a request",
        "before and one after it in the same batch (tries allowed: 2; an object or a text may be",
        "asked for once more, naming its fault). A request ends as a value or as a typed failure;",
        "its partition fails with that code, for what it lost, and is made by the next run. Made",
        "by `python -m benchmarks.models --faults`; a test holds the product to it.",
        "",
        "| fault | the request ends as | tries | the request after it |",
        "|---|---|---|---|",
    ]
    for fault, outcome in rows:
        bad = "a value" if outcome.bad == "value" else f"`{outcome.bad}`"
        after = "answered" if outcome.after == "value" else f"not sent: `{outcome.after}`"
        lines.append(f"| {fault.name} | {bad} | {outcome.tries} | {after} |")
    return "\n".join(lines) + "\n"
