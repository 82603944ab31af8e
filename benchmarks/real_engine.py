"""The engine that the real-model benchmarks share: a server's, or vLLM in this process on a CPU."""

from __future__ import annotations

import argparse

from pydantic import JsonValue

from g2_pipelines.models.config import ModelConfig, VllmConfig


def add_engine(parser: argparse.ArgumentParser, *, concurrency: int) -> None:
    """``model`` and where it runs."""
    parser.add_argument("model", help="the model's folder, or its name at the server")
    parser.add_argument("--url", default="", help="of a server, with /v1")
    parser.add_argument("--in-process", action="store_true")
    parser.add_argument("--memory", type=float, default=0.4, help="share of it, in process")
    parser.add_argument("--timeout", type=float, default=1_800.0, help="seconds per request")
    parser.add_argument("--concurrency", type=int, default=concurrency)


def engine_of(given: argparse.Namespace, max_model_len: int) -> ModelConfig | VllmConfig:
    """The engine of parsed arguments; ``max_model_len``: tokens in and out, in process."""
    if not given.in_process:
        return ModelConfig(
            base_url=given.url,
            model=given.model,
            timeout_s=given.timeout,
            max_attempts=1,
            concurrency=given.concurrency,
        )
    options: dict[str, JsonValue] = {
        "dtype": "bfloat16",
        "enforce_eager": True,
        "gpu_memory_utilization": given.memory,  # on a CPU: of the machine's memory
    }
    return VllmConfig(model=given.model, max_model_len=max_model_len, options=options)
