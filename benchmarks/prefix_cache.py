"""What the aspects of one document cost a server that keeps the prefixes of its prompts.

``python -m benchmarks.prefix_cache FOLDER --json`` takes the product's own prompts for the
four aspects of three filings and one transcript (``FOLDER/edinet/filings/*.zip``,
``FOLDER/transcripts/*.txt``), sends them in the product's order through call cache and client
to a real vLLM server on CPU, and reads the server's own counters. Then it sends the same
bytes to a second server without prefix cache. ``computed_token_share`` is what the first
computed of all the prompts' tokens; ``equal_outputs`` the share of answers that are the same
character by character. The model is a tiny one with random weights: answers are nonsense,
tokens and prefixes are real.

Needs ``make test-vllm`` once; without it the figures are null.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonprefix  # of characters, which is what is wanted
from pathlib import Path
from time import monotonic
from typing import Any
from unittest.mock import patch

from pydantic import BaseModel, Field

from benchmarks.brief_prompts import filing_splits, recorded, transcript_splits
from benchmarks.report import Figures, arguments, progress, report
from benchmarks.vllm_server import MODELS, Server, ready, serve
from g2_pipelines.briefs.config import load_config
from g2_pipelines.models import openai_engine
from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import CacheConfig, ModelConfig
from g2_pipelines.models.openai_engine import chat_body
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult
from g2_pipelines.models.structured import schema_text
from g2_pipelines.text.tokens import tokenizer

FILINGS = ("S100TBUZ", "S100U4EY", "S100T45G")
TRANSCRIPT = "long_bank_20100216.txt"
NAMES = (
    "computed_token_share",
    "prompt_tokens",
    "computed_tokens",
    "prefix_cache_hits",
    "equal_outputs",
    "equal_prompts",
    "answered",
    "calls",
    "seconds_with_cache",
    "seconds_without_cache",
)


class Short(BaseModel):
    """An answer that a model without sense ends by itself: the calls that follow wait for it."""

    word: str = Field(min_length=1, max_length=12)


def requests_of(folder: Path, *, quick: bool) -> list[CompletionRequest]:
    """The product's prompts, document by document; the answers' form alone is shorter."""
    config, counter = load_config(None), tokenizer("qwen3")
    found: list[CompletionRequest] = []
    for name in FILINGS[:1] if quick else FILINGS:
        company, splits = filing_splits(
            folder / "edinet" / "filings" / f"{name}.zip", config, counter
        )
        found += [request for _, request in recorded(splits, company, config, counter)]
    if not quick:
        company, splits = transcript_splits(folder / "transcripts" / TRANSCRIPT, config, counter)
        found += [request for _, request in recorded(splits, company, config, counter)]
    short = {"json_schema": schema_text(Short), "max_tokens": 64}
    return [request.model_copy(update=short) for request in found]


@dataclass(frozen=True)
class Replay:
    """One run: digests of the bodies sent, what came back, what the server counted meanwhile."""

    sent: list[str]
    results: list[CompletionResult]
    counters: dict[str, float]
    seconds: float
    ledger_cached: int


def replay(requests: Sequence[CompletionRequest], server: Server) -> Replay:
    """All requests through the product's port, in one batch, with an empty call cache."""
    config = ModelConfig(
        base_url=server.base_url, model=server.name, timeout_s=900.0, concurrency=8
    )
    before = server.counters()
    with tempfile.TemporaryDirectory() as folder:
        cache = CacheConfig(url=f"sqlite:///{folder}/calls.sqlite")
        port = build_completion(config, cache)
        sent: list[str] = []

        def noting(request: CompletionRequest, given: ModelConfig) -> dict[str, Any]:
            body = chat_body(request, given)
            sent.append(hashlib.sha256(json.dumps(body).encode()).hexdigest())
            return body

        start = monotonic()
        with patch.object(openai_engine, "chat_body", noting):
            results = asyncio.run(port.complete(requests))
        seconds = monotonic() - start
        calls = open_ledger(cache).read()
    after = server.counters()
    return Replay(
        sent=sorted(sent),  # up to eight are under way at once: their order is not the same
        results=results,
        counters={name: value - before.get(name, 0.0) for name, value in after.items()},
        seconds=seconds,
        ledger_cached=sum(call.cached_tokens for call in calls),
    )


def measure(folder: Path, *, quick: bool = False) -> Figures:
    """The figures; all null where vLLM's environment or the data are missing."""
    if not ready() or not (folder / "edinet" / "filings").is_dir():
        return dict.fromkeys(NAMES)
    requests = requests_of(folder, quick=quick)
    progress(f"{len(requests)} prompts, {shared_words(requests)}")
    # A prompt is at most 30,000 tokens with its answer, as the product's configuration says.
    options = ("--max-model-len", "32768", "--max-num-batched-tokens", "8192")
    with tempfile.TemporaryDirectory() as place:
        log = Path(place) / "server.log"
        with serve(MODELS / "qwen3", *options, "--enable-prefix-caching", log=log) as server:
            kept = replay(requests, server)
        progress(f"with prefix cache: {kept.seconds:.0f} s")
        with serve(MODELS / "qwen3", *options, "--no-enable-prefix-caching", log=log) as server:
            plain = replay(requests, server)
        progress(f"without: {plain.seconds:.0f} s")
    return figures(kept, plain)


def figures(kept: Replay, plain: Replay) -> Figures:
    """By the servers' counters: prompt tokens of the plain run, hits of the other."""
    tokens = plain.counters["vllm:prompt_tokens_total"]
    hits = kept.counters["vllm:prefix_cache_hits_total"]
    computed = kept.counters["vllm:prompt_tokens_total"] - hits
    pairs = list(zip(kept.results, plain.results, strict=True))
    both = [
        (one, other)
        for one, other in pairs
        if isinstance(one, Completion) and isinstance(other, Completion)
    ]
    equal = sum(one.text == other.text for one, other in both)
    same_prompts = kept.sent == plain.sent and all(
        one.prompt_tokens == other.prompt_tokens for one, other in both
    )
    if kept.ledger_cached != hits:
        progress(f"the ledger says {kept.ledger_cached} cached tokens, the server {hits:.0f}")
    return {
        "computed_token_share": round(computed / tokens, 4),
        "prompt_tokens": int(tokens),
        "computed_tokens": int(computed),
        "prefix_cache_hits": int(hits),
        "equal_outputs": round(equal / len(pairs), 4),
        "equal_prompts": float(same_prompts),
        "answered": len(both),
        "calls": len(pairs),
        "seconds_with_cache": round(kept.seconds, 1),
        "seconds_without_cache": round(plain.seconds, 1),
    }


def shared_words(requests: Sequence[CompletionRequest]) -> str:
    """How much of the prompts is common to those that begin alike."""
    groups: dict[str, list[str]] = {}
    for request in requests:
        text = "\0".join(message.text for message in request.messages)
        groups.setdefault(request.prefix_key or text, []).append(text)
    shared = sum(len(commonprefix(texts)) * len(texts) for texts in groups.values())  # noqa: RUF071
    whole = sum(len(text) for texts in groups.values() for text in texts)
    return f"{len(groups)} beginnings, {shared / whole:.1%} of the characters in them"


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("folder", type=Path, help="with edinet/filings and transcripts")
    given = parser.parse_args()
    found = measure(given.folder, quick=given.quick)
    report(found, {}, as_json=given.json)


if __name__ == "__main__":
    main()
