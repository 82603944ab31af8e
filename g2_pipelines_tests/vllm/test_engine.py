"""The engine ``vllm`` on the real library: batches, grammar, pictures, failures, prefixes."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import pytest
from PIL import Image

from benchmarks.brief_prompts import filing_splits, recorded
from benchmarks.prefix_cache import Short
from benchmarks.vllm_server import ROOT, Server
from g2_pipelines.briefs.config import load_config
from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import CacheConfig, ModelConfig
from g2_pipelines.models.errors import (
    ContextOverflowError,
    RefusedRequestError,
    TruncatedAnswerError,
)
from g2_pipelines.models.ports import Completion, CompletionRequest, ImagePart, Message
from g2_pipelines.models.structured import schema_text
from g2_pipelines.models.vllm_thread import thread_of
from g2_pipelines.text.tokens import tokenizer
from g2_pipelines_tests.vllm.conftest import CONTEXT, in_process
from g2_pipelines_tests.vllm.watching import Watching

CORPUS = ROOT / "g2_pipelines" / "corpus"
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 20},
            "marks": {
                "type": "array",
                "maxItems": 3,
                "items": {"type": "string", "maxLength": 8},
            },
        },
        "required": ["name", "marks"],
        "additionalProperties": False,
    }
)


def picture(width: int = 96, height: int = 64, form: str = "PNG") -> ImagePart:
    out = io.BytesIO()
    Image.effect_noise((width, height), 60).convert("RGB").save(out, form)
    kind: Any = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}[form]
    return ImagePart(media_type=kind, data=out.getvalue())


def ask(text: str, *images: ImagePart, **fields: Any) -> CompletionRequest:
    values: dict[str, Any] = {
        "task": "try",
        "subject": "E99001",
        "max_tokens": 120,
        "json_schema": SCHEMA,
        "messages": (Message(role="user", text=text, images=images),),
    }
    return CompletionRequest(**{**values, **fields})


def test_a_batch_with_schema_and_pictures_is_valid_whole_and_repeatable(
    port: Any, cache: CacheConfig
) -> None:
    requests = [ask(f"資料{n}を読んで答える。") for n in range(12)]
    requests += [
        ask("図を読む。", picture()),
        ask("図を比べる。", picture(), picture(128, 128, "JPEG")),
        ask("図を写す。", picture(80, 200, "WEBP")),
    ]
    watching = Watching(port)
    first = asyncio.run(watching.complete(requests))
    assert watching.check_form() == len(requests)
    # A picture is tokens of the prompt: 96 x 64 pixels are 2 x 3 patches of 32.
    one, two = (result for result in first[12:14] if isinstance(result, Completion))
    assert two.prompt_tokens > one.prompt_tokens
    assert asyncio.run(port.complete(requests)) == first
    calls = open_ledger(cache).read()
    assert [call.outcome for call in calls].count("ok") == len(requests)
    assert [call.outcome for call in calls].count("cached") == len(requests)


def test_what_a_model_cannot_do_is_typed_and_costs_itself_alone(port: Any) -> None:
    lookbehind = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?<=a)b(("}}}
    requests = {
        "good": ask("資料"),
        "too long": ask("売上高は前年を上回った。" * 4_000),
        "no picture": ask("図", ImagePart(media_type="image/png", data=b"none")),
        "half a picture": ask("図", picture().model_copy(update={"data": picture().data[:60]})),
        "no grammar": ask("資料", json_schema=json.dumps(lookbehind)),
        "cut": ask("資料", max_tokens=4, json_schema=None),
        "good too": ask("別の資料"),
    }
    results = asyncio.run(port.complete(list(requests.values())))
    found = dict(zip(requests, results, strict=True))
    assert isinstance(found["good"], Completion)
    assert isinstance(found["good too"], Completion)
    assert type(found["too long"]) is ContextOverflowError
    for name in ("no picture", "half a picture", "no grammar"):
        assert type(found[name]) is RefusedRequestError, name
    assert type(found["cut"]) is TruncatedAnswerError


def test_prompt_and_answer_over_the_context_are_refused_before_the_model_works(
    cache: CacheConfig,
) -> None:
    port = build_completion(in_process("qwen3-vl"), cache)
    [result] = asyncio.run(port.complete([ask("資料", max_tokens=CONTEXT - 5)]))
    assert type(result) is ContextOverflowError
    assert str(CONTEXT) in result.message
    assert [call.attempts for call in open_ledger(cache).read()] == [0]


def test_a_cancelled_request_makes_room_for_the_next(cache: CacheConfig) -> None:
    port = build_completion(in_process("qwen3-vl"), cache)

    async def go() -> Any:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await port.complete([ask("長い", max_tokens=12_000, json_schema=None)])
        return await port.complete([ask("次")])

    assert isinstance(asyncio.run(go())[0], Completion)
    running = thread_of(in_process("qwen3-vl")).counters()["vllm:num_requests_running"]
    assert running == 0


def aspects_of_a_filing() -> list[CompletionRequest]:
    """The product's four prompts about each source of the sample filing, answers kept short."""
    config, counter = load_config(None), tokenizer("qwen3")
    sources = tuple(
        source.model_copy(update={"pre_summary_tokens": 50}) for source in config.source_types
    )
    config = config.model_copy(update={"source_types": sources})
    company, splits = filing_splits(CORPUS / "filings" / "S9000A01.zip", config, counter)
    short = {"json_schema": schema_text(Short), "max_tokens": 64}
    return [
        request.model_copy(update=short)
        for _, request in recorded(splits, company, config, counter)
    ]


