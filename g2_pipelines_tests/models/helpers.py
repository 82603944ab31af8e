"""Short ways to say a request, an engine's settings and a cache in these tests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from g2_pipelines.models.build import build_completion
from g2_pipelines.models.cached import CachedCompletion
from g2_pipelines.models.config import CacheConfig, ModelConfig
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines.models.ports import CompletionRequest, CompletionResult, Message
from g2_pipelines_tests.models.server import ModelServer

KEY = "sk-test-0123456789-secret"


def ask(text: str = "要約してください。", **fields: Any) -> CompletionRequest:
    """A request with this user message."""
    values: dict[str, Any] = {
        "task": "pre_summary",
        "subject": "E99001",
        "max_tokens": 50,
        "messages": (Message(role="user", text=text),),
    }
    return CompletionRequest(**{**values, **fields})


def settings(server: ModelServer, **fields: Any) -> ModelConfig:
    """Settings of an engine at ``server`` that waits for nothing."""
    values: dict[str, Any] = {"timeout_s": 5.0, "max_attempts": 3, "backoff_s": 0.0}
    return ModelConfig(
        base_url=server.base_url,
        api_key=SecretStr(KEY),
        model="test-model",
        **{**values, **fields},
    )


def cache_in(folder: Path, **fields: Any) -> CacheConfig:
    """The call cache of a test."""
    return CacheConfig(url=f"sqlite:///{folder / 'calls.sqlite'}", **fields)


def port_at(server: ModelServer, folder: Path, **fields: Any) -> CachedCompletion:
    """The whole port: engine, cache, ledger."""
    cache = {
        name: fields.pop(name) for name in ("refresh", "generation", "lease_s") if name in fields
    }
    port = build_completion(settings(server, **fields), cache_in(folder, **cache))
    assert isinstance(port, CachedCompletion)
    return port


def answers(
    port: CachedCompletion | OpenAIEngine, requests: Sequence[CompletionRequest]
) -> list[CompletionResult]:
    """Run one batch in a loop of its own."""
    return asyncio.run(port.complete(requests))
