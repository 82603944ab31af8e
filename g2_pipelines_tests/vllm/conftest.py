"""The models, in process and behind a server; nothing here runs without ``make test-vllm``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.vllm_server import MODELS, SETTINGS, Server, ready, serve
from g2_pipelines.models.build import build_completion
from g2_pipelines.models.config import CacheConfig, ModelConfig, VllmConfig
from g2_pipelines.models.ports import CompletionPort

CONTEXT = 16_384


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Minutes of CPU and an environment of its own: only where it was asked for."""
    tests = collection_path.name.startswith("test_")
    return True if tests and not os.environ.get("G2_TEST_VLLM") else None


@pytest.fixture(scope="session", autouse=True)
def _environment() -> None:
    if not ready():
        pytest.fail("vLLM's environment is not there: run `make test-vllm`")
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)


def in_process(model: str) -> VllmConfig:
    """A tiny model in this process, with its counters on."""
    options = {"dtype": "bfloat16", "enforce_eager": True, "disable_log_stats": False}
    return VllmConfig(model=str(MODELS / model), max_model_len=CONTEXT, options=options)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server of the model that reads pictures."""
    log = tmp_path_factory.mktemp("vllm") / "server.log"
    options = ("--max-model-len", str(CONTEXT), "--limit-mm-per-prompt", '{"image": 8}')
    with serve(MODELS / "qwen3-vl", *options, log=log) as running:
        yield running


@pytest.fixture(params=["in process", "served"])
def port(request: pytest.FixtureRequest, cache: CacheConfig) -> CompletionPort:
    """A way to the same model: the whole port, with call cache and ledger."""
    config: VllmConfig | ModelConfig = in_process("qwen3-vl")
    if request.param == "served":
        at = request.getfixturevalue("server")
        config = ModelConfig(base_url=at.base_url, model=at.name, timeout_s=600.0)
    return build_completion(config, cache)


@pytest.fixture
def cache(tmp_path: Path) -> CacheConfig:
    """An empty call cache."""
    return CacheConfig(url=f"sqlite:///{tmp_path / 'calls.sqlite'}")