def test_four_aspects_share_their_document_by_the_models_own_counters(
    cache: CacheConfig, server: Server
) -> None:
    """The first aspect pays for the document, the other three for their question."""
    requests = aspects_of_a_filing()
    assert len(requests) >= 4
    thread = thread_of(in_process("qwen3-vl"))
    served = ModelConfig(base_url=server.base_url, model=server.name, timeout_s=600.0)
    for config, counters in ((in_process("qwen3-vl"), thread.counters), (served, server.counters)):
        port = build_completion(config, cache)
        asyncio.run(port.complete([ask("warm")]))  # loads the model: the counters begin
        before = counters()
        results = asyncio.run(port.complete(requests))
        assert all(isinstance(result, Completion) for result in results)
        hits = sum(value - before.get(name, 0) for name, value in counters().items() if _hit(name))
        assert hits > 0
        whole = [result for result in results if isinstance(result, Completion)]
        assert hits == sum(result.cached_tokens for result in whole)
        by_source: dict[str, list[Completion]] = {}
        for request, result in zip(requests, whole, strict=True):
            assert request.prefix_key
            by_source.setdefault(request.prefix_key, []).append(result)
        for group in by_source.values():
            # Blocks of 128 tokens: the document's whole blocks are found by all but the first.
            first, *others = sorted(group, key=lambda result: result.cached_tokens)
            assert len(others) == 3
            assert all(other.cached_tokens > first.cached_tokens for other in others)
            assert all(other.cached_tokens >= 0.5 * other.prompt_tokens for other in others)


def _hit(name: str) -> bool:
    return name in {"vllm:prefix_cache_hits", "vllm:prefix_cache_hits_total"}


def test_in_process_and_served_say_the_same(cache: CacheConfig, server: Server) -> None:
    """One model, one prompt, greedy: the way to it must not change the words."""
    requests = [ask(f"資料{n}") for n in range(4)] + [ask("図", picture())]
    served = ModelConfig(base_url=server.base_url, model=server.name, timeout_s=600.0)
    one, other = (
        asyncio.run(build_completion(config, cache).complete(requests))
        for config in (in_process("qwen3-vl"), served)
    )
    pairs = [
        (a, b)
        for a, b in zip(one, other, strict=True)
        if isinstance(a, Completion) and isinstance(b, Completion)
    ]
    assert len(pairs) == len(requests)
    assert [a.prompt_tokens for a, _ in pairs] == [b.prompt_tokens for _, b in pairs]
    assert sum(a.text == b.text for a, b in pairs) >= 4  # batches differ, so may roundings
